import { missingFigures } from '../claims/figures';
import { missingNames } from '../claims/names';
import { evenOut } from '../claims/pageText';
import { isReversed } from '../claims/polarity';
import { sharesWord } from '../claims/passages';
import { cleanReport, hostsIn } from './cleanReport';
import type { NumberedClaim } from './numberedClaims';
import { readReport } from './sentences';
import type { ReportLine, ReportSentence } from './sentences';

/** A sentence of the report, and what the check says of it. */
export interface CheckedSentence extends ReportSentence {
	/** The citations that exist. */
	known: number[];
	/** `cited`: by claims whose quotes hold its figures. `free`: no statement, without figures. */
	verdict: 'cited' | 'free' | 'uncited' | 'unsupported';
}

export interface CheckedReport {
	lines: Array<Omit<ReportLine, 'sentences'> & { sentences: CheckedSentence[] }>;
	uncitedSentences: number;
	unsupportedSentences: number;
	unknownCitations: number;
	removedAddresses: number;
	/** One sentence for each fault, as the model is told. */
	faults: string[];
}

/** Most faults that the model is told. */
const MAX_FAULTS = 20;

/**
 * Checks a report against the claims that it may cite: every statement cites a claim that exists, and its
 * figures, dates and hosts stand in the quotes of these claims, and it has words in common with them. A claim
 * without a verified quote supports its own text only.
 */
export function checkReport(
	markdown: string,
	claims: ReadonlyMap<number, NumberedClaim>,
	/** What may name something besides claims: the question. */
	context: readonly string[] = [],
): CheckedReport {
	const { text, removed } = cleanReport(markdown);
	const faults: string[] = [];
	let unknownCitations = 0;
	const allQuotes = [...claims.values()].map(supportOf);
	const read = readReport(text);
	const isOfThem = wordCheck(read, claims);
	const lines = read.map(({ lead, sentences }) => ({
		lead,
		sentences: sentences.map((sentence): CheckedSentence => {
			const known = sentence.cited.filter((number) => claims.has(number));
			unknownCitations += sentence.cited.length - known.length;
			const cited = known.flatMap((number) => claims.get(number) ?? []);
			const verdict = verdictOn(sentence, cited.map(supportOf), allQuotes);
			// The names of a claim's text stand on its page.
			const naming = [...context, ...cited.flatMap((one) => [one.text, supportOf(one)])];
			const isForeign =
				verdict === 'cited' &&
				(!isOfThem(sentence) || missingNames(evenOut(sentence.text), naming, allQuotes).length > 0);
			return { ...sentence, known, verdict: isForeign ? 'unsupported' : verdict };
		}),
	}));
	const all = lines.flatMap(({ sentences }) => sentences);
	for (const { text: said, verdict } of all) {
		if (verdict === 'uncited') faults.push(`No claim is cited: "${said}"`);
		if (verdict === 'unsupported')
			faults.push(`The cited claims do not say this, or not with these figures: "${said}"`);
	}
	if (unknownCitations > 0) faults.push('Some cited numbers are those of no claim.');
	if (removed > 0) faults.push('There are web addresses, links, images or HTML in it.');
	const count = (wanted: CheckedSentence['verdict']) =>
		all.filter(({ verdict }) => verdict === wanted).length;
	return {
		lines,
		uncitedSentences: count('uncited'),
		unsupportedSentences: count('unsupported'),
		unknownCitations,
		removedAddresses: removed,
		faults: faults.slice(0, MAX_FAULTS),
	};
}

/** In how many of the sentences words must be in common for the others to be measured by that. */
const COMPARABLE_SHARE = 0.6;

/**
 * Whether a sentence has a word in common with what it cites: one that has none cites the wrong claims. In a
 * report where that is so for many sentences, claims and report are in different languages, and nothing follows.
 */
function wordCheck(
	lines: readonly ReportLine[],
	claims: ReadonlyMap<number, NumberedClaim>,
): (sentence: ReportSentence) => boolean {
	const shares = ({ text, cited }: ReportSentence) =>
		sharesWord(
			text,
			cited.flatMap((number) => {
				const claim = claims.get(number);
				return claim ? [claim.text, claim.quote] : [];
			}),
		);
	const citing = lines
		.flatMap(({ sentences }) => sentences)
		.filter(({ cited }) => cited.some((number) => claims.has(number)));
	const isComparable = citing.filter(shares).length >= COMPARABLE_SHARE * citing.length;
	return (sentence) => !isComparable || shares(sentence);
}

function supportOf({ verified, quote, text }: NumberedClaim): string {
	return verified ? quote : text;
}

function verdictOn(
	{ text, isStatement }: ReportSentence,
	quotes: string[],
	allQuotes: string[],
): CheckedSentence['verdict'] {
	if (!/[\p{L}\p{N}]/u.test(text)) return 'free';
	const plain = evenOut(text);
	if (isStatement && quotes.length === 0) return 'uncited';
	// A heading may name a year that any of the claims names.
	const support = isStatement || quotes.length > 0 ? quotes : allQuotes;
	const isHeld =
		missingFigures(plain, support).length === 0 &&
		!(quotes.length > 0 && isReversed(plain, quotes)) &&
		hostsIn(plain).every((host) => support.some((quote) => hasHost(quote, host)));
	if (!isHeld) return 'unsupported';
	return isStatement || quotes.length > 0 ? 'cited' : 'free';
}

function hasHost(quote: string, host: string): boolean {
	return hostsIn(quote).some((one) => one.toLowerCase() === host.toLowerCase());
}
