import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { CREDENTIAL } from '../../WebData/run/connection/connect';
import { SeenDeliveries, deliveryKey, readDelivery, signatureProblem } from '../../service/webhooks';
import type { CallSecrets, Delivery } from '../../service/webhooks';
import { jobEventItems, namesJob, wantsJobEvent } from './jobEvent';
import { rememberedHere, wantsWebsiteEvent, websiteItems } from './websiteChanged';

const seenDeliveries = new SeenDeliveries();

/** What was answered to a call: with it n8n answers nothing more, and starts nothing without items. */
const ANSWERED: IWebhookResponseData = { noWebhookResponse: true };

/**
 * Receives one call of the service. It is answered before anything is read, so the service never waits for
 * that and never repeats the call for it; what then cannot be read makes a failed execution that says so.
 */
export async function receive(ctx: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { headers, rawBody } = ctx.getRequestObject();
	// Only multipart has none (docs/n8n-internals.md#raw-body), and the service sends no such thing.
	const bytes = Buffer.isBuffer(rawBody) ? rawBody : Buffer.alloc(0);
	const secrets = await secretsOf(ctx).catch(() => undefined);
	// The service may try again later: then the credential can be there again.
	if (!secrets) return answer(ctx, 503, 'The credential of the trigger cannot be read.');
	const doubt = signatureProblem({ rawBody: bytes, headers }, secrets);
	if (doubt !== undefined) {
		ctx.logger.warn(`Web Data Trigger refused a call. ${doubt}`);
		return answer(ctx, 401, doubt);
	}
	const delivery = readDelivery(bytes);
	if (!delivery || !(isWebsite(ctx) || namesJob(delivery)))
		return answer(ctx, 400, 'This is not an event of the service.');
	if (!isWanted(ctx, delivery)) return answer(ctx, 200, 'Received; this trigger does not ask for it.');
	if (!isNew(ctx, delivery, bytes)) return answer(ctx, 200, 'Received before.');
	answer(ctx, 200, 'Received.');
	const items = await itemsOf(ctx, delivery);
	// Once more: meanwhile the trigger may have been activated again, and n8n stores what stands there now.
	rememberedHere(ctx);
	return items.length === 0 ? ANSWERED : { ...ANSWERED, workflowData: [items] };
}

const isWebsite = (ctx: IWebhookFunctions): boolean =>
	ctx.getNodeParameter('event', 'websiteChanged') === 'websiteChanged';

async function secretsOf(ctx: IWebhookFunctions): Promise<CallSecrets> {
	const { webhookSecret } = await ctx.getCredentials(CREDENTIAL);
	const headerSecret = isWebsite(ctx)
		? rememberedHere(ctx).secret
		: String(ctx.getNodeParameter('jobOptions.headerSecret', ''));
	return {
		webhookSecret: typeof webhookSecret === 'string' ? webhookSecret.trim() : '',
		headerSecret,
	};
}

function isWanted(ctx: IWebhookFunctions, delivery: Delivery): boolean {
	return isWebsite(ctx) ? wantsWebsiteEvent(ctx, delivery) : wantsJobEvent(ctx, delivery);
}

async function itemsOf(ctx: IWebhookFunctions, delivery: Delivery): Promise<INodeExecutionData[]> {
	return isWebsite(ctx) ? await websiteItems(ctx, delivery) : await jobEventItems(ctx, delivery);
}

/**
 * Notes the event, in the process and in what n8n stores when the call is answered
 * (docs/n8n-internals.md#static-data-of-a-trigger).
 */
function isNew(ctx: IWebhookFunctions, delivery: Delivery, bytes: Buffer): boolean {
	const remembered = rememberedHere(ctx);
	const receiver = [ctx.getWorkflow().id, ctx.getNode().id, ctx.getMode()].join('/');
	const isNew = seenDeliveries.isNew(receiver, deliveryKey(delivery, bytes), remembered.seen);
	// At a repetition, too: the first call may have come before n8n had stored the activation (rememberedForCall).
	const toStore = seenDeliveries.toStore(receiver, remembered.seen);
	if (JSON.stringify(toStore) !== JSON.stringify(remembered.seen)) remembered.seen = toStore;
	return isNew;
}

function answer(ctx: IWebhookFunctions, status: number, message: string): IWebhookResponseData {
	ctx.getResponseObject().status(status).json({ message });
	return ANSWERED;
}
