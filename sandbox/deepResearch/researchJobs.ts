import { jobStore } from '../jobs/jobStore.ts';
import { RECORD_LIFETIME_MS } from './researchJob.ts';
import type { ResearchJob, ResearchResult } from './researchJob.ts';
import type { ResearchRequest } from './researchRequest.ts';

/** All deep research jobs of the sandbox. */
export interface ResearchJobs {
	/** How many are running; settles the ended ones first. */
	countRunning(nowMs: number): number;
	start(id: string, request: ResearchRequest, durationMs: number, nowMs: number): ResearchJob;
	/** Undefined for an id that is unknown or whose record has expired. */
	find(id: string, nowMs: number): ResearchJob | undefined;
	/** The job has failed as of now, unless it has ended already. */
	fail(id: string, reason: string, nowMs: number): void;
	/** Nobody knows the id any more. */
	vanish(id: string): void;
	clear(): void;
}

export interface ResearchJobsSetup {
	now(): number;
	/** How far a status is behind, in milliseconds. */
	lagMs(): number;
	/** How much later than its webhook the end of a job is found, in milliseconds. */
	webhookLeadMs: number;
	/** Does the job's work. May fail; the job then fails with the error's message. */
	research(request: ResearchRequest): Promise<ResearchResult> | ResearchResult;
	/** Told of each job that completed, for billing: jobs that fail are not billed (docs/service-notes.md#prices). */
	onCompleted(job: ResearchJob): void;
}

const FAIL_REASON = 'The sandbox let this job fail because its query holds [fail]';

function endingOf(query: string): ResearchJob['ending'] {
	if (query.includes('[odd]')) return { how: 'odd' };
	return query.includes('[fail]') ? { how: 'fail', reason: FAIL_REASON } : { how: 'complete' };
}

/** The course of a job that does no work: it got as far as recording dr-07b. */
function idleResult(query: string): ResearchResult {
	const message = `Generating deeper search queries for "${query}"`;
	return {
		steps: [{ activity: { type: 'search', status: 'processing', message, depth: 1 } }],
		finalAnalysis: '',
		json: null,
	};
}

/**
 * Keeps the jobs. A job's work is done at once, as fast as it goes; what a status shows of it is
 * bounded by the clock. So a job costs no timer, and a test may move the clock by hours.
 */
export function researchJobs(setup: ResearchJobsSetup): ResearchJobs {
	const store = jobStore<ResearchJob>({
		lifetimeMs: () => RECORD_LIFETIME_MS,
		lagMs: () => setup.lagMs(),
		webhookLeadMs: setup.webhookLeadMs,
		onDue: (job, atMs) => end(job, atMs),
		onFinished(job) {
			if (job.finished?.state === 'completed') setup.onCompleted(job);
		},
	});

	const end = (job: ResearchJob, atMs: number): void => {
		if (job.ending.how === 'odd') store.vanish(job.id);
		else if (job.ending.how === 'fail')
			store.finish(job, { atMs, state: 'failed', reason: job.ending.reason });
		else if (job.result) store.finish(job, { atMs, state: 'completed' });
		// Else its pages are still being read: it ends when they are.
	};

	const receive = (job: ResearchJob, result: ResearchResult): void => {
		job.result = result;
		const nowMs = setup.now();
		if (nowMs >= job.endsAtMs && store.isRunning(job)) end(job, nowMs);
	};

	const work = async (job: ResearchJob): Promise<void> => {
		try {
			receive(job, await setup.research(job.request));
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			store.finish(job, { atMs: setup.now(), state: 'failed', reason });
		}
	};

	return {
		countRunning: store.countRunning,
		start(id, request, durationMs, nowMs) {
			const ending = endingOf(request.query);
			const job: ResearchJob = {
				id,
				request,
				startedAtMs: nowMs,
				endsAtMs: nowMs + durationMs,
				ending,
			};
			store.add(job);
			store.setDue(job, ending.how === 'odd' ? nowMs + RECORD_LIFETIME_MS : job.endsAtMs);
			if (ending.how === 'complete') void work(job);
			else job.result = idleResult(request.query);
			return job;
		},
		find: store.find,
		fail(id, reason, nowMs) {
			const job = store.findRunning(id);
			if (job) store.finish(job, { atMs: nowMs, state: 'failed', reason });
		},
		vanish: store.vanish,
		clear: store.clear,
	};
}
