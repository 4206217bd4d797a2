import type { IExecuteFunctions } from 'n8n-workflow';
import { FORGOTTEN_AFTER_MS, MAX_STATEMENTS } from '../research/contract';
import type { KnownPage, KnownStatement, ResearchHistory, ResearchPlan, ResearchResult } from '../research/contract';
import { isJsonObject } from '../service/http/answer';
import type { JsonObject } from '../service/http/transport';
import { keyOf } from '../text/addresses';
import { numberOf, textOf } from '../text/values';
import type { ResearchMemory } from './researchMemory';

/** Key in the node's static data. Stored with workflows: do not rename. */
const KEY = 'webDataResearchHistory';

/** Characters that n8n stores with the workflow for all histories of a node together. */
const MAX_CHARACTERS = 900_000;

/** One question with a history, and its result, where it has one. */
interface QuestionWithHistory {
	name: string;
	query: string;
	memory: ResearchMemory;
	result?: ResearchResult;
}

/** The parts that are stored under one name: a part for each question that shares it. */
interface StoredHistory {
	/** Milliseconds since 1970. */
	at: number;
	parts: Record<string, ResearchHistory>;
}

/**
 * The histories of a node, in the static data that n8n stores with an active workflow. A run compares with the copy
 * that it made when it began, and so does each retry of it: n8n gives a Retry the static data that was stored with the
 * execution, or none (docs/reference/n8n-internals.md#static-data-of-a-node). Of two runs at once the last one wins.
 */
export class ResearchHistories {
	private readonly stored: Record<string, StoredHistory>;

	/** Parts of questions that are asked no more, by the question that goes on with them. */
	private readonly adopted = new Map<string, string>();

	/** How often histories had to be cut, for the number of their statements or the size of what n8n stores. */
	cut = 0;

	constructor(
		private readonly ctx: IExecuteFunctions,
		private readonly nowMs: number,
	) {
		this.stored = readStored(ctx.getWorkflowStaticData('node')[KEY], nowMs);
	}

	/** False in a manual run: n8n keeps nothing of what it stores. */
	get isKept(): boolean {
		return this.ctx.getMode() !== 'manual';
	}

	/**
	 * The history that a question is compared with; `none` in its first run. `others`: all questions of this run.
	 * Where n8n was killed in the run before and has left neither a copy nor what it had stored, nobody knows
	 * (`lost`): then everything is told, and nothing is stored.
	 */
	begin(
		{ name, query, memory }: QuestionWithHistory,
		others: readonly QuestionWithHistory[],
	): ResearchHistory | 'none' | 'lost' {
		const copy = memory.historyCopy(name);
		const own = keyOf(query);
		if (copy) {
			if (typeof copy.adopted === 'string') this.adopted.set(placeOf(name, own), copy.adopted);
			return copy.isLost === true ? 'lost' : (readHistory(copy.history) ?? 'none');
		}
		const parts = this.stored[name]?.parts;
		const isLost = parts === undefined && this.ctx.getMode() === 'retry';
		const [adopted, orphan] = parts?.[own] ? [] : (this.orphanOf(name, others) ?? []);
		if (adopted !== undefined) this.adopted.set(placeOf(name, own), adopted);
		// Another wording is another plan; the statements stay.
		const history = parts?.[own] ?? (orphan && { ...orphan, plan: undefined, answered: [] });
		memory.keepHistoryCopy(name, { history, adopted, isLost });
		return isLost ? 'lost' : (history ?? 'none');
	}

	/** The latest part of a question that is asked no more, and that no other question goes on with. */
	private orphanOf(
		name: string,
		others: readonly QuestionWithHistory[],
	): [key: string, part: ResearchHistory] | undefined {
		const parts = this.stored[name]?.parts ?? {};
		const asked = new Set(others.filter((one) => one.name === name).map(({ query }) => keyOf(query)));
		const taken = new Set(this.adopted.values());
		return Object.entries(parts)
			.filter(([key]) => !asked.has(key) && !taken.has(key))
			.sort(([, one], [, other]) => other.at.localeCompare(one.at))[0];
	}

	/**
	 * To be called once, when the whole node has succeeded and n8n does not run it again. A Retry stores nothing: n8n
	 * writes the static data of the whole workflow back, and has given a Retry none of it.
	 */
	store(questions: readonly QuestionWithHistory[]): void {
		const told = questions.filter(({ result }) => result?.history);
		if (!this.isKept || told.length === 0 || this.ctx.getMode() === 'retry') return;
		for (const { name, query, result } of told) {
			if (!result?.history) continue;
			const own = keyOf(query);
			const parts = { ...this.stored[name]?.parts };
			const orphan = this.adopted.get(placeOf(name, own));
			if (orphan !== undefined) Reflect.deleteProperty(parts, orphan);
			parts[own] = result.history;
			const kept = withinStatements(parts);
			if (kept !== parts) this.cut += 1;
			this.stored[name] = { at: this.nowMs, parts: kept };
		}
		this.cutToSize();
		this.ctx.getWorkflowStaticData('node')[KEY] = JSON.parse(JSON.stringify(this.stored)) as JsonObject as never;
	}

	/** Histories that were not used for the longest time go first; a single one loses its oldest statements. */
	private cutToSize(): void {
		while (JSON.stringify(this.stored).length > MAX_CHARACTERS) {
			this.cut += 1;
			const names = Object.entries(this.stored).sort(([, one], [, other]) => one.at - other.at);
			const [oldest] = names;
			if (!oldest) return;
			if (names.length > 1) Reflect.deleteProperty(this.stored, oldest[0]);
			else oldest[1].parts = halved(oldest[1].parts);
		}
	}
}

function placeOf(name: string, question: string): string {
	return `${question} ${name}`;
}

/** Of all parts together, the statements that were not found for the longest time make room. */
function withinStatements(
	parts: Record<string, ResearchHistory>,
	most = MAX_STATEMENTS,
): Record<string, ResearchHistory> {
	const all = Object.values(parts).flatMap(({ statements }) => statements);
	if (all.length <= most) return parts;
	const kept = new Set(all.sort((one, other) => other.lastSeen.localeCompare(one.lastSeen)).slice(0, most));
	return Object.fromEntries(
		Object.entries(parts).map(([key, part]) => [
			key,
			{ ...part, statements: part.statements.filter((one) => kept.has(one)) },
		]),
	);
}

function halved(parts: Record<string, ResearchHistory>): Record<string, ResearchHistory> {
	const count = Object.values(parts).reduce((sum, { statements }) => sum + statements.length, 0);
	const fewer = withinStatements(parts, Math.floor(count / 2));
	return Object.fromEntries(
		Object.entries(fewer).map(([key, part]) => [key, { ...part, pages: part.pages.slice(0, part.pages.length / 2) }]),
	);
}

function readStored(value: unknown, nowMs: number): Record<string, StoredHistory> {
	if (!isJsonObject(value)) return {};
	const read = Object.entries(value).flatMap(([name, stored]): Array<[string, StoredHistory]> => {
		if (!isJsonObject(stored) || !isJsonObject(stored.parts)) return [];
		const at = numberOf(stored.at);
		if (at < nowMs - FORGOTTEN_AFTER_MS) return [];
		const parts = Object.entries(stored.parts).flatMap(([key, part]): Array<[string, ResearchHistory]> => {
			const history = readHistory(part);
			return history ? [[key, history]] : [];
		});
		return [[name, { at, parts: Object.fromEntries(parts) }]];
	});
	return Object.fromEntries(read);
}

/** A history as it was stored; undefined for anything else. */
function readHistory(value: unknown): ResearchHistory | undefined {
	if (!isJsonObject(value) || !Array.isArray(value.statements) || !Array.isArray(value.pages)) return undefined;
	const answered: unknown[] = Array.isArray(value.answered) ? value.answered : [];
	return {
		plan: isPlan(value.plan) ? value.plan : undefined,
		answered: answered.filter((one): one is number => typeof one === 'number'),
		at: textOf(value.at),
		statements: value.statements.filter(isStatement),
		pages: value.pages.filter(isPage),
	};
}

function isPlan(value: unknown): value is ResearchPlan {
	if (!isJsonObject(value) || !isJsonObject(value.labels)) return false;
	const { notFound, contradictions, new: fresh, changed, withdrawn } = value.labels;
	const isTexts = (list: unknown) => Array.isArray(list) && list.every((one) => typeof one === 'string');
	return [value.subQuestions, value.queries, [notFound, contradictions, fresh, changed, withdrawn]].every(isTexts);
}

function isStatement(value: unknown): value is KnownStatement {
	if (!isJsonObject(value) || !isJsonObject(value.quote)) return false;
	const { text, question, source, firstSeen, lastSeen, quote } = value;
	const texts = [text, question, source, firstSeen, lastSeen, quote.start, quote.digest];
	return texts.every((one) => typeof one === 'string') && typeof quote.length === 'number';
}

function isPage(value: unknown): value is KnownPage {
	if (!isJsonObject(value)) return false;
	const { url, title, hash, blocks, visitedAt } = value;
	return [url, title, hash, blocks, visitedAt].every((one) => typeof one === 'string');
}
