import type { INodeProperties } from 'n8n-workflow';
import { choiceField, numberField, rowsField, switchField, textField } from '../field';
import { screenshotOptions } from '../formats';

const waitFor: INodeProperties = choiceField(
	'waitFor',
	'Wait For',
	'time',
	'What ends the pause',
	[
		['Element', 'element', 'Until it shows, 30 seconds at most'],
		['Time', 'time', 'A fixed time'],
	],
	{ displayOptions: { show: { type: ['wait'] } }, send: false },
);

const milliseconds: INodeProperties = numberField(
	'milliseconds',
	'Milliseconds',
	1000,
	'Length of the pause in milliseconds, at least 1',
	{ min: 1, required: true, displayOptions: { show: { type: ['wait'], waitFor: ['time'] } } },
);

const selector: INodeProperties = textField(
	'selector',
	'CSS Selector',
	'CSS selector of the element to click or to wait for, such as #load-more',
	{ required: true, placeholder: 'e.g. #load-more' },
);

const all: INodeProperties = switchField(
	'all',
	'Click All',
	false,
	'Whether to click every match, without an error when there is none',
	{ displayOptions: { show: { type: ['click'] } } },
);

const text: INodeProperties = textField(
	'text',
	'Text',
	'Text to type into the field that has the focus. Click that field in an earlier step.',
	{
		required: true,
		placeholder: 'e.g. tide tables',
		displayOptions: { show: { type: ['write'] } },
	},
);

const key: INodeProperties = textField('key', 'Key', 'Name of the key to press, such as Enter or ArrowDown', {
	default: 'Enter',
	required: true,
	displayOptions: { show: { type: ['press'] } },
});

const scroll: INodeProperties[] = [
	choiceField(
		'direction',
		'Direction',
		'down',
		'Where to scroll to',
		[
			['Down', 'down'],
			['Up', 'up'],
		],
		{ displayOptions: { show: { type: ['scroll'] } } },
	),
	{
		...selector,
		required: false,
		description: 'CSS selector of the element to scroll. Without this option: the page.',
		displayOptions: { show: { type: ['scroll'] } },
	},
];

const script: INodeProperties = textField(
	'script',
	'Script',
	'JavaScript to run in the page, such as document.title. Its result is returned.',
	{
		typeOptions: { rows: 4 },
		required: true,
		placeholder: 'e.g. document.title',
		displayOptions: { show: { type: ['executeJavascript'] } },
	},
);

const pdf: INodeProperties[] = [
	choiceField(
		'format',
		'Paper Size',
		'Letter',
		'Paper size of the PDF file',
		[
			['A0', 'A0'],
			['A1', 'A1'],
			['A2', 'A2'],
			['A3', 'A3'],
			['A4', 'A4'],
			['A5', 'A5'],
			['A6', 'A6'],
			['Ledger', 'Ledger'],
			['Legal', 'Legal'],
			['Letter', 'Letter'],
			['Tabloid', 'Tabloid'],
		],
		{ displayOptions: { show: { type: ['pdf'] } } },
	),
	switchField('landscape', 'Landscape', false, 'Whether to turn the paper sideways', {
		displayOptions: { show: { type: ['pdf'] } },
	}),
	{
		displayName: 'Scale',
		name: 'scale',
		type: 'number',
		typeOptions: { numberPrecision: 2 },
		default: 1,
		description: 'Factor by which the print is larger or smaller, such as 0.8',
		displayOptions: { show: { type: ['pdf'] } },
		routing: { send: { type: 'body', property: 'scale' } },
	},
];

/** The fields of each kind of browser action, shown for their kind only. */
const actionFields: INodeProperties[] = [
	waitFor,
	milliseconds,
	{ ...selector, displayOptions: { show: { type: ['wait'], waitFor: ['element'] } } },
	{ ...selector, displayOptions: { show: { type: ['click'] } } },
	all,
	text,
	key,
	...scroll,
	script,
	...pdf,
	{ ...screenshotOptions, displayOptions: { show: { type: ['screenshot'] } } },
];

/** Most steps before a page is captured (shape `action`). */
const MAX_ACTIONS = 50;

const actionType: INodeProperties = choiceField(
	'type',
	'Type',
	'wait',
	'Which step to take',
	[
		['Click', 'click', 'Click an element'],
		['PDF', 'pdf', 'Print the page to a PDF file'],
		['Press Key', 'press', 'Press one key'],
		['Run JavaScript', 'executeJavascript', 'Run a script in the page and keep what it returns'],
		['Scrape', 'scrape', 'Capture URL and HTML at this point'],
		['Screenshot', 'screenshot', 'Capture an image at this point'],
		['Scroll', 'scroll', 'Scroll the page or an element'],
		['Wait', 'wait', 'Wait for a time or for an element'],
		['Write Text', 'write', 'Type into the field that has the focus: click it first'],
	],
	{ required: true },
);

/**
 * Browser steps before the capture. A list of steps rather than JSON text: each kind of step shows its
 * own fields, limits are checked before anything is paid for, each field takes an expression of its own,
 * and the order is changed by dragging.
 */
export const actions: INodeProperties = rowsField(
	'actions',
	'Actions',
	'Add action',
	`Steps in the browser before the page is captured, in this order. At most ${MAX_ACTIONS}, with 60 seconds of waiting in all. Not for PDF files.`,
	['action', 'Action', [actionType, ...actionFields]],
	{ typeOptions: { multipleValues: true, sortable: true, maxItems: MAX_ACTIONS }, send: 'actions' },
);
