import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { optionList, url } from '../basic';
import { choiceField, groupField, jsonField, numberField, rowsField, switchField, textField } from '../field';

/** Longest wait that can be asked for: results of the service are gone after a day at most. */
const MAX_WAIT_LIMIT_SECONDS = 86_400;

/** Seconds to wait for a job when the user set none: longer ones are better left to Get. */
export const USUAL_MAX_WAIT_SECONDS = 3600;

/** Of a Get: whether to wait for the job, or to look at it once. */
export const waitForCompletion: INodeProperties = switchField(
	'waitForCompletion',
	'Wait for Completion',
	false,
	'Whether to wait until the job ends. When off, the node outputs what is there now.',
	{ send: false },
);

/** The value of Wait for Completion that suspends the execution. */
export const FREE = 'free';

/** Its values with which the result of the job comes out. */
export const WAITS: Array<boolean | string> = [true, FREE];

// Sorted as they are chosen, not by name. The values true and false are those of the switch that this field
// once was: workflows that have them stored mean the same as ever, for n8n's editor, too.
const hold: INodePropertyOptions = {
	name: 'Wait for the Result',
	value: true,
	description:
		'The node checks until the job has ended, then returns its result. Meanwhile Get shows how far it is, by the ID in n8n’s log; so does Highlighted data in Executions of a registered n8n.',
};

const none: INodePropertyOptions = {
	name: 'Do Not Wait',
	value: false,
	description: 'Return the job ID at once; read the result later with Get',
};

const free: INodePropertyOptions = {
	name: 'Wait in the Background',
	value: FREE,
	description: 'The execution is stored until Firecrawl calls back. Works with and without queue mode.',
};

const waitOfStart: INodeProperties = {
	displayName: 'Wait for Completion',
	name: 'waitForCompletion',
	type: 'options',
	options: [hold, none],
	default: true,
	description: 'How to wait for the job',
};

/** Of a start: how to wait. One whose end the service tells (`endEvents` of its kind) can be suspended. */
export const waitChoice: INodeProperties = {
	...waitOfStart,
	options: [hold, free, none],
	description:
		'How to wait for the job. To wait in the background, Firecrawl must be able to reach n8n: set N8N_WEBHOOK_URL (in older versions WEBHOOK_URL).',
};

/** The same for a job whose end the service does not tell. */
export const waitChoiceWithoutCall: INodeProperties = waitOfStart;

const commonOptions: INodeProperties[] = [
	numberField(
		'maxWait',
		'Max Wait (Seconds)',
		USUAL_MAX_WAIT_SECONDS,
		`How many seconds to wait for each job, 1 to ${MAX_WAIT_LIMIT_SECONDS} (24 hours)`,
		{ min: 1, max: MAX_WAIT_LIMIT_SECONDS, send: false },
	),
	choiceField(
		'onTimeout',
		'On Max Wait',
		'fail',
		'What to do if a job still runs after Max Wait. The job keeps running. Wait in the Background always returns the input with suspendedJob.',
		[
			['Fail', 'fail', 'Error with the job ID; a retry continues to wait for the same job'],
			['Output the Unfinished Job', 'output', 'An item with the job ID, its state and the results so far'],
		],
		{ send: false },
	),
	choiceField(
		'polling',
		'Polling',
		'automatic',
		'How often to check whether a job has ended',
		[
			['Automatic', 'automatic', 'Every second at first, up to 12 seconds apart later'],
			['Every N Seconds', 'fixed', 'At a fixed interval; add Poll Interval to set it'],
		],
		{ send: false },
	),
	{
		displayName: 'Poll Interval (Seconds)',
		name: 'pollInterval',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 3600, numberPrecision: 1 },
		default: 5,
		displayOptions: { show: { polling: ['fixed'] } },
		description: 'Seconds between two status checks, 1 to 3600',
	},
	numberField(
		'maxJobsAtOnce',
		'Max Jobs at Once',
		10,
		'How many jobs of this node may run at once, 1 to 1000, as far as your plan allows. Wait in the Background: as many as it allows.',
		{ min: 1, max: 1000, send: false },
	),
];

/**
 * The wait options, the same for every job operation, in the order in which people need them. They belong to a node
 * that waits: where they stand says so. `more` is what this kind of job can do besides.
 */
export function waitOptions(...more: INodeProperties[]): INodeProperties {
	return groupField(
		'waitOptions',
		'Wait Options',
		'Add wait option',
		'How long to wait, how often to check, what to do if the job fails',
		[...commonOptions, ...more],
	);
}

/** The same option, shown only where the node waits for the job. */
export function whenWaitedFor(option: INodeProperties): INodeProperties {
	return {
		...option,
		displayOptions: { show: { ...option.displayOptions?.show, '/waitForCompletion': WAITS } },
	};
}

/** An option of starts: what to do when nobody knows whether the job runs. Read by run/jobs/planJobs.ts. */
export const onUnclearStart: INodeProperties = choiceField(
	'onUnclearStart',
	'If Start Is Uncertain',
	'fail',
	'What to do if the connection breaks while a job is being started and Firecrawl does not list the job',
	[
		['Fail', 'fail', 'Error that says what Firecrawl lists; nothing is paid twice'],
		['Start Again', 'startAgain', 'Send the request again; the work may be paid for twice'],
	],
	{ send: false },
);

/** An option of starts of jobs that gather pages. */
export const maxConcurrency: INodeProperties = numberField(
	'maxConcurrency',
	'Max Concurrency',
	5,
	'How many pages of a job to scrape at once, at least 1. Without this option: as many as the plan allows.',
	{ min: 1 },
);

/** The events that crawls, batch scrapes and extract jobs report (docs/reference/service-notes.md#webhooks). */
const PAGE_JOB_EVENTS: INodePropertyOptions[] = [
	{ name: 'Completed', value: 'completed', description: 'The job has completed' },
	{ name: 'Failed', value: 'failed', description: 'The job has failed' },
	{ name: 'Page', value: 'page', description: 'A page has been scraped' },
	{ name: 'Started', value: 'started', description: 'The job has been started' },
];

/** The events that the webhook reports. All are chosen by default; n8n's lint takes only literals for the default of such a field. */
function eventsField(events: INodePropertyOptions[]): INodeProperties {
	const field: INodeProperties = {
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		options: events,
		default: [],
		description: 'What to report. With none chosen, everything.',
		routing: { send: { type: 'body', property: 'events' } },
	};
	return { ...field, default: events.map(({ value }) => String(value)) };
}

/**
 * The webhook to which the service reports events (shapes `webhookConfig`, `agentWebhookConfig`,
 * `monitorWebhookConfig`): an option of job starts and monitors. `events` are those that it knows.
 */
export function webhookWith(events: INodePropertyOptions[]): INodeProperties {
	return rowsField(
		'webhook',
		'Webhook',
		'Set webhook',
		'Address that Firecrawl calls with events of the job, such as that of a Web Data Trigger (Job Event)',
		[
			'target',
			'Webhook',
			[
				url(
					'Address to call, https for the hosted service: the Production URL of a Web Data Trigger or Webhook node',
					'e.g. https://n8n.example.com/webhook/…',
				),
				eventsField(events),
				jsonField(
					'headers',
					'Headers',
					'',
					'Headers of each call, as a JSON object of texts. A secret header proves calls that a self-hosted server does not sign.',
					{ typeOptions: { sentAs: 'stringMap' }, placeholder: 'e.g. { "X-Secret": "…" }' },
				),
				jsonField('metadata', 'Metadata', '', 'Values to send with each call, as a JSON object of texts', {
					typeOptions: { sentAs: 'stringMap' },
					placeholder: 'e.g. { "project": "blue" }',
				}),
			],
		],
		{ send: 'webhook' },
	);
}

export const webhook = webhookWith(PAGE_JOB_EVENTS);

/** The id of a job that was started elsewhere, the same field for every kind of job. */
export const jobId: INodeProperties = textField(
	'jobId',
	'Job ID',
	'ID of the job (a UUID), from the output of Start or an error message',
	{ required: true, placeholder: 'e.g. fd35809c-…', send: false },
);

/** The fields of Get for a job whose status holds its whole result. `output` says what it puts out. */
export function getRecordFields(output: INodeProperties, id = jobId): INodeProperties[] {
	return [
		id,
		waitForCompletion,
		output,
		// Without waiting it would be an empty list.
		whenWaitedFor(optionList(waitOptions())),
	];
}
