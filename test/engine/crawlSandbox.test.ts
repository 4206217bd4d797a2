import type { INodeParameters } from 'n8n-workflow';

import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { jsonOf, NODE, runNode } from './research';

let sandbox: Sandbox;

const sandboxWith = async (options: Parameters<typeof startSandbox>[0]) => {
	sandbox = await startSandbox(options);
	return sandbox;
};

afterEach(async () => await sandbox.stop());

const crawl = (more: INodeParameters = {}) => ({
	resource: 'crawl',
	operation: 'start',
	url: sandbox.siteUrl,
	pageLimit: 9,
	options: { crawlEntireDomain: true },
	...more,
});

it.each(['own', 'https', 'foreign', 'same'] as const)(
	'crawls the site of the sandbox in slices whose next is "%s"',
	async (nextStyle) => {
		await sandboxWith({ sliceSize: 2, nextStyle });
		const execution = await runNode(sandbox, crawl());
		expect(execution.error).toBeUndefined();
		const pages = jsonOf(execution.items(NODE));
		const urls = pages.map(({ url }) => String(url));
		expect(new Set(urls).size).toBe(urls.length);
		// A server that leads back to the same slice has no more to give.
		if (nextStyle === 'same') expect(urls.length).toBeGreaterThan(0);
		else expect(urls).toHaveLength(9);
		for (const { markdown, title } of pages) {
			expect(markdown).toEqual(expect.any(String));
			expect(title).toEqual(expect.any(String));
		}
	},
);

it('scrapes a batch from items, each with its own page', async () => {
	await sandboxWith({ sliceSize: 2 });
	const found = await runNode(sandbox, crawl({ pageLimit: 5 }));
	const urls = jsonOf(found.items(NODE)).map(({ url }) => String(url));
	const execution = await runNode(
		sandbox,
		{ resource: 'batchScrape', operation: 'start', url: '={{ $json.url }}' },
		{ items: urls.map((url) => ({ url })) },
	);
	expect(execution.error).toBeUndefined();
	expect(jsonOf(execution.items(NODE)).map(({ url }) => url)).toEqual(urls);
});
