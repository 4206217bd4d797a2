import type { PlanLabel } from '../contract/history';

/** Every text that code writes into a report. A plan gives them in the language of the question, where that is another. */
export const LABELS: Record<PlanLabel, string> = {
	notFound: 'Not found',
	contradictions: 'Contradictions',
	new: 'New',
	changed: 'Changed',
	withdrawn: 'No longer on its page',
	before: 'There before, told for the first time',
	unchanged: 'As before',
	unchecked: 'Could not be checked',
	sources: 'Sources',
	alsoOn: 'other sites that say so: %count%',
	saysOther: 'its page now says something else',
	pageReplaced: 'most of their page has become another one',
	pageCut: 'their page was not read whole, or leads to another one',
	notJudged: 'the chat model did not judge them',
	pageFailed: 'their page could not be read',
	pageSkipped: 'their pages were not read in this run',
	partial: 'Partial result',
	limit: '%limit% was reached before everything was answered.',
	lookedUp: 'The quote of each claim was looked up in its page, and so were its figures.',
	judged:
		'Whether the quotes support the claims, and the claims the sentences of this report, was judged by the chat model, in calls that saw nothing else. Whether a page is right was not checked.',
	unjudged: 'Whether the quotes support the claims was not judged.',
	compared: 'Which statements are known, changed or new was judged by the chat model from the statements alone.',
	price: 'Pages of %sites% were not read, for their price: Max Credits is set.',
	noAnswer: 'No answer was found.',
	searchedFor: 'Searched for',
	read: 'Read',
	notRead: 'Not read',
	notAnswered: 'Not answered',
};
