import type { ServiceClient } from '../../service/client';
import { failureOrThrow } from '../../service/http/failure';
import { Attempts, POLICIES } from '../../service/http/retry';
import { sleep, waitAtMost } from '../../service/http/time';
import { cancelRequest, readRefusedCancel } from '../../service/jobs/jobKinds';
import type { JobKind } from '../../service/jobs/jobKinds';
import type { JobPlan } from '../job/jobPlan';
import type { Job, JobRecords } from '../job/jobRecords';

/**
 * Longest time that a stopped execution continues to cancel what it started, in milliseconds. n8n itself
 * does not wait for the node by then.
 */
const CANCEL_WITHIN_MS = 5000;

/** Whether a job goes with the execution that started it, when that is stopped. */
export function isCancelledOnStop({ cancelOnStop = false, start, kind }: JobPlan): boolean {
	return cancelOnStop && start !== undefined && kind.cancellable;
}

/** The same of a job that runs: one that may be somebody else's, or was at work before, is not this execution's to cancel. */
export function goesWithExecution({ plan, evidence }: Job): boolean {
	return evidence !== 'addressAndTime' && evidence !== 'joined' && isCancelledOnStop(plan);
}

/**
 * Cancels the jobs of a stopped execution at the service; nobody watches them any more. `id`: of each, when a start
 * under way has told it; undefined where there is nothing to cancel. Never throws, and ends within CANCEL_WITHIN_MS; a
 * job that could not be cancelled by then runs on.
 */
export async function cancelStopped(
	jobs: Array<{ job: Job; id: Promise<string | undefined> }>,
	records: JobRecords,
	client: ServiceClient,
): Promise<void> {
	const ended = new AbortController();
	const cancelled = Promise.all(
		jobs.map(async ({ job, id: known }) => {
			const id = await known;
			if (id === undefined) return;
			const state = await cancel(id, job.plan.kind, client, ended.signal);
			if (state !== 'running') records.note(job, { kind: 'stopped', id, state });
		}),
	);
	await waitAtMost(client.time, CANCEL_WITHIN_MS, cancelled);
	ended.abort();
}

/** The end of the job; `running` when it could not be cancelled. */
async function cancel(
	id: string,
	kind: JobKind,
	client: ServiceClient,
	ended: AbortSignal,
): Promise<'cancelled' | 'ended' | 'running'> {
	const { time } = client;
	const attempts = new Attempts(POLICIES.cancel, time);
	while (!ended.aborted) {
		const failure = await client
			.sendAfterStop(cancelRequest(kind, id), CANCEL_WITHIN_MS)
			.then(() => undefined)
			.catch(failureOrThrow);
		if (!failure) return 'cancelled';
		const refused = readRefusedCancel(kind, failure);
		if (refused) return refused;
		// A 404 proves nothing of a job that was started: a machine that does not know it yet will, in seconds.
		const next = attempts.after(failure);
		if (typeof next === 'string') return 'running';
		await sleep(time, next.atMs - time.now(), ended);
	}
	return 'running';
}
