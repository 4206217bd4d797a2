import { PageReader } from './claims/readPage';
import { findGaps } from './gaps';
import type { Gaps } from './gaps';
import { planResearch } from './plan';
import type { ResearchPlan } from './plan';
import { readPages } from './readPages';
import type { NumberedClaim } from './report/numberedClaims';
import type { RunState } from './runState';
import { searchWeb } from './searchWeb';
import { pagesOfRound, siteOf } from './select';

/** Rounds without a new claim after which research ends. */
const MAX_STALE_ROUNDS = 2;

/** What was found, ready to be written. */
export interface Findings {
	plan: ResearchPlan;
	contradictions: NumberedClaim[][];
	unanswered: string[];
}

/**
 * Plans, searches, reads, and goes on where something is missing: until the question is answered, a limit
 * is reached, or two rounds have brought nothing new. Throws ResearchFailure.
 */
export async function collect(run: RunState): Promise<Findings> {
	const { question } = run;
	run.log('plan', 'processing', 'Planning');
	const { plan, isPlanned, limit } = await planResearch(question, run.model);
	run.log('plan', isPlanned ? 'complete' : 'error', plan.subQuestions.join(' '));
	if (limit) {
		run.keepLimit(limit);
		return findings(run, plan, undefined);
	}
	if (!isPlanned) {
		run.warnings.push('The chat model made no plan: the question itself was searched for.');
	}
	const { query, maxPieceCharacters } = question;
	const reader = new PageReader(run.model, {
		query,
		subQuestions: plan.subQuestions,
		maxPieceCharacters,
		judges: question.verification === 'support',
	});
	let gaps: Gaps | undefined;
	let queries = plan.queries;
	let staleRounds = 0;
	while (run.round < Math.max(1, question.maxRounds)) {
		run.round += 1;
		await searchWeb(run, queries);
		const added = await readPages(run, reader, choosePages(run));
		gaps = (await checkGaps(run, plan)) ?? gaps;
		staleRounds = added === 0 ? staleRounds + 1 : 0;
		queries = gaps?.queries ?? [];
		if (run.limit !== undefined || staleRounds >= MAX_STALE_ROUNDS) break;
		// Pages that were found and not read may hold what is missing, also where there is nothing to search for.
		if (isAnswered(gaps, plan) || (queries.length === 0 && !run.pool.hasMore)) break;
		if (run.pagesTaken >= question.maxPages) run.limit = 'pages';
		else if (queries.length === 0) break;
		else if (run.round >= question.maxRounds) run.limit = 'rounds';
		if (run.limit !== undefined) break;
	}
	return findings(run, plan, gaps);
}

function choosePages(run: RunState) {
	const { question, pool, round } = run;
	const left = question.maxPages - run.pagesTaken;
	const first = round === 1 ? pool.takeFirst(question.firstPages, left) : [];
	// A page that the user wants read is named when it is not.
	if (round === 1 && question.firstPages.length > first.length) {
		const taken = new Set(first.map(({ url }) => url));
		for (const url of question.firstPages.filter((one) => !taken.has(one))) {
			const isPage = siteOf(url) !== '';
			run.skipped.push({
				url,
				reason: isPage ? 'Max Pages leaves no room for it.' : 'It is no address of a web page.',
			});
		}
	}
	const share = pagesOfRound(left, question.maxRounds - round + 1);
	return [...first, ...pool.take(Math.max(0, share - first.length))];
}

function isAnswered(gaps: Gaps | undefined, { subQuestions }: ResearchPlan): boolean {
	return subQuestions.every((_, index) => gaps?.answered.includes(index + 1));
}

async function checkGaps(run: RunState, { subQuestions }: ResearchPlan): Promise<Gaps | undefined> {
	const { question, model, used } = run;
	const claims = run.claims.filter(({ verified }) => verified);
	if (run.phases.reading.aborted) {
		run.phases.throwIfStopped();
		run.limit ??= 'time';
		return undefined;
	}
	run.log('reasoning', 'processing', 'Checking what is missing');
	const { query, systemPrompt } = question;
	try {
		const gaps = await findGaps({ query, systemPrompt, subQuestions, claims, used }, model);
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
	const isOpen = (number: number) =>
		gaps
			? !gaps.answered.includes(number)
			: !verified.some(({ question }) => question === number || question === 0);
	return {
		plan,
		unanswered: plan.subQuestions.filter((_, index) => isOpen(index + 1)),
		contradictions: (gaps?.contradictions ?? []).map((group) =>
			verified.filter(({ number }) => group.includes(number)),
		),
	};
}
