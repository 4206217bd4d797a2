/** Whether a block ends with this line; `isFirst` for the line that opened it. */
export type EndOf = (line: string, isFirst: boolean) => boolean;

/** What may stand before code in a list or a quotation. */
const FENCE = /^(?:[\s>]|[-*+]\s|\d{1,9}[.)]\s)*(`{3,}|~{3,})(.*)/;
const CLOSING = /^[\s>]*(`{3,}|~{3,})\s*$/;

/** Fenced code that this line opens; undefined where it opens none. */
export function readFence(line: string): EndOf | undefined {
	const [, fence, info = ''] = FENCE.exec(line) ?? [];
	// Three backticks with one behind them are code inside a line.
	if (fence === undefined || (fence.startsWith('`') && info.includes('`'))) return undefined;
	return (other, isFirst) => {
		const [, closing = ''] = (!isFirst && CLOSING.exec(other)) || [];
		return closing.length >= fence.length && closing[0] === fence[0];
	};
}

/** HTML that holds no Markdown: code and tables, which stay whole, and what nobody sees. */
const RAW_ELEMENT = /^(?:[\s>]|[-*+]\s|\d{1,9}[.)]\s)*<(pre|table|script|style|!--)/i;

/** The same behind a text, where it is not named as code. */
const RAW_BEHIND_TEXT = /^[^`]*<(pre|table)\b[^`]*$/i;

/** An element in HTML that this line opens, and whether half of it would say nothing; undefined where it opens none. */
export function rawElementOf(
	line: string,
): { name: string; isWhole: boolean; isEnd: EndOf } | undefined {
	const [, found] = RAW_ELEMENT.exec(line) ?? RAW_BEHIND_TEXT.exec(line) ?? [];
	if (found === undefined) return undefined;
	const name = found.toLowerCase();
	if (name === '!--') return { name, isWhole: false, isEnd: (other) => other.includes('-->') };
	const isWhole = name === 'pre' || name === 'table';
	// A table may stand in a cell of another one.
	const tags = new RegExp(`<(/?)${name}\\b`, 'gi');
	let open = 0;
	return {
		name,
		isWhole,
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
export function isIndented(line: string): boolean {
	return /^(?: {4}|\t)\s*\S/.test(line);
}

/** Where the front matter of a page ends, as the number of the line behind it; undefined where it has none. */
export function endOfFrontMatter(lines: readonly string[]): number | undefined {
	const [first = '', second = ''] = lines;
	// A line under a rule is a setting only by its colon: a page may begin with a rule.
	if (!/^---\s*$/.test(first) || !/^[\w"'-]+\s*:/.test(second)) return undefined;
	const end = lines.findIndex((line, at) => at > 1 && /^(?:---|\.\.\.|)\s*$/.test(line));
	return (lines[end] ?? '').trim() === '' ? undefined : end + 1;
}

const HASHES = /^ {0,3}(#{1,6})(?=\s|$)/;

/** A heading of one line: `## Install ##`. */
export function readHeading(line: string): { level: number; title: string } | undefined {
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
export function underlineLevel(line: string): 1 | 2 | undefined {
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

/** True for a line that begins a block of its own even without an empty line before it. */
export function isOpenedBy(line: string): boolean {
	return (readFence(line) ?? rawElementOf(line) ?? readHeading(line)) !== undefined;
}
