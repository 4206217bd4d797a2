import type { INodeProperties } from 'n8n-workflow';
import { screenshotOptions } from '../formats';

const waitFor: INodeProperties = {
	displayName: 'Wait For',
	name: 'waitFor',
	type: 'options',
	options: [
		{ name: 'Element', value: 'element', description: 'Until it shows, 30 seconds at most' },
		{ name: 'Time', value: 'time', description: 'A fixed time' },
	],
	default: 'time',
	description: 'What ends the pause',
	displayOptions: { show: { type: ['wait'] } },
};

const milliseconds: INodeProperties = {
	displayName: 'Milliseconds',
	name: 'milliseconds',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 1000,
	required: true,
	description: 'Length of the pause in milliseconds, at least 1',
	displayOptions: { show: { type: ['wait'], waitFor: ['time'] } },
	routing: { send: { type: 'body', property: 'milliseconds' } },
};

const selector: INodeProperties = {
	displayName: 'CSS Selector',
	name: 'selector',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. #load-more',
	description: 'CSS selector of the element to click or to wait for, such as #load-more',
	routing: { send: { type: 'body', property: 'selector' } },
};

const all: INodeProperties = {
	displayName: 'Click All',
	name: 'all',
	type: 'boolean',
	default: false,
	description: 'Whether to click every match, without an error when there is none',
	displayOptions: { show: { type: ['click'] } },
	routing: { send: { type: 'body', property: 'all' } },
};

const text: INodeProperties = {
	displayName: 'Text',
	name: 'text',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. tide tables',
	description:
		'Text to type into the field that has the focus. Click that field in an earlier step.',
	displayOptions: { show: { type: ['write'] } },
	routing: { send: { type: 'body', property: 'text' } },
};

const key: INodeProperties = {
	displayName: 'Key',
	name: 'key',
	type: 'string',
	default: 'Enter',
	required: true,
	description: 'Name of the key to press, such as Enter or ArrowDown',
	displayOptions: { show: { type: ['press'] } },
	routing: { send: { type: 'body', property: 'key' } },
};

const scroll: INodeProperties[] = [
	{
		displayName: 'Direction',
		name: 'direction',
		type: 'options',
		options: [
			{ name: 'Down', value: 'down' },
			{ name: 'Up', value: 'up' },
		],
		default: 'down',
		description: 'Where to scroll to',
		displayOptions: { show: { type: ['scroll'] } },
		routing: { send: { type: 'body', property: 'direction' } },
	},
	{
		...selector,
		required: false,
		description: 'CSS selector of the element to scroll. Without this option: the page.',
		displayOptions: { show: { type: ['scroll'] } },
	},
];

const script: INodeProperties = {
	displayName: 'Script',
	name: 'script',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	required: true,
	placeholder: 'e.g. document.title',
	description: 'JavaScript to run in the page, such as document.title. Its result is returned.',
	displayOptions: { show: { type: ['executeJavascript'] } },
	routing: { send: { type: 'body', property: 'script' } },
};

const pdf: INodeProperties[] = [
	{
		displayName: 'Paper Size',
		name: 'format',
		type: 'options',
		options: [
			{ name: 'A0', value: 'A0' },
			{ name: 'A1', value: 'A1' },
			{ name: 'A2', value: 'A2' },
			{ name: 'A3', value: 'A3' },
			{ name: 'A4', value: 'A4' },
			{ name: 'A5', value: 'A5' },
			{ name: 'A6', value: 'A6' },
			{ name: 'Ledger', value: 'Ledger' },
			{ name: 'Legal', value: 'Legal' },
			{ name: 'Letter', value: 'Letter' },
			{ name: 'Tabloid', value: 'Tabloid' },
		],
		default: 'Letter',
		description: 'Paper size of the PDF file',
		displayOptions: { show: { type: ['pdf'] } },
		routing: { send: { type: 'body', property: 'format' } },
	},
	{
		displayName: 'Landscape',
		name: 'landscape',
		type: 'boolean',
		default: false,
		description: 'Whether to turn the paper sideways',
		displayOptions: { show: { type: ['pdf'] } },
		routing: { send: { type: 'body', property: 'landscape' } },
	},
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

const actionType: INodeProperties = {
	displayName: 'Type',
	name: 'type',
	type: 'options',
	options: [
		{ name: 'Click', value: 'click', description: 'Click an element' },
		{ name: 'PDF', value: 'pdf', description: 'Print the page to a PDF file' },
		{ name: 'Press Key', value: 'press', description: 'Press one key' },
		{
			name: 'Run JavaScript',
			value: 'executeJavascript',
			description: 'Run a script in the page and keep what it returns',
		},
		{ name: 'Scrape', value: 'scrape', description: 'Capture URL and HTML at this point' },
		{ name: 'Screenshot', value: 'screenshot', description: 'Capture an image at this point' },
		{ name: 'Scroll', value: 'scroll', description: 'Scroll the page or an element' },
		{ name: 'Wait', value: 'wait', description: 'Wait for a time or for an element' },
		{
			name: 'Write Text',
			value: 'write',
			description: 'Type into the field that has the focus: click it first',
		},
	],
	default: 'wait',
	required: true,
	description: 'Which step to take',
	routing: { send: { type: 'body', property: 'type' } },
};

/**
 * Browser steps before the capture. A list of steps rather than JSON text: each kind of step shows its
 * own fields, limits are checked before anything is paid for, each field takes an expression of its own,
 * and the order is changed by dragging.
 */
export const actions: INodeProperties = {
	displayName: 'Actions',
	name: 'actions',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true, maxItems: MAX_ACTIONS },
	default: {},
	placeholder: 'Add action',
	description: `Steps in the browser before the page is captured, in this order. At most ${MAX_ACTIONS}, with 60 seconds of waiting in all. Not for PDF files.`,
	options: [{ displayName: 'Action', name: 'action', values: [actionType, ...actionFields] }],
	routing: { send: { type: 'body', property: 'actions' } },
};
