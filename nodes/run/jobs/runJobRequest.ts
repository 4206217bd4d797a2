import type { INodeExecutionData } from 'n8n-workflow';
import type { JobRequestOperation } from '../../operation/operation';
import type { ServiceClient } from '../../service/client';
import { failureOrThrow, notTheService, ServiceFailure } from '../../service/http/failure';
import { jobPath, readRefusedCancel } from '../../service/jobs/jobKinds';
import { callWithOlderPath } from '../../service/results/pageErrors';
import { runEachItem } from '../lists/runList';
import type { Listed } from '../lists/runList';
import type { RunContext } from '../connection/runContext';
import { unknownJob } from '../errors/jobErrors';
import { readItem } from '../input/readFields';
import { readKnownJobId } from './planJobs';
import { saysNoId } from '../output/itemError';

/** Carries out an operation on jobs that were started elsewhere: one request for each input item. */
export async function runJobRequest(
	ctx: RunContext,
	operation: JobRequestOperation,
	client: ServiceClient,
): Promise<INodeExecutionData[]> {
	const plan = (item: number) => readKnownJobId(readItem(ctx, operation.fields, item).values, operation.job);
	return await runEachItem(
		ctx,
		plan,
		async (id) => await ask(operation, client, id),
		(failure, id) => (failure.notFound || saysNoId(failure) ? unknownJob(operation.job, id) : undefined),
	);
}

async function ask(
	{ request, olderPath, job, unit, toItems, whenEnded }: JobRequestOperation,
	client: ServiceClient,
	id: string,
): Promise<Listed> {
	const older = olderPath === undefined ? undefined : jobPath(olderPath, id);
	const line = { ...request, path: jobPath(request.path, id) };
	const answer = await callWithOlderPath(client, line, older).catch((error: unknown) => {
		const failure = failureOrThrow(error);
		// The job is ending or has ended, which is what the cancellation was for.
		const state = whenEnded && readRefusedCancel(job, failure);
		if (state) return state === 'cancelled' ? {} : failure;
		throw failure;
	});
	if (answer instanceof ServiceFailure) {
		return { elements: whenEnded?.(id, answer.message) ?? [], what: '', answer: {} };
	}
	const elements = toItems(id, answer);
	if (elements) return { elements, what: `${unit}s of the ${job.label} ${id}`, answer };
	const asked = `what was asked for about the ${job.label} ${id}`;
	throw notTheService(client.baseUrl, `without ${asked}`);
}
