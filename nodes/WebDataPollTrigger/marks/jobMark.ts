import { isJsonObject } from '../../service/http/answer';
import type { JsonObject } from '../../service/http/transport';
import { NO_FEED } from './newJobs';
import type { FeedJob, FeedMark } from './newJobs';

/** Jobs that are waited for, and what the feed has shown. */
export interface JobMark extends FeedMark {
	/** Ids of a list that have been told. */
	told: string[];
	/** By id: how often the result of a job that has ended could not be read. */
	tries: Record<string, number>;
}

export const NO_JOBS: JobMark = { ...NO_FEED, told: [], tries: {} };

/** The mark as it was stored: whatever else stands there begins anew. */
export function readJobMark(stored: JsonObject | undefined): JobMark {
	if (stored?.begun !== true) return NO_JOBS;
	const { since, known, running, told, tries } = stored;
	return {
		begun: true,
		since: typeof since === 'string' ? since : '',
		known: textsOf(known),
		running: Array.isArray(running) ? running.filter(isFeedJob) : [],
		told: textsOf(told),
		tries: Object.fromEntries(
			Object.entries(isJsonObject(tries) ? tries : {}).flatMap(([id, count]) =>
				typeof count === 'number' ? [[id, count]] : [],
			),
		),
	};
}

function textsOf(list: unknown): string[] {
	return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}

function isFeedJob(job: unknown): job is FeedJob {
	return (
		isJsonObject(job) &&
		['id', 'endpoint', 'target', 'startedAt'].every((name) => typeof job[name] === 'string')
	);
}
