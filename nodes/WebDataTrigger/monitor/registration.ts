import { randomBytes } from 'node:crypto';

import type { IHookFunctions } from 'n8n-workflow';

import { asFailure, ServiceFailure } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';
import { connect } from '../../WebData/run/connection/connect';
import { isPublicHost } from '../../WebData/run/output/publicAddress';
import { Monitors } from './monitors';
import type { KnownMonitor } from './monitors';
import { forgetMonitor, noteLatest, rememberedOf } from './remembered';
import type { Remembered } from './remembered';
import { readWatching } from './settings';
import type { Watching } from './settings';
import {
	asUpdate,
	borrowedHook,
	copyOf,
	earlierHook,
	isAsWanted,
	isOwn,
	ownHook,
	secretOf,
} from './wanted';

const SECRET_BYTES = 24;

/**
 * One trigger's monitor at the service. n8n 1.123 checks it at each activation and at each of its starts, n8n
 * 2.40 at activations only (workflow-publication-reconciler.service.js), and both when it was saved. Which monitors call this trigger is asked of the service each time
 * and never only remembered, so nothing that n8n loses leaves one behind or makes two. Methods throw
 * ServiceFailures.
 */
export class Registration {
	private constructor(
		private readonly ctx: IHookFunctions,
		private readonly monitors: Monitors,
		private readonly serviceUrl: string,
		private readonly url: string,
		private readonly remembered: Remembered,
	) {}

	static async of(ctx: IHookFunctions): Promise<Registration> {
		const client = await connect(ctx);
		const url = ctx.getNodeWebhookUrl('default') ?? '';
		return new Registration(ctx, new Monitors(client), client.baseUrl, url, rememberedOf(ctx));
	}

	/** "Listen for test event": has an address of its own, and a monitor of its own that looks once. */
	private get isTest(): boolean {
		return this.ctx.getMode() === 'manual';
	}

	/** True when the service has what the panel asks for, if need be mended now. */
	async check(): Promise<boolean> {
		if (this.isTest) return false;
		throwIfUnreachable(this.url, this.serviceUrl);
		const watching = readWatching(this.ctx);
		const ours = await this.callers();
		if ('existingId' in watching) {
			const { existingId, events } = watching;
			await this.release(ours.filter((one) => isOwn(one) || one.id !== existingId));
			const hook = ours.find((one) => one.id === existingId && !isOwn(one))?.hook;
			if (hook?.url !== this.url || String(hook.events) !== String(events)) return false;
			this.remember(
				existingId,
				false,
				ours.find(({ id }) => id === existingId),
			);
			return true;
		}
		const own = ours.filter(isOwn);
		const kept = own.find(({ id }) => id === this.remembered.monitorId) ?? own[0];
		await this.release(ours.filter((one) => one !== kept));
		if (!kept) return false;
		const wanted = { url: this.url, events: watching.events, settings: watching.own };
		if (!isAsWanted(kept, wanted) || secretOf(kept) === undefined) {
			const secret = secretOf(kept) ?? newSecret();
			const webhook = ownHook({ ...wanted, secret }, watching.own);
			await this.monitors.update(kept.id, { ...asUpdate(watching.own, kept), webhook });
			this.remember(kept.id, true, kept, secret);
		} else this.remember(kept.id, true, kept);
		noteLatest(this.url, this.remembered);
		return true;
	}

	/** Makes or takes the monitor. Nothing is made that could not call this n8n. */
	async create(): Promise<void> {
		throwIfUnreachable(this.url, this.serviceUrl);
		const watching = readWatching(this.ctx);
		// What a test before left that n8n was killed in.
		await this.release(await this.callers());
		forgetMonitor(this.remembered);
		if (this.isTest) await this.createForTest(watching);
		else if ('existingId' in watching) await this.borrow(watching.existingId, watching.events);
		else await this.make(watching.own, watching.events);
		noteLatest(this.url, this.remembered);
	}

	/** Removes the monitor, or puts back the webhook that it had before. */
	async remove(): Promise<void> {
		await this.release(await this.callers());
		forgetMonitor(this.remembered);
		noteLatest(this.url, this.remembered);
	}

	/** True when there is something to remove although the panel no longer asks for a monitor. */
	get hasMonitor(): boolean {
		return this.remembered.monitorId !== undefined;
	}

	/** The monitors that call this address, and the one that was remembered where it is a trigger's own. */
	private async callers(): Promise<KnownMonitor[]> {
		const { monitorId, isOwn: wasOwn } = this.remembered;
		return (await this.monitors.list()).filter(
			(one) =>
				one.hook?.url === this.url || (one.id === monitorId && wasOwn === true && isOwn(one)),
		);
	}

	private async release(monitors: KnownMonitor[]): Promise<void> {
		for (const monitor of monitors) {
			if (isOwn(monitor)) {
				await this.monitors.remove(monitor.id);
				continue;
			}
			const webhook = monitor.hook && earlierHook(monitor.hook);
			if (webhook) await this.monitors.update(monitor.id, { webhook });
			else {
				this.ctx.logger.info(
					`The monitor ${monitor.id} had no webhook before and keeps this one: the service cannot remove it.`,
				);
			}
		}
	}

	private async make(settings: JsonObject, events: string[]): Promise<KnownMonitor> {
		const secret = newSecret();
		const webhook = ownHook({ url: this.url, secret, events }, settings);
		const made = await this.monitors
			.create({ ...settings, webhook })
			.catch(async (error: unknown) => {
				const failure = asFailure(error);
				// It may be there all the same: a second one would be paid for beside it.
				const found = failure.reached === 'maybe' ? (await this.callers()).find(isOwn) : undefined;
				if (!found) throw failure;
				return found;
			});
		if (!made) throw new ServiceFailure(NO_MONITOR);
		this.remember(made.id, true, made, secret);
		return made;
	}

	private async borrow(id: string, events: string[]): Promise<void> {
		const monitor = await this.existing(id);
		const secret = newSecret();
		const webhook = borrowedHook({ url: this.url, secret, events }, monitor.hook);
		await this.monitors.update(id, { webhook });
		this.remember(id, false, monitor, secret);
	}

	private async createForTest(watching: Watching): Promise<void> {
		const settings =
			'own' in watching ? watching.own : copyOf(await this.existing(watching.existingId));
		const made = await this.make({ ...settings, name: 'n8n: test run' }, watching.events);
		// Should n8n not live to remove it, a paused one costs nothing more.
		const pause = { status: 'paused' };
		await this.monitors
			.run(made.id)
			.then(async () => await this.monitors.update(made.id, pause))
			.catch(async (error: unknown) => {
				await this.monitors.remove(made.id);
				throw asFailure(error);
			});
	}

	private async existing(id: string): Promise<KnownMonitor> {
		const monitor = await this.monitors.find(id);
		if (monitor) return monitor;
		throw new ServiceFailure({
			kind: 'badInput',
			reached: 'no',
			message: `There is no monitor ${id} (any more): choose another one in "Existing Monitor".`,
		});
	}

	private remember(
		id: string,
		own: boolean,
		monitor: KnownMonitor | undefined,
		secret = monitor && secretOf(monitor),
	): void {
		const { remembered } = this;
		if (remembered.monitorId !== id) forgetMonitor(remembered);
		remembered.monitorId = id;
		remembered.isOwn = own;
		if (secret !== undefined) remembered.secret = secret;
	}
}

const NO_MONITOR = {
	kind: 'http',
	reached: 'maybe',
	message:
		'The service said that it made a monitor, but not which: look at Monitor · Get Many before you activate again.',
} as const;

const newSecret = (): string => randomBytes(SECRET_BYTES).toString('hex');

/** A service on the internet cannot call an n8n that is not. Throws a ServiceFailure that says what to set. */
function throwIfUnreachable(url: string, serviceUrl: string): void {
	const { protocol, hostname } = new URL(url);
	const isFine = protocol === 'https:' && isPublicHost(hostname);
	if (isFine || !isPublicHost(new URL(serviceUrl).hostname)) return;
	throw new ServiceFailure({
		kind: 'badInput',
		reached: 'no',
		message: `The service cannot call ${new URL(url).origin}: set WEBHOOK_URL of n8n to the https address that the internet knows it by, or use Web Data Poll Trigger.`,
	});
}
