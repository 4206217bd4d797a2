import type { JobKind } from '../../../service/jobs/jobKinds';
import type { JobOutcome } from '../../../service/jobs/jobTask';
import type { ItemFailure } from '../output/itemError';
import { uncertainText } from './unclearStart';
import type { JobPlan } from './jobPlan';

/**
 * How to get at a job that is not lost. `collectWith` names the operation that collects it later:
 * `Deep Research · Get`; undefined for an agent, which has this tool only, and finds the job by it again.
 */
export function collectText(collectWith: string | undefined, what = 'it'): string {
	if (collectWith === undefined) return 'call this tool again with the same input';
	return `collect ${what} with ${collectWith} and this ID`;
}

/** Why an outcome is no result, as one message; undefined when it is one. For `collectWith` see above. */
export function itemFailureOf(
	outcome: JobOutcome,
	{ item, failOnTimeout, failOnFailure, maxWaitMs, watched }: JobPlan,
	kind: JobKind,
	collectWith: string | undefined,
): ItemFailure | undefined {
	switch (outcome.kind) {
		case 'started':
		case 'done':
		case 'left':
			return undefined;
		case 'failed': {
			if (!failOnFailure) return undefined;
			const { id: jobId, state, reason } = outcome;
			const why = reason === '' ? 'the service gives no reason' : withoutDot(reason);
			const verb = state === 'cancelled' ? 'was cancelled' : 'failed';
			return {
				item,
				kind: 'job',
				jobId,
				state,
				message: `The ${kind.label} ${jobId} ${verb}: ${why}. Running it again starts a new job.${restText(kind, collectWith)}`,
			};
		}
		case 'unfinished': {
			if (!failOnTimeout || !watched) return undefined;
			const { id: jobId, state, trouble } = outcome;
			return {
				item,
				kind: 'job',
				jobId,
				state,
				message: `The ${kind.label} ${jobId} was still "${state}" after ${Math.round(maxWaitMs / 1000)} seconds (Max Wait). It runs on at the service: ${collectText(collectWith)}${collectWith === undefined ? ' to wait on' : ', or raise Max Wait'}.${trouble}`,
			};
		}
		case 'error':
			return failureOfError(outcome, item, kind, collectWith);
		case 'notStarted':
			return {
				item,
				kind: 'job',
				message: `The ${kind.label} of this item was not started, because another item failed. Nothing was paid for it.`,
			};
	}
}

function failureOfError(
	outcome: Extract<JobOutcome, { kind: 'error' }>,
	item: number,
	kind: JobKind,
	collectWith: string | undefined,
): ItemFailure {
	const { id: jobId, state, failure, uncertain } = outcome;
	const base = { item, kind: failure.kind, httpCode: failure.httpCode, jobId, state };
	if (uncertain) return { ...base, message: `${failure.message} ${uncertainText(kind)}` };
	if (jobId === undefined) return { ...base, message: failure.message };
	if (failure.notFound) {
		return {
			...base,
			message: `The service does not know the ${kind.label} ${jobId}: the ID is wrong, or its result has expired. ${failure.message}`,
		};
	}
	return {
		...base,
		message: `The ${kind.label} ${jobId} could not be read: ${failure.message} The job itself is not lost: ${collectText(collectWith)}.`,
	};
}

function withoutDot(text: string): string {
	return text.replace(/\.\s*$/, '');
}

/** What can be done about the results that a job has although it did not end well. */
function restText(kind: JobKind, collectWith: string | undefined): string {
	if (!kind.cancellable || collectWith === undefined) return '';
	return ` The pages it has can be collected with ${collectWith}, this ID and the option "When the Job Fails or Is Cancelled".`;
}
