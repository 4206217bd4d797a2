import type { NodeExecutionHint } from 'n8n-workflow';

import { reasonsText } from '../research/contract/result';
import type { ResearchResult } from '../research/contract/result';
import { count, hint, sentences } from '../WebData/run/forResearch';

/** What a run comes to besides its results. */
export interface RunFacts {
	failed: number;
	items: number;
	/** How long limits of the plan held the run up. */
	throttledSeconds: number;
	/** How many questions went on with what an earlier try had paid for. */
	continued: number;
	notCounted: readonly string[];
	isAfterCrash: boolean;
}

/** What is shown under the output: the bill, what is not complete, and what a person should know. */
export function runHints(results: readonly ResearchResult[], facts: RunFacts): NodeExecutionHint[] {
	const { failed, items, throttledSeconds, continued, notCounted } = facts;
	const partial = results.filter(({ status }) => status === 'partial');
	const limits = [...new Set(partial.map(({ limit }) => limit ?? ''))].slice(0, 3);
	const empty = results.flatMap(({ nothing }) => nothing ?? []);
	const unverified = unverifiedText(results);
	const warnings = [...new Set(results.flatMap((result) => result.warnings))].slice(0, 5);
	const texts = [
		results.length > 0 ? billText(results) : '',
		failed > 0 ? `${failed} of ${count(items, 'question')} failed.` : '',
		continued > 0
			? `${count(continued, 'question')} continued from an earlier try: what that try paid for was not paid for again.`
			: '',
		throttledSeconds > 0 ? `Rate limits made it wait ${throttledSeconds} s.` : '',
	];
	const told = sentences(texts);
	return [
		...(told === '' ? [] : [hint(told)]),
		...(partial.length > 0
			? [hint(sentences([`${count(partial.length, 'result')} partial.`, ...limits]), 'warning')]
			: []),
		...empty.slice(0, 3).map((text) => hint(text, 'warning')),
		...(unverified === '' ? [] : [hint(unverified)]),
		...warnings.map((warning) => hint(warning, 'warning')),
		...(notCounted.length > 0
			? [hint(`Max Credits (This Run) does not count ${notCounted.join(', nor ')}.`)]
			: []),
		...(facts.isAfterCrash
			? [
					hint(
						'n8n was killed while this node ran, so the research started again. Pages that Firecrawl had already scraped for it were read back where it keeps them. Searches and model calls may have been paid for twice.',
						'warning',
					),
				]
			: []),
	];
}

/** What was not verified, by reason, and what that means for the output; empty where all was. */
function unverifiedText(results: readonly ResearchResult[]): string {
	const sums: Record<string, number> = {};
	let sentencesLeftOut = 0;
	for (const { checks, nothing } of results) {
		if (nothing !== undefined) continue;
		sentencesLeftOut += checks.unsupportedSentences;
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
		quotesOnly ? 'Whether quotes support their statements was not judged (Quotes Only).' : '',
	]);
}

/** `1 question: 12 pages, 3 of them cited, 24 credits, 15 model calls, 30,000 tokens, 42 s.` */
function billText(results: readonly ResearchResult[]): string {
	const sum = (of: (result: ResearchResult) => number) =>
		results.reduce((all, result) => all + of(result), 0);
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
		count(
			sum(({ usage }) => usage.creditsUsed),
			'credit',
		),
		count(
			sum(({ usage }) => usage.modelCalls),
			'model call',
		),
		`${tokens.toLocaleString('en-US')} tokens`,
		`${Math.round(longest)} s`,
	].join(', ')}.`;
}
