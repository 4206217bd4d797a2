import { seededRandom } from '../../../sandbox/runtime/runtime.ts';
import { READERS } from './rowWorld.ts';
import type { ReaderKind } from './rowWorld.ts';
import { twelveWeeks } from './rowWeeks.ts';

/** `ROW_SEEDS=1,2 ROW_FIRMS=20` measures others; `ROW_SHOW=1` shows what came of them. */
const SEEDS = (process.env.ROW_SEEDS ?? '1').split(',').map(Number);
const FIRMS = Number(process.env.ROW_FIRMS ?? 4);

async function weeks(reader: ReaderKind) {
	const sum = {
		right: 0,
		late: 0,
		missed: [] as string[],
		wrong: [] as string[],
		inherited: 0,
		first: 0,
		quiet: 0,
		restless: 0,
		credits: [0, 0],
	};
	let [cells, characters] = [0, 0];
	for (const seed of SEEDS) {
		const one = await twelveWeeks({ reader, judge: 'honest', random: seededRandom(seed) }, FIRMS);
		sum.right += one.right;
		sum.late += one.late;
		sum.missed.push(...one.missed);
		sum.wrong.push(...one.wrong);
		sum.inherited += one.inherited;
		sum.first += one.first.tokens;
		sum.restless += one.restless.tokens;
		sum.quiet += one.quiet.tokens / one.quiet.weeks;
		sum.credits = [
			(sum.credits[0] ?? 0) + one.first.credits,
			(sum.credits[1] ?? 0) + one.quiet.credits / one.quiet.weeks,
		];
		for (const known of one.histories) {
			cells += Object.keys(known.cells).length;
			characters += JSON.stringify(known).length;
		}
	}
	if (process.env.ROW_SHOW)
		console.info(reader, JSON.stringify({ ...sum, eachCell: Math.round(characters / cells) }, null, 1));
	return sum;
}

describe.each(READERS)('twelve weeks of a moving table, by a model that is %s', (reader) => {
	it('tells what has moved, once, and nothing else; a quiet week costs next to nothing', async () => {
		const { wrong, missed, inherited, first, quiet } = await weeks(reader);
		expect({ wrong, inherited }).toEqual({ wrong: [], inherited: 0 });
		if (reader === 'honest') expect(missed).toEqual([]);
		expect(quiet / first).toBeLessThan(0.05);
	});
});
