import type { Denied } from '../../../service/jobs/jobAbsence';
import type { ServiceFailure } from '../../../service/http/failure';
import type { JobKind } from '../../../service/jobs/jobKinds';
import { count } from '../output/hintText';

interface Told {
	title: string;
	message: string;
}

/** `the service has answered 404 for it for 8 s` */
function answeredText({ forMs, httpCode = 404 }: Denied): string {
	return `the service has answered ${httpCode} for it for ${Math.round(forMs / 1000)} s`;
}

/**
 * What to say of a job that was started and that the service does not show by the end of the wait.
 * `next`: how to continue with it, as the end of a sentence.
 */
export function notListedYet(
	{ label }: JobKind,
	id: string,
	denied: Denied,
	{ maxWaitMs, next }: { maxWaitMs: number | undefined; next: string },
): Told {
	const until =
		maxWaitMs === undefined
			? ''
			: `, until Max Wait (${count(Math.round(maxWaitMs / 1000), 'second')}) ended`;
	const list = denied.list === 'listed' ? ', although its list of what was started has it' : '';
	return {
		title: `The ${label} is not listed yet`,
		message: `The ${label} ${id} is not listed yet: ${answeredText(denied)}${until}${list}. It was started, so it is not started again${next}`,
	};
}

/**
 * What to say of a job that was found by its address and time only and shows no change. `collectWith`: the
 * operation that collects it; undefined for an agent.
 */
export function doubtedJob(
	{ label, listed }: JobKind,
	id: string,
	{ message }: ServiceFailure,
	collectWith: string | undefined,
): Told {
	const how = `was found by its ${listed?.shows ?? 'address'} and time only`;
	const next =
		collectWith === undefined
			? 'Tell the user: another run of the workflow starts it again.'
			: `Change the request or run the workflow again to start another one. Should it end after all, collect it with ${collectWith} and this ID.`;
	return {
		title: `The ${label} may not have been started`,
		message: `The ${label} ${id} ${how}. ${message} The service may have listed it without starting it, so it is given up. A retry does not start it again, so that it is not paid twice. ${next}`,
	};
}

/** What to say of a job that was started and is proven to exist no more. */
export function goneJob({ label }: JobKind, id: string, denied: Denied, isStart: boolean): Told {
	const list =
		denied.list === 'notListed' ? ', and its list of what was started does not have it' : '';
	const next = isStart
		? 'What it did may be paid for. A retry asks for it again, and starts another one if it is still gone.'
		: 'Its result has expired, or it was deleted.';
	return {
		title: `The ${label} is gone`,
		message: `The ${label} ${id} is gone: ${answeredText(denied)}${list}. ${next}`,
	};
}
