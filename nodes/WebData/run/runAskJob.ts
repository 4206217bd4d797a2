import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ServiceClient } from '../../service/limits/client';
import { asFailure, ServiceFailure } from '../../service/http/failure';
import { jobPath } from '../../service/jobs/jobKinds';
import type { JobKind } from '../../service/jobs/jobKinds';
import { callWithOlderPath } from '../../service/results/pageErrors';
import type { AskJobOperation } from '../operation/operation';
import { errorItem, runError } from './output/itemError';
import { readKnownJobId } from './jobs/planJob';
import { keepsFailedItems, readItem } from './input/parameters';

/** Carries out an operation on jobs that were started elsewhere: one request for each input item. */
export async function runAskJob(
	ctx: IExecuteFunctions,
	operation: AskJobOperation,
	client: ServiceClient,
): Promise<INodeExecutionData[]> {
	const output: INodeExecutionData[] = [];
	for (let item = 0; item < ctx.getInputData().length; item++) {
		try {
			const items = await ask(ctx, operation, client, item);
			output.push(...items.map((json) => ({ json, pairedItem: { item } })));
		} catch (error) {
			const { kind, message, httpCode } = asFailure(error);
			const itemFailure = { item, kind, message, httpCode };
			if (!keepsFailedItems(ctx) || kind === 'aborted') throw runError(ctx, itemFailure, []);
			output.push(errorItem(ctx, itemFailure));
		}
	}
	return output;
}

async function ask(
	ctx: IExecuteFunctions,
	{ fields, request, olderPath, job, toItems }: AskJobOperation,
	client: ServiceClient,
	item: number,
) {
	const { values } = readItem(ctx, fields, item);
	const id = readKnownJobId(values, job);
	const older = olderPath === undefined ? undefined : jobPath(olderPath, id);
	const line = { ...request, path: jobPath(request.path, id) };
	const answer = await callWithOlderPath(client, line, older).catch((error: unknown) => {
		const failure = asFailure(error);
		throw failure.notFound ? unknownJob(job, id, failure) : failure;
	});
	const items = toItems(id, answer);
	if (items) return items;
	throw new ServiceFailure({
		kind: 'notJson',
		reached: 'maybe',
		message: `${client.baseUrl} answered without what was asked for about the ${job.label} ${id}: check that the base URL in the Web Data API credential is that of the service.`,
	});
}

function unknownJob({ label }: JobKind, id: string, { message }: ServiceFailure): ServiceFailure {
	return new ServiceFailure({
		kind: 'http',
		reached: 'no',
		httpCode: 404,
		notFound: true,
		message: `The service does not know the ${label} ${id}: the ID is wrong, or it has expired. ${message}`,
	});
}
