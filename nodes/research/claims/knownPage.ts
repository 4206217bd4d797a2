import { SHORT_KEY_LENGTH, keyOf, shortKeyCounts, shortKeyOf } from '../../text/addresses';
import { cutAt, trimEnd } from '../../text/ends';
import type { KnownPage, QuoteMark } from '../contract/history';
import { bareText } from '../../text/bareText';
import type { BareText } from '../../text/bareText';
import { withoutAges } from '../../text/figures/figureNames';
import { evenOut } from '../../text/pageText';
import { isWhole, sentencesIn } from './passages';
import type { PageBlock, QuotedPage } from './passages';

/** Characters of a quote that are remembered as they are. */
const START_CHARACTERS = 80;

/** A page with more sentences and cells than this is read whole when it has changed. */
const MAX_SENTENCES = 5000;

/** A quote as it is remembered: without lengths of time beside dates, which change with each day. */
export function markOfQuote(quote: string): QuoteMark {
	const plain = evenOut(quote);
	const { text } = bareText(withoutAges(plain));
	return { start: cutAt(plain, START_CHARACTERS), length: text.length, digest: keyOf(text) };
}

/** What is remembered of a quote, to be shown: with an ellipsis where it is not all of it. */
export function shownQuote({ start, length }: QuoteMark): string {
	return bareText(withoutAges(start)).text.length < length ? `${start} …` : start;
}

/** The words of the page where a remembered quote stands on it; undefined where it does not. */
export function standingQuote({ blocks }: QuotedPage, mark: QuoteMark): string | undefined {
	for (const block of blocks) {
		const { text } = block;
		block.bare ??= bareText(text);
		block.ageless ??= agelessText(text, block.bare);
		const { bare, ageless } = block;
		const place =
			placeIn(text, bare, mark, false) ?? (ageless === bare ? undefined : placeIn(text, ageless, mark, true));
		if (place) return text.slice(...place);
	}
	return undefined;
}

/** The bare text of a block without lengths of time beside dates; `bare` where it has none. */
function agelessText(text: string, bare: BareText): BareText {
	const ageless = withoutAges(text);
	return ageless === text ? bare : bareText(ageless);
}

/** The place of a remembered quote in a text. */
function placeIn(
	whole: string,
	{ text, places }: BareText,
	{ start, length, digest }: QuoteMark,
	isAgeless: boolean,
): [from: number, to: number] | undefined {
	// Up to a letter or a figure: what stands behind another sign decides whether that counts.
	const plain = trimEnd(start, /[^\p{L}\p{N}]/u);
	const first = bareText(isAgeless ? withoutAges(plain) : plain).text;
	if (first === '') return undefined;
	for (let at = text.indexOf(first); at !== -1; at = text.indexOf(first, at + 1)) {
		if (keyOf(text.slice(at, at + length)) !== digest) continue;
		const [from, to] = [places[at] ?? 0, (places[at + length - 1] ?? 0) + 1];
		if (isWhole(whole, from, to)) return [from, to];
	}
	return undefined;
}

/** What is compared of a block from one visit to the next: a sentence, or a cell. */
interface Part {
	start: number;
	end: number;
	digest: string;
}

/** The marks of a page by which the next run sees what of it is new. */
export function marksOfPage(page: QuotedPage): Pick<KnownPage, 'hash' | 'sentences'> {
	const digests = page.blocks.flatMap((block) => partsOf(block).map(({ digest }) => digest)).join('');
	return { hash: keyOf(digests), sentences: digests.length > MAX_SENTENCES * SHORT_KEY_LENGTH ? '' : digests };
}

/** Shorter sentences stand on many pages; so many of the longer ones are kept, with the execution. */
const LONG_SENTENCE = 60;
const MOST_LONG = 120;

/** Marks of the long sentences of a page, by which another page with the same text is told. */
export function longSentencesOf(page: QuotedPage): string {
	const digests = page.blocks.flatMap((block) =>
		block.kind === 'row' || block.kind === 'heading'
			? []
			: partsOf(block).flatMap(({ start, end, digest }) => (end - start < LONG_SENTENCE ? [] : [digest])),
	);
	return [...new Set(digests)].slice(0, MOST_LONG).join('');
}

/** With fewer long sentences, a page proves nothing; a copy has most of its own from the other one. */
const LEAST_SENTENCES = 4;
const COPIED_SHARE = 0.6;

/** The address of a page that has most of the long sentences of this one; undefined where there is none. */
export function copiedFrom(sentences: string, others: ReadonlyMap<string, string>): string | undefined {
	const own = shortKeyCounts(sentences);
	if (own.size < LEAST_SENTENCES) return undefined;
	for (const [url, text] of others) {
		const theirs = shortKeyCounts(text);
		const shared = [...own.keys()].filter((key) => theirs.has(key)).length;
		if (shared >= own.size * COPIED_SHARE) return url;
	}
	return undefined;
}

/** A page in a few characters, by which the next run sees whether it has changed, or become another one. */
export interface PageDigest {
	/** Of what can be read of it. */
	hash: string;
	/** Of its title and its first heading. */
	name: string;
	/** Its characters. */
	size: number;
}

export function digestOfPage(page: QuotedPage, title: string): PageDigest {
	const heading = page.blocks.find(({ kind }) => kind === 'heading')?.text ?? '';
	return { hash: marksOfPage(page).hash, name: shortKeyOf(`${title}\n${heading}`), size: page.readable.length };
}

/** The sentences of a block. Of a row, its cells, each under its column and beside the first cell. */
function partsOf(block: PageBlock): Part[] {
	const { kind, text, cells = [], head = [] } = block;
	if (kind !== 'row') {
		const found = kind === 'heading' ? [{ start: 0, end: text.length }] : sentencesIn(block);
		return found.map(({ start, end }) => ({ start, end, digest: digestOf(text.slice(start, end)) }));
	}
	const parts: Part[] = [];
	let start = 0;
	for (const [at, cell] of cells.entries()) {
		if (cell === '') continue;
		const said = cellSaid(head[at] ?? '', at === 0 ? '' : (cells[0] ?? ''), cell);
		parts.push({ start, end: start + cell.length, digest: digestOf(said) });
		start += cell.length + 1;
	}
	return parts;
}

function cellSaid(head: string, first: string, cell: string): string {
	return [head, first, cell].join('\n');
}

function digestOf(text: string): string {
	return shortKeyOf(bareText(withoutAges(text)).text);
}

/** A page beside what is remembered of an earlier visit. */
export interface PageComparison {
	/** What was not on it, with its neighbours, as Markdown under its headings: all of it where nobody knows. */
	newPart: string;
	/** Whether words of it were on the page at the earlier visit. */
	wasThere(quote: string): boolean;
	/** The row of a remembered quote to which nothing but cells of new columns has come. */
	standingRow(mark: QuoteMark): string | undefined;
}

/** The sentences of all pages of an earlier run: one may have moved from another page. */
export type KnownSentences = ReadonlySet<string>;

/** Those of some pages. */
export function sentencesOfPages(pages: Iterable<KnownPage>): KnownSentences {
	return new Set([...pages].flatMap(({ sentences, was = '' }) => [...shortKeyCounts(sentences + was).keys()]));
}

/** Compares a page with an earlier visit to it; `elsewhere`: what stood on other pages. */
export function comparePage(
	page: QuotedPage,
	{ sentences }: Pick<KnownPage, 'sentences'>,
	elsewhere: KnownSentences,
): PageComparison {
	const before = shortKeyCounts(sentences);
	const fresh = newParts(page, before);
	const isKnown = sentences !== '';
	return {
		newPart: isKnown
			? shownParts(page.blocks.map((block) => ({ block, fresh: fresh.get(block) ?? [] })))
			: page.readable,
		wasThere: (quote) => {
			const { block, start, end } = page.placeOf(quote) ?? {};
			if (!block || start === undefined || end === undefined) return false;
			const isNew = (part: Part) => part.start < end && part.end > start && !elsewhere.has(part.digest);
			return !(fresh.get(block) ?? []).some(isNew);
		},
		standingRow: (mark) => {
			for (const [block, parts] of fresh) {
				const left = withoutColumns(block, parts, before);
				if (left === undefined) continue;
				for (const text of [left, withoutAges(left)]) {
					if (placeIn(left, bareText(text), mark, text !== left)) return block.text;
				}
			}
			return undefined;
		},
	};
}

/** A row without the cells of columns that are new; undefined where anything else of it is. */
function withoutColumns(
	{ cells = [], head = [] }: PageBlock,
	fresh: readonly Part[],
	before: ReadonlyMap<string, number>,
): string | undefined {
	const isNew = (at: number) => {
		const title = head[at] ?? '';
		return title !== '' && !before.has(digestOf(cellSaid('', at === 0 ? '' : (head[0] ?? ''), title)));
	};
	const old = cells.filter((cell, at) => cell !== '' && !isNew(at));
	const news = cells.filter((cell, at) => cell !== '' && isNew(at));
	return news.length > 0 && fresh.length === news.length ? old.join(' ') : undefined;
}

/** The part of a page's sentences that stand on it still, from 0 to 1; undefined where nobody knows. */
export function standingPart(page: QuotedPage, sentences: string): number | undefined {
	if (sentences === '') return undefined;
	const now = shortKeyCounts(marksOfPage(page).sentences);
	const before = shortKeyCounts(sentences);
	let [standing, all] = [0, 0];
	for (const [digest, count] of before) {
		standing += Math.min(count, now.get(digest) ?? 0);
		all += count;
	}
	return all === 0 ? undefined : standing / all;
}

/**
 * The parts that stand on a page more often than before. Which of several that are alike is the new one shows in the
 * headings above them: one that is new has new things below it; else it is the last.
 */
function newParts(page: QuotedPage, before: ReadonlyMap<string, number>): Map<PageBlock, Part[]> {
	const places = new Map<string, Array<{ block: PageBlock; part: Part }>>();
	for (const block of page.blocks) {
		for (const part of partsOf(block)) {
			const known = places.get(part.digest);
			if (known) known.push({ block, part });
			else places.set(part.digest, [{ block, part }]);
		}
	}
	const fresh = new Map<PageBlock, Part[]>();
	const isUnderNew = ({ path }: PageBlock) =>
		path !== '' && path.split(' > ').some((heading) => !before.has(digestOf(heading)));
	for (const [digest, found] of places) {
		const more = found.length - (before.get(digest) ?? 0);
		if (more <= 0) continue;
		const last = [...found].reverse();
		const chosen = [
			...last.filter(({ block }) => isUnderNew(block)),
			...last.filter(({ block }) => !isUnderNew(block)),
		];
		for (const { block, part } of chosen.slice(0, more)) fresh.set(block, [...(fresh.get(block) ?? []), part]);
	}
	return fresh;
}

/** New parts with the sentences beside them; of a row, all of it. */
function shownParts(blocks: ReadonlyArray<{ block: PageBlock; fresh: readonly Part[] }>): string {
	const lines: string[] = [];
	let above = '';
	let head = '';
	for (const { block, fresh } of blocks) {
		if (fresh.length === 0) continue;
		if (block.path !== above && block.path !== '') lines.push(`## ${block.path}`);
		above = block.path;
		const titles = block.head ? rowOf(block.head) : '';
		if (titles !== head && titles !== '') lines.push(titles + rowOf(block.head?.map(() => '---') ?? []).trimEnd());
		head = titles;
		if (block.cells) lines.push(rowOf(block.cells).trimEnd());
		else lines.push(`${block.kind === 'item' ? '- ' : ''}${withNeighbours(block, fresh)}`);
	}
	return lines.join('\n\n').replace(/\|\n\n\|/g, '|\n|');
}

function withNeighbours(block: PageBlock, fresh: readonly Part[]): string {
	const all = block.kind === 'heading' ? [{ start: 0, end: block.text.length }] : sentencesIn(block);
	const isNew = (at: number) => fresh.some(({ start }) => start === all[at]?.start);
	const shown = all.map((_part, at) => isNew(at - 1) || isNew(at) || isNew(at + 1));
	const runs: string[] = [];
	for (const [at, { start, end }] of all.entries()) {
		if (shown[at] !== true) continue;
		const text = block.text.slice(start, end);
		if (shown[at - 1] === true) runs.push(`${runs.pop() ?? ''}${text}`);
		else runs.push(text);
	}
	return runs.map((run) => run.trim()).join('\n\n');
}

function rowOf(cells: readonly string[]): string {
	return `| ${cells.join(' | ')} |\n`;
}
