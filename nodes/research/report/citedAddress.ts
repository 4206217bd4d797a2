import { linkAddress } from './cleanReport';

/** Words at each end of a quote that its link names: enough to be found, and few enough to be the same on the page. */
const MAX_WORDS = 6;

/** Quotes that one link names. */
const MAX_QUOTES = 4;

const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/**
 * Signs between words that stand on the page as they do in the quote: quotation marks, dashes and wide marks were
 * evened out.
 */
const SAME_ON_PAGE = /^[\s,.;:()%/&+$€£¥]*$/;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** A part of a quote, by its places in it. */
interface Part {
	from: number;
	to: number;
}

/** The first words of some segments, until something stands between them that the page may write otherwise. */
function firstWords(segments: readonly Intl.SegmentData[]): Part | undefined {
	let part: Part | undefined;
	let count = 0;
	let isWide = false;
	for (const { segment, index, isWordLike } of segments) {
		if (isWordLike !== true || segment.includes("'")) {
			const isSame = SAME_ON_PAGE.test(segment) && !(isWide && segment.trim() !== '');
			if (part && !isSame) break;
			continue;
		}
		isWide = WIDE.test(segment);
		if (count === MAX_WORDS) break;
		count += 1;
		const to = index + segment.length;
		part = { from: Math.min(index, part?.from ?? index), to: Math.max(to, part?.to ?? to) };
	}
	return part;
}

/** As a text directive has it: a hyphen, a comma or an ampersand would mean something else in it. */
function encoded(text: string): string {
	return encodeURIComponent(text.replace(/\s+/g, ' ')).replace(
		/[-!'()*_~.]/g,
		(sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
	);
}

/** A quote as a text directive (wicg.github.io/scroll-to-text-fragment): its first and its last words. */
function directive(quote: string): string | undefined {
	const segments = [...words.segment(quote)];
	const start = firstWords(segments);
	const end = firstWords([...segments].reverse());
	if (!start || !end) return undefined;
	if (start.to >= end.from) return `text=${encoded(quote.slice(start.from, end.to))}`;
	return `text=${encoded(quote.slice(start.from, start.to))},${encoded(quote.slice(end.from, end.to))}`;
}

/**
 * The address of a page, for a link that jumps to the quotes and marks them; of a PDF file, whose readers know no such
 * links, the address alone. Undefined where it is no address of a web page.
 */
export function citedAddress(url: string, quotes: readonly string[]): string | undefined {
	const address = linkAddress(url);
	if (address === undefined || /\.pdf$/i.test(new URL(address).pathname)) return address;
	const directives = [...new Set(quotes.slice(0, MAX_QUOTES).flatMap((quote) => directive(quote) ?? []))];
	if (directives.length === 0) return address;
	return `${address}${address.includes('#') ? '' : '#'}:~:${directives.join('&')}`;
}
