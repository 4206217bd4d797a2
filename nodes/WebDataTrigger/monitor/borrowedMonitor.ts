import type { KnownMonitor } from './monitors';
import { borrowedHook, isBorrowed, isOwn, secretOf } from './monitorWebhook';
import type { Existing } from './settings';
import { badInput, newSecret } from './triggerMonitors';
import type { TriggerMonitors } from './triggerMonitors';

/** Keeps the chosen monitor where it calls this trigger as the panel asks for it, and releases all others. */
export async function keepBorrowed(
	trigger: TriggerMonitors,
	{ existingId, events }: Existing,
): Promise<boolean> {
	const ours = await trigger.all();
	const borrowed = ours.find((one) => one.id === existingId && isBorrowed(one));
	await trigger.release(ours.filter((one) => one !== borrowed));
	const { hook } = borrowed ?? {};
	if (!borrowed || hook?.url !== trigger.url || String(hook.events) !== String(events))
		return false;
	trigger.remember(existingId, false, secretOf(borrowed));
	return true;
}

/** Sets the webhook of the chosen monitor, unless another trigger has done so and not given it back. */
export async function borrow(
	trigger: TriggerMonitors,
	{ existingId, events, takesOver }: Existing,
): Promise<void> {
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
		`The monitor ${id} is in use by the workflow at ${hook?.url ?? ''}: deactivate that one first, choose another monitor, or add the option "Take Over", after which that workflow is told nothing more.`,
	);
}
