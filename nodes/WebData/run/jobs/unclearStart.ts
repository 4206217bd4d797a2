import { ServiceFailure } from '../../../service/http/failure';
import type { JobKind } from '../../../service/jobs/jobKinds';
import type { LostStartFinding, EarlierTry } from '../../../service/jobs/jobOutcome';
import { named } from '../../operation/hint';
import { processClock } from '../connection/processClock';
import type { Entry } from '../ledger/entries';
import { withArticle } from '../output/hints';

const DAY_MS = 24 * 3_600_000;

/** From sending a start to noting that its end is unclear: a minute each for headers and body, and more. */
const LONGEST_START_MS = 150_000;

/**
 * What to do about a start that nobody knows the end of. `collectWith`: `Deep Research · Get`; undefined
 * for an agent, which has this tool only.
 */
export function uncertainText(
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

/** Where a person finds a job that no list has shown. */
function whereToLook(finding: LostStartFinding | undefined): string {
	return hasNoList(finding) ? 'the log of your server' : "the account's activity";
}

/** What the service's lists say of it, as a sentence with a space before it; empty when they say nothing. */
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

/** A start of an earlier try whose end was unclear: it is looked for again. */
export function unclearBefore({ startedAt, lostAt }: Entry): EarlierTry {
	return {
		sinceMs: startedAt,
		lostAt: lostAt ?? startedAt + LONGEST_START_MS,
		// The user was told that it may have been started, and decides whether to start it again.
		startsWhenMissing: false,
		failure: lostFailure('An earlier try sent this start and got no clear answer.'),
	};
}

/**
 * A start that n8n may have died over. `sinceMs`: when the execution that died began, in milliseconds
 * since 1970; undefined when that is not known.
 */
export function cutOffByCrash({ label }: JobKind, sinceMs: number | undefined): EarlierTry {
	return {
		sinceMs: sinceMs ?? processClock.wallClock() - DAY_MS,
		// It was sent before this, and n8n may have been back within a second.
		lostAt: processClock.wallClock(),
		startsWhenMissing: sinceMs !== undefined,
		failure: lostFailure(
			`n8n was ended while this node ran, so the ${label} of this item may have been started, and may be paid for.`,
		),
	};
}

/** What to do about that when it was not found. */
export function afterCrashText(
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

function lostFailure(message: string): ServiceFailure {
	return new ServiceFailure({ kind: 'connection', reached: 'maybe', message });
}
