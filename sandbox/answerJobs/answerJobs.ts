import { jobStore } from '../jobs/jobStore.ts';

/** Jobs whose result is one answer: agent, extract, llms.txt, deep research. */

export type AnswerJobKind = 'agent' | 'extract' | 'llmsTxt' | 'deepResearch';

/** What a job comes to when it completes. */
export interface AnswerResult {
	/** The fields of the record beside its state: `data`, what it cost, sources. */
	fields: Record<string, unknown>;
	credits: number;
}

export interface AnswerJob {
	id: string;
	kind: AnswerJobKind;
	/** What faults are matched against: the prompt, or the address. */
	query: string;
	startedAtMs: number;
	endsAtMs: number;
	/** How it is to end. `odd`: it never does, and its state is one no client knows. */
	ending: 'complete' | 'fail' | 'odd';
	result: AnswerResult;
	/** When a cancel was asked for. */
	cancelledAtMs?: number;
	finished?: { atMs: number; state: 'completed' | 'failed'; reason: string };
	/** Somebody is told when it ends, though nobody may ask. */
	hasWebhook: boolean;
	/** Told when it has ended. */
	onFinished?(job: AnswerJob): void;
}

/** The reason a stand-in gives for a job that is asked to fail (recording agent-15). */
const FAIL_REASON = 'stub: asked to fail';

/** The state as a record names it. */
export function stateOf(job: AnswerJob): string {
	if (job.finished) return job.finished.state;
	return job.ending === 'odd' ? 'pondering' : 'processing';
}

/** How a job with this prompt is to end: [fail] and [odd] as with a research. */
export function endingOf(query: string): AnswerJob['ending'] {
	if (query.includes('[odd]')) return 'odd';
	return query.includes('[fail]') ? 'fail' : 'complete';
}

interface AnswerJobsSetup {
	now(): number;
	/** How far a status is behind, in milliseconds. */
	lagMs(): number;
	/** Told of what a completed job costs. */
	onCompleted(credits: number): void;
	/** Calls back after so long: so that a job with a webhook ends although nobody asks for it. */
	later(ms: number, callBack: () => void): void;
}

/** How long a record outlives its start or end: 6 hours for extract and research, else a day (recordings extract-30, agent-02, llms-02, dr-02). */
export const LIFETIME_MS: Readonly<Record<AnswerJobKind, number>> = {
	agent: 24 * 3_600_000,
	extract: 6 * 3_600_000,
	llmsTxt: 24 * 3_600_000,
	deepResearch: 6 * 3_600_000,
};

/** Keeps all jobs that end with one answer. What a status shows is bounded by the clock, so a test may move it. */
export function answerJobs(setup: AnswerJobsSetup) {
	const end = (job: AnswerJob, atMs: number): void => {
		const state = job.ending === 'complete' ? 'completed' : 'failed';
		store.finish(job, { atMs, state, reason: state === 'completed' ? '' : FAIL_REASON });
	};

	const store = jobStore<AnswerJob>({
		lifetimeMs: ({ kind }) => LIFETIME_MS[kind],
		lagMs: () => setup.lagMs(),
		onDue(job, atMs) {
			if (job.ending !== 'odd') end(job, atMs);
		},
		onFinished(job) {
			if (job.finished?.state === 'completed') setup.onCompleted(job.result.credits);
			job.onFinished?.(job);
		},
	});

	return {
		/** How many are running; settles the ended ones first. */
		countRunning: store.countRunning,
		start(job: AnswerJob) {
			store.add(job);
			store.setDue(job, job.endsAtMs);
			if (!job.hasWebhook) return;
			setup.later(job.endsAtMs - setup.now(), () => store.settle(setup.now()));
		},
		/** Undefined for an id that is unknown, of another kind, or whose record has expired. */
		find(id: string, kind: AnswerJobKind, nowMs: number) {
			const job = store.find(id, nowMs);
			return job?.kind === kind ? job : undefined;
		},
		/** It fails with the reason. */
		cancel(job: AnswerJob, reason: string, nowMs: number) {
			job.cancelledAtMs = nowMs;
			store.finish(job, { atMs: nowMs, state: 'failed', reason });
		},
		/** It has failed as of now, unless it has ended already. */
		fail(id: string, reason: string, nowMs: number) {
			const job = store.findRunning(id);
			if (job) store.finish(job, { atMs: nowMs, state: 'failed', reason });
		},
		vanish: store.vanish,
		clear: store.clear,
	};
}
