import { keyOf } from '../../text/addresses';
import { cutAt } from '../../text/ends';
import { isRecord } from '../../text/values';
import type { ModelRole } from '../contract/parts';
import type { UnprovenReason, UnverifiedReason } from '../contract/result';
import { jsonObjects, readVerdict } from '../model/answers';
import { LimitReached } from '../model/budget';
import { unansweredOrThrow } from '../model/modelCaller';
import type { ModelCaller } from '../model/modelCaller';
import { PROMPTS } from '../model/prompts';
import { compareFigures } from './figures';
import { plainStatement } from '../../text/pageText';
import { pairHints } from './pairHints';
import { shownPassage } from './passages';
import type { QuotedPage } from './passages';

/** A claim that did not hold, and why. */
export interface UnverifiedClaim extends DraftClaim {
	reason: UnverifiedReason;
	/** Said to the model when it is asked once more. */
	why: string;
}

/** The statements of a piece of a page, after their checks. */
export interface Verification {
	verified: DraftClaim[];
	unverified: UnverifiedClaim[];
	limit?: LimitReached;
}

/** The means by which claims are verified. */
interface VerifyTask {
	page: QuotedPage;
	/** The question and its parts, which may hold figures of a statement. */
	questions: string[];
	/** False: quotes and figures only. */
	judges: boolean;
	/** Whether claims keep where their quotes stand. */
	keepsContext: boolean;
}

/** Passages that the model gets to mend one claim. */
const PASSAGES_OF_CLAIM = 2;

/**
 * Three judgements, each by whoever can make it: the quote stands on the page and the figures of the statement
 * stand in its passage (code), and the passage supports the statement (the model, in a call of its own).
 * Throws ResearchFailure.
 */
async function verify(drafts: readonly DraftClaim[], task: VerifyTask, model: ModelCaller): Promise<Verification> {
	const { page, questions, judges, keepsContext } = task;
	const unverified: UnverifiedClaim[] = [];
	const found: Array<{ claim: DraftClaim; passage: string; unclear: string[] }> = [];
	for (const draft of drafts) {
		const passage = page.find(draft.quote);
		if (!passage) {
			unverified.push({ ...draft, reason: 'quote', why: 'the quote does not stand on the page' });
			continue;
		}
		const { different, unclear } = compareFigures(draft.text, passage.figures, [passage.path, ...questions]);
		// What code cannot tell is for the judge, with that word; without one, it is not proven.
		const missing = judges ? different : [...different, ...unclear];
		const claim = { ...draft, quote: passage.quote, ...(keepsContext && { context: contextOf(passage) }) };
		if (missing.length === 0) found.push({ claim, passage: shownPassage(passage), unclear });
		else
			unverified.push({
				...claim,
				reason: 'figures',
				why: `${missing.join(', ')} is not in the quote`,
			});
	}
	const linked = (claim: DraftClaim): DraftClaim => {
		const jump = page.jumpTo(claim.quote);
		return jump === undefined ? claim : { ...claim, jump };
	};
	if (!judges) return { verified: found.map(({ claim }) => linked(claim)), unverified };
	const pairs = found.map(({ claim, passage, unclear }) => ({ statement: claim.text, passage, unclear }));
	const { verdicts, limit } = await judgeClaims(pairs, model, { role: 'main', isWriting: false });
	const verified: DraftClaim[] = [];
	found.forEach(({ claim }, index) => {
		const verdict = verdicts[index] ?? 'notJudged';
		const reason = verdict === 'saysNothing' ? 'notStated' : verdict;
		if (reason === 'supported') verified.push(linked(claim));
		else unverified.push({ ...claim, reason, why: WHY[reason] });
	});
	return { verified, unverified, ...(limit && { limit }) };
}

const WHY = {
	contradicted: 'the passage says otherwise',
	notStated: 'the passage does not say it',
	notJudged: 'it was not judged',
};

/**
 * Verifies the claims of a piece of a page. What fails is asked for once more, with the reason and the passages
 * that come near, without the page; then it stays unverified.
 */
export async function verifyClaims(
	step: string,
	drafts: readonly DraftClaim[],
	task: VerifyTask,
	model: ModelCaller,
): Promise<Verification> {
	const first = await verify(drafts, task, model);
	const failed = first.unverified.filter(({ reason }) => reason !== 'notJudged');
	const mended = failed.length === 0 || first.limit ? [] : await mend(step, failed, task, model);
	if (mended.length === 0) return first;
	const second = await verify(mended, task, model);
	const replaced = new Set(second.verified.map(({ replaces }) => failed[(replaces ?? 0) - 1]));
	return {
		verified: [...first.verified, ...second.verified],
		unverified: first.unverified.filter((claim) => !replaced.has(claim)),
		...(second.limit && { limit: second.limit }),
	};
}

async function mend(
	step: string,
	failed: readonly UnverifiedClaim[],
	{ page, questions }: VerifyTask,
	model: ModelCaller,
): Promise<DraftClaim[]> {
	const near = failed.flatMap(({ text, quote }) => page.nearest(`${quote} ${text}`, PASSAGES_OF_CLAIM));
	const passages = [...new Set(near)];
	if (passages.length === 0) return [];
	const claims = failed.map(({ text, question, why }, index) => `${index + 1}. ${text} (question ${question}; ${why})`);
	const user = [
		...questions,
		`\nThe claims:\n${model.asData(claims.join('\n'))}`,
		`\nThe passages:\n${model.asData(passages.join('\n\n'))}`,
	].join('\n');
	try {
		const answer = await model.ask({
			step: `repair ${step}`,
			role: 'reading',
			isUrgent: true,
			system: PROMPTS.repair,
			user,
		});
		return (readClaims(answer) ?? []).slice(0, failed.length);
	} catch (error) {
		// Claims that were verified before stay.
		if (!(error instanceof LimitReached)) unansweredOrThrow(error);
		return [];
	}
}

/** A statement, and the passage that is to say it. */
export interface Pair {
	statement: string;
	passage: string;
	/** Figures of the statement that the passage may hold in words, or not at all. */
	unclear?: readonly string[];
	/** The sentences of the passage, where the one that says otherwise is to be named. */
	sentences?: readonly string[];
	/** Who speaks: the host, the title and the day of the page, where the passage does not say it. */
	page?: string;
	/** True for a value of a JSON, with its subject and its field. */
	isValue?: boolean;
	/** What code says of the pair, for the judge. */
	note?: string;
	/** True for a title of a report. It is judged in the calls for statements, and may say nothing. */
	isTitle?: boolean;
}

/** The model's judgement of a pair; `notJudged` where it has not answered for it. */
export type ClaimVerdict = 'supported' | 'contradicted' | 'notStated' | 'saysNothing' | 'notJudged';

/** Pairs of one call: an answer of this length is still complete, and costs little beside the page. */
const PAIRS_OF_CALL = 10;

/** Figures that a note names. */
const MAX_FIGURES = 5;

/** Longest part of a pair. */
const MAX_PART = 2_000;

/**
 * Asks the model for each pair whether the passage supports the statement, in calls that see nothing else. Gives
 * the verdicts in the order of the pairs. What has no answer, after two tries or at a limit, is `notJudged`. `otherwise`:
 * of what is contradicted, the place of the sentence that says so, where the model names one.
 * Throws ResearchFailure.
 */
export async function judgeClaims(
	pairs: readonly Pair[],
	model: ModelCaller,
	{ role, isWriting }: { role: ModelRole; isWriting: boolean },
): Promise<{ verdicts: ClaimVerdict[]; otherwise: Array<number | undefined>; limit?: LimitReached }> {
	let limit: LimitReached | undefined;
	const verdicts = pairs.map((): ClaimVerdict => 'notJudged');
	const otherwise = pairs.map((): number | undefined => undefined);
	const calls = callsOf(pairs).map(async (places) => {
		const own = places.flatMap((place) => pairs[place] ?? []);
		const texts = own.map(pairText);
		const task = {
			step: `judge ${keyOf(texts.join('\n\n'))}`,
			role,
			isWriting,
			isUrgent: true,
			system: [
				PROMPTS.judge,
				...(own.some(({ page }) => page !== undefined) ? [PROMPTS.judgePages] : []),
				...(own.some(({ isValue }) => isValue) ? [PROMPTS.judgeValues] : []),
				...(own.some(({ isTitle }) => isTitle) ? [PROMPTS.judgeTitles] : []),
				...(own.some(({ sentences }) => sentences) ? [PROMPTS.judgeSentences] : []),
			].join('\n'),
			user: `The pairs:\n${model.asDataEach(texts)}`,
		};
		try {
			const read = await model.askFor(task, (answer) => readVerdicts(answer, own));
			places.forEach((place, index) => {
				verdicts[place] = read?.[index]?.verdict ?? 'notJudged';
				otherwise[place] = read?.[index]?.sentence;
			});
		} catch (error) {
			if (error instanceof LimitReached) limit = error;
			else unansweredOrThrow(error);
		}
	});
	await Promise.all(calls);
	return { verdicts, otherwise, ...(limit && { limit }) };
}

/** The places of the pairs of each call: titles are spread over the calls for statements, as many as there is room for. */
function callsOf(pairs: readonly Pair[]): number[][] {
	const placesOf = (isTitle: boolean) => [...pairs.keys()].filter((at) => (pairs[at]?.isTitle ?? false) === isTitle);
	const statements = placesOf(false);
	const calls = Array.from({ length: Math.ceil(statements.length / PAIRS_OF_CALL) }, (_unused, at) =>
		statements.slice(at * PAIRS_OF_CALL, (at + 1) * PAIRS_OF_CALL),
	);
	placesOf(true)
		.slice(0, calls.length * PAIRS_OF_CALL)
		.forEach((place, at) => calls[at % calls.length]?.push(place));
	return calls;
}

/** A pair as the model gets it, after its number. */
function pairText(
	{ statement, passage, unclear = [], sentences, page, note, isTitle = false }: Pair,
	index: number,
): string {
	const numbered = sentences?.map((sentence, at) => `(${at + 1}) ${sentence}`).join(' ');
	const [said = '', shown = ''] = [statement, numbered ?? passage].map((part) =>
		cutAt(part.replace(/\s+/g, ' '), MAX_PART),
	);
	const figures = unclear.slice(0, MAX_FIGURES).join(', ');
	const notes = [
		...(figures === '' ? [] : [`not in the passage in digits: ${figures}`]),
		...(note === undefined ? [] : [note]),
		...(isTitle ? [] : pairHints(said, shown)),
	];
	const lines = notes.map((note) => `\nNote: ${note}`).join('');
	const speaker = page === undefined ? '' : `\nPage: ${page}`;
	return `${index + 1}. ${isTitle ? 'Heading' : 'Statement'}: ${said}${speaker}\nPassage: ${shown}${lines}`;
}

/** By the words of the judge, as readVerdict() has them. */
const VERDICTS: ReadonlyMap<string, ClaimVerdict> = new Map([
	['supported', 'supported'],
	['contradicted', 'contradicted'],
	['notstated', 'notStated'],
	['nostatement', 'saysNothing'],
]);

interface ReadVerdict {
	verdict: ClaimVerdict;
	/** Counted from 0. */
	sentence?: number;
}

/** The verdicts in an answer; undefined where it holds none. Only a title can say nothing. */
function readVerdicts(text: string, pairs: readonly Pair[]): ReadVerdict[] | undefined {
	const objects = jsonObjects(text);
	const list = objects.map(({ verdicts }) => verdicts).find(Array.isArray) as unknown[] | undefined;
	const entries = (list ?? objects).filter(isRecord);
	const found = new Map<number, { verdict: ClaimVerdict; named: number }>();
	for (const { pair, verdict, sentence } of entries) {
		const known = VERDICTS.get(readVerdict(verdict));
		if (known) found.set(Number(pair), { verdict: known, named: Number(sentence) - 1 });
	}
	if (found.size === 0) return undefined;
	return pairs.map(({ isTitle, sentences = [] }, index) => {
		const { verdict, named = -1 } = found.get(index + 1) ?? { verdict: 'notJudged' };
		if (verdict === 'saysNothing' && !isTitle) return { verdict: 'notStated' };
		const isNamed = verdict === 'contradicted' && sentences[named] !== undefined;
		return { verdict, ...(isNamed && { sentence: named }) };
	});
}

/** Where the quote of a claim stands, for values that rest on it. */
export interface ClaimContext {
	/** The headings above it, the last ones of many. */
	path: string;
	/** Of a row of a table: its cells with the heads of their columns. */
	row?: string;
}

const MAX_PATH = 150;
const MAX_ROW = 250;

/** The place of a quote, as far as values need it. */
export function contextOf({ path, row }: { path: string; row?: string }): ClaimContext {
	return { path: path.slice(-MAX_PATH), ...(row !== undefined && { row: cutAt(row, MAX_ROW) }) };
}

/** A value of a cell as it is looked up (`39 EUR`), and as it goes out: an amount of money is a number with a currency. */
export interface CellValue {
	said: string | number | boolean;
	value: string | number | boolean;
	/** Its code. */
	currency?: string;
}

/** A statement of the model about a page, before anything is known of it. */
export interface DraftClaim {
	text: string;
	quote: string;
	/** The number of the sub-question, counted from 1; 0 where the model named none. */
	question: number;
	/** The directive of a link that jumps to the quote, where one is certain to (textJump.ts). */
	jump?: string;
	/** Whether the quote was on the page at an earlier visit. */
	wasThere?: true;
	/** Names the table of which the quote is a row. */
	table?: string;
	/** Where its quote stands, where values may rest on it. */
	context?: ClaimContext;
	/** Of a cell of a row: its value, and who has found it in the quote; or why it has no proof. */
	cell?: CellValue & { by: 'code' | 'model' };
	unproven?: UnprovenReason;
	/** In an answer about claims that failed: the number of the claim that this one replaces. */
	replaces?: number;
}

/** Most claims of one piece. */
const MAX_CLAIMS = 100;

/** The claims of an answer, or undefined where it is not what was asked for. */
export function readClaims(text: string): DraftClaim[] | undefined {
	const objects = jsonObjects(text);
	const lists = objects.map(({ claims }) => claims).filter(Array.isArray) as unknown[][];
	const loose = objects.filter(({ quote }) => typeof quote === 'string');
	if (lists.length === 0 && loose.length === 0) return undefined;
	return [...lists.flat(), ...loose]
		.flatMap((one) => {
			if (!isRecord(one) || typeof one.text !== 'string' || typeof one.quote !== 'string') return [];
			const statement = plainStatement(one.text, one.quote);
			const number = Number(one.question);
			const question = Number.isInteger(number) && number > 0 ? number : 0;
			if (statement === '') return [];
			const replaces = Number(one.claim);
			const claim = { text: statement, quote: one.quote, question };
			return [Number.isInteger(replaces) ? { ...claim, replaces } : claim];
		})
		.slice(0, MAX_CLAIMS);
}
