import type { IHookFunctions } from 'n8n-workflow';
import { createHash } from 'node:crypto';
import { chosenValue } from '../../fields/basic';
import { withIsoDates } from '../../operation/recordFields';
import { readFields } from '../../run/input/readFields';
import { isJsonObject } from '../../service/http/answer';
import { refusedInput } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';
import { readJobId } from '../../service/jobs/jobKinds';
import { CRON_OF, websiteChangedFields } from '../panel/websiteChanged';
import type { KnownMonitor } from './monitors';

/** The settings of Website Changed. */
export type Watching = Own | Existing;

/** A monitor of the trigger's own, with these settings. */
export interface Own {
	events: string[];
	own: JsonObject;
}

/** A monitor that is there already. */
export interface Existing {
	events: string[];
	existingId: string;
	/** Whether to take it from another trigger that has borrowed it. */
	takesOver: boolean;
}

const MAX_OF_NAME = 256;

/** Reads and checks the panel. Throws a ServiceFailure of kind badInput. */
export function readWatching(ctx: IHookFunctions): Watching {
	const isAtOnce = ctx.getNodeParameter('output', 'pages') === 'atOnce';
	const events = [isAtOnce ? 'monitor.page' : 'monitor.check.completed'];
	if (givenMonitor(ctx) !== '') {
		const takesOver = ctx.getNodeParameter('triggerOptions.takeOver', false) === true;
		return { events, existingId: readMonitorId(ctx), takesOver };
	}
	const name = `n8n: ${ctx.getWorkflow().name ?? 'workflow'}`.slice(0, MAX_OF_NAME);
	return { events, own: { name, ...settingsOf(ctx) } };
}

/** The value of "Existing Monitor", also where it is not asked for; undefined for what is no id. */
export function chosenMonitorId(ctx: IHookFunctions): string | undefined {
	return readJobId(givenMonitor(ctx));
}

function givenMonitor(ctx: IHookFunctions): unknown {
	return chosenValue(ctx.getNodeParameter('triggerOptions.monitorId', ''));
}

function readMonitorId(ctx: IHookFunctions): string {
	const given = givenMonitor(ctx);
	const id = readJobId(given);
	if (id !== undefined) return id;
	throw refusedInput(
		`"Existing Monitor" must be the ID of a monitor, but it is ${JSON.stringify(given).slice(0, 80)}.`,
	);
}

/** The settings of the monitor that the panel describes, as the service takes them. */
function settingsOf(ctx: IHookFunctions): JsonObject {
	const { values, body } = readFields(websiteChangedFields, (name, fallback) => ctx.getNodeParameter(name, fallback));
	const options = isJsonObject(values.triggerOptions) ? values.triggerOptions : {};
	const { timezone = ctx.getTimezone(), scrapeOptions, crawlOptions } = options;
	const pageOptions = scrapeOptions === undefined ? {} : { scrapeOptions };
	const sites = listOf(options.sites).map((url) => ({
		type: 'crawl',
		url,
		...pageOptions,
		...(crawlOptions !== undefined && { crawlOptions }),
	}));
	const [urls, queries] = [listOf(values.urls), listOf(options.searches)];
	const targets: JsonObject[] = [
		...(urls.length > 0 ? [{ type: 'scrape', urls, ...pageOptions }] : []),
		...sites,
		...(queries.length > 0 ? [{ type: 'search', queries }] : []),
	];
	if (targets.length === 0) {
		throw refusedInput('Fill in "URLs", or add Websites, Searches or an Existing Monitor in Options.');
	}
	if (queries.length > 0 && body.goal === undefined) {
		throw refusedInput('"Searches" needs a Goal: add it in Options.');
	}
	const cron = CRON_OF[String(values.schedule)] ?? values.cron;
	return { ...body, schedule: { cron, timezone }, targets };
}

function listOf(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}

/** A fingerprint that tells whether the settings that a monitor was made with are those of today. */
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

/** The watched targets, without what the service fills in. */
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

/** The monitor that a test run creates instead of using somebody's: the same, in a monitor of its own. */
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
