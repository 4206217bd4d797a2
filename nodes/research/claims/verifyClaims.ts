import { LimitReached } from '../model/budget';
import type { ModelCaller } from '../model/modelCaller';
import { unansweredOrThrow } from '../model/modelFailure';
import { PROMPTS } from '../model/prompts';
import type { UnverifiedReason } from '../contract/result';
import { missingFigures } from './figures';
import { judge } from './judge';
import type { QuotedPage } from './passages';
import { shownPassage } from './passages';
import { readClaims } from './readClaims';
import type { DraftClaim } from './readClaims';

/** A claim that did not hold, and why. */
export interface UnverifiedClaim extends DraftClaim {
	reason: UnverifiedReason;
	/** Said to the model when it is asked once more. */
	why: string;
}

export interface Verification {
	verified: DraftClaim[];
	unverified: UnverifiedClaim[];
	limit?: LimitReached;
}

/** What claims are verified with. */
export interface VerifyTask {
	page: QuotedPage;
	/** The question and its parts, which may hold figures of a statement. */
	questions: string[];
	/** False: quotes and figures only. */
	judges: boolean;
}

/** Passages that the model gets to mend one claim. */
const PASSAGES_OF_CLAIM = 2;

/**
 * Three judgements, each by whoever can make it: the quote stands on the page and the figures of the statement
 * stand in its passage (code), and the passage supports the statement (the model, in a call of its own).
 * Throws ResearchFailure.
 */
async function verify(
	drafts: readonly DraftClaim[],
	task: VerifyTask,
	model: ModelCaller,
): Promise<Verification> {
	const { page, questions, judges } = task;
	const unverified: UnverifiedClaim[] = [];
	const found: Array<{ claim: DraftClaim; passage: string }> = [];
	for (const draft of drafts) {
		const passage = page.find(draft.quote);
		if (!passage) {
			unverified.push({ ...draft, reason: 'quote', why: 'the quote does not stand on the page' });
			continue;
		}
		const missing = missingFigures(draft.text, [...passage.figures, passage.path, ...questions]);
		const claim = { ...draft, quote: passage.quote };
		if (missing.length === 0) found.push({ claim, passage: shownPassage(passage) });
		else
			unverified.push({
				...claim,
				reason: 'figures',
				why: `${missing.join(', ')} is not in the quote`,
			});
	}
	if (!judges) return { verified: found.map(({ claim }) => claim), unverified };
	const pairs = found.map(({ claim, passage }) => ({ statement: claim.text, passage }));
	const { verdicts, limit } = await judge(pairs, model, { role: 'main', isWriting: false });
	const verified: DraftClaim[] = [];
	found.forEach(({ claim }, index) => {
		const verdict = verdicts[index] ?? 'notJudged';
		if (verdict === 'supported') verified.push(claim);
		else unverified.push({ ...claim, reason: verdict, why: WHY[verdict] });
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
	const near = failed.flatMap(({ text, quote }) =>
		page.nearest(`${quote} ${text}`, PASSAGES_OF_CLAIM),
	);
	const passages = [...new Set(near)];
	if (passages.length === 0) return [];
	const claims = failed.map(
		({ text, question, why }, index) => `${index + 1}. ${text} (question ${question}; ${why})`,
	);
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
		// What was verified before stays.
		if (!(error instanceof LimitReached)) unansweredOrThrow(error);
		return [];
	}
}
