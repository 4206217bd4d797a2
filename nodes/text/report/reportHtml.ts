import { withNumbers } from './citationForms';
import { FENCE, RULER, cellsOf, showLine } from './inlineMarks';
import type { LineForm } from './inlineMarks';

/**
 * A report as a page of its own: for a mail, a browser or a printer. Nothing is loaded, nothing runs. Markdown as
 * reports have it: headings, paragraphs, lists, quotations, tables, rules, code, and in a line bold, italic, struck
 * out, code and links. Whatever else stands there is shown as text.
 */

const STYLE = [
	':root{color-scheme:light dark}',
	'body{font:16px/1.5 system-ui,sans-serif;max-width:44em;margin:1.5em auto;padding:0 1em;overflow-wrap:anywhere}',
	'h1{font-size:1.4em;line-height:1.3}h2{font-size:1.2em;margin:1.6em 0 .4em}h3{font-size:1em;margin:1em 0 .3em}',
	'p{margin:.5em 0}ul,ol{margin:.5em 0;padding-inline-start:1.4em}table{border-collapse:collapse;display:block;overflow-x:auto}',
	'td,th{border:1px solid #888;padding:.3em .6em;text-align:start}',
	'blockquote{border-inline-start:3px solid #888;margin-inline-start:0;padding-inline-start:1em}pre{white-space:pre-wrap}',
	'footer{font-size:.8em;opacity:.7;border-top:1px solid #888;margin-top:2em}del{opacity:.7}',
	'@media print{body{margin:0;max-width:none}}',
].join('');

/** The parts of a page. Texts are Markdown, but for the title. */
interface HtmlReport {
	title: string;
	body: string;
	/** Small, below a line; empty for none. */
	footer: string;
	/** A tag such as `de`; left out where it is not known. */
	language?: string | undefined;
}

/** Most letters are of a script that is written from the right. */
function isFromTheRight(text: string): boolean {
	const letters = text.match(/\p{L}/gu)?.length ?? 0;
	const ofThese = text.match(/[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/gu)?.length ?? 0;
	return ofThese * 2 > letters;
}

/** The page. */
export function reportHtml({ title, body, footer, language }: HtmlReport): string {
	const name = escapeText(title);
	const small = footer === '' ? '' : `<footer>${markdownHtml(footer)}</footer>`;
	const lang = language === undefined ? '' : ` lang="${escapeText(language)}"`;
	const dir = isFromTheRight(`${title} ${withNumbers(body)}`) ? ' dir="rtl"' : '';
	return `<!DOCTYPE html><html${lang}${dir}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${name}</title><style>${STYLE}</style></head><body><h1>${name}</h1>${markdownHtml(body)}${small}</body></html>`;
}

function escapeText(text: string): string {
	return text
		.replace(/&(?!(?:lt|gt|amp|quot|#\d{1,6});)/g, '&amp;')
		.replace(/</g, '&lt;')
		.replace(/>/g, '&gt;')
		.replace(/"/g, '&quot;');
}

const HTML: LineForm = {
	text: escapeText,
	code: (plain) => `<code>${escapeText(plain)}</code>`,
	link: (shown, address) => `<a href="${escapeText(address)}">${shown}</a>`,
	bold: (shown) => `<strong>${shown}</strong>`,
	struck: (shown) => `<del>${shown}</del>`,
	italic: (shown) => `<em>${shown}</em>`,
};

/** A line with its marks as elements. */
const inlineHtml = (line: string): string => showLine(line, HTML);

const HEADING = /^ {0,3}(#{1,6})\s+(\S.*)?$/;
const RULE = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/;
const QUOTATION = /^ {0,3}>[>\s]*([^>\s].*)?$/;
const ITEM = /^(\s*)(?:[-*+]|(\d{1,9})[.)])\s+(\S.*)?$/;

const isRow = (line: string): boolean => cellsOf(line) !== undefined;

/** Markdown as elements. */
export function markdownHtml(markdown: string): string {
	const lines = markdown.split('\n');
	const parts: string[] = [];
	/** Takes lines as long as they fit. */
	const take = (at: number, fits: (line: string) => boolean): string[] => {
		let end = at;
		while (end < lines.length && fits(lines[end] ?? '')) end += 1;
		return lines.slice(at, end);
	};
	for (let at = 0; at < lines.length;) {
		const line = lines[at] ?? '';
		const heading = HEADING.exec(line);
		if (line.trim() === '') at += 1;
		else if (FENCE.test(line)) {
			const code = take(at + 1, (one) => !FENCE.test(one));
			parts.push(`<pre>${escapeText(code.join('\n'))}</pre>`);
			at += code.length + 2;
		} else if (heading) {
			const level = Math.min(6, (heading[1]?.length ?? 1) + 1);
			parts.push(`<h${level}>${inlineHtml(heading[2] ?? '')}</h${level}>`);
			at += 1;
		} else if (RULE.test(line)) {
			parts.push('<hr>');
			at += 1;
		} else if (QUOTATION.test(line)) {
			const quoted = take(at, (one) => QUOTATION.test(one));
			parts.push(
				`<blockquote>${markdownHtml(quoted.map((one) => QUOTATION.exec(one)?.[1] ?? '').join('\n'))}</blockquote>`,
			);
			at += quoted.length;
		} else if (ITEM.test(line)) {
			const items = take(at, (one) => ITEM.test(one) || /^\s+\S/.test(one));
			parts.push(listHtml(items));
			at += items.length;
		} else if (isRow(line)) {
			const rows = take(at, isRow);
			parts.push(tableHtml(rows));
			at += rows.length;
		} else {
			const isPlain = (one: string) =>
				one.trim() !== '' && !isRow(one) && ![FENCE, HEADING, RULE, QUOTATION, ITEM].some((other) => other.test(one));
			const paragraph = [line, ...take(at + 1, isPlain)];
			parts.push(`<p>${paragraph.map(inlineHtml).join('\n')}</p>`);
			at += paragraph.length;
		}
	}
	return parts.join('\n');
}

/** Lists within one another that are shown as such; deeper ones are items of the last. */
const MAX_DEPTH = 12;

/** Items of one list; those that are indented further are lists in it. */
function listHtml(lines: readonly string[], depth = 1): string {
	const [first = ''] = lines;
	const [, indent = '', number] = ITEM.exec(first) ?? [];
	const items: string[][] = [];
	for (const line of lines) {
		const found = ITEM.exec(line);
		if (found && (depth === MAX_DEPTH || (found[1]?.length ?? 0) <= indent.length)) items.push([found[3] ?? '']);
		else items.at(-1)?.push(line);
	}
	const shown = items.map(([text = '', ...below]) => {
		const isList = below.some((line) => ITEM.test(line));
		const rest =
			below.length === 0
				? ''
				: isList
					? listHtml(below, depth + 1)
					: ` ${inlineHtml(below.map((line) => line.trim()).join(' '))}`;
		return `<li>${inlineHtml(text)}${rest}</li>`;
	});
	if (number === undefined) return `<ul>${shown.join('')}</ul>`;
	return `<ol${number === '1' ? '' : ` start="${number}"`}>${shown.join('')}</ol>`;
}

function tableHtml(rows: readonly string[]): string {
	const cells = (row: string, name: string) =>
		`<tr>${(cellsOf(row) ?? []).map((cell) => `<${name}>${inlineHtml(cell)}</${name}>`).join('')}</tr>`;
	const hasRuler = rows.length > 1 && RULER.test(rows[1] ?? '');
	const [head = '', ...others] = rows;
	const hasHead = hasRuler && /[^|\s]/.test(head);
	const body = (hasRuler ? others.slice(1) : rows).map((row) => cells(row, 'td')).join('');
	return `<table>${hasHead ? `<thead>${cells(head, 'th')}</thead>` : ''}<tbody>${body}</tbody></table>`;
}
