import type { IWebhookFunctions } from 'n8n-workflow';

import { rememberedForCall } from '../monitor/remembered';
import type { Remembered } from '../monitor/remembered';

/** What the trigger remembers, for a call. A test run has static data of its own that nothing else changes. */
export function rememberedHere(ctx: IWebhookFunctions): Remembered {
	const isTest = ctx.getMode() === 'manual';
	return rememberedForCall(ctx, isTest ? undefined : ctx.getNodeWebhookUrl('default'));
}
