import type { IHookFunctions } from 'n8n-workflow';

import { refusedInput } from '../../service/http/failure';
import { readJobId } from '../../service/jobs/jobKinds';
import { isJsonObject } from '../../service/http/answer';
import type { JsonObject } from '../../service/http/transport';
import { chosenValue } from '../../WebData/fields/basic';
import { readFields } from '../../WebData/run/input/readFields';
import { CRON_OF, websiteChangedFields } from '../panel/websiteChanged';

/** What the panel asks for of Website Changed. */
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

/** What stands in "Existing Monitor", also where it is not asked for; undefined for what is no id. */
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
