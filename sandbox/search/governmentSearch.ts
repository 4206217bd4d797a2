import { z } from 'zod/v4';
import { jsonAnswer } from '../http/answer.ts';
import type { Answer } from '../http/answer.ts';
import { callerFields, wholeNumber } from '../http/bodySchema.ts';
import { rankByWords } from '../text/rankSentences.ts';

interface Rule {
	url: string;
	title: string;
	description: string;
}

/** Made-up rules of a made-up register. */
const RULES: readonly Rule[] = [
	{
		url: 'https://register.example/title-49/part-900',
		title: '49 CFR Part 900 · Transport of batteries on cargo bikes',
		description: 'Lithium batteries of more than 100 watt-hours ride in a closed box and are declared.',
	},
	{
		url: 'https://register.example/title-40/part-910',
		title: '40 CFR Part 910 · Delivery in low emission zones',
		description: 'Vans may enter a low emission zone only with a permit; cargo bikes need none.',
	},
	{
		url: 'https://register.example/title-29/part-920',
		title: '29 CFR Part 920 · Hours of delivery riders',
		description: 'A delivery rider works at most ten hours in a day, waiting included.',
	},
];

/** Query or body of a search of the government index. No recordings: docs/reference/service-notes.md#government-search. */
export const governmentRequestSchema = z
	.object({ query: z.string().min(1), k: wholeNumber(z.number().int().min(1).max(100)), ...callerFields })
	.strict();

/** 400 for a search with wrong fields, also in its body. */
export function badGovernmentSearch(details: readonly unknown[]): Answer {
	return jsonAnswer(400, { success: false, error: 'Invalid query parameters', details });
}

/** The rules for a request, best first. */
export function governmentSearch({ query, k = 10 }: z.output<typeof governmentRequestSchema>) {
	const found = rankByWords(query, RULES, ({ title, description }) => ({ title, texts: [description] }));
	const web = found.slice(0, k).map(({ one }, index) => ({ ...one, position: index + 1 }));
	return { answer: { success: true, data: { web } }, hits: web.length };
}
