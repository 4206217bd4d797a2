import { createHash } from 'node:crypto';

import { isJsonObject } from '../../service/http/answer';
import type { JsonObject } from '../../service/http/transport';
import { withIsoDates } from '../../WebData/operation/recordFields';
import type { KnownMonitor } from './monitors';

/** What tells whether the settings that a monitor was made with are those of today. */
export function fingerprintOf(settings: JsonObject): string {
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
	return JSON.stringify(list.filter(isJsonObject).map(({ type, url, urls, queries }) => [type, url, urls, queries]));
}

/**
 * The settings as an update: targets that watch the same, or are of the same kind and in the same place, keep
 * their id, and with it their history (recordings monitor-51 to monitor-54).
 */
export function asUpdate(settings: JsonObject, { record }: KnownMonitor): JsonObject {
	const known = (Array.isArray(record.targets) ? record.targets : []).filter(isJsonObject);
	const targets = (Array.isArray(settings.targets) ? settings.targets : []).map((target: unknown, index) => {
		if (!isJsonObject(target) || target.id !== undefined) return target;
		const atIndex = known[index]?.type === target.type ? known[index] : undefined;
		const same = known.find((one) => watchedIn([one]) === watchedIn([target])) ?? atIndex;
		return same ? { ...target, id: same.id } : target;
	});
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

/** The oldest first, in an order that every process of n8n comes to. */
export function oldestFirst(monitors: readonly KnownMonitor[]): KnownMonitor[] {
	return monitors
		.map((monitor) => ({ monitor, madeAtMs: madeAtMs(monitor) }))
		.sort((left, right) => left.madeAtMs - right.madeAtMs || compare(left.monitor, right.monitor))
		.map(({ monitor }) => monitor);
}

/** One that does not say when it was made counts as the newest. */
function madeAtMs({ record }: KnownMonitor): number {
	const { createdAt } = withIsoDates({ createdAt: record.createdAt });
	const ms = typeof createdAt === 'string' ? Date.parse(createdAt) : NaN;
	return Number.isNaN(ms) ? Number.MAX_SAFE_INTEGER : ms;
}

function compare(left: KnownMonitor, right: KnownMonitor): number {
	return left.id < right.id ? -1 : 1;
}
