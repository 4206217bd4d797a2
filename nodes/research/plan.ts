import { plainStatement } from './claims/pageText';
import type { ResearchQuestion } from './contract/question';
import { isRecord, jsonObjects, readTexts } from './model/answers';
import { LimitReached } from './model/budget';
import type { ModelCaller } from './model/modelCaller';
import { unansweredOrThrow } from './model/modelFailure';
import { PROMPTS } from './model/prompts';
import { keyOf } from '../text/textKey';

const MAX_SUB_QUESTIONS = 6;
const MAX_QUERIES = 4;
const MAX_QUERY_CHARACTERS = 200;
const MAX_LABEL_CHARACTERS = 60;

/** How the question will be worked on. */
export interface ResearchPlan {
	subQuestions: string[];
	queries: string[];
	/** Headings in the language of the question. */
	labels: { notFound: string; contradictions: string };
}

/** Queries of the model as they may be sent: short, on one line, without addresses, none twice. */
export function cleanQueries(queries: readonly string[], used: ReadonlySet<string>): string[] {
	const clean = queries.map((query) => plainStatement(query).slice(0, MAX_QUERY_CHARACTERS).trim());
	const fresh = clean.filter((query) => query !== '' && !used.has(query.toLowerCase()));
	const seen = new Set<string>();
	return fresh.filter((query) => {
		const isNew = !seen.has(query.toLowerCase());
		seen.add(query.toLowerCase());
		return isNew;
	});
}

/** The plan in an answer, or undefined where there is none. */
export function readPlan(text: string): ResearchPlan | undefined {
	const plan = jsonObjects(text).find((one) => readTexts(one.queries).length > 0);
	if (!plan) return undefined;
	const queries = cleanQueries(readTexts(plan.queries), new Set()).slice(0, MAX_QUERIES);
	const subQuestions = readTexts(plan.subQuestions)
		.map(plainStatement)
		.filter((one) => one !== '');
	if (queries.length === 0) return undefined;
	const labels = isRecord(plan.labels) ? plan.labels : {};
	const label = (value: unknown, usual: string) => {
		const clean = typeof value === 'string' ? plainStatement(value) : '';
		return clean === '' || clean.length > MAX_LABEL_CHARACTERS ? usual : clean;
	};
	return {
		subQuestions: subQuestions.slice(0, MAX_SUB_QUESTIONS),
		queries,
		labels: {
			notFound: label(labels.notFound, 'Not found'),
			contradictions: label(labels.contradictions, 'Contradictions'),
		},
	};
}

/** The question itself as the plan, where the model makes none. */
function plainPlan({ query }: ResearchQuestion): ResearchPlan {
	const queries = cleanQueries([query], new Set());
	return {
		subQuestions: [],
		queries: queries.length > 0 ? queries : [query.slice(0, MAX_QUERY_CHARACTERS)],
		labels: { notFound: 'Not found', contradictions: 'Contradictions' },
	};
}

/** Plans the research in one call; with the question itself as the only query where that gives no plan. */
export async function planResearch(
	question: ResearchQuestion,
	model: ModelCaller,
): Promise<{ plan: ResearchPlan; isPlanned: boolean; limit?: LimitReached | undefined }> {
	const { query, systemPrompt } = question;
	const system = withUserPrompt(PROMPTS.plan, systemPrompt);
	const step = `plan ${keyOf(system)}`;
	const task = { step, role: 'main' as const, system, user: `The question: ${query}` };
	let limit: LimitReached | undefined;
	const plan = await model.askFor(task, readPlan).catch((error: unknown) => {
		// No page is paid for a model that does not answer.
		if (!(error instanceof LimitReached)) throw unansweredOrThrow(error).failure;
		limit = error;
		return undefined;
	});
	const made = plan ?? plainPlan(question);
	const subQuestions = made.subQuestions.length > 0 ? made.subQuestions : [plainStatement(query)];
	return { plan: { ...made, subQuestions }, isPlanned: plan !== undefined, limit };
}

/** A system text with what the user wants the model to know. */
export function withUserPrompt(system: string, userPrompt: string): string {
	return userPrompt.trim() === '' ? system : `${system}\n\nThe user adds: ${userPrompt.trim()}`;
}
