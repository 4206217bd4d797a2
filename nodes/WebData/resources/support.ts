import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { additionalFields, optionList } from '../../fields/basic';
import { textField } from '../../fields/field';
import type { CallAnswer, CallOperation, ItemDraft, Resource } from '../../operation/operation';

/** Answers take 15 to 30 s, and the service gives itself 60 (operation support.ask). */
const SUPPORT_TIMEOUT_MS = 90_000;

/** These answers have no envelope; the answer itself goes first. */
function supportItems({ body, sent }: CallAnswer): ItemDraft[] | undefined {
	const { answer, ...rest } = body;
	if (typeof answer !== 'string') return undefined;
	return [{ json: { question: sent.question, answer, ...rest } as IDataObject }];
}

/** The field for a question, `rows` lines high. */
function questionField(rows: number, placeholder: string, description: string): INodeProperties {
	return textField('question', 'Question', description, {
		typeOptions: { rows },
		required: true,
		placeholder,
	});
}

const ask: CallOperation = {
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
		textField('rationale', 'What You Want', 'What the job was to achieve, in plain words', {
			typeOptions: { rows: 2 },
			placeholder: 'e.g. All product pages as Markdown',
		}),
		optionList(additionalFields),
	],
};

const searchDocs: CallOperation = {
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

export const support: Resource = {
	value: 'support',
	name: 'Support',
	description: 'Ask why a job failed, or search Firecrawl’s documentation',
	operations: [ask, searchDocs],
	defaultOperation: 'ask',
};
