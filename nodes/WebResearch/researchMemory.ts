import type { IExecuteFunctions } from 'n8n-workflow';
import type { ResearchNotes } from '../research/contract/parts';
import { executionIdOf, runIndexOf } from '../run/connection/runContext';
import { isToolCall } from '../run/input/readFields';
import { callsBeforeCrash, researchStore } from '../run/ledger/crash';
import type { Writing } from '../run/ledger/writing';
import { isJsonObject } from '../service/http/answer';
import type { JsonObject } from '../service/http/transport';
import { keyOf } from '../text/addresses';
import { numberOf } from '../text/values';
import type { AskedQuestion } from './askedQuestion';

/** The steps that rest on the settings of searches, and on those of pages. */
const MADE_BY: Record<'search' | 'page', RegExp> = {
	search: /^search /,
	page: /^(?:page|claims) /,
};

/**
 * The memory of an execution about one question, in its own data: the steps that were paid for, what calls that have
 * no answer yet remember, and the credits of all tries. A retry of the same question at the same place continues with
 * it. While nothing was edited, that is the question as the first try has asked it, whatever its expressions give now.
 */
export class ResearchMemory implements ResearchNotes {
	private readonly entry: JsonObject;

	private readonly book: JsonObject;

	/** Names the question among those of the execution. */
	readonly key: string;

	/** The question to go on with. */
	readonly asked: AskedQuestion;

	/** `now`: as the parameters ask it; `writing`: of the node. */
	constructor(ctx: IExecuteFunctions, item: number, now: AskedQuestion, writing: Writing) {
		this.book = researchStore(ctx);
		// A call of an agent is identified by its question: n8n runs the tool once for each call, always as item 0.
		this.key = isToolCall(ctx) ? `tool:${now.question.query}` : `${runIndexOf(ctx)}.${item}`;
		const stored = this.book[this.key];
		const written = isToolCall(ctx) ? undefined : writing.of([item]);
		const execution = executionIdOf(ctx);
		const known = isJsonObject(stored) ? stored : undefined;
		const isUnedited = known?.execution === execution || (written !== undefined && known?.written === written);
		this.asked = (isUnedited && askedIn(known)) || now;
		const { query } = this.asked.question;
		this.entry = known?.query === query ? known : { query, steps: {}, calls: {}, credits: 0 };
		Object.assign(this.entry, {
			asked: structuredClone(this.asked),
			execution,
			...(written !== undefined && { written }),
		});
		const killed = callsBeforeCrash(ctx);
		if (killed) this.entry.killed = { ...killed, isKilled: true };
		this.book[this.key] = this.entry;
		for (const kind of ['search', 'page'] as const) this.keepSettings(kind, this.asked[kind]);
	}

	/** Results that were found under other settings are not the ones that are asked for now. */
	private keepSettings(kind: keyof typeof MADE_BY, settings: JsonObject): void {
		const key = keyOf(JSON.stringify(settings));
		const before = this.entry[kind];
		this.entry[kind] = key;
		if (before === undefined || before === key) return;
		for (const part of [this.part('steps'), this.part('calls')]) {
			const names = Object.keys(part).filter((name) => MADE_BY[kind].test(name));
			for (const name of names) Reflect.deleteProperty(part, name);
		}
	}

	read(step: string): unknown {
		return this.part('steps')[step];
	}

	write(step: string, entry: Record<string, unknown>): void {
		this.part('steps')[step] = entry;
	}

	/** True where an earlier try has left something. */
	get hasSteps(): boolean {
		return Object.keys(this.part('steps')).length > 0;
	}

	/** n8n was killed in an earlier try, of which nothing is known here. */
	get wasKilled(): boolean {
		return isJsonObject(this.entry.killed);
	}

	/** The memory of a call of the service until it is answered; it counts with the most that it can cost. */
	openCall(name: string, mostCredits: number): JsonObject {
		const calls = this.part('calls');
		const stored = calls[name];
		const known = isJsonObject(stored) && isJsonObject(stored.memory) ? stored.memory : undefined;
		const { killed } = this.entry;
		const memory = known ?? (isJsonObject(killed) ? { ...killed } : {});
		calls[name] = { mostCredits, memory };
		return memory;
	}

	/** To be called when a call was answered or refused: its result is among the steps from now on. */
	closeCall(name: string): void {
		Reflect.deleteProperty(this.part('calls'), name);
	}

	/** The calls that may be paid for and have no answer: their names, and the most that they may have cost together. */
	get open(): { names: string[]; credits: number } {
		const calls = this.part('calls');
		const each = Object.values(calls).map((call) => (isJsonObject(call) ? numberOf(call.mostCredits) : 0));
		return { names: Object.keys(calls), credits: each.reduce((sum, credits) => sum + credits, 0) };
	}

	/** Credits of all tries so far, with the most that open calls may have cost. */
	get credits(): number {
		return this.open.credits + numberOf(this.entry.credits);
	}

	pay(credits: number): void {
		this.entry.credits = numberOf(this.entry.credits) + credits;
	}

	/** The copy of a history that the first try of this execution has made; undefined where there is none. */
	historyCopy(name: string): JsonObject | undefined {
		const { history } = this.entry;
		return isJsonObject(history) && history.name === name ? history : undefined;
	}

	keepHistoryCopy(name: string, copy: JsonObject): void {
		this.entry.history = { name, ...copy };
	}

	/** To be called where a page is compared with another history: what the model has read of it rests on the first one. */
	forgetComparisons(): void {
		const steps = this.part('steps');
		for (const name of Object.keys(steps)) if (name.startsWith('claims ')) Reflect.deleteProperty(steps, name);
	}

	/** Keeps what came of it instead of the steps on the way: of a hundred rows, these would be megabytes. */
	keepResult(result: object): void {
		Reflect.deleteProperty(this.entry, 'history');
		Object.assign(this.entry, { steps: {}, calls: {}, result: { of: this.resultKey, ...structuredClone(result) } });
	}

	/** What came of it in an earlier try, where the same was asked for. */
	get result(): JsonObject | undefined {
		const { result } = this.entry;
		return isJsonObject(result) && result.of === this.resultKey ? result : undefined;
	}

	private get resultKey(): string {
		const { row, question, search, page } = this.asked;
		return keyOf(JSON.stringify([row, question.today, search, page]));
	}

	/** To be called when the result is handed over. */
	forget(): void {
		Reflect.deleteProperty(this.book, this.key);
	}

	private part(name: 'steps' | 'calls'): JsonObject {
		const stored = this.entry[name];
		const part = isJsonObject(stored) ? stored : {};
		this.entry[name] = part;
		return part;
	}
}

/** The question of an entry, as a try has kept it; undefined where it is none. */
function askedIn(entry: JsonObject | undefined): AskedQuestion | undefined {
	const asked = entry?.asked;
	const isWhole =
		isJsonObject(asked) &&
		isJsonObject(asked.question) &&
		typeof asked.question.query === 'string' &&
		[asked.search, asked.page, asked.pageOptions].every(isJsonObject);
	return isWhole ? (structuredClone(asked) as unknown as AskedQuestion) : undefined;
}
