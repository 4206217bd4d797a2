import type { ResearchActivity, ResearchRecord, ResearchSource } from './record';

/** What the reader of a report should know (docs/service-notes.md#deep-research). */
const CAUTION =
	'Written by a deep research service (legacy v1, alpha). Check critical facts by hand against the sources.';

/**
 * The report file: the analysis, numbered sources, a timeline of the activities. Markdown.
 * `query` is null for a job that was started elsewhere.
 */
export function writeReport(query: string | null, record: ResearchRecord): string {
	const parts = [
		`# ${plain(query ?? 'Deep research')}`,
		`> ${CAUTION}`,
		analysisText(record),
		...(isEmpty(record.json) || JSON.stringify(record.json) === JSON.stringify(record.finalAnalysis)
			? []
			: ['## JSON output', fenced(record.json)]),
		'## Sources',
		record.sources.length === 0
			? 'The service named no sources.'
			: record.sources.map(sourceLine).join('\n'),
		'## Timeline',
		record.activities.length === 0
			? 'The service logged no activities.'
			: record.activities.map(activityLine).join('\n'),
	];
	return `${parts.join('\n\n')}\n`;
}

function analysisText({ finalAnalysis, status }: ResearchRecord): string {
	if (typeof finalAnalysis === 'string' && finalAnalysis.trim() !== '') {
		return closed(finalAnalysis.trim());
	}
	if (!isEmpty(finalAnalysis)) return fenced(finalAnalysis);
	return status === 'completed'
		? 'The service wrote no analysis text.'
		: `There is no analysis yet: the job is "${status ?? 'unknown'}".`;
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

function sourceLine(source: ResearchSource, index: number): string {
	const title = plain(source.title) || plain(source.url) || 'Untitled';
	const link = /^https?:\/\//i.test(source.url) ? `[${title}](<${target(source.url)}>)` : title;
	const description = plain(source.description);
	return `${index + 1}. ${link}${description === '' ? '' : ` — ${description}`}`;
}

function activityLine({ timestamp, depth, type, status, message }: ResearchActivity): string {
	const when = plain(timestamp) || 'no time given';
	const where = depth === null ? '' : `, depth ${depth}`;
	return `- ${when}${where}: **${plain(type)}** (${plain(status)}) ${plain(message)}`;
}

/** Text from a page as one line that Markdown shows as it is: no link, image, code or HTML. */
function plain(text: string): string {
	return oneLine(text).replace(/[\\`*[\]<]/g, '\\$&');
}

/** What would end the angle brackets around a link's address, encoded. */
function target(url: string): string {
	return oneLine(url).replace(/[\s<>\\`]/g, encodeURIComponent);
}

function isEmpty(value: unknown): boolean {
	return value === '' || value === null || value === undefined;
}

function fenced(value: unknown): string {
	return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

function oneLine(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}
