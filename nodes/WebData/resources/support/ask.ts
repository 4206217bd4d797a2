import { additionalFields } from '../../fields/basic/additionalFields';
import { optionList } from '../../fields/basic/optionList';
import type { CallOperation } from '../../operation/operation';
import { questionField, supportItems, SUPPORT_TIMEOUT_MS } from './answer';

export const ask: CallOperation = {
	kind: 'call',
	value: 'ask',
	name: 'Ask',
	action: 'Ask support',
	description: 'Ask Firecrawl’s support agent why a job went wrong',
	request: { method: 'POST', path: '/v2/support/ask', bucket: 'other' },
	timeoutMs: () => SUPPORT_TIMEOUT_MS,
	toItems: supportItems,
	fields: [
		questionField(
			3,
			'e.g. Why has the crawl 0197… only one page?',
			'The problem in plain words, with the ID of the job',
		),
		{
			displayName: 'What You Want',
			name: 'rationale',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			placeholder: 'e.g. All product pages as Markdown',
			description: 'What the job was to achieve, in plain words',
			routing: { send: { type: 'body', property: 'rationale' } },
		},
		optionList(additionalFields),
	],
};
