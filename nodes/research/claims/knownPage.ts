import { keyOf } from '../../text/addresses';
import { cutAt, trimEnd } from '../../text/ends';
import type { KnownPage, QuoteMark } from '../contract';
import { bareText } from './bareText';
import { evenOut } from './pageText';
import { isWhole } from './passages';
import type { PageBlock, QuotedPage } from './passages';

/** Characters of a quote that are remembered as they are. */
const START_CHARACTERS = 80;

/** A page with more paragraphs than this is read whole when it has changed. */
const MAX_BLOCKS = 1500;

/** A quote as it is remembered. */
export function markOfQuote(quote: string): QuoteMark {
	const plain = evenOut(quote);
	const { text } = bareText(plain);
	return { start: cutAt(plain, START_CHARACTERS), length: text.length, digest: keyOf(text) };
}

/** What is remembered of a quote, to be shown: with an ellipsis where it is not all of it. */
export function shownQuote({ start, length }: QuoteMark): string {
	return bareText(start).text.length < length ? `${start} …` : start;
}

/** The words of the page where a remembered quote stands on it; undefined where it does not. */
export function standingQuote({ blocks }: QuotedPage, { start, length, digest }: QuoteMark): string | undefined {
	// Up to a letter or a figure: what stands behind another sign decides whether that counts.
	const first = bareText(trimEnd(start, /[^\p{L}\p{N}]/u)).text;
	if (first === '') return undefined;
	for (const block of blocks) {
		block.bare ??= bareText(block.text);
		const { text, places } = block.bare;
		for (let at = text.indexOf(first); at !== -1; at = text.indexOf(first, at + 1)) {
			if (keyOf(text.slice(at, at + length)) !== digest) continue;
			const [from, to] = [places[at] ?? 0, (places[at + length - 1] ?? 0) + 1];
			if (isWhole(block.text, from, to)) return block.text.slice(from, to);
		}
	}
	return undefined;
}

/** The marks of a page by which the next run sees what of it is new. */
export function marksOfPage(page: QuotedPage): Pick<KnownPage, 'hash' | 'blocks'> {
	const digests = page.blocks.map(digestOf);
	return {
		hash: keyOf(digests.join(' ')),
		blocks: digests.length > MAX_BLOCKS ? '' : [...new Set(digests)].join(' '),
	};
}

/** A block under its headings: the same row under another year is another one. */
function digestOf({ path, text, head }: PageBlock): string {
	const [, digest = ''] = keyOf([path, head?.join(' ') ?? '', text].join('\n')).split('-');
	return digest;
}

/**
 * The part of a page that was not on it before, as Markdown: paragraphs, items and rows that are new or changed, under
 * their headings. All of it where its blocks are not known.
 */
export function newPartOf(page: QuotedPage, { blocks }: Pick<KnownPage, 'blocks'>): string {
	if (blocks === '') return page.readable;
	const known = new Set(blocks.split(' '));
	const lines: string[] = [];
	let above = '';
	let head = '';
	for (const block of page.blocks) {
		if (known.has(digestOf(block))) continue;
		if (block.path !== above && block.path !== '') lines.push(`## ${block.path}`);
		above = block.path;
		const titles = block.head ? rowOf(block.head) : '';
		if (titles !== head && titles !== '') lines.push(titles + rowOf(block.head?.map(() => '---') ?? []).trimEnd());
		head = titles;
		lines.push(block.cells ? rowOf(block.cells).trimEnd() : `${block.kind === 'item' ? '- ' : ''}${block.text}`);
	}
	return lines.join('\n\n').replace(/\|\n\n\|/g, '|\n|');
}

function rowOf(cells: readonly string[]): string {
	return `| ${cells.join(' | ')} |\n`;
}
