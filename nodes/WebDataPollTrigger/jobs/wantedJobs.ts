import type { INodeProperties } from 'n8n-workflow';
import { byEndpoint } from './jobEnd';
import { choiceField, textField } from '../../WebData/fields/field';
import { isJsonObject } from '../../service/http/answer';
import { ServiceFailure, failureOrThrow, refusedInput } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';
import { readJobId } from '../../service/jobs/jobKinds';
import { PATIENCE } from '../../service/http/retry';
import type { ServiceClient } from '../../service/limits/client';
import {
	hasSeenAnyOf,
	newestFirst,
	readJobMark,
	toldName,
	unseenOf,
	withFirstJobs,
	withNewJobs,
} from '../marks/jobMark';
import type { JobMark, ListMark, ListedJob, WaitingJob } from '../marks/jobMark';

const which: INodeProperties = choiceField(
	'which',
	'Jobs',
	'feed',
	'Whose end starts the workflow',
	[
		['All of the Account', 'feed', 'Every job of this API key’s account'],
		['List of IDs', 'ids', 'Jobs whose IDs you have'],
	],
	{ send: false },
);

const kinds: INodeProperties = {
	displayName: 'Kinds',
	name: 'kinds',
	type: 'multiOptions',
	options: [...byEndpoint].map(([value, { name }]) => ({ name, value })),
	default: [],
	description: 'Which kinds of jobs count. Without this option: all.',
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

const ids: INodeProperties = textField(
	'ids',
	'Job IDs',
	'',
	'One ID per line, at most 100. Each starts the workflow once, when its job has ended.',
	{
		typeOptions: { rows: 3 },
		required: true,
		displayOptions: { show: { which: ['ids'] } },
		send: false,
	},
);

const output: INodeProperties = choiceField(
	'output',
	'Output',
	'job',
	'What to return for each job',
	[
		['Job', 'job', 'ID, kind, status, and what it was started with'],
		['Result', 'result', 'As Get returns it; a failed job as Job'],
	],
	{ send: false },
);

/** The fields of Job Finished. */
export const jobFields: INodeProperties[] = [which, kinds, kind, ids, output];

/**
 * What an earlier poll has stored, with the jobs that there are to wait for now: those of the list of IDs, or
 * those that the service lists. Throws a ServiceFailure.
 */
export async function withWantedJobs(
	client: ServiceClient,
	settings: JobSettings,
	stored: JsonObject | undefined,
): Promise<JobMark> {
	const mark = readJobMark(stored);
	if (settings.which === 'ids') return withIds(mark, settings);
	const isAll = settings.kinds.length === 0;
	const endpoints = isAll ? [...byEndpoint.keys()] : settings.kinds;
	const isWanted = (endpoint: string): boolean => endpoints.includes(endpoint);
	const ofWanted = <Value>(all: Record<string, Value>): Record<string, Value> =>
		Object.fromEntries(Object.entries(all).filter(([endpoint]) => isWanted(endpoint)));
	const listed = await withListedJobs(
		client,
		{ endpoints, isAll },
		{
			...mark,
			since: ofWanted(mark.since),
			known: ofWanted(mark.known),
			waiting: mark.waiting.filter(({ endpoint }) => isWanted(endpoint)),
		},
	);
	// Of those that were there before, the newest are the likeliest to run.
	return mark.begun ? listed : { ...listed, waiting: [...listed.waiting].sort(newestFirst) };
}

/** IDs that are added come first; those that were told are not waited for. */
function withIds(mark: JobMark, { ids, kind }: { ids: string[]; kind: string }): JobMark {
	const told = new Set(mark.told);
	const waiting = mark.waiting.filter(({ id, endpoint }) => endpoint === kind && ids.includes(id));
	const known = new Set(waiting.map(({ id }) => id));
	const added = ids
		.map((id): WaitingJob => ({ id, endpoint: kind, target: '', startedAt: '' }))
		.filter((job) => !known.has(job.id) && !told.has(toldName(job)));
	return { ...mark, since: {}, known: {}, waiting: [...added, ...waiting] };
}

/** Most IDs of a list. */
const MAX_IDS = 100;

/** What the panel says of the jobs whose end counts. */
export type JobSettings = { output: 'job' | 'result' } & (
	{ which: 'feed'; kinds: string[] } | { which: 'ids'; ids: string[]; kind: string }
);

/** Reads and checks the fields. Throws a ServiceFailure of kind badInput that names the wrong one. */
export function readJobSettings({ which, kinds, kind, ids, output }: Record<string, unknown>): JobSettings {
	if (output !== 'job' && output !== 'result') throw refusedInput('"Output" must be Job or Result.');
	if (which === 'ids') {
		if (typeof kind !== 'string' || !byEndpoint.has(kind)) throw refusedInput(`"Kind" must be ${KINDS}.`);
		return { output, which, kind, ids: readIds(ids) };
	}
	if (which !== 'feed') throw refusedInput('"Jobs" must be All of the Account or List of IDs.');
	const list: unknown[] | undefined = Array.isArray(kinds) ? kinds : undefined;
	const known = list?.filter((one) => typeof one === 'string' && byEndpoint.has(one));
	if (!list || known?.length !== list.length) throw refusedInput(`"Kinds" must be a list of ${KINDS}.`);
	return { output, which, kinds: list.map(String) };
}

const KINDS = [...byEndpoint.keys()].join(', ');

function readIds(given: unknown): string[] {
	const text = typeof given === 'string' ? given : '';
	const ids = [...new Set(text.split(/[\s,]+/))].filter((id) => id !== '');
	const noId = ids.find((id) => readJobId(id) === undefined);
	if (noId !== undefined) {
		throw refusedInput(`"Job IDs" contains something that is not an ID: ${noId.slice(0, 60)}.`);
	}
	if (ids.length === 0 || ids.length > MAX_IDS) {
		throw refusedInput(`"Job IDs" must hold 1 to ${MAX_IDS} IDs, one per line.`);
	}
	return ids;
}

/**
 * Whether a key is one of the account that a mark is of. The service names no account, but each lists its own
 * jobs: one that an earlier poll has seen proves it. A list of IDs is the same with any key. Throws a
 * ServiceFailure.
 */
export async function isSameAccount(
	client: ServiceClient,
	{ which }: JobSettings,
	stored: JsonObject,
): Promise<boolean> {
	if (which === 'ids') return true;
	const mark = readJobMark(stored);
	for (const endpoint of Object.keys(mark.since)) {
		const jobs = await newestJobs(client, endpoint);
		if (hasSeenAnyOf(mark, endpoint, jobs)) return true;
	}
	return false;
}

/** As many entries as the service gives at once. */
const ENTRIES = 100;

/** Most parts of the list that a poll reads of an endpoint: 10,000 jobs. */
const MAX_PARTS = 100;

/**
 * The mark with the jobs that the service has listed since the last poll (`GET /v2/team/activity`, newest
 * first, the last 24 hours), endpoint by endpoint: in the list of all, scrapes and searches would stand
 * before them by the hundred. Of an endpoint that is read first, the newest 100. Throws a ServiceFailure.
 */
async function withListedJobs<Mark extends ListMark>(
	client: ServiceClient,
	{ endpoints, isAll }: { endpoints: readonly string[]; isAll: boolean },
	earlier: Mark,
): Promise<Mark> {
	let mark = earlier;
	let refusal: ServiceFailure | undefined;
	let accepted = 0;
	for (const endpoint of endpoints) {
		const first = await readPart(client, endpoint, undefined).catch(failureOrThrow);
		if (!(first instanceof ServiceFailure)) {
			mark = { ...mark, ...(await readEndpoint(client, endpoint, mark, first)) };
			accepted += 1;
			continue;
		}
		// Older servers refuse the kinds that they do not have.
		if (first.httpCode !== 400 || !isAll) throw first;
		refusal = first;
	}
	if (refusal && accepted === 0) throw refusal;
	return mark;
}

/** The newest jobs of an endpoint, as many as the service lists at once. Throws a ServiceFailure. */
async function newestJobs(client: ServiceClient, endpoint: string): Promise<ListedJob[]> {
	return readJobs(client, await readPart(client, endpoint, undefined));
}

/** `first`: the first part of its list. Throws a ServiceFailure. */
async function readEndpoint(
	client: ServiceClient,
	endpoint: string,
	mark: ListMark,
	first: JsonObject,
): Promise<ListMark> {
	const isFirst = !Object.hasOwn(mark.since, endpoint);
	const jobs: ListedJob[] = [];
	const asked = new Set<unknown>();
	let cursor: unknown;
	while (asked.size < MAX_PARTS && !asked.has(cursor)) {
		const body = asked.size === 0 ? first : await readPart(client, endpoint, cursor);
		asked.add(cursor);
		const part = readJobs(client, body).filter((job) => job.endpoint === endpoint);
		jobs.push(...part);
		cursor = body.cursor;
		const hasMore = body.has_more === true && typeof cursor === 'string' && cursor !== '';
		if (isFirst) {
			return withFirstJobs(mark, endpoint, { jobs, since: hasMore ? oldestStart(part) : '' });
		}
		if (!hasMore || unseenOf(mark, endpoint, part).length === 0) break;
	}
	return withNewJobs(mark, endpoint, jobs);
}

function oldestStart(jobs: readonly ListedJob[]): string {
	const starts = jobs.map(({ startedAt }) => startedAt).filter((start) => start !== '');
	return starts.sort()[0] ?? '';
}

async function readPart(client: ServiceClient, endpoint: string, cursor: unknown): Promise<JsonObject> {
	const query = { endpoint, limit: ENTRIES, ...(typeof cursor === 'string' && { cursor }) };
	const request = { method: 'GET', path: '/v2/team/activity', bucket: 'other', query } as const;
	return await client
		.receive(request, PATIENCE.lookUp)
		.then(({ body }) => body)
		.catch((error: unknown) => {
			const failure = failureOrThrow(error);
			throw hasNoList(failure) ? noList(client, failure) : failure;
		});
}

/** Whether a server says that it has no such list. */
function hasNoList({ httpCode, isMissingOnServer }: ServiceFailure): boolean {
	return httpCode === 404 || httpCode === 501 || isMissingOnServer;
}

function noList({ baseUrl }: ServiceClient, { httpCode }: ServiceFailure): ServiceFailure {
	return new ServiceFailure({
		kind: 'http',
		reached: 'no',
		isMissingOnServer: true,
		...(httpCode !== undefined && { httpCode }),
		message: `${baseUrl} has no list of what was started, as a server of your own without a database: choose List of IDs.`,
	});
}

function readJobs(client: ServiceClient, { data }: JsonObject): ListedJob[] {
	if (!Array.isArray(data)) {
		throw new ServiceFailure({
			kind: 'notJson',
			reached: 'maybe',
			message: `${client.baseUrl} answered without a list of what was started.`,
		});
	}
	return data.filter(isJsonObject).flatMap((entry) => {
		const { endpoint, target, created_at: created } = entry;
		const id = readJobId(entry.id);
		const startedMs = typeof created === 'string' ? Date.parse(created) : NaN;
		if (id === undefined || typeof endpoint !== 'string') return [];
		return {
			id,
			endpoint,
			target: typeof target === 'string' ? target.slice(0, 500) : '',
			startedAt: Number.isNaN(startedMs) ? '' : new Date(startedMs).toISOString(),
		};
	});
}
