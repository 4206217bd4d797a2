import { fillSchema } from '../text/fillSchema.ts';
import { rankSentences, termsOf } from '../text/rankSentences.ts';
import type { Finding } from '../text/rankSentences.ts';
import type { ResearchResult, ResearchRequest, ResearchStep, Activity, ActivityType } from './researchJobs.ts';
import type { WebIndex } from '../search/webSearch.ts';
import type { PageText } from '../html/cleanHtml.ts';

const PAGES_PER_ROUND = 4;
/** What a round is reckoned to take of the time limit, which so bounds the rounds. */
const ROUND_SECONDS = 15;

/**
 * Research by words: the pages of the index that have most words of the query are read, all where none has any, and
 * their sentences are picked, without a language model. Rejects when the sandbox's own site cannot be read.
 */
export async function research(request: ResearchRequest, index: WebIndex): Promise<ResearchResult> {
	const { analysisPrompt = '', query, formats, jsonOptions } = request;
	const fitting = await index.search(query);
	const rounds = roundsOf(request, fitting.length > 0 ? fitting : index.all());
	const read = rounds.flat();
	const findings = rankSentences(read, termsOf(`${query} ${analysisPrompt} ${jsonOptions?.prompt ?? ''}`));
	return {
		steps: courseOf(request, rounds),
		finalAnalysis: formats.includes('markdown') ? writeAnalysis(request, read, findings) : '',
		json: formats.includes('json') ? fillSchema(jsonOptions?.schema, findings) : null,
	};
}

/** The pages that are read, by rounds, the best first. */
function roundsOf({ maxUrls, maxDepth, timeLimit }: ResearchRequest, ranked: readonly PageText[]): PageText[][] {
	const mostRounds = Math.floor(Math.min(maxDepth, Math.max(1, timeLimit / ROUND_SECONDS)));
	// One page fewer than maxUrls: the recorded server stops before the last one (dr-06: 4 gave 3,
	// dr-08: 1 gave none).
	const chosen = ranked.slice(0, Math.min(Math.floor(maxUrls) - 1, mostRounds * PAGES_PER_ROUND));
	const count = Math.ceil(chosen.length / PAGES_PER_ROUND);
	return Array.from({ length: count }, (_unused, round) =>
		chosen.slice(round * PAGES_PER_ROUND, (round + 1) * PAGES_PER_ROUND),
	);
}

/** What a job does, in the words of recordings dr-02 to dr-04. */
function courseOf({ query, systemPrompt }: ResearchRequest, rounds: readonly PageText[][]): ResearchStep[] {
	const steps: ResearchStep[] = [];
	const note = (type: ActivityType, status: Activity['status'], message: string, depth: number): void =>
		void steps.push({ activity: { type, status, message, depth } });
	for (const [index, pages] of rounds.entries()) {
		const depth = index + 1;
		note('search', 'processing', `Generating deeper search queries for "${query}"`, depth);
		if (depth === 1 && systemPrompt) note('thought', 'complete', `Working under this guidance: ${systemPrompt}`, depth);
		note('search', 'processing', `Searching for "${query}" - Goal: Get an overview of ${query}`, depth);
		note('search', 'complete', `Found ${pages.length} new relevant results across 1 parallel queries`, depth);
		for (const { url, title, description, icon } of pages) {
			steps.push({ source: { url, title, description, icon } });
			note('extract', 'complete', `Read "${title}"`, depth);
		}
		note('analyze', 'processing', 'Analyzing findings and planning next steps', depth);
		note('reasoning', 'complete', `${pages.length} more pages read`, depth);
		note('analyze', 'complete', 'Analyzed findings', depth);
	}
	const last = Math.max(1, rounds.length);
	note('synthesis', 'processing', 'Preparing final analysis', last);
	note('synthesis', 'complete', 'Research completed', last);
	return steps;
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

const STEPS: readonly ResearchStep[] = [
	{
		activity: {
			type: 'search',
			status: 'complete',
			message: 'Found 1 new relevant results',
			depth: 1,
		},
	},
	{
		source: {
			url: 'http://site.example/light',
			title: 'Light work',
			description: 'Stands for a page in load tests.',
			icon: '',
		},
	},
	{ activity: { type: 'synthesis', status: 'complete', message: 'Research completed', depth: 1 } },
];

/** A small made-up record without reading a page: only for load tests, where the work itself would be the load. */
export function lightResult(request: ResearchRequest): ResearchResult {
	return {
		steps: STEPS,
		finalAnalysis: `# ${request.query}\n\nMade up for a load test [1](http://site.example/light).\n`,
		json: request.formats.includes('json') ? {} : null,
	};
}
