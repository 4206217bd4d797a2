import { asSentence } from '../../../service/http/failure';
import type { JsonObject } from '../../../service/http/transport';
import { mayBeUnknownId } from '../../../service/jobs/jobKinds';
import type { JobKind } from '../../../service/jobs/jobKinds';
import type { Denied, JobOutcome } from '../../../service/jobs/jobOutcome';
import { count } from '../../../text/amounts';
import { MAX_NAMED } from '../../operation/hint';
import type { JobResult } from '../../operation/operation';
import { addCredits } from '../../operation/webPage';
import type { JobOperation, JobPlan } from '../jobs/jobPlan';
import { afterCrashText, uncertainText } from '../jobs/unclearStart';
import type { RunTotals } from '../output/hints';
import { saysNoId, unknownThing } from '../output/itemError';
import type { ItemFailure } from '../output/itemError';

/**
 * How to get at a job that is not lost. `collectWith` names the operation that collects it later:
 * `Deep Research · Get`; undefined for an agent, which has this tool only, and finds the job by it again.
 */
function collectText(collectWith: string | undefined, what = 'it'): string {
	if (collectWith === undefined) return 'call this tool again with the same input';
	return `collect ${what} with ${collectWith} and this ID`;
}

/** The same for an operation that need not have started the job: what has its ID already, is run again. */
export function nextStep(isStart: boolean, collectWith: string | undefined, what = 'it'): string {
	return isStart || collectWith === undefined ? collectText(collectWith, what) : 'run this again';
}

/** What a well ended job lacks, a sentence each. */
export function remarksOf({ job, result }: JobOperation, id: string, body: JsonObject): string[] {
	return (result.remarks?.(body) ?? []).map((text) => `The ${job.label} ${id} ${text}.`);
}

/** Why an outcome is no result, as one message; undefined when it is one. For `collectWith` see above. */
export function itemFailureOf(
	outcome: JobOutcome,
	plan: JobPlan,
	collectWith: string | undefined,
): ItemFailure | undefined {
	const { kind, item, failOnTimeout, failOnFailure, maxWaitMs, watched } = plan;
	const isStart = plan.start !== undefined;
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
			return failureOfError(outcome, plan, collectWith);
		case 'notStarted':
			return {
				item,
				kind: 'job',
				message: `The ${kind.label} of this item was not started, because another item failed. Nothing was paid for it; a retry starts it.`,
			};
	}
}

const CAP_BARS_AGAIN =
	' Start Again is not followed: with a second start this run may cost more than Max Credits (This Run) allows.';

function failureOfError(
	outcome: Extract<JobOutcome, { kind: 'error' }>,
	{ kind, item, start, sent = {}, about, afterCrash, capBarsAgain }: JobPlan,
	collectWith: string | undefined,
): ItemFailure {
	const { id: jobId, state, failure, uncertain, finding, denied, isGone } = outcome;
	const base = { item, kind: failure.kind, httpCode: failure.httpCode, jobId, state };
	if (uncertain) {
		const text = afterCrash ? afterCrashText : uncertainText;
		const candidates = finding?.kind === 'several' ? finding.ids.slice(0, MAX_NAMED) : undefined;
		return {
			...base,
			candidates,
			title: `The ${kind.label} may have been started`,
			message: `${failure.message} ${text(kind, finding, collectWith)}${capBarsAgain ? CAP_BARS_AGAIN : ''}`,
		};
	}
	if (jobId === undefined) {
		const unknown = start && unknownThing(about, sent, failure, start);
		return { ...base, message: failure.message, ...unknown };
	}
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

/** What to say of an id that the service does not know, and what to do. */
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

/** How to continue with a job that outlasted the wait. */
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

/** What can be done about the results that a job has although it did not end well. */
function restText(kind: JobKind, isStart: boolean, collectWith: string | undefined): string {
	// Only where pages are gathered is there something to have, and the option.
	if (kind.errorsPath === undefined || collectWith === undefined) return '';
	const option = 'the option On Failure';
	return isStart
		? ` The pages it has can be collected with ${collectWith}, this ID and ${option}.`
		: ` ${option.replace('the', 'The')} returns the pages it has.`;
}

interface Told {
	title: string;
	message: string;
}

/** `the service has answered 404 for it for 8 s` */
function answeredText({ forMs, httpCode = 404 }: Denied): string {
	return `the service has answered ${httpCode} for it for ${Math.round(forMs / 1000)} s`;
}

/** What to say of a job that was started and counts as gone. */
function goneJob({ label }: JobKind, id: string, denied: Denied, isStart: boolean): Told {
	const next = isStart
		? 'What it did may be paid for. A retry asks for it again, and starts another one if it is still gone.'
		: 'Its result has expired, or it was deleted.';
	return {
		title: `The ${label} is gone`,
		message: `The ${label} ${id} is gone: ${answeredText(denied)}. ${next}`,
	};
}

/** What came of the pages of a job: how many were returned, and what all of them say that they cost. */
interface ToldPages {
	pages?: number;
	credits?: number | undefined;
}

/**
 * What the jobs of a run came to: those that ended well, and failed ones whose pages are returned. What
 * they cost is what the service says, else what their pages say if all of them were read.
 */
export function totalsOf(
	{ usage, usageUnit }: JobResult,
	outcomes: Map<JobPlan, JobOutcome>,
	told: Map<JobPlan, ToldPages>,
): Pick<RunTotals, 'started' | 'finished' | 'ended' | 'used' | 'putOut' | 'usageUnit' | 'credits' | 'expiresAt'> {
	const all = [...outcomes];
	const used = all.flatMap(([plan, outcome]) => {
		const isPutOut = outcome.kind === 'done' || (outcome.kind === 'failed' && !plan.failOnFailure);
		if (!isPutOut) return [];
		const { pages, credits } = told.get(plan) ?? {};
		const own = usage(outcome.body);
		return [
			{
				isDone: outcome.kind === 'done',
				amount: own.amount,
				putOut: pages ?? own.amount,
				credits: own.credits ?? credits,
				expiresAt: own.expiresAt,
			},
		];
	});
	const sum = (read: (one: (typeof used)[number]) => number) => used.reduce((total, one) => total + read(one), 0);
	const expiries = used.flatMap(({ expiresAt }) => (expiresAt === undefined ? [] : [expiresAt]));
	return {
		started: all.filter(([, { kind }]) => kind === 'started').length,
		finished: used.filter(({ isDone }) => isDone).length,
		ended: used.length,
		used: sum(({ amount }) => amount),
		putOut: sum(({ putOut }) => putOut),
		credits: used.reduce<number | undefined>((total, one) => addCredits(total, one.credits), 0),
		usageUnit,
		expiresAt: expiries.sort()[0],
	};
}
