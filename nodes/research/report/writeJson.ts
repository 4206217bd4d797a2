import { keyOf } from '../../text/addresses';
import { isRecord } from '../../text/values';
import { compareFigures } from '../claims/figures';
import { evenOut, plainStatement } from '../../text/pageText';
import type { JsonWish } from '../contract';
import { jsonObjects } from '../model/answers';
import { LimitReached } from '../model/budget';
import { unansweredOrThrow } from '../model/modelCaller';
import type { ModelCaller } from '../model/modelCaller';
import { claimLines } from './numberedClaims';
import type { NumberedClaim } from './numberedClaims';

const MAX_DEPTH = 20;

export interface WrittenJson {
	/** Null where none could be made. */
	value: unknown;
	unsupported: number;
	/** The limit because of which there is none. */
	endedBy?: LimitReached['limit'];
}

/**
 * A value of the JSON output with null for each value with a figure that no claim holds, or of which nothing is left.
 * Addresses stay only where they are those of pages that were read, or stand in a quote.
 */
export function supportedValue(
	value: unknown,
	quotes: readonly string[],
	pages: ReadonlySet<string>,
	/** Further texts in which figures may stand besides quotes: the question, and the texts of claims. */
	context: readonly string[] = [],
): { value: unknown; unsupported: number } {
	let unsupported = 0;
	const said = quotes.join('\n');
	const walk = (one: unknown, depth: number): unknown => {
		if (depth > MAX_DEPTH) return null;
		if (Array.isArray(one)) return one.map((inner: unknown) => walk(inner, depth + 1));
		if (isRecord(one)) {
			const entries = Object.entries(one).map(([key, inner]) => [key, walk(inner, depth + 1)]);
			return Object.fromEntries(entries) as unknown;
		}
		if (typeof one === 'string' && pages.has(one)) return one;
		if (typeof one !== 'string' && typeof one !== 'number') return one;
		const text = typeof one === 'string' ? plainStatement(one, said) : String(one);
		const plain = evenOut(text);
		const isEmptied = text === '' && one !== '';
		const { different, unclear } = compareFigures(plain, [...quotes, ...context]);
		// Nobody judges a value: a number may be a word in a claim, a name, a time or a date that none has is not held.
		const isHeld = different.length === 0 && !unclear.some((figure) => /[\p{L}:]|\d[-/]\d|\d\.\d+\.\d/u.test(figure));
		if (!isEmptied && isHeld) {
			return typeof one === 'string' ? text : one;
		}
		unsupported += 1;
		return null;
	};
	return { value: walk(value, 0), unsupported };
}

/** Fills the JSON output from claims alone. Throws ResearchFailure. */
export async function writeJson(
	task: {
		query: string;
		system: string;
		analysisPrompt: string;
		wish: JsonWish;
		claims: readonly NumberedClaim[];
	},
	model: ModelCaller,
): Promise<WrittenJson> {
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
			jsonObjects(text).at(0),
		);
		if (!made) return { value: null, unsupported: 0, endedBy: 'model' };
		const quotes = claims.flatMap(({ verified, quote }) => (verified ? [quote] : []));
		const context = [query, ...claims.map(({ text }) => text)];
		return supportedValue(made, quotes, new Set(claims.map(({ source }) => source)), context);
	} catch (error) {
		if (error instanceof LimitReached) return { value: null, unsupported: 0, endedBy: error.limit };
		unansweredOrThrow(error);
		return { value: null, unsupported: 0, endedBy: 'model' };
	}
}
