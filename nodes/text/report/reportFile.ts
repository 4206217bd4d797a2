import { keyOf } from '../addresses';
import { trimEnd } from '../ends';

/** A page that a report rests on. */
interface ReportSource {
	number: number;
	title: string;
	url: string;
	description: string;
	/** Its site and what else places it, in a few words. */
	where?: string;
}

/** The parts of a report file, for Web Research and Deep Research alike. */
interface ReportFile {
	/** Its title. */
	query: string;
	/** The caution that a reader should read first, as Markdown: it stands above the text. Empty for nothing. */
	caution: string;
	/** Markdown. */
	analysis: string;
	/** Left out where undefined. */
	json?: unknown;
	/** Sections below, in this order: title and lines of Markdown. One without lines is left out. */
	sections: Array<[title: string, lines: readonly string[]]>;
	/** A line that stands last and small. */
	closing?: string;
}

/** A report file: the analysis, the JSON output, then lists. Markdown. */
export function writeReportFile({ query, caution, analysis, json, sections, closing = '' }: ReportFile): string {
	const parts = [
		`# ${plainLine(query)}`,
		caution === '' ? '' : `> ${caution}`,
		closed(analysis.trim()),
		...(json === undefined ? [] : ['## JSON output', fencedJson(json)]),
		...sections.flatMap(([title, lines]) => (lines.length === 0 ? [] : [`## ${title}`, lines.join('\n')])),
		closing === '' ? '' : `---\n\n*${closing}*`,
	];
	return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** A source as a line of a numbered list. What is no web address is not linked. */
export function sourceLine({ number, title, url, description, where = '' }: ReportSource): string {
	const name = plainLine(title) || plainLine(url) || 'Untitled';
	const link = /^https?:\/\//i.test(url) ? `[${name}](<${linkTarget(url)}>)` : name;
	const said = plainLine(description);
	const place = where === '' ? '' : ` · ${plainLine(where)}`;
	return `${number}. ${link}${place}${said === '' ? '' : `: ${said}`}`;
}

/** Text of a stranger as one line that Markdown shows as it is: no link, address, image, code or HTML. */
export function plainLine(text: string): string {
	return text
		.replace(/\s+/g, ' ')
		.trim()
		.replace(/[\\`*[\]<@]|:(?=\/\/)|(?<=\p{L})\.(?=\p{L})/gu, '\\$&');
}

/** Encodes signs that would end an address in a link of Markdown, whose angle brackets mails and texts do without. */
export function linkTarget(url: string): string {
	return url
		.trim()
		.replace(/\s+/g, ' ')
		.replace(/[\s<>\\`]/g, encodeURIComponent)
		.replaceAll('(', '%28')
		.replaceAll(')', '%29');
}

/** A value as a block of JSON in Markdown. */
export function fencedJson(value: unknown): string {
	return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

/** Closes a code block that a cut-off text leaves open: it would swallow the sources. */
function closed(markdown: string): string {
	let fence = '';
	for (const line of markdown.split('\n')) {
		const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
		if (fence === '') fence = mark;
		else if (mark.startsWith(fence) && line.trim() === mark) fence = '';
	}
	return fence === '' ? markdown : `${markdown}\n${fence}`;
}

/** Most characters of a question in the name of its file, and of one that is told from others by four more. */
const MAX_NAME = 60;
const MAX_MARKED_NAME = 55;

/** Signs in which two questions may differ, and that no file name has: C++ and C#. */
const TELLING = /[\p{S}#%&@*]/u;

/**
 * File name for a research report: letters and digits of the question, at most 60 characters. Where these do not tell it
 * from another one, four more do. `otherwise` stands for a question that has none.
 */
export function reportFileName(query: string, otherwise: string): string {
	const text = query
		.normalize('NFKD')
		.replace(/[\u0300-\u036f]/g, '')
		.normalize('NFC')
		.toLowerCase()
		.replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
		.replace(/^-/, '');
	const isMarked = TELLING.test(query) || [...trimEnd(text, /-/)].length > MAX_NAME;
	const words = trimEnd([...text].slice(0, isMarked ? MAX_MARKED_NAME : MAX_NAME).join(''), /-/);
	if (words === '') return `research-${otherwise}.md`;
	return `research-${words}${isMarked ? `-${keyOf(query).slice(-4)}` : ''}.md`;
}
