import { isJsonObject } from '../../service/http/answer';
import type { JsonObject } from '../../service/http/transport';
import type { ListMark, WaitingJob } from './newJobs';
import { packHashes, unpackHashes } from './shortHashes';

/** Jobs that are waited for, what the list has shown, and what was told of a list of IDs. */
export interface JobMark extends ListMark {
	/** False before the first poll. */
	begun: boolean;
	/** Jobs of a list of IDs whose end was told, the latest last: `toldName`, in older versions the id alone. */
	told: string[];
}

/** Most jobs of a list of IDs that are remembered as told. */
export const MAX_TOLD = 1000;

/** A job as it stands in `told`: one that was looked for as another kind was not told. */
export function toldName({ endpoint, id }: Pick<WaitingJob, 'endpoint' | 'id'>): string {
	return `${endpoint} ${id}`;
}

/**
 * The mark as it was stored: whatever else stands there starts over. Older versions had one time for the list
 * of all `endpoints`.
 */
export function readJobMark(stored: JsonObject | undefined, endpoints: readonly string[]): JobMark {
	if (stored?.begun !== true) {
		return { begun: false, since: {}, known: [], waiting: [], told: [] };
	}
	const { since, known, waiting = stored.running, told, tries } = stored;
	return {
		begun: true,
		since: readSince(since, endpoints),
		known: unpackHashes(known),
		waiting: Array.isArray(waiting)
			? waiting.flatMap((job) => readWaitingJob(job, isJsonObject(tries) ? tries : {}))
			: [],
		told: Array.isArray(told) ? told.filter((one) => typeof one === 'string') : [],
	};
}

/** The mark as it is stored. */
export function storedJobMark({ known, told, ...mark }: JobMark): JsonObject {
	return { ...mark, known: packHashes(known), told: told.slice(-MAX_TOLD) };
}

function readSince(since: unknown, endpoints: readonly string[]): Record<string, string> {
	if (typeof since === 'string') {
		return Object.fromEntries(endpoints.map((endpoint) => [endpoint, since]));
	}
	return Object.fromEntries(
		Object.entries(isJsonObject(since) ? since : {}).flatMap(([endpoint, start]) =>
			typeof start === 'string' ? [[endpoint, start]] : [],
		),
	);
}

function readWaitingJob(job: unknown, tries: JsonObject): WaitingJob[] {
	if (!isJsonObject(job)) return [];
	const { id, endpoint, target, startedAt } = job;
	if (typeof id !== 'string' || typeof endpoint !== 'string') return [];
	if (typeof target !== 'string' || typeof startedAt !== 'string') return [];
	const counted = { ...job, tries: job.tries ?? tries[id] };
	return [
		{
			...{ id, endpoint, target, startedAt },
			...(job.isOld === true && { isOld: true }),
			...numbersOf(counted, ['failingSinceMs', 'failures', 'deniedSinceMs', 'tries']),
		},
	];
}

function numbersOf<Name extends string>(
	job: JsonObject,
	names: readonly Name[],
): Partial<Record<Name, number>> {
	const found: Partial<Record<Name, number>> = {};
	for (const name of names) {
		const value = job[name];
		if (typeof value === 'number') found[name] = value;
	}
	return found;
}
