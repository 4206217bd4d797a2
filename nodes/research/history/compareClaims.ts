import { keyOf } from '../../text/addresses';
import type { KnownStatement } from '../contract';
import { isRecord, jsonObjects, readVerdict } from '../model/answers';
import { LimitReached } from '../model/budget';
import { unansweredOrThrow } from '../model/modelCaller';
import type { ModelCaller } from '../model/modelCaller';
import { PROMPTS } from '../model/prompts';
import type { NumberedClaim } from '../report/numberedClaims';

/** A new statement beside those that are known; `of`: the index of an earlier one, or of a new one it repeats. */
export type Comparison = { verdict: 'known' | 'changed' | 'repeated'; of: number } | { verdict: 'new' };

/** A statement with its place in the history. */
export type IndexedStatement = KnownStatement & { index: number };

/** Statements of one call: an answer of this length is complete, and the model has an eye on all of them. */
const NEW_OF_CALL = 20;
const EARLIER_OF_CALL = 100;

/**
 * Asks the model which new statements are known, changed or new, in calls that see statements and days and nothing
 * else. Of a long history only statements of the same sub-question are compared, and those of sub-questions that are
 * asked no more. A statement for which the model names nothing, after two tries or at a limit, is new. Throws
 * ResearchFailure.
 */
export async function compareClaims(
	claims: readonly NumberedClaim[],
	earlier: readonly IndexedStatement[],
	/** Names of the sub-questions, in their order. */
	questions: readonly string[],
	model: ModelCaller,
): Promise<{ comparisons: Comparison[]; limit?: LimitReached }> {
	const comparisons = claims.map((): Comparison => ({ verdict: 'new' }));
	let limit: LimitReached | undefined;
	const isLong = earlier.length > EARLIER_OF_CALL;
	const groups = new Map<string, Array<{ claim: NumberedClaim; index: number }>>();
	for (const [index, claim] of claims.entries()) {
		const name = (isLong && questions[claim.question - 1]) || '';
		groups.set(name, [...(groups.get(name) ?? []), { claim, index }]);
	}
	const calls = [...groups].flatMap(([name, own]) => {
		const known = earlier.filter(({ question }) => name === '' || question === name || !questions.includes(question));
		const lists = known.length === 0 ? [known] : chunksOf(known, EARLIER_OF_CALL);
		return chunksOf(own, NEW_OF_CALL).flatMap((part) => lists.map((list) => ({ part, list })));
	});
	await Promise.all(
		calls.map(async ({ part, list }) => {
			// A single statement can neither be known nor repeat another one.
			if (list.length === 0 && part.length < 2) return;
			try {
				const found = await compareOnce(part, list, model);
				for (const [index, one] of found) {
					// A statement that is new to one list of earlier statements may be known to another.
					if (comparisons[index]?.verdict === 'new') comparisons[index] = one;
				}
			} catch (error) {
				if (error instanceof LimitReached) limit = error;
				else unansweredOrThrow(error);
			}
		}),
	);
	return { comparisons, ...(limit && { limit }) };
}

function chunksOf<T>(list: readonly T[], size: number): T[][] {
	return Array.from({ length: Math.ceil(list.length / size) }, (_unused, at) => list.slice(at * size, (at + 1) * size));
}

async function compareOnce(
	part: ReadonlyArray<{ claim: NumberedClaim; index: number }>,
	earlier: readonly IndexedStatement[],
	model: ModelCaller,
): Promise<Map<number, Comparison>> {
	const known = earlier.map(({ text, lastSeen }, at) => `${at + 1}. (${lastSeen.slice(0, 10)}) ${text}`).join('\n');
	const fresh = part.map(({ claim }, at) => `${at + 1}. ${claim.text}`).join('\n');
	const step = `compare ${keyOf(`${known}\n\n${fresh}`)}`;
	const user = `Earlier statements:\n${model.asData(known === '' ? 'None.' : known)}\n\nNew statements:\n${model.asData(fresh)}`;
	const task = { step, role: 'main' as const, isWriting: true, isUrgent: true, system: PROMPTS.compare, user };
	const read = await model.askFor(task, readCompared);
	const found = new Map<number, Comparison>();
	for (const { number, verdict, of } of read ?? []) {
		const own = part[number - 1];
		if (!own) continue;
		const target = verdict === 'repeated' ? (of < number ? part[of - 1] : undefined) : earlier[of - 1];
		if (target && !found.has(own.index)) found.set(own.index, { verdict, of: target.index });
	}
	return found;
}

interface NamedVerdict {
	number: number;
	verdict: 'known' | 'changed' | 'repeated';
	of: number;
}

/** The verdicts in an answer, but those that say `new`; undefined where it holds none. */
function readCompared(text: string): NamedVerdict[] | undefined {
	const lists = jsonObjects(text).flatMap(({ compared }) => (Array.isArray(compared) ? [compared as unknown[]] : []));
	if (lists.length === 0) return undefined;
	return lists.flat().flatMap((one) => {
		if (!isRecord(one)) return [];
		const verdict = readVerdict(one.verdict);
		if (verdict !== 'known' && verdict !== 'changed' && verdict !== 'repeated') return [];
		return [{ number: Number(one.new), verdict, of: Number(one.earlier) }];
	});
}
