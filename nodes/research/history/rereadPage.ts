import { cutAt } from '../../text/ends';
import { compareFigures } from '../claims/figures';
import { markOfQuote, newPartOf, standingQuote } from '../claims/knownPage';
import type { QuotedPage } from '../claims/passages';
import { judgeClaims } from '../claims/verifyClaims';
import type { ClaimVerdict } from '../claims/verifyClaims';
import type { KnownPage, KnownStatement, QuoteMark } from '../contract';
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
}

/** A page that was read before, as it is now. */
export interface RereadPage {
	statements: StatementNow[];
	/** The part that the model has to read; empty where nothing is new. */
	newPart: string;
	limit?: LimitReached | undefined;
}

/** A page as it is now, and its marks. */
export interface PageNow {
	page: QuotedPage;
	marks: Pick<KnownPage, 'hash' | 'blocks'>;
}

/** Passages that the model gets to judge whether a page still says a statement. */
const PASSAGES_OF_STATEMENT = 2;

/** Of so many quotes and more, most may not go at once, or the page counts as another one. */
const FEWEST_QUOTES = 2;

/**
 * Looks up the statements of a page that was read before. Code finds the quotes that still stand; for those that are
 * gone the model judges whether the passages that come near say the statement in other words. `isWhole`: all of the
 * page is here, else a quote that is not found proves nothing. Throws ResearchFailure.
 */
export async function rereadPage(
	{ page, marks, isWhole }: PageNow & { isWhole: boolean },
	known: KnownPage,
	statements: readonly IndexedStatement[],
	model: ModelCaller,
): Promise<RereadPage> {
	const found = statements.map((one) => ({ ...one, standing: standingQuote(page, one.quote) }));
	const standing = found.flatMap(({ index, standing: quote }): StatementNow[] =>
		quote === undefined ? [] : [{ index, is: 'standing', quote, ...jumpTo(page, quote) }],
	);
	const gone = found.filter((one) => one.standing === undefined);
	const newPart = marks.hash === known.hash ? '' : newPartOf(page, known);
	const isReplaced = statements.length >= FEWEST_QUOTES && gone.length > statements.length / 2;
	if (isReplaced || !isWhole) {
		const is = isWhole ? 'replaced' : 'unproven';
		return { statements: [...standing, ...gone.map(({ index }): StatementNow => ({ index, is }))], newPart };
	}
	const near = gone.map(({ text, quote }) => page.nearest(`${quote.start} ${text}`, PASSAGES_OF_STATEMENT));
	// A page without a passage that comes near does not say it.
	const asked = gone.flatMap(({ text }, at) => {
		const passages = near[at] ?? [];
		if (passages.length === 0) return [];
		const { unclear } = compareFigures(text, passages);
		return [{ at, statement: text, passage: passages.join(' […] '), unclear }];
	});
	const { verdicts, limit } = await judgeClaims(asked, model, { role: 'main', isWriting: false });
	const verdictAt = new Map(asked.map(({ at }, index) => [at, verdicts[index] ?? 'notJudged']));
	const judged = gone.map(({ index, text }, at): StatementNow => {
		const said = verdictAt.get(at) ?? 'notStated';
		const passages = near[at] ?? [];
		// A figure that no passage holds is not supported, whatever the model says: then nobody knows.
		const isUnsupported = said === 'supported' && compareFigures(text, passages).different.length > 0;
		const verdict = isUnsupported ? 'notJudged' : said;
		return { index, is: 'gone', verdict, ...(verdict === 'supported' && { quote: passages[0] ?? '' }) };
	});
	return { statements: [...standing, ...judged], newPart, limit };
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
