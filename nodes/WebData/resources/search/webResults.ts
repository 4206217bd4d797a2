import type { IDataObject } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import type { JsonObject } from '../../../service/http/transport';
import { withoutData } from '../../operation/pageFiles';
import type { PageForm } from '../../operation/operation';
import { webPageJson } from '../../operation/webPage';

/**
 * The hits of a web search, grouped by source or as the flat list of older servers (recording
 * search-07), as results of one shape. Undefined when the answer has no place for any.
 */
export function readWebResults(
	{ data }: JsonObject,
	form: Omit<PageForm, 'stored'>,
): IDataObject[] | undefined {
	const groups = Array.isArray(data) ? { web: data } : data;
	if (!isJsonObject(groups)) return undefined;
	const results = Object.entries(groups).flatMap(([source, hits]) =>
		(Array.isArray(hits) ? hits : [])
			.filter(isJsonObject)
			.map((hit, index) => resultOf(hit, source, index + 1, form)),
	);
	return withSameColumns(results);
}

/** The pages of an answer whose content was asked for. */
export function scrapedPages({ body: { data } }: { body: JsonObject }): JsonObject[] {
	// Images are no pages.
	const groups = Object.entries(isJsonObject(data) ? data : { web: data });
	const pages = groups.filter(([source]) => source !== 'images').map(([, hits]) => hits);
	return pages.filter(Array.isArray).flatMap((hits: unknown[]) => hits.filter(isJsonObject));
}

/**
 * A hit: address, title, description, whatever else it has, then where it was found. With the content
 * of its page it is told as every page is. What news call a snippet is a description.
 */
function resultOf(
	hit: JsonObject,
	source: string,
	place: number,
	{ detail, asText }: Omit<PageForm, 'stored'>,
): IDataObject {
	const { position = place, snippet, ...rest } = asText ? withoutData(hit) : hit;
	const found: JsonObject = { ...rest, description: hit.description ?? snippet ?? null };
	if (isJsonObject(hit.metadata)) {
		const requested = typeof hit.url === 'string' ? hit.url : undefined;
		return { ...webPageJson(found, detail, requested), source, position } as IDataObject;
	}
	const { url = null, title = null, description, error, ...more } = found;
	return {
		url,
		title,
		description,
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
	return results.map((result) =>
		Object.fromEntries(ordered.map((name) => [name, result[name] ?? null])),
	);
}
