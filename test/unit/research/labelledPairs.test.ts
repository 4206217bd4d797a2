import { missingFigures } from '../../../nodes/research/claims/figures';
import { QuotedPage } from '../../../nodes/research/claims/passages';
import { PAIRS } from './labelledPairs.ts';
import type { LabelledPair } from './labelledPairs.ts';

/** What code alone says of a pair: it refuses it, or leaves it to the model. */
function codeOn({ page, quote, statement }: LabelledPair): 'quote' | 'figures' | 'judge' {
	const passage = new QuotedPage(page).find(quote);
	if (!passage) return 'quote';
	return missingFigures(statement, [...passage.figures, passage.path]).length > 0 ? 'figures' : 'judge';
}

const labelled = (label: LabelledPair['label']) => PAIRS.filter((pair) => pair.label === label);
const told = (pairs: LabelledPair[]) =>
	pairs.map(({ layout, language, statement, quote }) => `${layout}, ${language}: ${statement} ← ${quote}`);

it('there are 200 pairs, in ten layouts and five languages', () => {
	expect(PAIRS).toHaveLength(200);
	expect(new Set(PAIRS.map(({ layout }) => layout)).size).toBe(10);
	expect(new Set(PAIRS.map(({ language }) => language)).size).toBe(5);
});

it('code throws away none that is true', () => {
	expect(told(labelled('supported').filter((pair) => codeOn(pair) !== 'judge'))).toEqual([]);
});

it('code lets none through whose quote or figures are not there', () => {
	expect(told(labelled('quote').filter((pair) => codeOn(pair) !== 'quote'))).toEqual([]);
	expect(told(labelled('figures').filter((pair) => codeOn(pair) !== 'figures'))).toEqual([]);
});

it('what is false in words only goes to the model, which code cannot replace', () => {
	expect(told(labelled('judge').filter((pair) => codeOn(pair) !== 'judge'))).toEqual([]);
});
