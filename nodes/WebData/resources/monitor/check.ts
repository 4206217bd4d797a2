import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { fromList, pathId } from '../../../fields/basic';
import { choiceField } from '../../../fields/field';
import type { CallAnswer, ItemDraft, JobRecord, KnownById, PagesResult } from '../../../operation/operation';
import { recordFields, withIsoDates } from '../../../operation/recordFields';
import { isJsonObject } from '../../../service/http/answer';
import type { JsonObject } from '../../../service/http/transport';
import { withoutSecretSettings } from '../../../service/secrets';

/** The choice of the output of a check. The values are those of PageOutput in operation/operation.ts. */
export const checkOutput: INodeProperties = choiceField(
	'output',
	'Output',
	'pages',
	'What to return for each check',
	[
		['One Item per Check', 'job', 'State and counts of the check, with its pages in one list'],
		['One Item per Page', 'pages', 'Each page: URL, whether it is new, changed or the same, and the difference'],
		['One Item per Page (Full Document)', 'fullPages', 'The same with all data about the page'],
		['Status Only', 'status', 'State and counts of the check, without its pages'],
	],
	{ send: false },
);

/** The choice of the pages of a check that come out. */
export const pageStatus: INodeProperties = choiceField(
	'pageStatus',
	'Pages',
	'',
	'Which pages of the check to return',
	[
		['All', ''],
		['Changed', 'changed'],
		['Failed', 'error', 'Could not be read'],
		['New', 'new'],
		['Removed', 'removed', 'No longer watched or found'],
		['Same', 'same'],
	],
	{
		displayOptions: { show: { output: ['pages', 'fullPages', 'job'] } },
		send: false,
		routing: { send: { type: 'query', property: 'status' } },
	},
);

/** A check without its pages (shape monitorCheck). */
function checkJson({ id, state, body }: JobRecord): IDataObject {
	const told = Object.entries(isJsonObject(body.data) ? body.data : {});
	const rest = Object.fromEntries(told.filter(([name]) => name !== 'pages' && name !== 'next'));
	return { id, status: state, ...recordFields(withIsoDates(rest)) };
}

/** A page of a check in full; its reason is not called `error`, which n8n takes for a failed item. */
function fullPage(page: JsonObject): IDataObject {
	const { error: pageError, ...rest } = withIsoDates(page) as IDataObject;
	return { ...rest, ...(typeof pageError === 'string' && { pageError }) };
}

/** The fields that most people want of a page of a check: what has become of it, and how it differs. */
function simplifiedPage(page: JsonObject): IDataObject {
	const { url, status, statusCode, pageError, judgment, diff, snapshot } = fullPage(page);
	const { title } = isJsonObject(page.metadata) ? page.metadata : {};
	const { text, json } = isJsonObject(diff) ? diff : {};
	// A diff of text has its parsed form in `json` as well; one of data has the fields there.
	const changes = typeof text === 'string' ? { diff: text } : { diff: json };
	return {
		url,
		status,
		...(typeof title === 'string' && { title }),
		...(typeof statusCode === 'number' && { statusCode }),
		...(pageError !== undefined && { pageError }),
		...(isJsonObject(diff) && (changes as IDataObject)),
		...(isJsonObject(snapshot) && { snapshot: snapshot as IDataObject }),
		...(isJsonObject(judgment) && { judgment: judgment as IDataObject }),
	};
}

function textIn(body: JsonObject, name: string): string | undefined {
	const value = isJsonObject(body.data) ? body.data[name] : undefined;
	return typeof value === 'string' ? value : undefined;
}

function numberIn(from: unknown, name: string): number | undefined {
	const value = isJsonObject(from) ? from[name] : undefined;
	return typeof value === 'number' && value >= 0 ? value : undefined;
}

/** Converts checks of monitors to items. A search that finds nothing new has no page and is no failure. */
export const checkResult: PagesResult = {
	mayBeEmpty: true,
	toPageItem: (page, { id, state, body }, { detail }) => ({
		json: {
			...(detail === 'fullDocument' ? fullPage(page) : simplifiedPage(page)),
			monitorId: textIn(body, 'monitorId'),
			checkId: id,
			checkStatus: state,
		},
	}),
	toFailedPageItem: ({ url, message }, { id, state }) => ({
		json: { url, status: 'error', pageError: message, checkId: id, checkStatus: state },
	}),
	toJobItem: (record, { pages }) => ({
		json: { ...checkJson(record), ...(pages && { pages: pages.map(simplifiedPage) }) },
	}),
	toStartedItem: (id, { monitorId }, { data }) => ({
		id,
		monitorId: String(monitorId),
		...(isJsonObject(data) && typeof data.status === 'string' && { status: data.status }),
	}),
	usage: ({ data }) => ({
		amount: numberIn(isJsonObject(data) ? data.summary : undefined, 'totalPages') ?? 0,
		credits: numberIn(data, 'actualCredits'),
		expiresAt: undefined,
	}),
	collectWith: 'Monitor · Get Check',
	usageUnit: ['page', 'pages'],
	remarks: ({ data }) => (isPartial(data) ? [partialText(data)] : []),
};

/** Pages of the check failed. That may show nowhere: not all pages need be put out. */
function isPartial(data: unknown): data is JsonObject {
	if (!isJsonObject(data)) return false;
	return data.status === 'partial' || (numberIn(data.summary, 'error') ?? 0) > 0;
}

function partialText({ summary }: JsonObject): string {
	const failed = numberIn(summary, 'error') ?? 0;
	const all = numberIn(summary, 'totalPages') ?? 0;
	const howMany = failed > 0 ? `${failed} of its ${Math.max(all, failed)} pages` : 'some of its pages';
	return `is partial: ${howMany} could not be read (Get Check with Pages: Failed lists them)`;
}

/** The id of the monitor that an operation is about. */
export const monitorId: INodeProperties = fromList(
	pathId('Monitor ID', 'monitorId', 'ID of the monitor, from the output of Create or Get Many'),
	'monitorGetMany',
);

/** The words for a monitor that the service does not know. */
export const aboutMonitor: KnownById = {
	id: 'monitorId',
	what: 'monitor',
	orElse: 'it was deleted',
	from: 'Create and Get Many',
};

/** One monitor as the item of a call (shape `monitor`). */
export function monitorItems({ body }: CallAnswer): ItemDraft[] | undefined {
	if (!isJsonObject(body.data)) return undefined;
	return [{ json: shown(body.data) }];
}

/** With times in ISO 8601, and without what would let others call its webhook or log in to its sites. */
function shown(monitor: JsonObject): IDataObject {
	return withoutSecretSettings(withIsoDates(monitor)) as IDataObject;
}

/** The list under `data`, each as it is shown. */
export function dataList({ data }: JsonObject): IDataObject[] | undefined {
	if (!Array.isArray(data)) return undefined;
	return data.filter(isJsonObject).map(shown);
}
