import type { PageText } from '../html/cleanHtml.ts';

/** A sentence with where it stands and how well it answers the query. */
export interface Finding {
	text: string;
	url: string;
	title: string;
	/** Place in the list of sources, from 1, for citations. */
	sourceNumber: number;
	score: number;
}

const SHORTEST = 50;
const LONGEST = 280;
const FIGURE_BONUS = 0.25;
const SAME_SHARE = 0.5;

function lengthFactor(text: string): number {
	if (text.length < SHORTEST) return 0.5;
	return text.length > LONGEST ? 0.7 : 1;
}

function isTooAlike(terms: ReadonlySet<string>, others: ReadonlyArray<ReadonlySet<string>>): boolean {
	return others.some((other) => {
		const shared = [...terms].filter((term) => other.has(term)).length;
		return shared / Math.max(1, Math.min(terms.size, other.size)) > SAME_SHARE;
	});
}

/**
 * Ranks the pages' sentences for the words wanted, best first, near-repeats left out.
 * A rare word counts more than a common one; a figure makes a sentence worth more.
 */
export function rankSentences(pages: readonly PageText[], wanted: readonly string[]): Finding[] {
	const candidates = pages.flatMap((page, index) =>
		page.sentences.map((text) => ({
			text,
			page,
			sourceNumber: index + 1,
			terms: new Set(termsOf(text)),
		})),
	);
	const rarity = new Map(
		[...new Set(wanted)].map((term) => {
			const holding = candidates.filter(({ terms }) => terms.has(term)).length;
			return [term, Math.log(1 + candidates.length / (1 + holding)) ** 2];
		}),
	);
	const scored = candidates.map((candidate) => {
		let score = 0;
		for (const [term, weight] of rarity) if (candidate.terms.has(term)) score += weight;
		if (score > 0 && /\d/.test(candidate.text)) score *= 1 + FIGURE_BONUS;
		return { ...candidate, score: score * lengthFactor(candidate.text) };
	});
	scored.sort((left, right) => right.score - left.score);

	const kept: Array<ReadonlySet<string>> = [];
	const findings: Finding[] = [];
	for (const { text, page, sourceNumber, score, terms } of scored) {
		if (isTooAlike(terms, kept)) continue;
		kept.push(terms);
		findings.push({ text, url: page.url, title: page.title, sourceNumber, score });
	}
	return findings;
}

const STOP_WORDS = new Set(
	'a about after all also an and any are as at be been but by can do does did for from had has have how if in into is it its may more most much no not of on one only or other our should so some such than that the their them then there these they this to under up use used was we were what when where which who why will with would you your vs versus'.split(
		' ',
	),
);

/** One form for singular and plural: enough to match "batteries" with "battery". */
function singular(word: string): string {
	if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
	if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1);
	return word;
}

/** The words a text is about, in order, in lower case, without common words. Markers such as [lasts:5] are left out. */
export function termsOf(text: string): string[] {
	const words = text
		.replace(/\[[^\]]*\]/g, ' ')
		.toLowerCase()
		.match(/[\p{L}\p{N}]+/gu);
	return (words ?? []).filter((word) => word.length > 1 && !STOP_WORDS.has(word)).map(singular);
}

/** Those that have words of the query, best first: a rare word counts more than a common one, and in a title thrice. */
export function rankByWords<T>(
	query: string,
	all: readonly T[],
	textsOf: (one: T) => { title: string; texts: readonly string[] },
): Array<{ one: T; score: number }> {
	const read = all.map((one) => {
		const { title, texts } = textsOf(one);
		return { one, title: new Set(termsOf(title)), terms: new Set(termsOf([title, ...texts].join(' '))) };
	});
	const rarity = new Map(
		[...new Set(termsOf(query))].map((term) => {
			const holding = read.filter(({ terms }) => terms.has(term)).length;
			return [term, Math.log(1 + read.length / Math.max(1, holding))];
		}),
	);
	const scored = read.map(({ one, title, terms }) => {
		let score = 0;
		for (const [term, weight] of rarity) if (terms.has(term)) score += weight * (title.has(term) ? 3 : 1);
		return { one, score };
	});
	return scored.filter(({ score }) => score > 0).sort((left, right) => right.score - left.score);
}

/** The same for pages. */
export function rankPages(query: string, pages: readonly PageText[]): PageText[] {
	const textsOf = ({ title, description, sentences }: PageText) => ({ title, texts: [description, ...sentences] });
	return rankByWords(query, pages, textsOf).map(({ one }) => one);
}
