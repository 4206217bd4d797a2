import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { reasonOf } from '../../service/http/failure';
import { connect } from '../../WebData/run/connection/connect';
import { Monitors } from '../monitor/monitors';
import { rememberedHere } from './called';

/** The monitor and the check that an event is about. */
export interface EventSubject {
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
export async function isFirstCheck(
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
