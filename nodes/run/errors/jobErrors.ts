import { MAX_NAMED, named } from '../../operation/hint';
import { readErrorText } from '../../service/http/answer';
import { asSentence, shorten } from '../../service/http/failure';
import { mayBeUnknownId } from '../../service/jobs/jobKinds';
import type { JobKind } from '../../service/jobs/jobKinds';
import type { Denied, JobOutcome, LostStartFinding } from '../../service/jobs/jobOutcome';
import { count } from '../../text/amounts';
import { isAfterKill } from '../job/jobPlan';
import type { JobPlan } from '../job/jobPlan';
import { withArticle } from '../output/hints';
import { saysNoId, unknownThing } from '../output/itemError';
import type { ItemFailure } from '../output/itemError';
import { KEY_CHANGED } from './callErrors';

/**
 * The way to a job that is not lost. `collectWith` names the operation that collects it later: `Deep Research · Get`;
 * undefined for an agent, which has this tool only, and finds the job by it again.
 */
function collectText(collectWith: string | undefined, what = 'it'): string {
	if (collectWith === undefined) return 'call this tool again with the same input';
	return `collect ${what} with ${collectWith} and this ID`;
}

/** The same for an operation that need not have started the job: what has its ID already, is run again. */
export function nextStep(isStart: boolean, collectWith: string | undefined, what = 'it'): string {
	return isStart || collectWith === undefined ? collectText(collectWith, what) : 'run this again';
}

/** What the message about a job has besides its plan and its outcome. `capBarsAgain`: see Job. */
interface JobMessage {
	collectWith: string | undefined;
	capBarsAgain: boolean;
}

/** The reason why an outcome is no result, as one message; undefined when it is one. For `collectWith` see above. */
export function itemFailureOf(outcome: JobOutcome, plan: JobPlan, how: JobMessage): ItemFailure | undefined {
	const { collectWith } = how;
	const { kind, item, failOnTimeout, failOnFailure, failOnPartial, maxWaitMs, watched } = plan;
	const isStart = plan.start !== undefined;
	switch (outcome.kind) {
		case 'started':
		case 'left':
			return undefined;
		case 'done': {
			const { id: jobId, state, body = {} } = outcome;
			if (!failOnPartial || !kind.hasPartial?.(body)) return undefined;
			const thread = typeof body.threadId === 'string' ? ` (${shorten(body.threadId, 80)})` : '';
			return {
				item,
				kind: 'job',
				jobId,
				state,
				title: `The ${kind.label} stopped at its limit`,
				message: `The ${kind.label} ${jobId} stopped at its limit: ${asSentence(readErrorText(body) || 'the service gives no reason')} A retry starts no other one. To go on, start another one in its thread${thread}, or with higher Max Credits. At the Credit Limit → Output What It Has returns what it found.`,
			};
		}
		case 'failed': {
			if (!failOnFailure) return undefined;
			const { id: jobId, state, reason } = outcome;
			const why = reason === '' ? 'the service gives no reason' : withoutDot(reason);
			const verb = state === 'cancelled' ? 'was cancelled' : 'failed';
			// The reason may name the job by itself.
			const which = why.includes(jobId) ? '' : ` ${jobId}`;
			return {
				item,
				kind: 'job',
				jobId,
				state,
				title: `The ${kind.label} ${verb}`,
				message: `The ${kind.label}${which} ${verb}: ${asSentence(why)}${isStart ? ' A retry starts a new job, and pays for it.' : ''}${restText(kind, isStart, collectWith)}`,
			};
		}
		case 'unfinished': {
			if (!failOnTimeout || !watched) return undefined;
			const { id: jobId, state, trouble } = outcome;
			const base = { item, kind: 'job' as const, jobId, state };
			const next = waitOnText(isStart, collectWith);
			return {
				...base,
				title: `The ${kind.label} is not finished after ${count(Math.round(maxWaitMs / 1000), 'second')}`,
				message: `The ${kind.label} ${jobId} was still "${state}" after ${count(Math.round(maxWaitMs / 1000), 'second')} (Max Wait). It runs on at the service${next}${trouble}`,
			};
		}
		case 'error':
			return failureOfError(outcome, plan, how);
		case 'notStarted':
			return {
				item,
				kind: 'job',
				message: isAfterKill(plan)
					? `The ${kind.label} of this item was not looked for, because another item failed. n8n was ended while this node ran, so it may have been started; a retry looks for it.`
					: `The ${kind.label} of this item was not started, because another item failed. Nothing was paid for it; a retry starts it.`,
			};
	}
}

const CAP_BARS_AGAIN =
	' Start Again is not followed: with a second start this run may cost more than Max Credits (This Run) allows.';

function failureOfError(
	outcome: Extract<JobOutcome, { kind: 'error' }>,
	plan: JobPlan,
	{ collectWith, capBarsAgain }: JobMessage,
): ItemFailure {
	const { kind, item, start, sent = {}, about, past, ifUncertain } = plan;
	const { id: jobId, state, failure, uncertain, finding, denied, isGone } = outcome;
	const base = { item, kind: failure.kind, httpCode: failure.httpCode, jobId, state };
	const isOther = past?.isOfOther() === true;
	const afterCrash = isAfterKill(plan);
	if (uncertain) {
		const text = afterCrash ? afterCrashText : uncertainText;
		const candidates = finding?.kind === 'several' ? finding.ids.slice(0, MAX_NAMED) : undefined;
		return {
			...base,
			candidates,
			title: `The ${kind.label} may have been started`,
			message: `${failure.message} ${text(kind, finding, collectWith)}${capBarsAgain ? CAP_BARS_AGAIN : ''}${isOther ? keyChangedText(afterCrash || ifUncertain === 'sendOnceMore') : ''}`,
		};
	}
	if (jobId === undefined) {
		const unknown = start && unknownThing(about, sent, failure, start);
		return { ...base, message: failure.message, ...unknown };
	}
	if (denied && isGone && isOther) return { ...base, ...jobOfOther(kind, jobId, denied) };
	if (denied && isGone) return { ...base, ...goneJob(kind, jobId, denied, start !== undefined) };
	if (failure.notFound || (!start && saysNoId(failure))) {
		return { ...base, ...unknownJob(kind, jobId) };
	}
	// A server that has no such thing has no such job either.
	if (failure.isMissingOnServer) return { ...base, message: failure.message };
	const next = nextStep(start !== undefined, collectWith);
	const isUnsure = !start && state === undefined && mayBeUnknownId(kind, failure);
	const advice = isUnsure
		? `Some servers answer so to an ID that they do not know. ${whereIds(kind)} If it is this one, ${next}.`
		: `The job itself is not lost: ${next}.`;
	return {
		...base,
		title: `The ${kind.label} could not be read`,
		message: `The ${kind.label} ${jobId} could not be read: ${failure.message} ${advice}`,
	};
}

/** The message about an id that the service does not know, with what to do. */
export function unknownJob(kind: JobKind, id: string): { title: string; message: string } {
	const { label } = kind;
	return {
		title: `The service does not know this ${label}`,
		message: `The service does not know the ${label} ${id}: the ID is wrong, or its result has expired. ${whereIds(kind)}`,
	};
}

function whereIds({ namedIn = "Start, in an error message, or in n8n's log" }: JobKind): string {
	return `The right one is in the output of ${namedIn}.`;
}

/** The way to continue with a job that outlasted the wait. */
function waitOnText(isStart: boolean, collectWith: string | undefined): string {
	if (collectWith === undefined) return `: ${collectText(collectWith)} to wait on.`;
	const unfinished = 'with On Max Wait → Output the Unfinished Job you get what there is';
	return isStart
		? `. Retry in the list of executions waits on for the same job, and ${collectWith} with this ID collects it. A longer Max Wait prevents this; ${unfinished}.`
		: `: run this again to wait on, or raise Max Wait; ${unfinished}.`;
}

function withoutDot(text: string): string {
	return text.replace(/\.\s*$/, '');
}

/** The way to the results that a job has although it did not end well. */
function restText(kind: JobKind, isStart: boolean, collectWith: string | undefined): string {
	// Only where pages are gathered is there something to have, and the option.
	if (kind.errorsPath === undefined || collectWith === undefined) return '';
	const option = 'the option On Failure';
	return isStart
		? ` The pages it has can be collected with ${collectWith}, this ID and ${option}.`
		: ` ${option.replace('the', 'The')} returns the pages it has.`;
}

interface TitledMessage {
	title: string;
	message: string;
}

/** `the service has answered 404 for it for 8 s` */
function answeredText({ forMs, httpCode = 404 }: Denied): string {
	return `the service has answered ${httpCode} for it for ${Math.round(forMs / 1000)} s`;
}

/** The message about a job that was started and counts as gone. */
function goneJob({ label }: JobKind, id: string, denied: Denied, isStart: boolean): TitledMessage {
	const next = isStart
		? 'What it did may be paid for. A retry asks for it again, and starts another one if it is still gone.'
		: 'Its result has expired, or it was deleted.';
	return {
		title: `The ${label} is gone`,
		message: `The ${label} ${id} is gone: ${answeredText(denied)}. ${next}`,
	};
}

/** Of a start that was sent with another key, and that the lists do not show with today's. */
function keyChangedText(isRetryable: boolean): string {
	const begin = ` ${KEY_CHANGED}: if the new one is of another account, that shows nothing.`;
	return isRetryable ? `${begin} One more retry of this execution starts it with the new key.` : begin;
}

/** The message about a job that was started with another key, and that the service does not know with today's. */
function jobOfOther({ label }: JobKind, id: string, denied: Denied): TitledMessage {
	return {
		title: `The ${label} is not known with this API key`,
		message: `The API key has changed since the ${label} ${id} was started, and ${answeredText(denied)}. If the new key is of the same account, it is gone; if not, set the earlier key to collect it. One more retry of this execution starts another one with the new key, and pays for it.`,
	};
}

/**
 * The advice for a start whose end nobody knows. `collectWith`: `Deep Research · Get`; undefined for an agent, which
 * has this tool only.
 */
function uncertainText(
	{ label }: JobKind,
	finding: LostStartFinding | undefined,
	collectWith: string | undefined,
): string {
	const known = findingText(label, finding, collectWith);
	const where = finding?.kind === 'none' || finding?.kind === 'several';
	const begin = `The ${label} may have been started, and may be paid for.${known}`;
	if (collectWith === undefined) {
		const look = where ? '' : `${whereToLook(finding)} shows whether it was started; `;
		return `${begin} A call with the same input does not start it again, so that it is not paid twice. Tell the user: ${look}another run of the workflow starts it again.`;
	}
	const look = where ? '' : `look in ${whereToLook(finding)}, then `;
	return `${begin} It is not started again by a retry, so that it is not paid twice: ${look}change the request or run the workflow again.`;
}

function hasNoList(finding: LostStartFinding | undefined): boolean {
	return finding?.kind === 'unknown' && finding.hasNoList === true;
}

/** The place where a person finds a job that no list has shown. */
function whereToLook(finding: LostStartFinding | undefined): string {
	return hasNoList(finding) ? 'the log of your server' : "the account's activity";
}

/** The findings of the service's lists, as a sentence with a space before it; empty when they say nothing. */
function findingText(label: string, finding: LostStartFinding | undefined, collectWith: string | undefined): string {
	switch (finding?.kind) {
		case 'several': {
			const { ids } = finding;
			const collect = collectWith === undefined ? '' : `: collect the right one with ${collectWith}`;
			const what =
				ids.length === 1 ? `${withArticle(label)} that may be it or belong to another start` : 'several that may be it';
			return ` The service lists ${what}: ${named(ids)}. None was used${collect}.`;
		}
		case 'none':
			return finding.isProof
				? ' The service has not listed it yet.'
				: ' The service has not listed it yet, but it may have ended already.';
		default:
			return hasNoList(finding) ? ' This server keeps no list of its jobs.' : '';
	}
}

/** The advice about a start before a crash that was not found. */
function afterCrashText(
	{ label }: JobKind,
	finding: LostStartFinding | undefined,
	collectWith: string | undefined,
): string {
	const known = findingText(label, finding, collectWith);
	const begin = `${known} It is not started yet, so that it is not paid twice`;
	const text =
		collectWith === undefined
			? `${begin}. Tell the user: n8n's log says what was started, and another retry of this execution starts all of it again.`
			: `${begin}: n8n's log says what was started for which item, and Get collects it. To start all items again, retry this execution.`;
	return text.trim();
}
