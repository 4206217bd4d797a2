import type { INodeProperties } from 'n8n-workflow';

import type { CallAnswer, ItemDraft } from '../../operation/operation';
import { filesToStore, partsOfPage } from '../../operation/pageFiles';
import { addressOfPage, scrapedPage, sourceUrlOf, webPageJson } from '../../operation/webPage';

export const pageOutput: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'Full Document',
			value: 'fullDocument',
			description: 'The same with all metadata of the page',
		},
		{
			name: 'Simplified',
			value: 'simplified',
			description: 'URL, title, description, the content you asked for, status, credits',
		},
	],
	default: 'simplified',
	description: 'What to return for each page',
};

/** The page of an answer as one item. */
export function toPageItems({ body, sent, values, asText }: CallAnswer): ItemDraft[] | undefined {
	const page = scrapedPage(body);
	if (!page) return undefined;
	const form = { stored: filesToStore(values), asText };
	const requested = typeof sent.url === 'string' ? sent.url : sourceUrlOf(page);
	const { kept, ...files } = partsOfPage(page, form, addressOfPage(page) || requested);
	const detail = values.output === 'fullDocument' ? 'fullDocument' : 'simplified';
	return [{ json: webPageJson(kept, detail, requested), ...files }];
}
