import { additionalFields } from '../../fields/basic/additionalFields';
import { optionList } from '../../fields/basic/optionList';
import type { CallOperation } from '../../operation/operation';
import { questionField, supportItems, SUPPORT_TIMEOUT_MS } from './answer';

export const searchDocs: CallOperation = {
	kind: 'call',
	value: 'searchDocs',
	name: 'Search Docs',
	action: 'Search documentation',
	description: 'Ask a question and get an answer from Firecrawl’s public documentation',
	request: { method: 'POST', path: '/v2/support/docs-search', bucket: 'other' },
	timeoutMs: () => SUPPORT_TIMEOUT_MS,
	toItems: supportItems,
	fields: [
		questionField(
			2,
			'e.g. How do I exclude paths from a crawl?',
			'What you want to know, as one question in plain words',
		),
		optionList(additionalFields),
	],
};
