import { newsCounts } from '../research/contract/result';
import type { ResearchClaim, ResearchResult, ResearchSource } from '../research/contract/result';
import { siteName } from '../text/addresses';
import { renumbered, withNumbers, withReferences } from '../text/report/citationForms';
import { plainReport } from '../text/report/plainReport';
import { linkTarget, plainLine, sourceLine, writeReportFile } from '../text/report/reportFile';
import { reportHtml } from '../text/report/reportHtml';

/** A report on one question or on several, before it has the form in which it is put out. */
export interface ShownReport {
	title: string;
	/** Markdown, with citations as text/report/citationForms.ts makes them. */
	analysis: string;
	/** One or more lines for below it. */
	closing: string;
	sources: ShownSource[];
	sourcesLabel: string;
	/** The level of its headings: below the title, or below that of each question. */
	headings: '#' | '##';
	language: string | undefined;
	/** What a report file lists besides. */
	claims: ResearchClaim[];
	json: unknown;
	/** The values of the JSON, each with its page, as rows of a table; none without JSON. */
	values: string[];
}

/** A source with its site, its day, and how many other sites say so, too, in the language of the report. */
type ShownSource = ResearchSource & { where: string; beside: string };

function shownSource(source: ResearchSource, { alsoOn: label }: ResearchResult['labels']): ShownSource {
	const { site, date, alsoOn } = source;
	const others = alsoOn === 0 ? [] : [label.replace('%count%', String(alsoOn))];
	const beside = [...(date === undefined ? [] : [date]), ...others].join(' · ');
	return { ...source, where: beside === '' ? site : `${site} · ${beside}`, beside };
}

/** The report on one question. */
export function reportOf(result: ResearchResult): ShownReport {
	const { query, finalAnalysis, closing, sources, labels, language, json, news } = result;
	const isNews = news?.since !== undefined;
	const claims = isNews ? [...news.new, ...news.changed.map(({ now }) => now)] : result.claims;
	return {
		title: query,
		analysis: finalAnalysis,
		closing,
		sources: sources.map((source) => shownSource(source, labels)),
		sourcesLabel: labels.sources,
		headings: '##',
		language,
		claims: claims.filter(({ verified }) => verified),
		json,
		values: valueRows(result),
	};
}

/** A text of a stranger as a cell of a table in Markdown. */
export function tableCell(value: unknown): string {
	return plainLine(String(value)).replace(/\|/g, '\\|');
}

/** The values of the JSON as a table: each with a link to its words, or with the reason why it has no proof. */
function valueRows({ values }: ResearchResult): string[] {
	if (!values || values.proofs.length + values.unproven.length === 0) return [];
	const proven = values.proofs.map(
		({ path, value, source, link = linkTarget(source) }) =>
			`| ${tableCell(path)} | ${tableCell(value)} | [${siteName(source)}](<${link}>) |`,
	);
	const others = values.unproven.map(({ path, reason }) => `| ${tableCell(path)} | | ${reason} |`);
	return ['| Field | Value | Page |', '| --- | --- | --- |', ...proven, ...others];
}

/** A question that failed, and why. */
export interface FailedQuestion {
	query: string;
	reason: string;
}

/**
 * The reports on several questions as one: each below its question, with one numbering of all sources and one foot. What
 * failed stands last, with its reason.
 */
export function joinedReport(results: readonly ResearchResult[], failed: readonly FailedQuestion[]): ShownReport {
	const sources = new Map<string, ShownSource>();
	const parts = results.map((result) => {
		const numbers = new Map<number, number>();
		for (const source of result.sources) {
			const known = sources.get(source.url) ?? { ...shownSource(source, result.labels), number: sources.size + 1 };
			sources.set(source.url, known);
			numbers.set(source.number, known.number);
		}
		return `# ${plainLine(result.query)}\n\n${renumbered(result.finalAnalysis, numbers)}`;
	});
	const lost = failed.map(({ query, reason }) => `# ${plainLine(query)}\n\n*${plainLine(reason)}*`);
	const [first] = results;
	const languages = new Set(results.map(({ language }) => language));
	const reports = results.map(reportOf);
	return {
		title: subjectOf(results, failed),
		analysis: [...parts, ...lost].join('\n\n'),
		closing: [...new Set(results.map(({ closing }) => closing))].filter((one) => one !== '').join('\n\n'),
		sources: [...sources.values()],
		sourcesLabel: first?.labels.sources ?? 'Sources',
		headings: '#',
		language: languages.size === 1 ? first?.language : undefined,
		claims: reports.flatMap(({ claims }) => claims),
		json: undefined,
		values: [],
	};
}

/** `Changed: 1 · New: 2 · What do scooters cost? (+2)`: the counts where all tell what is new. */
function subjectOf(results: readonly ResearchResult[], failed: readonly FailedQuestion[]): string {
	const queries = [...results, ...failed].map(({ query }) => query.replace(/\s+/g, ' ').trim());
	const [first = ''] = queries;
	const name = queries.length > 1 ? `${first} (+${queries.length - 1})` : first;
	const later = results.flatMap(({ news, labels }) => (news?.since === undefined ? [] : [{ news, labels }]));
	const [one] = later;
	if (!one || later.length < results.length) return name;
	const counts = newsCounts(
		later.map(({ news }) => news),
		one.labels,
	);
	return [...counts.map(([label, amount]) => `${label}: ${amount}`), name].join(' · ');
}

/** The analysis first; what was checked, and how, last and small. */
function whole({ analysis, closing }: ShownReport): string {
	const small = closing.split('\n\n').map((line) => `*${line}*`);
	return analysis === '' || closing === '' ? analysis : `${analysis}\n\n---\n\n${small.join('\n\n')}`;
}

/** Markdown that can be read as it stands; empty where there is no report. */
export const markdownForm = (report: ShownReport): string => withReferences(whole(report));

/** The same for an AI agent: with numbers alone. */
export const numbersForm = (report: ShownReport): string => withNumbers(whole(report));

/** A source a line, for a cell of a sheet. `numbered`: how its number is written. */
export function sourcesText(
	{ sources }: Pick<ShownReport, 'sources'>,
	numbered = (number: number) => `${number}.`,
): string {
	return sources
		.map(({ number, title, url, beside }) => {
			const name = title === '' ? '' : `${title}, `;
			return `${numbered(number)} ${name}${url}${beside === '' ? '' : ` (${beside})`}`;
		})
		.join('\n');
}

/** Plain text, with its sources at the end. */
export function plainForm({ analysis, closing, sources, sourcesLabel }: ShownReport): string {
	const listed = sources.length === 0 ? '' : `${sourcesLabel}:\n${sourcesText({ sources }, (number) => `[${number}]`)}`;
	return [plainReport(analysis), listed, plainReport(closing)].filter((part) => part !== '').join('\n\n');
}

/** An HTML document that stands alone, such as for a mail. */
export function htmlForm(report: ShownReport): string {
	const { title, analysis, closing, sources, sourcesLabel, headings, language, values } = report;
	const table = values.length === 0 ? '' : `\n\n${values.join('\n')}`;
	const listed =
		sources.length === 0 ? '' : `\n\n${headings} ${plainLine(sourcesLabel)}\n\n${sources.map(sourceLine).join('\n')}`;
	return reportHtml({ title, body: analysis + table + listed, footer: closing, language });
}

/** A Markdown file: the analysis, the claims with their quotes, the sources, what was checked. */
export function fileForm({ title, analysis, json, values, claims, sources, closing }: ShownReport): string {
	return writeReportFile({
		query: title,
		caution: '',
		analysis: withReferences(analysis),
		json,
		sections: [
			['Values', values],
			['Claims', claims.map(claimLine)],
			['Sources', sources.map(sourceLine)],
		],
		closing: plainLine(closing),
	});
}

function claimLine({ text, quote, source, link = linkTarget(source) }: ResearchClaim): string {
	return `- ${plainLine(text)} (“${plainLine(quote)}”, <${link}>)`;
}
