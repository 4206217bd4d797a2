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

const RAW_ELEMENT = /^[\s>]*<(pre|table)\b/i;

/** A table or code in HTML that this line opens; undefined where it opens none. */
export function rawElementOf(line: string): { name: string; isEnd: EndOf } | undefined {
	const name = RAW_ELEMENT.exec(line)?.[1]?.toLowerCase();
	if (name === undefined) return undefined;
	return { name, isEnd: (other) => other.toLowerCase().includes(`</${name}`) };
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
