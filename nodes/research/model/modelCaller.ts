import { backoffMs, MAX_RETRIES, retry } from '../../service/http/retry';
import { sleep } from '../../service/http/time';
import type { ModelAnswer, ModelRole, ResearchParts } from '../contract/parts';
import { answerText, isRecord } from './answers';
import { estimateTokens } from './budget';
import type { Budget } from './budget';
import { modelFailure, readModelError, UnansweredCall } from './modelFailure';
import type { Phases } from './phases';
import { PROMPTS } from './prompts';
import { Turns } from './concurrencyLimit';

/** What an answer may take, in tokens, beside what is asked. */
const ANSWER_TOKENS = 1000;

/** A refusal for too many calls is waited out longer than other failures. */
const MAX_REFUSALS = 10;

/** One question to a model. `step` names it in the notes: the same step is never paid for twice. */
export interface ModelTask {
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

	/** Calls on their way, by their steps. */
	private readonly running = new Map<string, Promise<string>>();

	/** So many tokens the model has read of texts that were longer, where its server cuts them without a word. */
	private contextTokens = Infinity;

	get hasCut(): boolean {
		return this.contextTokens < Infinity;
	}

	constructor(
		private readonly parts: Pick<ResearchParts, 'ask' | 'clock' | 'notes'>,
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
		const signal = task.isWriting ? this.phases.writing : this.phases.reading;
		return await this.turns.run(async () => await this.askInTurn(task, signal), task.isUrgent);
	}

	/**
	 * An answer that can be read, asked for a second time where the first cannot be. Undefined: neither can.
	 * An answer that looks like broken JSON is sent back alone, so that a page is not paid for again.
	 * `again`: what to add to the request instead, for answers that are no JSON.
	 */
	async askFor<T>(
		task: ModelTask,
		read: (text: string) => T | undefined,
		again?: string,
	): Promise<T | undefined> {
		const text = await this.ask(task);
		const first = read(text);
		if (first !== undefined) return first;
		const step = `${task.step} again`;
		const second =
			again === undefined && text.includes('{')
				? { ...task, step, system: PROMPTS.fixJson, user: this.asData(text) }
				: { ...task, step, user: `${task.user}\n\n${again ?? PROMPTS.again}` };
		return read(await this.ask(second));
	}

	private async askInTurn(task: ModelTask, signal: AbortSignal): Promise<string> {
		const { clock } = this.parts;
		const troubleOf = ({ error }: { error: unknown }) =>
			readModelError(error, clock.wallClock(), `${task.system}\n${task.user}`);
		let failures = 0;
		const pauseMs = (result: string | { error: unknown }) => {
			if (typeof result === 'string') return undefined;
			const { kind, status, retryAfterMs } = troubleOf(result);
			if (kind === 'tooLong' || kind === 'refused' || kind === 'useless') return undefined;
			failures += 1;
			if (failures > (status === 429 ? MAX_REFUSALS : MAX_RETRIES)) return undefined;
			return retryAfterMs ?? backoffMs(failures, clock.random());
		};
		const answer = await retry(
			{ pauseMs, sleep: async (ms) => await sleep(clock, ms, signal) },
			async () => await this.tryOnce(task, signal),
		);
		if (typeof answer === 'string') return answer;
		const trouble = troubleOf(answer);
		const { kind } = trouble;
		throw kind === 'tooLong' || kind === 'refused'
			? new UnansweredCall(kind, modelFailure(trouble))
			: modelFailure(trouble);
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
	private async tryOnce(
		task: ModelTask,
		signal: AbortSignal,
	): Promise<string | { error: unknown }> {
		signal.throwIfAborted();
		const { role, system, user } = task;
		const input = estimateTokens(system) + estimateTokens(user);
		const reserved = input + ANSWER_TOKENS;
		this.budget.reserveTokens(reserved, task.isWriting === true);
		// An answer that comes when nobody waits any more is paid for, too: it is noted.
		const answered = async (given: AbortSignal): Promise<string | { error: unknown }> => {
			try {
				const answer = await this.parts.ask({ role, system, user, signal: given });
				const text = answerText(answer.content);
				this.budget.settleTokens(reserved, usageOf(answer, input, text));
				if (task.mayBeCut && this.wasCut(answer, input)) return { error: { status: 413 } };
				this.parts.notes.write(task.step, { text });
				return text;
			} catch (error) {
				this.budget.settleTokens(reserved);
				return { error };
			}
		};
		return await this.phases.race(answered, signal);
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
