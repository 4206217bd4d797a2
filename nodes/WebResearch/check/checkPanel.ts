import type { INodeProperties } from 'n8n-workflow';
import { costLimits, optionList } from '../../fields/basic';
import { choiceField, noticeField, numberField, textField } from '../../fields/field';
import { excludeDomains, maxTokens, model } from '../panel';

const notice: INodeProperties = noticeField(
	'checkNotice',
	'1 credit for each page that is cited, up to 20, and tokens.',
);

const input: INodeProperties[] = [
	choiceField(
		'textFrom',
		'Text From',
		'field',
		'Where the text is: Markdown, HTML or plain text with its sources as links, footnotes or a numbered list',
		[
			['Binary File', 'file', 'A text, Markdown or HTML file of the item. For a PDF use Web Data · Parse File first.'],
			['Field', 'field', 'Written here, or from an expression'],
		],
		{ send: false },
	),
	textField('text', 'Text', 'The text whose sentences are looked up in the pages that they cite', {
		typeOptions: { rows: 5 },
		placeholder: 'e.g. {{ $json.output }}',
		displayOptions: { show: { textFrom: ['field'] } },
		send: false,
	}),
	textField('textField', 'Input Binary Field', 'Name of the field that holds the file', {
		default: 'data',
		placeholder: 'e.g. data',
		displayOptions: { show: { textFrom: ['file'] } },
		send: false,
	}),
];

const withoutSource: INodeProperties = choiceField(
	'withoutSource',
	'Sentences Without a Source',
	'list',
	'What to do with sentences that cite nothing',
	[
		['List Them', 'list', 'They are told as such, and isClean is false'],
		[
			'Search for Them',
			'search',
			'One search and up to two pages for each of the first 20: up to 4 credits a sentence. What a page says is supported by it; a search that finds nothing proves nothing.',
		],
	],
	{ send: false },
);

const output: INodeProperties = choiceField(
	'output',
	'Output',
	'simplified',
	'What to return for each text',
	[
		['One Item per Sentence', 'sentences', 'Each sentence with its verdict, its sources and the words of the page'],
		['Simplified', 'simplified', 'The numbers with isClean for an IF, the marked text, what is wrong, the sources'],
	],
	{ send: false },
);

const options: INodeProperties = optionList(
	numberField(
		'maxUrls',
		'Max Pages',
		20,
		'Maximum number of pages to read, 1 to 200: those that are cited most. Each costs 1 credit.',
		{ min: 1, max: 200, send: false },
	),
	numberField(
		'timeLimit',
		'Time Limit (Seconds)',
		300,
		'Maximum time for a text, 30 to 3600 seconds. After that, what was not read is said to be so.',
		{ min: 30, max: 3600, send: false },
	),
	...costLimits,
	maxTokens,
	excludeDomains,
	...model.filter(({ name }) => name === 'modelCallsAtOnce'),
);

/** The fields of a text that is checked. Options of pages are those of a question. */
export const checkFields: INodeProperties[] = [notice, ...input, withoutSource, output, options];
