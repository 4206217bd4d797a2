import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { FileDraft, ItemDraft } from '../operation/operation';
import type { ResearchResult, ResearchUsage } from '../research/contract/result';
import { isToolCall } from '../run/input/readFields';
import type { NodeMemory } from '../run/memory/memory';
import { errorItem } from '../run/output/itemError';
import type { ItemFailure } from '../run/output/itemError';
import { itemsInOrder, LinkedFiles } from '../run/output/outputItem';
import type { ServiceClient } from '../service/client';
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
	const [first] = questions;
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
		const work = { ctx, client, files: new LinkedFiles(ctx, client) };
		const report = await itemsInOrder(work, [{ draft, item: 0, pairedItem }]);
		return [...report, ...failures.map((failure) => errorItem(ctx, failure))];
	}
	const drafts = told.flatMap(({ item, asked, result }) =>
		resultItems(result, asked.output, asText).map((draft) => ({ draft, item })),
	);
	return await itemsAndFailures(ctx, client, drafts, failures);
}

/** Items in the order of the input, failures among them as such. */
export async function itemsAndFailures(
	ctx: IExecuteFunctions,
	client: ServiceClient,
	drafts: ReadonlyArray<{ draft: ItemDraft; item: number }>,
	failures: readonly ItemFailure[],
): Promise<INodeExecutionData[]> {
	const made = await itemsInOrder({ ctx, client, files: new LinkedFiles(ctx, client) }, drafts);
	const items = [
		...made.map((data, index) => ({ item: drafts[index]?.item ?? 0, data })),
		...failures.map((failure) => ({ item: failure.item, data: errorItem(ctx, failure) })),
	];
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
		sources: report.sources.map(({ number, title, url, site, date, alsoOn }) => {
			return { number, title, url, site, ...(date !== undefined && { date }), alsoOn };
		}),
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
