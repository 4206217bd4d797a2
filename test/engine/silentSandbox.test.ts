import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { errorText, jsonOf, NODE, runNode } from './research';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ speed: 100, chromiumPath: null });
});
afterAll(async () => await sandbox.stop());

const GONE = 'https://site.gone.invalid';
const hints = async (parameters: Parameters<typeof runNode>[1]) => {
	const execution = await runNode(sandbox, parameters);
	expect(execution.error).toBeUndefined();
	return execution.hints(NODE).map(({ message }) => message);
};

it('a crawl of a site that is not there is an error with its reason', async () => {
	const execution = await runNode(sandbox, { resource: 'crawl', operation: 'start', url: GONE });
	const text = errorText(execution);
	expect(text).toMatch(
		/^The crawl found no page\. The crawl [0-9a-f-]{36} of https:\/\/site\.gone\.invalid/,
	);
	expect(text).toContain('SCRAPE_ALL_ENGINES_FAILED');
	expect(text).toContain('The service says: Only 0 result(s) found.');
});

it('a batch in which a page fails says which, and puts it out as an item when asked to', async () => {
	const parameters = {
		resource: 'batchScrape',
		operation: 'start',
		urlsFrom: 'list',
		urls: `${sandbox.siteUrl}, ${GONE}`,
	};
	expect((await hints(parameters)).join(' ')).toMatch(
		/1 page failed: https:\/\/site\.gone\.invalid/,
	);
	const execution = await runNode(sandbox, { ...parameters, options: { failedPages: true } });
	const items = jsonOf(execution.items(NODE));
	expect(items).toHaveLength(2);
	expect(items[1]).toMatchObject({ requestedUrl: GONE, pageError: expect.any(String) });
});

it('the remark of a map with one link stands in its hint', async () => {
	const found = await hints({ resource: 'map', operation: 'map', url: GONE });
	expect(found.join(' ')).toContain('The service says: Only 1 result(s) found.');
});

it('a search that finds nothing gives no items and a hint', async () => {
	const query = 'zqxjkv wvutsr';
	const found = await hints({ resource: 'search', operation: 'search', query });
	expect(found.join(' ')).toContain(`Nothing was found: no results for ${query}`);
});
