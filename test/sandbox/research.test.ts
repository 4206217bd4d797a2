import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { ended, field, startedId, status, until } from './client.ts';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ jobDurationMs: 1 });
});
afterAll(() => sandbox.stop());

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

async function research(body: Record<string, unknown>): Promise<unknown> {
	return ended(sandbox, await startedId(sandbox, body));
}

it('reads pages, cites them and says what it is', async () => {
	const record = await research({ query: 'What do cargo bikes cost compared with vans?' });
	const sources = listOf(field(record, 'sources'));
	const urls = sources.map((source) => field(source, 'url'));
	const analysis = textOf(field(record, 'data.finalAnalysis'));
	expect(urls.length).toBeGreaterThanOrEqual(3);
	expect(urls).toContain(`${sandbox.siteUrl}/costs`);
	expect(urls).toContain(`${sandbox.siteUrl}/vans`);
	for (const heading of ['## Summary', '## Findings', '## Conclusion'])
		expect(analysis).toContain(heading);
	expect(analysis).toContain('No language model');

	const citations = [...analysis.matchAll(/\[(\d+)\]\(([^)]+)\)/g)];
	expect(citations.length).toBeGreaterThanOrEqual(6);
	for (const [, number, url] of citations) expect(urls[Number(number) - 1]).toBe(url);
	expect(field(record, 'totalUrls')).toBe(urls.length);
	expect(new Set(urls).size).toBe(urls.length);
});

it('quotes what the cited page really says', async () => {
	const record = await research({ query: 'range of batteries in winter' });
	const analysis = textOf(field(record, 'data.finalAnalysis'));
	const quotes = [...analysis.matchAll(/^- (.+) \[\d+\]\(([^)]+)\)$/gm)];
	expect(quotes.length).toBeGreaterThan(3);
	for (const [, sentence = '', url = ''] of quotes) {
		const html = (await (await fetch(url)).text())
			.replaceAll('&quot;', '"')
			.replaceAll('&amp;', '&');
		expect(html).toContain(sentence);
	}
});

it('answers the question that was asked', async () => {
	const record = await research({ query: 'How loud is a cargo bike, in decibels?' });
	expect(textOf(field(record, 'data.finalAnalysis')).split('## Findings')[0]).toContain(
		'50 decibels',
	);
});

it('gives every source its title, description and icon', async () => {
	const record = await research({ query: 'safety of riders' });
	for (const source of listOf(field(record, 'sources'))) {
		for (const name of ['title', 'description', 'icon'])
			expect(textOf(field(source, name))).not.toBe('');
		expect((await fetch(textOf(field(source, 'icon')))).status).toBe(200);
	}
});

it.each([1, 2, 5])(
	'stops one page before maxUrls %d, as the recorded server does',
	async (maxUrls) => {
		const record = await research({ query: 'cargo bike costs', maxUrls });
		expect(listOf(field(record, 'sources'))).toHaveLength(maxUrls - 1);
	},
);

it('keeps to the depth it is given and to what the time limit allows', async () => {
	const query = 'cost per parcel by bike and van';
	expect(field(await research({ query, maxDepth: 1 }), 'currentDepth')).toBe(1);
	expect(field(await research({ query, timeLimit: 30 }), 'currentDepth')).toBeLessThanOrEqual(2);
});

it('says so when its pages do not deal with the query', async () => {
	const record = await research({ query: 'quantum chromodynamics' });
	expect(textOf(field(record, 'data.finalAnalysis'))).toContain('none of them answers this query');
	expect(listOf(field(record, 'sources')).length).toBeGreaterThanOrEqual(3);
});

it('names the prompts it was given', async () => {
	const record = await research({
		query: 'hubs',
		analysisPrompt: 'Stress the rent',
		systemPrompt: 'Be brief',
	});
	const analysis = textOf(field(record, 'data.finalAnalysis'));
	expect(analysis).toContain('Stress the rent');
	expect(analysis).toContain('Be brief');
	expect(analysis).toContain('12 euros a square metre');
});

it('uses the six kinds of activity and no others', async () => {
	const record = await research({ query: 'costs and maintenance of trikes' });
	const kinds = new Set(
		listOf(field(record, 'activities')).map((activity) => field(activity, 'type')),
	);
	expect([...kinds].sort()).toEqual([
		'analyze',
		'extract',
		'reasoning',
		'search',
		'synthesis',
		'thought',
	]);
});

it('lets activities and sources only grow while it runs', async () => {
	let nowMs = Date.UTC(2026, 0, 1);
	const slow = await startSandbox({ jobDurationMs: 100_000, now: () => nowMs });
	try {
		const id = await startedId(slow, { query: 'winter' });
		const activities = async () => listOf(field((await status(slow, id)).body, 'activities'));
		const rows = [await activities()];
		nowMs += 5000;
		// The pages are read in real time, the clock is the test's.
		await until('the first activity', async () => (await activities()).length > 0);
		for (let step = 1; step <= 20; step += 1) {
			rows.push(await activities());
			nowMs += 5000;
		}
		for (const [index, row] of rows.entries())
			expect(row.slice(0, rows[index - 1]?.length ?? 0)).toEqual(rows[index - 1] ?? []);
		expect(rows[1]?.length).toBeGreaterThan(0);
		expect(rows[10]?.length).toBeLessThan(rows[20]?.length ?? 0);
		expect(field(await ended(slow, id), 'status')).toBe('completed');
	} finally {
		await slow.stop();
	}
});

it('fills the schema it is given, and leaves the analysis empty when only JSON is asked for', async () => {
	const schema = {
		type: 'object',
		properties: {
			title: { type: 'string', maxLength: 20 },
			costPerKilometre: { type: 'number', minimum: 0, maximum: 10 },
			bikes: { type: 'integer', minimum: 1, maximum: 50 },
			isCheaper: { type: 'boolean' },
			kind: { type: 'string', enum: ['trike', 'van'] },
			version: { const: 3 },
			nothing: { type: 'null' },
			maybe: { type: ['null', 'string'] },
			facts: {
				type: 'array',
				minItems: 2,
				maxItems: 4,
				items: { $ref: '#/$defs/fact' },
			},
		},
		required: ['title', 'facts'],
		$defs: {
			fact: {
				type: 'object',
				properties: { text: { type: 'string' }, url: { type: 'string', format: 'uri' } },
			},
		},
	};
	const record = await research({
		query: 'costs of cargo bikes',
		formats: ['json'],
		jsonOptions: { schema, prompt: 'Facts' },
	});
	expect(field(record, 'data.finalAnalysis')).toBe('');
	const json = field(record, 'data.json');
	expect(json).toMatchObject({ version: 3, nothing: null });
	expect(textOf(field(json, 'title')).length).toBeGreaterThan(0);
	expect(textOf(field(json, 'title')).length).toBeLessThanOrEqual(20);
	const cost = Number(field(json, 'costPerKilometre'));
	expect(cost).toBeGreaterThan(0);
	expect(cost).toBeLessThanOrEqual(10);
	expect(Number.isInteger(field(json, 'bikes'))).toBe(true);
	expect(typeof field(json, 'isCheaper')).toBe('boolean');
	expect(['trike', 'van']).toContain(field(json, 'kind'));
	expect(typeof field(json, 'maybe')).toBe('string');
	const facts = listOf(field(json, 'facts'));
	expect(facts).toHaveLength(3);
	expect(new Set(facts.map((fact) => field(fact, 'text'))).size).toBe(3);
	for (const fact of facts) expect(URL.canParse(textOf(field(fact, 'url')))).toBe(true);
});

it('gives facts of its own choice when JSON has no schema', async () => {
	const record = await research({ query: 'noise', formats: ['json'], jsonOptions: {} });
	expect(listOf(field(record, 'data.json.facts')).length).toBeGreaterThan(2);
});

it('survives a schema that makes no sense', async () => {
	for (const schema of [
		7,
		'x',
		[],
		{ type: 'object', properties: { a: { $ref: '#' } } },
		{ $ref: '#' },
		{ anyOf: [] },
	]) {
		const record = await research({ query: 'noise', formats: ['json'], jsonOptions: { schema } });
		expect(field(record, 'status')).toBe('completed');
	}
});

it('serves a site with map, robots.txt and linked pages', async () => {
	const map = await (await fetch(`${sandbox.siteUrl}/sitemap.xml`)).text();
	const urls = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => url);
	expect(urls.length).toBeGreaterThanOrEqual(12);
	for (const url of urls) {
		const html = await (await fetch(url)).text();
		expect(html).toMatch(/<meta name="description" content="[^"]+">/);
		const paragraphs = html.split('<p>').length - 2;
		expect(paragraphs).toBeGreaterThanOrEqual(4);
		const links = [...html.matchAll(/href="(\/[^"]*)"/g)].map(
			([, path = '']) => sandbox.siteUrl + path,
		);
		for (const link of links) if (!link.endsWith('.svg')) expect(urls).toContain(link);
	}
	expect(await (await fetch(`${sandbox.siteUrl}/robots.txt`)).text()).toContain('/sitemap.xml');
	expect((await fetch(`${sandbox.siteUrl}/nowhere`)).status).toBe(404);
});
