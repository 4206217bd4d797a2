import { isJsonObject } from '../../service/http/answer';
import { asFailure, ServiceFailure } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';
import type { ServiceClient } from '../../service/limits/client';
import { readJobId } from '../../service/jobs/jobKinds';
import { unseenOf } from '../marks/newJobs';
import type { FeedJob, FeedMark } from '../marks/newJobs';

/** As many entries as the service gives at once (recording team-27). */
const ENTRIES = 100;

/** Most parts of the feed that a poll reads: 10,000 jobs. */
const MOST_PARTS = 100;

/** What one look at the feed has read. */
export interface FeedRead {
	/** Newest first. */
	jobs: FeedJob[];
	/** FeedMark.since after it. */
	since: string;
}

/**
 * The jobs that the service's feed shows (`GET /v2/team/activity`, newest first, the last 24 hours), back
 * to where all are known; at the first look, the newest 100. Throws a ServiceFailure.
 */
export async function readFeed(client: ServiceClient, mark: FeedMark): Promise<FeedRead> {
	const jobs: FeedJob[] = [];
	const asked = new Set<unknown>();
	let cursor: unknown;
	let { since } = mark;
	while (asked.size < MOST_PARTS && !asked.has(cursor)) {
		asked.add(cursor);
		const body = await readPart(client, cursor);
		const part = readJobs(client, body);
		jobs.push(...part);
		cursor = body.cursor;
		if (body.has_more !== true || typeof cursor !== 'string' || cursor === '') break;
		if (!mark.begun) {
			const starts = part.map(({ startedAt }) => startedAt).filter((start) => start !== '');
			since = starts.sort()[0] ?? '';
			break;
		}
		if (unseenOf(mark, part).length === 0) break;
	}
	return { jobs, since };
}

async function readPart(client: ServiceClient, cursor: unknown): Promise<JsonObject> {
	const query = { limit: ENTRIES, ...(typeof cursor === 'string' && { cursor }) };
	return await client
		.call({ method: 'GET', path: '/v2/team/activity', bucket: 'other', query })
		.catch((error: unknown) => {
			const failure = asFailure(error);
			if (failure.httpCode !== 404) throw failure;
			throw new ServiceFailure({
				kind: 'http',
				reached: 'no',
				httpCode: 404,
				message: `${client.baseUrl} has no list of what was started: choose List of IDs.`,
			});
		});
}

function readJobs(client: ServiceClient, { data }: JsonObject): FeedJob[] {
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
