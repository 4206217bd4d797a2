import { isJsonObject } from '../../service/http/answer';
import type { JsonObject } from '../../service/http/transport';
import { SECRET_HEADER } from '../../service/webhooks/signatureCheck';
import { readHook } from './monitors';
import type { KnownMonitor, MonitorHook } from './monitors';

/** In the metadata of a webhook: which package has set it. */
const PACKAGE = 'n8n-nodes-web-data';

/** The webhook that a trigger sets: where it is called, with which secret, and of what. */
export interface TriggerHook {
	url: string;
	secret: string;
	events: string[];
}

/** What a webhook of a trigger's own monitor carries besides. */
export function ownHook({ url, secret, events }: TriggerHook, fingerprint: string): JsonObject {
	const metadata = { madeBy: PACKAGE, settings: fingerprint };
	return { url, headers: { [SECRET_HEADER]: secret }, metadata, events };
}

/**
 * The webhook of a monitor that is somebody's own. The one that its owner had set goes along in the metadata:
 * there it outlives everything that n8n may lose.
 */
export function borrowedHook(
	{ url, secret, events }: TriggerHook,
	current: MonitorHook | undefined,
): JsonObject {
	const earlier = current && ownersHook(current);
	const metadata = {
		borrowedBy: PACKAGE,
		...(earlier && earlier.url !== url && { earlierWebhook: JSON.stringify(earlier) }),
	};
	return { url, headers: { [SECRET_HEADER]: secret }, metadata, events };
}

/**
 * What a monitor without an earlier webhook is left with, since the service has no way to remove one: without
 * the secret, with the fewest calls, and marked as nobody's, so that another trigger may take the monitor.
 */
export function releasedHook({ url }: MonitorHook): JsonObject {
	return {
		url,
		headers: {},
		metadata: { releasedBy: PACKAGE },
		events: ['monitor.check.completed'],
	};
}

/** Whether a trigger has made the monitor. */
export function isOwn({ hook }: Pick<KnownMonitor, 'hook'>): boolean {
	return hook?.metadata.madeBy === PACKAGE;
}

/** Whether a trigger has borrowed the monitor and not given it back. Earlier versions left their secret only. */
export function isBorrowed({ hook }: Pick<KnownMonitor, 'hook'>): boolean {
	if (!hook || isOwn({ hook }) || isReleased({ hook })) return false;
	return hook.metadata.borrowedBy === PACKAGE || /^[0-9a-f]{48}$/.test(secretOf({ hook }) ?? '');
}

/** Whether the webhook is what a trigger had to leave behind. */
export function isReleased({ hook }: Pick<KnownMonitor, 'hook'>): boolean {
	return hook?.metadata.releasedBy === PACKAGE;
}

/** The secret that the monitor's calls carry. */
export function secretOf({ hook }: Pick<KnownMonitor, 'hook'>): string | undefined {
	const secret = hook?.headers[SECRET_HEADER];
	return typeof secret === 'string' && secret !== '' ? secret : undefined;
}

/**
 * The webhook that the owner of a monitor has set, as an update takes it; undefined where there was none.
 * Earlier versions have stored the webhooks of several triggers one in the other.
 */
export function ownersHook(hook: MonitorHook): JsonObject | undefined {
	if (isReleased({ hook })) return undefined;
	if (!isBorrowed({ hook })) return { ...hook };
	const earlier = parsed(hook.metadata.earlierWebhook);
	const inside = readHook(earlier);
	if (!inside) return undefined;
	return isBorrowed({ hook: inside }) || isReleased({ hook: inside })
		? ownersHook(inside)
		: earlier;
}

function parsed(text: unknown): JsonObject | undefined {
	if (typeof text !== 'string') return undefined;
	try {
		const value: unknown = JSON.parse(text);
		return isJsonObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}
