import { sameAddress } from '../text/addresses';
import { bareText } from '../text/bareText';
import type { BareText } from '../text/bareText';
import { trimEnd } from '../text/ends';
import { withoutHidden } from '../text/hiddenHtml';
import { isDelimiterRow, markdownBlocks, rowCells } from '../text/markdown/readMarkdown';
import type { MarkdownBlock } from '../text/markdown/readMarkdown';
import { currenciesOfPage } from './currencies';
import { HIDDEN, IMAGE, MAX_PAGE_CHARACTERS, STRUCK_OUT, evenOut, visible } from '../text/pageText';
import { hasNoSpaces } from '../text/sentences';

/** A part of the text of a page. */
export interface Span {
	at: number;
	end: number;
}

/** Whether a part stands in one of these as a whole. */
export function isWithin({ at, end }: Span, spans: readonly Span[]): boolean {
	return spans.some((span) => span.at <= at && end <= span.end);
}

/** A link or a picture of a page; `target` is absolute where that can be told. */
export interface PageLink {
	at: number;
	target: string;
}

/** A line of a page as a reader sees it: of a paragraph, a list, a heading, or the row of a table. */
export interface ShownLine extends Span {
	text: string;
	kind: 'heading' | 'row' | 'line';
	/** Of a heading, 1 to 6. */
	level: number;
	/** The headings that it stands under, the last one nearest. */
	path: string;
	/** Where those stand. */
	above: readonly Span[];
	/** Of a row: where its cells stand in the page, and the heads of their columns. */
	cells: Span[];
	heads: string[];
	/** The block that it stands in: a table, a paragraph. */
	block: number;
	/** Its links and pictures: where they stand, and where they lead. */
	links: PageLink[];
	/** What of it is struck out: a price of before. */
	struck: Span[];
}

/** A line, or the part of one that was asked for. */
export interface PagePart extends Span {
	line: ShownLine;
	text: string;
}

/** A page of many thousand values or figures is looked through for some seconds, and no longer: n8n waits for it. */
const MOST_WORK = 2e6;

/** So many characters are looked through in the time of one step. */
export const SEARCHED_AT_ONCE = 1000;

/** The page that values were read from, as the service gives it. */
export interface PageSource {
	markdown: string;
	/** Its address: relative targets of links lead from there. */
	url: string;
	/** What is told of it beside its text: title, description, language, dates. */
	metadata: Readonly<Record<string, unknown>>;
}

/** A page, made ready for the look-up of many values. */
export class ProofPage {
	/** All lines, each on one of its own; evened out, so that quotation marks, dashes and spaces are of one kind. */
	readonly text: string;

	readonly lines: readonly ShownLine[];

	/** Its own address, and what metadata says in words, evened out and in small letters. */
	readonly told: ReadonlySet<string>;

	/** The currencies that it names, by their codes, and those of them that are dollars. */
	readonly currencies: readonly string[];

	readonly dollars: readonly string[];

	/** The text in small letters, without spaces, and where each sign stands in `text`. */
	private readonly bare: BareText;

	/** How much work is left for the look-ups on this page. */
	private left = MOST_WORK;

	/** The places of texts that were looked for: each value is, around each place of its object. */
	private readonly found = new Map<string, readonly Span[]>();

	constructor(readonly source: PageSource) {
		const { markdown, url, metadata } = source;
		const shown = withoutHidden(visible(markdown.slice(0, MAX_PAGE_CHARACTERS)), HIDDEN, ' ').text;
		const lines: ShownLine[] = [];
		const parts: string[] = [];
		// A paragraph goes on in its next line: words may be broken there.
		const joints: number[] = [];
		let at = 0;
		let above: ReadonlyArray<Span & { level: number }> = [];
		for (const [block, one] of markdownBlocks(shown).entries()) {
			const drafts = linesOf(one, url);
			for (const [index, draft] of drafts.entries()) {
				const end = at + draft.text.length;
				const cells = draft.cells.map((cell) => ({ at: at + cell.at, end: at + cell.end }));
				const links = draft.links.map((link) => ({ ...link, at: at + link.at }));
				const struck = draft.struck.map((span) => ({ at: at + span.at, end: at + span.end }));
				const level = one.level ?? 0;
				if (draft.kind === 'heading') above = above.filter((heading) => heading.level < level);
				lines.push({ ...draft, links, struck, at, end, cells, block, path: one.headingPath, above, level });
				if (draft.kind === 'heading') above = [...above, { at, end, level }];
				parts.push(draft.text);
				if (one.kind === 'text' && index < drafts.length - 1) joints.push(end);
				at = end + 1;
			}
		}
		this.lines = lines;
		this.text = parts.join('\n');
		this.bare = bareText(withSpacesAt(lowered(this.text), joints));
		({ currencies: this.currencies, dollars: this.dollars } = currenciesOfPage(this.text));
		const words = Object.values(metadata)
			.flat()
			.filter((one): one is string => typeof one === 'string');
		this.told = new Set([url, ...words].map(evenWords));
	}

	/** All places of a text, word for word but for its letter case and spaces, in the order of the page. */
	placesOf(text: string): readonly Span[] {
		const known = this.found.get(text) ?? this.search(text);
		this.found.set(text, known);
		return known;
	}

	private search(text: string): Span[] {
		const { text: bare, places } = this.bare;
		const wanted = bareText(evenWords(text)).text;
		const found: Span[] = [];
		if (wanted === '' || !this.spend(bare.length / SEARCHED_AT_ONCE)) return found;
		for (let from = bare.indexOf(wanted); from !== -1; from = bare.indexOf(wanted, from + 1)) {
			const span = { at: places[from] ?? 0, end: (places[from + wanted.length - 1] ?? 0) + 1 };
			if (isWholeAt(this.text, span)) found.push(span);
		}
		return found;
	}

	/** The line of a place. */
	lineAt(at: number): ShownLine | undefined {
		return this.lines[this.indexAt(at)];
	}

	/** The parts of its lines that stand in these spans. */
	partsIn(spans: readonly Span[]): PagePart[] {
		return spans.flatMap(({ at, end }) => {
			const parts: PagePart[] = [];
			for (let index = this.indexAt(at); index < this.lines.length; index += 1) {
				const line = this.lines[index];
				if (!line || line.at > end) break;
				const [from, to] = [Math.max(line.at, at), Math.min(line.end, end)];
				// A picture by itself is a line without a text.
				if (from < to || (from === to && (line.at === line.end || at === end)))
					parts.push({ at: from, end: to, line, text: this.text.slice(from, to) });
			}
			return parts;
		});
	}

	private indexAt(at: number): number {
		let [low, high] = [0, this.lines.length - 1];
		while (low < high) {
			const middle = (low + high + 1) >> 1;
			if ((this.lines[middle]?.at ?? 0) <= at) low = middle;
			else high = middle - 1;
		}
		return low;
	}

	/**
	 * Counts the work of a look-up. False when there was too much of it on this page: nothing more is found then, and what
	 * is not found is not known.
	 */
	spend(work: number): boolean {
		this.left -= work;
		return this.left > 0;
	}

	/** False where it may say what was not found: it has no text, more than is read of it, or was looked through for too long. */
	get isRead(): boolean {
		return this.text !== '' && this.source.markdown.length <= MAX_PAGE_CHARACTERS && this.left > 0;
	}

	get whole(): Span {
		return { at: 0, end: this.text.length };
	}
}

/** A text as values and pages are compared: evened out, in small letters, without marks of brands and a full stop. */
export function evenWords(text: string): string {
	return trimEnd(lowered(evenOut(text.replace(BRAND, ' '))), /[.,;:!\s]/);
}

/** In small letters, each of which takes the room of the large one. */
function lowered(text: string): string {
	const small = text.toLowerCase();
	if (small.length === text.length) return small;
	return Array.from({ length: text.length }, (_sign, at) => {
		const sign = text.charAt(at);
		return sign.toLowerCase().length === 1 ? sign.toLowerCase() : sign;
	}).join('');
}

/** A text with a space in place of the sign at each of these places, which are in order. */
function withSpacesAt(text: string, places: readonly number[]): string {
	const pieces = places.map((place, index) => text.slice((places[index - 1] ?? -1) + 1, place));
	return [...pieces, text.slice((places.at(-1) ?? -1) + 1)].join(' ');
}

type LineDraft = Pick<ShownLine, 'text' | 'kind' | 'cells' | 'heads' | 'links' | 'struck'>;

function linesOf(block: MarkdownBlock, url: string): LineDraft[] {
	if (block.kind === 'table') {
		const rows = block.text.split('\n').filter((line) => line.trim() !== '');
		return rowsOf(rows.map(rowCells), url);
	}
	if (block.kind === 'htmlTable') {
		const rows = block.text.split(/<\/tr>/i).map((row) => row.split(/<\/t[hd]>/i).slice(0, -1));
		return rowsOf(rows, url);
	}
	const kind = block.kind === 'heading' ? 'heading' : 'line';
	return block.text.split(/\n|<br\s*\/?>/i).flatMap((line) => {
		const text = evenLine(line);
		const links = linksIn(line, text, url);
		const struck = struckIn(line, text);
		return text === '' && links.length === 0 ? [] : [{ text, kind, cells: [], heads: [], links, struck }];
	});
}

function rowsOf(rows: string[][], url: string): LineDraft[] {
	const shown = rows.filter((cells) => cells.length > 0 && !isDelimiterRow(`|${cells.join('|')}|`));
	const heads = (shown[0] ?? []).map(evenLine);
	return shown.map((row, index) => {
		const texts = row.map(evenLine);
		let at = 0;
		const cells = texts.map((text) => {
			const cell = { at, end: at + text.length };
			at = cell.end + 1;
			return cell;
		});
		const links = row.flatMap((cell, column) => {
			const from = cells[column]?.at ?? 0;
			return linksIn(cell, texts[column] ?? '', url).map((link) => ({ ...link, at: from + link.at }));
		});
		const struck = row.flatMap((cell, column) => {
			const from = cells[column]?.at ?? 0;
			return struckIn(cell, texts[column] ?? '').map((span) => ({ at: from + span.at, end: from + span.end }));
		});
		return { text: texts.join('\t'), kind: 'row', cells, heads: index === 0 ? [] : heads, links, struck };
	});
}

const TARGET = /\]\(\s*<?([^()\s<>]*(?:\([^()\s]*\)[^()\s<>]*)*)>?[^()\n]{0,200}\)/g;
const BARE_ADDRESS = /\bhttps?:\/\/[^\s<>()"'\]|]+/gi;
const ATTRIBUTE = /\b(?:href|src)\s*=\s*["']([^"'\s]{1,2000})["']/gi;

/** Marks of brands, which a name may have or leave out. */
const BRAND = /[®™©℠]/g;

/** A line as a reader sees it: of its links the words alone. What is struck out is there, too. */
function evenLine(line: string): string {
	const kept = line.replace(STRUCK_OUT, (struck) => ` ${unstruck(struck)} `);
	return evenOut(kept.replace(IMAGE, ' ').replace(TARGET, ']').replace(BRAND, ' '));
}

const unstruck = (struck: string) => struck.replace(/^~~|~~$|<[^<>]*>/g, '');

/** Where the parts of a line stand that are struck out. */
function struckIn(line: string, text: string): Span[] {
	if (!/[~<]/.test(line)) return [];
	let from = 0;
	return [...line.matchAll(STRUCK_OUT)].flatMap(([struck]) => {
		const shown = evenLine(unstruck(struck));
		const at = shown === '' ? -1 : text.indexOf(shown, from);
		if (at === -1) return [];
		from = at + shown.length;
		return [{ at, end: from }];
	});
}

/** The links of a line, and where their words stand in its text. */
function linksIn(line: string, text: string, url: string): PageLink[] {
	if (!/[(/"']/.test(line)) return [];
	let from = 0;
	const linked = [...line.matchAll(TARGET)].map(({ index, 1: target = '' }) => {
		const [, words = ''] = /\[([^[\]]*)$/.exec(line.slice(0, index)) ?? [];
		const shown = evenOut(words);
		const at = shown === '' ? -1 : text.indexOf(shown, from);
		// A picture stands behind the words before it.
		if (at === -1) return { at: Math.min(text.length, evenLine(line.slice(0, index)).length), target };
		from = at + shown.length;
		return { at, target };
	});
	const named = [...line.matchAll(ATTRIBUTE), ...line.matchAll(BARE_ADDRESS)].map(([whole, target]) => {
		const address = trimEnd(target ?? whole, /[.,;:!?]/);
		return { at: Math.max(0, text.indexOf(address)), target: address };
	});
	const all = [...linked, ...named].filter(({ target }) => target !== '');
	return all.map(({ at, target }) => ({ at, target: absolute(target, url) }));
}

/** One text for all spellings of an address; a relative one leads from the page. */
export function absolute(address: string, url: string): string {
	if (/^(?:mailto|tel):/i.test(address)) return address.toLowerCase();
	const base = URL.canParse(url) ? url : undefined;
	return URL.canParse(address, base) ? sameAddress(new URL(address, base).href) : address;
}

const WORD_SIGN = /[\p{L}\p{M}\p{N}]/u;

/** Whether a part of a text begins and ends with whole words and figures. */
function isWholeAt(text: string, { at, end }: Span): boolean {
	const joins = (left = '', right = '') =>
		WORD_SIGN.test(left) && WORD_SIGN.test(right) && !hasNoSpaces(left) && !hasNoSpaces(right);
	if (joins(text[at - 1], text[at]) || joins(text[end - 1], text[end])) return false;
	const isFigure = (sign = '') => /\p{Nd}/u.test(sign);
	if (isFigure(text[at]) && /\p{Nd}[.,]$/u.test(text.slice(Math.max(0, at - 2), at))) return false;
	return !(isFigure(text[end - 1]) && /^[.,]\p{Nd}/u.test(text.slice(end, end + 2)));
}
