import type { INodeProperties } from 'n8n-workflow';
import { costLimits, optionList } from '../../fields/basic';
import { memoryTable } from '../../fields/job/pages';
import {
	choiceField,
	jsonField,
	noticeField,
	numberField,
	rowsField,
	switchField,
	textField,
} from '../../fields/field';
import { excludeDomains, historyNotice, model, place, maxTokens } from '../panel';

/** The notice above the fields, before a row costs anything. */
const rowNotice: INodeProperties = noticeField(
	'rowNotice',
	'Up to about 12 credits (73 with long PDFs) and tokens a row.',
);

const subject: INodeProperties = textField(
	'subject',
	'Subject',
	'What this row is about, as a person would search for it. A row without one is skipped.',
	{ placeholder: 'e.g. {{ $json.company }}', send: false },
);

const website: INodeProperties = textField(
	'website',
	'Website',
	"The subject's own site, if you know it: it is read first, and what it says counts before what others say",
	{ placeholder: 'e.g. {{ $json.website }}', send: false },
);

const columnFields: INodeProperties[] = [
	textField('name', 'Name', 'Name of the field that is filled. Data Tables take letters, digits and underscores.', {
		placeholder: 'e.g. price',
		send: false,
	}),
	textField('description', 'What It Is', 'What the cell holds, in one sentence', {
		placeholder: 'e.g. Price a month of the smallest paid plan',
		send: false,
	}),
	choiceField(
		'type',
		'Type',
		'text',
		'What kind of value it is',
		[
			['Amount of Money', 'money', 'A number, with its currency in a field of its own'],
			['Date', 'date', 'As exact as the page is: 2024-03-01, 2024-03 or 2024'],
			['Email', 'email'],
			['Number', 'number'],
			['One of a List', 'choice'],
			['Text', 'text'],
			['URL', 'url'],
			['Yes or No', 'boolean', 'No only where the page denies it'],
		],
		{ send: false },
	),
	textField('choices', 'Choices', 'What it is one of, separated by commas', {
		placeholder: 'e.g. Software, Hardware, Services',
		displayOptions: { show: { type: ['choice'] } },
		send: false,
	}),
];

const columns: INodeProperties[] = [
	choiceField(
		'columnsFrom',
		'Columns',
		'list',
		'How to name the columns. They are the same for all items.',
		[
			['Define Below', 'list'],
			['JSON', 'json', 'Such as from an expression'],
		],
		{ send: false },
	),
	rowsField(
		'columns',
		'Columns to Fill',
		'Add column',
		'What to find out about the subject',
		['column', 'Column', columnFields],
		{
			typeOptions: { multipleValues: true, sortable: true, maxItems: 30 },
			displayOptions: { show: { columnsFrom: ['list'] } },
			send: false,
		},
	),
	jsonField(
		'columnsJson',
		'Columns (JSON)',
		'{\n  "head_office": "Town of the head office",\n  "price": { "description": "Price of the smallest plan", "type": "money" }\n}',
		'The columns by name, or a list of objects with name, description, type (text, number, money, date, boolean, url, email, choice) and choices',
		{ displayOptions: { show: { columnsFrom: ['json'] } }, typeOptions: { sentAs: 'objectOrList' }, send: false },
	),
];

const output: INodeProperties = choiceField(
	'output',
	'Output',
	'row',
	'What to return for each row',
	[
		['Full Record', 'fullRecord', 'Everything: cells with their quotes, conflicts, pages and cost'],
		['One Item per Cell', 'cells', 'Each cell with its quote and its page, or why it is empty'],
		['One Row', 'row', 'A flat item: the columns, where each was found, and what is missing'],
	],
	{ send: false },
);

const CHANGES_ONLY = { displayOptions: { show: { report: ['news'] } } };

/** For a table that is filled again and again. */
const changesFields: INodeProperties[] = [
	choiceField(
		'report',
		'Rows',
		'everything',
		'Which rows to return when the same table is filled again and again',
		[
			['All Rows', 'everything', 'Each row, each time'],
			[
				'Only Rows with Changes',
				'news',
				'Rows of which a cell has changed, was filled or is gone since the last run, and rows that failed. The first run returns all.',
			],
		],
		{ send: false },
	),
	textField(
		'historyName',
		'History',
		'Name under which the cells are remembered. A row is known by its Subject and Website: another name is another row. A new name starts a new history. Default: one history for this node.',
		{ placeholder: 'e.g. Competitors', send: false, ...CHANGES_ONLY },
	),
	choiceField(
		'whenNothingNew',
		'Rows Without a Change',
		'nothing',
		'What to do with rows of which nothing has changed. A row that a limit has cut short is always returned.',
		[
			['Leave Out', 'nothing', 'A table in which nothing moved ends the workflow here'],
			['Return', 'item', 'With research_changes empty'],
		],
		{ send: false, ...CHANGES_ONLY },
	),
	switchField(
		'oneReport',
		'One Report for All Items',
		false,
		'Whether to return one item with one table of all changes, such as for a mail, instead of the rows',
		{ send: false, ...CHANGES_ONLY },
	),
	{ ...memoryTable, ...CHANGES_ONLY },
	{ ...historyNotice, ...CHANGES_ONLY },
];

const rowOptions: INodeProperties = optionList(
	switchField(
		'includeOtherFields',
		'Include Other Input Fields',
		true,
		'Whether the row has the fields of its input item as well. A column replaces a field of the same name.',
		{ send: false },
	),
	choiceField(
		'existingCells',
		'Cells That Have a Value',
		'lookUp',
		'What to do with columns for which the input item has a value',
		[
			['Keep', 'keep', 'Only empty columns are looked for. A full row costs nothing.'],
			['Look Up Again', 'lookUp', 'All columns are looked for, and what is not found any more becomes empty'],
		],
		{ send: false },
	),
	choiceField(
		'emptyCells',
		'Empty Cells',
		'null',
		'What stands in a cell that has no value',
		[
			['Empty Text', 'text', 'For Google Sheets, which leaves a cell as it was where it gets null'],
			['Null', 'null', 'For databases and Data Tables'],
		],
		{ send: false },
	),
	numberField('maxUrls', 'Max Pages', 6, 'Maximum number of pages to read for a row, 1 to 50. Each costs 1 credit.', {
		min: 1,
		max: 50,
		send: false,
	}),
	numberField(
		'maxDepth',
		'Max Rounds',
		2,
		"Maximum number of rounds, 1 to 6. With Website, the first one reads the subject's own site; the others search the web for what is still empty.",
		{ min: 1, max: 6, send: false },
	),
	numberField(
		'timeLimitAll',
		'Time Limit for All Rows (Seconds)',
		3000,
		'Maximum time for all rows together, 30 to 86400 seconds: set it below the timeout of the workflow. Rows that were not started are returned as such. Without this option: no limit.',
		{ min: 30, max: 86_400, send: false },
	),
	numberField(
		'timeLimit',
		'Time Limit (Seconds)',
		90,
		'Maximum time for a row, 30 to 3600 seconds. After that, the row has what was found so far.',
		{ min: 30, max: 3600, send: false },
	),
	...costLimits,
	maxTokens,
	excludeDomains,
	...place,
	...model.filter(({ name }) => name !== 'unsupportedClaims'),
);

/** The fields of a row that is filled. Options of pages are those of a question. */
export const rowFields: INodeProperties[] = [
	rowNotice,
	subject,
	website,
	...columns,
	...changesFields,
	output,
	rowOptions,
];
