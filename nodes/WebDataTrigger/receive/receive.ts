import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { randomBytes } from 'node:crypto';
import { CREDENTIAL } from '../../run/connection/connect';
import { unnoticedClock } from '../../run/connection/processClock';
import { SeenDeliveries, deliveryKey, isSecret, readDelivery, signatureProblem } from '../../service/webhooks';
import type { CallSecrets, Delivery } from '../../service/webhooks';
import { isUnknownJob, jobEventItems, namesJob, wantsJobEvent } from './jobEvent';
import { rememberedHere, wantsWebsiteEvent, websiteItems } from './websiteChanged';

const seenDeliveries = new SeenDeliveries();

/** The answer to a call that needs no other: with it n8n answers nothing more, and starts nothing without items. */
const ANSWERED: IWebhookResponseData = { noWebhookResponse: true };

/**
 * The service waits 10 s for an answer, and calls again where it got none or a refusal
 * (docs/reference/service-notes.md#webhooks). So long is read first: after a 200 nobody calls again.
 */
const READ_FIRST_MS = 8_000;

/** Known to this process only: by it, a call that the trigger makes to itself is told from all others. */
const OWN_CALL = randomBytes(24).toString('hex');
const OWN_CALL_HEADER = 'x-web-data-unfinished';
const MAX_UNFINISHED = 20;

/** The result of reading an event. */
type EventReading = { items: INodeExecutionData[] } | { error: unknown } | { refused: number; why: string };

/** Events that are being read, by receiver and key. */
const underWay = new Map<string, Promise<EventReading>>();

/**
 * Receives one call of the service. What it is about is read first, for at most 8 s, and then answered, so that a call
 * is never lost: not by a kill of n8n meanwhile, and not by a service that cannot be read just now, which is also told
 * by a failed execution. Only what takes longer is answered before: n8n's log names it, and the next activation, where
 * n8n was killed meanwhile.
 */
export async function receive(ctx: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { headers, rawBody } = ctx.getRequestObject();
	// Only multipart has none (docs/reference/n8n-internals.md#raw-body), and the service sends no such thing.
	const bytes = Buffer.isBuffer(rawBody) ? rawBody : Buffer.alloc(0);
	if (isSecret(headers[OWN_CALL_HEADER], OWN_CALL)) return keepUnfinished(ctx, bytes.toString('utf8'));
	const secrets = await secretsOf(ctx).catch(() => undefined);
	// The service may try again later: then the credential can be there again.
	if (!secrets) return answer(ctx, 503, 'The credential of the trigger cannot be read.');
	// Before n8n has stored the activation there is no secret to ask for: a true call comes again.
	if (isWebsite(ctx) && rememberedHere(ctx).monitorId === undefined) {
		return answer(ctx, 503, 'The trigger knows no monitor of its own yet: call again later.');
	}
	const doubt = signatureProblem({ rawBody: bytes, headers }, secrets) ?? missingSecret(ctx, secrets);
	if (doubt !== undefined) {
		ctx.logger.warn(`Web Data Trigger refused a call. ${doubt}`);
		return answer(ctx, 401, doubt);
	}
	const delivery = readDelivery(bytes);
	if (!delivery || !(isWebsite(ctx) || namesJob(delivery)))
		return answer(ctx, 400, 'This is not an event of the service.');
	if (!isWanted(ctx, delivery)) return answer(ctx, 200, 'Received; this trigger does not ask for it.');
	return await answerEvent(ctx, delivery, deliveryKey(delivery, bytes), hasSecret(secrets));
}

/** Reads what the event is about, and answers by what comes of it. `isProven`: only the service can have sent it. */
async function answerEvent(
	ctx: IWebhookFunctions,
	delivery: Delivery,
	key: string,
	isProven: boolean,
): Promise<IWebhookResponseData> {
	const receiver = [ctx.getWorkflow().id, ctx.getNode().id, ctx.getMode()].join('/');
	const name = `${receiver} ${key}`;
	const first = underWay.get(name);
	const reading = first ?? (isNew(ctx, receiver, key) ? read(ctx, delivery, isProven) : undefined);
	if (!reading) return answer(ctx, 200, 'Received before.');
	if (!first) underWay.set(name, reading);
	const over = new AbortController();
	// A timer that keeps no n8n from ending.
	const come = await Promise.race([reading, unnoticedClock.sleep(READ_FIRST_MS, over.signal)]);
	over.abort();
	if (first) {
		if (come && 'refused' in come) return answer(ctx, come.refused, come.why);
		const isTaken = !come || 'items' in come;
		return isTaken ? answer(ctx, 200, 'Received before.') : answer(ctx, 503, 'It could not be read: call again later.');
	}
	const about = `${delivery.type} of ${delivery.id}`;
	if (!come) {
		ctx.logger.info(`Web Data Trigger answered ${about} before it was read. If n8n ends meanwhile, it starts nothing.`);
		store(ctx, receiver);
		answer(ctx, 200, 'Received.');
		await noteUnfinished(ctx, about);
	}
	const end = come ?? (await reading);
	underWay.delete(name);
	if (!come || 'items' in end) {
		// Once more: meanwhile the trigger may have been activated again, and n8n stores what stands there now.
		store(ctx, receiver);
		if (come) answer(ctx, 200, 'Received.');
		else ctx.logger.info(`Web Data Trigger has read ${about}.`);
		if ('error' in end) throw end.error;
		return 'items' in end && end.items.length > 0 ? { ...ANSWERED, workflowData: [end.items] } : ANSWERED;
	}
	seenDeliveries.forget(receiver, key);
	if ('refused' in end) {
		ctx.logger.warn(`Web Data Trigger refused a call. ${end.why}`);
		return answer(ctx, end.refused, end.why);
	}
	answer(ctx, 503, 'It could not be read: call again later.');
	throw end.error;
}

/**
 * n8n stores what a trigger remembers when a call has been dealt with, and this one goes on: so another call, of the
 * trigger to itself, stores that the event is not read. What this one stores at its end does not have it. Where n8n
 * cannot be called at its own address, only the log names it. Never rejects.
 */
async function noteUnfinished(ctx: IWebhookFunctions, about: string): Promise<void> {
	const url = ctx.getMode() === 'manual' ? undefined : ctx.getNodeWebhookUrl('default');
	if (url === undefined) return;
	const headers = { [OWN_CALL_HEADER]: OWN_CALL, 'content-type': 'text/plain' };
	// Elsewhere nobody may learn of it.
	const call = { method: 'POST' as const, url, headers, body: about, timeout: 3000, disableFollowRedirect: true };
	await ctx.helpers.httpRequest(call).catch(() => undefined);
}

function keepUnfinished(ctx: IWebhookFunctions, about: string): IWebhookResponseData {
	const remembered = rememberedHere(ctx);
	remembered.unfinished = [...(remembered.unfinished ?? []), about].slice(-MAX_UNFINISHED);
	return answer(ctx, 200, 'Noted.');
}

/** Never rejects. */
async function read(ctx: IWebhookFunctions, delivery: Delivery, isProven: boolean): Promise<EventReading> {
	try {
		if (!isProven && !isWebsite(ctx) && (await isUnknownJob(ctx, delivery))) {
			return { refused: 404, why: `The service knows no job ${delivery.id}.` };
		}
		const items = isWebsite(ctx) ? await websiteItems(ctx, delivery) : await jobEventItems(ctx, delivery);
		return { items };
	} catch (error) {
		return { error };
	}
}

const isWebsite = (ctx: IWebhookFunctions): boolean =>
	ctx.getNodeParameter('event', 'websiteChanged') === 'websiteChanged';

const hasSecret = ({ webhookSecret = '', headerSecret = '' }: CallSecrets): boolean =>
	webhookSecret !== '' || headerSecret !== '';

/** The monitor of a trigger always has one: a call without any is of somebody else. */
function missingSecret(ctx: IWebhookFunctions, secrets: CallSecrets): string | undefined {
	return isWebsite(ctx) && !hasSecret(secrets)
		? 'The trigger has no secret for its monitor: publish the workflow again (n8n 1: activate it again).'
		: undefined;
}

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

/** Notes the event in the process. At a repetition, what was noted is stored: the first call may have come before n8n had stored the activation (rememberedForCall). */
function isNew(ctx: IWebhookFunctions, receiver: string, key: string): boolean {
	const isNewHere = seenDeliveries.isNew(receiver, key, rememberedHere(ctx).seen);
	if (!isNewHere) store(ctx, receiver);
	return isNewHere;
}

/** Puts the events that were taken up where n8n stores them when the call is answered (docs/reference/n8n-internals.md#static-data-of-a-trigger). */
function store(ctx: IWebhookFunctions, receiver: string): void {
	const remembered = rememberedHere(ctx);
	const toStore = seenDeliveries.toStore(receiver, remembered.seen);
	if (JSON.stringify(toStore) !== JSON.stringify(remembered.seen)) remembered.seen = toStore;
}

function answer(ctx: IWebhookFunctions, status: number, message: string): IWebhookResponseData {
	ctx.getResponseObject().status(status).json({ message });
	return ANSWERED;
}
