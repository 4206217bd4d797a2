import { linkAddress } from './addresses';
import { trimEnds } from './ends';
import { withoutHidden, withoutTags } from './hiddenHtml';
import { hasNoSpaces, wordSegments } from './sentences';
import { HIDDEN, IMAGE, MAX_PAGE_CHARACTERS, decodeEntities } from './pageText';

/**
 * Text directives (wicg.github.io/scroll-to-text-fragment), with which a link jumps to a sentence of a page. A browser
 * looks for the words exactly as the page has them, from its beginning, within one paragraph or cell; so a directive is
 * made of the page's own text, and only where its first words stand nowhere before.
 */

/** A page as a browser shows it, and its letters and digits with their places in it. */
export interface ShownPage {
	text: string;
	folded: string;
	places: Int32Array;
}

/** What a directive cannot run over, besides the end of a line: a cell's end, an image, what is not shown. */
const BREAK = '|';
const PARTS = /[\n|]/;

/** The marks before a line that a browser shows in another way, or not at all. */
const LINE_MARKS = /^[ \t]*(?:(?:[-*+>]|\d{1,3}[.)]|#{1,6})[ \t]+)+/gm;

/** A link, and the end of the line behind it: some servers break the line behind each link. */
const LINK = /\[([^[\]\n]*)\]\((?:[^()\n]|\([^()\n]*\))*\)(\n(?![ \t]*(?:\n|[-*+>|]|\d{1,3}[.)] |#{1,6} |$)))?/g;

function labelOf(whole: string, label: string, broken: string | undefined, at: number, text: string): string {
	if (broken === undefined) return label;
	const next = text.charAt(at + whole.length);
	const isTight = /[\s,.;:!?)\]'"\u2019\u201d]/.test(next) || hasNoSpaces(label.slice(-1)) || hasNoSpaces(next);
	return isTight ? label : `${label} `;
}

/** The end of a line within a paragraph: no blank line, no hard break, no row, and no item or heading on either side. */
const SOFT_BREAK = /(?<! {2}|[\\\n|])\n(?![ \t]*(?:\n|[-*+>|]|\d{1,3}[.)] |#{1,6} |=|```|~~~))/g;

/** A page as a browser shows it: each paragraph, item and cell by itself, without the marks of Markdown. Linear. */
export function shownPage(markdown: string): ShownPage {
	const marked = withoutHidden(markdown.slice(0, MAX_PAGE_CHARACTERS).replace(/\r\n?/g, '\n'), HIDDEN, BREAK)
		.text.replace(IMAGE, BREAK)
		.replace(LINK, labelOf)
		.replace(SOFT_BREAK, ' ')
		.replace(/<br\s{0,3}\/?>/gi, '\n');
	const text = decodeEntities(withoutTags(marked).text)
		.replace(LINE_MARKS, '')
		.replace(/\*{1,3}|_{2,3}|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|(?<=[^\0-\u2fff])_|_(?=[^\0-\u2fff])|~~|`/gu, '')
		.replace(/\\([!-/:-@[-`{-~])/g, '$1');
	return { text, ...foldedWithPlaces(text) };
}

/** The letters and digits of a text, and where they stand in it. Most pages are ASCII, whose signs are told apart at once. */
function foldedWithPlaces(text: string): Omit<ShownPage, 'text'> {
	let places = new Int32Array(text.length);
	let length = 0;
	let folded = '';
	for (const sign of lettersIn(text)) {
		const letters = sign.text < '\u0080' ? sign.text.toLowerCase() : lettersOf(sign.text);
		if (length + letters.length > places.length) {
			const larger = new Int32Array(2 * places.length + letters.length);
			larger.set(places);
			places = larger;
		}
		places.fill(sign.at, length, length + letters.length);
		length += letters.length;
		folded += letters;
	}
	return { folded, places: places.subarray(0, length) };
}

/** The signs of a text that may be letters or digits: those of ASCII that are, and all others. */
function* lettersIn(text: string): Generator<{ text: string; at: number }> {
	for (let at = 0; at < text.length; at += 1) {
		const code = text.charCodeAt(at);
		if (code < 0x80) {
			const isLetter = (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
			if (isLetter) yield { text: text.charAt(at), at };
			continue;
		}
		const isPair = code >= 0xd800 && code <= 0xdbff;
		yield { text: text.slice(at, at + (isPair ? 2 : 1)), at };
		if (isPair) at += 1;
	}
}

/** Letters and digits alone: what typography may write in several ways is left to the page. */
function lettersOf(text: string): string {
	return text
		.normalize('NFKD')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');
}

/** With at most so many words, a directive names all of a text; else its first and last so many. */
const WHOLE_WORDS = 6;
const END_WORDS = [4, 5, 6, 8];
/** In a cell, whose lines may be several on the page. */
const CELL_WORDS = [3, 4];

/** Fewer words say too little to be found where they are meant. Signs of scripts without spaces count half. */
const LEAST_WORDS = 3;

/** Beginnings of a quote that are tried, where it does not stand on the page in one piece. */
const MAX_TRIES = 12;

/** A piece of the shown page: from its first letter to its last. */
interface Piece {
	from: number;
	to: number;
	/** The place in `folded` behind its last letter. */
	behind: number;
}

/** The directive for a quote, without `text=`; undefined where none is certain to lead there. */
export function directiveFor(page: ShownPage, quote: string): string | undefined {
	const whole = pieceOf(page, lettersOf(quote));
	const all = whole && directiveOf(page, whole);
	if (all !== undefined) return all;
	const words = quote.split(/\s+/).filter((word) => word !== '');
	const step = Math.max(1, Math.ceil(words.length / MAX_TRIES));
	for (let count = words.length - step; count >= LEAST_WORDS; count -= step) {
		const last = lettersOf(words.slice(-count).join(' '));
		// Where the quote stands in one piece, its first words may stand earlier, too. Else the page has something in between
		// that the quote leaves out: then the longest part counts that it has as it stands.
		const pieces = whole
			? [pieceOf(page, last, whole.behind - last.length)]
			: [pieceOf(page, lettersOf(words.slice(0, count).join(' '))), pieceOf(page, last)];
		const directive = pieces.map((piece) => piece && directiveOf(page, piece)).find((one) => one !== undefined);
		if (directive !== undefined) return directive;
	}
	return undefined;
}

/** Where letters stand first on the page, as whole words; undefined where they do not. */
function pieceOf({ text, folded, places }: ShownPage, letters: string, least = 0): Piece | undefined {
	if (letters === '') return undefined;
	for (let at = folded.indexOf(letters, least); at !== -1; at = folded.indexOf(letters, at + 1)) {
		const behind = at + letters.length;
		const from = places[at] ?? 0;
		const last = places[behind - 1] ?? 0;
		// Marks of vowels belong to the letter before them.
		const to = last + (/^.\p{M}*/u.exec(text.slice(last, last + 8))?.[0].length ?? 1);
		const isWhole =
			!joins(text.slice(Math.max(0, from - 8), from), text.slice(from, from + 2)) &&
			!joins(text.slice(last, to), text.slice(to, to + 2));
		if (isWhole) return { from, to, behind };
	}
	return undefined;
}

/** Whether the last sign of one text and the first of another are of one word. */
function joins(left: string, right: string): boolean {
	const [before = ''] = /[\p{L}\p{N}]\p{M}*$/u.exec(left) ?? [];
	const [behind = ''] = /^[\p{L}\p{N}]/u.exec(right) ?? [];
	return before !== '' && behind !== '' && !hasNoSpaces(before.charAt(0)) && !hasNoSpaces(behind);
}

/** A directive for a piece of the page: its text, or its two ends. */
function directiveOf(page: ShownPage, { from, to, behind }: Piece): string | undefined {
	const parts = page.text
		.slice(from, to)
		.split(PARTS)
		.map((part) => trimEnds(part, /\s/))
		.filter((part) => /[\p{L}\p{N}]/u.test(part));
	const [first = ''] = parts;
	const last = parts.at(-1) ?? '';
	const isOne = parts.length === 1;
	const isCell = page.text.slice(from - 2, from).includes('|') || parts.length > 1;
	if (isOne && wordCountOf(first) <= WHOLE_WORDS && !isCell)
		return isCertain(page, first, from) ? encoded(first) : undefined;
	for (const count of isCell ? CELL_WORDS : END_WORDS) {
		const start = endOf(first, count);
		const end = endOf(last, -count);
		if (!isCertain(page, start, from)) continue;
		if (isOne && wordCountOf(first) < 2 * count + 1) return encoded(first);
		// The browser takes the first end that comes behind the start.
		const started = pieceOf(page, lettersOf(start));
		const ended = pieceOf(page, lettersOf(end), started?.behind);
		if (ended?.behind === behind && IS_PLAIN.test(end)) return `${encoded(start)},${encoded(end)}`;
	}
	return undefined;
}

/** Without a mark of Markdown that was not read as one. */
const IS_PLAIN = /^(?!.*\]\()[^*_`\\]*$/;

/** Whether a text of the page stands first at this place, and is long enough to be meant. */
function isCertain(page: ShownPage, text: string, from: number): boolean {
	return IS_PLAIN.test(text) && wordCountOf(text) >= LEAST_WORDS && pieceOf(page, lettersOf(text))?.from === from;
}

/** The words of a text, and how many of them say as much as one of a script with spaces. */
function wordsIn(text: string): { all: Intl.SegmentData[]; unit: number } {
	return { all: wordSegments(text), unit: hasNoSpaces(text.charAt(0)) ? 2 : 1 };
}

function wordCountOf(text: string): number {
	const { all, unit } = wordsIn(text);
	return all.length / unit;
}

/** So many words of a text: its first ones, or with a number below zero its last ones, cut where words end. */
function endOf(text: string, count: number): string {
	const { all, unit } = wordsIn(text);
	const edge = count > 0 ? all[count * unit - 1] : all[all.length + count * unit];
	if (!edge) return text;
	return count > 0 ? text.slice(0, edge.index + edge.segment.length) : text.slice(edge.index);
}

/** As a text directive has it: a hyphen, a comma or an ampersand would mean something else in it. */
function encoded(text: string): string {
	return encodeURIComponent(text.replace(/[ \t]+/g, ' ').replace(/\p{Cs}/gu, '')).replace(
		/[-!'()*_~.]/g,
		(sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
	);
}

/** Places that one link names. */
const MAX_JUMPS = 4;

/**
 * The address of a page, for a link that jumps to these places and marks them; of a PDF file, whose readers
 * know no such links, the address alone. Undefined where it is no address of a web page.
 */
export function citedAddress(url: string, jumps: readonly string[]): string | undefined {
	const address = linkAddress(url);
	if (address === undefined || jumps.length === 0 || /\.pdf$/i.test(new URL(address).pathname)) return address;
	const directives = [...new Set(jumps)].slice(0, MAX_JUMPS).map((jump) => `text=${jump}`);
	return `${address}${address.includes('#') ? '' : '#'}:~:${directives.join('&')}`;
}
