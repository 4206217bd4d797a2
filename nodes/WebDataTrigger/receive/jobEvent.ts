import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import { operationItems } from '../../WebData/askedOperation';
import type { AskedOperation } from '../../WebData/askedOperation';
import { resources } from '../../WebData/resources';
import { endedJobOf } from '../../run/output/itemError';
import { resultJson } from '../../run/output/outputItem';
import type { JsonObject } from '../../service/http/transport';
import { readJobId } from '../../service/jobs/jobKinds';
import type { Delivery } from '../../service/webhooks';

/** The resource whose Get reads a job, by what the names of its events begin with (docs/reference/service-notes.md#webhooks). */
const RESOURCES = new Map([
	['crawl', 'crawl'],
	['batch_scrape', 'batchScrape'],
	['extract', 'extract'],
	['agent', 'agent'],
]);
/** Those whose result are pages. */
const OF_PAGES: readonly string[] = ['crawl', 'batchScrape'];
/** Those that may have a result where they have failed: the pages so far, or what an agent had at its limit. */
const RESULT_OF_FAILED: readonly string[] = [...OF_PAGES, 'agent'];
/** The event comes seconds after the job's end is to be seen, or a little before. */
const MAX_WAIT_SECONDS = 60;

function partsOf({ type }: Delivery): { resource: string | undefined; event: string } {
	const [family = '', event = ''] = type.split('.', 2);
	return { resource: RESOURCES.get(family), event };
}

/** Whether the event names a job: anything else could not be read, and may not become part of an address. */
export function namesJob({ id }: Delivery): boolean {
	return readJobId(id) !== undefined;
}

/** Whether the panel asks for this event. */
export function wantsJobEvent(ctx: IWebhookFunctions, delivery: Delivery): boolean {
	const { resource, event } = partsOf(delivery);
	const events: unknown = ctx.getNodeParameter('events', []);
	return resource !== undefined && Array.isArray(events) && events.includes(event);
}

/**
 * Whether the service denies the job, asked once: an event that nothing proves costs no more than that. Any other
 * trouble is none of the event's.
 */
export async function isUnknownJob(ctx: IWebhookFunctions, delivery: Delivery): Promise<boolean> {
	const { resource } = partsOf(delivery);
	if (resource === undefined) return false;
	const parameters = { jobId: delivery.id, waitForCompletion: false };
	try {
		await operationItems(ctx, { resource, operation: 'get', parameters: { ...parameters, output: 'status' } });
		return false;
	} catch (error) {
		// 400: it takes the ID for none.
		return ['400', '404'].includes(String((error as { httpCode?: unknown }).httpCode));
	}
}

/**
 * The event, or the job's result as its Get puts it out: nothing that the call says of the result is
 * believed. Throws what Get throws.
 */
export async function jobEventItems(ctx: IWebhookFunctions, delivery: Delivery): Promise<INodeExecutionData[]> {
	const { resource, event } = partsOf(delivery);
	const output = String(ctx.getNodeParameter('jobOutput', 'pages'));
	const hasPages = resource !== undefined && OF_PAGES.includes(resource);
	if (output === 'event' || resource === undefined) return [{ json: told(delivery) }];
	const hasResult = event === 'completed' || (event === 'failed' && RESULT_OF_FAILED.includes(resource));
	if (!hasResult) return [{ json: told(delivery) }];
	const items = await resultItems(ctx, {
		resource,
		operation: 'get',
		startedJob: delivery.id,
		parameters: {
			jobId: delivery.id,
			waitForCompletion: true,
			...(hasPages ? pagesParameters(output) : {}),
			options: {
				...(hasPages && { ...PAGES_OPTIONS, ...filesAsked(ctx) }),
				waitOptions: { maxWait: MAX_WAIT_SECONDS },
			},
		},
	});
	const metadata = delivery.metadata as IDataObject;
	if (Object.keys(metadata).length === 0) return items;
	return items.map((item) => ({ ...item, json: resultJson({ ...item.json, jobMetadata: metadata }) }));
}

/** The items of a Get; a job that has ended with nothing to show is an item with the reason. */
async function resultItems(ctx: IWebhookFunctions, asked: AskedOperation): Promise<INodeExecutionData[]> {
	return await operationItems(ctx, asked).catch((error: unknown) => {
		const ended = endedJobOf(error);
		if (!ended) throw error;
		const { id, status, reason } = ended;
		const kind = resources.find(({ value }) => value === asked.resource)?.name;
		return [{ json: { id, kind, status, reason } }];
	});
}

const pagesParameters = (output: string): JsonObject => ({ output, returnAll: true });

function filesAsked(ctx: IWebhookFunctions): JsonObject {
	const { storeAsFiles } = ctx.getNodeParameter('jobOptions', {}) as JsonObject;
	return storeAsFiles === undefined ? {} : { storeAsFiles };
}

/** A page that failed is an item too: a trigger has no place for a hint. */
const PAGES_OPTIONS: JsonObject = { failedPages: true, onFailure: 'output' };

/** The item of a call; its reason is not called `error`, which n8n takes for a failed item. */
function told({ type, id, success, data, metadata, error }: Delivery): IDataObject {
	return {
		event: type,
		jobId: id,
		success,
		...(error !== undefined && { reason: error }),
		data: data as IDataObject[],
		metadata: metadata as IDataObject,
	};
}
