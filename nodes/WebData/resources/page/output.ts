import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import type { JsonObject } from '../../../service/http/transport';
import type { CallAnswer, CallUsage, ItemDraft } from '../../operation/operation';
import { filesToStore, partsOfPage } from '../../operation/pageFiles';
import { addressOfPage, webPageJson } from '../../operation/webPage';

export const pageOutput: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'Full Document',
			value: 'fullDocument',
			description: 'Content and all metadata of the page',
		},
		{
			name: 'Simplified',
			value: 'simplified',
			description: 'URL, title, the content you asked for, status, scrape ID, credits',
		},
	],
	default: 'simplified',
	description: 'What each page puts out. Default: Simplified.',
};

/** The page of an answer as one item. */
export function toPageItems({ body, sent, values, asText }: CallAnswer): ItemDraft[] | undefined {
	if (!isJsonObject(body.data)) return undefined;
	const page: JsonObject = { warning: body.warning, ...body.data };
	const form = { stored: filesToStore(values), asText };
	const { files, kept } = partsOfPage(page, form, addressOf(page, sent));
	const json = webPageJson(kept);
	json.url ??= (sent.url ?? null) as IDataObject['url'];
	return [{ json: values.output === 'fullDocument' ? json : simplified(json), files }];
}

function simplified({ metadata, ...content }: IDataObject): IDataObject {
	const { statusCode = null, scrapeId = null, creditsUsed = null } = metadata as IDataObject;
	return { ...content, statusCode, scrapeId, creditsUsed };
}

function addressOf(page: JsonObject, sent: JsonObject): string {
	const address = addressOfPage(page);
	return address === '' ? String(sent.url ?? '') : address;
}

/** The id under which the service keeps the page of an answer. */
export function scrapeIdOf({ data }: JsonObject): string | undefined {
	const { metadata } = isJsonObject(data) ? data : {};
	const { scrapeId } = isJsonObject(metadata) ? metadata : {};
	return typeof scrapeId === 'string' ? scrapeId : undefined;
}

export const pageUsage: CallUsage = {
	unit: 'page',
	read: ({ body }) => {
		const data = isJsonObject(body.data) ? body.data : {};
		const { creditsUsed } = isJsonObject(data.metadata) ? data.metadata : {};
		return { amount: 1, credits: typeof creditsUsed === 'number' ? creditsUsed : undefined };
	},
};
