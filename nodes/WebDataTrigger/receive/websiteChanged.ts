import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';

import { isJsonObject } from '../../service/http/answer';
import type { Delivery } from '../../service/webhooks/delivery';
import { operationItems } from '../../WebData/run/fromTrigger';
import { rememberedHere } from './called';
import { isFirstCheck } from './firstCheck';
import type { EventSubject } from './firstCheck';

/** Whether a page is one that starts the workflow. */
type Counts = (page: IDataObject) => boolean;

/** Undefined for an event that names no monitor or no check. */
function aboutOf({ id, data }: Delivery): EventSubject | undefined {
	const { monitorId, checkId = id } = data[0] ?? {};
	if (typeof monitorId !== 'string' || typeof checkId !== 'string') return undefined;
	return { monitorId, checkId };
}

const outputOf = (ctx: IWebhookFunctions): string =>
	String(ctx.getNodeParameter('output', 'pages'));
const isTest = (ctx: IWebhookFunctions): boolean => ctx.getMode() === 'manual';

/** Whether the event is one of this trigger's monitor, of the kind that its output is made from. */
export function wantsWebsiteEvent(ctx: IWebhookFunctions, delivery: Delivery): boolean {
	const about = aboutOf(delivery);
	const { monitorId = about?.monitorId } = rememberedHere(ctx);
	const type = outputOf(ctx) === 'atOnce' ? 'monitor.page' : 'monitor.check.completed';
	return delivery.type === type && about !== undefined && about.monitorId === monitorId;
}

/**
 * The pages that count, one item each, or the check with them. Without any there is nothing to start for.
 * Throws what Monitor · Get Check throws.
 */
export async function websiteItems(
	ctx: IWebhookFunctions,
	delivery: Delivery,
): Promise<INodeExecutionData[]> {
	const about = aboutOf(delivery);
	if (!about) return [];
	const output = outputOf(ctx);
	if (output === 'atOnce') {
		const pages = delivery.data.map((page) => toldPage(page as IDataObject));
		const counts = await countingOf(ctx, about, pages);
		return pages.filter(counts).map((json) => ({ json }));
	}
	const items = await operationItems(ctx, {
		resource: 'monitor',
		operation: 'getCheck',
		startedJob: about.checkId,
		parameters: {
			monitorId: about.monitorId,
			jobId: about.checkId,
			waitForCompletion: true,
			output: output === 'check' ? 'job' : 'pages',
			returnAll: true,
		},
	});
	const pagesOf = ({ json }: INodeExecutionData): IDataObject[] =>
		output === 'check' ? pagesIn(json) : [json];
	const counts = await countingOf(ctx, about, items.flatMap(pagesOf));
	if (output !== 'check') return items.filter(({ json }) => counts(json));
	return items.flatMap(({ json }) => {
		const pages = pagesIn(json).filter(counts);
		return pages.length === 0 ? [] : [{ json: { ...json, pages } }];
	});
}

function pagesIn({ pages }: IDataObject): IDataObject[] {
	const all: unknown[] = Array.isArray(pages) ? pages : [];
	return all.filter(isJsonObject).map((page) => page as IDataObject);
}

/** A page as the call tells it; its reason is not called `error`, which n8n takes for a failed item. */
function toldPage({ error, diff, judgment, ...page }: IDataObject): IDataObject {
	const { text, json } = isJsonObject(diff) ? (diff as IDataObject) : {};
	return {
		url: page.url,
		status: page.status,
		...(typeof error === 'string' && { pageError: error }),
		...(isJsonObject(diff) && { diff: text ?? json }),
		...(isJsonObject(judgment) && { judgment: judgment as IDataObject }),
		monitorId: page.monitorId,
		checkId: page.checkId,
	};
}

/** By what the panel says. In a test run every page counts. */
async function countingOf(
	ctx: IWebhookFunctions,
	about: EventSubject,
	pages: readonly IDataObject[],
): Promise<Counts> {
	if (isTest(ctx)) return () => true;
	const { reportFirst, onlyMeaningful } = ctx.getNodeParameter('triggerOptions', {}) as IDataObject;
	const chosen: unknown = ctx.getNodeParameter('changes', []);
	const states: unknown[] = Array.isArray(chosen) ? chosen : [];
	const hasNew = states.includes('new') && pages.some(({ status }) => status === 'new');
	const leavesNew = hasNew && reportFirst !== true && (await isFirstCheck(ctx, about, pages));
	return ({ status, judgment }) => {
		if (!states.includes(status) || (leavesNew && status === 'new')) return false;
		const isJudged = isJsonObject(judgment) && judgment.meaningful === false;
		return !(onlyMeaningful === true && isJudged);
	};
}
