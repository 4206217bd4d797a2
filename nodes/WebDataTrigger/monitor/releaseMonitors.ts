import type { Logger } from 'n8n-workflow';

import { reasonOf, ServiceFailure } from '../../service/http/failure';
import type { KnownMonitor, Monitors } from './monitors';
import { isBorrowed, ownersHook, releasedHook } from './monitorWebhook';

/** The way out of what could not be released. */
const OR_AGAIN = 'or activate the workflow again and then deactivate it';

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
export async function releaseMonitors(
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
	throw new ServiceFailure({ kind: 'http', reached: 'maybe', message: problems.join(' ') });
}

async function giveBack(
	monitors: Monitors,
	{ id, hook }: KnownMonitor,
	logger: Logger,
): Promise<void> {
	if (!hook || !isBorrowed({ hook })) return;
	const earlier = ownersHook(hook);
	await monitors.update(id, { webhook: earlier ?? releasedHook(hook) });
	if (earlier) return;
	logger.info(
		`The monitor ${id} had no webhook before. The service cannot remove one, so the address of this workflow stays with it: its calls get 404.`,
	);
}

/** What to say of a monitor that could not be released: which, why, and how a person does it. */
export function notReleasedText(
	{ id, isOwn, earlierUrl }: { id: string; isOwn: boolean; earlierUrl?: unknown },
	url: string,
	reason: string,
): string {
	if (isOwn) {
		return `The monitor ${id} of ${url} could not be removed, and each of its checks costs credits: ${reason} Delete it with Monitor · Delete of Web Data, ${OR_AGAIN}.`;
	}
	const before =
		typeof earlierUrl === 'string' ? `its webhook to ${earlierUrl}` : 'another webhook';
	return `The monitor ${id} still calls ${url}: ${reason} Set ${before} with Monitor · Update of Web Data, ${OR_AGAIN}.`;
}

/** What to say of a remembered monitor that the service does not know: it may be in another account. */
export function goneText({ id, isOwn }: { id: string; isOwn: boolean }, url: string): string {
	const after = isOwn
		? 'delete it there, since each of its checks costs credits'
		: 'set its webhook there';
	return `The service does not know the monitor ${id} of ${url} any more. If the credential has got the key of another account, ${after}.`;
}

/** What to say where the service does not tell which monitors call an address. */
export function unknownCallersText(url: string, reason: string): string {
	return `It is not known whether a monitor calls ${url}: ${reason} Look for this webhook in Monitor · Get Many of Web Data and delete the monitor there, ${OR_AGAIN}.`;
}
