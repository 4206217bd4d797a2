import type { ClaimContext } from '../claims/verifyClaims';
import type { ResearchClaim } from '../contract';
import { citedAddress } from '../../text/textJump';

/** A claim by the number that the model knows it by. */
export interface NumberedClaim extends ResearchClaim {
	number: number;
	/** The sub-question, counted from 1; 0 for none. */
	question: number;
	/** The directive of a link that jumps to its quote, where one is certain to (textJump.ts). */
	jump?: string;
	/** The index in the history of a statement that an earlier run has told. */
	earlier?: number;
	/** Of a sentence that says otherwise than an earlier statement: the index of that. */
	instead?: number;
	/** Whether its quote was on the page at the visit before. */
	wasThere?: true;
	/** Names the table of which its quote is a row. */
	table?: string;
	/** Where its quote stands (verifyClaims.ts). */
	context?: ClaimContext;
}

/** The mark after a claim's text that no quote holds. */
const NOT_VERIFIED = ' (not verified)';

/**
 * The claims as the model sees them: their texts, never their quotes or pages. The same statement on
 * several pages stands in one line.
 */
export function claimLines(claims: readonly NumberedClaim[]): string {
	const lines = new Map<string, { numbers: number[]; text: string }>();
	for (const { number, text, verified } of claims) {
		const shown = verified ? text : text + NOT_VERIFIED;
		const key = shown
			.toLowerCase()
			.replace(/[^\p{L}\p{N}]+/gu, ' ')
			.trim();
		const line = lines.get(key) ?? { numbers: [], text: shown };
		line.numbers.push(number);
		lines.set(key, line);
	}
	return [...lines.values()]
		.map(({ numbers, text }) => `${numbers.map((number) => `[${number}]`).join('')} ${text}`)
		.join('\n');
}

/** The address that jumps to the quote of a claim, where one is certain to. */
export function linkOf({ source, jump, verified }: NumberedClaim): { link?: string } {
	const link = verified && jump !== undefined ? citedAddress(source, [jump]) : undefined;
	return link === undefined ? {} : { link };
}
