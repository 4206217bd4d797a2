import { keyOf } from '../../text/addresses';
import { plainText } from '../model/answers';
import { LimitReached } from '../model/budget';
import { unansweredOrThrow } from '../model/modelCaller';
import type { ModelCaller } from '../model/modelCaller';
import { PROMPTS } from '../model/prompts';
import { checkReport } from './checkReport';
import type { CheckedReport } from './checkReport';
import { citedNumbers, plainCitations } from './citations';
import { claimsBySite } from './numberedClaims';
import type { NumberedClaim, PagesOfClaims } from './numberedClaims';
import { SourceNumbers, claimLine, showReport } from './showReport';
import type { UnsupportedChoice } from './showReport';

/** With so few claims, a text that is too long for the model gets no shorter. */
const MIN_CLAIMS = 8;

/** The material that a report is written from. */
interface WritingTask {
	query: string;
	subQuestions: readonly string[];
	/** The instructions to the model, with those of the user. */
	system: string;
	analysisPrompt: string;
	claims: readonly NumberedClaim[];
	pages: PagesOfClaims;
	/** Groups of claims that cannot all be true. */
	contradictions: ReadonlyArray<readonly NumberedClaim[]>;
	choice: UnsupportedChoice;
	/** Whether the model judges what code cannot. */
	judges: boolean;
}

export interface WrittenReport {
	text: string;
	sources: SourceNumbers;
	/** Claims that the text cites. */
	cited: Set<number>;
	checked?: CheckedReport;
	/** The limit that was reached, or `model` where the model wrote nothing that could be used. */
	endedBy?: LimitReached['limit'];
	/** True where the claims are listed instead. */
	isList?: boolean;
	/** Claims that the model was not given, because they were too many. */
	unused?: number;
}

function request({ query, analysisPrompt, claims, pages, contradictions }: WritingTask, model: ModelCaller) {
	const parts = [`The question: ${query}`];
	if (analysisPrompt.trim() !== '') parts.push(`What the user wants of the report: ${analysisPrompt}`);
	parts.push(`The claims:\n${model.asData(claimsBySite(claims, pages))}`);
	const groups = contradictions.map((group) => group.map(({ number }) => `[${number}]`).join(' and '));
	if (groups.length > 0) parts.push(`These claims contradict each other: ${groups.join('; ')}`);
	return parts.join('\n\n');
}

/**
 * Writes the report in one call, and in a second one where the check finds faults. Where the model writes
 * nothing that can be used, or a limit is reached, the claims are listed. Throws ResearchFailure.
 */
export async function writeReport(task: WritingTask, model: ModelCaller): Promise<WrittenReport> {
	const claims = new Map(task.claims.map((claim) => [claim.number, claim]));
	const step = `write ${keyOf(task.system + claimsBySite(task.claims, task.pages) + task.analysisPrompt)}`;
	const writing = { role: 'main' as const, isWriting: true, system: task.system };
	const user = request(task, model);
	const { query, subQuestions, judges, pages } = task;
	const check = { claims, pages, context: [query], subQuestions, judge: judges ? model : undefined };
	let best: CheckedReport | undefined;
	let endedBy: WrittenReport['endedBy'] = 'model';
	try {
		const first = await model.askFor({ ...writing, step, user }, (text) => reportIn(text, claims), PROMPTS.reportAgain);
		if (first !== undefined) {
			best = await checkReport(first, check);
			if (best.faults.length > 0 && !best.limit) {
				const told = `${PROMPTS.rewrite}\n\n${user}\n\nThe report:\n${model.asData(first)}\n\nThe faults:\n${model.asData(best.faults.join('\n'))}`;
				const second = reportIn(await model.ask({ ...writing, step: `${step} again`, user: told }), claims);
				const again = second === undefined ? undefined : await checkReport(second, check);
				if (again && again.faults.length < best.faults.length) best = again;
			}
		}
	} catch (error) {
		const { limit, isTooMuch } = whyUnwritten(error);
		if (isTooMuch && !best && task.claims.length > MIN_CLAIMS) {
			return await writeLess(task, model, limit);
		}
		if (limit) endedBy = limit;
	}
	if (best?.limit) endedBy = best.limit.limit;
	const sources = new SourceNumbers();
	const text = best ? showReport(best, claims, sources, task.choice) : '';
	const cited = new Set(best?.lines.flatMap((line) => citedIn(line.sentences)) ?? []);
	if (best && cited.size > 0) {
		return {
			text,
			sources,
			cited,
			checked: best,
			...(best.limit && { endedBy: best.limit.limit }),
		};
	}
	return listClaims(task.claims, endedBy);
}

/** Every second claim: all pages and questions stay. */
function halfOf(claims: readonly NumberedClaim[]): NumberedClaim[] {
	return claims.filter((_, index) => index % 2 === 0);
}

/** Throws what is neither a limit nor an unanswered call. */
function whyUnwritten(error: unknown): { limit?: LimitReached['limit']; isTooMuch: boolean } {
	if (!(error instanceof LimitReached)) {
		return { isTooMuch: unansweredOrThrow(error).kind === 'tooLong' };
	}
	return { limit: error.limit, isTooMuch: error.limit === 'tokens' };
}

/** The report of half of the claims, where all of them are too much for the model or the limit of tokens. */
async function writeLess(
	task: WritingTask,
	model: ModelCaller,
	limit: LimitReached['limit'] | undefined,
): Promise<WrittenReport> {
	const claims = halfOf(task.claims);
	const report = await writeReport({ ...task, claims }, model);
	const unused = (report.unused ?? 0) + task.claims.length - claims.length;
	return { ...report, unused, ...(limit && { endedBy: limit }) };
}

/** The report in an answer. One without any citation is a refusal, or no report: undefined. */
function reportIn(answer: string, claims: ReadonlyMap<number, NumberedClaim>): string | undefined {
	const text = plainText(answer);
	return citedNumbers(plainCitations(text, (number) => claims.has(number))).length > 0 ? text : undefined;
}

function citedIn(sentences: CheckedReport['lines'][number]['sentences']): number[] {
	return sentences.flatMap(({ verdict, known }) => (verdict === 'cited' ? known : []));
}

/** The claims as a list: each of them is checked. */
function listClaims(claims: readonly NumberedClaim[], endedBy: NonNullable<WrittenReport['endedBy']>): WrittenReport {
	const sources = new SourceNumbers();
	const text = claims.map((claim) => claimLine([claim], sources)).join('\n');
	return {
		text,
		sources,
		cited: new Set(claims.map(({ number }) => number)),
		endedBy,
		isList: true,
	};
}
