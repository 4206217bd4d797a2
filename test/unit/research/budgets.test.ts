import { Budget } from '../../../nodes/research/model/budget';
import { MemoryNotes, QUESTION, site, withoutJumps, World } from './world.ts';
import type { Script } from './world.ts';

/** A model that never has enough. */
const HUNGRY: Script = {
	gaps: (_, count) => JSON.stringify({ answered: [], contradictions: [], queries: [`more ${count}`] }),
};

describe('a limit gives a partial report that names it', () => {
	it('rounds', async () => {
		const world = new World(site(15), HUNGRY);
		const result = await world.run({ maxRounds: 3 });
		expect(result).toMatchObject({ status: 'partial', endedBy: 'rounds', pagesRead: 15 });
		expect(result.closing).toMatch(/^Partial result: Max Rounds \(3\) was reached .* The quote of each claim/);
		expect(result.finalAnalysis).toMatch(/^Acme has 100 boats/);
		expect(world.searched).toEqual(['acme history', 'acme staff', 'more 1', 'more 2']);
		// A question with a statement is not one of which nothing was found.
		expect(result.unanswered).toEqual(['How many?']);
		expect(result.finalAnalysis).toContain('## Not found\n\n- How many?');
	});

	it('pages', async () => {
		const result = await new World(site(40), HUNGRY).run({ maxRounds: 9, maxPages: 3 });
		expect(result).toMatchObject({ status: 'partial', endedBy: 'pages', pagesRead: 3 });
		expect(result.limit).toBe('Max Pages (3) was reached before everything was answered.');
		expect(result.usage.creditsUsed).toBeLessThanOrEqual(3 + 2 * 4);
	});

	it('credits', async () => {
		const world = new World(site(40), HUNGRY);
		const result = await world.run({ maxCredits: 9, maxRounds: 3 });
		expect(result).toMatchObject({ status: 'partial', endedBy: 'credits', pagesRead: 5 });
		expect(result.usage.creditsUsed).toBe(9);
		expect(result.limit).toBe('Max Credits (9) was reached before everything was answered.');
	});

	it('credits, also of a search whose answer was lost', async () => {
		const world = new World(site(9), HUNGRY);
		world.beforeCall = (kind, what) => {
			if (kind === 'search' && what === 'acme staff') throw new Error('Time-out.');
		};
		const result = await world.run({ maxCredits: 9 });
		expect(result).toMatchObject({ endedBy: 'credits', pagesRead: 5, usage: { creditsUsed: 7, creditsInDoubt: 2 } });
	});

	it('credits of the account', async () => {
		const world = new World(site(4));
		world.beforeCall = (kind, what) => {
			if (kind !== 'scrape' || !what.includes('s2')) return;
			throw Object.assign(new Error('Payment required.'), { httpCode: 402 });
		};
		const result = await world.run();
		expect(result).toMatchObject({
			status: 'partial',
			endedBy: 'credits',
			limit: 'Payment required.',
		});
		expect(result.claims).toHaveLength(3);
	});

	it('time', async () => {
		const world = new World(site(20));
		world.modelMs = 20_000;
		const result = await world.run({ timeLimitMs: 200_000, concurrentModelCalls: 2 });
		expect(result).toMatchObject({
			status: 'partial',
			endedBy: 'time',
			limit: 'Time Limit (200 s) was reached before everything was answered.',
		});
		expect(result.claims.length).toBeGreaterThan(1);
		expect(result.claims.length).toBeLessThan(20);
		expect(withoutJumps(result.finalAnalysis)).toContain('Acme has 100 boats in port 1. [1](https://s0.example/)');
		expect(result.usage.seconds).toBeLessThanOrEqual(201);
		expect(world.count('write')).toBe(1);
	});

	it('time, and counts pages on their way in the bill', async () => {
		const world = new World(site(4));
		world.pageMs = 200_000;
		const result = await world.run({ timeLimitMs: 100_000 });
		expect(result).toMatchObject({ endedBy: 'time', usage: { creditsUsed: 4, creditsInDoubt: 4 } });
	});

	it('time, also when the model is too slow to write', async () => {
		const world = new World(site(2));
		const script = world.script;
		script.write = async () => {
			await world.clock.sleep(500_000);
			return 'Too late [1].';
		};
		const result = await world.run({ timeLimitMs: 100_000 });
		expect(result).toMatchObject({ status: 'partial', endedBy: 'time' });
		expect(withoutJumps(result.finalAnalysis)).toContain('- Acme has 100 boats in port 1. [1](https://s0.example/)');
		expect(result.usage.seconds).toBeLessThanOrEqual(201);
	});

	it('tokens', async () => {
		const world = new World(site(20));
		const result = await world.run({ maxTokens: 8_000 });
		expect(result).toMatchObject({ status: 'partial', endedBy: 'tokens' });
		expect(result.claims.length).toBeGreaterThan(0);
		expect(result.usage.inputTokens + result.usage.outputTokens).toBeLessThanOrEqual(8_000);
		expect(world.count('write')).toBe(1);
	});

	it('tokens that are not even enough for a plan', async () => {
		const world = new World(site(2));
		const result = await world.run({ maxTokens: 10 });
		expect(result).toMatchObject({ status: 'empty', endedBy: 'tokens', claims: [] });
		expect(world.requests).toEqual([]);
		expect(world.scraped).toEqual([]);
	});
});

describe('nothing is paid for that cannot be used', () => {
	const texts = (count: number, text: (page: number) => string) =>
		Object.fromEntries(Array.from({ length: count }, (_page, at) => [`https://s${at}.example/`, text(at)]));
	/** A model that counts a digit as a token. */
	const counting = (read: string): Script => ({
		read: ({ system, user }) => {
			const digits = user.match(/\d/g)?.length ?? 0;
			return {
				content: read,
				inputTokens: digits + Math.ceil((system.length + user.length - digits) / 4),
				outputTokens: 300,
			};
		},
	});

	it('of long pages, as many as Max Tokens has room for', async () => {
		const world = new World(
			texts(20, (page) => `Acme has ${page + 100} boats in port.\n\n${'word word word\n'.repeat(5_100)}`),
		);
		const result = await world.run({ maxTokens: 60_000 });
		expect(result).toMatchObject({ status: 'partial', endedBy: 'tokens' });
		expect(world.scraped).toHaveLength(2);
		expect(result.claims).toHaveLength(2);
		expect(result.usage.inputTokens + result.usage.outputTokens).toBeLessThanOrEqual(61_000);
	});

	it('of pages full of digits, without passing Max Tokens by more than an answer', async () => {
		const world = new World(
			texts(20, (page) => `Acme has ${page + 100} boats. ${'1234567 '.repeat(2_500)}`),
			counting('{"claims": []}'),
		);
		const { usage, pagesRead } = await world.run({ maxTokens: 100_000 });
		expect(usage.inputTokens + usage.outputTokens).toBeLessThanOrEqual(100_300);
		expect(world.scraped.length - pagesRead).toBeLessThanOrEqual(1);
		expect(pagesRead).toBeGreaterThan(1);
	});

	it('of pages that a slow model would not read in time', async () => {
		const world = new World(site(20));
		world.modelMs = 70_000;
		const result = await world.run({ timeLimitMs: 300_000 });
		expect(world.scraped).toHaveLength(result.pagesRead);
		expect(result.pagesRead).toBeGreaterThan(4);
	});

	it('of searches whose pages have no place left', async () => {
		const firstPages = Object.keys(site(3));
		const world = new World(site(9));
		await world.run({ firstPages, maxPages: 3 });
		expect(world.searched).toEqual([]);
		expect(world.scraped).toEqual(firstPages);
	});
});

it('ends after two rounds without a new claim', async () => {
	const world = new World({ 'https://a.example/': 'Acme has 5 boats in port.' }, HUNGRY);
	const result = await world.run({ maxRounds: 9 });
	expect(result).toMatchObject({ status: 'completed', endedBy: 'done' });
	expect(world.count('gaps')).toBe(3);
});

it('says that nothing was found, and asks nobody to write', async () => {
	const world = new World({}, HUNGRY);
	const result = await world.run({ maxRounds: 9 });
	expect(result).toMatchObject({
		status: 'empty',
		nothing: 'Nothing was found: 3 searches led to no page that may be read.',
		finalAnalysis:
			'**No answer was found.** Nothing was found: 3 searches led to no page that may be read.\n\nSearched for:\n\n- acme history\n- acme staff\n- more 1\n\nNot answered:\n\n- When?\n- How many?',
		closing: '',
		sources: [],
		claims: [],
		unanswered: ['When?', 'How many?'],
	});
	expect(world.count('write')).toBe(0);
});

it('is partial, or empty without any claim, where tokens end before all claims are judged, wherever that is', async () => {
	const seen = { unjudged: 0 };
	for (let maxTokens = 2000; maxTokens < 16_000; maxTokens += 200) {
		const result = await new World(site(6)).run({ maxTokens }).catch(() => undefined);
		if (!result || result.checks.unverifiedClaims.notJudged === 0) continue;
		seen.unjudged += 1;
		expect(result).toMatchObject({ status: result.claims.length === 0 ? 'empty' : 'partial', endedBy: 'tokens' });
	}
	expect(seen.unjudged).toBeGreaterThan(0);
});

it('gives a retry the time for reading that the first try has left, and all of it for writing', () => {
	const notes = new MemoryNotes([['usage', JSON.stringify({ elapsedMs: 100_000 })]]);
	const budget = new Budget({ ...QUESTION, timeLimitMs: 300_000 }, notes, () => 0);
	expect(budget.deadlines).toEqual({ readingMs: 140_000, writingMs: 200_000 });
});
