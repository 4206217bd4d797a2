import { withoutVisits } from '../addresses';
import { withoutAges } from '../figures/figureNames';
import { isDelimiterRow, isFence } from './readMarkdown';

/** Targets of links in Markdown: `](target)`, `]: target`, `<https://…>`. */
const LINK_TARGET = /(\]\(<?|\]:[ \t]*<?|<(?=https?:))((?:[^\s<>()]|\([^\s<>()]*\))+)/gi;

/** Links of a heading to itself, and what marks its place: nobody reads them. */
const ANCHOR = /\[[\s#¶§\u200b\u{1f517}]{0,5}\]\(#[^()\s]*\)|<a\s+(?:name|id)=[^<>]*>\s*<\/a>|\s\{#[\w-]+\}\s*$/giu;

const ITEM = /^(\s*)([*+-])(\s+)(?=\S)/;
const NUMBERED = /^(\s*\d{1,9})[.)](?=\s)/;
const UNDERLINE = /^ {0,3}(=+|-{2,})\s*$/;
const RULE = /^\s{0,3}([-*_])(?:\s*\1){2,}\s*$/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+|$)/;

/**
 * The lines of a Markdown text by what a reader sees of it: one converter writes `*`, `__` and underlined headings, where
 * another writes `-`, `**` and `#`. Without anchors, ids of visits in the targets of links, and lengths of time that
 * count from today beside a date. Code stays as it is.
 */
export function evenMarkdown(markdown: string): string[] {
	const lines = markdown.split(/\r\n?|\n/);
	const even: string[] = [];
	let isCode = false;
	for (const [at, line] of lines.entries()) {
		if (isFence(line)) isCode = !isCode;
		if (isCode || isFence(line)) {
			even.push(line);
			continue;
		}
		const [, underline] = isUnderlined(lines, at) ? (UNDERLINE.exec(lines[at + 1] ?? '') ?? []) : [];
		if (underline !== undefined) even.push(`${underline.startsWith('=') ? '#' : '##'} ${evenText(line)}`);
		else if (!(UNDERLINE.test(line) && isUnderlined(lines, at - 1))) even.push(evenLine(lines, at));
	}
	return even;
}

/** Whether the line below makes this one a heading. */
function isUnderlined(lines: readonly string[], at: number): boolean {
	const line = lines[at] ?? '';
	const isText =
		line.trim() !== '' && !ITEM.test(line) && !HEADING.test(line) && !line.includes('|') && !RULE.test(line);
	return isText && UNDERLINE.test(lines[at + 1] ?? '');
}

function evenLine(lines: readonly string[], at: number): string {
	const line = lines[at] ?? '';
	if (RULE.test(line)) return '---';
	if (line.includes('|') && isDelimiterRow(line)) return '|---|';
	const [heading, marks = ''] = HEADING.exec(line) ?? [];
	if (heading !== undefined) return `${marks} ${evenText(line.slice(heading.length).replace(/(?:^|\s)#+\s*$/, ''))}`;
	const row = /^\s*\|(.*)\|\s*$/.exec(line);
	if (row)
		return `| ${(row[1] ?? '')
			.split(/(?<!\\)\|/)
			.map((cell) => evenText(cell).trim())
			.join(' | ')} |`;
	const [item, , mark = ''] = ITEM.exec(line) ?? [];
	if (item !== undefined && !isSign(lines, at, mark)) return `- ${evenText(line.slice(item.length))}`;
	return evenText(line.replace(NUMBERED, '$1.'));
}

/** A plus or a minus before a digit, unless the lines beside it are a list of the same mark. */
function isSign(lines: readonly string[], at: number, mark: string): boolean {
	if (mark === '*' || !/^\s*[+-]\s+[\p{Nd}\p{Sc}.,]/u.test(lines[at] ?? '')) return false;
	const isOfList = (line: string | undefined) => line !== undefined && ITEM.exec(line)?.[2] === mark;
	const before = lines.slice(0, at).findLast((line) => line.trim() !== '');
	const behind = lines.slice(at + 1).find((line) => line.trim() !== '');
	return !isOfList(before) && !isOfList(behind);
}

/** A text within a line. Code spans stay as they are. */
export function evenText(text: string): string {
	return withoutAges(text)
		.split(/(`[^`]*`)/)
		.map((part, at) => (at % 2 === 1 ? part : evenSpan(part)))
		.join('');
}

function evenSpan(text: string): string {
	return withoutEntities(text)
		.replace(ANCHOR, '')
		.replace(LINK_TARGET, (_all, before: string, target: string) => `${before}${withoutVisits(target)}`)
		.replace(/(?<![\\\p{L}\p{N}_])__(?=\S)([^_]+)(?<=\S)__(?![\p{L}\p{N}_])/gu, '**$1**')
		.replace(/(?<![\\\p{L}\p{N}_])_(?=\S)([^_]+)(?<=\S)_(?![\p{L}\p{N}_])/gu, '*$1*')
		.replace(/\\([!-/:-@[-`{-~])/g, '$1')
		.replace(/[\u2018\u2019\u201a\u201b\u2032]/g, "'")
		.replace(/[\u201c\u201d\u201e\u201f\u2033]/g, '"')
		.replace(/\u2026/g, '...');
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
	['amp', '&'],
	['lt', '<'],
	['gt', '>'],
	['quot', '"'],
	['apos', "'"],
	['nbsp', ' '],
	['lsquo', '\u2018'],
	['rsquo', '\u2019'],
	['ldquo', '\u201c'],
	['rdquo', '\u201d'],
	['hellip', '\u2026'],
	['ndash', '\u2013'],
	['mdash', '\u2014'],
	['copy', '\u00a9'],
	['reg', '\u00ae'],
	['euro', '\u20ac'],
]);

/** A text with the signs that its entities stand for. */
function withoutEntities(text: string): string {
	return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (all: string, decimal, hex, name) => {
		if (typeof name === 'string') return ENTITIES.get(name.toLowerCase()) ?? all;
		const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16);
		return code > 31 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : all;
	});
}
