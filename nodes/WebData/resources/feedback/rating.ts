import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { CallAnswer, ItemDraft } from '../../operation/operation';
import { url } from '../../fields/basic/url';

export const rating: INodeProperties = {
	displayName: 'Rating',
	name: 'rating',
	type: 'options',
	options: [
		{ name: 'Bad', value: 'bad', description: 'Say what was missing, or a better query' },
		{ name: 'Good', value: 'good', description: 'Say which sources were useful' },
		{ name: 'Partial', value: 'partial', description: 'Say what was useful, or what was missing' },
	],
	default: 'good',
	required: true,
	description: 'How good the result was',
	routing: { send: { type: 'body', property: 'rating' } },
};

/** Pages that were useful (shape feedbackSource). */
export const valuableSources: INodeProperties = {
	displayName: 'Useful Sources',
	name: 'valuableSources',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, maxItems: 50 },
	placeholder: 'Add source',
	default: {},
	description: 'Results that helped, at most 50',
	options: [
		{
			displayName: 'Source',
			name: 'source',
			values: [
				url('Address of the result', 'e.g. https://example.com/page'),
				{
					displayName: 'Reason',
					name: 'reason',
					type: 'string',
					typeOptions: { maxLength: 1000 },
					default: '',
					placeholder: 'e.g. It names the price',
					description: 'Why this result helped, in your own words, at most 1000 characters',
					routing: { send: { type: 'body', property: 'reason' } },
				},
			],
		},
	],
	routing: { send: { type: 'body', property: 'valuableSources' } },
};

/** What a result lacked (shape feedbackMissing). */
export function missingContent(maxItems: number): INodeProperties {
	return {
		displayName: 'Missing Content',
		name: 'missingContent',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, maxItems },
		placeholder: 'Add topic',
		default: {},
		description: `What should have been there, at most ${maxItems} topics`,
		options: [
			{
				displayName: 'Topic',
				name: 'missing',
				values: [
					{
						displayName: 'Topic',
						name: 'topic',
						type: 'string',
						typeOptions: { maxLength: 200 },
						default: '',
						required: true,
						placeholder: 'e.g. Delivery times',
						description: 'What is missing, in a few words, at most 200 characters',
						routing: { send: { type: 'body', property: 'topic' } },
					},
					{
						displayName: 'Description',
						name: 'description',
						type: 'string',
						typeOptions: { maxLength: 2000 },
						default: '',
						placeholder: 'e.g. For orders from abroad',
						description: 'More about what is missing, at most 2000 characters',
						routing: { send: { type: 'body', property: 'description' } },
					},
				],
			},
		],
		routing: { send: { type: 'body', property: 'missingContent' } },
	};
}

export const querySuggestions: INodeProperties = {
	displayName: 'Better Query',
	name: 'querySuggestions',
	type: 'string',
	typeOptions: { maxLength: 2000 },
	default: '',
	placeholder: 'e.g. tide tables Oslo harbour',
	description: 'A search query that would have found it, at most 2000 characters',
	routing: { send: { type: 'body', property: 'querySuggestions' } },
};

/** The receipt (shape feedbackResult). A second feedback is no failure: `alreadySubmitted` says so. */
export function receiptItems({ body, values }: CallAnswer): ItemDraft[] | undefined {
	const { success, ...receipt } = body;
	if (success === false || typeof receipt.feedbackId !== 'string') return undefined;
	return [{ json: { jobId: values.jobId, ...receipt } as IDataObject }];
}
