import { keyOf, siteName } from '../text/addresses';
import { cutAt } from '../text/ends';
import { wordsOf } from '../text/pageText';
import type { ResearchPlan } from './contract/history';
import type { PreferredSources } from './contract/question';
import { jsonObjects, readNumbers } from './model/answers';
import { LimitReached } from './model/budget';
import { unansweredOrThrow } from './model/modelCaller';
import { PROMPTS } from './model/prompts';
import type { RunState } from './runState';
import type { Candidate } from './select';

/** Results that are shown to the model in a round, and how much of each. */
const SHOWN_RESULTS = 30;
const MAX_LINE = 160;

/** Where nearly all are read anyway, nobody is asked. */
const WORTH_A_CHOICE = 1.5;

/** What the user prefers, in words to the model. */
const PREFERRED: Record<PreferredSources, string> = {
	none: '',
	news: 'The user prefers news reports: the newest first.',
	official: 'The user prefers official sources: authorities, and the organisations and firms themselves.',
	research: 'The user prefers research: studies, papers, statistics.',
};

/**
 * Lets the model choose among the results that were found, by site, title, day and description, where there are more than
 * may be read now (`places`). It fills two thirds of the places at most (CandidatePool.take), so that no result can choose
 * all; without an answer that can be used, code's ranking stands.
 */
export async function chooseResults(run: RunState, { subQuestions }: ResearchPlan, places: number): Promise<void> {
	const { pool, question, model, known } = run;
	// What earlier runs have read is read again by another rule.
	const shown = pool.best(SHOWN_RESULTS).filter(({ key }) => known?.pages.has(key) !== true);
	if (places < 1 || shown.length <= places * WORTH_A_CHOICE) return;
	const preferred = PREFERRED[question.prefer ?? 'none'];
	const user = [
		`The question: ${question.query}`,
		...subQuestions.map((one, index) => `${index + 1}. ${one}`),
		...(preferred === '' ? [] : [preferred]),
		`\nAt most ${places} of these results; today is ${question.today}:`,
		model.asData(shown.map((one, index) => `${index + 1}. ${lineOf(one)}`).join('\n')),
	].join('\n');
	try {
		const step = `results ${keyOf(user)}`;
		// It is asked once: a bad answer costs no more than this.
		const text = await model.ask({ step, role: 'reading', system: PROMPTS.chooseResults, user });
		const [given] = jsonObjects(text).filter(({ results }) => Array.isArray(results));
		const numbers = given ? readNumbers(given.results) : [];
		pool.prefer([...new Set(numbers)].flatMap((number) => shown[number - 1]?.key ?? []));
	} catch (error) {
		run.phases.throwIfStopped();
		if (error instanceof LimitReached) run.keepLimit(error);
		else unansweredOrThrow(error);
	}
}

function lineOf({ url, title, description, date = '' }: Candidate): string {
	const known = wordsOf(title);
	const says = [...wordsOf(description)].every((word) => known.has(word)) ? '' : description;
	const words = [siteName(url), date, title, says].filter((part) => part !== '');
	return cutAt(words.join(' · '), MAX_LINE);
}
