import { missingFigures } from './claims/figures';
import { judgeClaims } from './claims/verifyClaims';
import { speakerOf } from './report/numberedClaims';
import type { NumberedClaim } from './report/numberedClaims';
import type { RunState } from './runState';
import { wordsOf } from '../text/pageText';

/** Pairs that the model is asked about at most: three calls. */
const MOST_PAIRS = 30;

/** So much of the words of the shorter claim is in the other one where both may be about the same. */
const SHARED_WORDS = 0.6;

/** Claims of one sub-question that are compared with each other: beyond that, those found first. */
const MOST_OF_QUESTION = 120;

interface ClaimPair {
	one: NumberedClaim;
	other: NumberedClaim;
	shared: number;
}

/**
 * The claims that cannot all be true: code pairs those of one sub-question, of different pages, that share their words and
 * differ in their figures, and the model judges these pairs, each with its site, title and day. Groups of claims; a limit is
 * kept in the run. Throws ResearchFailure.
 */
export async function findConflicts(run: RunState): Promise<NumberedClaim[][]> {
	const { question, claims, pages, model } = run;
	// Without a judge nobody could tell two years of one firm from two firms.
	if (question.verification !== 'support') return [];
	const pairs = conflictPairs(claims.filter(({ verified }) => verified));
	if (pairs.length === 0) return [];
	const asked = pairs.map(({ one, other }) => ({
		statement: one.text,
		passage: other.quote,
		page: speakerOf(other, pages),
	}));
	const { verdicts, limit } = await judgeClaims(asked, model, { role: 'reading', isWriting: false });
	if (limit) run.keepLimit(limit);
	return groupsOf(pairs.filter((_pair, at) => verdicts[at] === 'contradicted'));
}

/** Pairs of claims that may contradict each other in a figure, those first that share most words. */
export function conflictPairs(claims: readonly NumberedClaim[]): ClaimPair[] {
	const byQuestion = new Map<number, NumberedClaim[]>();
	for (const claim of claims) {
		const own = byQuestion.get(claim.question) ?? [];
		byQuestion.set(claim.question, own);
		if (own.length < MOST_OF_QUESTION && /\p{N}/u.test(claim.text)) own.push(claim);
	}
	const pairs: ClaimPair[] = [];
	for (const own of byQuestion.values()) {
		const words = own.map(({ text }) => statementWords(text));
		for (const [at, one] of own.entries()) {
			for (const [index, other] of own.slice(at + 1).entries()) {
				const shared = sharedWords(words[at], words[at + 1 + index]);
				if (shared < SHARED_WORDS || one.source === other.source || !mayBothBeMeant(one, other)) continue;
				pairs.push({ one, other, shared });
			}
		}
	}
	const seen = new Set<string>();
	const isNew = ({ one, other }: ClaimPair) => {
		const name = [one.text, other.text].sort().join('\n');
		return !seen.has(name) && seen.add(name);
	};
	return pairs
		.sort((left, right) => right.shared - left.shared)
		.filter(isNew)
		.slice(0, MOST_PAIRS);
}

/** The words of a statement without its figures. */
function statementWords(text: string): Set<string> {
	return new Set([...wordsOf(text)].filter((word) => !/\p{N}/u.test(word)));
}

function sharedWords(one: ReadonlySet<string> = new Set(), other: ReadonlySet<string> = new Set()): number {
	const shared = [...one].filter((word) => other.has(word)).length;
	return shared < 2 ? 0 : shared / Math.min(one.size, other.size);
}

/** Words with a capital letter within a sentence: most names are, and in some languages all nouns. */
const NAME = /(?<=[\p{Ll}\p{N},;:)] )\p{Lu}[\p{L}\p{M}]+/gu;

const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/g;

/** Whether two claims differ in one figure, and may be about the same thing and year. */
function mayBothBeMeant(one: NumberedClaim, other: NumberedClaim): boolean {
	// What an earlier run has told and this one has found again has been judged.
	if (one.earlier !== undefined && other.earlier !== undefined) return false;
	if (!mayShare(one.text, other.text, NAME) || !mayShare(one.text, other.text, YEAR)) return false;
	// Where two figures differ, one of them mostly says of which two things the claims are.
	return missingFigures(one.text, [other.quote]).length === 1 && missingFigures(other.text, [one.quote]).length === 1;
}

/** Whether two texts have one of these words in common; also where one of them has none. */
function mayShare(one: string, other: string, words: RegExp): boolean {
	const [own, their] = [one, other].map((text) => new Set<string>(text.match(words) ?? []));
	return !own || !their || own.size === 0 || their.size === 0 || [...own].some((word) => their.has(word));
}

/** Pairs that have a claim in common are one conflict. */
function groupsOf(pairs: readonly ClaimPair[]): NumberedClaim[][] {
	const groups: Array<Map<number, NumberedClaim>> = [];
	for (const { one, other } of pairs) {
		const touched = groups.filter((group) => group.has(one.number) || group.has(other.number));
		const merged = new Map(touched.flatMap((group) => [...group]));
		merged.set(one.number, one).set(other.number, other);
		groups.push(merged);
		for (const group of touched) groups.splice(groups.indexOf(group), 1);
	}
	return groups.map((group) => [...group.values()].sort((left, right) => left.number - right.number));
}

/** What was found in pairs, and beside it what the model has named of other claims. */
export function withConflicts(
	named: ReadonlyArray<readonly NumberedClaim[]>,
	found: ReadonlyArray<readonly NumberedClaim[]>,
): NumberedClaim[][] {
	const known = new Set(found.flatMap((group) => group.map(({ number }) => number)));
	const others = named.filter((group) => group.filter(({ number }) => known.has(number)).length < 2);
	return [...found, ...others].map((group) => [...group]);
}
