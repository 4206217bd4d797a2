import { markdownBlocks } from './readMarkdown';
import type { MarkdownBlock } from './readMarkdown';

/** A part of a text, and the headings that it stands under. */
export interface Section {
	text: string;
	/** `Guide > Install > Docker`; empty before the first heading. */
	headingPath: string;
}

interface OpenSection {
	blocks: MarkdownBlock[];
	headingPath: string;
	level: number;
}

/**
 * Code and tables up to this length stay whole. About the 8,191 tokens that common embedding models take (OpenAI's
 * text-embedding-3), also where each character is a token of its own.
 */
const WHOLE_CHARACTERS = 8000;

/**
 * Cuts a Markdown text at its headings. A section of more than `maxCharacters` is cut between its paragraphs, and a
 * paragraph that is longer by itself inside. Tables and code stay whole up to WHOLE_CHARACTERS; a longer table is cut
 * between its rows, each part under the header, and longer code between its lines. Nothing but empty lines is lost
 * between the sections.
 */
export function cutAtHeadings(text: string, maxCharacters: number): Section[] {
	return sectionsOf(markdownBlocks(text)).flatMap(({ blocks, headingPath }) =>
		packed(blocks, maxCharacters)
			.map(withoutEmptyLines)
			.filter((piece) => piece !== '')
			.map((piece) => ({ text: piece, headingPath })),
	);
}

function sectionsOf(blocks: readonly MarkdownBlock[]): OpenSection[] {
	const sections: OpenSection[] = [];
	for (const block of blocks) {
		const { level = 0, headingPath, kind } = block;
		const last = sections.at(-1);
		// A title above the first subtitle says nothing by itself.
		const isAbove = last && last.level < level && last.blocks.every((one) => one.kind === 'heading');
		if (last && (kind !== 'heading' || isAbove)) {
			last.blocks.push(block);
			if (isAbove) Object.assign(last, { headingPath, level });
		} else sections.push({ blocks: [block], headingPath, level });
	}
	return sections;
}

/** The blocks of a section as pieces. A heading is not left alone. */
function packed(blocks: readonly MarkdownBlock[], max: number): string[] {
	const pieces: string[] = [];
	let current = '';
	let isOnlyHeading = true;
	const end = () => {
		if (current !== '') pieces.push(current);
		current = '';
	};
	for (const { kind, text } of blocks) {
		// Empty lines at its end are not put out.
		const length = text.trimEnd().length;
		const isWhole = kind === 'table' || kind === 'htmlTable' || kind === 'code';
		if (current.length + length > max && !(isOnlyHeading && current.length <= max / 2)) end();
		if (current.length + length <= (isWhole ? Math.max(max, WHOLE_CHARACTERS) : max)) current += text;
		else {
			const room = isWhole ? Math.max(max, WHOLE_CHARACTERS) : max;
			const [first = '', ...others] = cutBlock(kind, text, room - current.length, room);
			current += first;
			for (const piece of others) {
				end();
				current = piece;
			}
		}
		isOnlyHeading = kind === 'heading' && (isOnlyHeading || current === text);
	}
	end();
	return pieces;
}

function cutBlock(kind: MarkdownBlock['kind'], text: string, firstMax: number, max: number): string[] {
	if (kind === 'table') return cutTable(text, partsOfTable(text), firstMax, max);
	if (kind === 'htmlTable') return cutTable(text, partsOfHtmlTable(text), firstMax, max);
	return cutText(text, firstMax, max);
}

/** A table as it is cut: what stands above each part of it, its rows, and what ends each part but the last. */
interface TableParts {
	/** Before the header, in the first part only. */
	before: string;
	header: string;
	rows: readonly string[];
	end: string;
}

function partsOfTable(table: string): TableParts {
	const [title = '', rule = '', ...rows] = table.split(/(?<=\n)/);
	return { before: '', header: title + rule, rows, end: '' };
}

/** A table of HTML: its header are its tag and the first rows, as long as these hold headings only. */
function partsOfHtmlTable(table: string): TableParts {
	const start = table.search(/<table\b/i);
	const ends: number[] = [];
	let depth = 0;
	for (const { index, 0: tag } of table.matchAll(/<\/?table\b|<\/tr\s*>/gi)) {
		if (/^<\/tr/i.test(tag)) {
			if (depth === 1) ends.push(index + tag.length);
		} else depth += tag.startsWith('</') ? -1 : 1;
	}
	const rowsFrom = (from: number, at: number) =>
		[...ends.slice(at), table.length].map((end, index, all) => table.slice(all[index - 1] ?? from, end));
	const [, opening = ''] = /^(<table\b[^<>]*>)/i.exec(table.slice(start)) ?? [];
	let [from, at] = [start + opening.length, 0];
	for (const row of rowsFrom(from, 0)) {
		if (!/<th[\s>]/i.test(row) || /<td[\s>]/i.test(row)) break;
		from += row.length;
		at += 1;
	}
	// The end of the header belongs to it.
	from += /^\s*<\/thead\s*>/i.exec(table.slice(from))?.[0].length ?? 0;
	const rows = rowsFrom(from, at);
	return { before: table.slice(0, start), header: table.slice(start, from), rows, end: '</table>' };
}

/** Cuts a table between its rows, and puts its header above each part. A row that is longer by itself is cut as text. */
function cutTable(table: string, { before, header, rows, end }: TableParts, firstMax: number, max: number): string[] {
	const own = header.length + end.length;
	if (own > max / 2) return cutText(table, firstMax, max);
	const pieces: string[] = [];
	let current = before + header;
	let isEmpty = true;
	const close = () => {
		pieces.push(current + end);
		current = header;
		isEmpty = true;
	};
	for (const row of rows) {
		const room = (pieces.length === 0 ? firstMax : max) - end.length;
		if (current.length + row.trimEnd().length > room && !isEmpty) close();
		for (const [index, piece] of cutText(row, max - own, max - own).entries()) {
			if (index > 0) close();
			current += piece;
			isEmpty = false;
		}
	}
	return [...pieces, current];
}

/** A section of fewer characters says little by itself. */
const SMALL_CHARACTERS = 200;

/**
 * Joins small sections of a page with their neighbours, as long as both together have at most `maxCharacters`: with
 * those behind until they are small no more, the last with the one before. What is joined stands under the headings of
 * the part that is not small, else under those that both have.
 */
export function withoutSmall(sections: readonly Section[], maxCharacters: number): Section[] {
	const small = Math.min(SMALL_CHARACTERS, maxCharacters / 2);
	const join = (all: Section[], section: Section, isWanted: (last: Section) => boolean) => {
		const last = all.at(-1);
		const fits = last && last.text.length + 2 + section.text.length <= maxCharacters;
		if (fits && isWanted(last)) all[all.length - 1] = joined(last, section, small);
		else all.push(section);
		return all;
	};
	const forward = sections.reduce<Section[]>((all, one) => join(all, one, ({ text }) => text.length < small), []);
	return forward.reduce<Section[]>((all, one) => join(all, one, () => one.text.length < small), []);
}

function joined(first: Section, second: Section, small: number): Section {
	const text = `${first.text}\n\n${second.text}`;
	const large = [second, first].find((one) => one.text.length >= small);
	if (large) return { text, headingPath: large.headingPath };
	const [left, right] = [first.headingPath.split(' > '), second.headingPath.split(' > ')];
	const end = left.findIndex((title, index) => title !== right[index]);
	return { text, headingPath: (end < 0 ? left : left.slice(0, end)).join(' > ') };
}

/** Spaces at the beginning of the first line may be an indentation. */
function withoutEmptyLines(text: string): string {
	return text.replace(/^(?:[^\S\r\n]*[\r\n]+)+/, '').trimEnd();
}

/**
 * Cuts a text into pieces of at most `max` characters, the first of at most `firstMax`: at the end of a line, else of
 * a sentence, else of a word, else anywhere but inside a character. Together the pieces are the text.
 */
function cutText(text: string, firstMax: number, max: number): string[] {
	const pieces: string[] = [];
	let from = 0;
	while (from < text.length) {
		const room = pieces.length === 0 ? firstMax : max;
		const end = text.length - from <= room ? text.length : from + cutWithin(text, from, room);
		pieces.push(text.slice(from, end));
		from = end;
	}
	return pieces;
}

/** The end of the first piece behind `from`: of a line, a sentence or a word within `room`, else of a character. */
export function cutWithin(text: string, from: number, room: number): number {
	const within = text.slice(from, from + room);
	const ends = [
		within.lastIndexOf('\n') + 1,
		lastEnd(within, /[.!?…]["'”’)\]]*\s+(?=\S)|[。！？]/g),
		lastEnd(within, /\s/g),
	];
	// A piece that is nearly empty helps nobody: then the next best place counts.
	const best = ends.find((end) => end > room / 4) ?? Math.max(...ends);
	return best > 0 ? best : wholeCharacters(text, from, room);
}

function lastEnd(text: string, pattern: RegExp): number {
	let end = 0;
	for (const match of text.matchAll(pattern)) end = match.index + match[0].length;
	return end;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Longest thing that is seen as one character, for the cut: joined emoji have about 30. */
const MAX_CHARACTER = 64;

/** The last place at or before `room` that is in no character, where one may have several codes, as joined emoji have. */
function wholeCharacters(text: string, from: number, room: number): number {
	const before = Math.min(room, MAX_CHARACTER);
	const at = from + room;
	const around = text.slice(at - before, at + MAX_CHARACTER);
	const start = graphemes.segment(around).containing(before)?.index ?? before;
	if (start > 0) return room - before + start;
	// One that is longer than a piece is cut, but not inside of a code.
	const last = text.charCodeAt(at - 1);
	return last >= 0xd800 && last < 0xdc00 && room > 1 ? room - 1 : room;
}
