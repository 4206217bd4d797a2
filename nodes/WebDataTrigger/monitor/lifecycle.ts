import { NodeOperationError } from 'n8n-workflow';
import type { IHookFunctions } from 'n8n-workflow';

import { ServiceFailure } from '../../service/http/failure';
import { InFlightStarts } from '../../WebData/run/memory/inFlightStarts';
import { unexpectedError } from '../../WebData/run/ending/unexpectedError';
import { Registration } from './registration';
import { rememberedOf, webhookUrlOf } from './remembered';
import { chosenMonitorId } from './settings';

const watchesWebsites = (ctx: IHookFunctions): boolean =>
	ctx.getNodeParameter('event', 'websiteChanged') === 'websiteChanged';

/** n8n asks at each activation; n8n 1.123 also for all active workflows at each of its starts. */
export async function checkExists(ctx: IHookFunctions): Promise<boolean> {
	return await alone(ctx, async (registration) => {
		if (watchesWebsites(ctx)) return await registration.check();
		if (registration.hasMonitor) await registration.remove();
		// A job's start names the address itself: there is nothing to register.
		return true;
	});
}

export async function create(ctx: IHookFunctions): Promise<boolean> {
	return await alone(ctx, async (registration) => {
		if (watchesWebsites(ctx)) await registration.create();
		return true;
	});
}

export async function remove(ctx: IHookFunctions): Promise<boolean> {
	return await alone(ctx, async (registration) => {
		if (watchesWebsites(ctx) || registration.hasMonitor) await registration.remove();
		return true;
	});
}

/** All activations and deactivations of this process, by the triggers and the monitors that they are about. */
const underWay = {};

/**
 * Does the work when no other activation or deactivation of this trigger, or of its monitor, is at work. What the
 * service says is thrown as a NodeOperationError whose message is set last, because n8n replaces some.
 */
async function alone<T>(
	ctx: IHookFunctions,
	work: (registration: Registration) => Promise<T>,
): Promise<T> {
	const turn = new InFlightStarts(underWay);
	try {
		const about = [webhookUrlOf(ctx), rememberedOf(ctx).monitorId, chosenMonitorId(ctx)];
		const names = about.filter((name) => name !== undefined);
		await turn.take(names, async () => await new Promise<void>(() => undefined));
		return await work(await Registration.of(ctx));
	} catch (error) {
		if (!(error instanceof ServiceFailure)) throw unexpectedError(ctx.getNode(), error);
		const { message } = error;
		const told = new NodeOperationError(ctx.getNode(), message);
		told.message = message;
		throw told;
	} finally {
		turn.releaseAll();
	}
}
