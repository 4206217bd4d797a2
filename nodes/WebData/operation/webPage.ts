import type { IDataObject } from 'n8n-workflow';

import { isJsonObject } from '../../service/http/answer';
import type { JsonObject } from '../../service/http/transport';

/** The address a page ended at, for the names of its files; empty when there is none. */
export function addressOfPage(page: JsonObject): string {
	const { url, sourceURL } = metadataOf(page);
	return [url, sourceURL].find(isText) ?? '';
}

/** The address a page was asked for by, as the service noted it; empty when it did not. */
export function sourceUrlOf(page: JsonObject): string {
	const { sourceURL, url } = metadataOf(page);
	return [sourceURL, url].find(isText) ?? '';
}

/**
 * A scraped page as the json of an item: its address and title first, then every format it has, then
 * its metadata as it came. Titles may be lists (CONTRACT section 14). Fields that say nothing (null) are
 * left out. `error` is renamed, since n8n takes an item with that name for a failed one (N8N fact 4).
 */
export function webPageJson(page: JsonObject): IDataObject {
	const metadata = metadataOf(page);
	const json: JsonObject = {
		url: addressOfPage(page) || null,
		title: [metadata.title].flat().find(isText) ?? null,
	};
	for (const [name, value] of Object.entries(page)) {
		if (value === null || value === undefined) continue;
		json[name === 'error' ? 'pageError' : name] = value;
	}
	return { ...json, metadata } as IDataObject;
}

function metadataOf(page: JsonObject): JsonObject {
	return isJsonObject(page.metadata) ? page.metadata : {};
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}
