import { sameAddress } from '../../text/addresses';
import { pathOfField, withoutPlaces } from '../../text/jsonPaths';
import { isEmpty, isRecord } from '../../text/values';
import { judgeClaims } from '../claims/verifyClaims';
import type { ClaimVerdict, Pair } from '../claims/verifyClaims';
import type { EndedBy, UnprovenReason, UnprovenValue, ValueConflict, ValueProof } from '../contract/result';
import type { ModelCaller } from '../model/modelCaller';
import { linkOf, speakerOf } from '../report/numberedClaims';
import type { NumberedClaim, PagesOfClaims } from '../report/numberedClaims';
import { chosenOf, isSame } from './chooseValue';
import { isOfOther, leavesOf, lookUpIn, statementOf, subjectOf } from './proveJson';
import type { CodeVerdict, JsonLeaf } from './proveJson';
import type { WantedField } from './wantedFields';

/** A JSON of the model, with the claims that it names for its values. */
export interface NamedJson {
	json: unknown;
	/** By the paths of values, the numbers of claims. */
	claims: ReadonlyMap<string, readonly number[]>;
	/** Other values that claims give for the same field of the same thing. */
	others: ReadonlyMap<string, ReadonlyArray<{ value: unknown; claims: readonly number[] }>>;
}

/** All that the values of a JSON are judged by. */
export interface JsonTask {
	claims: readonly NumberedClaim[];
	fieldOf: (path: string) => WantedField | undefined;
	/** Whose values they are that are of no object of a list: the question. */
	subject: string;
	/** False: what code cannot tell has no proof. */
	judges: boolean;
	/** The pages that were read, by their addresses. */
	pages: PagesOfClaims;
	/** True: what has no proof stays, and is listed. */
	keeps: boolean;
}

export interface ProvenJson {
	value: unknown;
	proofs: ValueProof[];
	unproven: UnprovenValue[];
	conflicts: ValueConflict[];
	endedBy?: EndedBy;
}

/** Of so many claims that may say a value a judge is asked; of one that others contradict, of more, since sites count. */
const MOST_TRIED = 2;
const MOST_OF_SEVERAL = 6;

/** A value, and what was found of it. */
interface Tried {
	leaf: JsonLeaf;
	/** Claims whose words hold it, or may do so. */
	held: Array<{ claim: NumberedClaim; verdict: CodeVerdict }>;
	/** Why the claims that were named do not say it. */
	reason: UnprovenReason;
	/** Whether claims give other values for the same field. */
	hasRivals: boolean;
	proof?: ValueProof;
	/** The claims that say it, as code and the judge found. */
	saidBy: NumberedClaim[];
}

/**
 * Decides of each value of a JSON whether the claims that the model names for it say it: code looks it up in their words,
 * beside the anchor of its object, and the model judges each pair of words and value. What has no proof is null, or
 * listed. Of several values that are proven for one field the rule of `chosenOf` takes one, or none.
 */
export async function judgeJson(named: NamedJson, task: JsonTask, model: ModelCaller): Promise<ProvenJson> {
	const byNumber = new Map(task.claims.map((claim) => [claim.number, claim]));
	const addresses = new Set([...task.pages.keys()].map(sameAddress));
	const leaves = leavesOf(named.json);
	const name = subjectOf(task.subject, leaves);
	const tryOut = (leaf: JsonLeaf, numbers: readonly number[]): Tried => {
		const rivals = named.others.get(leaf.path) ?? [];
		const none = { leaf, hasRivals: rivals.length > 0, saidBy: [] };
		if (isEmpty(leaf.value)) return { ...none, held: [], reason: 'notFound' };
		const cited = numbers.flatMap((number) => byNumber.get(number) ?? []).filter(({ verified }) => verified);
		const looked = cited.map((claim) => {
			const title = task.pages.get(claim.source)?.title ?? '';
			const isOther = name !== undefined && !leaf.element && isOfOther(claim, name, title);
			const verdict: CodeVerdict = isOther
				? { is: 'not', reason: 'otherSubject' }
				: lookUpIn(claim, leaf, task.fieldOf(leaf.path), addresses);
			return { claim, verdict };
		});
		const found = looked.filter(({ verdict }) => verdict.is === 'found');
		const held = found.length > 0 ? found : looked.filter(({ verdict }) => verdict.is === 'open');
		const [refused] = looked.flatMap(({ verdict }) => (verdict.is === 'not' ? [verdict.reason] : []));
		return { ...none, held, reason: refused ?? 'noClaim' };
	};
	const tried = leaves.map((leaf) => tryOut(leaf, named.claims.get(leaf.path) ?? []));
	const others = leaves.flatMap((leaf) => {
		const rivals = (named.others.get(leaf.path) ?? []).filter(
			({ value }) => !isEmpty(value) && !isSame(value, leaf.value),
		);
		// The same value may be given several times, with a claim each.
		const first = rivals.filter((one, at) => rivals.findIndex(({ value }) => isSame(value, one.value)) === at);
		return first.map(({ value }) => {
			const same = rivals.filter((one) => isSame(one.value, value));
			return tryOut(
				{ ...leaf, value },
				same.flatMap(({ claims }) => claims),
			);
		});
	});
	const limit = await judgeAll([...tried, ...others], task, model);
	const conflicts = tried.flatMap((one) => {
		// Also where the value of the JSON itself has no proof: what a page says beside it is not passed over.
		const proven = others.filter(({ leaf, proof }) => leaf.path === one.leaf.path && proof);
		return proven.length === 0 ? [] : [{ one, values: one.proof ? [one, ...proven] : proven }];
	});
	const chosen = new Map(
		conflicts.map(({ one, values }) => {
			const told = values.map((tried) => ({ tried, source: tried.proof?.source ?? '', saidBy: tried.saidBy }));
			return [one, one.proof && chosenOf(told, task.pages)?.tried];
		}),
	);
	const decided = tried.map((one): Tried => {
		if (!one.proof || !chosen.has(one)) return one;
		const own = chosen.get(one);
		return own
			? { ...own, leaf: { ...one.leaf, value: own.leaf.value } }
			: { leaf: one.leaf, held: [], reason: 'conflict', hasRivals: true, saidBy: [] };
	});
	const { places, ...made } = assemble(named.json, decided, task.keeps);
	return {
		...made,
		conflicts: conflicts.map(({ one, values }) => {
			const first = chosen.get(one);
			const ordered = first ? [first, ...values.filter((value) => value !== first)] : values;
			const path = places.get(one.leaf.path) ?? withoutPlaces(one.leaf.path);
			return { path, values: ordered.flatMap(({ proof }) => (proof ? [{ ...proof, path }] : [])) };
		}),
		...(limit !== undefined && { endedBy: limit }),
	};
}

/** Asks the model for each value whether its claims say it. Returns the limit that came first, if one did. */
async function judgeAll(all: readonly Tried[], task: JsonTask, model: ModelCaller): Promise<EndedBy | undefined> {
	const asked = all.flatMap((tried) => {
		const most = tried.hasRivals ? MOST_OF_SEVERAL : MOST_TRIED;
		return tried.held.slice(0, most).map((held) => ({ tried, ...held }));
	});
	if (!task.judges) {
		for (const { tried, claim, verdict } of asked) {
			if (verdict.is === 'found') prove(tried, claim, 'code');
			else tried.reason = 'notJudged';
		}
		return undefined;
	}
	const pairs = asked.map(({ tried: { leaf }, claim }): Pair => {
		const { path = '', row } = claim.context ?? {};
		const said = row ?? claim.quote;
		return {
			statement: statementOf(leaf, task.fieldOf(leaf.path), task.subject),
			passage: path === '' ? said : `[${path}] ${said}`,
			page: speakerOf(claim, task.pages),
			isValue: true,
		};
	});
	const { verdicts, limit } = await judgeClaims(pairs, model, { role: 'main', isWriting: true });
	for (const [index, { tried, claim, verdict }] of asked.entries()) {
		const judged = verdicts[index] ?? 'notJudged';
		if (judged === 'supported') prove(tried, claim, verdict.is === 'found' ? 'code' : 'model');
		else tried.reason = UNPROVEN_BY[judged];
	}
	return limit?.limit;
}

/** Why a value has no proof, by what the model says of its words. */
export const UNPROVEN_BY: Record<Exclude<ClaimVerdict, 'supported'>, UnprovenReason> = {
	contradicted: 'contradicted',
	notStated: 'notSupported',
	saysNothing: 'notSupported',
	notJudged: 'notJudged',
};

function prove(tried: Tried, claim: NumberedClaim, by: ValueProof['by']): void {
	const { path, value } = tried.leaf;
	tried.saidBy.push(claim);
	tried.proof ??= { path, value, quote: claim.quote, source: claim.source, ...linkOf(claim), verified: true, by };
}

/** The JSON with what is proven, the proofs by their places in it, and what is not proven. */
function assemble(
	json: unknown,
	decided: readonly Tried[],
	keeps: boolean,
): Omit<ProvenJson, 'conflicts' | 'endedBy'> & { places: ReadonlyMap<string, string> } {
	const places = new Map<string, string>();
	const byPath = new Map(decided.map((one) => [one.leaf.path, one]));
	const anchors = new Map(decided.map(({ leaf }) => [leaf.element?.path, leaf.element?.anchor]));
	const proofs: ValueProof[] = [];
	const unproven: UnprovenValue[] = [];
	/** False for an object or a value of a list that goes with all that it has. */
	const stays = (value: unknown, path: string): boolean => {
		if (keeps) return true;
		if (!isRecord(value)) return typeof value === 'object' || byPath.get(path)?.proof !== undefined;
		const anchor = anchors.get(path);
		return anchor === undefined || byPath.get(`${path}.${anchor.name}`)?.proof !== undefined;
	};
	const tell = (path: string, place: string): unknown => {
		places.set(path, place);
		const { leaf, proof, reason = 'notFound' } = byPath.get(path) ?? {};
		if (proof) {
			proofs.push({ ...proof, path: place });
			return leaf?.value;
		}
		const value = leaf?.value;
		unproven.push({ path: place, ...(!isEmpty(value) && { value }), reason });
		return keeps ? value : null;
	};
	const leave = (value: unknown, path: string): void => {
		if (Array.isArray(value)) value.forEach((one, index) => leave(one, `${path}[${index}]`));
		else if (isRecord(value)) for (const [key, one] of Object.entries(value)) leave(one, pathOfField(path, key));
		else if (!isEmpty(value)) tell(path, withoutPlaces(path));
	};
	const walk = (value: unknown, path: string, place: string): unknown => {
		if (Array.isArray(value)) {
			if (value.length === 0) unproven.push({ path: place, reason: 'notFound' });
			const kept: unknown[] = [];
			for (const [index, one] of value.entries()) {
				const own = `${path}[${index}]`;
				if (stays(one, own)) kept.push(walk(one, own, `${place}[${kept.length}]`));
				else leave(one, own);
			}
			return kept;
		}
		if (!isRecord(value)) return tell(path, place);
		return Object.fromEntries(
			Object.entries(value).map(([key, one]) => [key, walk(one, pathOfField(path, key), pathOfField(place, key))]),
		);
	};
	return { value: walk(json, '', ''), proofs, unproven, places };
}
