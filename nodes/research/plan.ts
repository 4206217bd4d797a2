import { keyOf } from '../text/addresses';
import { cutAt } from '../text/ends';
import { isRecord, isText } from '../text/values';
import { plainStatement } from '../text/pageText';
import type { PlanLabel, ResearchPlan } from './contract/history';
import type { ResearchQuestion } from './contract/question';
import { fieldText, wantedFields } from './json/wantedFields';
import type { PageLead } from './pageLinks';
import { jsonObjects, readNumbers, readTexts } from './model/answers';
import { LimitReached } from './model/budget';
import { unansweredOrThrow } from './model/modelCaller';
import { LABELS } from './model/labels';
import type { ModelCaller } from './model/modelCaller';
import { PROMPTS } from './model/prompts';
import { claimLines } from './report/numberedClaims';
import type { NumberedClaim } from './report/numberedClaims';

const MAX_SUB_QUESTIONS = 6;
/** Searches of the first round. */
export const MAX_QUERIES = 4;
const MAX_QUERY_CHARACTERS = 200;

const NAMES = Object.keys(LABELS) as PlanLabel[];

/** A translation may be so much longer than its text, and so many characters besides. */
const GROWTH = 3;
const SPARE_CHARACTERS = 40;

/**
 * The texts that a model gives. The usual text stands where it gives none, one that is far too long, or one that loses
 * what stands between percent signs.
 */
function readLabels(given: unknown): Record<PlanLabel, string> {
	const labels = isRecord(given) ? given : {};
	const read = NAMES.map((name) => {
		const usual = LABELS[name];
		const value = labels[name];
		const clean = isText(value) ? plainStatement(value) : '';
		const [place = ''] = /%\w+%/.exec(usual) ?? [];
		const isShort = clean.length <= usual.length * GROWTH + SPARE_CHARACTERS;
		return [name, clean !== '' && isShort && clean.includes(place) ? clean : usual];
	});
	return Object.fromEntries(read) as Record<PlanLabel, string>;
}

/**
 * A plan that was stored, maybe by an earlier version: the texts that it lacks are the usual ones. Its fields go, since
 * this run may ask for others.
 */
export function storedPlan({ fields = 0, ...plan }: ResearchPlan): ResearchPlan {
	const subQuestions = plan.subQuestions.slice(0, plan.subQuestions.length - Math.max(0, Number(fields) || 0));
	return { ...plan, subQuestions, language: languageTag(plan.language), labels: readLabels(plan.labels) };
}

/** A language tag such as `pt-BR`, in its usual spelling; undefined for text that is no such tag. */
function languageTag(value: unknown): string | undefined {
	if (typeof value !== 'string' || !/^[a-z]{2,3}(?:-[a-z\d]{2,8}){0,2}$/i.test(value)) return undefined;
	return Intl.getCanonicalLocales(value)[0];
}

/** Queries of the model as they may be sent: short, on one line, without addresses, none twice. */
function cleanQueries(queries: readonly string[], used: ReadonlySet<string>): string[] {
	const clean = queries.map((query) => cutAt(plainStatement(query), MAX_QUERY_CHARACTERS).trim());
	const fresh = clean.filter((query) => query !== '' && !used.has(query.toLowerCase()));
	const seen = new Set<string>();
	return fresh.filter((query) => {
		const isNew = !seen.has(query.toLowerCase());
		seen.add(query.toLowerCase());
		return isNew;
	});
}

/** The plan in an answer, or undefined where there is none. */
function readPlan(text: string): ResearchPlan | undefined {
	const plan = jsonObjects(text).find((one) => readTexts(one.queries).length > 0);
	if (!plan) return undefined;
	const queries = cleanQueries(readTexts(plan.queries), new Set()).slice(0, MAX_QUERIES);
	const subQuestions = readTexts(plan.subQuestions)
		.map((one) => plainStatement(one))
		.filter((one) => one !== '');
	if (queries.length === 0) return undefined;
	return {
		subQuestions: subQuestions.slice(0, MAX_SUB_QUESTIONS),
		queries,
		language: languageTag(plan.language),
		labels: readLabels(plan.labels),
	};
}

/** The question itself as the plan, where the model makes none. */
function plainPlan({ query }: ResearchQuestion): ResearchPlan {
	const queries = cleanQueries([query], new Set());
	return {
		subQuestions: [],
		queries: queries.length > 0 ? queries : [cutAt(query, MAX_QUERY_CHARACTERS)],
		labels: LABELS,
	};
}

/** Plans the research in one call; with the question itself as the only query where that gives no plan. */
export async function planResearch(
	question: ResearchQuestion,
	model: ModelCaller,
): Promise<{ plan: ResearchPlan; isPlanned: boolean; limit?: LimitReached | undefined }> {
	const { query, systemPrompt } = question;
	const system = withUserPrompt(PROMPTS.plan, systemPrompt, question.today);
	const step = `plan ${keyOf(system)}`;
	const fields = question.json ? wantedFields(question.json).map(fieldText) : [];
	const wanted = fields.length === 0 ? '' : `\n\nThe answer fills these fields:\n${fields.join('\n')}`;
	const task = { step, role: 'main' as const, system, user: `The question: ${query}${wanted}` };
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

/** The plan with each field of the JSON as a question of its own: what is read and looked for goes by them, too. */
export function withFields(plan: ResearchPlan, { json }: ResearchQuestion): ResearchPlan {
	const fields = json ? wantedFields(json).map(fieldText) : [];
	const more = fields.filter((field) => !plan.subQuestions.includes(field));
	return more.length === 0 ? plan : { ...plan, subQuestions: [...plan.subQuestions, ...more], fields: more.length };
}

/** A system text with the day, and with what the user wants the model to know. */
export function withUserPrompt(system: string, userPrompt: string, today: string): string {
	const dated = `${system}\n\nToday is ${today}.`;
	return userPrompt.trim() === '' ? dated : `${dated}\n\nThe user adds: ${userPrompt.trim()}`;
}

/** Searches of each further round. */
export const MAX_NEW_QUERIES = 3;
const MAX_CONTRADICTIONS = 20;

/** Links that are followed in a round, and how much of an address is shown. */
const MAX_FOLLOWED = 5;
const MAX_SHOWN_URL = 120;

/** The questions that are still open. */
export interface Gaps {
	/** Numbers of the sub-questions that claims answer, counted from 1. */
	answered: number[];
	/** Numbers of claims that cannot all be true. */
	contradictions: number[][];
	/** The next searches. Empty: nothing. */
	queries: string[];
	/** Links of pages that were read which may lead to what is missing, best first. */
	links?: PageLead[];
}

/** The gaps in an answer: numbers of claims and questions that do not exist are left out. */
function readGaps(text: string, { claims, used, links }: GapsTask): Gaps | undefined {
	const FIELDS = ['answered', 'contradictions', 'queries'];
	const gaps = jsonObjects(text).find((one) => FIELDS.some((field) => Array.isArray(one[field])));
	if (!gaps) return undefined;
	const numbers = new Set(claims.map(({ number }) => number));
	const known = (list: unknown) => [...new Set(readNumbers(list))].filter((one) => numbers.has(one));
	const answered: unknown[] = Array.isArray(gaps.answered) ? gaps.answered : [];
	const groups: unknown[] = Array.isArray(gaps.contradictions) ? gaps.contradictions : [];
	return {
		answered: answered.flatMap((one) => {
			// A question is answered by claims that exist, or nobody can check that it is.
			if (isRecord(one)) return known(one.claims).length > 0 ? readNumbers([one.question]) : [];
			return readNumbers([one]).filter((number) => claims.some(({ question }) => question === number));
		}),
		contradictions: groups
			.map((group) => known(isRecord(group) ? group.claims : group))
			.filter((group) => group.length > 1)
			.slice(0, MAX_CONTRADICTIONS),
		queries: cleanQueries(readTexts(gaps.queries), used).slice(0, MAX_NEW_QUERIES),
		links: [...new Set(readNumbers(gaps.links))].slice(0, MAX_FOLLOWED).flatMap((number) => links[number - 1] ?? []),
	};
}

interface GapsTask {
	query: string;
	today: string;
	systemPrompt: string;
	subQuestions: readonly string[];
	claims: readonly NumberedClaim[];
	/** Queries that were sent, in small letters. */
	used: ReadonlySet<string>;
	/** Of the pages that were read. */
	links: readonly PageLead[];
}

/**
 * Asks what is answered, what contradicts what, and what to search for next. It sees claims, never pages.
 * Undefined where the model gives no answer that can be used. Throws LimitReached and ResearchFailure.
 */
export async function findGaps(task: GapsTask, model: ModelCaller): Promise<Gaps | undefined> {
	const { query, subQuestions, claims, used, links } = task;
	const leads = links.map(({ url, text }, index) => `${index + 1}. ${text} · ${cutAt(url, MAX_SHOWN_URL)}`).join('\n');
	const lines = claims.length === 0 ? 'None.' : claimLines(claims);
	const user = [
		`The question: ${query}`,
		...subQuestions.map((one, index) => `${index + 1}. ${one}`),
		`\nSearches that were made:\n${[...used].join('\n')}`,
		`\nThe claims:\n${model.asData(lines)}`,
		...(leads === '' ? [] : [`\nLinks of the pages:\n${model.asData(leads)}`]),
	].join('\n');
	const prompt = leads === '' ? PROMPTS.gaps : `${PROMPTS.gaps}\n${PROMPTS.gapsLinks}`;
	const system = withUserPrompt(prompt, task.systemPrompt, task.today);
	const step = `gaps ${keyOf([system, ...used, ...subQuestions, lines, leads].join('\n'))}`;
	try {
		return await model.askFor({ step, role: 'main', system, user }, (text) => readGaps(text, task));
	} catch (error) {
		unansweredOrThrow(error);
		return undefined;
	}
}
