import { asFailure, ServiceFailure } from '../../service/http/failure';
import { readJob, statusRequest } from '../../service/jobs/jobKinds';
import type { JobKind } from '../../service/jobs/jobKinds';
import type { ServiceClient } from '../../service/limits/client';
import type { FeedJob } from '../marks/newJobs';
import { byEndpoint } from './listedKinds';

/** A job and its state: undefined while it runs. */
export interface LookedAt {
	job: FeedJob;
	state: string | undefined;
	reason: string;
	isDone: boolean;
}

/** So many looks that fail in a row say that it is the service that fails, and not a job. */
const MOST_FAILED = 3;

/**
 * One look at each, one after the other: a poll has time. One that the service does not know has ended. One
 * that cannot be looked at is left out, for the next poll, as long as others can. Throws a ServiceFailure.
 */
export async function lookAt(client: ServiceClient, jobs: FeedJob[]): Promise<LookedAt[]> {
	const looked: LookedAt[] = [];
	const failed: ServiceFailure[] = [];
	let inRow = 0;
	for (const job of jobs) {
		const { kind: jobKind } = byEndpoint.get(job.endpoint) ?? {};
		if (!jobKind) continue;
		const one = await lookAtOne(client, jobKind, job).catch(asFailure);
		if (!(one instanceof ServiceFailure)) {
			looked.push(one);
			inRow = 0;
			continue;
		}
		failed.push(one);
		inRow += 1;
		if (inRow >= MOST_FAILED) break;
	}
	const [first] = failed;
	if (first && looked.length === 0) throw first;
	return looked;
}

async function lookAtOne(client: ServiceClient, jobKind: JobKind, job: FeedJob): Promise<LookedAt> {
	const body = await client.call(statusRequest(jobKind, job.id)).catch(asFailure);
	if (body instanceof ServiceFailure) {
		if (!body.notFound) throw body;
		return { job, state: 'not found', reason: body.message, isDone: false };
	}
	const { phase, state, reason } = readJob(jobKind, body);
	const ended = phase === 'running' ? undefined : state;
	return { job, state: ended, reason, isDone: phase === 'done' };
}
