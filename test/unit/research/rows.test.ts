import { seededRandom } from '../../../sandbox/runtime/runtime.ts';
import { READERS, firmBy, runFirm } from './rowWorld.ts';
import type { ReaderKind, RowJudge } from './rowWorld.ts';

/** `ROW_SEEDS=1,2,3 ROW_FIRMS=40` measures others; `ROW_SHOW=1` shows what came of them. */
const SEEDS = (process.env.ROW_SEEDS ?? '1').split(',').map(Number);
const FIRMS = Number(process.env.ROW_FIRMS ?? 8);

async function measure(reader: ReaderKind, judge: RowJudge, hasWebsite = true) {
	const sum = {
		wrong: {} as Record<string, number>,
		guessed: 0,
		found: 0,
		present: 0,
		credits: 0,
		tokens: 0,
		pages: 0,
	};
	const missed: Record<string, number> = {};
	const examples: string[] = [];
	for (const seed of SEEDS) {
		const random = seededRandom(seed);
		for (let at = 0; at < FIRMS; at += 1) {
			const { wrong, ...one } = await runFirm(firmBy(random), reader, judge, random, hasWebsite);
			for (const cell of wrong) {
				sum.wrong[cell.of] = (sum.wrong[cell.of] ?? 0) + 1;
				examples.push(JSON.stringify({ subject: one.row.row.subject, ...cell }));
			}
			for (const { column, reason } of one.missed) {
				missed[`${reason}`] = (missed[`${reason}`] ?? 0) + 1;
				if (process.env.ROW_SHOW === '2') examples.push(`${one.row.row.subject} ${column} ${reason}`);
			}
			for (const key of ['guessed', 'found', 'present', 'credits', 'tokens', 'pages'] as const) sum[key] += one[key];
		}
	}
	const rows = SEEDS.length * FIRMS;
	if (process.env.ROW_SHOW) {
		const share = (sum.found / sum.present).toFixed(3);
		const each = [sum.credits, sum.tokens, sum.pages].map((one) => (one / rows).toFixed(1));
		console.info(
			reader,
			judge,
			hasWebsite ? 'site' : 'web',
			share,
			JSON.stringify({ ...sum, missed, each }),
			examples.slice(0, 6),
		);
	}
	return { ...sum, rows };
}

describe.each(READERS)('rows by a model that is %s', (reader) => {
	it.each([true, false])('with an honest judge: no cell is wrong or guessed (Website: %s)', async (hasWebsite) => {
		const { wrong, guessed, found, present } = await measure(reader, 'honest', hasWebsite);
		expect({ wrong, guessed }).toEqual({ wrong: {}, guessed: 0 });
		if (reader === 'honest' && hasWebsite) expect(found / present).toBeGreaterThan(0.95);
	});

	it('with a judge that says yes to all: no cell is of another row or firm', async () => {
		for (const hasWebsite of [true, false]) {
			const { wrong } = await measure(reader, 'yes', hasWebsite);
			expect(wrong['another firm'] ?? 0).toBe(0);
			expect(wrong['another row'] ?? 0).toBe(0);
		}
	});

	it('with a judge that says no to all: there is none', async () => {
		expect((await measure(reader, 'no')).found).toBe(0);
	});
});
