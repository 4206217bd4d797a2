import { ServiceFailure, failureOrThrow } from '../http/failure';
import { statusRequest } from '../jobs/jobKinds';
import type { JobKind } from '../jobs/jobKinds';
import { readSettled } from '../jobs/readEnd';
import type { ServiceClient } from '../limits/client';

/** Checks once, after the first: most often that one tells all that is asked for. */
const CONCURRENT_LOOKS = 5;

/** What checks several jobs came to. */
interface Looks {
	/** The first job that was seen to run; undefined when none was. */
	running: string | undefined;
	/** Jobs that were seen to have ended, well or not. */
	ended: string[];
	/** Jobs that could not be checked, after the usual tries. */
	unread: UnreadJob[];
}

/** A job whose status could not be read, and why. */
interface UnreadJob {
	id: string;
	failure: ServiceFailure;
}

/**
 * Checks jobs until one is found that still runs: then not all have ended, and that is all that is asked.
 * Throws a ServiceFailure only when the execution was stopped.
 */
export async function checkStatuses(ids: readonly string[], kind: JobKind, client: ServiceClient): Promise<Looks> {
	const looks: Looks = { running: undefined, ended: [], unread: [] };
	for (let from = 0; from < ids.length && looks.running === undefined;) {
		const to = from === 0 ? 1 : from + CONCURRENT_LOOKS;
		await Promise.all(
			ids.slice(from, to).map(async (id) => {
				const phase = await phaseOf(id, kind, client);
				if (phase instanceof ServiceFailure) looks.unread.push({ id, failure: phase });
				else if (phase === 'running') looks.running ??= id;
				else looks.ended.push(id);
			}),
		);
		from = to;
	}
	return looks;
}

async function phaseOf(id: string, kind: JobKind, client: ServiceClient) {
	try {
		const check = async () => await client.call(statusRequest(kind, id));
		return (await readSettled(kind, check, client.time)).phase;
	} catch (error) {
		const failure = failureOrThrow(error);
		if (failure.kind === 'aborted') throw failure;
		return failure;
	}
}
