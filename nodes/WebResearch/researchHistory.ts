import { FORGOTTEN_AFTER_MS, HISTORY_FORM, MAX_STATEMENTS } from '../research/contract/history';
import type { KnownPage, KnownStatement, ResearchHistory, ResearchPlan } from '../research/contract/history';
import type { ResearchResult } from '../research/contract/result';
import type { NodeMemory } from '../run/memory/memory';
import { isJsonObject } from '../service/http/answer';
import type { JsonObject } from '../service/http/transport';
import { keyOf } from '../text/addresses';
import { numberOf } from '../text/values';
import type { ResearchMemory } from './researchMemory';

/** Key in the node's memory. Stored: do not rename. */
const KEY = 'webDataResearchHistory';

/** Characters that are stored for all histories of one kind of a node together. */
export const HISTORY_CHARACTERS = 900_000;

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
 * The histories of a node, in its memory (run/memory). A run compares with what was there when it began, and so does each
 * retry of it, by a copy, as long as no other run has stored since.
 */
export class ResearchHistories {
	private readonly stored: Map<string, StoredHistory>;

	/** Parts of questions that are asked no more, by the question that goes on with them. */
	private readonly adopted = new Map<string, string>();

	/** Histories that another version has kept in a form that is not read any more. */
	outdated = 0;

	/** How often histories had to be cut, for the number of their statements or the size of what n8n stores. */
	cut = 0;

	constructor(
		readonly memory: NodeMemory,
		private readonly nowMs: number,
	) {
		this.stored = readStored(memory.value[KEY], nowMs);
	}

	/**
	 * The history that a question is compared with; `none` in its first run, `lost` where nobody knows: then everything is
	 * told. `others`: all questions of this run.
	 */
	begin(question: QuestionWithHistory, others: readonly QuestionWithHistory[]): ResearchHistory | 'none' | 'lost' {
		const { name, query, memory } = question;
		const copy = memory.historyCopy(name);
		const own = keyOf(query);
		const { version, lost } = this.memory;
		if (copy && (lost !== undefined || copy.version === version)) {
			if (typeof copy.adopted === 'string') this.adopted.set(placeOf(name, own), copy.adopted);
			return readHistory(copy.history) ?? 'none';
		}
		if (lost !== undefined) return 'lost';
		// A later run has told what is new since, and this one compares with what that has left.
		if (copy) memory.forgetComparisons();
		const parts = this.stored.get(name)?.parts;
		const [adopted, orphan] = parts?.[own] ? [] : (this.orphanOf(name, others) ?? []);
		if (adopted !== undefined) this.adopted.set(placeOf(name, own), adopted);
		// Another wording is another plan; the statements stay.
		const history = parts?.[own] ?? (orphan && { ...orphan, plan: undefined, answered: [] });
		memory.keepHistoryCopy(name, { history, adopted, version });
		if (!history && isOutdated(this.memory.value[KEY], name)) this.outdated += 1;
		return history ?? 'none';
	}

	/** The latest part of a question that is asked no more, and that no other question goes on with. */
	private orphanOf(
		name: string,
		others: readonly QuestionWithHistory[],
	): [key: string, part: ResearchHistory] | undefined {
		const parts = this.stored.get(name)?.parts ?? {};
		const asked = new Set(others.filter((one) => one.name === name).map(({ query }) => keyOf(query)));
		const taken = new Set(this.adopted.values());
		return Object.entries(parts)
			.filter(([key]) => !asked.has(key) && !taken.has(key))
			.sort(([, one], [, other]) => other.at.localeCompare(one.at))[0];
	}

	/**
	 * To be called once, when the whole node has succeeded and n8n does not run it again. Says in one sentence why it
	 * could not. Throws a ServiceFailure when the execution was stopped.
	 */
	async store(questions: readonly QuestionWithHistory[]): Promise<string | undefined> {
		const told = questions.filter(({ result }) => result?.history);
		if (told.length === 0) return undefined;
		return await this.memory.store((value) => {
			const all = readStored(value[KEY], this.nowMs);
			const byName = new Map<string, Map<string, ResearchHistory>>();
			for (const { name, query, result } of told) {
				if (!result?.history) continue;
				const own = keyOf(query);
				const parts = byName.get(name) ?? new Map(Object.entries(all.get(name)?.parts ?? {}));
				byName.set(name, parts);
				const orphan = this.adopted.get(placeOf(name, own));
				if (orphan !== undefined) parts.delete(orphan);
				parts.set(own, result.history);
			}
			for (const [name, own] of byName) {
				const parts = Object.fromEntries(own);
				const kept = withinStatements(parts);
				if (kept !== parts) this.cut += 1;
				all.set(name, { at: this.nowMs, parts: kept });
			}
			const within = withinSize(all);
			if (within !== all) this.cut += 1;
			return { ...value, [KEY]: JSON.parse(JSON.stringify(Object.fromEntries(within))) as JsonObject };
		});
	}
}

/** One part of a history, and how many characters it takes. */
interface SizedPart {
	name: string;
	/** When its history was used last, in milliseconds since 1970. */
	at: number;
	key: string;
	part: ResearchHistory;
	size: number;
}

const sizeOf = (one: unknown): number => JSON.stringify(one).length;

/**
 * The same where it has room; else without what was not used for the longest time. What is left alone loses its oldest
 * statements.
 */
function withinSize(all: Map<string, StoredHistory>): Map<string, StoredHistory> {
	const parts = [...all].flatMap(([name, { at, parts: own }]) =>
		Object.entries(own).map(([key, part]): SizedPart => ({ name, at, key, part, size: sizeOf([name, key, part]) })),
	);
	let size = parts.reduce((sum, one) => sum + one.size, 0);
	if (size <= HISTORY_CHARACTERS) return all;
	parts.sort((one, other) => other.at - one.at || other.part.at.localeCompare(one.part.at));
	while (size > HISTORY_CHARACTERS && parts.length > 1) size -= parts.pop()?.size ?? 0;
	const kept = new Map<string, StoredHistory>();
	for (const { name, at, key, part } of parts) {
		const own = size > HISTORY_CHARACTERS ? cutPart(part) : part;
		kept.set(name, { at, parts: { ...kept.get(name)?.parts, [key]: own } });
	}
	return kept;
}

/** Half of its statements and pages, as often as it takes: the plan alone has room. */
function cutPart(part: ResearchHistory): ResearchHistory {
	let kept = part;
	while (sizeOf(kept) > HISTORY_CHARACTERS && kept.statements.length + kept.pages.length > 0) {
		const [fewer] = Object.values(withinStatements({ kept }, Math.floor(kept.statements.length / 2)));
		const { statements } = fewer ?? kept;
		kept = { ...kept, statements, pages: kept.pages.slice(0, Math.floor(kept.pages.length / 2)) };
	}
	return kept;
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

/** Bounds of what is read: a table is open to its users. Longer lists lose their end, longer texts count as none. */
const MAX_PAGES = 2_000;
const MAX_PLANNED = 20;
const MAX_TEXT = 2_000;
const MAX_DIGESTS = 100_000;

function readStored(value: unknown, nowMs: number): Map<string, StoredHistory> {
	if (!isJsonObject(value)) return new Map();
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
	return new Map(read);
}

/** Whether a history is there whose form is not read any more. */
function isOutdated(value: unknown, name: string): boolean {
	const stored = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
	if (!isJsonObject(stored) || !isJsonObject(stored.parts)) return false;
	const parts: unknown[] = Object.values(stored.parts);
	return parts.length > 0 && parts.every((part) => isJsonObject(part) && part.form !== HISTORY_FORM);
}

/** A history as it was stored; undefined for anything else. */
function readHistory(value: unknown): ResearchHistory | undefined {
	if (!isJsonObject(value) || !Array.isArray(value.statements) || !Array.isArray(value.pages)) return undefined;
	const answered: unknown[] = Array.isArray(value.answered) ? value.answered : [];
	if (value.form !== HISTORY_FORM) return undefined;
	return {
		form: HISTORY_FORM,
		plan: isPlan(value.plan) ? value.plan : undefined,
		answered: answered.filter((one): one is number => typeof one === 'number').slice(0, MAX_PLANNED),
		at: isTime(value.at) ? value.at : '',
		statements: value.statements.filter(isStatement).slice(0, MAX_STATEMENTS),
		pages: value.pages.filter(isPage).slice(0, MAX_PAGES),
	};
}

function isPlan(value: unknown): value is ResearchPlan {
	if (!isJsonObject(value) || !isJsonObject(value.labels)) return false;
	const { notFound, contradictions, new: fresh, changed, withdrawn, before } = value.labels;
	const isTexts = (list: unknown) => Array.isArray(list) && list.length <= MAX_PLANNED && list.every(isHistoryText);
	return [value.subQuestions, value.queries, [notFound, contradictions, fresh, changed, withdrawn, before]].every(
		isTexts,
	);
}

function isStatement(value: unknown): value is KnownStatement {
	if (!isJsonObject(value) || !isJsonObject(value.quote)) return false;
	const { text, question, source, firstSeen, lastSeen, quote, missed = 0, isMissing = true } = value;
	const texts = [text, question, source, quote.start, quote.digest];
	const areNumbers = [quote.length, missed].every((one) => typeof one === 'number');
	return texts.every(isHistoryText) && isTime(firstSeen) && isTime(lastSeen) && areNumbers && isMissing === true;
}

function isPage(value: unknown): value is KnownPage {
	if (!isJsonObject(value)) return false;
	const { url, title, hash, sentences, was = '', visitedAt } = value;
	const areDigests = [sentences, was].every((one) => typeof one === 'string' && one.length <= MAX_DIGESTS);
	return [url, title, hash].every(isHistoryText) && areDigests && isTime(visitedAt);
}

/** A text that is short enough for a history. */
export function isHistoryText(value: unknown): value is string {
	return typeof value === 'string' && value.length <= MAX_TEXT;
}

/** Times stand in reports as they are. */
function isTime(value: unknown): value is string {
	return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/.test(value);
}
