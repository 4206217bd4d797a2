import { register } from 'tsx/esm/api';
import { row } from './row.ts';
import type { Measure } from './row.ts';

/** What a question took on 1 December 2026, before results were chosen and contradictions looked for (8ab58cc5). */
const BEFORE = { tokens: 21_362, credits: 12 };
const SEEDS = [47_258, 17_926];
const QUESTIONS = 20;

/** The most that it may take beside that. */
const MOST = 1.15;

/** Tokens and credits of a question over thirty made results, of which eight are read. */
export const measure: Measure = async () => {
	// The world of the tests is written for a bundler.
	register();
	const { CHOOSERS, measured } = await import('../unit/research/sourcesWorld.ts');
	const rows = [];
	for (const chooser of Object.keys(CHOOSERS)) {
		const { tokens, credits } = await measured(chooser, SEEDS, QUESTIONS);
		const target = { of: 'ratio', most: MOST } as const;
		rows.push(
			row({ name: `tokens, choice ${chooser}`, value: tokens, unit: 'tokens', reference: BEFORE.tokens, target }),
			row({ name: `credits, choice ${chooser}`, value: credits, unit: 'credits', reference: BEFORE.credits, target }),
		);
	}
	return rows;
};
