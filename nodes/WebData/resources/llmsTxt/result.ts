import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import type { FileDraft, JobRecord, RecordResult } from '../../operation/operation';

export const llmsTxtOutput: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{ name: 'Files', value: 'files', description: 'In the binary fields llmstxt and llmsfulltxt' },
		{ name: 'Text', value: 'text', description: 'In the fields llmstxt and llmsfulltxt' },
	],
	default: 'text',
	description: 'How to return the text',
};

const FILES = [
	{ field: 'llmstxt', fileName: 'llms.txt' },
	{ field: 'llmsfulltxt', fileName: 'llms-full.txt' },
];

/** Both texts as they came; the long one only when it was asked for. */
function textsOf({ body }: JobRecord): IDataObject {
	const data = isJsonObject(body.data) ? body.data : {};
	const found = FILES.filter(({ field }) => typeof data[field] === 'string' && data[field] !== '');
	return Object.fromEntries(found.map(({ field }) => [field, data[field]])) as IDataObject;
}

/** The text has one line for each page that was read (recording llms-11). */
function pagesOf({ data }: JobRecord['body']): number {
	const text = isJsonObject(data) && typeof data.llmstxt === 'string' ? data.llmstxt : '';
	return text.split('\n- [').length - 1;
}

/** How the jobs become items: the text, or two files. */
export const llmsTxtResult: RecordResult = {
	toItems: (record, choice, asText) => {
		const { id, state, body, sent } = record;
		const texts = textsOf(record);
		const common: IDataObject = {
			id,
			status: state,
			...(typeof sent?.url === 'string' && { url: sent.url }),
			...(typeof body.expiresAt === 'string' && { expiresAt: body.expiresAt }),
		};
		if (choice !== 'files' || asText) return [{ json: { ...common, ...texts } }];
		const files = FILES.filter(({ field }) => field in texts).map(
			({ field, fileName }): FileDraft => ({
				field,
				fileName,
				mimeType: 'text/plain',
				text: String(texts[field]),
			}),
		);
		return [{ json: common, files }];
	},
	toStartedItem: (id, { url }) => ({ id, url: String(url) }),
	// A site that cannot be read ends well all the same, with a heading (recordings llms-15, llms-51).
	remarks: (body) => (pagesOf(body) === 0 ? ['found no pages'] : []),
	usage: (body) => {
		const pages = pagesOf(body);
		const { expiresAt } = body;
		return {
			amount: pages,
			// Each page is a credit (docs/service-notes.md#prices).
			credits: pages,
			expiresAt: typeof expiresAt === 'string' ? expiresAt : undefined,
		};
	},
	usageUnit: ['page', 'pages'],
};
