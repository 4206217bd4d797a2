import { NodeOperationError } from 'n8n-workflow';
import type { IHookFunctions } from 'n8n-workflow';

import { asFailure } from '../../service/http/failure';
import { Registration } from './registration';

const watchesWebsites = (ctx: IHookFunctions): boolean =>
	ctx.getNodeParameter('event', 'websiteChanged') === 'websiteChanged';

/** n8n asks at each activation; n8n 1.123 also for all active workflows at each of its starts. */
export async function checkExists(ctx: IHookFunctions): Promise<boolean> {
	return await saying(ctx, async () => {
		const registration = await Registration.of(ctx);
		if (watchesWebsites(ctx)) return await registration.check();
		if (registration.hasMonitor) await registration.remove();
		// A job's start names the address itself: there is nothing to register.
		return true;
	});
}

export async function create(ctx: IHookFunctions): Promise<boolean> {
	return await saying(ctx, async () => {
		const registration = await Registration.of(ctx);
		if (watchesWebsites(ctx)) await registration.create();
		return true;
	});
}

export async function remove(ctx: IHookFunctions): Promise<boolean> {
	return await saying(ctx, async () => {
		const registration = await Registration.of(ctx);
		if (watchesWebsites(ctx) || registration.hasMonitor) await registration.remove();
		return true;
	});
}

/** Its message is set last, because n8n replaces some (N8N fact 18). */
async function saying<T>(ctx: IHookFunctions, work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		const { message } = asFailure(error);
		const told = new NodeOperationError(ctx.getNode(), message);
		told.message = message;
		throw told;
	}
}
