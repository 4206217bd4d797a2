import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { additionalFields, optionList, pathId, url } from '../../fields/basic';
import { choiceField, jsonField, rowsField, textField } from '../../fields/field';
import type { CallAnswer, CallOperation, ItemDraft, Resource } from '../../operation/operation';

const rating: INodeProperties = choiceField(
	'rating',
	'Rating',
	'good',
	'How good the result was',
	[
		['Bad', 'bad', 'Say what was missing, or a better query'],
		['Good', 'good', 'Say which sources were useful'],
		['Partial', 'partial', 'Say what was useful, or what was missing'],
	],
	{ required: true },
);

/** Pages that were useful (shape feedbackSource). */
const valuableSources: INodeProperties = rowsField(
	'valuableSources',
	'Useful Sources',
	'Add source',
	'Results that helped, at most 50',
	[
		'source',
		'Source',
		[
			url('Address of the result', 'e.g. https://example.com/page'),
			textField('reason', 'Reason', 'Why this result helped, in your own words, at most 1000 characters', {
				typeOptions: { maxLength: 1000 },
				placeholder: 'e.g. It names the price',
			}),
		],
	],
	{ typeOptions: { multipleValues: true, maxItems: 50 }, send: 'valuableSources' },
);

/** The content that a result lacked (shape feedbackMissing). */
function missingContent(maxItems: number): INodeProperties {
	return rowsField(
		'missingContent',
		'Missing Content',
		'Add topic',
		`What should have been there, at most ${maxItems} topics`,
		[
			'missing',
			'Topic',
			[
				textField('topic', 'Topic', 'What is missing, in a few words, at most 200 characters', {
					typeOptions: { maxLength: 200 },
					required: true,
					placeholder: 'e.g. Delivery times',
				}),
				textField('description', 'Description', 'More about what is missing, at most 2000 characters', {
					typeOptions: { maxLength: 2000 },
					placeholder: 'e.g. For orders from abroad',
				}),
			],
		],
		{ typeOptions: { multipleValues: true, maxItems }, send: 'missingContent' },
	);
}

const querySuggestions: INodeProperties = textField(
	'querySuggestions',
	'Better Query',
	'A search query that would have found it, at most 2000 characters',
	{ typeOptions: { maxLength: 2000 }, placeholder: 'e.g. tide tables Oslo harbour' },
);

/** The receipt (shape feedbackResult). A second feedback is no failure: `alreadySubmitted` says so. */
function receiptItems({ body, values }: CallAnswer): ItemDraft[] | undefined {
	const { success, ...receipt } = body;
	if (success === false || typeof receipt.feedbackId !== 'string') return undefined;
	const { jobId } = values;
	return [{ json: { ...(jobId !== undefined && { jobId }), ...receipt } as IDataObject }];
}

const kind: INodeProperties = choiceField(
	'endpoint',
	'Kind',
	'scrape',
	'What kind of result the ID belongs to',
	[
		['Map', 'map'],
		['Parse', 'parse'],
		['Scrape', 'scrape'],
		['Search', 'search'],
	],
	{ required: true },
);

/** Short names in lower case, as the service wants them: `missing_markdown`. */
function codes(displayName: string, name: string, what: string): INodeProperties {
	const description = `${what} as short codes of lowercase letters, digits, - and _, separated by commas, at most 20`;
	return textField(name, displayName, description, {
		typeOptions: { sentAs: 'codes', maxItems: 20 },
		placeholder: 'e.g. missing_markdown, wrong-language',
	});
}

const note: INodeProperties = textField(
	'note',
	'Note',
	'What was good or bad about it, in your own words, at most 4000 characters',
	{ typeOptions: { rows: 2, maxLength: 4000 }, placeholder: 'e.g. The table of prices is missing' },
);

const details: INodeProperties[] = [
	querySuggestions,
	codes('Issues', 'issues', 'What was wrong,'),
	jsonField(
		'metadata',
		'Metadata (JSON)',
		'{}',
		'Data of your own to keep with the feedback, as a JSON object of at most 8 KB',
		{ typeOptions: { maxJsonBytes: 8 * 1024 } },
	),
	missingContent(50),
	textField(
		'pageNumbers',
		'Page Numbers',
		'Numbers of the pages of a PDF file that it is about, separated by commas, at most 100',
		{ typeOptions: { sentAs: 'numbers', maxItems: 100 }, placeholder: 'e.g. 1, 4' },
	),
	codes('Tags', 'tags', 'Your own labels'),
	textField('url', 'URL', 'Address of the page that it is about', {
		typeOptions: { sentAs: 'url' },
		placeholder: 'e.g. https://example.com/page',
	}),
	valuableSources,
];

const rateJob: CallOperation = {
	kind: 'call',
	value: 'rateJob',
	name: 'Rate Scrape, Parse, Map or Search',
	action: 'Rate scrape, parse, map or search',
	description: 'Rate a result. Firecrawl also wants a note or one detail.',
	request: { method: 'POST', path: '/v2/feedback', bucket: 'other' },
	toItems: receiptItems,
	fields: [
		kind,
		{
			...pathId(
				'ID',
				'jobId',
				'ID of the result (a UUID): scrapeId of a page, searchId of a search, mapId of a list of links',
			),
			routing: { send: { type: 'body', property: 'jobId' } },
		},
		rating,
		note,
		optionList(...details, additionalFields),
	],
};

const rateSearch: CallOperation = {
	kind: 'call',
	value: 'rateSearch',
	name: 'Rate Search',
	action: 'Rate search',
	description: 'Rate a search; the first rating of a search may refund one credit',
	request: { method: 'POST', path: '/v2/search/{jobId}/feedback', bucket: 'other' },
	toItems: receiptItems,
	fields: [
		pathId('Search ID', 'jobId', 'ID of the search (a UUID): the searchId of its results, or the ID of its list'),
		rating,
		valuableSources,
		missingContent(20),
		querySuggestions,
		optionList(additionalFields),
	],
};

/** What there is to say of several tools or providers (docs/reference/service-notes.md#data-tools). */
function aboutTools(
	name: string,
	displayName: string,
	one: 'tool' | 'provider',
	issues: Array<[label: string, value: string]>,
): INodeProperties {
	const isTool = one === 'tool';
	return rowsField(
		name,
		displayName,
		`Add ${one}`,
		`What to say of single ${one}s, at most 20`,
		[
			one,
			isTool ? 'Tool' : 'Provider',
			[
				textField('name', 'Name', `Name of the ${one}, as Data Tool · Find has it, at most 200 characters`, {
					typeOptions: { maxLength: 200 },
					required: true,
					placeholder: isTool ? 'e.g. company-profile' : 'e.g. open-registry',
				}),
				...(isTool
					? [
							textField(
								'provider',
								'Provider',
								'Who offers the tool, as Data Tool · Find has it, at most 200 characters',
								{
									typeOptions: { maxLength: 200 },
									required: true,
									placeholder: 'e.g. open-registry',
								},
							),
						]
					: []),
				choiceField('issue', 'Issue', issues[0]?.[1] ?? '', 'What is wrong', issues, { required: true }),
				textField('why', 'Why', 'What makes you say so, in your own words', {
					required: true,
					placeholder: 'e.g. It has no owners',
				}),
				...(isTool
					? [
							textField('requestedFunctionality', 'Wanted Data', 'What the new tool should give', {
								typeOptions: { isNeeded: true },
								displayOptions: { show: { issue: ['new_capability_request'] } },
								placeholder: 'e.g. Owners of a company',
							}),
						]
					: []),
			],
		],
		{ typeOptions: { multipleValues: true, maxItems: 20 }, send: name },
	);
}

const rateDataTools: CallOperation = {
	kind: 'call',
	value: 'rateDataTools',
	name: 'Rate Data Tools',
	action: 'Rate data tools or ask for one',
	description: 'Say how good the data tools are, or which data of a website is missing',
	// No ID belongs to it.
	request: { method: 'POST', path: '/v2/feedback', body: { endpoint: 'alexandria' }, bucket: 'other' },
	toItems: receiptItems,
	fields: [
		rating,
		textField('rationale', 'Reason', 'Why you rate them so, in your own words, at most 2000 characters', {
			typeOptions: { rows: 2, maxLength: 2000 },
			required: true,
			placeholder: 'e.g. The register has no owners',
		}),
		textField('requestedUrl', 'Website', 'Address of a website whose data you would want from a tool', {
			typeOptions: { sentAs: 'url' },
			required: true,
			placeholder: 'e.g. https://example.com',
			send: 'requestedWebsite.url',
		}),
		textField(
			'requestedFunctionality',
			'Wanted Data',
			'What a tool should give of that website, at most 2000 characters',
			{
				typeOptions: { maxLength: 2000 },
				required: true,
				placeholder: 'e.g. Opening hours of all branches',
				send: 'requestedWebsite.requestedFunctionality',
			},
		),
		optionList(
			aboutTools('capabilityFeedback', 'About Tools', 'tool', [
				['Call Failed', 'execution_error'],
				['Not Enough', 'insufficient_functionality'],
				['Other', 'other'],
				['There Is None', 'missing_capability'],
				['Wanted as a New Tool', 'new_capability_request'],
				['Wrong Result', 'incorrect_result'],
			]),
			aboutTools('providerFeedback', 'About Providers', 'provider', [
				['Did Not Answer', 'provider_unavailable'],
				['Not Enough', 'insufficient_coverage'],
				['Other', 'other'],
				['There Is None', 'missing_provider'],
			]),
			textField('objective', 'Objective', 'What you wanted the data for, at most 2000 characters', {
				typeOptions: { maxLength: 2000 },
				placeholder: 'e.g. Find shops that open on Sundays',
			}),
			additionalFields,
		),
	],
};

export const feedback: Resource = {
	value: 'feedback',
	name: 'Feedback',
	description: 'Rate a result to help Firecrawl improve; a rated search may refund a credit',
	operations: [rateSearch, rateJob, rateDataTools],
	defaultOperation: 'rateSearch',
};
