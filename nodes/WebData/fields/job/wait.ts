import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { optionList, url } from '../basic';

/** Longest wait that can be asked for: results of the service are gone after a day at most. */
const MAX_WAIT_LIMIT_SECONDS = 86_400;

/** Seconds to wait for a job when the user set none: longer ones are better left to Get. */
export const USUAL_MAX_WAIT_SECONDS = 3600;

/** Of a Get: whether to wait for the job, or to look at it once. */
export const waitForCompletion: INodeProperties = {
	displayName: 'Wait for Completion',
	name: 'waitForCompletion',
	type: 'boolean',
	default: false,
	description: 'Whether to wait until the job ends. When off, the node outputs what is there now.',
};

/** The value of Wait for Completion that suspends the execution. */
export const FREE = 'free';

/** Its values with which the result of the job comes out. */
export const WAITS: Array<boolean | string> = [true, FREE];

// Sorted as they are chosen, not by name. The values true and false are those of the switch that this field
// once was: workflows that have them stored mean the same as ever, for n8n's editor, too.
const hold: INodePropertyOptions = {
	name: 'Wait for the Result',
	value: true,
	description: 'The node checks until the job has ended, then returns its result',
};

const none: INodePropertyOptions = {
	name: 'Do Not Wait',
	value: false,
	description: 'Return the job ID at once; read the result later with Get',
};

const free: INodePropertyOptions = {
	name: 'Wait in the Background',
	value: FREE,
	description:
		'The execution is stored until Firecrawl calls back. Works with and without queue mode.',
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
		'How to wait for the job. To wait in the background, Firecrawl must be able to reach n8n: set WEBHOOK_URL.',
};

/** The same for a job whose end the service does not tell. */
export const waitChoiceWithoutCall: INodeProperties = waitOfStart;

const commonOptions: INodeProperties[] = [
	{
		displayName: 'Max Wait (Seconds)',
		name: 'maxWait',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: MAX_WAIT_LIMIT_SECONDS, numberPrecision: 0 },
		default: USUAL_MAX_WAIT_SECONDS,
		description: `How many seconds to wait for each job, 1 to ${MAX_WAIT_LIMIT_SECONDS} (24 hours)`,
	},
	{
		displayName: 'On Max Wait',
		name: 'onTimeout',
		type: 'options',
		options: [
			{
				name: 'Fail',
				value: 'fail',
				description: 'Error with the job ID; a retry continues to wait for the same job',
			},
			{
				name: 'Output the Unfinished Job',
				value: 'output',
				description: 'An item with the job ID, its state and the results so far',
			},
		],
		default: 'fail',
		description:
			'What to do if a job still runs after Max Wait. The job keeps running. Wait in the Background always returns the input with parkedJob.',
	},
	{
		displayName: 'Polling',
		name: 'polling',
		type: 'options',
		options: [
			{
				name: 'Automatic',
				value: 'automatic',
				description: 'Every second at first, later less often, at least every 12 seconds',
			},
			{
				name: 'Every N Seconds',
				value: 'fixed',
				description: 'At a fixed interval; add Poll Interval to set it',
			},
		],
		default: 'automatic',
		description: 'How often to check whether a job has ended',
	},
	{
		displayName: 'Poll Interval (Seconds)',
		name: 'pollInterval',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 3600, numberPrecision: 1 },
		default: 5,
		displayOptions: { show: { polling: ['fixed'] } },
		description: 'Seconds between two status checks, 1 to 3600',
	},
	{
		displayName: 'Max Jobs at Once',
		name: 'maxJobsAtOnce',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 1000, numberPrecision: 0 },
		default: 10,
		description:
			'How many jobs of this node may run at once, 1 to 1000, or fewer if your plan allows fewer. Wait in the Background: as many as the plan allows.',
	},
];

/**
 * The wait options, the same for every job operation, in the order in which people need them. They belong to a node
 * that waits: where they stand says so. `more` is what this kind of job can do besides.
 */
export function waitOptions(...more: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Wait Options',
		name: 'waitOptions',
		type: 'collection',
		placeholder: 'Add wait option',
		default: {},
		description: 'How long to wait, how often to check, what to do if the job fails',
		options: [...commonOptions, ...more],
	};
}

/** The same option, shown only where the node waits for the job. */
export function whenWaitedFor(option: INodeProperties): INodeProperties {
	return {
		...option,
		displayOptions: { show: { ...option.displayOptions?.show, '/waitForCompletion': WAITS } },
	};
}

/** An option of starts: what to do when nobody knows whether the job runs. Read by run/jobs/planJob.ts. */
export const onUnclearStart: INodeProperties = {
	displayName: 'If Start Is Uncertain',
	name: 'onUnclearStart',
	type: 'options',
	options: [
		{
			name: 'Fail',
			value: 'fail',
			description: 'Error that says what Firecrawl lists; nothing is paid twice',
		},
		{
			name: 'Start Again',
			value: 'startAgain',
			description: 'Send the request again; the work may be paid for twice',
		},
	],
	default: 'fail',
	description:
		'What to do if the connection breaks while a job is being started and Firecrawl does not list the job',
};

/** An option of starts of jobs that gather pages. */
export const maxConcurrency: INodeProperties = {
	displayName: 'Max Concurrency',
	name: 'maxConcurrency',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 5,
	description:
		'How many pages of a job to scrape at once, at least 1. Without this option: as many as the plan allows.',
	routing: { send: { type: 'body', property: 'maxConcurrency' } },
};

/** What crawls, batch scrapes and extract jobs report (docs/service-notes.md#webhooks). */
const PAGE_JOB_EVENTS: INodePropertyOptions[] = [
	{ name: 'Completed', value: 'completed', description: 'The job has completed' },
	{ name: 'Failed', value: 'failed', description: 'The job has failed' },
	{ name: 'Page', value: 'page', description: 'A page has been scraped' },
	{ name: 'Started', value: 'started', description: 'The job has been started' },
];

/** All are chosen to begin with; n8n's lint takes only literals for the default of such a field. */
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
 * Where the service reports what happens (shapes `webhookConfig`, `agentWebhookConfig`,
 * `monitorWebhookConfig`): an option of job starts and monitors. `events` are those that it knows.
 */
export function webhookWith(events: INodePropertyOptions[]): INodeProperties {
	return {
		displayName: 'Webhook',
		name: 'webhook',
		type: 'fixedCollection',
		default: {},
		placeholder: 'Set webhook',
		description:
			'Address that Firecrawl calls with events of the job, such as that of a Web Data Trigger (Job Event)',
		options: [
			{
				displayName: 'Webhook',
				name: 'target',
				values: [
					url(
						'Address to call, https for the hosted service: the Production URL of a Web Data Trigger or Webhook node',
						'e.g. https://n8n.example.com/webhook/…',
					),
					eventsField(events),
					{
						displayName: 'Headers',
						name: 'headers',
						type: 'json',
						typeOptions: { sentAs: 'stringMap' },
						default: '',
						placeholder: 'e.g. { "X-Secret": "…" }',
						description:
							'Headers of each call, as a JSON object of texts. A secret header proves calls that a self-hosted server does not sign.',
						routing: { send: { type: 'body', property: 'headers' } },
					},
					{
						displayName: 'Metadata',
						name: 'metadata',
						type: 'json',
						typeOptions: { sentAs: 'stringMap' },
						default: '',
						placeholder: 'e.g. { "project": "blue" }',
						description: 'Values to send with each call, as a JSON object of texts',
						routing: { send: { type: 'body', property: 'metadata' } },
					},
				],
			},
		],
		routing: { send: { type: 'body', property: 'webhook' } },
	};
}

export const webhook = webhookWith(PAGE_JOB_EVENTS);

/** The id of a job that was started elsewhere, the same field for every kind of job. */
export const jobId: INodeProperties = {
	displayName: 'Job ID',
	name: 'jobId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. fd35809c-…',
	description: 'ID of the job (a UUID), from the output of Start or an error message',
};

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
