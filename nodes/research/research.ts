import { count, httpCodeText } from '../text/amounts';
import { dayIn } from '../text/values';
import { plainTitle } from '../text/pageText';
import { collect } from './collect';
import type { Findings } from './collect';
import { findConflicts, withConflicts } from './conflicts';
import { MAX_STATEMENTS } from './contract/history';
import { ResearchFailure, reasonsText } from './contract/result';
import type { PlanLabel } from './contract/history';
import type { ResearchParts } from './contract/parts';
import type { ResearchQuestion } from './contract/question';
import type { EndedBy, ResearchResult } from './contract/result';
import { leadSentence } from './history/leadSentence';
import type { LeadSentence } from './history/leadSentence';
import { findNews } from './history/news';
import type { FoundNews } from './history/news';
import { writeNews } from './history/newsReport';
import { LABELS } from './model/labels';
import { PROMPTS } from './model/prompts';
import { withUserPrompt } from './plan';
import { escaped } from './report/cleanReport';
import { linkAddress, siteName } from '../text/addresses';
import { alsoOnOf, dayOfPage, linkOf } from './report/numberedClaims';
import type { NumberedClaim } from './report/numberedClaims';
import { SourceNumbers, closingLists } from './report/showReport';
import type { ProvenJson } from './json/judgeJson';
import { writeJson } from './json/writeJson';
import { writeReport } from './report/writeReport';
import type { WrittenReport } from './report/writeReport';
import { RunState } from './runState';

/**
 * Answers a question from web pages: plan, search, read, verify, write, check. A limit gives a partial
 * result that names it. The same call with the same notes continues where the last one ended, and pays
 * for no step twice.
 * Throws ResearchFailure, and what `search` throws when nothing could be searched or read.
 */
export async function research(question: ResearchQuestion, parts: ResearchParts): Promise<ResearchResult> {
	if (question.query.trim() === '') {
		throw new ResearchFailure('question', 'The query is empty. Enter a question to research.');
	}
	const run = new RunState(question, parts);
	let isDone = false;
	try {
		run.phases.throwIfStopped();
		const findings = await collect(run);
		if (run.searchError !== undefined && run.searchesAnswered + run.pagesRead === 0) {
			throw run.searchError;
		}
		noteTroubles(run);
		const found = await findConflicts(run);
		const contradictions = withConflicts(findings.contradictions, found);
		const result = await written(run, { ...findings, contradictions });
		isDone = true;
		return result;
	} finally {
		if (!isDone) await run.phases.settled();
		run.phases.end();
	}
}

/** A wait for the chat model that a person should know of. */
const LONG_WAIT_MS = 30_000;

/** Notes the troubles of the run that a person should know of. */
function noteTroubles({ model, scrapedAgain, warnings }: RunState): void {
	if (model.waits.ms >= LONG_WAIT_MS) {
		const code = httpCodeText(model.waits.status);
		warnings.push(
			`The chat model refused calls for now${code}, so the research waited ${Math.round(model.waits.ms / 1000)} s for it: lower Model Calls at Once, or connect a model with higher limits.`,
		);
	}
	if (model.hasCut) {
		warnings.push(
			'The server of the chat model cuts long texts silently, as its token counts show: pages were sent to it in smaller pieces. Raise its context length.',
		);
	}
	if (scrapedAgain > 0) {
		const were = scrapedAgain === 1 ? 'was' : 'were';
		warnings.push(
			`This server keeps no scraped pages: ${count(scrapedAgain, 'page')} of an earlier try ${were} scraped and paid for again.`,
		);
	}
}

interface Written {
	report: WrittenReport;
	json: ProvenJson | undefined;
	/** The report as it is put out, where there is anything to report. */
	analysis: string;
	/** How its statements were checked. */
	howChecked: readonly PlanLabel[];
	found?: FoundNews | undefined;
}

async function written(run: RunState, findings: Findings): Promise<ResearchResult> {
	const { question } = run;
	const found = question.history ? await newsOf(run, findings) : undefined;
	const usable = run.claims.filter(({ verified }) => verified || question.unsupportedClaims === 'mark');
	if (found && run.known) return await newsResult(run, findings, usable, found);
	if (usable.length === 0) {
		const report = {
			text: '',
			sources: new SourceNumbers(),
			cited: new Set<number>(),
		};
		const json = question.json && NO_JSON;
		return resultOf(run, findings, usable, { report, json, analysis: '', howChecked: [], found });
	}
	run.log('synthesis', 'processing', 'Writing');
	const [report, json] = await Promise.all([
		question.wantsReport ? writeMarkdown(run, findings, usable) : listedSources(usable),
		question.json && writeJsonOutput(run, usable),
	]);
	if (report.unused) {
		run.warnings.push(
			`The report rests on ${usable.length - report.unused} of ${usable.length} claims: all of them were too many for the chat model or the limit of tokens.`,
		);
	}
	run.log('synthesis', report.endedBy ? 'error' : 'complete', 'Written');
	const analysis = question.wantsReport ? analysisText(run, findings, report) : '';
	const howChecked = CHECKED[question.verification];
	return resultOf(run, findings, usable, { report, json, analysis, howChecked, found });
}

/** The statements of the run beside those of the runs before it. */
async function newsOf(run: RunState, { plan, answered }: Findings): Promise<FoundNews> {
	const { known, claims, statementsNow: statements, visited, unreadReasons, isPlanned, model } = run;
	const verified = claims.filter((claim) => claim.verified);
	const now = run.timestamp();
	const seen = { statements, visited, unreadReasons };
	const { query } = run.question;
	const task = { known, query, plan, isPlanned, answered, claims: verified, ...seen, now };
	const found = await findNews(task, model);
	if (found.limit) run.keepLimit(found.limit);
	if (found.forgotten > 0) {
		run.warnings.push(
			`A history holds ${MAX_STATEMENTS} statements: the ${found.forgotten} that were not found for the longest time are not remembered.`,
		);
	}
	return found;
}

/** The result of a run that tells what is new: code writes the report, from the claims that are new or changed. */
async function newsResult(
	run: RunState,
	findings: Findings,
	claims: NumberedClaim[],
	found: FoundNews,
): Promise<ResearchResult> {
	const { plan, contradictions, unanswered } = findings;
	const { question } = run;
	const day = (timestamp: string) => dayIn(Date.parse(timestamp), question.timeZone);
	// Without a judge nobody could say whether it holds.
	const hasLead = question.wantsReport && question.verification === 'support';
	const lead = hasLead ? await writeLead(run, found, day) : undefined;
	const { text, sources } = writeNews({ found, plan, contradictions, pages: run.pages, unanswered, lead, day });
	const report = { text, sources, cited: new Set<number>() };
	const told = [...found.fresh, ...found.changed, ...found.before].map(({ claim }) => claim);
	const json = run.question.json && told.length > 0 ? await writeJsonOutput(run, told) : undefined;
	const written = {
		report,
		json: question.json && (json ?? NO_JSON),
		analysis: question.wantsReport ? text : '',
		howChecked: [...CHECKED[question.verification], 'compared' as const],
		found,
	};
	const result = resultOf(run, findings, claims, written);
	return found.isSilent && result.status === 'completed' ? { ...result, status: 'unchanged' } : result;
}

async function writeMarkdown(
	run: RunState,
	{ plan, contradictions }: Findings,
	claims: NumberedClaim[],
): Promise<WrittenReport> {
	const { query, analysisPrompt, systemPrompt, unsupportedClaims: choice } = run.question;
	const judges = run.question.verification === 'support';
	const system = withUserPrompt(PROMPTS.write, systemPrompt, run.question.today);
	const { subQuestions } = plan;
	const { pages } = run;
	const task = { query, subQuestions, system, analysisPrompt, claims, pages, contradictions, choice, judges };
	return await writeReport(task, run.model);
}

async function writeJsonOutput(run: RunState, claims: NumberedClaim[]): Promise<ProvenJson> {
	const { query, systemPrompt, analysisPrompt, json: wish = {} } = run.question;
	const system = withUserPrompt(PROMPTS.json, systemPrompt, run.question.today);
	const { verification, unprovenValues } = run.question;
	const how = { judges: verification === 'support', keeps: unprovenValues === 'keep', pages: run.pages };
	return await writeJson({ query, system, analysisPrompt, wish, claims, ...how }, run.model);
}

/** Without a report, all pages that gave a claim are sources. */
function listedSources(claims: NumberedClaim[]): WrittenReport {
	const sources = new SourceNumbers();
	sources.links(claims);
	return { text: '', sources, cited: new Set() };
}

function resultOf(
	run: RunState,
	findings: Findings,
	claims: NumberedClaim[],
	{ report, json, analysis, howChecked, found }: Written,
): ResearchResult {
	const { question, budget } = run;
	const endedBy = run.limit ?? report.endedBy ?? json?.endedBy ?? 'done';
	const { labels } = findings.plan;
	const isList = report.isList === true;
	const limit = endedBy === 'done' ? undefined : limitText(endedBy, run, isList, LABELS);
	const isNothing = claims.length === 0 && (!run.known || run.pagesRead === 0);
	const { checked } = report;
	return {
		query: question.query,
		finalAnalysis: isNothing ? nothingText(run, findings) : analysis,
		language: findings.plan.language,
		labels,
		closing: closingText(
			run,
			labels,
			endedBy === 'done' ? '' : limitText(endedBy, run, isList, labels),
			isNothing ? [] : howChecked,
		),
		...(isNothing && { nothing: nothingFound(run) }),
		...(json && { json: json.value, values: valuesOf(json) }),
		sources: sourcesOf(run, report.sources),
		claims: claims.map((claim) => {
			const { text, quote, source, verified, reason, firstSeen, lastSeen } = claim;
			return {
				text,
				quote,
				source,
				...linkOf(claim),
				verified,
				...(reason && { reason }),
				...(found && { firstSeen: firstSeen ?? found.history.at, lastSeen: lastSeen ?? found.history.at }),
			};
		}),
		unanswered: findings.unanswered,
		contradictions: findings.contradictions.map((group) => ({
			statements: group.map(({ text, source }) => {
				const date = dayOfPage(source, run.pages);
				return { text, source, ...(date !== undefined && { date }) };
			}),
		})),
		status: statusOf(isNothing, limit),
		endedBy,
		verification: question.verification,
		limit,
		warnings: run.warnings,
		skippedPages: [
			...run.skipped,
			...run.pool.joined.map(({ url, as }) => ({ url, reason: `It is probably another spelling of ${as}` })),
		],
		activities: run.activities,
		checks: {
			unverifiedClaims: run.unverifiedClaims,
			uncitedSentences: checked?.uncitedSentences ?? 0,
			unsupportedSentences: checked?.unsupportedSentences ?? 0,
			unknownCitations: checked?.unknownCitations ?? 0,
			removedAddresses: checked?.removedAddresses ?? 0,
			unsupportedValues: json?.unproven.filter(({ value }) => value !== undefined).length ?? 0,
		},
		pagesRead: run.pagesRead,
		usage: budget.usage(),
		...(found && { news: found.news, history: found.history }),
	};
}

const NO_JSON: ProvenJson = { value: null, proofs: [], unproven: [], conflicts: [] };

function valuesOf({ proofs, unproven, conflicts }: ProvenJson): ResearchResult['values'] {
	return { proofs, unproven, conflicts };
}

function statusOf(isNothing: boolean, limit: string | undefined): ResearchResult['status'] {
	if (isNothing) return 'empty';
	return limit === undefined ? 'completed' : 'partial';
}

function sourcesOf({ pages, claims }: RunState, { urls }: SourceNumbers): ResearchResult['sources'] {
	const alsoOn = alsoOnOf(claims);
	return urls.map((url, index) => {
		const record = pages.get(url) ?? { title: '', description: '', readAt: '' };
		const date = dayOfPage(url, pages);
		const said = { site: siteName(url), ...(date !== undefined && { date }), alsoOn: alsoOn.get(url) ?? 0 };
		return { number: index + 1, url, ...record, title: plainTitle(record.title), ...said };
	});
}

/** The limit that ended the research, in one sentence. `isList`: the claims are listed instead of a report. */
function limitText(
	endedBy: Exclude<EndedBy, 'done'>,
	{ question, outOfCredits }: RunState,
	isList: boolean,
	labels: Record<PlanLabel, string>,
): string {
	const { maxRounds, maxPages, maxCredits, maxTokens, timeLimitMs } = question;
	const reached = (limit: string) => labels.limit.replace('%limit%', () => limit);
	switch (endedBy) {
		case 'rounds':
			return reached(`Max Rounds (${maxRounds})`);
		case 'pages':
			return reached(`Max Pages (${maxPages})`);
		case 'time':
			return reached(`Time Limit (${timeLimitMs / 1000} s)`);
		case 'tokens':
			return reached(`Max Tokens (${maxTokens ?? 0})`);
		case 'credits':
			return outOfCredits ?? reached(`Max Credits (${maxCredits ?? 0})`);
		case 'model':
			return isList
				? 'The chat model wrote nothing that could be used, so the claims are listed as they were found.'
				: 'The chat model gave no answer that could be used, so it is not known what is missing.';
	}
}

/** The reason why there is no result: nothing found, nothing readable, or nothing that holds. */
function nothingFound(run: RunState): string {
	const { pagesRead, pagesTaken, skipped, unverifiedClaims, searchesAnswered } = run;
	const failed = Object.values(unverifiedClaims).reduce((sum, one) => sum + one, 0);
	if (pagesTaken === 0) {
		return `Nothing was found: ${count(searchesAnswered, 'search', 'searches')} led to no page that may be read.`;
	}
	if (pagesRead === 0) {
		const [first] = skipped;
		const why = first ? ` The first: ${first.reason}` : '';
		return `Nothing could be read: ${count(pagesTaken, 'page')} of ${count(pagesTaken, 'page')} failed.${why}`;
	}
	if (failed > 0) {
		return `No statement could be verified: ${count(failed, 'statement')} of ${count(pagesRead, 'page')} failed their checks (${reasonsText(unverifiedClaims)}).`;
	}
	return `Nothing answers the question: ${count(pagesRead, 'page')} read, no statement found.`;
}

/** The report as it is put out: the text, and what code adds to it. */
function analysisText(
	{ pages }: RunState,
	{ plan, contradictions, unanswered }: Findings,
	{ text, sources, cited }: WrittenReport,
): string {
	// Sources that the text names itself are not named again.
	const unnamed = contradictions.filter((group) => group.some(({ number }) => !cited.has(number)));
	const lists = closingLists({ contradictions: unnamed, pages, unanswered }, plan.labels, sources);
	return [text, lists].filter((part) => part !== '').join('\n\n');
}

const CHECKED = {
	support: ['lookedUp', 'judged'],
	quotes: ['lookedUp', 'unjudged'],
} as const;

/** The last paragraph of a report: which limit was reached, how the report was checked, and what was not read. */
function closingText(
	{ question: { excludedForPrice } }: RunState,
	labels: Record<PlanLabel, string>,
	limit: string,
	howChecked: readonly PlanLabel[],
): string {
	const sites = excludedForPrice.join(', ');
	const parts = [
		limit === '' ? '' : `${labels.partial}: ${limit}`,
		...howChecked.map((name) => labels[name]),
		sites === '' ? '' : labels.price.replace('%sites%', () => sites),
	];
	return escaped(parts.filter((part) => part !== '').join(' '));
}

/** The sentence that a brief begins with, where one holds. */
async function writeLead(
	run: RunState,
	found: FoundNews,
	day: (timestamp: string) => string,
): Promise<LeadSentence | undefined> {
	const { query, systemPrompt, today } = run.question;
	const system = withUserPrompt(PROMPTS.lead, systemPrompt, today);
	return await leadSentence({ query, system, found, pages: run.pages, day }, run.model);
}

/** Addresses and reasons that a text about nothing names. */
const MAX_NAMED = 10;

/** The text for a question without an answer: what was looked for, what was read, what was not found. */
function nothingText(run: RunState, { unanswered, plan: { labels } }: Findings): string {
	const section = (title: string, lines: readonly string[]) => {
		const more = lines.length > MAX_NAMED ? [`- and ${lines.length - MAX_NAMED} more`] : [];
		return lines.length === 0 ? '' : [`${escaped(title)}:\n`, ...lines.slice(0, MAX_NAMED), ...more].join('\n');
	};
	const parts = [
		`**${escaped(labels.noAnswer)}** ${escaped(nothingFound(run))}`,
		section(
			labels.searchedFor,
			[...run.used].map((query) => `- ${escaped(query)}`),
		),
		section(
			labels.read,
			[...run.pages.keys()].map((url) => `- <${linkAddress(url) ?? ''}>`),
		),
		section(
			labels.notRead,
			run.skipped.map(({ url, reason }) => `- ${escaped(url)}: ${escaped(reason)}`),
		),
		section(
			labels.notAnswered,
			unanswered.map((question) => `- ${escaped(question)}`),
		),
	];
	return parts.filter((part) => part !== '').join('\n\n');
}
