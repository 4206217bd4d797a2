import { stepOf, World } from './world.ts';

const ACME = 'https://acme.example/about';
const NEWS = 'https://news.example/acme';

function pages(): Record<string, string> {
	return {
		[ACME]: '# About\n\nAcme was founded in 1990 in Graz.',
		[NEWS]: 'Acme employs **1,200** people today.',
	};
}

it('answers a question with a report whose sentences link their sources', async () => {
	const world = new World(pages());
	const result = await world.run();
	expect(result.finalAnalysis).toBe(
		`Acme was founded in 1990 in Graz. [1](${ACME}) Acme employs 1,200 people today. [2](${NEWS})`,
	);
	expect(result).toMatchObject({
		status: 'completed',
		endedBy: 'done',
		unanswered: [],
		contradictions: [],
		skippedPages: [],
		warnings: [],
		pagesRead: 2,
		usage: { modelCalls: 7, creditsUsed: 6 },
		sources: [
			{ number: 1, url: ACME },
			{ number: 2, url: NEWS },
		],
		claims: [
			{ quote: 'Acme was founded in 1990 in Graz.', source: ACME, verified: true },
			{ quote: 'Acme employs 1,200 people today.', source: NEWS, verified: true },
		],
	});
	expect(world.searched).toEqual(['acme history', 'acme staff']);
});

it('plans and reads again where a retry has another system prompt, and pays for no page twice', async () => {
	const world = new World(pages());
	await world.run();
	const first = world.requests.length;
	await world.run({ systemPrompt: 'Check the staff only.' });
	const again = world.requests.slice(first).map(stepOf);
	expect(again).toEqual(['plan', 'gaps', 'write']);
	world.script.plan = () =>
		JSON.stringify({ subQuestions: ['Who leads it?'], queries: ['acme history', 'acme staff'] });
	await world.run({ systemPrompt: 'Check the leaders only.' });
	expect(world.requests.slice(first + 3).map(stepOf)).toContain('read');
	expect(world.scraped).toHaveLength(2);
	expect(world.searched).toHaveLength(2);
});

it('pays for nothing a second time in a retry, wherever the first try ended', async () => {
	const whole = new World(pages());
	const expected = await whole.run();
	const calls = whole.searched.length + whole.scraped.length + whole.requests.length;
	for (let at = 1; at <= calls; at++) {
		const world = new World(pages());
		let left = at;
		world.beforeCall = () => {
			left -= 1;
			if (left !== 0) return;
			world.stop.abort();
		};
		await world.run().catch(() => undefined);
		// What was on its way is paid for: its answer is noted when nobody waits for it any more.
		await world.clock.pass(10_000);
		world.beforeCall = () => undefined;
		world.stop = new AbortController();
		const result = await world.run();
		expect(world.requests.length).toBe(whole.requests.length);
		expect([...world.searched].sort()).toEqual([...whole.searched].sort());
		expect([...world.scraped].sort()).toEqual([...whole.scraped].sort());
		expect(result.usage).toMatchObject({ modelCalls: 7, creditsUsed: 6 });
		expect(result.finalAnalysis).toBe(expected.finalAnalysis);
	}
});
