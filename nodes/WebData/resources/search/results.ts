import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { choiceField, textField } from '../../../fields/field';
import type {
	CallAnswer,
	CallUsage,
	CheckedValues,
	ItemDraft,
	PageDetail,
	PageForm,
	ValueCheck,
} from '../../../operation/operation';
import { withoutData } from '../../../operation/pages';
import { withinBound } from '../../../operation/pageText';
import { checkedPage } from '../../../operation/valueCheck';
import { readCredits, webPageJson } from '../../../operation/webPage';
import { isJsonObject } from '../../../service/http/answer';
import type { JsonObject } from '../../../service/http/transport';

export const resultOutput: INodeProperties = choiceField(
	'output',
	'Output',
	'results',
	'How to return the results',
	[
		['One Item per Result', 'results', 'Best result first'],
		['One List', 'list', 'All results of a query in one item'],
	],
	{ send: false },
);

/** Reads the results of an answer; undefined when there is no place for any. */
type ReadResults = (answer: CallAnswer) => IDataObject[] | undefined;

/**
 * Results as items or as one list. `notes` are fields of the answer that go with the list, where they
 * are there. `error` is renamed, since n8n takes an item with that name for a failed one
 * (docs/reference/n8n-internals.md#fields-named-error).
 */
export function resultItems(readResults: ReadResults, notes: string[]) {
	return (answer: CallAnswer): ItemDraft[] | undefined => {
		const { body, sent, values } = answer;
		const results = readResults(answer)?.map(({ error, ...result }) =>
			error === undefined || error === null ? result : { ...result, pageError: error },
		);
		if (!results) return undefined;
		if (values.output !== 'list') return results.map((json) => ({ json }));
		const present = notes.filter((name) => body[name] !== undefined && body[name] !== null);
		const noted = Object.fromEntries(present.map((name) => [name, body[name]])) as IDataObject;
		const query = (sent.query ?? sent.intent ?? null) as string | null;
		return [{ json: { query, count: results.length, results, ...noted } }];
	};
}

/** `results` of the answer, numbered. */
export function readNumbered({ body }: { body: JsonObject }): IDataObject[] | undefined {
	if (!Array.isArray(body.results)) return undefined;
	return body.results.filter(isJsonObject).map((result, index) => ({ position: index + 1, ...result }));
}

export function resultUsage(readResults: ReadResults): CallUsage {
	return {
		unit: 'result',
		read: (answer) => ({
			amount: readResults(answer)?.length ?? 0,
			credits: readCredits(answer.body),
		}),
	};
}

/** The field for what to look for. `maxLength` is the service's limit, where it has one. */
export function queryField(placeholder: string, maxLength?: number): INodeProperties {
	const limit = maxLength === undefined ? '' : `, at most ${maxLength} characters`;
	return textField('query', 'Query', `What to look for, in a few words${limit}`, {
		typeOptions: maxLength === undefined ? {} : { maxLength },
		required: true,
		placeholder,
	});
}

/**
 * The hits of a web search, grouped by source or as the flat list of older servers (recording
 * search-07), as results of one shape. Undefined when the answer has no place for any.
 */
export function readWebResults({ data }: JsonObject, form: Omit<PageForm, 'stored'>): IDataObject[] | undefined {
	const groups = Array.isArray(data) ? { web: data } : data;
	if (!isJsonObject(groups)) return undefined;
	// Data tools beside the results are no results.
	const found = Object.entries(groups).filter(([source]) => source !== 'tools');
	const results = found.flatMap(([source, hits]) =>
		(Array.isArray(hits) ? hits : []).filter(isJsonObject).map((hit, index) => resultOf(hit, source, index + 1, form)),
	);
	return withSameColumns(results);
}

/** The pages of an answer whose content was asked for. */
export function scrapedPages({ body: { data } }: { body: JsonObject }): JsonObject[] {
	// Images and data tools are no pages.
	const groups = Object.entries(isJsonObject(data) ? data : { web: data });
	const pages = groups.filter(([source]) => source !== 'images' && source !== 'tools').map(([, hits]) => hits);
	return pages.filter(Array.isArray).flatMap((hits: unknown[]) => hits.filter(isJsonObject));
}

/** An answer with what is known of the values of its pages, and the same page by page. */
export function withCheckedPages(
	body: JsonObject,
	check: ValueCheck,
	detail: PageDetail,
): { body: JsonObject; checked: CheckedValues[] } {
	const checked: CheckedValues[] = [];
	const withCheck = (hits: unknown): unknown => {
		if (!Array.isArray(hits)) return hits;
		return hits.map((hit: unknown) => {
			if (!isJsonObject(hit)) return hit;
			const one = checkedPage(hit, check, detail);
			if (one.checked) checked.push(one.checked);
			return one.page;
		});
	};
	const { data } = body;
	const groups = isJsonObject(data)
		? Object.fromEntries(Object.entries(data).map(([source, hits]) => [source, withCheck(hits)]))
		: withCheck(data);
	return { body: { ...body, data: groups }, checked };
}

/**
 * A hit: address, title, description, whatever else it has, then where it was found. With the content
 * of its page it is told as every page is. What news call a snippet is a description.
 */
function resultOf(
	hit: JsonObject,
	source: string,
	place: number,
	{ detail, asText, bound }: Omit<PageForm, 'stored'>,
): IDataObject {
	const { position = place, snippet, ...rest } = asText ? withoutData(hit) : hit;
	// News have an empty description beside it.
	const description = [hit.description, snippet].find((text) => typeof text === 'string' && text !== '') ?? null;
	const found: JsonObject = { ...rest, description };
	if (isJsonObject(hit.metadata)) {
		const requested = typeof hit.url === 'string' ? hit.url : undefined;
		return { ...withinBound(webPageJson(found, detail, requested), bound), source, position } as IDataObject;
	}
	const { url = null, title = null, error, ...more } = found;
	return {
		url,
		title,
		description: null,
		...more,
		...(error !== undefined && error !== null && { pageError: error }),
		source,
		position,
	} as IDataObject;
}

/** Columns that one result has and another lacks are null there: n8n's table says "undefined" else. */
function withSameColumns(results: IDataObject[]): IDataObject[] {
	const names = [...new Set(results.flatMap((result) => Object.keys(result)))];
	const last = ['source', 'position'];
	const ordered = [...names.filter((name) => !last.includes(name)), ...last];
	return results.map((result) => Object.fromEntries(ordered.map((name) => [name, result[name] ?? null])));
}
