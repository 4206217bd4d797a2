import { count, counted } from '../text/amounts';
import { readCitedText } from './check/citedText';
import { MOST_SEARCHES, PAGES_OF_SEARCH, chosenSources } from './checkText';
import type { ResearchQuestion } from './contract/question';
import { COLUMNS_OF_QUERY, MOST_QUERIES } from './fillRow';
import { MAX_NEW_QUERIES, MAX_QUERIES } from './plan';
import type { Row } from './row/columns';
import { MAP_CREDITS } from './siteOfRow';

/** What a question, a row or a text may cost in credits. Infinity where one of its pages has no bound. */
export interface CreditBounds {
	/** The most. */
	most: number;
	/** What it costs where it uses all of its searches and pages, and few of these are long PDF files. */
	likely: number;
	/** What the most is for. */
	parts: Array<{ what: string; credits: number }>;
}

/** The most that the page at an address can cost; of an address that is not known yet, `pageCredits`. */
type PriceOf = (address: string) => number;

/** Of so many pages, one is a PDF file that is read to its limit. */
const PAGES_FOR_A_PDF = 20;

/** A question: the searches of its rounds, and its pages, of which those to read first are known. */
export function questionCredits(question: ResearchQuestion, priceOf: PriceOf): CreditBounds {
	const { firstPages, maxPages, maxRounds } = question;
	const rounds = Math.max(1, maxRounds);
	const first = firstPages.slice(0, maxPages).map(priceOf);
	return together(question, {
		searches: MAX_QUERIES + MAX_NEW_QUERIES * (rounds - 1),
		known: first,
		others: maxPages - first.length,
	});
}

/** A row: its site's pages, and the searches for what is not found there. */
export function rowCredits(
	question: ResearchQuestion,
	{ website, columns }: Pick<Row, 'website' | 'columns'>,
	priceOf: PriceOf = () => question.pageCredits,
): CreditBounds & { least: number } {
	const { searchCredits, leastPageCredits, maxPages, maxRounds } = question;
	const known = website === '' ? [] : [priceOf(website)];
	const bounds = together(question, {
		searches: maxRounds * MOST_QUERIES,
		known,
		others: maxPages - known.length,
		maps: 1,
	});
	// After its site, or the first round of searches, little is left to be searched for.
	const ofFirstRound = Math.min(MOST_QUERIES, Math.ceil(columns.length / COLUMNS_OF_QUERY));
	const likelySearches = website === '' ? ofFirstRound + maxRounds - 1 : maxRounds - 1;
	const unlikely = maxRounds * MOST_QUERIES - likelySearches;
	return {
		...bounds,
		likely: Math.max(0, bounds.likely - Math.max(0, unlikely) * searchCredits),
		least: searchCredits + maxPages * leastPageCredits,
	};
}

/** A text: the pages that it cites, and searches for sentences without a source where they are wanted. */
export function checkCredits(
	text: string,
	question: ResearchQuestion,
	{ priceOf, searches }: { priceOf: PriceOf; searches: boolean },
): CreditBounds {
	const { sentences, sources } = readCitedText(text);
	const known = chosenSources(sources, sentences, question).map(priceOf);
	const open = sentences.filter((one) => one.isClaim && (one.sources.length === 0 || one.isAssumed));
	const searched = searches ? Math.min(open.length, MOST_SEARCHES) : 0;
	const others = Math.min(searched * PAGES_OF_SEARCH, question.maxPages);
	return together(question, { searches: searched, known, others });
}

interface Amounts {
	searches: number;
	/** Prices of the pages whose addresses are known. */
	known: readonly number[];
	/** Pages that a search is to find. */
	others: number;
	maps?: number;
}

function together(
	{ searchCredits, pageCredits, leastPageCredits }: ResearchQuestion,
	{ searches, known, others, maps = 0 }: Amounts,
): CreditBounds {
	const pages = known.length + others;
	const ofKnown = known.reduce((sum, credits) => sum + credits, 0);
	const searching = searches * searchCredits + maps * MAP_CREDITS;
	const likelyPage = leastPageCredits + (pageCredits - leastPageCredits) / PAGES_FOR_A_PDF;
	const likelyKnown = known.map((credits) => (credits > pageCredits ? credits : likelyPage));
	const what = maps > 0 ? `${count(searches, 'search', 'searches')} and a map` : count(searches, 'search', 'searches');
	const dearest = known.reduce((most, credits) => Math.max(most, credits), pages > 0 ? pageCredits : 0);
	return {
		most: searching + ofKnown + others * pageCredits,
		likely: searching + likelyKnown.reduce((sum, credits) => sum + credits, 0) + others * likelyPage,
		parts: [
			...(searching > 0 ? [{ what, credits: searching }] : []),
			...(pages > 0
				? [
						{
							what: `${counted(pages, 'page')}, up to ${counted(dearest, 'credit')} each`,
							credits: ofKnown + others * pageCredits,
						},
					]
				: []),
		],
	};
}
