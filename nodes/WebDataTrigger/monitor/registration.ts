import type { IHookFunctions } from 'n8n-workflow';

import { isPublicHost } from '../../WebData/run/output/publicAddress';
import { borrow, keepBorrowed } from './borrowedMonitor';
import { keepOwn, makeForTest, makeOnlyOne } from './ownMonitor';
import { noteLatest } from './remembered';
import { readWatching } from './settings';
import { badInput, TriggerMonitors } from './triggerMonitors';

/**
 * One trigger's monitor at the service. n8n 1.123 checks it at each activation and at each of its starts, n8n
 * 2.40 at activations only, and both when the workflow was saved; a failed activation ends with a deactivation.
 * Methods throw ServiceFailures; only one may be at work at a time.
 */
export class Registration {
	private constructor(
		private readonly ctx: IHookFunctions,
		private readonly trigger: TriggerMonitors,
	) {}

	static async of(ctx: IHookFunctions): Promise<Registration> {
		return new Registration(ctx, await TriggerMonitors.of(ctx));
	}

	/** "Listen for test event": has its own address, and its own monitor that makes one check. */
	private get isTest(): boolean {
		return this.ctx.getMode() === 'manual';
	}

	/** True when there is something to remove although the panel no longer asks for a monitor. */
	get hasMonitor(): boolean {
		return this.trigger.remembered.monitorId !== undefined;
	}

	/** True when the service has what the panel asks for, if need be after an update. */
	async check(): Promise<boolean> {
		if (this.isTest) return false;
		const { trigger } = this;
		throwIfUnreachable(trigger);
		const watching = readWatching(this.ctx);
		const isThere =
			'own' in watching ? await keepOwn(trigger, watching) : await keepBorrowed(trigger, watching);
		if (isThere) this.noteLatest();
		return isThere;
	}

	/** Makes or borrows the monitor. Nothing is made that could not call this n8n. */
	async create(): Promise<void> {
		const { trigger } = this;
		throwIfUnreachable(trigger);
		const watching = readWatching(this.ctx);
		if (this.isTest) await makeForTest(trigger, watching);
		else if ('existingId' in watching) await borrow(trigger, watching);
		// Another activation of this trigger may have made it since n8n has asked.
		else if (!(await keepOwn(trigger, watching))) await makeOnlyOne(trigger, watching);
		this.noteLatest();
	}

	/** Removes the monitor, or puts back the webhook that it had before. Where that fails nothing is forgotten. */
	async remove(): Promise<void> {
		await this.trigger.releaseAll();
		this.noteLatest();
	}

	private noteLatest(): void {
		noteLatest(this.trigger.url, this.trigger.remembered);
	}
}

/** A service on the internet cannot call an n8n that is not. Throws a ServiceFailure that says what to set. */
function throwIfUnreachable({ url, monitors }: TriggerMonitors): void {
	const { protocol, hostname } = new URL(url);
	const isFine = protocol === 'https:' && isPublicHost(hostname);
	if (isFine || !isPublicHost(new URL(monitors.baseUrl).hostname)) return;
	throw badInput(
		`The service cannot call ${new URL(url).origin}: set WEBHOOK_URL of n8n to the https address that the internet knows it by, or use Web Data Poll Trigger.`,
	);
}
