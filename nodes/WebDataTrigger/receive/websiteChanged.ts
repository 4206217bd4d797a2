import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import { operationItems } from '../../WebData/askedOperation';
import { connect } from '../../run/connection/connect';
import { isJsonObject } from '../../service/http/answer';
import { reasonOf } from '../../service/http/failure';
import type { Delivery } from '../../service/webhooks';
import { Monitors } from '../monitor/monitors';
import { rememberedForCall } from '../monitor/triggerMonitors';
import type { Remembered } from '../monitor/triggerMonitors';

/** Whether a page is one that starts the workflow. */
type Counts = (page: IDataObject) => boolean;

/** Undefined for an event that names no monitor or no check. */
function aboutOf({ id, data }: Delivery): EventSubject | undefined {
	const { monitorId, checkId = id } = data[0] ?? {};
	if (typeof monitorId !== 'string' || typeof checkId !== 'string') return undefined;
	return { monitorId, checkId };
}

const outputOf = (ctx: IWebhookFunctions): string => String(ctx.getNodeParameter('output', 'pages'));
const isTest = (ctx: IWebhookFunctions): boolean => ctx.getMode() === 'manual';

/** Whether the event is one of this trigger's monitor, of the kind that its output is made from. */
export function wantsWebsiteEvent(ctx: IWebhookFunctions, delivery: Delivery): boolean {
	const about = aboutOf(delivery);
	const { monitorId } = rememberedHere(ctx);
	const type = outputOf(ctx) === 'atOnce' ? 'monitor.page' : 'monitor.check.completed';
	return delivery.type === type && about !== undefined && about.monitorId === monitorId;
}

/**
 * The pages that count, one item each, or the check with them. Without any there is nothing to start for.
 * Throws what Monitor · Get Check throws.
 */
export async function websiteItems(ctx: IWebhookFunctions, delivery: Delivery): Promise<INodeExecutionData[]> {
	const about = aboutOf(delivery);
	if (!about) return [];
	const output = outputOf(ctx);
	if (output === 'atOnce') {
		const pages = delivery.data.map((page) => toldPage(page as IDataObject));
		const counts = await countingOf(ctx, about, pages);
		return pages.filter(counts).map((page) => ({ json: withSample(ctx, page) }));
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
	const pagesOf = ({ json }: INodeExecutionData): IDataObject[] => (output === 'check' ? pagesIn(json) : [json]);
	const counts = await countingOf(ctx, about, items.flatMap(pagesOf));
	if (output !== 'check') {
		const told = items.filter(({ json }) => counts(json));
		return told.map((item) => ({ ...item, json: withSample(ctx, item.json) }));
	}
	return items.flatMap(({ json }) => {
		const pages = pagesIn(json)
			.filter(counts)
			.map((page) => withSample(ctx, page));
		return pages.length === 0 ? [] : [{ json: { ...json, pages } }];
	});
}

/** In a test run the check has nothing to compare with: the field is there all the same, to be mapped. */
function withSample(ctx: IWebhookFunctions, page: IDataObject): IDataObject {
	const hasDiff = page.diff !== undefined && page.diff !== null;
	return isTest(ctx) && !hasDiff ? { ...page, diff: 'This is the first check, so there is no difference yet.' } : page;
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
async function countingOf(ctx: IWebhookFunctions, about: EventSubject, pages: readonly IDataObject[]): Promise<Counts> {
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

/** The monitor and the check that an event is about. */
interface EventSubject {
	monitorId: string;
	checkId: string;
}

/** States of pages that only a monitor with an earlier check can tell. */
const NEEDS_HISTORY: readonly unknown[] = ['same', 'changed', 'removed'];

/** Lists of checks that are being read: the pages of a check come at the same moment. Empty when nothing is. */
const reading = new Map<string, Promise<string[]>>();

/**
 * Whether these are pages of the first check of a monitor that the trigger has made. That check has nothing to
 * be compared with: its pages are new to the service, not to the world. What comes before is asked of the
 * service once; where it does not tell, the first check that n8n hears of counts as the first.
 */
async function isFirstCheck(
	ctx: IWebhookFunctions,
	{ monitorId, checkId }: EventSubject,
	pages: readonly IDataObject[],
): Promise<boolean> {
	const remembered = rememberedHere(ctx);
	if (remembered.isOwn !== true) return false;
	if (remembered.firstCheckId === undefined) {
		if (pages.some(({ status }) => NEEDS_HISTORY.includes(status))) return false;
		const known = await knownChecks(ctx, monitorId).catch((error: unknown) => {
			const reason = reasonOf(error);
			ctx.logger.warn(
				`The checks of the monitor ${monitorId} could not be listed: ${reason} The check ${checkId} counts as the first, whose new pages start nothing: Monitor · Get Check of Web Data shows them.`,
			);
			return [];
		});
		remembered.firstCheckId = known.at(-1) ?? checkId;
	}
	return remembered.firstCheckId === checkId;
}

async function knownChecks(ctx: IWebhookFunctions, monitorId: string): Promise<string[]> {
	const underWay = reading.get(monitorId);
	if (underWay) return await underWay;
	const list = (async () => await new Monitors(await connect(ctx)).checkIds(monitorId))();
	reading.set(monitorId, list);
	return await list.finally(() => reading.delete(monitorId));
}

/** The trigger's memory, for a call. A test run has static data of its own that nothing else changes. */
export function rememberedHere(ctx: IWebhookFunctions): Remembered {
	const isTest = ctx.getMode() === 'manual';
	return rememberedForCall(ctx, isTest ? undefined : ctx.getNodeWebhookUrl('default'));
}
