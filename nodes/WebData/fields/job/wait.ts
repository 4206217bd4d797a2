import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

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
	description:
		'Whether to wait until the job ends and put out its result. When off, what there is comes out at once.',
};

/** The value of Wait for Completion that parks the execution. */
export const FREE = 'free';

/** Its values with which the result of the job comes out. */
export const WAITS: Array<boolean | string> = [true, FREE];

// Sorted as they are chosen, not by name. The values true and false are those of the switch that this field
// once was: workflows that have them stored mean the same as ever, for n8n's editor, too.
const hold: INodePropertyOptions = {
	name: 'Hold the Execution',
	value: true,
	description: 'Waits until the job ends and puts out its result; looks every few seconds',
};

const none: INodePropertyOptions = {
	name: 'Do Not Wait',
	value: false,
	description: 'Puts out the job ID at once; Get collects the result later',
};

const free: INodePropertyOptions = {
	name: 'Free the Worker',
	value: FREE,
	description:
		'Same result, but n8n parks the execution until the service calls it; nothing runs meanwhile',
};

const waitOfStart: INodeProperties = {
	displayName: 'Wait for Completion',
	name: 'waitForCompletion',
	type: 'options',
	options: [hold, none],
	default: true,
	description:
		'How to wait for the job. The service makes no call when such a job ends: to wait without holding a worker, see the example research-durable of this package.',
};

/** Of a start: how to wait. One whose end the service tells (`endEvents` of its kind) can be parked. */
export const waitChoice: INodeProperties = {
	...waitOfStart,
	options: [hold, free, none],
	description:
		'How to wait for the job. Free the Worker needs an n8n that the service can call (WEBHOOK_URL), else it holds. Without a call by Max Wait, the input goes on with the job ID in parkedJob: collect it with IF and Get.',
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
		description: `How many seconds to wait for each job, counted from its start (a parked execution: from the last start), 1 to ${MAX_WAIT_LIMIT_SECONDS}. For deep research the default is its time limit and 120 seconds more.`,
	},
	{
		displayName: 'On Max Wait',
		name: 'onTimeout',
		type: 'options',
		options: [
			{
				name: 'Fail',
				value: 'fail',
				description:
					'Error that names the job ID; a retry of the execution waits on for the same job',
			},
			{
				name: 'Output the Unfinished Job',
				value: 'output',
				description: 'Item with the job ID, its state and what there is so far',
			},
		],
		default: 'fail',
		description:
			'What to do with a job that still runs after Max Wait. It is not stopped. A parked execution passes its input on.',
	},
	{
		displayName: 'Polling',
		name: 'polling',
		type: 'options',
		options: [
			{
				name: 'Automatic',
				value: 'automatic',
				description: 'Looks often at young jobs and seldom at old ones: every 1 to 12 seconds',
			},
			{
				name: 'Every N Seconds',
				value: 'fixed',
				description: 'Looks in a fixed interval; add Poll Interval to set it',
			},
		],
		default: 'automatic',
		description:
			'How often to look at a running job. Automatic sees a result at most 5% of the job’s length (or 1 second) after it is there.',
	},
	{
		displayName: 'Poll Interval (Seconds)',
		name: 'pollInterval',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 3600, numberPrecision: 1 },
		default: 5,
		displayOptions: { show: { polling: ['fixed'] } },
		description: 'Seconds between two looks at a job, 1 to 3600',
	},
	{
		displayName: 'Max Jobs at Once',
		name: 'maxJobsAtOnce',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 1000, numberPrecision: 0 },
		default: 10,
		description:
			'How many jobs of this node may run side by side, 1 to 1000. When the plan allows fewer, the node notices and keeps to it. Free the Worker starts all that the plan allows.',
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
		description:
			'How long and how often to look at the job, and what to do when it does not end well',
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
