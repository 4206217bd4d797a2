import type { ResearchActivity, ResearchRecord, ResearchSource } from './record';

/** What the reader of a report should know, in the service's own terms (SERVICE section 1). */
const CAUTION =
	'Written by a deep research service (legacy v1, alpha). Check critical facts by hand against the sources.';

/**
 * The report file: the analysis, numbered sources, a timeline of the activities. Markdown.
 * `query` is null for a job that was started elsewhere.
 */
export function writeReport(query: string | null, record: ResearchRecord): string {
	const parts = [
		`# ${oneLine(query ?? 'Deep research')}`,
		`> ${CAUTION}`,
		analysisText(record),
		...(isEmpty(record.json) || record.json === record.finalAnalysis
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

/** File name for a report: letters and digits of the query, at most 60 characters. */
export function reportFileName(query: string | null, id: string): string {
	const words = (query ?? '')
		.normalize('NFKD')
		.replace(/\p{M}/gu, '')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, '-')
		.replace(/^-+|-+$/g, '')
		.slice(0, 60)
		.replace(/-+$/, '');
	return `research-${words === '' ? id : words}.md`;
}

function analysisText({ finalAnalysis, status }: ResearchRecord): string {
	if (typeof finalAnalysis === 'string' && finalAnalysis.trim() !== '') return finalAnalysis.trim();
	if (!isEmpty(finalAnalysis)) return fenced(finalAnalysis);
	return status === 'completed'
		? 'The service wrote no analysis text.'
		: `There is no analysis yet: the job is "${status ?? 'unknown'}".`;
}

function sourceLine(source: ResearchSource, index: number): string {
	const title = oneLine(source.title || source.url || 'Untitled').replace(/[[\]]/g, '\\$&');
	const link = /^https?:\/\//i.test(source.url) ? `[${title}](<${oneLine(source.url)}>)` : title;
	const description = oneLine(source.description);
	return `${index + 1}. ${link}${description === '' ? '' : ` — ${description}`}`;
}

function activityLine({ timestamp, depth, type, status, message }: ResearchActivity): string {
	const when = oneLine(timestamp) || 'no time given';
	const where = depth === null ? '' : `, depth ${depth}`;
	return `- ${when}${where}: **${oneLine(type)}** (${oneLine(status)}) ${oneLine(message)}`;
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
