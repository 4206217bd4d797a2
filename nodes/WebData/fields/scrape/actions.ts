import type { INodeProperties } from 'n8n-workflow';

import { actionFields } from './actionFields';

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
