import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';

import { isJsonObject } from '../../service/http/answer';
import { asFailure } from '../../service/http/failure';
import type { Delivery } from '../../service/webhooks/delivery';
import { connect } from '../../WebData/run/connection/connect';
import { operationItems } from '../../WebData/run/fromTrigger';
import { Monitors } from '../monitor/monitors';
import { rememberedHere } from './called';

/** What the panel says of the pages that count. */
interface Counting {
	/** States of a page: `changed` and so on; undefined for all, in a test run. */
	states: unknown[] | undefined;
	onlyMeaningful: boolean;
}

/** The monitor and the check that an event is about; undefined where it names none. */
function aboutOf({ id, data }: Delivery): { monitorId: string; checkId: string } | undefined {
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
	const counting = await countingOf(ctx, about);
	const output = outputOf(ctx);
	if (output === 'atOnce') {
		const pages = delivery.data.map((page) => toldPage(page as IDataObject));
		return pages.filter((page) => counts(page, counting)).map((json) => ({ json }));
	}
	const items = await operationItems(ctx, {
		resource: 'monitor',
		operation: 'getCheck',
		parameters: {
			monitorId: about.monitorId,
			jobId: about.checkId,
			waitForCompletion: true,
			output: output === 'check' ? 'job' : 'pages',
			returnAll: true,
		},
	});
	if (output !== 'check') return items.filter(({ json }) => counts(json, counting));
	return items.flatMap(({ json }) => {
		const all: unknown[] = Array.isArray(json.pages) ? json.pages : [];
		const pages = all.filter((page) => isJsonObject(page) && counts(page as IDataObject, counting));
		return pages.length === 0 ? [] : [{ json: { ...json, pages: pages as IDataObject[] } }];
	});
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

/** A page of the first check is new to the service, not to the world. */
async function countingOf(
	ctx: IWebhookFunctions,
	about: { monitorId: string; checkId: string },
): Promise<Counting> {
	const { reportFirst, onlyMeaningful } = ctx.getNodeParameter('triggerOptions', {}) as IDataObject;
	if (isTest(ctx)) return { states: undefined, onlyMeaningful: false };
	const chosen: unknown = ctx.getNodeParameter('changes', []);
	const states: unknown[] = Array.isArray(chosen) ? chosen : [];
	const isFirst = reportFirst !== true && (await isFirstCheck(ctx, about));
	return {
		states: isFirst ? states.filter((state) => state !== 'new') : states,
		onlyMeaningful: onlyMeaningful === true,
	};
}

/** Asked of the service once for each monitor. Where that fails the check counts as a later one. */
async function isFirstCheck(
	ctx: IWebhookFunctions,
	{ monitorId, checkId }: { monitorId: string; checkId: string },
): Promise<boolean> {
	const remembered = rememberedHere(ctx);
	if (remembered.isOwn !== true) return false;
	if (remembered.firstCheckId === undefined) {
		try {
			const first = await new Monitors(await connect(ctx)).firstCheckId(monitorId);
			if (first !== undefined) remembered.firstCheckId = first;
		} catch (error) {
			ctx.logger.warn(
				`The checks of the monitor ${monitorId} could not be listed: ${asFailure(error).message}`,
			);
		}
	}
	return remembered.firstCheckId === checkId;
}

function counts(page: IDataObject, { states, onlyMeaningful }: Counting): boolean {
	if (states && !states.includes(page.status)) return false;
	const { judgment } = page;
	return !(onlyMeaningful && isJsonObject(judgment) && judgment.meaningful === false);
}
