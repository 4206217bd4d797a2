import type { JsonObject } from '../../service/http/transport';
import type { ServiceClient } from '../../service/limits/client';
import { readJobMark, toldName } from '../marks/jobMark';
import type { JobMark } from '../marks/jobMark';
import type { WaitingJob } from '../marks/newJobs';
import { newestFirst } from '../marks/waitingJobs';
import { withListedJobs } from './activityFeed';
import type { JobSettings } from './jobSettings';
import { byEndpoint } from './listedKinds';

/**
 * What an earlier poll has stored, with the jobs that there are to wait for now: those of the list of IDs, or
 * those that the service lists. Throws a ServiceFailure.
 */
export async function withWantedJobs(
	client: ServiceClient,
	settings: JobSettings,
	stored: JsonObject | undefined,
): Promise<JobMark> {
	const mark = readJobMark(stored, [...byEndpoint.keys()]);
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
		.filter((job) => !known.has(job.id) && !told.has(toldName(job)) && !told.has(job.id));
	return { ...mark, since: {}, known: {}, waiting: [...added, ...waiting] };
}
