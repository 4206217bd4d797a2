import type { ServiceClient } from '../../service/client';
import { isJsonObject } from '../../service/http/answer';
import { ServiceFailure, failureOrThrow } from '../../service/http/failure';
import { PATIENCE } from '../../service/http/retry';
import type { JsonObject } from '../../service/http/transport';
import { readJobId } from '../../service/jobs/jobKinds';
import { hasUnseen, withListed } from '../marks/jobMark';
import type { JobMark, SeenJob } from '../marks/jobMark';
import { byEndpoint } from './jobEnd';

/** As many entries as the service gives at once. */
const ENTRIES = 100;

/** Most parts of the list that a poll reads of an endpoint: 10,000 jobs. */
const MAX_PARTS = 100;

/**
 * The mark with the jobs that the service has listed since the last poll (`GET /v2/team/activity`, newest
 * first, the last 24 hours), endpoint by endpoint: in the list of all, scrapes and searches would stand
 * before them by the hundred. `kinds`: the endpoints that count; none: all. Throws a ServiceFailure.
 */
export async function withListedJobs(
	client: ServiceClient,
	kinds: readonly string[],
	earlier: JobMark,
): Promise<JobMark> {
	const isAll = kinds.length === 0;
	const endpoints = isAll ? [...byEndpoint.keys()] : kinds;
	const known = Object.entries(earlier.known).filter(([endpoint]) => endpoints.includes(endpoint));
	const waiting = earlier.waiting.filter(({ endpoint }) => endpoints.includes(endpoint));
	let mark: JobMark = { ...earlier, known: Object.fromEntries(known), waiting };
	let refusal: ServiceFailure | undefined;
	let accepted = 0;
	for (const endpoint of endpoints) {
		const jobs = await jobsOf(client, endpoint, mark).catch(failureOrThrow);
		if (!(jobs instanceof ServiceFailure)) {
			mark = withListed(mark, endpoint, jobs);
			accepted += 1;
			continue;
		}
		// Older servers refuse the kinds that they do not have.
		if (jobs.httpCode !== 400 || !isAll || mark.known[endpoint]) throw jobs;
		refusal = jobs;
	}
	if (refusal && accepted === 0) throw refusal;
	return mark;
}

/** The jobs of an endpoint, newest first: up to a part of its list of which all were seen before. */
async function jobsOf(client: ServiceClient, endpoint: string, mark: JobMark): Promise<SeenJob[]> {
	const jobs: SeenJob[] = [];
	const asked = new Set<unknown>();
	let cursor: unknown;
	while (asked.size < MAX_PARTS && !asked.has(cursor)) {
		asked.add(cursor);
		const body = await readPart(client, endpoint, cursor);
		const part = readJobs(client, body).filter((job) => job.endpoint === endpoint);
		for (const one of part) jobs.push(one);
		cursor = body.cursor;
		const hasMore = body.has_more === true && typeof cursor === 'string' && cursor !== '';
		if (!hasMore || !hasUnseen(mark, endpoint, part)) break;
	}
	return jobs;
}

async function readPart(client: ServiceClient, endpoint: string, cursor: unknown): Promise<JsonObject> {
	const query = { endpoint, limit: ENTRIES, ...(typeof cursor === 'string' && { cursor }) };
	const request = { method: 'GET', path: '/v2/team/activity', bucket: 'other', query } as const;
	return await client
		.receive(request, PATIENCE.lookUp)
		.then(({ body }) => body)
		.catch((error: unknown) => {
			const failure = failureOrThrow(error);
			const { httpCode, isMissingOnServer } = failure;
			// How a server says that it has no such list.
			const hasNoList = httpCode === 404 || httpCode === 501 || isMissingOnServer;
			throw hasNoList ? noList(client, failure) : failure;
		});
}

function noList({ baseUrl }: ServiceClient, { httpCode }: ServiceFailure): ServiceFailure {
	return new ServiceFailure({
		kind: 'http',
		mayHaveExecuted: false,
		isMissingOnServer: true,
		...(httpCode !== undefined && { httpCode }),
		message: `${baseUrl} has no list of what was started, as a server of your own without a database: choose List of IDs.`,
	});
}

function readJobs(client: ServiceClient, { data }: JsonObject): SeenJob[] {
	if (!Array.isArray(data)) {
		throw new ServiceFailure({
			kind: 'notJson',
			mayHaveExecuted: true,
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
