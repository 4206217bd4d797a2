import { sleep } from '../../service/http/time';
import type { Time } from '../../service/http/time';
import { researchStopped } from '../contract/result';
import { LimitReached } from './budget';

/** One phase of a run. */
export interface Phase {
	/** Aborted when its time is over. */
	readonly deadline: AbortSignal;
	/** The same, or because the run ends. */
	readonly over: AbortSignal;
}

/** Longest wait for answers on their way after a failure. */
const MAX_WAIT_MS = 60_000;

/** The two phases of a run and when each of them ends: at its deadline, or when the execution is stopped. */
export class Phases {
	/** Pages are searched for and read. */
	readonly reading: Phase;

	/** The phase in which the report is written. */
	readonly writing: Phase;

	/** Aborted when nothing more is begun: the run is over, or has failed. */
	private readonly ended = new AbortController();

	/** Aborted for calls on their way, whose answers nobody waits for any more. */
	private readonly givenUp = new AbortController();

	/** The execution was stopped, or ends for another reason. */
	private readonly stopped: AbortSignal;

	private readonly open = new Set<Promise<unknown>>();

	/** `stop`: Stop in n8n. `ending`: another question of the same run has failed. Deadlines are monotonic. */
	constructor(
		private readonly clock: Time,
		deadlines: { readingMs: number; writingMs: number },
		private readonly stop: AbortSignal = new AbortController().signal,
		ending: AbortSignal = new AbortController().signal,
	) {
		this.stopped = AbortSignal.any([stop, ending]);
		const over = AbortSignal.any([this.stopped, this.ended.signal]);
		const phaseUntil = (endMs: number): Phase => {
			const deadline = deadlineAt(endMs, clock, over);
			return { deadline, over: AbortSignal.any([deadline, over]) };
		};
		this.reading = phaseUntil(deadlines.readingMs);
		this.writing = phaseUntil(deadlines.writingMs);
	}

	/** Throws when the execution was stopped, or ends for another reason. */
	throwIfStopped(): void {
		if (this.stopped.aborted) throw researchStopped();
	}

	/**
	 * The result of work that is paid for, or an error as soon as the phase is over: work that does not listen to a
	 * signal, as LangChain's, is no longer waited for. Nothing is begun in a phase that is over. Its own signal is
	 * aborted when nobody needs the answer: after a failure a retry does.
	 */
	async race<T>(work: (signal: AbortSignal) => Promise<T>, phase: Phase): Promise<T> {
		throwIfOver(phase);
		const done = work(AbortSignal.any([this.givenUp.signal, phase.deadline, this.stop]));
		this.open.add(done);
		const noMore = () => this.open.delete(done);
		void done.then(noMore, noMore);
		return await new Promise<T>((resolve, reject) => {
			const abort = () => reject(reasonOf(phase.over));
			phase.over.addEventListener('abort', abort, { once: true });
			done.then(resolve, reject).finally(() => phase.over.removeEventListener('abort', abort));
		});
	}

	/**
	 * To be called after a failure, before it is told: waits for what is on its way, so that its answer is
	 * noted and a retry does not pay for it again. A stopped execution waits for nothing.
	 */
	async settled(): Promise<void> {
		this.ended.abort();
		const { clock, stop, open } = this;
		if (open.size === 0 || stop.aborted) return;
		const answered = new AbortController();
		void Promise.allSettled(open).then(() => answered.abort());
		await sleep(clock, MAX_WAIT_MS, AbortSignal.any([stop, answered.signal]));
	}

	/** Nothing is begun or waited for after this. */
	end(): void {
		this.ended.abort();
		this.givenUp.abort();
	}
}

/** Throws why the phase is over: what limit was reached, or that the run ends. */
export function throwIfOver({ over }: Phase): void {
	if (over.aborted) throw reasonOf(over);
}

function reasonOf({ reason }: AbortSignal): Error {
	return reason instanceof LimitReached ? reason : researchStopped();
}

/** A signal that aborts at this monotonic time, unless the run is `over` before. */
function deadlineAt(atMs: number, clock: Time, over: AbortSignal): AbortSignal {
	const deadline = new AbortController();
	const expire = () => deadline.abort(new LimitReached('time'));
	if (clock.now() >= atMs) expire();
	else {
		void sleep(clock, atMs - clock.now(), over).then(() => {
			if (!over.aborted) expire();
		});
	}
	return deadline.signal;
}
