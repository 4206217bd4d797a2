import type { INodeExecutionData } from 'n8n-workflow';

const LONGEST_TEXT = 120;
const MAX_IN_A_LIST = 2;

/** What is different in each run, as one and the same text. */
function steady(text: string): string {
	return text
		.replace(/http:\/\/127\.0\.0\.1:\d+/g, 'https://site.example')
		.replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '0c5f7e0a-…')
		.replace(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z/g, '2026-01-01T12:00:00.000Z');
}

function shown(value: unknown): unknown {
	if (typeof value === 'string') {
		const text = steady(value);
		return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)} …` : text;
	}
	if (Array.isArray(value)) {
		const rest = value.length - MAX_IN_A_LIST;
		const first = value.slice(0, MAX_IN_A_LIST).map(shown);
		return rest > 0 ? [...first, `… ${rest} more`] : first;
	}
	if (typeof value === 'object' && value !== null) {
		return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shown(one)]));
	}
	return value;
}

/** The first item as a reader would want to see it: short, and the same in each run. */
export function shownItem(item: INodeExecutionData | undefined): unknown {
	return shown(item?.json);
}

/** What a file of sections shows: the text above the example, and the example, by the section's title. */
export function readSections(markdown: string): Map<string, { count: string; item: unknown }> {
	const sections = markdown.matchAll(/^## (.+)\n\n(.+)\n\n```json\n([\s\S]+?)\n```$/gm);
	return new Map(
		Array.from(sections, ([, title = '', count = '', json = '']) => [
			title,
			{ count, item: JSON.parse(json) as unknown },
		]),
	);
}

/** A golden file: a list as JSON, with an entry a line. */
export function jsonLines(entries: unknown[]): string {
	return `[\n${entries.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`;
}
