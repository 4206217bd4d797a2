import { ResearchFailure } from '../../../nodes/research/contract/result';
import type { ResearchParts } from '../../../nodes/research/contract/parts';
import { research } from '../../../nodes/research/research';
import { QUESTION, dataIn, site, stepOf, verdictsOn, World, withoutJumps } from './world.ts';

it('names contradictions that the report does not name', async () => {
	const world = new World(site(3), {
		gaps: () =>
			JSON.stringify({
				answered: [1, 2],
				contradictions: [
					[1, 2],
					[3, 99],
					[2, 2],
				],
				queries: [],
			}),
		write: () => 'Acme has 100 boats [1].',
	});
	const result = await world.run();
	expect(result.contradictions).toEqual([
		{
			statements: [
				{ text: 'Acme has 100 boats in port 1.', source: 'https://s0.example/' },
				{ text: 'Acme has 101 boats in port 2.', source: 'https://s1.example/' },
			],
		},
	]);
	expect(withoutJumps(result.finalAnalysis)).toContain(
		'## Contradictions\n\n- Acme has 100 boats in port 1. [1](https://s0.example/) (s0.example)\n- Acme has 101 boats in port 2. [2](https://s1.example/) (s1.example)',
	);
	expect(result.sources.map(({ url }) => url)).toEqual(['https://s0.example/', 'https://s1.example/']);
});

it('calls a page without a title as the search has called it', async () => {
	const world = new World(site(1));
	const { page } = world;
	world.page = (url) => ({ ...page.call(world, url), title: '' });
	const { parts } = world;
	const search: ResearchParts['search'] = async (query) => {
		const { results, creditsUsed } = await parts.search(query);
		return { results: results.map((hit) => ({ ...hit, title: 'Boats of Acme' })), creditsUsed };
	};
	const { sources } = await world.clock.until(research(QUESTION, { ...parts, search }));
	expect(sources.map(({ title }) => title)).toEqual(['Boats of Acme']);
});

it('keeps to so many calls of the model at once', async () => {
	const world = new World(site(20));
	await world.run({ concurrentModelCalls: 3 });
	expect(world.mostInFlight).toBe(3);
});

it('reads so many pages of a site, and those that the user names first', async () => {
	const pages = Object.fromEntries(
		Array.from({ length: 6 }, (_, at) => [`https://a.example/${at}`, `Acme has ${at} boats in port.`]),
	);
	const world = new World({
		...pages,
		'https://x.a.example/': 'Acme is here now.',
		'https://b.example/': 'Acme has 77 boats in port.',
	});
	await world.run({
		pagesPerSite: 2,
		firstPages: ['https://b.example/', 'no address'],
		excludeDomains: ['x.a.example'],
	});
	expect(world.scraped).toEqual(['https://b.example/', 'https://a.example/0', 'https://a.example/1']);

	// Where only some sites may be read, what is read of each has no limit of its own.
	const one = new World(pages);
	await one.run({ pagesPerSite: 2, includeDomains: ['a.example'] });
	expect(one.scraped).toHaveLength(6);
});

it('reads no page twice, whatever its address looks like', async () => {
	const world = new World({
		'https://a.example/x': 'Acme has 5 boats.',
		'http://a.example/x/': 'Acme has 5 boats.',
		'https://a.example/x#y': 'Acme has 5 boats.',
	});
	const { skippedPages } = await world.run();
	expect(world.scraped).toEqual(['https://a.example/x']);
	// A fragment is no other page; a slash and http may be.
	const reason = 'It is probably another spelling of https://a.example/x';
	expect(skippedPages).toEqual([{ url: 'http://a.example/x/', reason }]);
});

it('names a page that could not be read', async () => {
	const world = new World({
		...site(1),
		'https://dead.example/': new Error('The page answered 404.'),
	});
	const result = await world.run();
	expect(result.skippedPages).toEqual([{ url: 'https://dead.example/', reason: 'The page answered 404.' }]);
	expect(result.status).toBe('completed');
});

it('throws what the search throws when every search fails', async () => {
	const world = new World(site(1));
	const failure = Object.assign(new Error('The key is not valid.'), { httpCode: 401 });
	world.beforeCall = (kind) => {
		if (kind === 'search') throw failure;
	};
	await expect(world.run()).rejects.toBe(failure);
});

it('goes on when one of the searches fails, and says so', async () => {
	const world = new World(site(1));
	world.beforeCall = (kind, what) => {
		if (kind === 'search' && what === 'acme staff') throw new Error('Time-out.');
	};
	const result = await world.run();
	expect(result.claims).toHaveLength(1);
	expect(result.warnings).toEqual(['The search "acme staff" failed: Time-out.']);
});

it.each(['plan', 'read', 'gaps', 'write'])(
	'ends within a second when it is stopped while the model works on: %s',
	async (step) => {
		const world = new World(site(3));
		world.modelMs = 60_000;
		const stoppedMs: number[] = [];
		world.beforeCall = (_, what) => {
			if (what !== step) return;
			world.clock.at(world.clock.now() + 5000, () => {
				stoppedMs.push(world.clock.now());
				world.stop.abort();
			});
		};
		const failure: unknown = await world.run().catch((error: unknown) => error);
		expect(failure).toBeInstanceOf(ResearchFailure);
		expect(failure).toMatchObject({ kind: 'stopped', message: 'The execution was canceled.' });
		expect(world.clock.now() - (stoppedMs[0] ?? 0)).toBeLessThanOrEqual(1000);
		const calls = world.requests.length;
		await world.clock.pass(600_000);
		expect(world.requests.length).toBe(calls);
	},
);

it('begins nothing when it is stopped before', async () => {
	const world = new World(site(1));
	world.stop.abort();
	await expect(world.run()).rejects.toMatchObject({ kind: 'stopped' });
	expect(world.requests).toEqual([]);
});

it('takes no longer than its longest path', async () => {
	const world = new World(site(20));
	const result = await world.run({ concurrentModelCalls: 20 });
	// Plan 2 s, search 1 s, page 1 s, reading 2 s, judging 2 s, gaps 2 s, writing 2 s.
	expect(result.usage.seconds).toBe(12);
	expect(result.usage.modelCalls).toBe(20 + 20 + 3);
});

it('sends each page once', async () => {
	const world = new World(site(20));
	await world.run();
	for (const text of Object.values(world.pages)) {
		const sent = world.requests.filter((request) => dataIn(request)[0] === text);
		expect(sent).toHaveLength(1);
	}
});

it('fills the JSON output from claims, and no report where none is wanted', async () => {
	const world = new World(site(1), {
		json: () =>
			'```json\n{"json": {"boats": 100, "ports": 7, "page": "https://s0.example/"}, "claims": {"boats": [1], "ports": [1]}}\n```',
		jsonClaims: ({ user }) => (user.includes('page: https') ? '{"claims": {"page": [1]}}' : '{}'),
		judge: (request) => verdictsOn(request, () => true),
	});
	const result = await world.run({ json: { example: { boats: 1 } }, wantsReport: false });
	expect(result).toMatchObject({
		json: { boats: 100, ports: null, page: 'https://s0.example/' },
		finalAnalysis: '',
		status: 'completed',
	});
	expect(result.values).toMatchObject({
		proofs: [
			{ path: 'boats', value: 100, quote: 'Acme has 100 boats in port 1.', source: 'https://s0.example/', by: 'code' },
			{ path: 'page' },
		],
		unproven: [{ path: 'ports', value: 7, reason: 'notInQuote' }],
		conflicts: [],
	});
	expect(result.checks.unsupportedValues).toBe(1);
	expect(result.sources).toHaveLength(1);
	expect(world.count('write')).toBe(0);
});

it('refuses an empty question', async () => {
	await expect(new World({}).run({ query: ' ' })).rejects.toMatchObject({ kind: 'question' });
});

it('plans and reads again where a retry has another system prompt, and pays for no page twice', async () => {
	const world = new World({
		'https://acme.example/about': '# About\n\nAcme was founded in 1990 in Graz.',
		'https://news.example/acme': 'Acme employs **1,200** people today.',
	});
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

it('follows links of the pages that it has read to what is missing, and none to where nobody else can go', async () => {
	const pages = {
		'https://acme.example/': [
			'Acme was founded in 1990 in the north.',
			'[How many people work at Acme](https://acme.example/staff), [work at Acme](http://10.0.0.7/people)',
			'[Acme at work, a film](https://acme.example/film), [Legal](https://acme.example/legal)',
		].join('\n\n'),
		'https://acme.example/staff': 'At Acme 40 people work in two shifts.',
	};
	const shown: string[] = [];
	const world = new World(pages, {
		gaps: (request, count) => {
			const [, links = ''] = dataIn(request);
			shown.push(links);
			return JSON.stringify({ answered: count === 1 ? [1] : [1, 2], contradictions: [], queries: [], links: [1, 9] });
		},
	});
	world.finds = () => ['https://acme.example/'];
	const result = await world.run({ maxRounds: 3 });
	expect(shown[0]?.split('\n')).toEqual([
		'1. How many people work at Acme · https://acme.example/staff',
		'2. Acme at work, a film · https://acme.example/film',
	]);
	expect(world.scraped).toEqual(['https://acme.example/', 'https://acme.example/staff']);
	expect(result.finalAnalysis).toContain('40 people');
	// Two pages of the site are the most, whatever the model names.
	const again = new World(pages, { gaps: () => JSON.stringify({ answered: [], links: [2] }) });
	again.finds = () => ['https://acme.example/'];
	await again.run({ maxRounds: 3, pagesPerSite: 1 });
	expect(again.scraped).toEqual(['https://acme.example/']);
});
