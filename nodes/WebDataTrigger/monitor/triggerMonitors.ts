import type { FunctionsBase, IDataObject, IHookFunctions, Logger } from 'n8n-workflow';
import { randomBytes } from 'node:crypto';
import { connect } from '../../run/connection/connect';
import { ServiceFailure, reasonOf } from '../../service/http/failure';
import { shownAddress } from '../../service/secrets';
import { websiteChangedFields } from '../panel/websiteChanged';
import { Monitors, isBorrowed, isOwn, isReleased, ownersHook, releasedHook, secretOf } from './monitors';
import type { KnownMonitor } from './monitors';

const SECRET_BYTES = 24;

/**
 * The monitors of the account that belong to a trigger. That is asked of the service each time and never only
 * remembered, so nothing that n8n loses leaves one behind or makes two. Methods throw ServiceFailures.
 */
export class TriggerMonitors {
	/** `url`: where the service calls the trigger. */
	constructor(
		readonly monitors: Monitors,
		readonly url: string,
		readonly remembered: Remembered,
		private readonly logger: Logger,
	) {}

	static async of(ctx: IHookFunctions): Promise<TriggerMonitors> {
		const monitors = new Monitors(await connect(ctx, websiteChangedFields));
		return new TriggerMonitors(monitors, webhookUrlOf(ctx), rememberedOf(ctx), ctx.logger);
	}

	/**
	 * The monitors that call this trigger, as they are now, and the remembered one where n8n's address has changed
	 * since. That one is asked for by its ID, too: the list may not show it yet.
	 */
	async all(): Promise<KnownMonitor[]> {
		const known = await this.findRemembered();
		return [...(known ? [known] : []), ...(await this.listed())];
	}

	/** Those of the list but for the remembered one, each as it is now: the list may lag behind. */
	async listed(): Promise<KnownMonitor[]> {
		const { monitorId } = this.remembered;
		const ours = (await this.monitors.list()).filter((one) => one.id !== monitorId && this.isOurs(one));
		const now = await Promise.all(ours.map(async ({ id }) => await this.monitors.find(id)));
		return now.flatMap((one) => (one && this.isOurs(one) ? one : []));
	}

	isOurs(monitor: KnownMonitor): boolean {
		const { monitorId, secret } = this.remembered;
		if (isReleased(monitor)) return false;
		if (monitor.hook?.url === this.url) return true;
		if (monitor.id !== monitorId) return false;
		if (isOwn(monitor)) return this.remembered.isOwn === true;
		return isBorrowed(monitor) && secret !== undefined && secretOf(monitor) === secret;
	}

	/** Whether this trigger has made it, also where the mark that says so was lost by an edit at the service. */
	hasMade(monitor: KnownMonitor): boolean {
		if (isOwn(monitor)) return this.isOurs(monitor);
		const { monitorId, isOwn: wasOwn } = this.remembered;
		return wasOwn === true && monitor.id === monitorId && monitor.hook?.url === this.url;
	}

	/** Throws when there is none (any more). */
	async existing(id: string): Promise<KnownMonitor> {
		const monitor = await this.monitors.find(id);
		if (monitor) return monitor;
		throw badInput(`There is no monitor ${id} (any more): choose another one in "Existing Monitor".`);
	}

	/**
	 * Releases all of them and forgets them; where that fails nothing is forgotten. The remembered one is looked
	 * up by its id, so that it goes even where the list of monitors cannot be had.
	 */
	async releaseAll(): Promise<void> {
		const known = await this.findRemembered().catch((error: unknown) => {
			const { monitorId: id = '', isOwn: wasOwn } = this.remembered;
			const what = { id, isOwn: wasOwn === true };
			throw unexpected(notReleasedText(what, this.url, reasonOf(error)));
		});
		await this.release(known ? [known] : []);
		const others = await this.listed().catch((error: unknown) => {
			const text = unknownCallersText(this.url, reasonOf(error));
			if (!known) throw unexpected(text);
			this.logger.warn(text);
			return [];
		});
		await this.release(others);
		forgetMonitor(this.remembered);
	}

	/** The remembered one where it is this trigger's still. One that is gone is forgotten. */
	private async findRemembered(): Promise<KnownMonitor | undefined> {
		const { monitorId, isOwn: wasOwn } = this.remembered;
		if (monitorId === undefined) return undefined;
		const found = await this.monitors.findMade(monitorId);
		if (found) return this.isOurs(found) ? found : undefined;
		this.logger.warn(goneText({ id: monitorId, isOwn: wasOwn === true }, this.url));
		forgetMonitor(this.remembered);
		return undefined;
	}

	/** Removes those that this trigger has made, gives the others back. Throws what names those that stay. */
	async release(list: readonly KnownMonitor[]): Promise<void> {
		const { monitors, url, logger } = this;
		const hasMade = (monitor: KnownMonitor): boolean => this.hasMade(monitor);
		await releaseMonitors({ monitors, url, logger, hasMade }, list);
	}

	/** The same beside a monitor that is as it should be: what fails is told in the log, and tried again next time. */
	async releaseBeside(list: readonly KnownMonitor[]): Promise<void> {
		await this.release(list).catch((error: unknown) => this.logger.warn(reasonOf(error)));
	}

	remember(id: string, own: boolean, secret: string | undefined): void {
		const { remembered } = this;
		if (remembered.monitorId !== id) forgetMonitor(remembered);
		remembered.monitorId = id;
		remembered.isOwn = own;
		if (secret !== undefined) remembered.secret = secret;
	}
}

export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('hex');

/** The service did what nobody expects. */
export function unexpected(message: string): ServiceFailure {
	return new ServiceFailure({ kind: 'http', mayHaveExecuted: true, message });
}

export function badInput(message: string): ServiceFailure {
	return new ServiceFailure({ kind: 'badInput', mayHaveExecuted: false, message });
}

/** The way out of what could not be released. */
const OR_AGAIN = 'or publish the workflow again and then unpublish it (n8n 1: activate, deactivate)';

interface Releasing {
	monitors: Monitors;
	/** The address that the monitors call. */
	url: string;
	logger: Logger;
	/** Whether the trigger has made the monitor. */
	hasMade(monitor: KnownMonitor): boolean;
}

/**
 * Removes monitors that a trigger has made, and gives back those that it has borrowed. Throws a ServiceFailure
 * that names each one that could not be released, and what to do about it, after all have been tried.
 */
async function releaseMonitors(
	{ monitors, url, logger, hasMade }: Releasing,
	list: readonly KnownMonitor[],
): Promise<void> {
	const problems: string[] = [];
	for (const monitor of list) {
		const { id, hook } = monitor;
		const isOwn = hasMade(monitor);
		try {
			if (isOwn) await monitors.remove(id);
			else await giveBack(monitors, monitor, logger);
		} catch (error) {
			const earlierUrl = hook && ownersHook(hook)?.url;
			problems.push(notReleasedText({ id, isOwn, earlierUrl }, url, reasonOf(error)));
		}
	}
	if (problems.length === 0) return;
	throw new ServiceFailure({ kind: 'http', mayHaveExecuted: true, message: problems.join(' ') });
}

async function giveBack(monitors: Monitors, { id, hook }: KnownMonitor, logger: Logger): Promise<void> {
	if (!hook || !isBorrowed({ hook })) return;
	const earlier = ownersHook(hook);
	await monitors.update(id, { webhook: earlier ?? releasedHook(hook) });
	if (earlier) return;
	logger.info(
		`The monitor ${id} had no webhook before. The service cannot remove one, so the address of this workflow stays with it: its calls get 404.`,
	);
}

/** The log line for a monitor that could not be released: which, why, and how a person does it. */
function notReleasedText(
	{ id, isOwn, earlierUrl }: { id: string; isOwn: boolean; earlierUrl?: unknown },
	url: string,
	reason: string,
): string {
	if (isOwn) {
		return `The monitor ${id} of ${url} could not be removed, and each of its checks costs credits: ${reason} Delete it with Monitor · Delete of Web Data, ${OR_AGAIN}.`;
	}
	// Whoever has the whole address may call it; the monitor keeps it.
	const before =
		typeof earlierUrl === 'string'
			? `its webhook to the earlier one at ${shownAddress(earlierUrl)}`
			: 'another webhook';
	return `The monitor ${id} still calls ${url}: ${reason} Set ${before} with Monitor · Update of Web Data, ${OR_AGAIN}.`;
}

/** The error for a remembered monitor that the service does not know: it may be in another account. */
function goneText({ id, isOwn }: { id: string; isOwn: boolean }, url: string): string {
	const after = isOwn ? 'delete it there, since each of its checks costs credits' : 'set its webhook there';
	return `The service does not know the monitor ${id} of ${url} any more. If the credential has got the key of another account, ${after}.`;
}

/** The error where the service does not tell which monitors call an address. */
export function unknownCallersText(url: string, reason: string): string {
	return `It is not known whether a monitor calls ${url}: ${reason} Look for this webhook in Monitor · Get Many of Web Data and delete the monitor there, ${OR_AGAIN}.`;
}

/** A trigger's monitor, as far as it is known. */
interface KnownMonitorOf {
	monitorId?: string;
	/** True where a trigger made the monitor. */
	isOwn?: boolean;
	/** The secret in the header of its calls. */
	secret?: string;
}

/**
 * The trigger's memory in its workflow's static data. Stored with workflows: do not rename. Everything but `seen` can
 * be had from the service again.
 */
export interface Remembered extends KnownMonitorOf, IDataObject {
	/** The trigger that it belongs to: static data is copied with a workflow, the monitor is not. */
	owner?: string;
	/** The check that later ones are compared with. */
	firstCheckId?: string;
	/** Keys of the latest events (SeenDeliveries). */
	seen?: string[];
	/** Events that were answered before they were read, and are not read to their end: `crawl.completed of ID`. */
	unfinished?: string[];
}

/** Names what n8n has not read to its end when it was killed. To be called when a workflow is activated. */
export function tellUnfinished(ctx: Triggering & { logger: Logger }): void {
	const remembered = rememberedOf(ctx);
	const { unfinished } = remembered;
	if (!Array.isArray(unfinished) || unfinished.length === 0) return;
	delete remembered.unfinished;
	ctx.logger.warn(
		`Web Data Trigger answered these events before they were read, and n8n may have ended meanwhile: ${unfinished.join(', ')}. Where nothing was started for one, Get of Web Data reads it by its ID.`,
	);
}

type Triggering = Pick<FunctionsBase, 'getWorkflowStaticData' | 'getInstanceId' | 'getWorkflow' | 'getNode'>;

const ownerOf = (ctx: Triggering): string => [ctx.getInstanceId(), ctx.getWorkflow().id, ctx.getNode().id].join('/');

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
