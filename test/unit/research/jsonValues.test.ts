import { seededRandom } from '../../../sandbox/runtime/runtime.ts';
import { MODELS, jsonCase, runCase } from './jsonWorld.ts';
import type { JudgeKind, ModelKind } from './jsonWorld.ts';

/** `JSON_SEEDS=1,2,3 JSON_CASES=60` measures others; `JSON_SHOW=1` shows what came of them. */
const SEEDS = (process.env.JSON_SEEDS ?? '1').split(',').map(Number);
const CASES = Number(process.env.JSON_CASES ?? 12);

async function measure(model: ModelKind, judge: JudgeKind) {
	const sum = {
		wrong: {} as Record<string, number>,
		guessed: 0,
		found: 0,
		present: 0,
		tokens: 0,
		examples: [] as string[],
	};
	for (const seed of SEEDS) {
		const random = seededRandom(seed);
		for (let at = 0; at < CASES; at += 1) {
			const { wrong, guessed, found, present, inputTokens } = await runCase(jsonCase(random), model, judge, random);
			for (const one of wrong) {
				sum.wrong[one.of] = (sum.wrong[one.of] ?? 0) + 1;
				sum.examples.push(JSON.stringify(one));
			}
			sum.guessed += guessed;
			sum.found += found;
			sum.present += present;
			sum.tokens += inputTokens;
		}
	}
	if (process.env.JSON_SHOW) console.info(model, judge, JSON.stringify({ ...sum, examples: sum.examples.slice(0, 5) }));
	return sum;
}

describe.each(MODELS)('values of JSON by a model that is %s', (model) => {
	it('with an honest judge: none is wrong or guessed', async () => {
		const { wrong, guessed, found, present } = await measure(model, 'honest');
		expect({ wrong, guessed }).toEqual({ wrong: {}, guessed: 0 });
		if (model === 'honest') expect(found / present).toBeGreaterThan(0.95);
	});

	it('with a judge that says yes to all: none is of another object, and none stands in no quote', async () => {
		const { wrong } = await measure(model, 'yes');
		expect(wrong['another plan'] ?? 0).toBe(0);
		expect(wrong['in no quote'] ?? 0).toBe(0);
	});

	it('with a judge that says no to all: there is none', async () => {
		expect((await measure(model, 'no')).found).toBe(0);
	});
});
