import { trimEnd } from './ends';
import { withoutHidden, withoutTags } from './hiddenHtml';
import { hasNoSpaces } from './sentences';

/** Longest part of a page that is read. */
export const MAX_PAGE_CHARACTERS = 1_000_000;

/** Characters that nobody sees: zero width, direction marks, tags, variation selectors, fillers, controls, half ones. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** The visible part of a text: line breaks and tabs stay. */
export function visible(text: string): string {
	return text.replace(/\r\n?/g, '\n').replace(INVISIBLE, (sign) => (sign === '\n' || sign === '\t' ? sign : ''));
}

/**
 * Words of a text, for a rough measure of what it is about; where no spaces stand between words, each two characters in
 * a row.
 */
export function wordsOf(text: string): Set<string> {
	const all = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]{2,}/gu) ?? [];
	return new Set(
		all.flatMap((word) => {
			if (!hasNoSpaces(word)) return word.length > 2 ? [word] : [];
			return Array.from({ length: word.length - 1 }, (_pair, at) => word.slice(at, at + 2));
		}),
	);
}

/** `[1]`, `[[1]](…)` and `[1](#note)`; a number that links to another page is text. */
const FOOTNOTE =
	/\\?\[\\?\[\d{1,3}\\?\]\\?\](?:\([^()\n]*\))?|\\?\[\d{1,3}\\?\](?:\([^()\n#]*#[^()\n]*\)|(?!\())|\[\^[\w-]{1,20}\](?!:)|(?<=[.,;:!?)"'\u3002]|\p{L}{4})<sup[^<>]{0,100}>\s?\[?\d{1,3}\]?\s?<\/sup>/gu;

/** A letter or a sign of a footnote. In code such as `list[i]` it is text, so it is left out where quotes are looked up. */
const LETTER_NOTE =
	/<sup[^<>]{0,100}>\s*\[?[a-z*\u2020\u2021]\]?\s*<\/sup>|\\?\[[a-z]\\?\](?!\()|(?<=[\p{L}\p{N}.,;:!?])[\u1d43-\u1d6a\u1d9b-\u1dbf\u2020\u2021]/giu;

/** Text that is struck out: what a reader takes for no longer so. */
export const STRUCK_OUT = /~~(?=\S)[^~\n]{1,1000}~~|<(del|s|strike)\b[^<>]{0,200}>[^<>]{0,1000}<\/\1>/gi;

/** An image in Markdown. */
export const IMAGE = /!\[[^[\]\n]*\]\((?:[^()\n]|\([^()\n]*\))*\)/g;

/** Elements of HTML whose content nobody sees. */
export const HIDDEN = ['script', 'style', 'template', 'noscript'];

/**
 * The text of a page as the model gets it: what a reader of the page sees. Comments, images and the
 * addresses of links are left out, and so are the marks of footnotes, which would stand inside numbers, and what is
 * struck out. `isCut`: something that nobody sees was left out.
 */
export function readablePage(markdown: string): { text: string; isCut: boolean } {
	const { text, removed } = withoutHidden(visible(markdown.slice(0, MAX_PAGE_CHARACTERS)), HIDDEN, ' ');
	const shown = text
		.replace(IMAGE, ' ')
		.replace(STRUCK_OUT, ' ')
		.replace(FOOTNOTE, '')
		.replace(/\[([^[\]\n]*)\]\((?:[^()\n]|\([^()\n]*\))*\)/g, '$1')
		.replace(/(?<![ \t])[ \t]+\n/g, '\n')
		.replace(/\n{3,}/g, '\n\n')
		.trim();
	return { text: shown, isCut: removed > 0 };
}

/** The text alone of a page, or of a part of one. */
export function readableText(markdown: string): string {
	return readablePage(markdown).text;
}

const ENTITIES: Record<string, string> = {
	amp: '&',
	apos: "'",
	gt: '>',
	lt: '<',
	nbsp: ' ',
	quot: '"',
};

/**
 * A text for the look-up of quotes: one kind of space, quotation mark and dash, no Markdown marks, no tags.
 * Upper and lower case stay, and so do all words and figures.
 */
export function evenOut(text: string): string {
	return (
		decodeEntities(withoutTags(readableText(text).replace(LETTER_NOTE, ''), ' ').text)
			// A quote may leave them out.
			.replace(/[\p{Emoji_Presentation}\u{1f000}-\u{1faff}]/gu, ' ')
			// These would melt into the figure before them: 10² is not 102.
			.replace(/[\u00b2\u00b3\u00b9\u2070-\u2079\u2080-\u2089]/g, ' $&')
			.replace(/[\u00bc-\u00be\u2150-\u215e]/g, ' $&')
			.normalize('NFKC')
			// In Thai and Lao, one letter would be two.
			.replace(/\u0e4d\u0e32/g, '\u0e33')
			.replace(/\u0ecd\u0eb2/g, '\u0eb3')
			.replace(/^[ \t]*(?:[-+*\u2022]|#{1,6}|>)(?:[ \t]+|$)/gm, ' ')
			// More than 5 is not 5, and 5 times 3 is not 53.
			.replace(/>(?!\s?\d)|(?<!\d)\*|\*(?!\d)|[_`~#|\\[\]]/g, (sign) => (sign === '|' ? ' ' : ''))
			.replace(/["'\u2018-\u201f\u2039\u203a\u00ab\u00bb\u2032\u2033\u00b4]/g, "'")
			.replace(/''+/g, "'")
			.replace(/[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g, '-')
			.replace(/--+/g, '-')
			.replace(/\s+/g, ' ')
			.trim()
	);
}

/** A text with its entities of HTML as signs. */
export function decodeEntities(text: string): string {
	return text.replace(/&(#\d{1,6}|#x[\da-f]{1,5}|[a-z]{2,6});/gi, decodeEntity);
}

function decodeEntity(whole: string, name: string): string {
	if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? whole;
	const isHex = /^#x/i.test(name);
	const code = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10);
	return code > 31 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}

/** A text in pieces of at most so many characters, cut between paragraphs, lines or words where it can be. */
export function piecesOf(text: string, most: number): string[] {
	const pieces: string[] = [];
	let rest = text;
	while (rest.length > most) {
		const head = rest.slice(0, most);
		const ends = ['\n\n', '\n', '. ', '\u3002', ' '].map((sign) => head.lastIndexOf(sign) + sign.length);
		const end = ends.find((at) => at > most / 2) ?? most;
		pieces.push(rest.slice(0, end));
		rest = rest.slice(end);
	}
	return rest.trim() === '' ? pieces : [...pieces, rest];
}

const WITH_SCHEME = /\b[a-z][a-z\d+.-]{0,30}:\/\/\S+|\b(?:www\.|mailto:|data:|javascript:)\S+/gi;

/** A host with its labels, as the beginning of a pattern. */
export const HOST = '(?<![\\p{L}\\p{N}@-])(?:[\\p{L}\\p{N}-]{1,63}\\.){1,9}\\p{L}{2,24}';
const HOST_AND_WORD = new RegExp(`(${HOST})/(\\p{L}{1,30})(?![\\p{L}\\p{N}/?#.:=&%-])`, 'giu');
const HOST_AND_PATH = new RegExp(`${HOST}(?::\\d+)?[/?#]\\S*`, 'giu');

/** Whether these texts have an address, word for word. `behind`: marks at its end that belong to its sentence. */
export function addressesIn(texts: readonly string[], behind = /[.,;:!?)\]'"]/): (address: string) => boolean {
	const all = texts.join('\n').toLowerCase();
	return (address) => {
		const own = trimEnd(address, behind).toLowerCase();
		return own !== '' && !/[[\]]/.test(own) && all.includes(own);
	};
}

/** A host with one word behind it, as in "Node.js/Express", is no address once spaces stand between them. */
export function spacedWords(text: string, isKept: (address: string) => boolean): string {
	return text.replace(HOST_AND_WORD, (whole: string, host: string, word: string) =>
		isKept(whole) ? whole : `${host} / ${word}`,
	);
}

/** The title of a page without addresses: one would be taken for that of the page. */
export function plainTitle(title: string): string {
	return trimEnd(title.replace(WITH_SCHEME, '').replace(HOST_AND_PATH, ''), /[\s,;:|(-]/);
}

/** A statement that is longer than any sentence is cut behind a word. */
const LONG_STATEMENT = /^(.{900,1000})\s.*$/su;

/**
 * A sentence of the model as data for the next step: one line without addresses, HTML, or brackets, which
 * could pass for citations. `quote`: words of strangers whose addresses stay where the sentence has them, too.
 */
export function plainStatement(text: string, quote = ''): string {
	const isQuoted = addressesIn([quote]);
	const unlessQuoted = (address: string) => (isQuoted(address) ? address : ' ');
	const plain = withoutTags(visible(text).replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1'), ' ').text;
	return (
		spacedWords(plain.replace(WITH_SCHEME, unlessQuoted), isQuoted)
			.replace(HOST_AND_PATH, unlessQuoted)
			.replace(/[[\]`{}|\u3010\u3011]|(?<!\s)\*|\*(?!\s)/g, ' ')
			// A comparison stays, what may begin a tag does not.
			.replace(/(?<![\p{L}\p{N}])<(?=[a-z/!?])|<(?=[a-z/!?][^<]{0,2000}=)/giu, '< ')
			.replace(/\s+/g, ' ')
			.trim()
			.replace(LONG_STATEMENT, '$1 …')
			.trim()
	);
}
