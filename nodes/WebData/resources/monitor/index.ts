import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { additionalFields, fromList, optionList, pathId, returnAllOrLimit } from '../../../fields/basic';
import { choiceField, textField } from '../../../fields/field';
import { pageCount } from '../../../fields/job/pages';
import {
	USUAL_MAX_WAIT_SECONDS,
	WAITS,
	onUnclearStart,
	waitChoiceWithoutCall,
	waitForCompletion,
	waitOptions,
	whenWaitedFor,
} from '../../../fields/job/wait';
import { choiceOf, minuteOf } from '../../../operation/operation';
import type {
	CallAnswer,
	CallOperation,
	GetJobOperation,
	ItemDraft,
	ListOperation,
	Resource,
	StartJobOperation,
} from '../../../operation/operation';
import { isJsonObject } from '../../../service/http/answer';
import { createdMonitor, monitorCheck } from '../../../service/jobs/jobKinds';
import { pagedByOffset } from '../../../service/results/listParts';
import { aboutMonitor, checkOutput, checkResult, dataList, monitorId, monitorItems, pageStatus } from './check';
import { goal, scheduleFields, settings, targetsField } from './settings';

const get: CallOperation = {
	kind: 'call',
	value: 'get',
	name: 'Get',
	action: 'Get monitor',
	description: 'What a monitor watches, when it runs next and what its last check found',
	request: { method: 'GET', path: '/v2/monitor/{monitorId}', bucket: 'crawlStatus' },
	toItems: monitorItems,
	about: aboutMonitor,
	fields: [monitorId],
};

const name: INodeProperties = textField('name', 'Name', 'Name of the monitor, at most 256 characters', {
	typeOptions: { maxLength: 256 },
	required: true,
	placeholder: 'e.g. Prices of competitors',
});

const create: CallOperation = {
	kind: 'call',
	value: 'create',
	name: 'Create',
	action: 'Create monitor for pages or website',
	description: 'Watch pages, sites or searches on a schedule. Each check costs 1 credit a page.',
	request: { method: 'POST', path: '/v2/monitor', bucket: 'crawl' },
	toItems: monitorItems,
	usage: { unit: 'monitor', mayBeZero: true, read: () => ({ amount: 0, credits: undefined }) },
	recall: {
		idOf: ({ data }) => (isJsonObject(data) && typeof data.id === 'string' ? data.id : undefined),
		kind: createdMonitor,
		request: { ...get.request, path: '/v2/monitor/{id}' },
		collectWith: 'Monitor · Get',
	},
	fields: [name, targetsField(true), ...scheduleFields(true), goal, optionList(...settings, additionalFields)],
};

function toItems({ body, values }: CallAnswer): ItemDraft[] | undefined {
	return body.success === false ? undefined : [{ json: { deleted: true, id: String(values.monitorId) } }];
}

const deleteMonitor: CallOperation = {
	kind: 'call',
	value: 'delete',
	name: 'Delete',
	action: 'Delete monitor and all its checks for good',
	description: 'Remove a monitor for good, with all of its checks',
	request: { method: 'DELETE', path: '/v2/monitor/{monitorId}', bucket: 'crawl' },
	toItems,
	about: aboutMonitor,
	fields: [monitorId],
};

const status: INodeProperties = choiceField(
	'status',
	'Status',
	'',
	'Which checks to list, by how they ended',
	[
		['All', ''],
		['Completed', 'completed'],
		['Failed', 'failed'],
		['Partial', 'partial', 'Some pages failed'],
		['Queued', 'queued'],
		['Running', 'running'],
		['Skipped', 'skipped_overlap', 'The check before still ran'],
	],
	{ send: false, routing: { send: { type: 'query', property: 'status' } } },
);

/** The counts of a check, without pages that are the same: `2 changed, 1 error`. */
function found(summary: IDataObject[string]): string {
	const counts = Object.entries(isJsonObject(summary) ? summary : {});
	return counts
		.filter(([name, count]) => !['totalPages', 'same'].includes(name) && count !== 0)
		.map(([name, count]) => `${String(count)} ${name}`)
		.join(', ');
}

const getChecks: ListOperation = {
	kind: 'list',
	value: 'getChecks',
	name: 'Get Checks',
	action: 'Get many monitor checks',
	description: 'List the checks of a monitor, newest first, one item each',
	unit: 'check',
	request: { method: 'GET', path: '/v2/monitor/{monitorId}/checks', bucket: 'crawlStatus' },
	readList: dataList,
	paging: pagedByOffset,
	choices: {
		of: (check, timeZone) => choiceOf(check, minuteOf(check.createdAt, timeZone), check.status, found(check.summary)),
	},
	about: aboutMonitor,
	fields: [monitorId, status, ...returnAllOrLimit],
};

const getMany: ListOperation = {
	kind: 'list',
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many monitors',
	description: 'The monitors of your team, one item each',
	unit: 'monitor',
	request: { method: 'GET', path: '/v2/monitor', bucket: 'crawlStatus' },
	readList: dataList,
	paging: pagedByOffset,
	choices: {
		of: (one) => choiceOf(one, one.name, one.status === 'active' ? '' : one.status),
	},
	fields: returnAllOrLimit,
};

const getCheck: GetJobOperation = {
	kind: 'getJob',
	value: 'getCheck',
	name: 'Get Check',
	action: 'Get monitor check',
	description: 'What one check of a monitor found: which pages are new, changed, gone or failed',
	request: { method: 'GET', path: monitorCheck.statusPath, bucket: monitorCheck.statusBucket },
	job: monitorCheck,
	defaultMaxWaitSeconds: () => USUAL_MAX_WAIT_SECONDS,
	result: checkResult,
	fields: [
		monitorId,
		fromList(pathId('Check ID', 'jobId', 'ID of the check, from the output of Run or Get Checks'), 'monitorGetChecks'),
		waitForCompletion,
		checkOutput,
		pageStatus,
		...pageCount,
		whenWaitedFor(optionList(waitOptions())),
	],
};

const run: StartJobOperation = {
	kind: 'startJob',
	value: 'run',
	name: 'Run',
	action: 'Run monitor',
	description: 'Check now instead of waiting for the schedule. Each check costs at least 1 credit a page.',
	request: { method: 'POST', path: '/v2/monitor/{monitorId}/run', bucket: 'crawl' },
	job: monitorCheck,
	defaultMaxWaitSeconds: () => USUAL_MAX_WAIT_SECONDS,
	result: checkResult,
	about: aboutMonitor,
	fields: [
		monitorId,
		waitChoiceWithoutCall,
		{ ...checkOutput, displayOptions: { show: { waitForCompletion: WAITS } } },
		optionList(whenWaitedFor(waitOptions()), onUnclearStart),
	],
};

const changes: INodeProperties[] = [
	goal,
	textField('name', 'Name', 'New name of the monitor, at most 256 characters', {
		typeOptions: { maxLength: 256 },
		placeholder: 'e.g. Prices of competitors',
	}),
	choiceField('status', 'Status', 'active', 'Whether it runs on its schedule from now on', [
		['Active', 'active', 'Runs on its schedule'],
		['Paused', 'paused', 'Does not run'],
	]),
];

const update: CallOperation = {
	kind: 'call',
	value: 'update',
	name: 'Update',
	action: 'Update monitor, replacing given settings',
	description: 'Change, pause or resume a monitor. Fields that you leave out keep their value.',
	request: { method: 'PATCH', path: '/v2/monitor/{monitorId}', bucket: 'crawl' },
	toItems: monitorItems,
	about: aboutMonitor,
	fields: [
		monitorId,
		...scheduleFields(false),
		targetsField(false),
		optionList(...changes, ...settings, additionalFields),
	],
};

export const monitor: Resource = {
	value: 'monitor',
	name: 'Monitor',
	description: 'Watch pages, sites or searches on a schedule and see what changed',
	operations: [create, get, getMany, run, getCheck, getChecks, update, deleteMonitor],
	defaultOperation: 'create',
};
