import { createHash } from 'node:crypto';

import { isJsonObject } from '../../service/http/answer';
import type { JsonObject } from '../../service/http/transport';
import { SECRET_HEADER } from '../../service/webhooks/genuine';
import type { KnownMonitor, MonitorHook } from './monitors';

/** In the metadata of a webhook: the monitor was made by a trigger, which may remove it. */
const MADE_BY = 'n8n-nodes-web-data';

/** The webhook of an own monitor, with a mark and with what tells whether its settings have changed. */
export function ownHook(
	{ url, secret, events }: { url: string; secret: string; events: string[] },
	settings: JsonObject,
): JsonObject {
	const metadata = { madeBy: MADE_BY, settings: fingerprintOf(settings) };
	return { url, headers: { [SECRET_HEADER]: secret }, metadata, events };
}

/**
 * The webhook of a monitor that is somebody's own. The one it had before goes along in the metadata: there
 * it outlives everything that n8n may lose.
 */
export function borrowedHook(
	{ url, secret, events }: { url: string; secret: string; events: string[] },
	earlier: MonitorHook | undefined,
): JsonObject {
	const before = earlier?.url === url ? earlier.metadata.earlierWebhook : earlier;
	const text = typeof before === 'string' ? before : before && JSON.stringify(before);
	const metadata = text === undefined ? {} : { earlierWebhook: text };
	return { url, headers: { [SECRET_HEADER]: secret }, metadata, events };
}

/** The webhook that a borrowed monitor had before, as an update takes it; undefined where it had none. */
export function earlierHook({ metadata }: MonitorHook): JsonObject | undefined {
	if (typeof metadata.earlierWebhook !== 'string') return undefined;
	try {
		const earlier: unknown = JSON.parse(metadata.earlierWebhook);
		return isJsonObject(earlier) && typeof earlier.url === 'string' ? earlier : undefined;
	} catch {
		return undefined;
	}
}

/** Whether a trigger has made it. */
export function isOwn({ hook }: KnownMonitor): boolean {
	return hook?.metadata.madeBy === MADE_BY;
}

/** The secret that its calls carry. */
export function secretOf({ hook }: KnownMonitor): string | undefined {
	const secret = hook?.headers[SECRET_HEADER];
	return typeof secret === 'string' && secret !== '' ? secret : undefined;
}

function fingerprintOf(settings: JsonObject): string {
	return createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 24);
}

/**
 * Whether an own monitor still is what the panel asks for: it runs, calls this address, was made with these
 * settings, and what it watches was not changed at the service. Other settings come back in other words than
 * they were sent (recordings monitor-01, monitor-11), so a fingerprint that they carry is compared.
 */
export function isAsWanted(
	{ hook, record }: KnownMonitor,
	wanted: { url: string; events: string[]; settings: JsonObject },
): boolean {
	const isHookRight =
		hook?.url === wanted.url &&
		hook.metadata.settings === fingerprintOf(wanted.settings) &&
		hook.events.length === wanted.events.length &&
		wanted.events.every((event) => hook.events.includes(event));
	const isGoalRight = (record.goal ?? '') === (wanted.settings.goal ?? '');
	return (
		isHookRight &&
		isGoalRight &&
		record.status === 'active' &&
		watchedIn(record.targets) === watchedIn(wanted.settings.targets)
	);
}

/** What is watched, whatever else the service fills in. */
function watchedIn(targets: unknown): string {
	const list: unknown[] = Array.isArray(targets) ? targets : [];
	return JSON.stringify(
		list.filter(isJsonObject).map(({ type, url, urls, queries }) => [type, url, urls, queries]),
	);
}

/**
 * The settings as an update: targets that watch the same, or are of the same kind and in the same place, keep
 * their id, and with it their history (recordings monitor-51 to monitor-54).
 */
export function asUpdate(settings: JsonObject, { record }: KnownMonitor): JsonObject {
	const known = (Array.isArray(record.targets) ? record.targets : []).filter(isJsonObject);
	const targets = (Array.isArray(settings.targets) ? settings.targets : []).map(
		(target: unknown, index) => {
			if (!isJsonObject(target) || target.id !== undefined) return target;
			const atIndex = known[index]?.type === target.type ? known[index] : undefined;
			const same = known.find((one) => watchedIn([one]) === watchedIn([target])) ?? atIndex;
			return same ? { ...target, id: same.id } : target;
		},
	);
	return { ...settings, goal: settings.goal ?? null, targets, status: 'active' };
}

/** What a test run watches instead of somebody's monitor: the same, in a monitor of its own. */
export function copyOf({ record }: KnownMonitor): JsonObject {
	const targets = (Array.isArray(record.targets) ? record.targets : [])
		.filter(isJsonObject)
		.map((target) => Object.fromEntries(Object.entries(target).filter(([name]) => name !== 'id')));
	const { schedule, goal, judgeEnabled } = record;
	return {
		schedule,
		targets,
		...(typeof goal === 'string' && { goal }),
		...(typeof judgeEnabled === 'boolean' && { judgeEnabled }),
	};
}
