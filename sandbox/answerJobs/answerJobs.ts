import { dueQueue } from '../jobs/dueQueue.ts';
import { FAIL_REASON } from './answerJob.ts';
import type { AnswerJob, AnswerJobKind } from './answerJob.ts';

/** All jobs that end with one answer. */
export interface AnswerJobs {
	/** How many are running; settles the ended ones first. */
	countRunning(nowMs: number): number;
	start(job: AnswerJob): void;
	/** Undefined for an id that is unknown, of another kind, or whose record has expired. */
	find(id: string, kind: AnswerJobKind, nowMs: number): AnswerJob | undefined;
	/** Asks it to stop: it fails with the reason after so long. */
	cancel(job: AnswerJob, reason: string, afterMs: number, nowMs: number): void;
	/** It has failed as of now, unless it has ended already. */
	fail(id: string, reason: string, nowMs: number): void;
	/** Nobody knows the id any more. */
	vanish(id: string): void;
	clear(): void;
}

export interface AnswerJobsSetup {
	now(): number;
	/** Told of what a completed job costs. */
	onCompleted(credits: number): void;
	/** Calls back after so long: so that a job with a webhook ends although nobody asks for it. */
	later(ms: number, callBack: () => void): void;
}

/** How long a record outlives its start or end: 6 hours for extract, else a day (recordings extract-30, agent-02, llms-02). */
export const LIFETIME_MS: Readonly<Record<AnswerJobKind, number>> = {
	agent: 24 * 3_600_000,
	extract: 6 * 3_600_000,
	llmsTxt: 24 * 3_600_000,
};

/** Keeps the jobs. What a status shows is bounded by the clock, so a test may move it. */
export function answerJobs(setup: AnswerJobsSetup): AnswerJobs {
	const running = new Map<string, AnswerJob>();
	const ended = new Map<string, AnswerJob>();
	const due = dueQueue<AnswerJob>();

	const finish = (job: AnswerJob, finished: NonNullable<AnswerJob['finished']>): void => {
		if (!running.delete(job.id)) return;
		job.finished = finished;
		ended.set(job.id, job);
		if (finished.state === 'completed') setup.onCompleted(job.result.credits);
		job.onFinished(job);
	};

	const settle = (nowMs: number): void => {
		for (let next = due.takeDue(nowMs); next; next = due.takeDue(nowMs)) {
			const { entry: job, dueAtMs: atMs } = next;
			// A cancel may have moved the end.
			if (job.endsAtMs > nowMs || job.ending === 'odd') continue;
			const isCompleted = job.ending === 'complete';
			finish(job, {
				atMs,
				state: isCompleted ? 'completed' : 'failed',
				reason: isCompleted ? '' : FAIL_REASON,
			});
		}
		for (const [id, job] of ended) {
			const { atMs } = job.finished ?? { atMs: nowMs };
			if (atMs + LIFETIME_MS[job.kind] <= nowMs) ended.delete(id);
		}
	};

	return {
		countRunning(nowMs) {
			settle(nowMs);
			return running.size;
		},
		start(job) {
			running.set(job.id, job);
			due.add(job.endsAtMs, job);
			if (!job.hasWebhook) return;
			setup.later(job.endsAtMs - setup.now(), () => settle(setup.now()));
		},
		find(id, kind, nowMs) {
			settle(nowMs);
			const job = running.get(id) ?? ended.get(id);
			return job?.kind === kind ? job : undefined;
		},
		cancel(job, reason, afterMs, nowMs) {
			job.cancelledAtMs = nowMs;
			const end = (): void => finish(job, { atMs: setup.now(), state: 'failed', reason });
			if (afterMs > 0) setup.later(afterMs, end);
			else end();
		},
		fail(id, reason, nowMs) {
			const job = running.get(id);
			if (job) finish(job, { atMs: nowMs, state: 'failed', reason });
		},
		vanish(id) {
			running.delete(id);
			ended.delete(id);
		},
		clear() {
			running.clear();
			ended.clear();
			due.clear();
		},
	};
}
