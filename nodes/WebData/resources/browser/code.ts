import type { INodeProperties } from 'n8n-workflow';

import type { JsonObject } from '../../../service/http/transport';

/**
 * In what the code is written. Always sent: what a server takes without it differs
 * (docs/service-notes.md#where-servers-differ).
 */
export const language: INodeProperties = {
	displayName: 'Language',
	name: 'language',
	type: 'options',
	options: [
		{ name: 'Bash', value: 'bash', description: 'Commands of agent-browser, such as snapshot' },
		{ name: 'JavaScript', value: 'node', description: 'Playwright; the page is in `page`' },
		{ name: 'Python', value: 'python', description: 'Playwright; the page is in `page`' },
	],
	default: 'node',
	required: true,
	description: 'What the code is written in',
	routing: { send: { type: 'body', property: 'language' } },
};

const MAX_CHARACTERS = 100_000;

/**
 * The code: JavaScript in n8n's editor for it, the other languages as plain text. n8n shows both fields of a
 * pair that waits for different values when Language is an expression; the second hides instead.
 */
export function codeFields(changes: Partial<INodeProperties> = {}): INodeProperties[] {
	const field: INodeProperties = {
		displayName: 'Code',
		name: 'code',
		type: 'string',
		default: '',
		required: true,
		description: 'Code to run, at most 100,000 characters. What it prints is returned.',
		routing: { send: { type: 'body', property: 'code' } },
		...changes,
	};
	const { show } = field.displayOptions ?? {};
	const typeOptions = { rows: 6, maxLength: MAX_CHARACTERS, ...field.typeOptions };
	return [
		{
			...field,
			typeOptions: { ...typeOptions, editor: 'jsEditor' },
			// The editor shows no placeholder.
			hint: "e.g. await page.goto('https://example.com'); console.log(await page.title())",
			displayOptions: { show: { ...show, language: ['node'] } },
		},
		{
			...field,
			typeOptions,
			placeholder: 'e.g. agent-browser snapshot',
			displayOptions: { ...(show && { show }), hide: { language: ['node'] } },
		},
	];
}

/** Seconds that code gets when the user set none. */
const USUAL_TIME_LIMIT_SECONDS = 30;

export const timeLimit: INodeProperties = {
	displayName: 'Time Limit (Seconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 300, numberPrecision: 0 },
	default: USUAL_TIME_LIMIT_SECONDS,
	required: true,
	description: 'How long it may run, 1 to 300 seconds',
	routing: { send: { type: 'body', property: 'timeout' } },
};

/** A server need not keep to the limit itself (recording browser-20), and needs time to answer. */
const ANSWER_MARGIN_MS = 30_000;

/** How long to wait for the answer of code with this time limit, in milliseconds. */
export function codeTimeoutMs({ timeout }: JsonObject): number {
	const seconds = typeof timeout === 'number' ? timeout : USUAL_TIME_LIMIT_SECONDS;
	return seconds * 1000 + ANSWER_MARGIN_MS;
}
