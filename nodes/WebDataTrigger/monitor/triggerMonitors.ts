import { randomBytes } from 'node:crypto';

import type { IHookFunctions, Logger } from 'n8n-workflow';

import { reasonOf, ServiceFailure } from '../../service/http/failure';
import { connect } from '../../WebData/run/connection/connect';
import { websiteChangedFields } from '../panel/websiteChanged';
import { Monitors } from './monitors';
import type { KnownMonitor } from './monitors';
import { isBorrowed, isOwn, isReleased, secretOf } from './monitorWebhook';
import { goneText, notReleasedText, releaseMonitors, unknownCallersText } from './releaseMonitors';
import { forgetMonitor, rememberedOf, webhookUrlOf } from './remembered';
import type { Remembered } from './remembered';

const SECRET_BYTES = 24;

/**
 * Which monitors of the account are a trigger's. That is asked of the service each time and never only
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
		const ours = (await this.monitors.list()).filter(
			(one) => one.id !== monitorId && this.isOurs(one),
		);
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
		throw badInput(
			`There is no monitor ${id} (any more): choose another one in "Existing Monitor".`,
		);
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
	return new ServiceFailure({ kind: 'http', reached: 'maybe', message });
}

export function badInput(message: string): ServiceFailure {
	return new ServiceFailure({ kind: 'badInput', reached: 'no', message });
}
