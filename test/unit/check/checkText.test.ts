import { seededRandom } from '../../../sandbox/runtime/runtime.ts';
import { CHECK_JUDGES, LAYOUTS, checkReport } from './checkWorld.ts';
import type { CheckJudge, CheckOutcome } from './checkWorld.ts';

/** `CHECK_SEEDS=1,2 CHECK_REPORTS=40` measures others; `CHECK_SHOW=1` shows what came of them. */
const SEEDS = (process.env.CHECK_SEEDS ?? '1').split(',').map(Number);
const REPORTS = Number(process.env.CHECK_REPORTS ?? 10);

async function check(judge: CheckJudge): Promise<CheckOutcome> {
	const outcome: CheckOutcome = {
		...{ trueOnes: 0, lies: {}, through: {}, accused: [], unseenAccused: [], lost: [], open: [] },
		...{ supported: 0, tokens: 0, credits: 0 },
	};
	for (const seed of SEEDS) {
		const random = seededRandom(seed);
		for (let at = 0; at < REPORTS; at += 1) {
			const layout = LAYOUTS[at % LAYOUTS.length] ?? 'numbers';
			await checkReport(random, layout, at % 4 === 0 ? 'some' : 'all', judge, outcome);
		}
	}
	if (process.env.CHECK_SHOW) console.info(judge, JSON.stringify(outcome, null, 1));
	return outcome;
}

it.each(CHECK_JUDGES)('by a judge that says %s: nobody is accused for what could not be seen', async (judge) => {
	const { unseenAccused, lost, open, accused, trueOnes, through, lies } = await check(judge);
	expect({ unseenAccused, lost, open }).toEqual({ unseenAccused: [], lost: [], open: [] });
	if (judge === 'no') return;
	expect(accused.length / trueOnes).toBeLessThan(0.02);
	if (judge === 'honest') expect(through).toEqual({});
	// Figures are compared by code; a round one may be meant as "about".
	else {
		expect(through.year ?? 0).toBe(0);
		expect((through.figure ?? 0) / (lies.figure ?? 1)).toBeLessThan(0.15);
	}
});
