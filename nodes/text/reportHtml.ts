/**
 * A report as a page of its own: for a mail, a browser or a printer. Nothing is loaded, nothing runs. Markdown as
 * reports have it: headings, paragraphs, lists, quotations, tables, rules, code, and in a line bold, italic, struck
 * out, code and links. Whatever else stands there is shown as text.
 */

const STYLE = [
	'body{font:16px/1.5 system-ui,sans-serif;color:#222;max-width:44em;margin:2em auto;padding:0 1em}',
	'h1{font-size:1.5em}h2{font-size:1.2em}table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.3em .6em}',
	'blockquote{border-left:3px solid #ccc;margin-left:0;padding-left:1em}pre{white-space:pre-wrap}',
	'footer{font-size:.8em;color:#666;border-top:1px solid #ccc;margin-top:2em}a{color:#06c}',
	'@media print{body{margin:0;max-width:none}}',
].join('');

/** The parts of a page. Texts are Markdown, but for the title. */
interface HtmlReport {
	title: string;
	body: string;
	/** Small, below a line; empty for none. */
	footer: string;
}

/** The page. */
export function reportHtml({ title, body, footer }: HtmlReport): string {
	const name = escapeText(title);
	const small = footer === '' ? '' : `<footer>${markdownHtml(footer)}</footer>`;
	return `<!DOCTYPE html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${name}</title><style>${STYLE}</style></head><body><h1>${name}</h1>${markdownHtml(body)}${small}</body></html>`;
}

function escapeText(text: string): string {
	return text
		.replace(/&(?!(?:lt|gt|amp|quot|#\d{1,6});)/g, '&amp;')
		.replace(/</g, '&lt;')
		.replace(/>/g, '&gt;')
		.replace(/"/g, '&quot;');
}

/** The marks in a line; the first that fits is taken. */
const MARKS =
	/\\([!-/:-@[-`{-~])|`([^`\n]{1,500})`|\[([^[\]\n]{1,500})\]\(<?(https?:\/\/[^\s<>()]{1,4000})>?\)|\*\*([^*\n]{1,1000})\*\*|~~([^~\n]{1,1000})~~|(?<![\p{L}\p{N}*])\*([^*\s][^*\n]{0,1000})\*(?![\p{L}\p{N}*])|<(https?:\/\/[^\s<>]{1,4000})>/gu;

/** A line with its marks as elements. */
function inlineHtml(text: string): string {
	let html = '';
	let from = 0;
	for (const match of text.matchAll(MARKS)) {
		const [whole, escaped, code, label, url, bold, struck, italic, address] = match;
		html += escapeText(text.slice(from, match.index));
		from = match.index + whole.length;
		if (escaped !== undefined) html += escapeText(escaped);
		else if (code !== undefined) html += `<code>${escapeText(code)}</code>`;
		else if (label !== undefined && url !== undefined) html += `<a href="${escapeText(url)}">${inlineHtml(label)}</a>`;
		else if (bold !== undefined) html += `<strong>${inlineHtml(bold)}</strong>`;
		else if (struck !== undefined) html += `<del>${inlineHtml(struck)}</del>`;
		else if (italic !== undefined) html += `<em>${inlineHtml(italic)}</em>`;
		else if (address !== undefined) html += `<a href="${escapeText(address)}">${escapeText(address)}</a>`;
	}
	return html + escapeText(text.slice(from));
}

const FENCE = /^ {0,3}(```|~~~)/;
const HEADING = /^ {0,3}(#{1,6})\s+(\S.*)?$/;
const RULE = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/;
const QUOTATION = /^ {0,3}>[>\s]*([^>\s].*)?$/;
const ITEM = /^(\s*)(?:[-*+]|(\d{1,9})[.)])\s+(\S.*)?$/;
const ROW = /^\s*\|(.*)\|\s*$/;
const RULER = /^[\s|:-]+$/;

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
		} else if (ROW.test(line)) {
			const rows = take(at, (one) => ROW.test(one));
			parts.push(tableHtml(rows));
			at += rows.length;
		} else {
			const isPlain = (one: string) =>
				one.trim() !== '' && ![FENCE, HEADING, RULE, QUOTATION, ITEM, ROW].some((other) => other.test(one));
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
		`<tr>${(ROW.exec(row)?.[1] ?? '')
			.split(/(?<!\\)\|/)
			.map((cell) => `<${name}>${inlineHtml(cell.trim())}</${name}>`)
			.join('')}</tr>`;
	const hasHead = rows.length > 1 && RULER.test(rows[1] ?? '');
	const [head = '', ...others] = rows;
	const body = (hasHead ? others.slice(1) : rows).map((row) => cells(row, 'td')).join('');
	return `<table>${hasHead ? `<thead>${cells(head, 'th')}</thead>` : ''}<tbody>${body}</tbody></table>`;
}
