import { isRecord } from '../../text/values';
import { compareFigures } from '../claims/figures';
import { shownPassage } from '../claims/passages';
import type { PageToRead, ReadingForm } from '../claims/readPage';
import { judgeClaims } from '../claims/verifyClaims';
import type { ClaimVerdict, DraftClaim, Pair, Verification } from '../claims/verifyClaims';
import { jsonObjects, readNumbers } from '../model/answers';
import type { LimitReached } from '../model/budget';
import type { ModelCaller } from '../model/modelCaller';
import { PROMPTS } from '../model/prompts';
import { speakerOf } from '../report/numberedClaims';
import type { CitedSentence } from './citedText';

/** What a page says of a sentence; `place`: which of the sentences, from 1. */
export interface PageVerdict {
	place: number;
	verdict: Exclude<ClaimVerdict, 'saysNothing'>;
	quote?: string;
	jump?: string;
}

/** Quotes of one sentence that are looked up. */
const MOST_QUOTES = 3;

/**
 * A page is read for the sentences that cite it: the model names the words that speak of each, in whatever language, and
 * nothing is decided yet. `found` gets the quotes that stand on the page.
 */
export function checkForm(sentences: readonly CitedSentence[], model: ModelCaller, found: DraftClaim[]): ReadingForm {
	const numbered = sentences.map(({ text }, at) => `${at + 1}. ${text}`).join('\n');
	return {
		system: PROMPTS.checkText,
		request: `The sentences:\n${model.asData(numbered)}`,
		readAnswer: (text) => readFound(text, sentences.length),
		verify: async (_step, drafts, page): Promise<Verification> => {
			for (const draft of drafts) {
				const passage = page.text.find(draft.quote);
				if (passage) found.push({ ...draft, quote: passage.quote });
			}
			return await Promise.resolve({ verified: [], unverified: [] });
		},
	};
}

/** The quotes of an answer by the numbers of their sentences; undefined where it is not what was asked for. */
function readFound(text: string, most: number): DraftClaim[] | undefined {
	const lists = jsonObjects(text)
		.map(({ found }) => found)
		.filter(Array.isArray) as unknown[][];
	if (lists.length === 0) return undefined;
	return lists.flat().flatMap((one): DraftClaim[] => {
		if (!isRecord(one) || typeof one.quote !== 'string') return [];
		const [question = 0] = readNumbers([one.sentence]) ?? [];
		return question >= 1 && question <= most ? [{ text: '', quote: one.quote, question }] : [];
	});
}

/** Passages that come near a sentence, where the model has named none. */
const NEAR_PASSAGES = 2;

interface Asked {
	place: number;
	quote: string;
	pair: Pair;
	/** Figures of the sentence that the passage does not have: it cannot support it. */
	hasOtherFigures: boolean;
}

/**
 * Judges each sentence beside the quotes that were found for it, or beside the passages that share most words with it. Code
 * compares figures: a passage with others supports nothing, whatever the judge says. Throws ResearchFailure.
 */
export async function judgeSentences(
	sentences: readonly CitedSentence[],
	found: readonly DraftClaim[],
	page: PageToRead,
	model: ModelCaller,
): Promise<{ verdicts: PageVerdict[]; limit?: LimitReached }> {
	const asked: Asked[] = [];
	const speaker = speakerOf({ ...NO_CLAIM, source: page.url }, new Map([[page.url, page]]));
	for (const [at, { text }] of sentences.entries()) {
		const own = found.filter(({ question }) => question === at + 1).map(({ quote }) => quote);
		const quotes = [...new Set(own)].slice(0, MOST_QUOTES);
		const near = quotes.length > 0 ? [] : page.text.nearestSentences(text, NEAR_PASSAGES).map(({ quote }) => quote);
		for (const quote of new Set([...quotes, ...near])) {
			const passage = page.text.find(quote);
			if (!passage) continue;
			const { different, unclear } = compareFigures(text, passage.figures, [passage.path]);
			const pair = {
				statement: text,
				passage: shownPassage(passage),
				page: speaker,
				unclear: [...different, ...unclear],
			};
			asked.push({ place: at + 1, quote: passage.quote, pair, hasOtherFigures: different.length > 0 });
		}
	}
	const { verdicts, limit } = await judgeClaims(
		asked.map(({ pair }) => pair),
		model,
		{ role: 'main', isWriting: false },
	);
	const judged = asked.map(({ place, quote, hasOtherFigures }, at): PageVerdict => {
		const said = verdicts[at] ?? 'notJudged';
		const verdict = said === 'saysNothing' || (said === 'supported' && hasOtherFigures) ? 'notStated' : said;
		const jump = verdict === 'supported' || verdict === 'contradicted' ? page.text.jumpTo(quote) : undefined;
		return { place, verdict, quote, ...(jump !== undefined && { jump }) };
	});
	const best = sentences.map((_sentence, at): PageVerdict => {
		const own = judged.filter(({ place }) => place === at + 1);
		const first = BEST.map((verdict) => own.find((one) => one.verdict === verdict)).find((one) => one !== undefined);
		return first ?? { place: at + 1, verdict: 'notStated' };
	});
	return { verdicts: best, ...(limit && { limit }) };
}

const BEST: ReadonlyArray<PageVerdict['verdict']> = ['supported', 'contradicted', 'notJudged', 'notStated'];

const NO_CLAIM = { number: 1, text: '', quote: '', source: '', verified: true, question: 0 };
