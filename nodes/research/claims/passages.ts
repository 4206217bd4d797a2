import { cutAt, trimEnd, trimEnds } from '../../text/ends';
import { monthsNamed } from '../../text/figures/figureNames';
import { isDelimiterRow, isFence, markdownBlocks, rowCells } from '../../text/markdown/readMarkdown';
import { isShortened, LONGEST_ABBREVIATION, wordCount } from '../../text/sentences';
import { bareText } from '../../text/bareText';
import type { BareText } from '../../text/bareText';
import { evenOut, readablePage, wordsOf } from '../../text/pageText';
import { directiveFor, shownPage } from '../../text/textJump';
import type { ShownPage } from '../../text/textJump';

/** A part of a page that a reader takes together, and that a quote may stand in. */
export interface PageBlock {
	kind: 'text' | 'item' | 'row' | 'heading';
	/** The headings above it, and the line that leads to its list. */
	path: string;
	/** Evened out; of a row, its cells with one space between them. */
	text: string;
	/** Of a row: its cells, and the heads of their columns. */
	cells?: string[];
	head?: string[];
	/** The text in which quotes are looked up; made when the first is. */
	bare?: BareText;
	/** The same without lengths of time beside dates (figureNames.ts); made when an earlier quote is looked for. */
	ageless?: BareText;
}

/** A sentence of a block. */
interface Sentence {
	start: number;
	end: number;
}

/** The sentences of a page, and in which of them each word stands. */
interface WordIndex {
	sentences: Array<Sentence & { block: PageBlock }>;
	byWord: Map<string, number[]>;
}

/** The place of a quote. */
interface Passage {
	/** The words of the page, up to the ends of their first and last word. */
	quote: string;
	/** The sentence with its neighbours in the paragraph, the list item, or the row with its header. */
	text: string;
	/** The headings above it. */
	path: string;
	/**
	 * The text that may hold figures of the quote: the quote, or the cells of its row, each with the head of its
	 * column.
	 */
	figures: string[];
	/** Of a row: its cells, each with the head of its column. */
	row?: string;
}

const MAX_QUOTE_CHARACTERS = 1000;

/** Longest passage that is shown to the model that judges. */
const MAX_PASSAGE_CHARACTERS = 1200;

/** A quote of so few words says something only where it stands once. */
const FEW_WORDS = 3;

const ITEM = /^(\s*)(?:[-*+\u2022]|\d{1,3}[.)])\s+/;

/** A page whose quotes are looked up. */
export class QuotedPage {
	readonly blocks: readonly PageBlock[];

	private index: WordIndex | undefined;

	/** The text as the model gets it. */
	readonly readable: string;

	/** Whether something that nobody sees was left out of it. */
	readonly isCut: boolean;

	private shown: ShownPage | undefined;

	constructor(readonly markdown: string) {
		const { text, isCut } = readablePage(markdown);
		this.readable = text;
		this.isCut = isCut;
		this.blocks = blocksOf(this.readable);
	}

	get isEmpty(): boolean {
		return this.blocks.length === 0;
	}

	/**
	 * The place of a quote, or undefined. It may differ from the page in what typography adds (bareText), marks, the
	 * case of its first letter and a full stop at its end; `a … b` are two parts in this order. It never runs over
	 * list items, rows or paragraphs, and one of a few words must stand in one place only. What stands in no text may
	 * be a heading.
	 */
	find(quote: string): Passage | undefined {
		const found = this.placeOf(quote);
		return found && passageOf(found.block, found.start, found.end);
	}

	/** The block of a quote, and where in its text it stands. */
	placeOf(quote: string): { block: PageBlock; start: number; end: number } | undefined {
		const parts = partsOf(quote);
		const length = parts.reduce((sum, part) => sum + part.length, 0);
		if (parts.length === 0 || length > MAX_QUOTE_CHARACTERS) return undefined;
		const isShort = wordCount(parts.join(' '), FEW_WORDS) <= FEW_WORDS;
		const bare = parts.map((part) => bareText(part).text);
		const isHeading = ({ kind }: PageBlock) => kind === 'heading';
		const texts = this.blocks.filter((block) => !isHeading(block));
		const found = placesOf(texts, bare, isShort) ?? placesOf(this.blocks.filter(isHeading), bare, isShort);
		return found === 'several' ? undefined : found;
	}

	/** The directive of a link that jumps to a quote (textJump.ts); undefined where none is certain to. */
	jumpTo(quote: string): string | undefined {
		this.shown ??= shownPage(this.markdown);
		return directiveFor(this.shown, quote);
	}

	/** The passages that have most words of a text in common with it, at most so many. */
	nearest(text: string, most: number): string[] {
		return this.nearestPlaces(text, most).map(({ block, start, end }) => shownPassage(passageOf(block, start, end)));
	}

	/** The sentences of these passages, each once: under their headings, and as they stand on the page. */
	nearestSentences(text: string, most: number): Array<{ shown: string; quote: string }> {
		const sentences = new Map<string, string>();
		for (const { block, start } of this.nearestPlaces(text, most)) {
			const all = sentencesIn(block);
			const at = all.findIndex((one) => one.start === start);
			const near =
				block.kind === 'row' ? [{ start: 0, end: block.text.length }] : all.slice(Math.max(0, at - 1), at + 2);
			for (const one of near) {
				const { quote, text: passage, path } = passageOf(block, one.start, one.end);
				const own = block.kind === 'row' ? passage : quote.trim();
				sentences.set(shownPassage({ path, text: own }), quote.trim());
			}
		}
		return [...sentences].map(([shown, quote]) => ({ shown, quote }));
	}

	private nearestPlaces(text: string, most: number): WordIndex['sentences'] {
		const { sentences, byWord } = this.words();
		const wanted = wordsOf(text);
		const shared = new Uint16Array(sentences.length);
		for (const word of wanted) for (const at of byWord.get(word) ?? []) shared[at] = (shared[at] ?? 0) + 1;
		// Of those that share as many words, the first ones count.
		const byShared = new Map<number, number[]>();
		shared.forEach((count, at) => {
			if (count < Math.min(2, wanted.size)) return;
			const places = byShared.get(count) ?? [];
			if (places.length < most) byShared.set(count, [...places, at]);
		});
		return [...byShared]
			.sort(([count], [otherCount]) => otherCount - count)
			.flatMap(([, places]) => places)
			.slice(0, most)
			.flatMap((at) => sentences[at] ?? []);
	}

	/** Made once for the page: each claim that was refused asks for what is near it. */
	private words(): WordIndex {
		if (this.index) return this.index;
		const index: WordIndex = { sentences: [], byWord: new Map() };
		for (const block of this.blocks) {
			const head = block.head?.join(' ') ?? '';
			for (const { start, end } of sentencesIn(block)) {
				const at = index.sentences.push({ block, start, end }) - 1;
				for (const word of wordsOf(`${block.text.slice(start, end)} ${head}`)) {
					const places = index.byWord.get(word);
					if (places) places.push(at);
					else index.byWord.set(word, [at]);
				}
			}
		}
		this.index = index;
		return index;
	}
}

/** A passage as a model reads it: under its headings. */
export function shownPassage({ path, text }: Pick<Passage, 'path' | 'text'>): string {
	return path === '' ? text : `[${path}] ${text}`;
}

/** The parts of a quote that must stand on the page, evened out. */
function partsOf(quote: string): string[] {
	return quote
		.split(/\[\s?(?:…|\.{3})\s?\]|\(\s?(?:…|\.{3})\s?\)|…|\.{3}/)
		.map((part) =>
			trimEnd(trimEnds(evenOut(part), /'/), /[.:;,\p{Sentence_Terminal}\uff0c\uff1a\uff1b\u060c\u061b]/u).trim(),
		)
		.filter((part) => /[\p{L}\p{N}]/u.test(part));
}

/** The first place of the parts of a quote; `several` where there is another one and only one will do. */
function placesOf(
	blocks: readonly PageBlock[],
	parts: readonly string[],
	isOne: boolean,
): { block: PageBlock; start: number; end: number } | 'several' | undefined {
	let found: { block: PageBlock; start: number; end: number } | undefined;
	for (const block of blocks) {
		const place = placeIn(block, parts, 0);
		if (!place) continue;
		if (!isOne) return { block, ...place };
		if (found || placeIn(block, parts, place.behind)) return 'several';
		found = { block, ...place };
	}
	return found;
}

/** The places of the parts of a quote in a block, in this order; `behind`: the place behind them in its bare text. */
function placeIn(
	block: PageBlock,
	parts: readonly string[],
	from: number,
): { start: number; end: number; behind: number } | undefined {
	block.bare ??= bareText(block.text);
	const { places } = block.bare;
	let start = -1;
	let behind = from;
	for (const part of parts) {
		const at = wholeAt(block.text, block.bare, part, behind);
		if (at === -1) return undefined;
		if (start === -1) start = places[at] ?? 0;
		behind = at + part.length;
	}
	return { start, end: (places[behind - 1] ?? 0) + 1, behind };
}

/** Scripts that put spaces between words. */
const WORD_SIGN = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Nd}]/u;

/** The places of a bare text as whole words: "5 million" is no part of "15 million", nor of "1.5 million". */
function wholeAt(text: string, bare: BareText, part: string, from: number): number {
	const first = part[0] ?? '';
	const other = first === first.toLowerCase() ? first.toUpperCase() : first.toLowerCase();
	for (const wanted of [part, other + part.slice(1)]) {
		for (let place = bare.text.indexOf(wanted, from); place !== -1; place = bare.text.indexOf(wanted, place + 1)) {
			const at = bare.places[place] ?? 0;
			const end = (bare.places[place + wanted.length - 1] ?? 0) + 1;
			if (isWhole(text, at, end)) return place;
		}
	}
	return -1;
}

/** Whether a part of a text begins and ends with whole words and figures. */
export function isWhole(text: string, at: number, end: number): boolean {
	const isCut =
		joins(text[at - 1], text[at]) ||
		joins(text[end - 1], text[end]) ||
		DECIMAL_BEFORE.test(text.slice(Math.max(0, at - 2), at) + (/\p{Nd}/u.test(text[at] ?? '') ? '' : ' ')) ||
		DECIMAL_BEHIND.test(text.slice(end - 1, end + 2));
	return !isCut;
}

const DECIMAL_BEFORE = /\p{Nd}[.,\u066b\u066c]$/u;
const DECIMAL_BEHIND = /^\p{Nd}[.,\u066b\u066c]\p{Nd}/u;

function joins(left = '', right = ''): boolean {
	return WORD_SIGN.test(left) && WORD_SIGN.test(right);
}

function passageOf(block: PageBlock, start: number, end: number): Passage {
	const { kind, path, text, cells, head } = block;
	// A sign or a unit at its ends belongs to a figure.
	const before = text.slice(Math.max(0, start - 20), start);
	const from = start - before.length + trimEnd(before, /\S/).length;
	const to = end + (/^\S*/.exec(text.slice(end, end + 20))?.[0].length ?? 0);
	const quote = text.slice(from, to);
	if (kind === 'row' && cells) {
		const titled = cells.map((cell, index) => withHead(cell, head?.[index]));
		const shown = titled.filter((cell) => cell !== '').join(' | ');
		return {
			quote,
			text: cutAt(shown, MAX_PASSAGE_CHARACTERS),
			path,
			figures: cellFigures(cells, head),
			row: shown,
		};
	}
	const all = sentencesIn(block);
	const first = all.findIndex((one) => one.end > from);
	const last = all.findLastIndex((one) => one.start < to);
	const around = text.slice(all[Math.max(0, first - 1)]?.start ?? 0, all[last + 1]?.end ?? text.length);
	const isLong = around.length > MAX_PASSAGE_CHARACTERS;
	const within = isLong ? text.slice(Math.max(0, from - 100), Math.max(to, from + MAX_PASSAGE_CHARACTERS)) : around;
	return { quote, text: within.trim(), path, figures: [quote] };
}

function withHead(cell: string, head = ''): string {
	return head === '' || cell === '' ? cell : `${head}: ${cell}`;
}

/** The unit or scale in the head of a column belongs to its figures: under `Share (%)`, 45.3 is 45.3 %. */
function cellFigures(cells: readonly string[], head: readonly string[] = []): string[] {
	return cells.flatMap((cell, index) => {
		const title = head[index] ?? '';
		const unit = /[([,](?:\s?in\s)?([^()[\]]{1,20})[)\]]?$|\bin\s(\S{1,15})$/i.exec(title.trim());
		const named = (unit?.[1] ?? unit?.[2] ?? '').trim();
		return [cell, title, ...(named === '' ? [] : [`${cell} ${named}`])];
	});
}

const bounds = new Intl.Segmenter('en', { granularity: 'sentence' });

const sentencesOfBlocks = new WeakMap<PageBlock, Sentence[]>();

/** The sentences of a block, found once: a page may be one block, and many claims may stand in it. */
export function sentencesIn(block: PageBlock): Sentence[] {
	const known = sentencesOfBlocks.get(block);
	if (known) return known;
	const sentences = sentencesOf(block.text);
	sentencesOfBlocks.set(block, sentences);
	return sentences;
}

/** Whether what ends with a full stop is no end: an abbreviation, or the day of a date ("5. Mai"). */
function goesOn(before: string, behind: string): boolean {
	const end = before.slice(-LONGEST_ABBREVIATION).trimEnd();
	if (!end.endsWith('.')) return false;
	const [day] = /(?<=^|\s)\p{Nd}{1,2}\.$/u.exec(end) ?? [];
	if (day === undefined) return isShortened(end, behind);
	const [month = ''] = behind.match(/^[\p{L}\p{M}]+/u) ?? [];
	return monthsNamed(month.toLowerCase()).length > 0;
}

/** Characters that are looked at together for sentences; a longer sentence is cut. */
const WINDOW = 4000;

/**
 * The sentences of a text, window by window: Intl.Segmenter of Node.js 20 takes a time that grows with the square of the
 * length. The last sentence of a window may go on, so the next window begins with it.
 */
function sentencesOf(text: string): Sentence[] {
	const sentences: Sentence[] = [];
	for (let from = 0; from < text.length;) {
		const window = text.slice(from, from + WINDOW);
		const found = [...bounds.segment(window)];
		const isEnd = from + WINDOW >= text.length;
		const whole = isEnd || found.length === 1 ? found : found.slice(0, -1);
		for (const { index, segment } of whole) {
			const [start, end] = [from + index, from + index + segment.length];
			const last = sentences.at(-1);
			if (last && last.end - last.start < WINDOW && goesOn(text.slice(last.start, start), segment)) last.end = end;
			else sentences.push({ start, end });
		}
		from = sentences.at(-1)?.end ?? text.length;
	}
	return sentences;
}

/** Lists that a line leads to are introduced by lines of at most so many characters. */
const MAX_LEAD_CHARACTERS = 300;

/** A rule between paragraphs. */
const RULE = /^\s{0,3}(?:[-*_=]\s*){3,}$/;

/** The blocks of a page's readable text, in their order. Headings stand above the others, and are blocks themselves. */
function blocksOf(text: string): PageBlock[] {
	const blocks: PageBlock[] = [];
	let isItem = false;
	let lead = '';
	const addText = (lines: readonly string[], headings: string) => {
		const plain = evenOut(lines.join('\n').replace(ITEM, ''));
		if (plain === '') return;
		const path = [headings, isItem ? lead : ''].filter((one) => one !== '').join(' > ');
		blocks.push({ kind: isItem ? 'item' : 'text', path, text: plain });
		if (!isItem) lead = plain.endsWith(':') && plain.length < MAX_LEAD_CHARACTERS ? plain : '';
	};
	const addRows = (lines: readonly string[], path: string, head?: string[]) => {
		isItem = false;
		for (const cells of lines.filter((line) => !isDelimiterRow(line)).map(cellsOf)) {
			const joined = cells.filter((cell) => cell !== '').join(' ');
			if (joined !== '') blocks.push({ kind: 'row', path, text: joined, cells, ...(head && { head }) });
		}
	};
	/** A paragraph: each item of a list by itself, and rows of a table that has no header. */
	const addParagraph = (lines: readonly string[], path: string) => {
		let open: string[] = [];
		const close = () => {
			addText(open, path);
			open = [];
		};
		for (const line of lines) {
			const isRow = /^\s*\|.*\|\s*$/.test(line);
			if (isRow || ITEM.test(line) || RULE.test(line)) close();
			if (isRow) addRows([line], path);
			else if (!RULE.test(line)) {
				isItem ||= ITEM.test(line);
				open.push(line);
			}
		}
		close();
	};
	for (const { kind, text: raw, headingPath } of markdownBlocks(text)) {
		const lines = raw.split('\n').filter((line) => line.trim() !== '');
		const [first = '', second = ''] = lines;
		if (kind === 'heading' && lines.length <= 2 && raw.length <= MAX_LEAD_CHARACTERS) {
			isItem = false;
			lead = '';
			const title = evenOut(trimEnd(lines.join(' '), /[=\s-]/));
			const path = headingPath.split(' > ').slice(0, -1).join(' > ');
			if (title !== '') blocks.push({ kind: 'heading', path, text: title });
		} else if (kind === 'table') {
			const head = cellsOf(first);
			addRows([first], headingPath);
			addRows(lines.slice(isDelimiterRow(second) ? 2 : 1), headingPath, head);
		} else if (isFence(first)) {
			isItem = false;
			for (const line of lines.filter((one) => !isFence(one))) addText([line], headingPath);
		} else {
			// A list goes on behind a blank line where what follows is indented.
			isItem = isItem && /^\s{2,}\S/.test(first);
			addParagraph(lines, headingPath);
		}
	}
	return blocks;
}

function cellsOf(line: string): string[] {
	return rowCells(line).map((cell) => evenOut(cell));
}
