import type { FunctionsBase, IDataObject, IHookFunctions } from 'n8n-workflow';

/** What is known of a trigger's monitor. */
interface KnownMonitorOf {
	monitorId?: string;
	/** True where a trigger made the monitor. */
	isOwn?: boolean;
	/** The secret in the header of its calls. */
	secret?: string;
}

/**
 * What a trigger remembers in its workflow's static data. Stored with workflows: do not rename. Everything
 * but `seen` can be had from the service again.
 */
export interface Remembered extends KnownMonitorOf, IDataObject {
	/** Which trigger this is: static data is copied with a workflow, the monitor is not. */
	owner?: string;
	/** The check that later ones are compared with. */
	firstCheckId?: string;
	/** Keys of the latest events (SeenDeliveries). */
	seen?: string[];
}

type Triggering = Pick<
	FunctionsBase,
	'getWorkflowStaticData' | 'getInstanceId' | 'getWorkflow' | 'getNode'
>;

const ownerOf = (ctx: Triggering): string =>
	[ctx.getInstanceId(), ctx.getWorkflow().id, ctx.getNode().id].join('/');

/** The address that the service calls; empty where n8n has none. */
export const webhookUrlOf = (ctx: Pick<IHookFunctions, 'getNodeWebhookUrl'>): string =>
	ctx.getNodeWebhookUrl('default') ?? '';

/**
 * The monitors of this process's active triggers, by the address that they call. n8n stores static data as a
 * whole when a call has been dealt with, with what it was when the call came (live-webhooks.js, n8n 2.40): a
 * call that reads for long while its trigger is activated again would bring the former monitor back.
 */
const latest = new Map<string, KnownMonitorOf>();

/** The static data itself, to be changed in place; what another trigger has left in it is gone. */
export function rememberedOf(ctx: Triggering): Remembered {
	const data: Remembered = ctx.getWorkflowStaticData('node');
	const owner = ownerOf(ctx);
	if (data.owner !== owner) {
		forgetMonitor(data);
		delete data.seen;
		data.owner = owner;
	}
	return data;
}

/**
 * The same for a call. A call that comes while its trigger is being activated finds nothing of its own yet and
 * gets a copy: to change what n8n stores then would take away what the activation is about to store.
 */
export function rememberedForCall(ctx: Triggering, url: string | undefined): Remembered {
	const data: Remembered = ctx.getWorkflowStaticData('node');
	if (data.owner !== ownerOf(ctx)) return { ...(url !== undefined && latest.get(url)) };
	const known = url === undefined ? undefined : latest.get(url);
	if (known && (known.monitorId !== data.monitorId || known.secret !== data.secret)) {
		forgetMonitor(data);
		Object.assign(data, known);
	}
	return data;
}

/** To be called when an activation or a deactivation has done its work. */
export function noteLatest(url: string, { monitorId, isOwn, secret }: Remembered): void {
	if (monitorId === undefined) latest.delete(url);
	else {
		latest.set(url, {
			monitorId,
			...(isOwn !== undefined && { isOwn }),
			...(secret !== undefined && { secret }),
		});
	}
}

/** To be called when the trigger has no monitor any more. */
export function forgetMonitor(data: Remembered): void {
	delete data.monitorId;
	delete data.isOwn;
	delete data.secret;
	delete data.firstCheckId;
}
