import type { ServiceClient } from '../client';
import { ServiceFailure, failureOrThrow } from '../http/failure';
import { statusRequest } from '../jobs/jobKinds';
import type { JobKind } from '../jobs/jobKinds';
import { readSettled } from '../jobs/readEnd';

/** Checks once, after the first: most often that one tells all that is asked for. */
const CONCURRENT_CHECKS = 5;

/** The result of the checks of several jobs. */
interface StatusChecks {
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
export async function checkStatuses(
	ids: readonly string[],
	kind: JobKind,
	client: ServiceClient,
): Promise<StatusChecks> {
	const checks: StatusChecks = { running: undefined, ended: [], unread: [] };
	for (let from = 0; from < ids.length && checks.running === undefined;) {
		const to = from === 0 ? 1 : from + CONCURRENT_CHECKS;
		await Promise.all(
			ids.slice(from, to).map(async (id) => {
				const phase = await phaseOf(id, kind, client);
				if (phase instanceof ServiceFailure) checks.unread.push({ id, failure: phase });
				else if (phase === 'running') checks.running ??= id;
				else checks.ended.push(id);
			}),
		);
		from = to;
	}
	return checks;
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
