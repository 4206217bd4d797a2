import { asSentence, shorten } from '../../service/http/failure';
import { Attempts, POLICIES, readRetryAfterMs } from '../../service/http/retry';
import { sleep } from '../../service/http/time';
import { httpCodeText } from '../../text/amounts';
import { isRecord } from '../../text/values';
import { ResearchFailure } from '../contract/result';
import type { ModelAnswer, ModelRole, ResearchParts } from '../contract/parts';
import { answerText } from './answers';
import type { JsonRecord } from './answers';
import { estimateTokens } from './budget';
import type { Budget } from './budget';
import { throwIfOver } from './phases';
import type { Phase, Phases } from './phases';
import { PROMPTS } from './prompts';

/** The tokens that an answer may take beside what is asked. */
const ANSWER_TOKENS = 1000;

/** One question to a model. `step` names it in the notes: the same step is never paid for twice. */
interface ModelTask {
	step: string;
	role: ModelRole;
	system: string;
	user: string;
	/** Counts against what is kept for writing. */
	isWriting?: boolean;
	/** It completes what was begun, and comes before what is not. */
	isUrgent?: boolean;
	/** A long text that may be sent in smaller pieces, should the model have read only a part of it. */
	mayBeCut?: boolean;
}

/** Calls the model: from the notes where it has answered before, within the budget, with retries. */
export class ModelCaller {
	private readonly turns: Turns;

	/** The milliseconds in which any call waited because the model refuses calls for now, and its latest HTTP status. */
	readonly waits: { ms: number; status: number | undefined } = { ms: 0, status: undefined };

	/** Calls that wait now, and since when any does. */
	private waiting = 0;

	private waitingSinceMs = 0;

	/** Calls on their way, by their steps. */
	private readonly running = new Map<string, Promise<string>>();

	/** So many tokens the model has read of texts that were longer, where its server cuts them without a word. */
	private contextTokens = Infinity;

	/** The latest answer that could not be read, and what was asked for. */
	private unread = { text: '', prompt: '' };

	/** The reason why the run cannot go on with a model whose answers cannot be read, with its own words. */
	get unreadable(): ResearchFailure {
		const said = shownText(this.unread.text, this.unread.prompt);
		const answered = said === '' ? 'It answered nothing that can be shown.' : `It answered: ${asSentence(said)}`;
		return new ResearchFailure(
			'model',
			`The chat model gave no plan and no claims that could be read, each asked for twice. ${answered} Choose a model that answers in JSON when told so, or raise its limit of output tokens.`,
		);
	}

	get hasCut(): boolean {
		return this.contextTokens < Infinity;
	}

	constructor(
		private readonly parts: Pick<ResearchParts, 'ask' | 'clock' | 'notes' | 'onModelWait'>,
		private readonly budget: Budget,
		private readonly phases: Phases,
		concurrentCalls: number,
	) {
		this.turns = new Turns(Math.max(1, concurrentCalls));
	}

	/** Random text that nobody who wrote a page can know. */
	newMark(): string {
		const part = () => Math.floor(this.parts.clock.random() * 2 ** 32).toString(36);
		return `=====${[part(), part(), part()].join('')}=====`;
	}

	/** Text of strangers, between two marks. */
	asData(text: string): string {
		const mark = this.newMark();
		return `${mark}\n${text}\n${mark}`;
	}

	/** Several texts of strangers, each between two marks. */
	asDataEach(texts: readonly string[]): string {
		const mark = this.newMark();
		return texts.map((text) => `${mark}\n${text}\n${mark}`).join('\n');
	}

	/**
	 * The text of the answer. Throws LimitReached, UnansweredCall where this request has no answer, and
	 * ResearchFailure where the model has none for any or the execution was stopped.
	 */
	async ask(task: ModelTask): Promise<string> {
		const noted = this.parts.notes.read(task.step);
		if (isRecord(noted) && typeof noted.text === 'string') return noted.text;
		// Two pages may hold the same passage: what is on its way is asked for once.
		const running = this.running.get(task.step);
		if (running) return await running;
		const asking = this.askOnce(task).finally(() => this.running.delete(task.step));
		this.running.set(task.step, asking);
		return await asking;
	}

	private async askOnce(task: ModelTask): Promise<string> {
		const phase = task.isWriting ? this.phases.writing : this.phases.reading;
		return await this.turns.run(async () => await this.askInTurn(task, phase), task.isUrgent);
	}

	/**
	 * An answer that can be read, asked for a second time where the first cannot be. Undefined: neither can.
	 * An answer that looks like broken JSON is sent back alone, so that a page is not paid for again.
	 * `again`: what to add to the request instead, for answers that are no JSON.
	 */
	async askFor<T>(task: ModelTask, read: (text: string) => T | undefined, again?: string): Promise<T | undefined> {
		const text = await this.ask(task);
		const first = read(text);
		if (first !== undefined) return first;
		this.unread = { text, prompt: `${task.system}\n${task.user}` };
		const step = `${task.step} again`;
		const second =
			again === undefined && text.includes('{')
				? { ...task, step, system: PROMPTS.fixJson, user: this.asData(text) }
				: { ...task, step, user: `${task.user}\n\n${again ?? PROMPTS.again}` };
		return read(await this.ask(second));
	}

	private async askInTurn(task: ModelTask, phase: Phase): Promise<string> {
		const { clock } = this.parts;
		const attempts = new Attempts(POLICIES.model, clock);
		for (;;) {
			const answer = await this.tryOnce(task, phase);
			if (typeof answer === 'string') return answer;
			const trouble = readModelError(answer.error, clock.wallClock(), `${task.system}\n${task.user}`);
			const { kind, status, retryAfterMs } = trouble;
			if (kind === 'tooLong' || kind === 'refused') throw new UnansweredCall(kind, modelFailure(trouble));
			if (kind === 'useless') throw modelFailure(trouble);
			const next = attempts.after({
				kind: status === 429 ? 'rateLimited' : 'http',
				mayHaveExecuted: true,
				retryAfterMs,
			});
			if (typeof next === 'string') throw modelFailure(trouble);
			await this.waitAfterRefusal(status, Math.max(0, next.atMs - clock.now()), phase);
		}
	}

	/** True when the model has counted much less than it was sent, or just as much as of a text that was cut. */
	private wasCut({ inputTokens }: ModelAnswer, estimated: number): boolean {
		if (typeof inputTokens !== 'number' || inputTokens <= 0) return false;
		const isFull = Math.abs(inputTokens - this.contextTokens) < 0.02 * this.contextTokens;
		const share = isFull ? 0.9 : LEAST_SHARE;
		const isCut = estimated > LONG_INPUT_TOKENS && inputTokens < share * estimated;
		if (isCut) this.contextTokens = Math.min(this.contextTokens, inputTokens);
		return isCut;
	}

	/** The text, or what the model's client threw. */
	private async tryOnce(task: ModelTask, phase: Phase): Promise<string | { error: unknown }> {
		throwIfOver(phase);
		const { role, system, user } = task;
		const input = estimateTokens(system) + estimateTokens(user);
		const reserved = this.budget.expectedTokens(system + user) + this.budget.expectedAnswer(ANSWER_TOKENS);
		this.budget.reserveTokens(reserved, task.isWriting === true);
		// An answer that comes when nobody waits any more is paid for, too: it is noted.
		const answered = async (given: AbortSignal): Promise<string | { error: unknown }> => {
			try {
				const answer = await this.parts.ask({ role, system, user, signal: given });
				const text = answerText(answer.content);
				const usage = usageOf(answer, input, text);
				this.budget.settleTokens(reserved, usage);
				this.budget.learn(system + user, answer.inputTokens, usage.output);
				if (task.mayBeCut && this.wasCut(answer, input)) return { error: { status: 413 } };
				this.parts.notes.write(task.step, { text });
				return text;
			} catch (error) {
				this.budget.settleTokens(reserved);
				return { error };
			}
		};
		return await this.phases.race(answered, phase);
	}

	private async waitAfterRefusal(status: number | undefined, waitMs: number, { over }: Phase): Promise<void> {
		const { clock, onModelWait } = this.parts;
		onModelWait?.({ status, waitMs });
		this.waits.status = status;
		if (this.waiting === 0) this.waitingSinceMs = clock.now();
		this.waiting += 1;
		try {
			await sleep(clock, waitMs, over);
		} finally {
			this.waiting -= 1;
			if (this.waiting === 0) this.waits.ms += clock.now() - this.waitingSinceMs;
		}
	}
}

/** Estimates may be wrong by a third; half of a long text is a text that was cut. */
const LEAST_SHARE = 0.5;
const LONG_INPUT_TOKENS = 1_000;

function usageOf(
	{ inputTokens, outputTokens }: ModelAnswer,
	estimatedInput: number,
	text: string,
): { input: number; output: number } {
	const counted = (value: unknown, estimate: number) =>
		typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : estimate;
	return {
		input: counted(inputTokens, estimatedInput),
		output: counted(outputTokens, estimateTokens(text)),
	};
}

/**
 * The trouble with a failed call of the model, and what may be done about it. `wait`: try again later; `tooLong`: send
 * less; `refused`: this request is not answered, another may be; `useless`: no request will be answered.
 */
interface ModelTrouble {
	kind: 'wait' | 'tooLong' | 'refused' | 'useless';
	status: number | undefined;
	retryAfterMs: number | undefined;
	/** The words of the model's server, shortened and without what looks like a key. */
	said: string;
}

/** A call of the model that was refused or was too long: the run goes on without its answer. */
class UnansweredCall extends Error {
	constructor(
		readonly kind: 'tooLong' | 'refused',
		/** The error to throw where the run cannot go on without this answer. */
		readonly failure: ResearchFailure,
	) {
		super(kind === 'tooLong' ? 'The text is too long for the model.' : 'The model refused to answer.');
		this.name = 'UnansweredCall';
	}
}

/** The call that went unanswered. Throws anything else on. */
export function unansweredOrThrow(error: unknown): UnansweredCall {
	if (error instanceof UnansweredCall) return error;
	throw error;
}

/** The errors of a chain, as n8n and LangChain wrap them. The bound keeps a circular chain from hanging. */
function chain(error: unknown): JsonRecord[] {
	const found: JsonRecord[] = [];
	let current = error;
	for (let level = 0; level < 5 && isRecord(current); level++) {
		found.push(current);
		if (isRecord(current.response)) found.push(current.response);
		current = current.cause;
	}
	return found;
}

function statusOf(errors: JsonRecord[]): number | undefined {
	for (const error of errors) {
		for (const value of [error.status, error.statusCode, error.httpCode]) {
			const status = Number(value);
			if (value !== null && value !== '' && status >= 400 && status < 600) return status;
		}
	}
	return undefined;
}

const TOO_LONG =
	/context[ _-]?(length|window|size)|maximum context|too (long|large|many tokens)|token limit|exceeds? .{0,40}(tokens|context)|reduce the length/i;

/**
 * Reads what the model's client threw: its status, its headers, whether its text speaks of the length, and the
 * beginning of that text. It may hold the key or the prompt: what looks like a key is taken out, and a text that
 * repeats the prompt is not shown.
 */
export function readModelError(error: unknown, wallClockMs: number, prompt = ''): ModelTrouble {
	const errors = chain(error);
	const status = statusOf(errors);
	const texts = errors.flatMap(({ message, code, error: inner }) => [message, code, inner]);
	const text = texts.map((one) => (typeof one === 'string' ? one : '')).join(' ');
	const headers = errors.map((one) => one.headers).find(isRecord) ?? {};
	const retryAfterMs = readRetryAfterMs(headersOf(headers), '', wallClockMs);
	const [first = ''] = errors.flatMap(({ message }) => (typeof message === 'string' ? [message] : []));
	return { kind: kindOf(status, text), status, retryAfterMs, said: shownText(first, prompt) };
}

const SHOWN = 200;

/** So many characters in a row that the prompt has, too, are taken for a part of it. */
const SAME_AS_PROMPT = 25;

function shownText(text: string, prompt: string): string {
	const clean = shorten(text, SHOWN)
		.replace(/\b(?:sk|pk|key|token|bearer)[-_: ]+[\w*.-]{4,}/gi, '…')
		.replace(/\S{30,}/g, '…');
	const [even, asked] = [clean, prompt].map((one) => one.replace(/\s+/g, ' '));
	for (let at = 0; even && asked && at + SAME_AS_PROMPT <= even.length; at++) {
		if (asked.includes(even.slice(at, at + SAME_AS_PROMPT))) return '';
	}
	return clean;
}

/** Clients give headers as an object or with a `get`. */
function headersOf(headers: JsonRecord): JsonRecord {
	if (typeof headers.get !== 'function') return headers;
	const value: unknown = headers.get('retry-after');
	return { 'retry-after': value };
}

function kindOf(status: number | undefined, text: string): ModelTrouble['kind'] {
	if (status === undefined || status === 429 || status === 408 || status >= 500) {
		return TOO_LONG.test(text) && status !== 429 ? 'tooLong' : 'wait';
	}
	if (status === 413 || TOO_LONG.test(text)) return 'tooLong';
	return [401, 402, 403, 404].includes(status) ? 'useless' : 'refused';
}

/** The reason why the model cannot be used, in a sentence that says what to do. */
function modelFailure(trouble: ModelTrouble): ResearchFailure {
	const { status, said } = trouble;
	const code = httpCodeText(status);
	// Of a refused credential there is no more to say, and what its server says may hold the key.
	const isTold = said !== '' && status !== undefined && [400, 404, 422].includes(status);
	const words = isTold ? ` The model says: ${asSentence(said)}` : '';
	return new ResearchFailure('model', failureText(trouble, code) + words, status);
}

function failureText({ kind, status, said }: ModelTrouble, code: string): string {
	if (kind === 'tooLong') {
		return `The text is too long for the chat model${code}. Connect a model with a longer context, raise the context length of a local one, or lower Max Pages.`;
	}
	if (status === 401 || status === 403) {
		return `The chat model refused its credential${code}. Check the credential of the connected model node, then retry: what was found so far is kept.`;
	}
	if (status === 402) {
		return `The account of the chat model has no credit left${code}. Add some, then retry: what was found so far is kept.`;
	}
	if (status === 404 && /model/i.test(said)) {
		return `The chat model was not found${code}. Check the model name in the connected model node.`;
	}
	if (status === 404) {
		return `The server of the chat model does not have the address that was asked for${code}. In the connected OpenAI Chat Model, switch off Use Responses API, which many servers that speak OpenAI's language do not have; else check the base URL of its credential.`;
	}
	if (status === 429) {
		return `The chat model refused too many calls${code}. Retry later, or lower Model Calls at Once: what was found so far is kept.`;
	}
	if (status !== undefined && status < 500) {
		return `The chat model did not accept the request${code}. Check the settings of the connected model node.`;
	}
	return `The chat model did not answer${code}. Check the connected model node and retry: what was found so far is kept.`;
}

/** Lets so many pieces of work run at once, in the order in which they came. */
export class Turns {
	private running = 0;

	private readonly waiting: Array<() => void> = [];

	constructor(private readonly most: number) {}

	/** Does the work when it is its turn; what is `urgent` comes before all that wait. */
	async run<T>(work: () => Promise<T>, isUrgent = false): Promise<T> {
		if (this.running < this.most) this.running += 1;
		// Whoever ends hands its place on, so that nobody who comes later takes it.
		else {
			await new Promise<void>((resolve) => {
				if (isUrgent) this.waiting.unshift(resolve);
				else this.waiting.push(resolve);
			});
		}
		try {
			return await work();
		} finally {
			const next = this.waiting.shift();
			if (next) next();
			else this.running -= 1;
		}
	}
}
