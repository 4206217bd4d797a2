import { failureOrThrow, ServiceFailure } from '../../service/http/failure';
import { readJob, statusRequest } from '../../service/jobs/jobKinds';
import type { JobKind, JobReading } from '../../service/jobs/jobKinds';
import type { ServiceClient } from '../../service/limits/client';
import type { WaitingJob } from '../marks/newJobs';
import { byEndpoint } from './listedKinds';

/** Requests at the same time: a poll has seconds for some hundred of them. */
const CONCURRENT_CHECKS = 4;

/** Longest time for each request, in milliseconds. */
const CHECK_TIMEOUT_MS = 10_000;

/** What the service said of a job. */
export interface CheckedJob {
	job: WaitingJob;
	kind: JobKind;
	answer: JobReading | ServiceFailure;
}

/**
 * Asks for the state of the jobs, a few at a time and each once: the next poll is the next try. Ends at
 * `deadlineMs` (monotonic), and where the service refuses more requests for now; then the others are not
 * checked. The answers are in the order of the jobs. Never throws.
 */
export async function checkJobs(
	client: ServiceClient,
	jobs: readonly WaitingJob[],
	deadlineMs: number,
): Promise<CheckedJob[]> {
	const checked: Array<CheckedJob | undefined> = [];
	const queue = jobs.entries();
	let isRefused = false;
	const work = async (): Promise<void> => {
		for (const [at, job] of queue) {
			const { kind } = byEndpoint.get(job.endpoint) ?? {};
			if (!kind) continue;
			const freeMs = client.limits.pauses.untilMs(kind.statusBucket);
			if (isRefused || Math.max(freeMs, client.time.now()) >= deadlineMs) break;
			const patience = { retries: 0, timeoutMs: CHECK_TIMEOUT_MS, refusedUntilMs: deadlineMs };
			const answer = await client
				.receive(statusRequest(kind, job.id), patience)
				.then(({ body }) => readJob(kind, body))
				.catch(failureOrThrow);
			checked[at] = { job, kind, answer };
			isRefused ||= answer instanceof ServiceFailure && answer.kind === 'rateLimited';
		}
	};
	await Promise.all(Array.from({ length: CONCURRENT_CHECKS }, work));
	return checked.filter((one) => one !== undefined);
}
