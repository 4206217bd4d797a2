import { asciiDigits } from '../../text/figures/numberWords';

/** Citations as reports have them once plainCitations() has read them, in the digits of any script: [3], [3, 7], [3-5]. */
export const CITATION =
	/(?<![ \t])[ \t]*[[\u3010\uff3b\u3014](?:\^|claims?)?\s{0,3}\p{Nd}{1,4}(?:\s{0,3}(?:[,;\u3001\u060c]|and|&|-|\u2013)\s{0,3}(?:\^|claims?\s{0,3})?\p{Nd}{1,4})*\s{0,3}[\]\u3011\uff3d\u3015]/giu;

/** Longest range that is believed. */
const MAX_RANGE = 10;

/** The numbers in a text of citations, each once, in their order. */
export function citedNumbers(text: string): number[] {
	const found: number[] = [];
	for (const [citation] of text.matchAll(CITATION)) {
		for (const [, from, to] of asciiDigits(citation).matchAll(/(\d+)(?:\s*[-\u2013]\s*(\d+))?/g)) {
			const first = Number(from);
			const last = to === undefined ? first : Number(to);
			for (let number = first; number <= Math.min(last, first + MAX_RANGE); number++) found.push(number);
		}
	}
	return [...new Set(found)];
}

const SEPARATOR = String.raw`\s{0,3}(?:,|;|and|&|-|\u2013)\s{0,3}`;

/** What models call that which they cite, before its number. */
const NAME =
	'(?:claims?|sources?|refs?\\.?|references?|cite|citations?|quellen?|aussagen?|fuentes?|fonti?|fontes?|bron(?:nen)?|\u0438\u0441\u0442\u043e\u0447\u043d\u0438\u043a\u0438?|\u6765\u6e90|\u4f86\u6e90|\u51fa\u5178|\u8cc7\u6599|\ucd9c\ucc98)';

const NUMBERS = String.raw`\d{1,4}(?:${SEPARATOR}(?:${NAME}\s{0,3})?\d{1,4}){0,20}`;
const RAISED_SIGNS = '\u2070\u00b9\u00b2\u00b3\u2074-\u2079';

/** Where a raised number is a citation: behind a mark, a word, a space or a sign of East Asia; in m² and 10² it is none. */
const BEHIND =
	'(?<=[.,;:!?)"%\u2018\u2019\u201c\u201d\u00ab\u00bb\u3002\uff0c\uff01\uff1f]|\\p{L}{4}|[\\p{L}\\p{N}\u20ac$]\\s|[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}])';

/** Forms that can be nothing else, with their numbers as the first group. */
const CERTAIN = [
	// The marks of search tools: 【1†source】, 【3:0†page.md】, [1†].
	/[\u3010[](\d{1,4})(?::\d{1,4})?\s{0,3}\u2020[^\u3011\]\n]{0,200}[\u3011\]]/gu,
	// [Source 2], (see claims 1 and 2), [cite: 1, 2], [claim_1], [#1].
	new RegExp(
		String.raw`[[(\uff08]\s{0,3}(?:[\p{L}.:]{1,10}\s){0,2}(?:${NAME}[\s_-]{0,3}[:#]?|#)\s{0,3}(${NUMBERS})\s{0,3}[\])\uff09]`,
		'giu',
	),
	/<(?:cite|ref|citation|source|sup)(?:\s[^<>]{0,100})?>\s{0,3}\[(\d{1,4}(?:[\],;\s[]{1,5}\d{1,4}){0,20})\]\s{0,3}<\/[a-z]{1,10}>/giu,
	/\^\[(\d{1,4})\]\^?/gu,
	new RegExp(`[[\u207d]([${RAISED_SIGNS}]{1,3})[\\]\u207e]`, 'gu'),
	// Brackets that are escaped, or doubled.
	/\\\[(\d{1,4})\\\]/gu,
	/\[\[(\d{1,4})\]\](?!\()/gu,
];

/** Forms that may be something else where there is no claim of that number. */
const UNCERTAIN = [
	// Links that are labelled with a number.
	/\[\[?(\d{1,4})\]?\]\([^()\n]{0,2000}(?:\([^()\n]{0,200}\)[^()\n]{0,2000})?\)/gu,
	new RegExp(
		`${BEHIND}\\s?([${RAISED_SIGNS}]{1,3}(?:[,\u02d2]\\s?[${RAISED_SIGNS}]{1,3}){0,9})(?![\\p{L}\\p{N}])`,
		'gu',
	),
	new RegExp(
		`${BEHIND}\\s?<(?:cite|ref|citation|source|sup)(?:\\s[^<>]{0,100})?>\\s{0,3}(${NUMBERS})\\s{0,3}</[a-z]{1,10}>`,
		'giu',
	),
	new RegExp(`${BEHIND}\\^(\\d{1,3}(?:,\\s?\\d{1,3}){0,9})\\^?(?![\\p{L}\\p{N}])`, 'gu'),
	// With a place in the source: [1:0], [1, p. 3]; with a letter: [C1].
	/\[(\d{1,4})(?::\d{1,4}|,\s?\p{L}{1,3}\.\s?\d{1,4}(?:[-\u2013]\d{1,4})?)\]/gu,
	/\[[A-Z][- ]?(\d{1,4})\]/gu,
];

/** The last resort of a report that has no citation in any other form: (1), {1}. */
const BARE = [new RegExp(String.raw`[({](${NUMBERS})[)}]`, 'giu')];

/** What stands around a citation and says nothing: the beginning of a cited part, and what a footnote leads to. */
const NOTHING = [/\[cite_start\]/gi, /^[ \t]*\[\^?\d{1,4}\]:.*$/gm];

const ONE = String.raw`\[[\d,\s\u2013-]{1,60}\]`;

/** Citations with nothing but a separator between them, and what may stand around them: ([1], [2]), **[1]**, (see [1]). */
const SEVERAL = new RegExp(
	String.raw`\](\s{0,3}[,;\u3001]\s{0,3}|\s{0,3}[\u2013-]\s{0,3})(?=\[\d[\d,\s\u2013-]{0,60}\])\[`,
	'gu',
);
const IN_BRACKETS = new RegExp(
	String.raw`[(\uff08]\s{0,3}(?:[\p{L}.:]{1,10}\s){0,2}((?:${ONE}\s{0,3}){1,9})[)\uff09]`,
	'gu',
);
const EMPHASISED = new RegExp(String.raw`(\*{1,3}|_{1,3})(${ONE})\1`, 'gu');

/**
 * A report with the citations of all makers of models as [3]: 【1†source】, [^1], ¹, <sup>1</sup>, (claim 1), [Source 2],
 * [#1], [1](address), <cite index="1">…</cite>. `isClaim`: whether a number is that of a claim.
 */
export function plainCitations(report: string, isClaim: (number: number) => boolean): string {
	let text = report.replace(/<cite index="(\d{1,4})[^"]{0,60}">([^<>]{0,2000})<\/cite>/gi, '$2 [$1]');
	for (const form of NOTHING) text = text.replace(form, '');
	const plain = (found: string) => asciiDigits(found).replace(/[^\d\u2013-]+/g, ', ');
	const readAll = (forms: readonly RegExp[], isCertain: boolean) => {
		for (const form of forms) {
			text = text.replace(form, (whole: string, found: string) => {
				const numbers = plain(found);
				return isCertain || numbers.split(/\D+/).every((one) => isClaim(Number(one))) ? `[${numbers}]` : whole;
			});
		}
	};
	readAll(CERTAIN, true);
	readAll(UNCERTAIN, false);
	if (citedNumbers(text).length === 0) readAll(BARE, false);
	return text
		.replace(SEVERAL, (_whole, between: string) => (/[\u2013-]/.test(between) ? '-' : ', '))
		.replace(IN_BRACKETS, '$1')
		.replace(EMPHASISED, '$2');
}
