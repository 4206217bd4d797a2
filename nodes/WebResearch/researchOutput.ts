import type { IDataObject, IExecuteFunctions, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';
import { hint, withMore } from '../operation/hint';
import type { FileDraft, ItemDraft } from '../operation/operation';
import { reasonsText } from '../research/contract';
import type { ResearchNews, ResearchResult, ResearchUsage } from '../research/contract';
import { isToolCall } from '../run/input/readFields';
import { memoryTexts } from '../run/memory/memory';
import type { NodeMemory } from '../run/memory/memory';
import { sentences } from '../run/output/hints';
import { errorItem } from '../run/output/itemError';
import type { ItemFailure } from '../run/output/itemError';
import { itemsInOrder, LinkedFiles } from '../run/output/outputItem';
import type { ServiceClient } from '../service/client';
import { count } from '../text/amounts';
import { cutAt } from '../text/ends';
import { fieldOf } from '../text/jsonPaths';
import { reportFileName } from '../text/report/reportFile';
import type { AskedQuestion } from './askedQuestion';
import {
	fileForm,
	htmlForm,
	joinedReport,
	markdownForm,
	numbersForm,
	plainForm,
	reportOf,
	sourcesText,
} from './reportForms';
import type { FailedQuestion, ShownReport } from './reportForms';

/** One question with its result, where it has one. */
interface Answered {
	item: number;
	asked: Pick<AskedQuestion, 'history' | 'output' | 'tellsSilence' | 'oneReport' | 'question'>;
	result?: ResearchResult;
}

/** A result, and where its history is, for runs that tell what is new. */
type Told = ResearchResult & { memory?: NodeMemory | undefined };

/**
 * The items of all questions in the order of the input, failures among them as such; or one report on all of them, with
 * the failures behind it: n8n runs a node again whose first item is one. `memory`: where histories are.
 */
export async function researchOutput(
	ctx: IExecuteFunctions,
	client: ServiceClient,
	questions: readonly Answered[],
	failures: readonly ItemFailure[],
	memory: NodeMemory | undefined,
): Promise<INodeExecutionData[]> {
	const asText = isToolCall(ctx);
	const told = questions.flatMap(({ item, asked, result }) => {
		if (!result || (result.status === 'unchanged' && !asked.tellsSilence)) return [];
		return [{ item, asked, result: { ...result, ...(asked.history !== undefined && { memory }) } }];
	});
	const errors = failures.map((failure) => ({ item: failure.item, data: errorItem(ctx, failure) }));
	const [first] = questions;
	const work = { ctx, client, files: new LinkedFiles(ctx, client) };
	if (first?.asked.oneReport === true && !asText) {
		if (told.length === 0 && failures.length === 0) return [];
		const queries = new Map(questions.map(({ item, asked }) => [item, asked.question.query]));
		const failed = failures.map(({ item, message }) => ({
			query: queries.get(item) ?? `Item ${item}`,
			reason: message,
		}));
		const all = questions.flatMap(({ result }) => result ?? []);
		const draft = oneReport(
			told.map(({ result }) => result),
			all,
			failed,
			first.asked.output,
		);
		const pairedItem = ctx.getInputData().map((_item, item) => ({ item }));
		return [...(await itemsInOrder(work, [{ draft, item: 0, pairedItem }])), ...errors.map(({ data }) => data)];
	}
	const drafts = told.flatMap(({ item, asked, result }) =>
		resultItems(result, asked.output, asText).map((draft) => ({ draft, item })),
	);
	const made = await itemsInOrder(work, drafts);
	const items = [...made.map((data, index) => ({ item: drafts[index]?.item ?? 0, data })), ...errors];
	return items.sort((left, right) => left.item - right.item).map(({ data }) => data);
}

/** The facts of the run that each output has besides the result: what it could not do, and what it cost. */
function outcomeOf(result: Told): IDataObject {
	const { status, endedBy, limit, nothing, warnings, unanswered, contradictions, usage, news, memory } = result;
	const isFirst = news?.since === undefined && memory?.damaged === undefined;
	return {
		...(news && { isFirst, news: asJson(news) }),
		...(memory && { memory: memory.place }),
		unanswered,
		contradictions: contradictions.map(({ statements }) => ({
			statements: statements.map((statement) => ({ ...statement })),
		})),
		status,
		endedBy,
		...(limit !== undefined && { limit }),
		...(nothing !== undefined && { reason: nothing }),
		...(warnings.length > 0 && { warnings }),
		pagesRead: result.pagesRead,
		usage: { ...usage },
	};
}

/** A copy as plain JSON. */
function asJson<T>(value: T): IDataObject {
	return JSON.parse(JSON.stringify(value)) as IDataObject;
}

/** The statements that a run tells: all of them, or where it tells what is new, these with what has become of them. */
function claimRows({ claims, news }: ResearchResult): IDataObject[] {
	if (news?.since === undefined) return claims.map((claim) => ({ ...claim }));
	return [
		...news.new.map((claim) => ({ change: 'new', ...claim })),
		...news.changed.map(({ before, now }) => ({ change: 'changed', ...now, before: { ...before } })),
		...news.withdrawn.map((claim) => ({ change: 'withdrawn', ...claim })),
		...news.before.map((claim) => ({ change: 'before', ...claim })),
	];
}

/** Always the same fields, long ones last. An AI agent reads plain numbers, and no HTML. */
function simplified(result: Told, asText: boolean): IDataObject {
	const { query, json, finalAnalysis } = result;
	const report = reportOf(result);
	return {
		query,
		...(json !== undefined && { json: json as IDataObject }),
		...proofFields(result, asText),
		...reportFields(report, asText),
		...outcomeOf(result),
		...(!asText && (finalAnalysis !== '' || report.values.length > 0) && { html: htmlForm(report) }),
	};
}

/** What the values of the JSON rest on, shown by their paths, and which have no proof. */
function proofFields({ values }: ResearchResult, asText: boolean): IDataObject {
	if (!values) return {};
	const { proofs, unproven, conflicts } = values;
	return {
		// Links that jump to words are long, and an AI agent pays for each of their letters.
		proofs: Object.fromEntries(
			proofs.map(({ path, link = '', source }) => [path, asText || link === '' ? source : link]),
		),
		unproven: unproven.map(({ path, reason }) => ({ path, reason })),
		...(conflicts.length > 0 && { conflicts: asJson(conflicts) }),
	};
}

/** Each value of the JSON as a row: those with a proof, and those without one. */
function valueRows({ values }: ResearchResult): IDataObject[] {
	const { proofs = [], unproven = [] } = values ?? {};
	return [
		...proofs.map((proof) => ({ ...proof })),
		...unproven.map((one) => ({ ...one, verified: false })),
	] as IDataObject[];
}

/** The report as text, and its sources. */
function reportFields(report: ShownReport, asText: boolean): IDataObject {
	return {
		finalAnalysis: asText ? numbersForm(report) : markdownForm(report),
		...(!asText && report.analysis !== '' && { text: plainForm(report) }),
		sources: report.sources.map(({ number, title, url }) => ({ number, title, url })),
		...(!asText && { sourcesText: sourcesText(report) }),
	};
}

function fullRecord(result: Told, asText: boolean): IDataObject {
	const { sources, claims, skippedPages, activities, checks, values } = result;
	const { html, ...fields } = simplified(result, asText);
	return {
		...fields,
		...(values && { proofs: asJson(values.proofs), unproven: asJson(values.unproven) }),
		sources: sources.map((source) => ({ ...source })),
		claims: claims.map((claim) => ({ ...claim })),
		skippedPages: skippedPages.map((page) => ({ ...page })),
		activities: activities.map((activity) => ({ ...activity })),
		checks: { ...checks, unverifiedClaims: { ...checks.unverifiedClaims } },
		...(html !== undefined && { html }),
	};
}

/** A question without any is put out itself: it is paid for, and nothing says nothing. */
function rowsOr(rows: IDataObject[], result: Told): ItemDraft[] {
	return rows.length === 0 ? [{ json: simplified(result, false) }] : rows.map((json) => ({ json }));
}

/** Also of a question without an answer: whoever takes the file further finds one. */
function reportFile(result: Told, asHtml: boolean): ItemDraft {
	const { query } = result;
	const report = reportOf(result);
	const file = fileOf(report, query, asHtml);
	return {
		json: {
			query,
			fileName: file.fileName,
			...reportFields(report, false),
			...outcomeOf(result),
		},
		files: [file],
	};
}

function fileOf(report: ShownReport, query: string, asHtml: boolean): FileDraft {
	const name = reportFileName(query, 'report');
	return asHtml
		? { field: 'data', fileName: name.replace(/md$/, 'html'), mimeType: 'text/html', text: htmlForm(report) }
		: { field: 'data', fileName: name, mimeType: 'text/markdown', text: fileForm(report) };
}

/** One item for all questions, for a mail. Its report has the results that are told; it counts and sums up all of them. */
function oneReport(
	told: readonly Told[],
	all: readonly ResearchResult[],
	failed: readonly FailedQuestion[],
	output: string,
): ItemDraft {
	const report = joinedReport(told, failed);
	const usages = all.map(({ usage }) => usage);
	const sum = (name: Exclude<keyof ResearchUsage, 'seconds'>) => usages.reduce((all, usage) => all + usage[name], 0);
	const isFile = output === 'htmlFile' || output === 'reportFile';
	const file = isFile ? fileOf(report, report.title, output === 'htmlFile') : undefined;
	return {
		json: {
			subject: report.title,
			...(file && { fileName: file.fileName }),
			...reportFields(report, false),
			questions: [...all.map(questionOf), ...failed.map((one) => ({ ...one, status: 'failed' }))],
			status: statusOfAll(all, failed),
			usage: {
				creditsUsed: sum('creditsUsed'),
				creditsInDoubt: sum('creditsInDoubt'),
				modelCalls: sum('modelCalls'),
				inputTokens: sum('inputTokens'),
				outputTokens: sum('outputTokens'),
				seconds: Math.max(0, ...usages.map(({ seconds }) => seconds)),
			},
			...(!file && { html: htmlForm(report) }),
		},
		...(file && { files: [file] }),
	};
}

/** A question of one report on several: how it ended, and the numbers of what it found. */
function questionOf(result: ResearchResult): IDataObject {
	const { query, json, status, news, claims, pagesRead, limit, nothing, warnings, unanswered } = result;
	const counts =
		news?.since === undefined
			? { claims: claims.length }
			: {
					new: news.new.length,
					changed: news.changed.length,
					withdrawn: news.withdrawn.length,
					unchanged: news.unchanged,
				};
	return {
		query,
		status,
		...counts,
		pagesRead,
		unanswered,
		...(limit !== undefined && { limit }),
		...(nothing !== undefined && { reason: nothing }),
		...(warnings.length > 0 && { warnings }),
		...(json !== undefined && { json: json as IDataObject }),
	};
}

/** The status that all share; else partial, since not all of it is there. */
function statusOfAll(results: readonly ResearchResult[], failed: readonly FailedQuestion[]): string {
	const [first, ...others] = new Set(results.map(({ status }) => (status === 'unchanged' ? 'completed' : status)));
	return failed.length === 0 && others.length === 0 && first !== undefined ? first : 'partial';
}

/** The items of one question, as the field Output says. An AI agent reads text: it gets no file. */
function resultItems(result: Told, output: string, asText: boolean): ItemDraft[] {
	const { query, sources } = result;
	if (output === 'fullRecord') return [{ json: fullRecord(result, asText) }];
	if (asText) return [{ json: simplified(result, true) }];
	switch (output) {
		case 'claims':
			return rowsOr(
				claimRows(result).map((claim, index) => ({ query, ...claim, position: index + 1 })),
				result,
			);
		case 'values':
			return rowsOr(
				valueRows(result).map((row) => ({ query, ...row })),
				result,
			);
		case 'sources':
			return rowsOr(
				sources.map((source) => ({ query, ...source })),
				result,
			);
		case 'reportFile':
		case 'htmlFile':
			return [reportFile(result, output === 'htmlFile')];
		default:
			return [{ json: simplified(result, false) }];
	}
}

/** The facts of a run besides its results. */
interface RunFacts {
	failed: number;
	items: number;
	/** How long limits of the plan held the run up. */
	throttledSeconds: number;
	/** The number of questions that went on with what an earlier try had paid for. */
	continued: number;
	notCounted: readonly string[];
	isAfterCrash: boolean;
	/** For runs that tell what is new: where histories are, why nothing was stored, and how many were cut for their size. */
	memory: NodeMemory | undefined;
	notStored: string | undefined;
	cutHistories: number;
	/** Histories of another version, in a form that is not read any more. */
	outdatedHistories: number;
}

/** The hints under the output: the bill, what is not complete, and what a person should know. */
export function runHints(results: readonly ResearchResult[], facts: RunFacts): NodeExecutionHint[] {
	const { failed, items, throttledSeconds, continued, notCounted } = facts;
	const partial = results.filter(({ status }) => status === 'partial');
	const limits = [...new Set(partial.map(({ limit }) => limit ?? ''))].slice(0, 3);
	const empty = results.flatMap(({ query, nothing }) =>
		nothing === undefined ? [] : [`${plainQuestion(query)} (${nothing.replace(/\.$/, '')})`],
	);
	const unverified = unverifiedText(results);
	const unproven = unprovenText(results);
	const warnings = [...new Set(results.flatMap((result) => result.warnings))].slice(0, 5);
	const texts = [
		results.length > 0 ? billText(results) : '',
		failed > 0 ? `${failed} of ${count(items, 'question')} failed.` : '',
		continued > 0
			? `${count(continued, 'question')} continued from an earlier try: what that try paid for was not paid for again.`
			: '',
		throttledSeconds > 0 ? `Rate limits made it wait ${throttledSeconds} s.` : '',
	];
	const told = sentences(texts);
	return [
		...(told === '' ? [] : [hint(told)]),
		...(partial.length > 0
			? [hint(sentences([`${count(partial.length, 'result')} partial.`, ...limits]), 'warning')]
			: []),
		...(empty.length > 0
			? [
					hint(
						`${count(empty.length, 'question')} without an answer: ${withMore(empty.slice(0, 3), empty.length - 3, '; ')}.`,
						'warning',
					),
				]
			: []),
		...(unverified === '' ? [] : [hint(unverified)]),
		...(unproven === '' ? [] : [hint(unproven, 'warning')]),
		...warnings.map((warning) => hint(warning, 'warning')),
		...historyHints(results, facts),
		...(notCounted.length > 0 ? [hint(`Max Credits (This Run) does not count ${notCounted.join(', nor ')}.`)] : []),
		...(facts.isAfterCrash
			? [
					hint(
						'n8n was killed while this node ran, so the research started again. Searches and model calls may have been paid for twice; pages only where the service keeps none, as a self-hosted server without a database does.',
						'warning',
					),
				]
			: []),
	];
}

/** Fields that a hint names. */
const MOST_FIELDS = 3;

/** The values of the JSON without a proof; empty where there are none. */
function unprovenText(results: readonly ResearchResult[]): string {
	const all = results.flatMap(({ values }) => values ?? []);
	const unproven = all.flatMap((values) => values.unproven);
	if (unproven.length === 0) return '';
	const proven = all.reduce((sum, { proofs }) => sum + proofs.length, 0);
	const fields = [...new Set(unproven.map(({ path }) => fieldOf(path)))];
	const named = withMore(fields.slice(0, MOST_FIELDS), fields.length - MOST_FIELDS);
	const have = unproven.length === 1 ? 'has' : 'have';
	return `${unproven.length} of ${count(proven + unproven.length, 'value')} of the JSON ${have} no proof (${named}): unproven says why. Without Keep and List they are null, also where the schema wants a value.`;
}

/** The hints of a run that tells what is new. */
function historyHints(results: readonly ResearchResult[], facts: RunFacts): NodeExecutionHint[] {
	const news = results.flatMap((result) => (result.news ? [result.news] : []));
	const first = news.filter(({ since }) => since === undefined).length;
	const later = news.filter(({ since }) => since !== undefined);
	const sum = (of: (one: ResearchNews) => number) => later.reduce((all, one) => all + of(one), 0);
	const unchecked = sum((one) => one.unchecked.reduce((all, { statements }) => all + statements, 0));
	const there = sum((one) => one.before.length);
	const counts = [
		`${sum((one) => one.new.length)} new`,
		`${sum((one) => one.changed.length)} changed`,
		`${sum((one) => one.withdrawn.length)} no longer on their page`,
		...(there > 0 ? [`${there} told for the first time that were there before`] : []),
		`${sum(({ unchanged }) => unchanged)} as they were`,
		...(unchecked > 0 ? [`${unchecked} could not be checked`] : []),
	];
	const { cutHistories, outdatedHistories, memory } = facts;
	const isStored = [memory?.lost, memory?.notStored, facts.notStored].every((why) => why === undefined);
	return [
		...(later.length > 0 ? [hint(`Statements: ${counts.join(', ')}.`)] : []),
		...(first > 0 && isStored
			? [hint(`${count(first, 'question')} without an earlier run: the next run tells what is new since this one.`)]
			: []),
		...(memory ? memoryTexts(memory, facts.notStored).map((text) => hint(text)) : []),
		...(memory?.lost !== undefined && news.length > 0
			? [hint('This Retry compared with what its first try was given, and nothing of it is remembered.')]
			: []),
		...(outdatedHistories > 0
			? [
					hint(
						'Another version of this package has kept this history in a form that is not read any more: everything was told, as in a first run, and the next run tells what is new since this one.',
						'warning',
					),
				]
			: []),
		...(cutHistories > 0
			? [
					hint(
						'A history has room for 400 statements, and a node for less than 1 MB of all histories: statements that were not found for the longest time were forgotten.',
					),
				]
			: []),
	];
}

/** A question as it is named in a hint. */
function plainQuestion(query: string): string {
	return cutAt(query.replace(/\s+/g, ' ').trim(), 100);
}

/** The hint about claims that were not verified, by reason, and what that means for the output; empty where all was. */
function unverifiedText(results: readonly ResearchResult[]): string {
	const sums: Record<string, number> = {};
	let sentencesLeftOut = 0;
	let uncited = 0;
	let removed = 0;
	for (const { checks, nothing } of results) {
		if (nothing !== undefined) continue;
		sentencesLeftOut += checks.unsupportedSentences;
		uncited += checks.uncitedSentences;
		removed += checks.removedAddresses;
		for (const [reason, amount] of Object.entries(checks.unverifiedClaims)) {
			sums[reason] = (sums[reason] ?? 0) + amount;
		}
	}
	const reasons = reasonsText(sums as ResearchResult['checks']['unverifiedClaims']);
	const quotesOnly = results.some(({ verification }) => verification === 'quotes');
	return sentences([
		reasons === '' ? '' : `Statements that were not verified: ${reasons}.`,
		sentencesLeftOut > 0
			? `${count(sentencesLeftOut, 'sentence')} of the analysis ${sentencesLeftOut === 1 ? 'was' : 'were'} not supported by ${sentencesLeftOut === 1 ? 'its' : 'their'} claims.`
			: '',
		uncited > 0 ? `${count(uncited, 'sentence')} of the analysis named no claim.` : '',
		removed > 0
			? `Taken out of the analysis: ${count(removed, 'piece')} of HTML, links or addresses that no quote has.`
			: '',
		quotesOnly ? 'Whether quotes support their statements was not judged (Quotes Only).' : '',
	]);
}

/** `8 credits`, or `8 credits and up to 10 more`. */
function creditsText(used: number, inDoubt: number): string {
	return inDoubt === 0 ? count(used, 'credit') : `${count(used, 'credit')} and up to ${inDoubt} more`;
}

/** `1 question: 12 pages, 3 of them cited, 24 credits, 15 model calls, 30,000 tokens, 42 s.` */
function billText(results: readonly ResearchResult[]): string {
	const sum = (of: (result: ResearchResult) => number) => results.reduce((all, result) => all + of(result), 0);
	const tokens = sum(({ usage }) => usage.inputTokens + usage.outputTokens);
	const longest = Math.max(...results.map(({ usage }) => usage.seconds));
	return `${count(results.length, 'question')}: ${[
		`${count(
			sum(({ pagesRead }) => pagesRead),
			'page',
		)} read`,
		`${count(
			sum(({ sources }) => sources.length),
			'source',
		)} cited`,
		creditsText(
			sum(({ usage }) => usage.creditsUsed),
			sum(({ usage }) => usage.creditsInDoubt),
		),
		count(
			sum(({ usage }) => usage.modelCalls),
			'model call',
		),
		`${tokens.toLocaleString('en-US')} tokens`,
		`${Math.round(longest)} s`,
	].join(', ')}.`;
}
