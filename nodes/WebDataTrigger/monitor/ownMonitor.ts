import { NodeOperationError } from 'n8n-workflow';
import type { IHookFunctions } from 'n8n-workflow';
import { unexpectedError } from '../../run/errors/unexpectedError';
import { InFlightStarts } from '../../run/ledger/entries';
import { isPublicHost } from '../../text/publicAddress';
import { ServiceFailure, failureOrThrow, isAnswerLost } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';
import {
	asUpdate,
	chosenMonitorId,
	copyOf,
	fingerprintOf,
	isAsWanted,
	oldestFirst,
	readWatching,
} from './monitorSettings';
import type { Existing, Own, Watching } from './monitorSettings';
import { borrowedHook, isBorrowed, isOwn, ownHook, secretOf } from './monitors';
import type { KnownMonitor } from './monitors';
import {
	TriggerMonitors,
	badInput,
	forgetMonitor,
	newSecret,
	noteLatest,
	rememberedOf,
	tellUnfinished,
	unexpected,
	unknownCallersText,
	webhookUrlOf,
} from './triggerMonitors';

/**
 * Keeps the oldest monitor that the trigger has made, updated to what the panel asks for, and releases all
 * others; false where there is none.
 */
async function keepOwn(trigger: TriggerMonitors, watching: Own): Promise<boolean> {
	const ours = await trigger.all();
	const made = ours.filter((one) => trigger.hasMade(one));
	const [kept] = oldestFirst(made);
	if (!kept) {
		await trigger.release(ours.filter((one) => !made.includes(one)));
		return false;
	}
	await takeOn(trigger, kept, watching);
	await trigger.releaseBeside(ours.filter(({ id }) => id !== kept.id));
	return true;
}

/** Makes a monitor that makes one check of what the panel asks for. */
async function makeForTest(trigger: TriggerMonitors, watching: Watching): Promise<void> {
	// Releases the monitors of a test that n8n was killed in.
	await trigger.release(await trigger.all());
	forgetMonitor(trigger.remembered);
	const settings = 'own' in watching ? watching.own : copyOf(await trigger.existing(watching.existingId));
	const made = await make(trigger, { ...settings, name: 'n8n: test run' }, watching.events);
	// Should n8n not live to remove it, a paused one costs nothing more.
	const pause = { status: 'paused' };
	await trigger.monitors
		.run(made.id)
		.then(async () => await trigger.monitors.update(made.id, pause))
		.catch(async (error: unknown) => {
			await trigger.release([made]);
			throw error;
		});
}

async function make(trigger: TriggerMonitors, settings: JsonObject, events: string[]): Promise<KnownMonitor> {
	const { url } = trigger;
	const secret = newSecret();
	const webhook = ownHook({ url, secret, events }, fingerprintOf(settings));
	const made = await trigger.monitors
		.create({ ...settings, webhook }, (one) => isOwn(one) && one.hook?.url === url)
		.catch((error: unknown) => {
			const failure = failureOrThrow(error);
			if (!isAnswerLost(failure)) throw failure;
			throw unexpected(unknownCallersText(url, failure.message));
		});
	if (!made) throw unexpected(NO_MONITOR);
	trigger.remember(made.id, true, secretOf(made) ?? secret);
	return made;
}

/** Remembers a monitor that the trigger has made, updated where it is not as the panel asks for it. */
async function takeOn(trigger: TriggerMonitors, monitor: KnownMonitor, { own, events }: Own): Promise<void> {
	const { url } = trigger;
	const known = secretOf(monitor);
	const secret = known ?? newSecret();
	if (known === undefined || !isAsWanted(monitor, { url, events, settings: own })) {
		const webhook = ownHook({ url, secret, events }, fingerprintOf(own));
		await trigger.monitors.update(monitor.id, { ...asUpdate(own, monitor), webhook });
	}
	trigger.remember(monitor.id, true, secret);
}

const NO_MONITOR =
	'Firecrawl created a monitor but did not return its ID. Check Monitor · Get Many before you publish the workflow again (n8n 1: activate it).';

/** Keeps the chosen monitor where it calls this trigger as the panel asks for it, and releases all others. */
async function keepBorrowed(trigger: TriggerMonitors, { existingId, events }: Existing): Promise<boolean> {
	const ours = await trigger.all();
	const borrowed = ours.find((one) => one.id === existingId && isBorrowed(one));
	await trigger.release(ours.filter((one) => one !== borrowed));
	const { hook } = borrowed ?? {};
	if (!borrowed || hook?.url !== trigger.url || String(hook.events) !== String(events)) return false;
	trigger.remember(existingId, false, secretOf(borrowed));
	return true;
}

/** Sets the webhook of the chosen monitor, unless another trigger has done so and not given it back. */
async function borrow(trigger: TriggerMonitors, { existingId, events, takesOver }: Existing): Promise<void> {
	const monitor = await trigger.existing(existingId);
	if (!trigger.isOurs(monitor)) throwIfTaken(monitor, takesOver);
	const secret = newSecret();
	const webhook = borrowedHook({ url: trigger.url, secret, events }, monitor.hook);
	await trigger.monitors.update(existingId, { webhook });
	trigger.remember(existingId, false, secret);
}

/** A monitor has one webhook: to set it would silence the other trigger. */
function throwIfTaken(monitor: KnownMonitor, takesOver: boolean): void {
	const { id, hook } = monitor;
	if (isOwn(monitor)) {
		throw badInput(
			`The monitor ${id} was made by the workflow at ${hook?.url ?? ''} and is removed with it: choose a monitor that you have made.`,
		);
	}
	if (takesOver || !isBorrowed(monitor)) return;
	throw badInput(
		`The monitor ${id} is in use by the workflow at ${hook?.url ?? ''}: deactivate that one first, choose another monitor, or add the option "Take Over", after which that workflow gets no more events.`,
	);
}

/** "Listen for test event": has its own address, and its own monitor that makes one check. */
const isTest = (ctx: IHookFunctions): boolean => ctx.getMode() === 'manual';

/** True when the service has what the panel asks for, if need be after an update. */
async function isRegistered(ctx: IHookFunctions, trigger: TriggerMonitors): Promise<boolean> {
	if (isTest(ctx)) return false;
	throwIfUnreachable(trigger);
	const watching = readWatching(ctx);
	return 'own' in watching ? await keepOwn(trigger, watching) : await keepBorrowed(trigger, watching);
}

/** Makes or borrows the monitor. Nothing is made that could not call this n8n. */
async function register(ctx: IHookFunctions, trigger: TriggerMonitors): Promise<void> {
	throwIfUnreachable(trigger);
	const watching = readWatching(ctx);
	if (isTest(ctx)) await makeForTest(trigger, watching);
	else if ('existingId' in watching) await borrow(trigger, watching);
	// Another activation of this trigger may have made it since n8n has asked.
	else if (!(await keepOwn(trigger, watching))) {
		forgetMonitor(trigger.remembered);
		await make(trigger, watching.own, watching.events);
	}
}

/** A service on the internet cannot call an n8n that is not. Throws a ServiceFailure that says what to set. */
function throwIfUnreachable({ url, monitors }: TriggerMonitors): void {
	const { protocol, hostname } = new URL(url);
	const isFine = protocol === 'https:' && isPublicHost(hostname);
	if (isFine || !isPublicHost(new URL(monitors.baseUrl).hostname)) return;
	throw badInput(
		`The service cannot call ${new URL(url).origin}: set N8N_WEBHOOK_URL (in older versions WEBHOOK_URL) of n8n to the https address that the internet knows it by, or use Web Data Poll Trigger.`,
	);
}

const watchesWebsites = (ctx: IHookFunctions): boolean =>
	ctx.getNodeParameter('event', 'websiteChanged') === 'websiteChanged';

/** True when there is something to remove although the panel may not ask for a monitor any more. */
const hasMonitor = ({ remembered }: TriggerMonitors): boolean => remembered.monitorId !== undefined;

/**
 * n8n 1.123 asks at each activation and at each of its starts, n8n 2.40 at activations only, and both when the
 * workflow was saved; a failed activation ends with a deactivation.
 */
export async function checkExists(ctx: IHookFunctions): Promise<boolean> {
	tellUnfinished(ctx);
	return await alone(ctx, async (trigger) => {
		if (watchesWebsites(ctx)) return await isRegistered(ctx, trigger);
		if (hasMonitor(trigger)) await trigger.releaseAll();
		// A job's start names the address itself: there is nothing to register.
		return true;
	});
}

export async function create(ctx: IHookFunctions): Promise<boolean> {
	return await alone(ctx, async (trigger) => {
		if (watchesWebsites(ctx)) await register(ctx, trigger);
		return true;
	});
}

export async function remove(ctx: IHookFunctions): Promise<boolean> {
	return await alone(ctx, async (trigger) => {
		if (watchesWebsites(ctx) || hasMonitor(trigger)) await trigger.releaseAll();
		return true;
	});
}

/** All activations and deactivations of this process, by the triggers and the monitors that they are about. */
const underWay = {};

/**
 * Does the work when no other activation or deactivation of this trigger, or of its monitor, is at work. What the
 * service says is thrown as a NodeOperationError whose message is set last, because n8n replaces some.
 */
async function alone(ctx: IHookFunctions, work: (trigger: TriggerMonitors) => Promise<boolean>): Promise<boolean> {
	const turn = new InFlightStarts(underWay);
	try {
		const about = [webhookUrlOf(ctx), rememberedOf(ctx).monitorId, chosenMonitorId(ctx)];
		const names = about.filter((name) => name !== undefined);
		await turn.take(names, async () => await new Promise<void>(() => undefined));
		const trigger = await TriggerMonitors.of(ctx);
		const isThere = await work(trigger);
		if (isThere) noteLatest(trigger.url, trigger.remembered);
		return isThere;
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
