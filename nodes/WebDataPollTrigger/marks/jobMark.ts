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
	/** Jobs that ran too long to be waited for, the latest last, until a poll says so. */
	givenUp: string[];
}

/** Most of them that are named. */
export const MAX_GIVEN_UP = 100;

/** Most jobs of a list of IDs that are remembered as told. */
export const MAX_TOLD = 1000;

/** A job as it stands in `told`: one that was looked for as another kind was not told. */
export function toldName({ endpoint, id }: Pick<WaitingJob, 'endpoint' | 'id'>): string {
	return `${endpoint} ${id}`;
}

/**
 * The mark as it was stored: whatever else stands there starts over. Older versions had one time and one list
 * of known jobs for all `endpoints`.
 */
export function readJobMark(stored: JsonObject | undefined, endpoints: readonly string[]): JobMark {
	if (stored?.begun !== true) {
		return { begun: false, since: {}, known: {}, waiting: [], told: [], givenUp: [] };
	}
	const { since, known, waiting = stored.running, told, tries, givenUp } = stored;
	return {
		begun: true,
		since: readSince(since, endpoints),
		known: readKnown(known, endpoints),
		waiting: Array.isArray(waiting)
			? waiting.flatMap((job) => readWaitingJob(job, isJsonObject(tries) ? tries : {}))
			: [],
		told: readNames(told),
		givenUp: readNames(givenUp),
	};
}

/** The mark as it is stored. */
export function storedJobMark({ known, told, ...mark }: JobMark): JsonObject {
	const packed = Object.entries(known).map(([endpoint, hashes]) => [endpoint, packHashes(hashes)]);
	return { ...mark, known: Object.fromEntries(packed), told: told.slice(-MAX_TOLD) };
}

function readKnown(known: unknown, endpoints: readonly string[]): Record<string, string[]> {
	const byEndpoint = isJsonObject(known)
		? Object.entries(known)
		: endpoints.map((endpoint) => [endpoint, known] as const);
	return Object.fromEntries(
		byEndpoint.map(([endpoint, hashes]) => [endpoint, unpackHashes(hashes)]),
	);
}

function readNames(stored: unknown): string[] {
	return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
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
			...(job.isChecked === true && { isChecked: true }),
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
