import { isJsonObject } from '../../service/http/answer';
import { failureOrThrow, ServiceFailure } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';
import { readJobId } from '../../service/jobs/jobKinds';
import type { Patience, ServiceClient } from '../../service/limits/client';
import { unseenOf, withFirstJobs, withNewJobs } from '../marks/newJobs';
import type { ListedJob, ListMark } from '../marks/newJobs';

/** As many entries as the service gives at once. */
const ENTRIES = 100;

/** Most parts of the list that a poll reads of an endpoint: 10,000 jobs. */
const MAX_PARTS = 100;

/** A poll that fails is followed by the next one. */
const PATIENCE: Patience = { retries: 2, timeoutMs: 15_000 };

/**
 * The mark with the jobs that the service has listed since the last poll (`GET /v2/team/activity`, newest
 * first, the last 24 hours), endpoint by endpoint: in the list of all, scrapes and searches would stand
 * before them by the hundred. Of an endpoint that is read first, the newest 100. Throws a ServiceFailure.
 */
export async function withListedJobs<Mark extends ListMark>(
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
export async function newestJobs(client: ServiceClient, endpoint: string): Promise<ListedJob[]> {
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

async function readPart(
	client: ServiceClient,
	endpoint: string,
	cursor: unknown,
): Promise<JsonObject> {
	const query = { endpoint, limit: ENTRIES, ...(typeof cursor === 'string' && { cursor }) };
	const request = { method: 'GET', path: '/v2/team/activity', bucket: 'other', query } as const;
	return await client
		.receive(request, PATIENCE)
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
