import type { ServiceClient } from '../limits/client';
import { asFailure } from '../http/failure';
import { cancelRequest } from './jobKinds';
import type { JobSettings, JobTask } from './jobTask';
import type { JobInWork } from './activeJob';

/**
 * Longest time that a stopped execution goes on to cancel what it started, in milliseconds. n8n itself
 * does not wait for the node by then.
 */
export const CANCEL_WITHIN_MS = 5000;

const TRIES = 3;
const BETWEEN_TRIES_MS = 500;

/**
 * Cancels the jobs of a stopped execution at the service. A start that is under way is waited for
 * first, since its answer holds the id. Never throws, and ends within CANCEL_WITHIN_MS; a job that could
 * not be cancelled by then runs on.
 */
export async function cancelStopped<T extends JobTask>(
	jobs: Array<JobInWork<T>>,
	settings: JobSettings<T>,
	client: ServiceClient,
): Promise<void> {
	if (jobs.length === 0) return;
	const ended = new AbortController();
	const cancelled = Promise.all(
		jobs.map(async (job) => {
			await job.sending;
			job.abandon();
			const { outcome, task } = job;
			if (outcome?.kind !== 'left') return;
			if (await cancel(outcome.id, settings, client, ended.signal)) {
				settings.events.onCancelled?.(task, outcome.id);
			}
		}),
	);
	await Promise.race([cancelled, client.time.sleep(CANCEL_WITHIN_MS, ended.signal)]);
	ended.abort();
}

async function cancel<T extends JobTask>(
	id: string,
	{ kind }: JobSettings<T>,
	client: ServiceClient,
	ended: AbortSignal,
): Promise<boolean> {
	for (let tries = 1; !ended.aborted; tries++) {
		const result = await client
			.sendAfterStop(cancelRequest(kind, id), CANCEL_WITHIN_MS)
			.then(() => undefined)
			.catch(asFailure);
		if (!result) return true;
		if (tries === TRIES || result.notFound) return false;
		await client.time.sleep(BETWEEN_TRIES_MS);
	}
	return false;
}
