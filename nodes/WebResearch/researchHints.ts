import type { NodeExecutionHint } from 'n8n-workflow';
import { hint, withMore } from '../operation/hint';
import { reasonsText } from '../research/contract/result';
import type { ResearchNews, ResearchResult } from '../research/contract/result';
import { memoryTexts } from '../run/memory/memory';
import type { NodeMemory } from '../run/memory/memory';
import { sentences } from '../run/output/hints';
import { count } from '../text/amounts';
import { cutAt } from '../text/ends';
import { fieldOf } from '../text/jsonPaths';

/** What a run was, besides its results. */
export interface CourseFacts {
	failed: number;
	items: number;
	/** How long limits of the plan held the run up. */
	throttledSeconds: number;
	/** The number of questions that went on with what an earlier try had paid for. */
	continued: number;
	notCounted: readonly string[];
	isAfterCrash: boolean;
}

interface RunFacts extends CourseFacts {
	/** For runs that tell what is new: where histories are, why nothing was stored, and how many were cut for their size. */
	memory: NodeMemory | undefined;
	notStored: string | undefined;
	cutHistories: number;
	/** Histories of another version, in a form that is not read any more. */
	outdatedHistories: number;
}

/** The hints under the output: the bill, what is not complete, and what a person should know. */
export function runHints(results: readonly ResearchResult[], facts: RunFacts): NodeExecutionHint[] {
	const partial = results.filter(({ status }) => status === 'partial');
	const limits = [...new Set(partial.map(({ limit }) => limit ?? ''))].slice(0, 3);
	const empty = results.flatMap(({ query, nothing }) =>
		nothing === undefined ? [] : [`${plainQuestion(query)} (${nothing.replace(/\.$/, '')})`],
	);
	const unverified = unverifiedText(results);
	const unproven = unprovenText(results);
	const warnings = [...new Set(results.flatMap((result) => result.warnings))].slice(0, 5);
	const told = sentences([results.length > 0 ? billText(results) : '', ...courseTexts(facts, 'question')]);
	return [
		...(told === '' ? [] : [hint(told)]),
		...(partial.length > 0
			? [hint(sentences([`${count(partial.length, 'result')} partial.`, ...limits]), 'warning')]
			: []),
		...(empty.length > 0
			? [
					hint(
						`${count(empty.length, 'question')} without an answer: ${withMore(empty.slice(0, 3), empty.length - 3, '; ')}.`,
						'warning',
					),
				]
			: []),
		...(unverified === '' ? [] : [hint(unverified)]),
		...(unproven === '' ? [] : [hint(unproven, 'warning')]),
		...warnings.map((warning) => hint(warning, 'warning')),
		...historyHints(results, facts),
		...costHints(facts),
	];
}

/** What the course of a run was, besides its results; `what`: what it works on, such as `question`. */
export function courseTexts({ failed, items, throttledSeconds, continued }: CourseFacts, what: string): string[] {
	return [
		failed > 0 ? `${failed} of ${count(items, what)} failed.` : '',
		continued > 0
			? `${count(continued, what)} continued from an earlier try: what that try paid for was not paid for again.`
			: '',
		throttledSeconds > 0 ? `Rate limits made it wait ${throttledSeconds} s.` : '',
	];
}

/** Costs that nobody counts, or that may have come twice. */
export function costHints({ notCounted, isAfterCrash }: CourseFacts): NodeExecutionHint[] {
	return [
		...(notCounted.length > 0 ? [hint(`Max Credits (This Run) does not count ${notCounted.join(', nor ')}.`)] : []),
		...(isAfterCrash
			? [
					hint(
						'n8n was killed while this node ran, so the research started again. Searches and model calls may have been paid for twice; pages only where the service keeps none, as a self-hosted server without a database does.',
						'warning',
					),
				]
			: []),
	];
}

/** Fields that a hint names. */
const MOST_FIELDS = 3;

/** The values of the JSON without a proof; empty where there are none. */
function unprovenText(results: readonly ResearchResult[]): string {
	const all = results.flatMap(({ values }) => values ?? []);
	const unproven = all.flatMap((values) => values.unproven);
	if (unproven.length === 0) return '';
	const proven = all.reduce((sum, { proofs }) => sum + proofs.length, 0);
	const fields = [...new Set(unproven.map(({ path }) => fieldOf(path)))];
	const named = withMore(fields.slice(0, MOST_FIELDS), fields.length - MOST_FIELDS);
	const have = unproven.length === 1 ? 'has' : 'have';
	return `${unproven.length} of ${count(proven + unproven.length, 'value')} of the JSON ${have} no proof (${named}): unproven says why. Without Keep and List they are null, also where the schema wants a value.`;
}

/** The hints of a run that tells what is new. */
function historyHints(results: readonly ResearchResult[], facts: RunFacts): NodeExecutionHint[] {
	const news = results.flatMap((result) => (result.news ? [result.news] : []));
	const first = news.filter(({ since }) => since === undefined).length;
	const later = news.filter(({ since }) => since !== undefined);
	const sum = (of: (one: ResearchNews) => number) => later.reduce((all, one) => all + of(one), 0);
	const unchecked = sum((one) => one.unchecked.reduce((all, { statements }) => all + statements, 0));
	const there = sum((one) => one.before.length);
	const counts = [
		`${sum((one) => one.new.length)} new`,
		`${sum((one) => one.changed.length)} changed`,
		`${sum((one) => one.withdrawn.length)} no longer on their page`,
		...(there > 0 ? [`${there} told for the first time that were there before`] : []),
		`${sum(({ unchanged }) => unchanged)} as they were`,
		...(unchecked > 0 ? [`${unchecked} could not be checked`] : []),
	];
	const { cutHistories, outdatedHistories, memory } = facts;
	const isStored = [memory?.lost, memory?.notStored, facts.notStored].every((why) => why === undefined);
	return [
		...(later.length > 0 ? [hint(`Statements: ${counts.join(', ')}.`)] : []),
		...(first > 0 && isStored
			? [hint(`${count(first, 'question')} without an earlier run: the next run tells what is new since this one.`)]
			: []),
		...(memory ? memoryTexts(memory, facts.notStored).map((text) => hint(text)) : []),
		...(memory?.lost !== undefined && news.length > 0
			? [hint('This Retry compared with what its first try was given, and nothing of it is remembered.')]
			: []),
		...(outdatedHistories > 0
			? [
					hint(
						'Another version of this package has kept this history in a form that is not read any more: everything was told, as in a first run, and the next run tells what is new since this one.',
						'warning',
					),
				]
			: []),
		...(cutHistories > 0
			? [
					hint(
						'A history has room for 400 statements, and a node for less than 1 MB of all histories: statements that were not found for the longest time were forgotten.',
					),
				]
			: []),
	];
}

/** A question as it is named in a hint. */
function plainQuestion(query: string): string {
	return cutAt(query.replace(/\s+/g, ' ').trim(), 100);
}

/** The hint about claims that were not verified, by reason, and what that means for the output; empty where all was. */
function unverifiedText(results: readonly ResearchResult[]): string {
	const sums: Record<string, number> = {};
	let sentencesLeftOut = 0;
	let uncited = 0;
	let removed = 0;
	for (const { checks, nothing } of results) {
		if (nothing !== undefined) continue;
		sentencesLeftOut += checks.unsupportedSentences;
		uncited += checks.uncitedSentences;
		removed += checks.removedAddresses;
		for (const [reason, amount] of Object.entries(checks.unverifiedClaims)) {
			sums[reason] = (sums[reason] ?? 0) + amount;
		}
	}
	const reasons = reasonsText(sums as ResearchResult['checks']['unverifiedClaims']);
	const quotesOnly = results.some(({ verification }) => verification === 'quotes');
	return sentences([
		reasons === '' ? '' : `Statements that were not verified: ${reasons}.`,
		sentencesLeftOut > 0
			? `${count(sentencesLeftOut, 'sentence')} of the analysis ${sentencesLeftOut === 1 ? 'was' : 'were'} not supported by ${sentencesLeftOut === 1 ? 'its' : 'their'} claims.`
			: '',
		uncited > 0 ? `${count(uncited, 'sentence')} of the analysis named no claim.` : '',
		removed > 0
			? `Taken out of the analysis: ${count(removed, 'piece')} of HTML, links or addresses that no quote has.`
			: '',
		quotesOnly ? 'Whether quotes support their statements was not judged (Quotes Only).' : '',
	]);
}

/** `8 credits`, or `8 credits and up to 10 more`. */
export function creditsText(used: number, inDoubt: number): string {
	return inDoubt === 0 ? count(used, 'credit') : `${count(used, 'credit')} and up to ${inDoubt} more`;
}

/** `1 question: 12 pages, 3 of them cited, 24 credits, 15 model calls, 30,000 tokens, 42 s.` */
function billText(results: readonly ResearchResult[]): string {
	const sum = (of: (result: ResearchResult) => number) => results.reduce((all, result) => all + of(result), 0);
	const tokens = sum(({ usage }) => usage.inputTokens + usage.outputTokens);
	const longest = Math.max(...results.map(({ usage }) => usage.seconds));
	return `${count(results.length, 'question')}: ${[
		`${count(
			sum(({ pagesRead }) => pagesRead),
			'page',
		)} read`,
		`${count(
			sum(({ sources }) => sources.length),
			'source',
		)} cited`,
		creditsText(
			sum(({ usage }) => usage.creditsUsed),
			sum(({ usage }) => usage.creditsInDoubt),
		),
		count(
			sum(({ usage }) => usage.modelCalls),
			'model call',
		),
		`${tokens.toLocaleString('en-US')} tokens`,
		`${Math.round(longest)} s`,
	].join(', ')}.`;
}
