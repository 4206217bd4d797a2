import type { ResearchClaim, ResearchResult, ResearchSource } from '../research/contract/result';

const BY_CODE = 'The quote of each claim was looked up in its page, and so were its figures.';
const CHECKED = {
	support: `${BY_CODE} Whether the quotes support the claims, and the claims the sentences of this report, was judged by the chat model, in calls that saw nothing else. Whether a page is right was not checked.`,
	quotes: `${BY_CODE} Whether the quotes support the claims was not judged.`,
};

/** The report file: the analysis, what is open, the claims with their quotes, the sources. Markdown. */
export function writeReport(result: ResearchResult): string {
	const { query, finalAnalysis, json, claims, sources, unanswered, limit, verification } = result;
	const checked = CHECKED[verification];
	const verified = claims.filter((claim) => claim.verified);
	const parts = [
		`# ${plain(query)}`,
		`> ${limit === undefined ? checked : `${plain(limit)} ${checked}`}`,
		finalAnalysis.trim(),
		...(json === undefined ? [] : ['## JSON output', fenced(json)]),
		...section(
			'Not answered',
			unanswered.map((text) => `- ${plain(text)}`),
		),
		...section('Claims', verified.map(claimLine)),
		...section('Sources', sources.map(sourceLine)),
	];
	return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function section(title: string, lines: string[]): string[] {
	return lines.length === 0 ? [] : [`## ${title}`, lines.join('\n')];
}

function claimLine({ text, quote, source }: ResearchClaim): string {
	return `- ${plain(text)} (“${plain(quote)}”, <${target(source)}>)`;
}

function sourceLine({ number, title, url, description }: ResearchSource): string {
	const said = plain(description);
	return `${number}. [${plain(title) || plain(url)}](<${target(url)}>)${said === '' ? '' : `: ${said}`}`;
}

/** Text from a page as one line that Markdown shows as it is: no link, address, image, code or HTML. */
function plain(text: string): string {
	return text
		.replace(/\s+/g, ' ')
		.trim()
		.replace(/[\\`*[\]<@]|:(?=\/\/)|(?<=\p{L})\.(?=\p{L})/gu, '\\$&');
}

/** What would end the angle brackets around an address, encoded. */
function target(url: string): string {
	return url.replace(/[\s<>\\`]/g, encodeURIComponent);
}

function fenced(value: unknown): string {
	return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}
