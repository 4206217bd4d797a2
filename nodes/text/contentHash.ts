import { createHash } from 'node:crypto';
import { withoutVisits } from './addresses';
import { matchesOne, withoutParts } from './linePatterns';
import { evenMarkdown, evenText } from './markdown/evenMarkdown';
import { isRecord } from './values';

/** Characters of a content hash: 128 bits, in hexadecimal. */
const LENGTH = 32;

/** The version of the measure: what was compared by another one can be compared with nothing. */
export const MEASURE = 2;

/** Characters that take no room and that editors and pages leave behind: those that join emojis stay. */
const ZERO_WIDTH = /[\u00ad\u200b\u2060\ufeff]/g;

/** Content of a page that is compared where it has neither Markdown nor HTML, if it is there. */
const OTHER_CONTENT = ['json', 'extract', 'summary', 'answer', 'links', 'images', 'product', 'branding'];

/**
 * The lines of a page by which two visits are compared; undefined for a page with nothing to compare, such as a
 * screenshot alone. They are its title and one kind of content: its Markdown, otherwise the visible parts of its
 * HTML, otherwise its other data. A model's answer (`json`, `summary`) differs from visit to visit, so it does
 * not count where the text that it was made of is there.
 */
export function visibleLines(page: Readonly<Record<string, unknown>>): string[] | undefined {
	const content = contentLines(page);
	if (!content) return undefined;
	return [...titlesOf(page), ...content];
}

function titlesOf(page: Readonly<Record<string, unknown>>): string[] {
	const metadata: unknown = page.metadata;
	const title = page.title ?? (isRecord(metadata) ? metadata.title : undefined);
	return [title].flat().filter(isText).map(evenText);
}

/** Whether of a page, by its `visibleLines`, only the title is there. */
export function isBlank(page: Readonly<Record<string, unknown>>, lines: readonly string[]): boolean {
	return lines.slice(titlesOf(page).length).every((line) => plainLine(line) === '');
}

/**
 * Those of the lines that count, as they are compared: without empty ones and those that one of the patterns matches, and
 * without the parts that one of `ignoredParts` matches; composed (NFC), each space and line break as one space, without
 * characters that take no room.
 */
export function comparedLines(
	lines: readonly string[],
	ignored: readonly RegExp[],
	ignoredParts: readonly RegExp[] = [],
): string[] {
	return lines
		.map(plainLine)
		.filter((line) => line !== '' && !matchesOne(line, ignored))
		.map((line) => (ignoredParts.length === 0 ? line : plainLine(withoutParts(line, ignoredParts))))
		.filter((line) => line !== '');
}

/**
 * A hash of 32 characters of the lines of a page, as `visibleLines` and `comparedLines` give them: the same content has
 * the same hash in every run, and in every version with the same MEASURE, and any visible change makes another. What a
 * reader does not see makes no difference: where lines break, how Markdown is written, ids of visits in targets of links.
 */
export function contentHash(compared: readonly string[]): string {
	return createHash('sha256').update(compared.join(' ')).digest('hex').slice(0, LENGTH);
}

function contentLines(page: Readonly<Record<string, unknown>>): string[] | undefined {
	if (isText(page.markdown)) return evenMarkdown(page.markdown);
	const html = [page.html, page.rawHtml].find(isText);
	if (html !== undefined) return visibleLinesOfHtml(html);
	const others = OTHER_CONTENT.filter((name) => page[name] !== undefined && page[name] !== null);
	if (others.length > 0) return others.map((name) => `${name}: ${sortedJson(page[name])}`);
	return [page.markdown, page.html, page.rawHtml].some((one) => typeof one === 'string') ? [] : undefined;
}

function plainLine(line: string): string {
	return line.normalize('NFC').replace(ZERO_WIDTH, '').replace(/\s+/g, ' ').trim();
}

/** JSON in which the order of fields makes no difference. */
function sortedJson(value: unknown): string {
	return JSON.stringify(value, (_name, part: unknown) => {
		if (!isRecord(part)) return part;
		return Object.fromEntries(Object.entries(part).sort(([left], [right]) => (left < right ? -1 : 1)));
	});
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}

/** Parts that nobody sees, to their end or to the end of the text, and tags. */
const MARKUP =
	/<!--[\s\S]*?(?:-->|$)|<(script|style|template|noscript)\b[\s\S]*?(?:<\/\1\s*>|$)|<\/?([a-z][^\s<>/]*)(?=[\s/>])([^<>]*)>|<![^<>]*>/gi;

/** Attributes that a visitor sees or follows; classes, ids and keys of scripts change without that. */
const ATTRIBUTE = /(?<=[\s"'])(href|src|alt|title|placeholder|value)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;

/** Of an input that nobody sees, such as the token of a form. */
const HIDDEN = /(?<=[\s"'])type\s*=\s*["']?hidden\b/i;

/**
 * The lines that a visitor sees of HTML, one for each text and each tag: tags with the names that set the layout, and
 * of their attributes only what is seen or followed. Scripts, styles and comments are left out.
 */
function visibleLinesOfHtml(html: string): string[] {
	return html
		.replace(MARKUP, (all: string, _hidden: unknown, name: unknown, attributes: unknown) => {
			if (typeof name !== 'string' || typeof attributes !== 'string') return '';
			if (/^input$/i.test(name) && HIDDEN.test(attributes)) return '';
			const closing = all.startsWith('</') ? '/' : '';
			return `\n<${closing}${name.toLowerCase()}${visibleAttributes(attributes)}>\n`;
		})
		.split(/\r\n?|\n/);
}

function visibleAttributes(attributes: string): string {
	const seen = [...attributes.matchAll(ATTRIBUTE)].map(([, name = '', ...values]) => {
		const value = values.find((one) => one !== undefined) ?? '';
		return ` ${name.toLowerCase()}=${withoutVisits(value.replaceAll('&amp;', '&'))}`;
	});
	return seen.sort().join('');
}
