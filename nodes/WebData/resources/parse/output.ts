import type { INodeProperties } from 'n8n-workflow';

import type { CallAnswer, ItemDraft } from '../../operation/operation';
import { filesToStore, partsOfPage } from '../../operation/pageFiles';
import { scrapedPage, webPageJson } from '../../operation/webPage';

export const documentOutput: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'Full Document',
			value: 'fullDocument',
			description: 'The same with all metadata of the file',
		},
		{
			name: 'Simplified',
			value: 'simplified',
			description: 'File name, title, description, the content you asked for, credits',
		},
	],
	default: 'simplified',
	description: 'What to return for each file',
};

/**
 * The file of an answer as one item: what a page puts out, below the name that the file has in n8n, since
 * the service knows it by another one.
 */
export function toFileItems({ body, values, file, asText }: CallAnswer): ItemDraft[] | undefined {
	const page = scrapedPage(body);
	if (!page) return undefined;
	const { fileName = '', binaryField = '' } = file ?? {};
	const form = { stored: filesToStore(values), asText };
	const { kept, ...files } = partsOfPage(page, form, fileName.replace(/\.[^.]*$/, ''));
	const detail = values.output === 'fullDocument' ? 'fullDocument' : 'simplified';
	return [{ json: { fileName, binaryField, ...webPageJson(kept, detail, '') }, ...files }];
}
