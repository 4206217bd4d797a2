import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { asFailure, ServiceFailure } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';
import { readJob, readJobId, statusRequest } from '../../service/jobs/jobKinds';
import type { JobKind } from '../../service/jobs/jobKinds';
import type { ServiceClient } from '../../service/limits/client';
import { resources } from '../../WebData/resources';
import { withNewJobs } from '../marks/newJobs';
import type { FeedJob, FeedMark } from '../marks/newJobs';
import { readFeed } from './activityFeed';
import type { PollEvent, Reader } from './pollEvent';

/** Most jobs that one poll looks at: a request each. */
const MOST_LOOKS = 100;

/** A resource whose jobs the feed lists and Get collects. */
interface JobResource {
	resource: string;
	name: string;
	kind: JobKind;
}

const jobResources: JobResource[] = resources.flatMap(({ value, name, operations }) =>
	operations.flatMap((operation) =>
		operation.kind === 'getJob' && operation.job.listed
			? [{ resource: value, name, kind: operation.job }]
			: [],
	),
);

/** By the name that the feed has for them; checks of monitors stand in a list of their own. */
const byEndpoint = new Map(
	jobResources.flatMap((one) => {
		const { endpoint } = one.kind.listed?.started.query ?? {};
		return typeof endpoint === 'string' ? [[endpoint, one] as const] : [];
	}),
);

const which: INodeProperties = {
	displayName: 'Jobs',
	name: 'which',
	type: 'options',
	options: [
		{
			name: 'All of the Account',
			value: 'feed',
			description: 'Every job that anybody starts with this API key’s account',
		},
		{ name: 'List of IDs', value: 'ids', description: 'Jobs whose IDs you have' },
	],
	default: 'feed',
	description: 'Whose end starts the workflow',
};

const kinds: INodeProperties = {
	displayName: 'Kinds',
	name: 'kinds',
	type: 'multiOptions',
	options: [...byEndpoint].map(([value, { name }]) => ({ name, value })),
	default: [],
	description: 'Which kinds of jobs count. Default: all.',
	displayOptions: { show: { which: ['feed'] } },
};

const kind: INodeProperties = {
	displayName: 'Kind',
	name: 'kind',
	type: 'options',
	options: [...byEndpoint].map(([value, { name }]) => ({ name, value })),
	default: 'crawl',
	description: 'What kind of jobs they are',
	displayOptions: { show: { which: ['ids'] } },
};

const ids: INodeProperties = {
	displayName: 'Job IDs',
	name: 'ids',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	required: true,
	description: 'One ID a line, at most 100. Each starts the workflow once, when its job has ended.',
	displayOptions: { show: { which: ['ids'] } },
};

const output: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{ name: 'Job', value: 'job', description: 'ID, kind, status, and what it was started with' },
		{ name: 'Result', value: 'result', description: 'As Get puts it out; a failed job as Job' },
	],
	default: 'job',
	description: 'What each job puts out',
};

/** Jobs that are waited for, and where the feed was left. */
interface JobMark extends FeedMark {
	/** Ids of a list that have been told. */
	told: string[];
}

const NO_MARK: JobMark = { newest: '', atNewest: [], running: [], told: [] };

export const jobFinished: PollEvent = {
	value: 'jobFinished',
	name: 'Job Finished',
	description: 'A crawl, batch scrape, agent or other job has ended, well or not',
	notice:
		'A poll costs no credits. It looks at what the account started in the last 24 hours, at most 100 jobs a poll, and catches up after a pause.',
	fields: [which, kinds, kind, ids, output],
	async look(reader, values, mark) {
		const earlier = { ...NO_MARK, ...mark } as JobMark;
		const now =
			values.which === 'ids' ? listed(values, earlier) : await fromFeed(reader, values, earlier);
		const looked = await lookAt(reader, now.running.slice(0, MOST_LOOKS));
		const ended = looked.filter(({ state }) => state !== undefined);
		const over = new Set(ended.map(({ job }) => job.id));
		const next: JobMark = {
			...now,
			// Those that were looked at come last, so that each has its turn.
			running: [
				...now.running.slice(MOST_LOOKS),
				...now.running.slice(0, MOST_LOOKS).filter(({ id }) => !over.has(id)),
			],
			told: values.which === 'ids' ? [...earlier.told, ...over] : [],
		};
		const isFirst = mark === undefined;
		if (isFirst && values.which === 'ids') {
			// Their ends are wanted whenever they were: the next poll tells them.
			return { news: [], mark: { ...NO_MARK }, sample: sampleOf(looked) };
		}
		const news: INodeExecutionData[] = [];
		if (!isFirst) for (const one of ended) news.push(...(await itemsOf(reader, values, one)));
		return { news, mark: { ...next }, sample: sampleOf(looked) };
	},
};

/** A job and its state: undefined while it runs. */
interface LookedAt {
	job: FeedJob;
	state: string | undefined;
	reason: string;
	isDone: boolean;
}

async function fromFeed(reader: Reader, values: JsonObject, mark: JobMark): Promise<JobMark> {
	const chosen = Array.isArray(values.kinds) ? values.kinds.map(String) : [];
	const jobs = (await readFeed(reader.client, mark)).filter(
		({ endpoint }) =>
			byEndpoint.has(endpoint) && (chosen.length === 0 || chosen.includes(endpoint)),
	);
	return { ...mark, ...withNewJobs(mark, jobs) };
}

/** Throws a ServiceFailure of kind badInput for an ID that is none. */
function listed(values: JsonObject, mark: JobMark): JobMark {
	const told = new Set(mark.told);
	const asked = [...new Set(String(values.ids ?? '').split(/[\s,]+/))].filter((id) => id !== '');
	const wrong = asked.find((id) => readJobId(id) === undefined);
	if (wrong !== undefined || asked.length === 0 || asked.length > MOST_LOOKS) {
		throw new ServiceFailure({
			kind: 'badInput',
			reached: 'no',
			message:
				wrong === undefined
					? `"Job IDs" must hold 1 to ${MOST_LOOKS} IDs, one a line. Nothing was sent.`
					: `"Job IDs" holds something that is no ID: ${wrong.slice(0, 60)}. Nothing was sent.`,
		});
	}
	const endpoint = String(values.kind);
	const running = asked
		.filter((id) => !told.has(id))
		.map((id) => ({ id, endpoint, target: '', startedAt: '' }));
	return { ...NO_MARK, told: mark.told, running };
}

/** One look at each, one after the other: a poll has time. One that the service does not know has ended. */
async function lookAt({ client }: Reader, jobs: FeedJob[]): Promise<LookedAt[]> {
	const looked: LookedAt[] = [];
	for (const job of jobs) {
		const { kind: jobKind } = byEndpoint.get(job.endpoint) ?? {};
		if (jobKind) looked.push(await lookAtOne(client, jobKind, job));
	}
	return looked;
}

async function lookAtOne(client: ServiceClient, jobKind: JobKind, job: FeedJob): Promise<LookedAt> {
	const body = await client.call(statusRequest(jobKind, job.id)).catch(asFailure);
	if (body instanceof ServiceFailure) {
		if (!body.notFound) throw body;
		return { job, state: 'not found', reason: body.message, isDone: false };
	}
	const { phase, state, reason } = readJob(jobKind, body);
	const ended = phase === 'running' ? undefined : state;
	return { job, state: ended, reason, isDone: phase === 'done' };
}

async function itemsOf(
	{ items }: Reader,
	values: JsonObject,
	looked: LookedAt,
): Promise<INodeExecutionData[]> {
	const { job, isDone } = looked;
	const { resource } = byEndpoint.get(job.endpoint) ?? {};
	if (values.output !== 'result' || !isDone || resource === undefined) return [jobItem(looked)];
	return await items({ resource, operation: 'get', parameters: { jobId: job.id } });
}

function jobItem({ job, state, reason }: LookedAt): INodeExecutionData {
	const { id, endpoint, target, startedAt } = job;
	return {
		json: {
			id,
			kind: byEndpoint.get(endpoint)?.name ?? endpoint,
			status: state ?? 'running',
			...(target !== '' && { target }),
			...(startedAt !== '' && { startedAt }),
			...(reason !== '' && { reason }),
		},
	};
}

function sampleOf(looked: LookedAt[]): INodeExecutionData | undefined {
	const newest = looked.at(-1);
	return newest && jobItem(newest);
}
