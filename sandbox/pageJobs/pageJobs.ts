import { dueQueue } from '../jobs/dueQueue.ts';
import { PAGES_LIFETIME_MS, endOf, pagesDone } from './pageJob.ts';
import type { PageJob } from './pageJob.ts';

/** All crawls and batch scrapes of the sandbox. */
export interface PageJobs {
	/** How many are running; settles the ended ones first. */
	countRunning(nowMs: number): number;
	/** Takes the job up; `work` fills it. A job whose work fails has failed. */
	start(job: PageJob, work: () => Promise<void> | undefined): void;
	/** Undefined for an id that is unknown or whose pages have expired. Bills what is done by now. */
	find(id: string, nowMs: number): PageJob | undefined;
	/** The running ones in the order of their starts. */
	running(nowMs: number): PageJob[];
	/** It is cancelled as of now, unless it has ended already. */
	cancel(id: string, nowMs: number): void;
	/** It has failed as of now, unless it has ended already. */
	fail(id: string, reason: string, nowMs: number): void;
	/** Nobody knows the id any more. */
	vanish(id: string): void;
	clear(): void;
}

export interface PageJobsSetup {
	now(): number;
	/** Told of pages that are done, for billing: crawls and batches bill page by page (CONTRACT section 13). */
	onPages(pages: number, credits: number): void;
	/** Calls back after so long: so that a job with a webhook ends although nobody asks for it. */
	later(ms: number, callBack: () => void): void;
}

/**
 * Keeps the jobs. As with research, the work goes as fast as it can and the clock bounds what a status
 * shows of it, so a test may move the clock.
 */
export function pageJobs(setup: PageJobsSetup): PageJobs {
	const running = new Map<string, PageJob>();
	// In the order in which they ended, which is the order in which they expire.
	const ended = new Map<string, PageJob>();
	const due = dueQueue<PageJob>();

	const bill = (job: PageJob, nowMs: number): void => {
		const done = pagesDone(job, nowMs);
		if (done <= job.billed) return;
		setup.onPages(done - job.billed, job.pages.credits(done) - job.pages.credits(job.billed));
		job.billed = done;
	};

	const finish = (
		job: PageJob,
		state: 'completed' | 'failed' | 'cancelled',
		atMs: number,
		reason = '',
	): void => {
		if (!running.delete(job.id)) return;
		const pages = state === 'completed' ? job.pages.length : pagesDone(job, atMs);
		job.finished = { atMs, state, pages, reason };
		ended.set(job.id, job);
		bill(job, atMs);
		job.stopWork();
		job.onFinished(state);
	};

	const settle = (nowMs: number): void => {
		for (let next = due.takeDue(nowMs); next; next = due.takeDue(nowMs)) {
			if (running.get(next.entry.id) === next.entry) {
				finish(next.entry, 'completed', next.dueAtMs);
			}
		}
		for (const [id, job] of ended) {
			if ((job.finished?.atMs ?? 0) + PAGES_LIFETIME_MS > nowMs) return;
			ended.delete(id);
		}
	};

	const workDone = (job: PageJob): void => {
		job.isWorkDone = true;
		if (running.get(job.id) !== job) return;
		const nowMs = setup.now();
		const endsAtMs = Math.max(nowMs, endOf(job));
		due.add(endsAtMs, job);
		settle(nowMs);
		if (endsAtMs > nowMs && job.hasWebhook) {
			setup.later(endsAtMs - nowMs, () => settle(setup.now()));
		}
	};

	const follow = async (job: PageJob, work: Promise<void>): Promise<void> => {
		try {
			await work;
			workDone(job);
		} catch (error) {
			finish(job, 'failed', setup.now(), error instanceof Error ? error.message : String(error));
		}
	};

	return {
		countRunning(nowMs) {
			settle(nowMs);
			return running.size;
		},
		start(job, work) {
			running.set(job.id, job);
			const started = work();
			if (started) void follow(job, started);
			else workDone(job);
		},
		find(id, nowMs) {
			settle(nowMs);
			const job = running.get(id) ?? ended.get(id);
			if (job) bill(job, nowMs);
			return job;
		},
		running(nowMs) {
			settle(nowMs);
			return [...running.values()];
		},
		cancel(id, nowMs) {
			settle(nowMs);
			const job = running.get(id);
			if (job) finish(job, 'cancelled', nowMs);
		},
		fail(id, reason, nowMs) {
			const job = running.get(id);
			if (job) finish(job, 'failed', nowMs, reason);
		},
		vanish(id) {
			running.get(id)?.stopWork();
			running.delete(id);
			ended.delete(id);
		},
		clear() {
			for (const job of running.values()) job.stopWork();
			running.clear();
			ended.clear();
			due.clear();
		},
	};
}
