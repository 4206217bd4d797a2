import { keyOf } from '../../text/addresses';
import { plainText } from '../model/answers';
import { LimitReached } from '../model/budget';
import { unansweredOrThrow } from '../model/modelCaller';
import type { ModelCaller } from '../model/modelCaller';
import { checkReport } from '../report/checkReport';
import { claimsBySite } from '../report/numberedClaims';
import type { NumberedClaim, PagesOfClaims } from '../report/numberedClaims';
import { showReport } from '../report/showReport';
import type { SourceNumbers } from '../report/showReport';
import type { FoundNews } from './news';

/** The first sentence of a brief, before its citations are links. */
export interface LeadSentence {
	/** Writes it with its citations. */
	show(sources: SourceNumbers): string;
}

interface LeadTask {
	query: string;
	/** The instructions to the model, with those of the user. */
	system: string;
	found: FoundNews;
	pages: PagesOfClaims;
	/** The day of a time as the report tells it. */
	day: (timestamp: string) => string;
}

/** Of so much news the model is told; what has changed comes first. */
const MOST_MOVES = 40;

/**
 * The sentence that says what matters most of the news, by the model: it is checked like a sentence of a report, and one
 * that does not hold is left out. Undefined too where there is only one thing to tell, or a limit comes first. Throws
 * ResearchFailure.
 */
export async function leadSentence(task: LeadTask, model: ModelCaller): Promise<LeadSentence | undefined> {
	const { query, system, pages } = task;
	const moves = movesOf(task).slice(0, MOST_MOVES);
	if (moves.length < 2) return undefined;
	const lines = claimsBySite(moves, pages);
	const user = `The question: ${query}\n\nThe claims:\n${model.asData(lines)}`;
	try {
		const step = `lead ${keyOf(`${system}\n${query}\n${lines}`)}`;
		const answer = await model.ask({ step, role: 'main', isWriting: true, system, user });
		const [line = ''] = plainText(answer).trim().split('\n');
		const claims = new Map(moves.map((move) => [move.number, move]));
		const checked = await checkReport(line, {
			claims,
			pages,
			context: [query],
			subQuestions: [],
			judge: model,
		});
		if (checked.limit) return undefined;
		const sentence = checked.lines.flatMap(({ sentences }) => sentences).find(({ isStatement }) => isStatement);
		if (sentence?.verdict !== 'cited' || sentence.known.length === 0) return undefined;
		const alone = { ...checked, lines: [{ lead: '', sentences: [sentence] }] };
		return { show: (sources) => showReport(alone, claims, sources, 'leaveOut') };
	} catch (error) {
		if (!(error instanceof LimitReached)) unansweredOrThrow(error);
		return undefined;
	}
}

/** What has changed, is new and is gone, as claims: the earlier statement and what has become of it stand in their texts. */
function movesOf({ found, day }: LeadTask): NumberedClaim[] {
	const changed = found.changed.map(({ claim, before }) => ({
		...claim,
		text: `${claim.text} (${day(before.lastSeen)}: ${before.text})`,
	}));
	const withdrawn = found.news.withdrawn.map(({ text, source, lastSeen }) => {
		const gone = `No longer on its page, where it stood on ${day(lastSeen)}: ${text}`;
		return { text: gone, quote: gone, source, verified: true, question: 0 };
	});
	return [...changed, ...found.fresh.map(({ claim }) => claim), ...withdrawn].map((move, index) => ({
		...move,
		number: index + 1,
	}));
}
