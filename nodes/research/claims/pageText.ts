/** Longest part of a page that is read. */
export const MAX_PAGE_CHARACTERS = 1_000_000;

/** Characters that nobody sees: zero width, direction marks, tags, variation selectors, fillers, controls. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}]/gu;

/** What can be seen of a text: line breaks and tabs stay. */
export function visible(text: string): string {
	return text
		.replace(/\r\n?/g, '\n')
		.replace(INVISIBLE, (sign) => (sign === '\n' || sign === '\t' ? sign : ''));
}

/** Words of a text, for a rough measure of what it is about. */
export function wordsOf(text: string): Set<string> {
	return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);
}

/** `[1]`, `[[1]](…)` and `[1](#note)`; a number that links to another page is text. */
const FOOTNOTE =
	/\\?\[\\?\[\d{1,3}\\?\]\\?\](?:\([^()\n]*\))?|\\?\[\d{1,3}\\?\](?:\([^()\n]*#[^()\n]*\)|(?!\())/g;

/**
 * The text of a page as the model gets it: what a reader of the page sees. Comments, images and the
 * addresses of links are left out, and so are the marks of footnotes, which would stand inside numbers.
 */
export function readableText(markdown: string): string {
	return visible(markdown.slice(0, MAX_PAGE_CHARACTERS))
		.replace(/<!--[^]*?(?:-->|$)/g, ' ')
		.replace(/<(script|style|template|noscript)\b[^]*?(?:<\/\1>|$)/gi, ' ')
		.replace(/!\[[^[\]\n]*\]\((?:[^()\n]|\([^()\n]*\))*\)/g, ' ')
		.replace(FOOTNOTE, '')
		.replace(/\[([^[\]\n]*)\]\((?:[^()\n]|\([^()\n]*\))*\)/g, '$1')
		.replace(/(?<![ \t])[ \t]+\n/g, '\n')
		.replace(/\n{3,}/g, '\n\n')
		.trim();
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
		readableText(text)
			.replace(/<\/?[a-z][^<>]{0,500}>/gi, ' ')
			.replace(/&(#\d{1,6}|#x[\da-f]{1,5}|[a-z]{2,6});/gi, decodeEntity)
			// These would melt into the figure before them: 10² is not 102.
			.replace(/[\u00b2\u00b3\u00b9\u2070-\u2079\u2080-\u2089]/g, ' $&')
			.replace(/[\u00bc-\u00be\u2150-\u215e]/g, ' $&')
			.normalize('NFKC')
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
		const ends = ['\n\n', '\n', '. ', ' '].map((sign) => head.lastIndexOf(sign) + sign.length);
		const end = ends.find((at) => at > most / 2) ?? most;
		pieces.push(rest.slice(0, end));
		rest = rest.slice(end);
	}
	return rest.trim() === '' ? pieces : [...pieces, rest];
}

/** A statement that is longer than any sentence is cut behind a word. */
const LONG_STATEMENT = /^(.{900,1000})\s.*$/su;

/**
 * A sentence of the model as data for the next step: one line without addresses, HTML, or brackets, which
 * could pass for citations.
 */
export function plainStatement(text: string): string {
	return visible(text)
		.replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
		.replace(/<[^<>]*>/g, ' ')
		.replace(/\b[a-z][a-z\d+.-]{0,30}:\/\/\S+|\b(?:www\.|mailto:|data:|javascript:)\S+/gi, ' ')
		.replace(
			/(?<![\p{L}\p{N}@-])(?:[\p{L}\p{N}-]{1,63}\.){1,9}\p{L}{2,24}(?::\d+)?[/?#]\S*/giu,
			' ',
		)
		.replace(/[*<>[\]`{}|\u3010\u3011]/g, ' ')
		.replace(/\s+/g, ' ')
		.trim()
		.replace(LONG_STATEMENT, '$1 …')
		.trim();
}
