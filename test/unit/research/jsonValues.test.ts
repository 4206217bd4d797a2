import { seededRandom } from '../../../sandbox/runtime/runtime.ts';
import { MODELS, jsonCase, runCase } from './jsonWorld.ts';
import type { JudgeKind, ModelKind } from './jsonWorld.ts';
import { World, verdictsOn } from './world.ts';

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

/** A model that makes a statement of each sentence and fills the JSON as it is told. */
function worldOf(pages: Record<string, string>, filled: object, judge = true): World {
	return new World(pages, {
		json: () => JSON.stringify(filled),
		judge: (request) => verdictsOn(request, (statement) => judge || !statement.includes(' · ')),
	});
}

const PRICES = { schema: { type: 'object', properties: { price: { type: 'number' } } } };
const sites = (price: Record<string, number>) =>
	Object.fromEntries(
		Object.entries(price).map(([name, value]) => [
			`https://${name}.example/`,
			`On ${name} the ticket costs ${value} euros.`,
		]),
	);
const OTHERS = { json: { price: 45 }, claims: { price: [1] }, others: { price: [{ value: 49, claims: [2, 3, 4] }] } };

describe('several proven values of one field', () => {
	it('are a conflict, and none of them is taken in silence', async () => {
		const world = worldOf(sites({ one: 45, two: 49 }), { ...OTHERS, others: { price: [{ value: 49, claims: [2] }] } });
		const { json, values } = await world.run({ json: PRICES });
		expect(json).toEqual({ price: null });
		expect(values?.unproven).toEqual([{ path: 'price', value: 45, reason: 'conflict' }]);
		expect(values?.conflicts).toMatchObject([
			{ path: 'price', values: [{ value: 45, source: 'https://one.example/' }, { value: 49 }] },
		]);
	});

	it('are decided by the newest page where all have a date, more than 30 days apart', async () => {
		for (const [day, price] of [
			['2026-01-20', null],
			['2026-02-20', 45],
		] as const) {
			const world = worldOf(sites({ one: 45, two: 49 }), {
				...OTHERS,
				others: { price: [{ value: 49, claims: [2] }] },
			});
			world.dates = { 'https://one.example/': `${day}T00:00:00Z`, 'https://two.example/': '2026-01-01T00:00:00Z' };
			const { json, values } = await world.run({ json: PRICES });
			expect(json).toEqual({ price });
			expect(values?.conflicts).toHaveLength(1);
		}
	});

	it('are decided by two more independent sites; copies count once', async () => {
		const world = worldOf(sites({ one: 45, two: 49, three: 49, four: 49 }), OTHERS);
		expect((await world.run({ json: PRICES })).json).toEqual({ price: 49 });
		const copy = 'As the agency says in its report of today, the ticket of the ferry costs 49 euros.';
		const copies = {
			...sites({ one: 45 }),
			'https://b.example/': copy,
			'https://c.example/': copy,
			'https://d.example/': copy,
		};
		const copied = worldOf(copies, OTHERS);
		expect((await copied.run({ json: PRICES })).json).toEqual({ price: null });
	});

	it('are decided by the sites of which the judge says that they say it', async () => {
		const world = worldOf(sites({ one: 45, two: 49, three: 49, four: 49 }), OTHERS);
		world.script.judge = (request) =>
			verdictsOn(request, (statement, passage) => !/three|four/.test(passage) || !statement.includes(' · '));
		expect((await world.run({ json: PRICES })).json).toEqual({ price: null });
	});

	it('are one where they are given twice', async () => {
		const others = { price: [2, 3, 4].map((claim) => ({ value: 49, claims: [claim] })) };
		const world = worldOf(sites({ one: 45, two: 49, three: 49, four: 49 }), { ...OTHERS, others });
		expect((await world.run({ json: PRICES })).json).toEqual({ price: 49 });
	});

	it('are told where the value of the JSON itself has none', async () => {
		const filled = { json: { price: 46 }, claims: { price: [1] }, others: { price: [{ value: 49, claims: [2] }] } };
		const { json, values } = await worldOf(sites({ one: 45, two: 49 }), filled).run({ json: PRICES });
		expect(json).toEqual({ price: null });
		expect(values).toMatchObject({
			unproven: [{ path: 'price', value: 46, reason: 'notInQuote' }],
			conflicts: [{ path: 'price', values: [{ value: 49, source: 'https://two.example/' }] }],
		});
	});

	it('are none where they mean the same', async () => {
		const world = worldOf(sites({ one: 45, two: 45 }), {
			...OTHERS,
			others: { price: [{ value: '45.00', claims: [2] }] },
		});
		expect((await world.run({ json: PRICES })).values).toMatchObject({ conflicts: [], proofs: [{ value: 45 }] });
	});
});

describe('what has no proof', () => {
	const page = { 'https://a.example/': 'The Basic plan costs 19 euros. The Pro plan costs 39 euros.' };
	const plans = {
		json: {
			plans: [
				{ name: 'Ultra', price: 99 },
				{ name: 'Pro', price: 19 },
				{ name: 'Basic', price: 19 },
			],
			tags: ['x', 'Basic'],
		},
		claims: {
			'plans[0].name': [1],
			'plans[0].price': [1],
			'plans[1].name': [2],
			'plans[1].price': [1],
			'$.plans.2.name': [1],
			'plans[2].price': [1],
			'tags[0]': [1],
			'tags[1]': [1],
		},
	};

	it('is null, and an object whose name has none leaves its list', async () => {
		const { json, values, checks } = await worldOf(page, plans).run({ json: {} });
		expect(json).toEqual({
			plans: [
				{ name: 'Pro', price: null },
				{ name: 'Basic', price: 19 },
			],
			tags: ['Basic'],
		});
		expect(values?.proofs.map(({ path }) => path)).toEqual([
			'plans[0].name',
			'plans[1].name',
			'plans[1].price',
			'tags[0]',
		]);
		expect(values?.unproven).toEqual([
			{ path: 'plans[].name', value: 'Ultra', reason: 'notInQuote' },
			{ path: 'plans[].price', value: 99, reason: 'otherPlace' },
			{ path: 'plans[0].price', value: 19, reason: 'otherPlace' },
			{ path: 'tags[]', value: 'x', reason: 'notInQuote' },
		]);
		expect(checks.unsupportedValues).toBe(4);
	});

	it('stays where that is wanted, and is listed', async () => {
		const { json, values } = await worldOf(page, plans).run({ json: {}, unprovenValues: 'keep' });
		expect(json).toEqual(plans.json);
		expect(values?.unproven.map(({ path }) => path)).toEqual([
			'plans[0].name',
			'plans[0].price',
			'plans[1].price',
			'tags[0]',
		]);
	});

	it('is what only a judge can tell, without one', async () => {
		const filled = { json: { open: true, price: 19 }, claims: { open: [1], price: [1] } };
		const { json, values } = await worldOf(page, filled).run({ json: {}, verification: 'quotes' });
		expect(json).toEqual({ open: null, price: 19 });
		expect(values?.unproven).toEqual([{ path: 'open', value: true, reason: 'notJudged' }]);
	});

	it('is all of it where the judge says no', async () => {
		const filled = { json: { price: 19 }, claims: { price: [1] } };
		const { json, values } = await worldOf(page, filled, false).run({ json: {} });
		expect(json).toEqual({ price: null });
		expect(values?.unproven).toEqual([{ path: 'price', value: 19, reason: 'notSupported' }]);
	});
});

it('pays for nothing again in a retry, and proves the same', async () => {
	const page = { 'https://a.example/': 'The Basic plan costs 19 euros.' };
	const filled = { json: { price: 19 }, claims: { price: [1] } };
	const first = worldOf(page, filled);
	const before = await first.run({ json: PRICES });
	const again = worldOf(page, filled);
	for (const [step, entry] of first.notes.entries) again.notes.entries.set(step, entry);
	expect((await again.run({ json: PRICES })).values).toEqual(before.values);
	expect(again.requests).toEqual([]);
});

it('tells the subject from a longer name, also on pages of others and behind any word', async () => {
	const filled = {
		json: { company: 'Acme', employees: 755, boats: 12 },
		claims: { company: [1], employees: [1], boats: [2] },
	};
	const page = { 'https://news.example/': 'In 2025 Acme has 755 employees. The rival Acme Robotics has 12 boats.' };
	const { json, values } = await worldOf(page, filled).run({ query: 'What of Acme?', json: {} });
	expect(json).toEqual({ company: 'Acme', employees: 755, boats: null });
	expect(values?.unproven).toEqual([{ path: 'boats', value: 12, reason: 'otherSubject' }]);
});
