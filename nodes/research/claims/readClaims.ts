import { isRecord, jsonObjects } from '../model/answers';
import { plainStatement } from './pageText';

/** A statement of the model about a page, before anything is known of it. */
export interface DraftClaim {
	text: string;
	quote: string;
	/** The number of the sub-question, counted from 1; 0 where the model named none. */
	question: number;
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
			if (!isRecord(one) || typeof one.text !== 'string' || typeof one.quote !== 'string')
				return [];
			const statement = plainStatement(one.text);
			const number = Number(one.question);
			const question = Number.isInteger(number) && number > 0 ? number : 0;
			if (statement === '') return [];
			const replaces = Number(one.claim);
			const claim = { text: statement, quote: one.quote, question };
			return [Number.isInteger(replaces) ? { ...claim, replaces } : claim];
		})
		.slice(0, MAX_CLAIMS);
}
