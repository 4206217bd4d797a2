import { pageKey } from '../text/addresses';
import { count } from '../text/amounts';
import { isRecord } from '../text/values';
import { PageReader, claimsForm } from './claims/readPage';
import { chooseResults } from './chooseResults';
import type { ResearchPlan } from './contract/history';
import type { SearchResult } from './contract/parts';
import { LimitReached } from './model/budget';
import { storedPlan, findGaps, planResearch, withFields } from './plan';
import type { Gaps } from './plan';
import { readPages } from './readPages';
import type { NumberedClaim } from './report/numberedClaims';
import { reasonText } from './runState';
import type { RunState } from './runState';
import { oneLine, pagesOfRound, siteOf } from './select';
import type { Candidate } from './select';

/** Links of the pages that are shown to the model. */
const SHOWN_LINKS = 20;

/** Rounds without a new claim after which research ends. */
const MAX_STALE_ROUNDS = 2;

/** All that was found, ready to be written. */
export interface Findings {
	plan: ResearchPlan;
	contradictions: NumberedClaim[][];
	unanswered: string[];
	/** Numbers of the sub-questions that are answered. */
	answered: number[];
}

/**
 * Plans, searches, reads, and goes on where something is missing: until the question is answered, a limit
 * is reached, or two rounds have brought nothing new. Throws ResearchFailure.
 */
export async function collect(run: RunState): Promise<Findings> {
	const { question } = run;
	run.log('plan', 'processing', 'Planning');
	const known = run.known?.history.plan;
	const {
		plan: made,
		isPlanned,
		limit,
	} = known ? { plan: storedPlan(known), isPlanned: true, limit: undefined } : await planResearch(question, run.model);
	const plan = withFields(made, question);
	run.log('plan', isPlanned ? 'complete' : 'error', plan.subQuestions.join(' '));
	if (limit) {
		run.keepLimit(limit);
		return findings(run, plan, undefined);
	}
	run.isPlanned = isPlanned;
	// What is compared with later runs is read wherever it stands: its first page may be gone by then.
	if (!question.history) run.texts = new Map();
	run.subQuestions = plan.subQuestions;
	if (!isPlanned) {
		run.warnings.push('The chat model made no plan: the question itself was searched for.');
	}
	const { query, maxPieceCharacters } = question;
	const judges = question.verification === 'support';
	const questions = { query, subQuestions: plan.subQuestions, judges, keepsContext: question.json !== undefined };
	const reader = new PageReader(run.model, claimsForm(questions, run.model), maxPieceCharacters);
	let gaps: Gaps | undefined;
	let queries = plan.queries;
	let staleRounds = 0;
	while (run.round < Math.max(1, question.maxRounds)) {
		run.round += 1;
		if (mayRead(run)) {
			await searchWeb(run, queries);
			await chooseResults(run, plan, placesOf(run));
		}
		const added = await readInPlaces(run, reader);
		gaps = knownGaps(run, added) ?? (await checkGaps(run, plan)) ?? gaps;
		staleRounds = added === 0 ? staleRounds + 1 : 0;
		queries = gaps?.queries ?? [];
		run.followed = [...(gaps?.links ?? [])];
		if (run.limit !== undefined || staleRounds >= MAX_STALE_ROUNDS) break;
		// Pages that were found and not read may hold what is missing, also where there is nothing to search for.
		const isNothingLeft = queries.length === 0 && run.followed.length === 0;
		if (isAnswered(gaps, plan) || (isNothingLeft && !run.pool.hasMore)) break;
		if (run.pagesTaken >= question.maxPages) run.limit = 'pages';
		else if (isNothingLeft) break;
		else if (run.round >= question.maxRounds) run.limit = 'rounds';
		if (run.limit !== undefined) break;
	}
	return findings(run, plan, gaps);
}

/** Pages that may still be read, besides those that the user named for this round; invalid addresses and repeats do not count. */
function placesLeft({ question, pagesTaken, round }: RunState): number {
	const first = round === 1 ? new Set(question.firstPages.filter((url) => siteOf(url) !== '').map(pageKey)).size : 0;
	return question.maxPages - pagesTaken - first;
}

/** Whether a page that a search finds could be read: else the search would be paid for nothing. Time that is up is a limit. */
export function mayRead(run: RunState): boolean {
	if (run.room.isTimeUp) run.limit ??= 'time';
	return run.limit === undefined && placesLeft(run) > 0;
}

/** Places for what searches find in this round. */
function placesOf(run: RunState): number {
	return pagesOfRound(placesLeft(run), run.question.maxRounds - run.round + 1);
}

/** Reads the pages of a round; the place of one that has the text of another is the next one's. Gives how much is new. */
async function readInPlaces(run: RunState, reader: PageReader): Promise<number> {
	const before = run.copies;
	let added = await readPages(run, reader, choosePages(run));
	for (let filled = before; filled < run.copies && run.limit === undefined;) {
		const free = Math.min(run.copies - filled, run.question.maxPages - run.pagesTaken);
		filled = run.copies;
		const next = run.pool.take(Math.max(0, free));
		if (next.length > 0) added += await readPages(run, reader, next);
	}
	return added;
}

function choosePages(run: RunState) {
	const { question, pool, round } = run;
	const left = question.maxPages - run.pagesTaken;
	const first = round === 1 ? pool.takeFirst(question.firstPages, left) : [];
	// A page that the user wants read is named when it is not.
	if (round === 1 && question.firstPages.length > first.length) {
		// Another spelling of one that is read is told at the end, the same address a second time not at all.
		const taken = new Set([...first, ...pool.joined].map(({ url }) => pageKey(url)));
		for (const url of question.firstPages.filter((one) => !taken.has(pageKey(one)))) {
			const isPage = siteOf(url) !== '';
			run.skipped.push({
				url,
				reason: isPage ? 'Max Pages leaves no room for it.' : 'It is not the address of a web page.',
			});
		}
	}
	for (const page of first) if (run.known?.pages.has(page.key)) page.isKnown = true;
	const all = round === 1 ? knownPages(run, first) : [];
	// Half of the pages are kept for what searching finds, as far as it finds any.
	const most = Math.min(left - first.length, Math.floor(question.maxPages / 2));
	const share = pagesOfRound(left - Math.min(most, all.length), question.maxRounds - round + 1);
	const linked = pool.takeLinked(run.followed, Math.max(0, share - first.length));
	const found = [...linked, ...pool.take(Math.max(0, share - first.length - linked.length))];
	const again = all.slice(0, Math.max(most, pool.hasMore ? 0 : left - first.length - found.length));
	return [...first, ...again, ...found];
}

/** Pages of earlier runs to read again, under the address that a search has found now. */
function knownPages({ known, pool }: RunState, first: readonly Candidate[]): Candidate[] {
	const taken = new Set(first.map(({ key }) => key));
	const pages = known?.longestAgo.filter(({ key }) => !taken.has(key)) ?? [];
	return pages.map(({ key, page: { url, title } }) => {
		return { url: pool.foundAs(key) ?? url, key, title, description: '', isKnown: true };
	});
}

/**
 * The gaps of the run before, while each sub-question that was answered has a statement, and none was open: or nothing
 * has come and nothing has gone. No call is paid for that.
 */
function knownGaps({ known, statementsNow, claims, subQuestions }: RunState, added: number): Gaps | undefined {
	if (!known?.history.plan) return undefined;
	const { answered } = known.history;
	const hasGone = [...statementsNow.values()].some(({ is }) => is !== 'standing');
	const isHeld = (number: number) =>
		answered.includes(number) && claims.some(({ question, verified }) => verified && question === number);
	const isAnswered = subQuestions.every((_one, at) => isHeld(at + 1));
	const isAsItWas = added === 0 && !hasGone;
	return isAnswered || isAsItWas ? { answered, contradictions: [], queries: [] } : undefined;
}

function isAnswered(gaps: Gaps | undefined, { subQuestions }: ResearchPlan): boolean {
	return subQuestions.every((_, index) => gaps?.answered.includes(index + 1));
}

async function checkGaps(run: RunState, { subQuestions }: ResearchPlan): Promise<Gaps | undefined> {
	const { question, model, used } = run;
	const claims = run.claims.filter(({ verified }) => verified);
	if (run.phases.reading.over.aborted) {
		run.phases.throwIfStopped();
		run.limit ??= 'time';
		return undefined;
	}
	run.log('reasoning', 'processing', 'Checking what is missing');
	const { query, systemPrompt, today } = question;
	try {
		const links = [...run.links].filter(([key]) => !run.pool.isTaken(key)).map(([, link]) => link);
		const task = { query, today, systemPrompt, subQuestions, claims, used, links: links.slice(0, SHOWN_LINKS) };
		const gaps = await findGaps(task, model);
		const answered = `${gaps?.answered.length ?? 0} of ${subQuestions.length} questions answered`;
		run.log('reasoning', gaps ? 'complete' : 'error', answered);
		// Nobody knows whether the question is answered: that is no complete result.
		if (!gaps) run.limit ??= 'model';
		return gaps;
	} catch (error) {
		run.phases.throwIfStopped();
		run.keepLimit(error);
		return undefined;
	}
}

function findings(run: RunState, plan: ResearchPlan, gaps: Gaps | undefined): Findings {
	const verified = run.claims.filter((claim) => claim.verified);
	// A question with a statement is not said to have none, whatever the model says of it.
	const isOpen = (number: number) =>
		!(gaps?.answered.includes(number) ?? verified.some(({ question }) => question === 0)) &&
		!verified.some(({ question }) => question === number);
	// What has no proof among the fields is told with the JSON.
	const firstField = plan.subQuestions.length - (plan.fields ?? 0);
	return {
		plan,
		unanswered: plan.subQuestions.filter((_, index) => isOpen(index + 1) && index < firstField),
		answered: plan.subQuestions.flatMap((_, index) => (isOpen(index + 1) ? [] : [index + 1])),
		contradictions: (gaps?.contradictions ?? []).map((group) =>
			verified.filter(({ number }) => group.includes(number)),
		),
	};
}

/** Most results of one search that are looked at. */
const MAX_RESULTS = 30;

function readResults(value: unknown): SearchResult[] {
	if (!Array.isArray(value)) return [];
	const text = (one: unknown) => (typeof one === 'string' ? oneLine(one) : '');
	return value.slice(0, MAX_RESULTS).flatMap((one: unknown) => {
		if (!isRecord(one) || typeof one.url !== 'string' || one.url.length > 2000) return [];
		const date = text(one.date);
		return [{ url: one.url, title: text(one.title), description: text(one.description), ...(date !== '' && { date }) }];
	});
}

/** The results of one search; from the notes where it was made before. */
export async function searchOnce(run: RunState, query: string): Promise<SearchResult[]> {
	const { parts, budget, question, phases } = run;
	const step = `search ${query}`;
	const noted = parts.notes.read(step);
	if (isRecord(noted)) return readResults(noted.results);
	const search = async () => {
		// A search without a page to read brings nothing.
		const { searchCredits, leastPageCredits } = question;
		await budget.reserveCredits(searchCredits, searchCredits, leastPageCredits);
		const answer = await parts.search(query).catch((error: unknown) => {
			budget.failCredits(question.searchCredits, error);
			throw error;
		});
		budget.settleCredits(question.searchCredits, answer.creditsUsed);
		const results = readResults(answer.results);
		parts.notes.write(step, { results });
		return results;
	};
	return await phases.race(search, phases.reading);
}

/** Makes the searches side by side and adds what they find to the pool. Throws ResearchFailure. */
export async function searchWeb(run: RunState, queries: readonly string[]): Promise<void> {
	const found = await Promise.all(
		queries.map(async (query) => {
			run.used.add(query.toLowerCase());
			run.log('search', 'processing', `Searching: ${query}`);
			try {
				const results = await searchOnce(run, query);
				run.searchesAnswered += 1;
				run.log('search', 'complete', `${count(results.length, 'result')}: ${query}`);
				return results;
			} catch (error) {
				failed(run, query, error);
				return [];
			}
		}),
	);
	for (const results of found) run.pool.add(results);
}

function failed(run: RunState, query: string, error: unknown): void {
	run.phases.throwIfStopped();
	if (error instanceof LimitReached) return run.keepLimit(error);
	run.searchError ??= error;
	run.keepRefusal(error);
	run.warnings.push(`The search "${query}" failed: ${reasonText(error)}`);
	run.log('search', 'error', `${query}: ${reasonText(error)}`);
}
