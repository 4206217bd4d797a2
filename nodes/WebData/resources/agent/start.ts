import type { INodeProperties } from 'n8n-workflow';

import { agentJob } from '../../../service/jobs/jobKinds';
import { agentPrice } from '../../cost/prices';
import { maxCredits as maxCreditsOfRun } from '../../fields/basic/maxCredits';
import { additionalFields } from '../../fields/basic/additionalFields';
import { rareOptions } from '../../fields/basic/rareOptions';
import { optionList } from '../../fields/basic/optionList';
import { auditMetadata } from '../../fields/basic/origin';
import { cancelOnStop } from '../../fields/job/pages';
import { structureFields } from '../../fields/job/structure';
import { onUnclearStart } from '../../fields/job/onUnclearStart';
import {
	USUAL_MAX_WAIT_SECONDS,
	waitChoice,
	waitOptions,
	WAITS,
	whenWaitedFor,
} from '../../fields/job/wait';
import { webhookWith } from '../../fields/job/webhook';
import { threatProtection } from '../../fields/scrape/threatProtection';
import type { StartJobOperation } from '../../operation/operation';
import { agentOutput, agentResult } from './result';

const prompt: INodeProperties = {
	displayName: 'Prompt',
	name: 'prompt',
	type: 'string',
	typeOptions: { rows: 3, maxLength: 10_000 },
	default: '',
	required: true,
	placeholder: 'e.g. Find the founders of Acme and the year it was founded',
	description: 'What to find out, in plain words, at most 10000 characters',
	routing: { send: { type: 'body', property: 'prompt' } },
};

const urls: INodeProperties = {
	displayName: 'URLs',
	name: 'urls',
	type: 'string',
	typeOptions: { sentAs: 'urls' },
	default: '',
	placeholder: 'e.g. https://example.com',
	description: 'Where to begin, one address per line. When empty, the agent searches by itself.',
	routing: { send: { type: 'body', property: 'urls' } },
};

// Required, so that it is always sent: what a run costs is not known before.
const maxCredits: INodeProperties = {
	displayName: 'Max Credits',
	name: 'maxCredits',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 2500,
	required: true,
	description:
		'How many credits a job may use. At this limit it fails without data. Five jobs a day are free, unless this is above 2500. A failed job costs nothing.',
	routing: { send: { type: 'body', property: 'maxCredits' } },
};

const options: INodeProperties[] = [
	{
		displayName: 'Model',
		name: 'model',
		type: 'options',
		options: [
			{ name: 'Spark 1 Mini', value: 'spark-1-mini', description: 'Cheaper' },
			{ name: 'Spark 1 Pro', value: 'spark-1-pro', description: 'More thorough' },
			{ name: 'Spark 2', value: 'spark-2', description: 'Newest, writes a trace' },
		],
		default: 'spark-1-pro',
		description: 'Which of Firecrawl’s models does the work',
		routing: { send: { type: 'body', property: 'model' } },
	},
	{
		displayName: 'Stay on the URLs',
		name: 'strictConstrainToURLs',
		type: 'boolean',
		default: true,
		description: 'Whether to visit only the given URLs. Without this option: others too.',
		routing: { send: { type: 'body', property: 'strictConstrainToURLs' } },
	},
	{
		displayName: 'Effort',
		name: 'effort',
		type: 'options',
		options: [
			{ name: 'High', value: 'high' },
			{ name: 'Low', value: 'low' },
			{ name: 'Medium', value: 'medium' },
		],
		default: 'medium',
		description: 'How hard Spark 2 works. Not every server knows this option.',
		routing: { send: { type: 'body', property: 'effort' } },
	},
	{
		displayName: 'Mode',
		name: 'mode',
		type: 'options',
		options: [
			{ name: 'Chat', value: 'chat', description: 'Answers with a message' },
			{ name: 'Extract', value: 'extract', description: 'Answers with data' },
		],
		default: 'extract',
		description: 'Whether the answer is data or a message. Not every server knows this option.',
		routing: { send: { type: 'body', property: 'mode' } },
	},
	{
		displayName: 'Thread ID',
		name: 'threadId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 910303bc-…',
		description:
			'ID of the conversation to continue: the threadId of an earlier run. Not every server knows this option.',
		routing: { send: { type: 'body', property: 'threadId' } },
	},
];

const webhook = webhookWith([
	{ name: 'Action', value: 'action', description: 'The agent has taken a step' },
	{ name: 'Cancelled', value: 'cancelled', description: 'The job has been cancelled' },
	{ name: 'Completed', value: 'completed', description: 'The job has completed' },
	{ name: 'Failed', value: 'failed', description: 'The job has failed' },
	{ name: 'Started', value: 'started', description: 'The job has been started' },
]);

export const start: StartJobOperation = {
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
	fields: [
		prompt,
		urls,
		...structureFields,
		maxCredits,
		waitChoice,
		{ ...agentOutput, displayOptions: { show: { waitForCompletion: WAITS } } },
		optionList(
			...options,
			whenWaitedFor(waitOptions(cancelOnStop)),
			onUnclearStart,
			webhook,
			maxCreditsOfRun,
			rareOptions(threatProtection, auditMetadata),
			additionalFields,
		),
	],
};
