import { jobStore } from '../jobs/jobStore.ts';
import { PAGES_LIFETIME_MS, pagesDone } from './pageJob.ts';
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
	/** How far a status is behind, in milliseconds. */
	lagMs(): number;
	/** How much later than its webhook the end of a job is found, in milliseconds. */
	webhookLeadMs: number;
	/** Told of pages that are done, for billing: crawls and batches bill page by page (docs/service-notes.md#prices). */
	onPages(pages: number, credits: number): void;
	/** Calls back after so long: so that a job with a webhook ends although nobody asks for it. */
	later(ms: number, callBack: () => void): void;
}

/**
 * Keeps the jobs. As with research, the work goes as fast as it can and the clock bounds what a status
 * shows of it, so a test may move the clock.
 */
export function pageJobs(setup: PageJobsSetup): PageJobs {
	const store = jobStore<PageJob>({
		lifetimeMs: () => PAGES_LIFETIME_MS,
		lagMs: () => setup.lagMs(),
		webhookLeadMs: setup.webhookLeadMs,
		onDue: (job, atMs) => finish(job, 'completed', atMs),
		onFinished(job) {
			const { atMs, state } = job.finished ?? {};
			if (atMs === undefined || state === undefined) return;
			bill(job, atMs);
			job.stopWork();
			job.onFinished(state);
		},
	});

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
		const pages = state === 'completed' ? job.pages.length : pagesDone(job, atMs);
		store.finish(job, { atMs, state, pages, reason });
	};

	const workDone = (job: PageJob): void => {
		job.isWorkDone = true;
		if (!store.isRunning(job)) return;
		const nowMs = setup.now();
		const endsAtMs = Math.max(nowMs, job.startedAtMs + job.durationMs);
		store.setDue(job, endsAtMs);
		store.settle(nowMs);
		if (endsAtMs > nowMs && job.hasWebhook) {
			setup.later(endsAtMs - nowMs, () => store.settle(setup.now()));
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
		countRunning: store.countRunning,
		start(job, work) {
			store.add(job);
			const started = work();
			if (started) void follow(job, started);
			else workDone(job);
		},
		find(id, nowMs) {
			const job = store.find(id, nowMs);
			if (job) bill(job, nowMs);
			return job;
		},
		running: store.running,
		cancel(id, nowMs) {
			store.settle(nowMs);
			const job = store.findRunning(id);
			if (job) finish(job, 'cancelled', nowMs);
		},
		fail(id, reason, nowMs) {
			const job = store.findRunning(id);
			if (job) finish(job, 'failed', nowMs, reason);
		},
		vanish(id) {
			store.findRunning(id)?.stopWork();
			store.vanish(id);
		},
		clear() {
			for (const job of store.running(-Infinity)) job.stopWork();
			store.clear();
		},
	};
}
