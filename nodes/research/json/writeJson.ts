import { keyOf } from '../../text/addresses';
import { plainStatement } from '../../text/pageText';
import { isEmpty, isRecord } from '../../text/values';
import type { JsonWish } from '../contract/question';
import { jsonObjects, readNumbers } from '../model/answers';
import { LimitReached } from '../model/budget';
import { unansweredOrThrow } from '../model/modelCaller';
import type { ModelCaller } from '../model/modelCaller';
import { PROMPTS } from '../model/prompts';
import { claimLines } from '../report/numberedClaims';
import type { NumberedClaim } from '../report/numberedClaims';
import { judgeJson } from './judgeJson';
import type { JsonTask, NamedJson, ProvenJson } from './judgeJson';
import { fieldsByPath, leavesOf } from './proveJson';
import { wantedFields } from './wantedFields';

/** A JSON without anything in it, and the limit because of which there is none. */
const nothing = (endedBy?: ProvenJson['endedBy']): ProvenJson => {
	return { value: null, proofs: [], unproven: [], conflicts: [], ...(endedBy && { endedBy }) };
};

interface WriteJsonTask extends Pick<JsonTask, 'judges' | 'pages' | 'keeps'> {
	query: string;
	system: string;
	analysisPrompt: string;
	wish: JsonWish;
	claims: readonly NumberedClaim[];
}

/**
 * Fills the JSON output from claims alone, and proves each value by the claims that the model names for it. Throws
 * ResearchFailure.
 */
export async function writeJson(task: WriteJsonTask, model: ModelCaller): Promise<ProvenJson> {
	const { query, system, analysisPrompt, wish, claims } = task;
	const shape = wish.schema
		? `The JSON Schema:\n${JSON.stringify(wish.schema)}`
		: `The example:\n${JSON.stringify(wish.example ?? {})}`;
	const lines = claimLines(claims);
	const wanted = analysisPrompt.trim() === '' ? '' : `\n\nWhat the user wants of it: ${analysisPrompt}`;
	const user = `The question: ${query}${wanted}\n\n${shape}\n\nThe claims:\n${model.asData(lines)}`;
	const step = `json ${keyOf(system + lines + shape + wanted)}`;
	try {
		const made = await model.askFor({ step, role: 'main', isWriting: true, system, user }, (text) =>
			readNamed(text, claims, wish),
		);
		if (!made) return nothing('model');
		const named = await withLackingClaims(made, lines, model);
		const fieldOf = fieldsByPath(wantedFields(wish));
		return await judgeJson(named, { ...task, fieldOf, subject: query }, model);
	} catch (error) {
		if (error instanceof LimitReached) return nothing(error.limit);
		unansweredOrThrow(error);
		return nothing('model');
	}
}

/** The JSON of an answer, and what the answer says of it; undefined where it holds none. */
function readNamed(text: string, claims: readonly NumberedClaim[], wish: JsonWish): NamedJson | undefined {
	const [made] = jsonObjects(text);
	if (!made) return undefined;
	// A shape of the user's may have a field of this name, and an answer may be the bare object.
	const hasField = Object.keys(Object(wish.schema?.properties ?? wish.example)).includes('json');
	const isNamed = isRecord(made.json) && (isRecord(made.claims) || !hasField);
	const said = claims.map(({ quote, text: statement }) => `${quote}\n${statement}`).join('\n');
	return {
		json: cleanValue(isNamed ? made.json : made, said, 0),
		claims: isNamed ? readClaimNumbers(made.claims) : new Map(),
		others: isNamed ? readOthers(made.others) : new Map(),
	};
}

const MAX_DEPTH = 20;

/** A value without addresses, HTML and orders that no claim has. */
function cleanValue(value: unknown, said: string, depth: number): unknown {
	if (depth > MAX_DEPTH) return null;
	if (Array.isArray(value)) return value.map((one: unknown) => cleanValue(one, said, depth + 1));
	if (isRecord(value)) {
		return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, cleanValue(one, said, depth + 1)]));
	}
	if (typeof value !== 'string' || /^https?:\/\/\S+$/i.test(value)) return value;
	const text = plainStatement(value, said);
	return text === '' ? null : text;
}

function readClaimNumbers(given: unknown): Map<string, number[]> {
	const entries = Object.entries(isRecord(given) ? given : {});
	return new Map(entries.map(([path, list]) => [pathOf(path), readNumbers(Array.isArray(list) ? list : [list])]));
}

function readOthers(given: unknown): NamedJson['others'] {
	const entries = Object.entries(isRecord(given) ? given : {});
	return new Map(
		entries.map(([path, list]) => {
			const all: unknown[] = Array.isArray(list) ? list : [list];
			const read = all.flatMap((one) =>
				isRecord(one) && typeof one.value !== 'object' ? [{ value: one.value, claims: readNumbers(one.claims) }] : [],
			);
			return [pathOf(path), read];
		}),
	);
}

/** A path as it is written here, where a model writes `$.plans.0.price` or `json.plans[0].price`. */
function pathOf(path: string): string {
	return path
		.trim()
		.replace(/^\$\.?/, '')
		.replace(/^json\.(?=.)/, '')
		.replace(/\.(\d{1,6})(?=\.|\[|$)/g, '[$1]');
}

/** Longest value that is shown where a model is asked for its claims. */
const MOST_CHARACTERS = 200;

/** The same with the claims of values for which the model has named none: it is asked for them once. */
async function withLackingClaims(named: NamedJson, lines: string, model: ModelCaller): Promise<NamedJson> {
	const lacking = leavesOf(named.json).filter(
		({ path, value }) => !isEmpty(value) && (named.claims.get(path)?.length ?? 0) === 0,
	);
	if (lacking.length === 0) return named;
	const values = lacking
		.map(({ path, value }) => `${path}: ${String(value).replace(/\s+/g, ' ').slice(0, MOST_CHARACTERS)}`)
		.join('\n');
	const user = `The values:\n${model.asData(values)}\n\nThe claims:\n${model.asData(lines)}`;
	const ask = {
		step: `json claims ${keyOf(user)}`,
		role: 'main',
		isWriting: true,
		system: PROMPTS.jsonClaims,
	} as const;
	try {
		const read = await model.askFor({ ...ask, user }, (text) => {
			const [given] = jsonObjects(text);
			return given && readClaimNumbers(isRecord(given.claims) ? given.claims : given);
		});
		return { ...named, claims: new Map([...(read ?? []), ...named.claims]) };
	} catch (error) {
		// What has no claim has no proof.
		if (!(error instanceof LimitReached)) unansweredOrThrow(error);
		return named;
	}
}
