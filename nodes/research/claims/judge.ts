import { isRecord, jsonObjects } from '../model/answers';
import type { ModelCaller } from '../model/modelCaller';
import { PROMPTS } from '../model/prompts';
import { LimitReached } from '../model/budget';
import { unansweredOrThrow } from '../model/modelFailure';
import type { ModelRole } from '../contract/parts';
import { keyOf } from '../../text/textKey';

/** A statement, and the passage that is to say it. */
export interface Pair {
	statement: string;
	passage: string;
}

/** What the model says of a pair; `notJudged` where it has not answered for it. */
export type Verdict = 'supported' | 'contradicted' | 'notStated' | 'notJudged';

/** Pairs of one call: an answer of this length is still complete, and costs little beside the page. */
const PAIRS_OF_CALL = 10;

/** Longest part of a pair. */
const MAX_PART = 2_000;

/**
 * Asks the model for each pair whether the passage supports the statement, in calls that see nothing else. Gives
 * the verdicts in the order of the pairs. What has no answer, after two tries or at a limit, is `notJudged`.
 * Throws ResearchFailure.
 */
export async function judge(
	pairs: readonly Pair[],
	model: ModelCaller,
	{ role, isWriting }: { role: ModelRole; isWriting: boolean },
): Promise<{ verdicts: Verdict[]; limit?: LimitReached }> {
	let limit: LimitReached | undefined;
	const calls = Array.from(
		{ length: Math.ceil(pairs.length / PAIRS_OF_CALL) },
		async (_unused, at) => {
			const own = pairs.slice(at * PAIRS_OF_CALL, (at + 1) * PAIRS_OF_CALL);
			const text = own
				.map(({ statement, passage }, index) => {
					const [said, shown] = [statement, passage].map((part) =>
						part.replace(/\s+/g, ' ').slice(0, MAX_PART),
					);
					return `${index + 1}. Statement: ${said ?? ''}\nPassage: ${shown ?? ''}`;
				})
				.join('\n\n');
			const step = `judge ${keyOf(text)}`;
			const task = {
				step,
				role,
				isWriting,
				isUrgent: true,
				system: PROMPTS.judge,
				user: `The pairs:\n${model.asData(text)}`,
			};
			try {
				const read = await model.askFor(task, (answer) => readVerdicts(answer, own.length));
				return read ?? own.map((): Verdict => 'notJudged');
			} catch (error) {
				if (error instanceof LimitReached) limit = error;
				else unansweredOrThrow(error);
				return own.map((): Verdict => 'notJudged');
			}
		},
	);
	const verdicts = (await Promise.all(calls)).flat();
	return { verdicts, ...(limit && { limit }) };
}

/** The verdicts in an answer; undefined where it holds none. */
function readVerdicts(text: string, pairs: number): Verdict[] | undefined {
	const objects = jsonObjects(text);
	const list = objects.map(({ verdicts }) => verdicts).find(Array.isArray) as unknown[] | undefined;
	const entries = (list ?? objects).filter(isRecord);
	const found = new Map<number, Verdict>();
	for (const { pair, verdict } of entries) {
		const said = typeof verdict === 'string' ? verdict.toLowerCase().replace(/[^a-z]/g, '') : '';
		const known = {
			supported: 'supported',
			contradicted: 'contradicted',
			notstated: 'notStated',
		} as const;
		if (said in known) found.set(Number(pair), known[said as keyof typeof known]);
	}
	if (found.size === 0) return undefined;
	return Array.from({ length: pairs }, (_unused, index) => found.get(index + 1) ?? 'notJudged');
}
