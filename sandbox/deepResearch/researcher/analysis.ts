import type { PageText } from '../../html/pageText.ts';
import type { Finding } from '../../text/rankSentences.ts';
import type { ResearchRequest } from '../researchRequest.ts';

const SUMMARY_SENTENCES = 3;
const SENTENCES_PER_SOURCE = 3;
/** A sentence that fits less than this share of the best one is left out. */
const WORTH_QUOTING = 0.3;

const NOTE =
	'*This report was put together by the sandbox from sentences picked out of its own sample pages. No language model wrote it or checked it.*';

function cited({ text, sourceNumber, url }: Finding): string {
	return `${text} [${sourceNumber}](${url})`;
}

function findingsByPage(pages: readonly PageText[], findings: readonly Finding[]): string[] {
	const leastScore = (findings[0]?.score ?? 0) * WORTH_QUOTING;
	return pages.flatMap((page) => {
		const own = findings.filter(
			({ url, score }) => url === page.url && score > 0 && score >= leastScore,
		);
		if (own.length === 0) return [];
		const bullets = own.slice(0, SENTENCES_PER_SOURCE).map((finding) => `- ${cited(finding)}`);
		return [`### ${page.title}`, bullets.join('\n')];
	});
}

/**
 * The report in Markdown: headings as in recording dr-04, each sentence with the source it comes from.
 * `isOffTopic`: the search found nothing, so the pages were read without hope.
 */
export function writeAnalysis(
	request: ResearchRequest,
	pages: readonly PageText[],
	findings: readonly Finding[],
	isOffTopic: boolean,
): string {
	const best = findings.filter(({ score }) => score > 0 || isOffTopic);
	const summary = best.slice(0, SUMMARY_SENTENCES).map(cited).join(' ');
	const last = best.find(({ sourceNumber }) => sourceNumber !== best[0]?.sourceNumber) ?? best[0];
	const byPage = findingsByPage(pages, findings);
	const parts = [
		`# ${request.query}: what the sources say`,
		'## Summary',
		...(isOffTopic
			? [
					'The sandbox only has pages about cargo bikes in city deliveries, and none of them answers this query.',
				]
			: []),
		summary || 'The pages say nothing on this.',
		'## Findings',
		...(byPage.length > 0 ? byPage : ['- (nothing found)']),
		'## Conclusion',
		[
			`${pages.length} ${pages.length === 1 ? 'page was' : 'pages were'} read.`,
			...(last && !isOffTopic ? [`What stands out next to the summary: ${cited(last)}`] : []),
		].join(' '),
		...(request.analysisPrompt ? [`Focus asked for: ${request.analysisPrompt}`] : []),
		...(request.systemPrompt ? [`Guidance given: ${request.systemPrompt}`] : []),
		NOTE,
	];
	return `${parts.join('\n\n')}\n`;
}
