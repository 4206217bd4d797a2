import { ServiceFailure } from '../../service/http/failure';
import type { CheckedJob } from '../jobs/checkJobs';
import type { WaitingJob } from '../marks/newJobs';
import { MAX_RUNNING } from '../marks/waitingJobs';
import { shortHash } from '../marks/shortHashes';
import { PollFailure } from './pollEvent';

/** Most jobs whose IDs are shown. */
const MAX_NAMED = 10;

/** At so many polls in a row the state of a job may not be read before it is named. */
const FAILURES_BEFORE_NAMED = 3;

/**
 * What is to be said of jobs whose state cannot be read: where no state at all could be read, that is trouble
 * with the service; where others can be read, each job is named once it has failed for some polls.
 */
export function unreadableJobs(
	checked: readonly CheckedJob[],
	waiting: readonly WaitingJob[],
): ServiceFailure | undefined {
	const failures = checked.flatMap(({ answer, job }) =>
		answer instanceof ServiceFailure && !answer.notFound ? [{ answer, job }] : [],
	);
	const [first] = failures;
	if (!first) return undefined;
	const { kind, reached, httpCode } = first.answer;
	if (failures.length === checked.length) {
		const message = textOf(
			failures.map(({ job }) => job.id),
			first.answer,
		);
		return new ServiceFailure({
			kind,
			reached,
			message,
			...(httpCode !== undefined && { httpCode }),
		});
	}
	const named = waiting.filter(({ failures: count = 0 }) => count >= FAILURES_BEFORE_NAMED);
	if (named.length === 0) return undefined;
	const ids = named.map(({ id }) => id).sort();
	const one = failures.find(({ job }) => ids.includes(job.id)) ?? first;
	return new PollFailure({
		trouble: `jobs ${shortHash(ids.join())}`,
		message: textOf(ids, one.answer),
		...(httpCode !== undefined && { httpCode }),
	});
}

/** What is to be said of jobs that are not waited for any more, by their ids; undefined where there are none. */
export function givenUpJobs(ids: readonly string[]): ServiceFailure | undefined {
	if (ids.length === 0) return undefined;
	const shown = ids.slice(0, MAX_NAMED).join(', ');
	const others = ids.length > MAX_NAMED ? ' and others' : '';
	return new PollFailure({
		trouble: 'jobs given up',
		message: `More than ${MAX_RUNNING} jobs have not ended, so the end of the oldest is not reported (${shown}${others}). Get reads them.`,
	});
}

function textOf(ids: readonly string[], { message }: ServiceFailure): string {
	const jobs = ids.length === 1 ? 'a job' : `${ids.length} jobs`;
	return `The state of ${jobs} could not be read (${ids.join(', ')}). ${message} The next polls try again.`;
}
