import type { Sandbox } from '../../sandbox/server.ts';
import recorded from '../fixtures/contract/mapAnswers.json';
import { jsonOf, NODE, runNode, sourceItems, startSandbox } from './run';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});

const MAP = { resource: 'map', operation: 'map' };

describe('Map', () => {
	it('gives one item for each link', async () => {
		const execution = await runNode(sandbox, { ...MAP, url: sandbox.siteUrl });
		expect(execution.error).toBeUndefined();
		const output = execution.items(NODE);
		expect(output.length).toBeGreaterThan(5);
		for (const { json } of output) expect(String(json.url)).toContain(sandbox.siteUrl);
		expect(new Set(sourceItems(output))).toEqual(new Set([0]));
		expect(execution.hints(NODE)[0]?.message).toBe(`${output.length} links.`);
	});

	it('gives one list for each item when asked', async () => {
		const items = [{ url: sandbox.siteUrl }, { url: `${sandbox.siteUrl}/` }];
		const execution = await runNode(
			sandbox,
			{
				...MAP,
				url: '={{ $json.url }}',
				output: 'list',
				maxLinks: 3,
				options: { search: 'winter', sitemap: 'include', includeSubdomains: false },
			},
			{ items },
		);
		expect(execution.error).toBeUndefined();
		const lists = jsonOf(execution.items(NODE));
		expect(lists).toHaveLength(2);
		expect(lists[0]).toMatchObject({ site: sandbox.siteUrl, count: 3 });
		expect(lists[0]?.links).toHaveLength(3);
	});

	it.each(recorded)('reads links of both generations: %#', async (body) => {
		sandbox.faults.add({ step: 'map', kind: 'body', httpStatus: 200, body });
		const execution = await runNode(sandbox, { ...MAP, url: 'example.com' });
		expect(jsonOf(execution.items(NODE))).toEqual([
			{ url: 'http://site.fixture.test:8897' },
			{ url: 'http://site.fixture.test:8897/about' },
		]);
	});
});
