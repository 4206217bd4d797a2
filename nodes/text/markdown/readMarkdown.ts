/** Whether a block ends with this line; `isFirst` for the line that opened it. */
type EndOf = (line: string, isFirst: boolean) => boolean;

/** Signs that may stand before code in a list or a quotation. */
const FENCE = /^(?:[\s>]|[-*+]\s|\d{1,9}[.)]\s)*(`{3,}|~{3,})(.*)/;
const CLOSING = /^[\s>]*(`{3,}|~{3,})\s*$/;

/** Fenced code that this line opens; undefined where it opens none. */
function readFence(line: string): EndOf | undefined {
	const [, fence, info = ''] = FENCE.exec(line) ?? [];
	// Three backticks with one behind them are code inside a line.
	if (fence === undefined || (fence.startsWith('`') && info.includes('`'))) return undefined;
	return (other, isFirst) => {
		const [, closing = ''] = (!isFirst && CLOSING.exec(other)) || [];
		return closing.length >= fence.length && closing[0] === fence[0];
	};
}

/** Whether a line opens or closes fenced code. */
export function isFence(line: string): boolean {
	return readFence(line) !== undefined;
}

/** HTML that holds no Markdown: code and tables, which stay whole, and what nobody sees. */
const RAW_ELEMENT = /^(?:[\s>]|[-*+]\s|\d{1,9}[.)]\s)*<(pre|table|script|style|!--)/i;

/** The same behind a text, where it is not named as code: the last in the line. */
function rawBehindText(line: string): string | undefined {
	return line.includes('`') ? undefined : Array.from(line.matchAll(/<(pre|table)\b/gi), ([, name]) => name).at(-1);
}

/** An element in HTML that this line opens, and what it is as a block; undefined where it opens none. */
function rawElementOf(line: string): { name: string; kind: MarkdownBlock['kind']; isEnd: EndOf } | undefined {
	const found = RAW_ELEMENT.exec(line)?.[1] ?? rawBehindText(line);
	if (found === undefined) return undefined;
	const name = found.toLowerCase();
	if (name === '!--') return { name, kind: 'text', isEnd: (other) => other.includes('-->') };
	// A table may stand in a cell of another one.
	const tags = new RegExp(`<(/?)${name}\\b`, 'gi');
	let open = 0;
	return {
		name,
		kind: name === 'table' ? 'htmlTable' : name === 'pre' ? 'code' : 'text',
		isEnd(other, isFirst) {
			if (isFirst) open = 0;
			const closed = [...other.matchAll(tags)].filter(([, slash]) => {
				open += slash === '/' ? -1 : 1;
				return slash === '/';
			}).length;
			return closed > 0 && (name !== 'table' || open <= 0);
		},
	};
}

/** A line of code by its indentation alone. */
function isIndented(line: string): boolean {
	return /^(?: {4}|\t)\s*\S/.test(line);
}

/** The end of the front matter of a page, as the number of the line behind it; undefined where it has none. */
function endOfFrontMatter(lines: readonly string[]): number | undefined {
	const [first = '', second = ''] = lines;
	// A line under a rule is a setting only by its colon: a page may begin with a rule.
	if (!/^---\s*$/.test(first) || !/^[\w"'-]+\s*:/.test(second)) return undefined;
	const end = lines.findIndex((line, at) => at > 1 && /^(?:---|\.\.\.|)\s*$/.test(line));
	return (lines[end] ?? '').trim() === '' ? undefined : end + 1;
}

const HASHES = /^ {0,3}(#{1,6})(?=\s|$)/;

/** A heading of one line: `## Install ##`. */
function readHeading(line: string): { level: number; title: string } | undefined {
	const [before = '', hashes = ''] = HASHES.exec(line) ?? [];
	if (hashes === '') return undefined;
	const title = line.slice(before.length).trim();
	let end = title.length;
	while (end > 0 && title[end - 1] === '#') end -= 1;
	// Hashes at the end belong to the title unless a space stands before them: `C#`.
	const isClosed = end === 0 || /\s/.test(title.charAt(end - 1));
	return { level: hashes.length, title: isClosed ? title.slice(0, end).trim() : title };
}

/** The level of the heading that this line makes of the paragraph above it; undefined for any other line. */
function underlineLevel(line: string): 1 | 2 | undefined {
	const [, underline] = /^ {0,3}(=+|-+)\s*$/.exec(line) ?? [];
	if (underline === undefined) return undefined;
	return underline.startsWith('=') ? 1 : 2;
}

/** The second line of a table: `| --- | :-: |`. */
export function isDelimiterRow(line: string): boolean {
	if (!line.includes('|')) return false;
	// By its cells: one pattern for the row would take minutes on a row of many spaces.
	const row = line.trim().replace(/^[\s>]+/, '');
	const cells = row.replace(/^\||\|$/g, '').split('|');
	return cells.every((cell) => /^:?-+:?$/.test(cell.trim()));
}

/** The cells of a row of a table, as they are written. */
export function rowCells(line: string): string[] {
	return line
		.trim()
		.replace(/^\||\|$/g, '')
		.split(/(?<!\\)\|/);
}

/** True for a line that begins a block of its own even without an empty line before it. */
function isOpenedBy(line: string): boolean {
	return (readFence(line) ?? rawElementOf(line) ?? readHeading(line)) !== undefined;
}

/** A part of a Markdown text that begins and ends with whole lines. */
export interface MarkdownBlock {
	kind: 'heading' | 'table' | 'htmlTable' | 'code' | 'text';
	/** As it stands in the text, with its line ends and the empty lines behind it. */
	text: string;
	/** Of a heading, 1 to 6. */
	level?: number;
	/** The headings that it stands under, itself among them: `Guide > Install`; empty before the first. */
	headingPath: string;
}

/** A paragraph that is a list or a quotation has no heading of two lines (CommonMark, setext headings). */
const LIST_OR_QUOTE = /^\s*(?:[-*+>]|\d{1,9}[.)])(?=\s|$|>)/;

/** The parts of a Markdown text; together they are the text. */
export function markdownBlocks(text: string): MarkdownBlock[] {
	return new BlockReader(linesOf(text)).read();
}

/** The same text with each underlined heading (`Title` above `=====`) as one line: `# Title`. */
export function withHashHeadings(text: string): string {
	const parts = markdownBlocks(text).map(({ kind, text: block, level = 1 }) => {
		if (kind !== 'heading' || readHeading(block)) return block;
		const lines = linesOf(block);
		const underline = lines.findLastIndex((line) => underlineLevel(line.trimEnd()) !== undefined);
		const title = lines.slice(0, underline).map((line) => line.trim());
		return `${'#'.repeat(level)} ${title.join(' ')}\n${lines.slice(underline + 1).join('')}`;
	});
	return parts.join('');
}

/** The lines of a text, with their ends. */
function linesOf(text: string): string[] {
	const lines: string[] = [];
	let from = 0;
	for (const { index, 0: end } of text.matchAll(/\r\n?|\n/g)) {
		lines.push(text.slice(from, index + end.length));
		from = index + end.length;
	}
	return from < text.length ? [...lines, text.slice(from)] : lines;
}

class BlockReader {
	private readonly blocks: MarkdownBlock[] = [];

	/** Lines of the paragraph that is being read. */
	private paragraph: string[] = [];

	private at = 0;

	private readonly path: Array<{ level: number; title: string }> = [];

	/** A line that is indented below a list belongs to it. */
	private isInList = false;

	/** Names of elements that nothing closes. */
	private readonly unclosed = new Set<string>();

	constructor(private readonly lines: readonly string[]) {}

	read(): MarkdownBlock[] {
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
		if (fence) return this.readPart('code', this.lineAfter(fence) ?? this.lines.length);
		const element = this.elementOf(line);
		if (element) return this.readPart(element.kind, element.end);
		const heading = readHeading(line);
		if (heading) {
			this.endParagraph();
			this.isInList = false;
			this.at += 1;
			return this.addHeading(heading.level, heading.title, line);
		}
		if (this.isTable(line)) return this.readPart('table', this.endOfTable());
		if (this.isCode(line)) return this.readPart('code', this.endOfCode());
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
		this.addHeading(level, title, text);
	}

	private add(kind: MarkdownBlock['kind'], text: string, level?: number): void {
		const headingPath = this.path.map((heading) => heading.title).join(' > ');
		this.blocks.push({ kind, text, headingPath, ...(level !== undefined && { level }) });
	}

	private addHeading(level: number, signed: string, text: string): void {
		while ((this.path.at(-1)?.level ?? 0) >= level) this.path.pop();
		const title = plainTitle(signed);
		if (title !== '') this.path.push({ level, title });
		this.add('heading', text, level);
	}

	/** An empty line ends a paragraph, and belongs to what is before it. */
	private readEmpty(line: string): void {
		this.endParagraph();
		const last = this.blocks.at(-1);
		if (last) last.text += line;
		else this.add('text', line);
		this.at += 1;
	}

	private readPart(kind: MarkdownBlock['kind'], end: number): void {
		this.endParagraph();
		this.add(kind, this.lines.slice(this.at, end).join(''));
		this.at = end;
	}

	/** Behind the end of what this line opens; undefined where it has none. */
	private lineAfter(isEnd: EndOf): number | undefined {
		for (let at = this.at; at < this.lines.length; at += 1)
			if (isEnd(this.lines[at] ?? '', at === this.at)) return at + 1;
		return undefined;
	}

	/** An element that is not closed is text. What has no end once has none further down. */
	private elementOf(line: string): { kind: MarkdownBlock['kind']; end: number } | undefined {
		const element = rawElementOf(line);
		if (!element || this.unclosed.has(element.name)) return undefined;
		const end = this.lineAfter(element.isEnd);
		if (end !== undefined) return { kind: element.kind, end };
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
		this.add('text', this.paragraph.join(''));
		this.paragraph = [];
	}
}

/** Longer titles are no titles: a page that puts everything into one heading. */
const MAX_TITLE = 200;

/** A heading as a person reads it: without the signs of Markdown, links and tags. */
function plainTitle(title: string): string {
	return (
		title
			// A bound for the patterns below, too.
			.slice(0, 5 * MAX_TITLE)
			.replace(/!?\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, (_link, text: string) => (isAnchor(text) ? '' : text))
			.replace(/<\/?[a-z][^<>]*>/gi, '')
			.replace(/(\*\*|__|~~|`+)/g, '')
			.replace(/(^|\s)[*_](?=\S)|(?<=\S)[*_](?=\s|$)/g, '$1')
			.replace(/\\([!-/:-@[-`{-~])/g, '$1')
			.replace(/[\u00ad\u200b\u2060\ufeff]/g, '')
			.replace(/\s+/g, ' ')
			.trim()
			.slice(0, MAX_TITLE)
			.replace(/\p{Surrogate}$/u, '')
			.trim()
	);
}

/** The sign that documentation puts beside a heading to link to it. */
function isAnchor(text: string): boolean {
	return /^[\s#¶§\u00ad\u200b\u2060\ufeff🔗]*$/u.test(text);
}
