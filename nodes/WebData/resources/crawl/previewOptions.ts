import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import { additionalFields } from '../../fields/basic/additionalFields';
import { optionList } from '../../fields/basic/optionList';
import { url } from '../../fields/basic/url';
import type { CallAnswer, CallOperation, ItemDraft } from '../../operation/operation';

const fields: INodeProperties[] = [
	url('Address of the site to crawl', 'e.g. https://example.com'),
	{
		displayName: 'Prompt',
		name: 'prompt',
		type: 'string',
		typeOptions: { rows: 3, maxLength: 10_000 },
		default: '',
		required: true,
		placeholder: 'e.g. Only the blog, without archives',
		description: 'Which pages to crawl, in plain words, at most 10000 characters',
		routing: { send: { type: 'body', property: 'prompt' } },
	},
	optionList(additionalFields),
];

/** The options as the service gives them; `delay` may be in ms there (docs/service-notes.md#where-servers-differ). */
function toItems({ body }: CallAnswer): ItemDraft[] | undefined {
	const { data, warning } = body;
	if (!isJsonObject(data)) return undefined;
	return [{ json: { ...data, ...(typeof warning === 'string' && { warning }) } as IDataObject }];
}

export const previewOptions: CallOperation = {
	kind: 'call',
	value: 'previewOptions',
	name: 'Preview Options',
	action: 'Preview crawl options from prompt',
	description: 'Show the crawl options that Firecrawl would choose for a prompt, without crawling',
	request: { method: 'POST', path: '/v2/crawl/params-preview', bucket: 'crawl' },
	toItems,
	fields,
};
