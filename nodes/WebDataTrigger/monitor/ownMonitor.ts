import { failureOrThrow, isAnswerLost } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';
import type { KnownMonitor } from './monitors';
import { isOwn, ownHook, secretOf } from './monitorWebhook';
import { unknownCallersText } from './releaseMonitors';
import { forgetMonitor } from './remembered';
import type { Own, Watching } from './settings';
import { newSecret, unexpected } from './triggerMonitors';
import type { TriggerMonitors } from './triggerMonitors';
import { asUpdate, copyOf, fingerprintOf, isAsWanted, oldestFirst } from './wanted';

/**
 * Keeps the oldest monitor that the trigger has made, updated to what the panel asks for, and releases all
 * others; false where there is none.
 */
export async function keepOwn(trigger: TriggerMonitors, watching: Own): Promise<boolean> {
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

/** Makes a monitor, unless another process of n8n has done so at the same moment: then the older one stays. */
export async function makeOnlyOne(trigger: TriggerMonitors, watching: Own): Promise<void> {
	forgetMonitor(trigger.remembered);
	const made = await make(trigger, watching.own, watching.events);
	const others = await trigger.listed().catch(() => []);
	const [older = made] = oldestFirst([made, ...others.filter(isOwn)]);
	if (older === made) return;
	await takeOn(trigger, older, watching);
	await trigger.releaseBeside([made]);
}

/** Makes a monitor that makes one check of what the panel asks for. */
export async function makeForTest(trigger: TriggerMonitors, watching: Watching): Promise<void> {
	// What a test before left that n8n was killed in.
	await trigger.release(await trigger.all());
	forgetMonitor(trigger.remembered);
	const settings =
		'own' in watching ? watching.own : copyOf(await trigger.existing(watching.existingId));
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

async function make(
	trigger: TriggerMonitors,
	settings: JsonObject,
	events: string[],
): Promise<KnownMonitor> {
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
async function takeOn(
	trigger: TriggerMonitors,
	monitor: KnownMonitor,
	{ own, events }: Own,
): Promise<void> {
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
	'Firecrawl created a monitor but did not return its ID. Check Monitor · Get Many before you activate the workflow again.';
