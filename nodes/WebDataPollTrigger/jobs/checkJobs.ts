import { failureOrThrow, ServiceFailure } from '../../service/http/failure';
import { readJob, statusRequest } from '../../service/jobs/jobKinds';
import type { JobKind, JobReading } from '../../service/jobs/jobKinds';
import type { ServiceClient } from '../../service/limits/client';
import type { WaitingJob } from '../marks/newJobs';
import { byEndpoint } from './listedKinds';

/** Most jobs whose state one poll asks for: a request each. */
export const MAX_CHECKS = 100;

/** Longest time for each request, in milliseconds. */
const CHECK_TIMEOUT_MS = 10_000;

/** What the service said of a job. */
export interface CheckedJob {
	job: WaitingJob;
	kind: JobKind;
	answer: JobReading | ServiceFailure;
}

/**
 * Asks for the state of the jobs, one after the other and each once: the next poll is the next try. Ends at
 * `deadlineMs` (monotonic), and where the service refuses more requests for now; then the others are not
 * checked. Never throws.
 */
export async function checkJobs(
	client: ServiceClient,
	jobs: readonly WaitingJob[],
	deadlineMs: number,
): Promise<CheckedJob[]> {
	const checked: CheckedJob[] = [];
	for (const job of jobs.slice(0, MAX_CHECKS)) {
		const { kind } = byEndpoint.get(job.endpoint) ?? {};
		if (!kind) continue;
		const freeMs = client.limits.pauses.untilMs(kind.statusBucket);
		if (Math.max(freeMs, client.time.now()) >= deadlineMs) break;
		const patience = { retries: 0, timeoutMs: CHECK_TIMEOUT_MS, refusedUntilMs: deadlineMs };
		const answer = await client
			.receive(statusRequest(kind, job.id), patience)
			.then(({ body }) => readJob(kind, body))
			.catch(failureOrThrow);
		checked.push({ job, kind, answer });
		if (answer instanceof ServiceFailure && answer.kind === 'rateLimited') break;
	}
	return checked;
}
