import {
	endOfFrontMatter,
	isDelimiterRow,
	isIndented,
	isOpenedBy,
	rawElementOf,
	readFence,
	readHeading,
	underlineLevel,
} from './lines';
import type { EndOf } from './lines';

/** A part of a Markdown text that begins and ends with whole lines. */
export interface Block {
	/** `whole` is code or a table: half of it would say nothing. */
	kind: 'heading' | 'whole' | 'text';
	/** As it stands in the text, with its line ends and the empty lines behind it. */
	text: string;
	/** Of a heading, 1 to 6. */
	level?: number;
	/** Of a heading, without its signs. */
	title?: string;
}

/** Lines with their ends. */
const LINE = /[^\r\n]*(?:\r\n?|\n)|[^\r\n]+$/g;

/** A paragraph that is a list or a quotation has no heading of two lines (CommonMark, setext headings). */
const LIST_OR_QUOTE = /^\s*(?:[-*+>]|\d{1,9}[.)])(?=\s|$|>)/;

/** The parts of a Markdown text; together they are the text. */
export function markdownBlocks(text: string): Block[] {
	return new BlockReader(text.match(LINE) ?? []).read();
}

class BlockReader {
	private readonly blocks: Block[] = [];

	/** Lines of the paragraph that is being read. */
	private paragraph: string[] = [];

	private at = 0;

	/** What is indented below a list belongs to it. */
	private isInList = false;

	/** Names of elements that nothing closes. */
	private readonly unclosed = new Set<string>();

	constructor(private readonly lines: readonly string[]) {}

	read(): Block[] {
		const matter = endOfFrontMatter(this.lines);
		if (matter !== undefined) this.readPart('text', matter);
		while (this.at < this.lines.length) this.readLine(this.lines[this.at] ?? '');
		this.endParagraph();
		return this.blocks;
	}

	private readLine(line: string): void {
		if (line.trim() === '') return this.readEmpty(line);
		const fence = readFence(line);
		// Code that is not closed goes to the end of the text (CommonMark).
		if (fence) return this.readPart('whole', this.lineAfter(fence) ?? this.lines.length);
		const element = this.elementOf(line);
		if (element) return this.readPart(element.kind, element.end);
		const heading = readHeading(line);
		if (heading) return this.add({ kind: 'heading', text: line, ...heading });
		if (this.isTable(line)) return this.readPart('whole', this.endOfTable());
		if (this.isCode(line)) return this.readPart('whole', this.endOfCode());
		this.at += 1;
		const level = underlineLevel(line);
		const [first = ''] = this.paragraph;
		if (level === undefined || first === '' || LIST_OR_QUOTE.test(first)) {
			if (first === '' && !/^\s/.test(line)) this.isInList = LIST_OR_QUOTE.test(line);
			this.paragraph.push(line);
			return;
		}
		const title = this.paragraph.join(' ');
		const text = this.paragraph.join('') + line;
		this.paragraph = [];
		this.blocks.push({ kind: 'heading', text, level, title });
	}

	private add(block: Block): void {
		this.endParagraph();
		this.isInList = false;
		this.blocks.push(block);
		this.at += 1;
	}

	/** An empty line ends a paragraph, and belongs to what is before it. */
	private readEmpty(line: string): void {
		this.endParagraph();
		const last = this.blocks.at(-1);
		if (last) last.text += line;
		else this.blocks.push({ kind: 'text', text: line });
		this.at += 1;
	}

	private readPart(kind: 'whole' | 'text', end: number): void {
		this.endParagraph();
		this.blocks.push({ kind, text: this.lines.slice(this.at, end).join('') });
		this.at = end;
	}

	/** Behind the end of what this line opens; undefined where it has none. */
	private lineAfter(isEnd: EndOf): number | undefined {
		for (let at = this.at; at < this.lines.length; at += 1)
			if (isEnd(this.lines[at] ?? '', at === this.at)) return at + 1;
		return undefined;
	}

	/** An element that is not closed is text. What has no end once has none further down. */
	private elementOf(line: string): { kind: 'whole' | 'text'; end: number } | undefined {
		const element = rawElementOf(line);
		if (!element || this.unclosed.has(element.name)) return undefined;
		const end = this.lineAfter(element.isEnd);
		if (end !== undefined) return { kind: element.isWhole ? 'whole' : 'text', end };
		this.unclosed.add(element.name);
		return undefined;
	}

	/** Indented lines are code unless they go on with a paragraph or a list. */
	private isCode(line: string): boolean {
		return this.paragraph.length === 0 && !this.isInList && isIndented(line);
	}

	private endOfCode(): number {
		let end = this.at + 1;
		for (let at = end; at < this.lines.length; at += 1) {
			const line = this.lines[at] ?? '';
			if (isIndented(line)) end = at + 1;
			else if (line.trim() !== '') break;
		}
		return end;
	}

	private isTable(line: string): boolean {
		return line.includes('|') && isDelimiterRow(this.lines[this.at + 1] ?? '');
	}

	private endOfTable(): number {
		let at = this.at + 2;
		while (at < this.lines.length && !this.endsTable(this.lines[at] ?? '')) at += 1;
		return at;
	}

	private endsTable(line: string): boolean {
		return line.trim() === '' || isOpenedBy(line);
	}

	private endParagraph(): void {
		if (this.paragraph.length === 0) return;
		this.blocks.push({ kind: 'text', text: this.paragraph.join('') });
		this.paragraph = [];
	}
}
