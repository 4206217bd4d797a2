import { keyOf, pageKey } from '../../text/addresses';
import { withoutAges } from '../../text/figures/figureNames';
import { isRecord } from '../../text/values';
import { missingFigures } from '../claims/figures';
import { wordsOf } from '../../text/pageText';
import type { KnownStatement } from '../contract/history';
import { jsonObjects, readVerdict } from '../model/answers';
import { LimitReached } from '../model/budget';
import { unansweredOrThrow } from '../model/modelCaller';
import type { ModelCaller } from '../model/modelCaller';
import { PROMPTS } from '../model/prompts';
import type { NumberedClaim } from '../report/numberedClaims';

/** A new statement beside those that are known; `of`: the index of an earlier one, or of a new one it repeats. */
export type Comparison = { verdict: 'known' | 'changed' | 'repeated'; of: number } | { verdict: 'new' };

/** A statement with its place in the history. */
export type IndexedStatement = KnownStatement & { index: number };

/** A new statement with its place among them. */
interface IndexedClaim {
	claim: NumberedClaim;
	index: number;
}

/** Statements of one call: an answer of this length is complete, and the model has an eye on all of them. */
const NEW_OF_CALL = 20;
const EARLIER_OF_CALL = 100;

/** Of other pages, so many earlier statements are compared with a new one: those that have most words in common. */
const NEAREST = 8;

/**
 * Asks the model which new statements are known, changed or new, in calls that see statements and days and nothing
 * else: each with the earlier ones of its page and those that come nearest. Where one is said to be known and each side
 * holds a figure that the other lacks, it is asked once more, and then is changed. A statement for which the model names
 * nothing, after two tries or at a limit, is new. Throws ResearchFailure.
 */
export async function compareClaims(
	claims: readonly NumberedClaim[],
	earlier: readonly IndexedStatement[],
	model: ModelCaller,
): Promise<{ comparisons: Comparison[]; limit?: LimitReached }> {
	const comparisons = claims.map((): Comparison => ({ verdict: 'new' }));
	let limit: LimitReached | undefined;
	const near = nearStatements(earlier);
	const all = claims.map((claim, index) => ({ claim, index, near: near(claim) }));
	await Promise.all(
		callsOf(all).map(async ({ part, places }) => {
			const list = places.flatMap((at) => earlier[at] ?? []);
			// A single statement can neither be known nor repeat another one.
			if (list.length === 0 && part.length < 2) return;
			try {
				const found = await compareOnce(part, list, model, PROMPTS.compare);
				const { checked, limit: reached } = await checkedByFigures(found, { claims, earlier }, model);
				limit ??= reached;
				for (const [index, one] of checked) {
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

/** For a claim, the places of the earlier statements of its page, and of those that come nearest. */
function nearStatements(earlier: readonly IndexedStatement[]): (claim: NumberedClaim) => number[] {
	const words = earlier.map(({ text }) => wordsOf(text));
	const pages = earlier.map(({ source }) => pageKey(source));
	return ({ text, source }) => {
		const own = wordsOf(text);
		const page = pageKey(source);
		const places = [...earlier.keys()];
		const shared = words.map((others) => [...own].filter((word) => others.has(word)).length);
		const others = places
			.filter((at) => pages[at] !== page && (shared[at] ?? 0) > 0)
			.sort((one, other) => (shared[other] ?? 0) - (shared[one] ?? 0))
			.slice(0, NEAREST);
		return [...places.filter((at) => pages[at] === page), ...others];
	};
}

/** The calls: statements of one page together, with the earlier ones of all of them. */
function callsOf(
	all: ReadonlyArray<IndexedClaim & { near: number[] }>,
): Array<{ part: IndexedClaim[]; places: number[] }> {
	const sorted = [...all].sort((one, other) => one.claim.source.localeCompare(other.claim.source));
	const calls: Array<{ part: IndexedClaim[]; list: Set<number> }> = [];
	for (const { near, ...own } of sorted) {
		const last = calls.at(-1);
		const more = near.filter((at) => last?.list.has(at) === false).length;
		const hasRoom = last && last.part.length < NEW_OF_CALL && last.list.size + more <= EARLIER_OF_CALL;
		if (hasRoom) {
			last.part.push(own);
			for (const at of near) last.list.add(at);
		} else calls.push({ part: [own], list: new Set(near) });
	}
	return calls.flatMap(({ part, list }) => {
		const sortedList = [...list].sort((one, other) => one - other);
		const lists = sortedList.length === 0 ? [sortedList] : chunksOf(sortedList, EARLIER_OF_CALL);
		return lists.map((places) => ({ part, places }));
	});
}

function chunksOf<T>(list: readonly T[], size: number): T[][] {
	return Array.from({ length: Math.ceil(list.length / size) }, (_unused, at) => list.slice(at * size, (at + 1) * size));
}

async function compareOnce(
	part: readonly IndexedClaim[],
	list: readonly IndexedStatement[],
	model: ModelCaller,
	system: string,
): Promise<Map<number, Comparison>> {
	const known = list.map(({ text, lastSeen }, at) => `${at + 1}. (${lastSeen.slice(0, 10)}) ${text}`).join('\n');
	const fresh = part.map(({ claim }, at) => `${at + 1}. ${claim.text}`).join('\n');
	const step = `compare ${keyOf(`${system}\n\n${known}\n\n${fresh}`)}`;
	const user = `Earlier statements:\n${model.asData(known === '' ? 'None.' : known)}\n\nNew statements:\n${model.asData(fresh)}`;
	const task = { step, role: 'main' as const, isWriting: true, isUrgent: true, system, user };
	const read = await model.askFor(task, readCompared);
	const found = new Map<number, Comparison>();
	for (const { number, verdict, of } of read ?? []) {
		const own = part[number - 1];
		if (!own || found.has(own.index)) continue;
		const target = verdict === 'repeated' ? (of < number ? part[of - 1] : undefined) : list[of - 1];
		if (verdict === 'new') found.set(own.index, { verdict });
		else if (target) found.set(own.index, { verdict, of: target.index });
	}
	return found;
}

/**
 * Statements that are said to be the same, where each has a figure that the other lacks: a new one that is to repeat
 * another is new; about one that is to be known the model is asked once more, and then it is new or changed.
 */
async function checkedByFigures(
	found: ReadonlyMap<number, Comparison>,
	{ claims, earlier }: { claims: readonly NumberedClaim[]; earlier: readonly IndexedStatement[] },
	model: ModelCaller,
): Promise<{ checked: Map<number, Comparison>; limit?: LimitReached }> {
	const checked = new Map(found);
	const part: IndexedClaim[] = [];
	const list: IndexedStatement[] = [];
	for (const [index, comparison] of found) {
		const claim = claims[index];
		const { verdict } = comparison;
		if (!claim || (verdict !== 'known' && verdict !== 'repeated')) continue;
		const before = verdict === 'known' ? earlier[comparison.of] : undefined;
		const text = before?.text ?? claims[comparison.of]?.text ?? '';
		if (!areFiguresDifferent(claim.text, text)) continue;
		checked.set(index, before ? { verdict: 'changed', of: comparison.of } : { verdict: 'new' });
		if (!before) continue;
		part.push({ claim, index });
		list.push(before);
	}
	if (part.length === 0) return { checked };
	try {
		const again = await compareOnce(part, list, model, `${PROMPTS.compare}\n${PROMPTS.compareAgain}`);
		for (const [index, { verdict }] of again) if (verdict === 'new') checked.set(index, { verdict });
		return { checked };
	} catch (error) {
		if (error instanceof LimitReached) return { checked, limit: error };
		unansweredOrThrow(error);
		return { checked };
	}
}

/** Whether each of two statements has a figure that the other lacks. Lengths of time beside dates are none. */
function areFiguresDifferent(one: string, other: string): boolean {
	const [left, right] = [withoutAges(one), withoutAges(other)];
	return missingFigures(left, [right]).length > 0 && missingFigures(right, [left]).length > 0;
}

interface NamedVerdict {
	number: number;
	verdict: 'known' | 'changed' | 'repeated' | 'new';
	of: number;
}

/** The verdicts in an answer; undefined where it holds none. */
function readCompared(text: string): NamedVerdict[] | undefined {
	const lists = jsonObjects(text).flatMap(({ compared }) => (Array.isArray(compared) ? [compared as unknown[]] : []));
	if (lists.length === 0) return undefined;
	return lists.flat().flatMap((one) => {
		if (!isRecord(one)) return [];
		const verdict = readVerdict(one.verdict);
		if (verdict !== 'known' && verdict !== 'changed' && verdict !== 'repeated' && verdict !== 'new') return [];
		return [{ number: Number(one.new), verdict, of: Number(one.earlier) }];
	});
}
