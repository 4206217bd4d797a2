import { fillSchema } from '../text/fillSchema.ts';
import { rankPages, rankSentences, termsOf } from '../text/rankSentences.ts';
import type { Finding } from '../text/rankSentences.ts';
import type { ResearchResult, ResearchRequest, ResearchStep, Activity, ActivityType } from './researchJobs.ts';
import { OWN_PAGES } from '../search/webSearch.ts';
import type { PageText } from '../html/cleanHtml.ts';

const MOST_PAGES = 8;

/**
 * Research by words: the pages of the sandbox's own site that have most words of the query are read, all where none has
 * any, and their sentences are picked, without a language model.
 */
export function research(request: ResearchRequest): ResearchResult {
	const { analysisPrompt = '', query, formats, jsonOptions, maxUrls } = request;
	const fitting = rankPages(query, OWN_PAGES);
	// One page fewer than maxUrls: the recorded server stops before the last one (dr-06: 4 gave 3, dr-08: 1 gave none).
	const most = Math.min(Math.floor(maxUrls) - 1, MOST_PAGES);
	const read = (fitting.length > 0 ? fitting : OWN_PAGES).slice(0, most);
	const findings = rankSentences(read, termsOf(`${query} ${analysisPrompt} ${jsonOptions?.prompt ?? ''}`));
	return {
		steps: courseOf(request, read),
		finalAnalysis: formats.includes('markdown') ? writeAnalysis(request, read, findings) : '',
		json: formats.includes('json') ? fillSchema(jsonOptions?.schema, findings) : null,
	};
}

/** What a job does, in the words of recordings dr-02 to dr-04. */
function courseOf({ query, systemPrompt }: ResearchRequest, pages: readonly PageText[]): ResearchStep[] {
	const note = (type: ActivityType, status: Activity['status'], message: string): ResearchStep => {
		return { activity: { type, status, message, depth: 1 } };
	};
	return [
		note('search', 'processing', `Searching for "${query}" - Goal: Get an overview of ${query}`),
		...(systemPrompt ? [note('thought', 'complete', `Working under this guidance: ${systemPrompt}`)] : []),
		note('search', 'complete', `Found ${pages.length} new relevant results across 1 parallel queries`),
		...pages.flatMap(({ url, title, description, icon }): ResearchStep[] => [
			{ source: { url, title, description, icon } },
			note('extract', 'complete', `Read "${title}"`),
		]),
		note('analyze', 'complete', 'Analyzed findings'),
		note('synthesis', 'processing', 'Preparing final analysis'),
		note('synthesis', 'complete', 'Research completed'),
	];
}

const SUMMARY_SENTENCES = 3;
const SENTENCES_PER_SOURCE = 3;

const NOTE =
	'*This report was put together by the sandbox from sentences picked out of its own sample pages. No language model wrote it or checked it.*';

function cited({ text, sourceNumber, url }: Finding): string {
	return `${text} [${sourceNumber}](${url})`;
}

/** The report in Markdown: headings as in recording dr-04, each sentence with the source it comes from. */
function writeAnalysis(request: ResearchRequest, pages: readonly PageText[], findings: readonly Finding[]): string {
	const fitting = findings.filter(({ score }) => score > 0);
	const byPage = pages.flatMap((page) => {
		const own = fitting.filter(({ url }) => url === page.url).slice(0, SENTENCES_PER_SOURCE);
		return own.length === 0 ? [] : [`### ${page.title}`, own.map((finding) => `- ${cited(finding)}`).join('\n')];
	});
	const parts = [
		`# ${request.query}: what the sources say`,
		'## Summary',
		fitting.slice(0, SUMMARY_SENTENCES).map(cited).join(' ') || 'The pages say nothing on this.',
		'## Findings',
		...(byPage.length > 0 ? byPage : ['- (nothing found)']),
		'## Conclusion',
		`${pages.length} ${pages.length === 1 ? 'page was' : 'pages were'} read.`,
		...(request.analysisPrompt ? [`Focus asked for: ${request.analysisPrompt}`] : []),
		...(request.systemPrompt ? [`Guidance given: ${request.systemPrompt}`] : []),
		NOTE,
	];
	return `${parts.join('\n\n')}\n`;
}

/** A small made-up record: only for load tests, where the work itself would be the load. */
export function lightResult(request: ResearchRequest): ResearchResult {
	return {
		steps: courseOf(request, OWN_PAGES.slice(0, 1)),
		finalAnalysis: `# ${request.query}\n\nMade up for a load test [1](https://example.com/).\n`,
		json: request.formats.includes('json') ? {} : null,
	};
}
