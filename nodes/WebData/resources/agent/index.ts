import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { agentPrice } from '../../../cost/prices';
import {
	additionalFields,
	auditMetadata,
	fromList,
	costLimits,
	optionList,
	pathId,
	rareOptions,
	returnAllOrLimit,
} from '../../../fields/basic';
import { choiceField, switchField, textField } from '../../../fields/field';
import { cancelOnStop, structureFields } from '../../../fields/job/pages';
import {
	USUAL_MAX_WAIT_SECONDS,
	WAITS,
	getRecordFields,
	jobId,
	onUnclearStart,
	waitChoice,
	waitOptions,
	webhookWith,
	whenWaitedFor,
} from '../../../fields/job/wait';
import { threatProtection } from '../../../fields/scrape/threatProtection';
import { cancelJob, getJob } from '../../../operation/jobOperations';
import { choiceOf, minuteOf } from '../../../operation/operation';
import type {
	CallAnswer,
	CallOperation,
	ItemDraft,
	JobRecord,
	ListOperation,
	RecordResult,
	Resource,
	StartJobOperation,
} from '../../../operation/operation';
import { holdsNothing, recordFields, withIsoDates } from '../../../operation/recordFields';
import { addCredits, readCredits } from '../../../operation/webPage';
import { isJsonObject } from '../../../service/http/answer';
import { shorten } from '../../../service/http/failure';
import type { JsonObject } from '../../../service/http/transport';
import { agentJob } from '../../../service/jobs/jobKinds';
import {
	approvalFault,
	approvalText,
	decisionFields,
	exchangeCredits,
	exchangeFields,
	paidProviders,
} from './paidProviders';

const cancel = cancelJob(
	agentJob,
	{
		action: 'Cancel agent',
		description: 'Ask an agent to stop; the step it is doing may still be paid for',
	},
	fromList(jobId, 'agentGetMany'),
);

const agentOutput: INodeProperties = choiceField(
	'output',
	'Output',
	'simplified',
	'What to return for each finished job',
	[
		['Full Record', 'fullRecord', 'All that Firecrawl returns, with model, expiry, suggestions'],
		['Simplified', 'simplified', 'The data, then ID, status, credits used and thread'],
	],
	{ send: false },
);

/** The same where the job is waited for. */
const outputWhenWaited: INodeProperties = { ...agentOutput, displayOptions: { show: { waitForCompletion: WAITS } } };

/** What is said of a run that has stopped at its limit, and hands over what it has. */
function partialFields(body: JsonObject): IDataObject {
	if (!agentJob.hasPartial?.(body)) return {};
	const { partialSchemaValid, stopReason, error } = body;
	return {
		isPartial: true,
		...(typeof partialSchemaValid === 'boolean' && { partialSchemaValid }),
		...(typeof stopReason === 'string' && { stopReason: shorten(stopReason, 200) }),
		...(typeof error === 'string' && { reason: shorten(error) }),
	};
}

function simplified({ id, state, body }: JobRecord): IDataObject {
	const { data, message, threadId } = body;
	const creditsUsed = readCredits(body);
	return {
		// A chat answers with a message and may have no data.
		...(typeof message === 'string' && { message }),
		data: (data ?? body.partial ?? null) as IDataObject,
		...partialFields(body),
		id,
		status: state,
		...(creditsUsed !== undefined && { creditsUsed }),
		...(typeof threadId === 'string' && { threadId }),
		...exchangeFields(body),
	};
}

function fullRecord(record: JobRecord): IDataObject {
	return { ...simplified(record), ...recordFields(record.body) };
}

const GOES_ON =
	'it stopped at its limit, and cost nothing but paid data. Agent · Start goes on from there with Continue a Thread (its threadId), or starts over with a higher Max Credits';

/** Converts agent jobs to items. */
const agentResult: RecordResult = {
	toItems: (record, choice) => [{ json: choice === 'fullRecord' ? fullRecord(record) : simplified(record) }],
	toStartedItem: (id, { prompt }, { threadId }) => ({
		id,
		prompt: String(prompt),
		...(typeof threadId === 'string' && { threadId }),
	}),
	remarks(body) {
		if (agentJob.hasPartial?.(body)) return [`is partial: ${GOES_ON}`];
		const approval = approvalText(body);
		if (approval !== undefined) return [approval];
		// A chat answers with a message instead (shape agentJob).
		return holdsNothing(body.data) && holdsNothing(body.message) ? ['gave no data'] : [];
	},
	usage: (body) => ({
		amount: 1,
		credits: addCredits(readCredits(body), exchangeCredits(body)),
		expiresAt: typeof body.expiresAt === 'string' ? body.expiresAt : undefined,
	}),
	collectWith: 'Agent · Get',
	usageUnit: ['result', 'results'],
};

const get = getJob(
	agentJob,
	{ action: 'Get result of agent', description: 'Get the result of an agent by its job ID' },
	{ result: agentResult, fields: getRecordFields(agentOutput, fromList(jobId, 'agentGetMany')) },
);

function readList({ agents }: JsonObject): IDataObject[] | undefined {
	if (!Array.isArray(agents)) return undefined;
	return agents.filter(isJsonObject).map((one) => withIsoDates(one) as IDataObject);
}

/** Of the link to the next part only `before` is used, so that the key cannot be led anywhere. */
function next({ next: link }: JsonObject): JsonObject | undefined {
	if (typeof link !== 'string') return undefined;
	const before = /[?&]before=(\d{1,20})(?:&|$)/.exec(link)?.[1];
	return before === undefined ? undefined : { before };
}

const getMany: ListOperation = {
	kind: 'list',
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many agent jobs',
	description: 'The agent jobs of your team, newest first, one item each. Not on every server.',
	unit: 'agent job',
	request: { method: 'GET', path: '/v2/agent', bucket: 'agentStatus' },
	readList,
	paging: { query: {}, next },
	choices: {
		of: (one, timeZone) => choiceOf(one, one.targetHint, one.status, minuteOf(one.createdAt, timeZone)),
	},
	fields: returnAllOrLimit,
};

function snapshotItems({ body, values }: CallAnswer): ItemDraft[] | undefined {
	const { snapshot } = body;
	if (typeof snapshot !== 'string') return undefined;
	return [{ json: { id: values.jobId, snapshotId: values.snapshotId, snapshot } as ItemDraft['json'] }];
}

const getSnapshot: CallOperation = {
	kind: 'call',
	value: 'getSnapshot',
	name: 'Get Snapshot',
	action: 'Get agent snapshot',
	description: 'What an agent saw at one step of its trace. Not on every server.',
	request: {
		method: 'GET',
		path: '/v2/agent/{jobId}/snapshots/{snapshotId}',
		bucket: 'agentStatus',
	},
	about: {
		id: 'snapshotId',
		what: 'snapshot',
		orElse: 'its Job ID is wrong or expired',
		from: 'Get Trace',
	},
	toItems: snapshotItems,
	fields: [
		fromList(pathId('Job ID', 'jobId', 'ID of the agent job (a UUID), from the output of Start'), 'agentGetMany'),
		pathId('Snapshot ID', 'snapshotId', 'ID of the snapshot, which Get Trace names'),
	],
};

function threadItems({ body: { thread } }: CallAnswer): ItemDraft[] | undefined {
	return isJsonObject(thread) ? [{ json: withIsoDates(thread) as IDataObject }] : undefined;
}

const getThread: CallOperation = {
	kind: 'call',
	value: 'getThread',
	name: 'Get Thread',
	action: 'Get agent thread',
	description: 'A conversation with an agent and its runs. Not on every server.',
	request: { method: 'GET', path: '/v2/agent/threads/{threadId}', bucket: 'agentStatus' },
	about: {
		id: 'threadId',
		what: 'thread',
		orElse: 'it is gone',
		from: 'Start and Get (as threadId)',
	},
	toItems: threadItems,
	fields: [
		pathId('Thread ID', 'threadId', 'ID of the conversation: threadId in the output of Start or Get'),
		switchField('includeData', 'Include Data', false, 'Whether to return what each run found', {
			send: false,
			routing: { send: { type: 'query', property: 'includeData' } },
		}),
	],
};

function traceItems({ body, values }: CallAnswer): ItemDraft[] | undefined {
	if (!Array.isArray(body.events)) return undefined;
	const trace = recordFields(withIsoDates(body));
	return [{ json: { id: values.jobId, ...trace } as IDataObject }];
}

const getTrace: CallOperation = {
	kind: 'call',
	value: 'getTrace',
	name: 'Get Trace',
	action: 'Get agent trace',
	description: 'What an agent did, step by step (Spark 2). Not on every server.',
	request: { method: 'GET', path: '/v2/agent/{jobId}/trace', bucket: 'agentStatus' },
	about: { id: 'jobId', what: 'agent job', orElse: 'its result has expired', from: 'Start' },
	toItems: traceItems,
	fields: [
		fromList(pathId('Job ID', 'jobId', 'ID of the agent job (a UUID), from the output of Start'), 'agentGetMany'),
		switchField('liveView', 'Live View', false, 'Whether to add links to the browsers that the agent uses now', {
			send: false,
			routing: { send: { type: 'query', property: 'liveView' } },
		}),
	],
};

const prompt: INodeProperties = textField(
	'prompt',
	'Prompt',
	'What to find out, in plain words, at most 10000 characters',
	{
		typeOptions: { rows: 3, maxLength: 10_000 },
		required: true,
		placeholder: 'e.g. Find the founders of Acme and the year it was founded',
	},
);

const urls: INodeProperties = textField(
	'urls',
	'URLs',
	'Where to begin, one address per line. When empty, the agent searches by itself.',
	{ typeOptions: { sentAs: 'urls' }, placeholder: 'e.g. https://example.com' },
);

// Required, so that it is always sent: what a run costs is not known before.
const maxCredits: INodeProperties = {
	displayName: 'Max Credits',
	name: 'maxCredits',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 2500,
	required: true,
	description:
		'How many credits a job may use. At this limit it stops and returns what it has, with isPartial: true. Five jobs a day are free, unless this is above 2500. A job that stops or fails costs nothing but paid data.',
	routing: { send: { type: 'body', property: 'maxCredits' } },
};

const options: INodeProperties[] = [
	choiceField('model', 'Model', 'spark-1-pro', 'Which model does the work. On firecrawl.dev all of them are Spark 2.', [
		['Spark 1 Mini', 'spark-1-mini', 'On older servers: cheaper'],
		['Spark 1 Pro', 'spark-1-pro', 'On older servers: more thorough'],
		['Spark 2', 'spark-2', 'Writes a trace'],
	]),
	switchField(
		'strictConstrainToURLs',
		'Stay on the URLs',
		true,
		'Whether to visit only the given URLs. Without this option: others too.',
	),
	choiceField('effort', 'Effort', 'medium', 'How hard Spark 2 works. Not every server knows this option.', [
		['High', 'high'],
		['Low', 'low'],
		['Medium', 'medium'],
	]),
	choiceField(
		'mode',
		'Mode',
		'extract',
		'Whether the answer is data or a message. Not every server knows this option.',
		[
			['Chat', 'chat', 'Answers with a message'],
			['Extract', 'extract', 'Answers with data'],
		],
	),
	textField(
		'threadId',
		'Continue a Thread',
		'ID of the conversation to continue: the threadId of an earlier run, also of one that stopped at its limit. Not every server knows this option.',
		{ placeholder: 'e.g. 910303bc-…' },
	),
	paidProviders,
	choiceField(
		'onPartial',
		'At the Credit Limit',
		'output',
		'What to do with a job that stops at its limit',
		[
			['Fail', 'fail', 'Error that says how to go on'],
			['Output What It Has', 'output', 'An item with isPartial: true'],
		],
		{ send: false },
	),
];

const webhook = webhookWith([
	{ name: 'Action', value: 'action', description: 'The agent has taken a step' },
	{ name: 'Cancelled', value: 'cancelled', description: 'The job has been cancelled' },
	{ name: 'Completed', value: 'completed', description: 'The job has completed' },
	{ name: 'Failed', value: 'failed', description: 'The job has failed' },
	{ name: 'Started', value: 'started', description: 'The job has been started' },
]);

const start: StartJobOperation = {
	kind: 'startJob',
	value: 'start',
	name: 'Start',
	action: 'Let agent find data on web',
	description: 'Have an agent find and collect data on the web',
	request: { method: 'POST', path: '/v2/agent', bucket: 'agent' },
	job: agentJob,
	defaultMaxWaitSeconds: () => USUAL_MAX_WAIT_SECONDS,
	result: agentResult,
	worstCase: agentPrice,
	faultIn: approvalFault,
	fields: [
		prompt,
		urls,
		...structureFields,
		maxCredits,
		waitChoice,
		outputWhenWaited,
		optionList(
			...options,
			whenWaitedFor(waitOptions(cancelOnStop)),
			onUnclearStart,
			webhook,
			...costLimits,
			rareOptions(threatProtection, auditMetadata),
			additionalFields,
		),
	],
};

/** A turn of a conversation that waits: a run like any other, in the same thread. */
const decide: StartJobOperation = {
	...start,
	value: 'decide',
	name: 'Approve or Decline',
	action: 'Approve or decline paid calls of agent',
	description: 'Decide on the paid calls that an agent waits for; it then goes on. Not on every server.',
	fields: [
		...decisionFields,
		{
			...prompt,
			displayName: 'Message',
			// With the ID in it, a run whose answer is lost is told from those of other decisions.
			default: '=Go on with the decision on approval {{ $parameter.approvalId }}.',
			description: 'What to tell the agent with the decision, at most 10000 characters',
			placeholder: 'e.g. Only the first one, please',
		},
		maxCredits,
		waitChoice,
		outputWhenWaited,
		optionList(whenWaitedFor(waitOptions(cancelOnStop)), onUnclearStart, webhook, ...costLimits, additionalFields),
	],
};

export const agent: Resource = {
	value: 'agent',
	name: 'Agent',
	description: 'Let an agent search and browse for data when you do not know where it is',
	operations: [start, decide, get, getMany, getTrace, getSnapshot, getThread, cancel],
};
