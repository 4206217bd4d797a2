import { cutAt } from '../../text/ends';
import { compareFigures } from '../claims/figures';
import { comparePage, markOfQuote, standingPart, standingQuote } from '../claims/knownPage';
import type { KnownSentences, PageComparison } from '../claims/knownPage';
import type { QuotedPage } from '../claims/passages';
import { judgeClaims } from '../claims/verifyClaims';
import type { ClaimVerdict } from '../claims/verifyClaims';
import type { KnownPage, KnownStatement, QuoteMark } from '../contract/history';
import type { LimitReached } from '../model/budget';
import type { ModelCaller } from '../model/modelCaller';
import type { IndexedStatement } from './compareClaims';

/** A statement of an earlier run, by its place in the history, beside its page as it is now. */
export interface StatementNow {
	index: number;
	/**
	 * `gone`: its quote is, and the model has judged the passages that come near. `replaced`: most of its page is gone.
	 * `unproven`: its quote was not found, and not all of its page is here.
	 */
	is: 'standing' | 'gone' | 'replaced' | 'unproven';
	/** The words of the page that hold it, where it stands or the model found it in other words. */
	quote?: string;
	/** The directive of a link that jumps there (textJump.ts). */
	jump?: string;
	/** For one whose quote is gone. */
	verdict?: ClaimVerdict;
	/** The sentence of the page that says otherwise, as the model has named it. */
	otherwise?: { quote: string; jump?: string };
}

/** A page that was read before, as it is now. */
export interface RereadPage extends Pick<PageComparison, 'newPart' | 'wasThere'> {
	statements: StatementNow[];
	/** The marks of the page that it was, where the address leads to another one. */
	was?: string | undefined;
	limit?: LimitReached | undefined;
}

/** A page as it is now, and its marks. */
export interface PageNow {
	page: QuotedPage;
	marks: Pick<KnownPage, 'hash' | 'sentences'>;
}

/** Passages that the model gets to judge whether a page still says a statement. */
const PASSAGES_OF_STATEMENT = 2;

/** Where less than this of a page's sentences stand, its address leads to another page. */
const LEAST_STANDING = 0.25;

/**
 * Looks up the statements of a page that was read before. Code finds the quotes that still stand; for those that are
 * gone the model judges whether the passages that come near say the statement in other words, or which of their sentences
 * says otherwise. `isWhole`: all of the page is here, else a quote that is not found proves nothing. Throws
 * ResearchFailure.
 */
export async function rereadPage(
	{ page, marks, isWhole }: PageNow & { isWhole: boolean },
	known: KnownPage,
	{ statements, elsewhere }: { statements: readonly IndexedStatement[]; elsewhere: KnownSentences },
	model: ModelCaller,
): Promise<RereadPage> {
	const compared = comparePage(page, known, elsewhere);
	const { wasThere } = compared;
	const newPart = marks.hash === known.hash ? '' : compared.newPart;
	const found = statements.map((one) => ({
		...one,
		standing: standingQuote(page, one.quote) ?? compared.standingRow(one.quote),
	}));
	const standing = found.flatMap(({ index, standing: quote }): StatementNow[] =>
		quote === undefined ? [] : [{ index, is: 'standing', quote, ...jumpTo(page, quote) }],
	);
	const gone = found.filter((one) => one.standing === undefined);
	const was = known.was ?? known.sentences;
	const isReplaced = gone.length > 0 && isWhole && (standingPart(page, was) ?? 1) < LEAST_STANDING;
	if (isReplaced || !isWhole) {
		const is = isWhole ? 'replaced' : 'unproven';
		const rest = gone.map(({ index }): StatementNow => ({ index, is }));
		return { statements: [...standing, ...rest], newPart, wasThere, was: isReplaced ? was : known.was };
	}
	const judged = await judgeGone(page, gone, model);
	return { statements: [...standing, ...judged.statements], newPart, wasThere, limit: judged.limit };
}

/** Asks the model about statements whose quotes are gone. */
async function judgeGone(
	page: QuotedPage,
	gone: readonly IndexedStatement[],
	model: ModelCaller,
): Promise<{ statements: StatementNow[]; limit?: LimitReached }> {
	const near = gone.map(({ text, quote }) => page.nearestSentences(`${quote.start} ${text}`, PASSAGES_OF_STATEMENT));
	const compared = gone.map(({ text }, at) => compareFigures(text, near[at]?.map(({ shown }) => shown) ?? []));
	// A page without a passage that comes near does not say it.
	const asked = gone.flatMap(({ text }, at) => {
		const sentences = near[at]?.map(({ shown }) => shown) ?? [];
		const { unclear = [] } = compared[at] ?? {};
		return sentences.length === 0 ? [] : [{ at, statement: text, passage: sentences.join(' '), sentences, unclear }];
	});
	const { verdicts, otherwise, limit } = await judgeClaims(asked, model, { role: 'main', isWriting: false });
	const answerAt = new Map(asked.map(({ at }, index) => [at, index]));
	const statements = gone.map(({ index, text }, at): StatementNow => {
		const answer = answerAt.get(at);
		if (answer === undefined) return { index, is: 'gone', verdict: 'notStated' };
		const verdict = verdicts[answer] ?? 'notJudged';
		const sentences = near[at] ?? [];
		if (verdict === 'supported') {
			// A figure that is not there is not supported, whatever the model says.
			if ((compared[at]?.different ?? []).length > 0) return { index, is: 'gone', verdict: figuresIn(page, text) };
			const [{ quote } = { quote: '' }] = sentences;
			return { index, is: 'gone', verdict, quote, ...jumpTo(page, quote) };
		}
		const named = sentences[otherwise[answer] ?? -1];
		const says = named && { otherwise: { quote: named.quote, ...jumpTo(page, named.quote) } };
		return { index, is: 'gone', verdict, ...says };
	});
	return { statements, ...(limit && { limit }) };
}

/** Whether a page can say a statement that the passages near it do not: nobody knows, where its figures stand elsewhere. */
function figuresIn(page: QuotedPage, text: string): 'notStated' | 'notJudged' {
	return compareFigures(text, [page.readable]).different.length > 0 ? 'notStated' : 'notJudged';
}

function jumpTo(page: QuotedPage, quote: string): Pick<StatementNow, 'jump'> {
	const jump = page.jumpTo(quote);
	return jump === undefined ? {} : { jump };
}

/** Longest text of a statement that is remembered. */
const MAX_TEXT = 300;

/** A statement as it is remembered. */
export function knownStatement(
	{ text, quote, source }: { text: string; quote: string; source: string },
	{ question, firstSeen, lastSeen }: { question: string; firstSeen: string; lastSeen: string },
): KnownStatement {
	const mark: QuoteMark = markOfQuote(quote);
	return { text: cutAt(text, MAX_TEXT), quote: mark, question, source, firstSeen, lastSeen };
}
