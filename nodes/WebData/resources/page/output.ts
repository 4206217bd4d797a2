import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isJsonObject } from '../../../service/answer';
import type { JsonObject } from '../../../service/transport';
import type { CallAnswer, CallUsage, ItemDraft } from '../operation';
import { webPageJson } from '../webPage';
import { filesOfPage, withoutData } from './files';

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

export const pageFiles: INodeProperties = {
	displayName: 'File Options',
	name: 'fileOptions',
	type: 'collection',
	placeholder: 'Add file option',
	default: {},
	options: [
		{
			displayName: 'Store as Files',
			name: 'storeAsFiles',
			type: 'multiOptions',
			options: [
				{ name: 'HTML', value: 'html', description: 'In the binary field html' },
				{ name: 'Markdown', value: 'markdown', description: 'In the binary field markdown' },
				{
					name: 'PDF Files',
					value: 'pdf',
					description: 'Unparsed ones in the binary field pdf, printed ones in pdf_1, pdf_2 …',
				},
				{ name: 'Raw HTML', value: 'rawHtml', description: 'In the binary field rawHtml' },
				{
					name: 'Screenshots',
					value: 'screenshot',
					description: 'In the binary field screenshot; those of actions in screenshot_1 …',
				},
			],
			default: ['screenshot'],
			description:
				'What to store as binary data. What is stored is left out of the JSON, except for links. Files that you did not ask for as a format are not there.',
		},
	],
};

/** The page of an answer as one item. */
export function toPageItems({ body, sent, values, asText }: CallAnswer): ItemDraft[] | undefined {
	if (!isJsonObject(body.data)) return undefined;
	const page: JsonObject = { warning: body.warning, ...body.data };
	const { files, kept } = asText
		? { files: [], kept: withoutData(page) }
		: filesOfPage(page, wantedFiles(values), addressOf(page, sent));
	const json = webPageJson(kept);
	json.url ??= (sent.url ?? null) as IDataObject['url'];
	return [{ json: values.output === 'fullDocument' ? json : simplified(json), files }];
}

function simplified({ metadata, ...content }: IDataObject): IDataObject {
	const { statusCode = null, scrapeId = null, creditsUsed = null } = metadata as IDataObject;
	return { ...content, statusCode, scrapeId, creditsUsed };
}

function wantedFiles({ fileOptions }: JsonObject): string[] {
	const { storeAsFiles } = isJsonObject(fileOptions) ? fileOptions : {};
	return Array.isArray(storeAsFiles) ? storeAsFiles.map(String) : [];
}

function addressOf(page: JsonObject, sent: JsonObject): string {
	const metadata = isJsonObject(page.metadata) ? page.metadata : {};
	return String(metadata.url ?? metadata.sourceURL ?? sent.url ?? 'page');
}

export const pageUsage: CallUsage = {
	unit: 'page',
	read: ({ body }) => {
		const data = isJsonObject(body.data) ? body.data : {};
		const { creditsUsed } = isJsonObject(data.metadata) ? data.metadata : {};
		return { amount: 1, credits: typeof creditsUsed === 'number' ? creditsUsed : undefined };
	},
};
