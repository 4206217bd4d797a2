import { startSandbox } from '../../sandbox/server.ts';
import { startGeneratedSite } from '../../sandbox/site/generated.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import type { GeneratedSite } from '../../sandbox/site/generated.ts';
import { ask, field, jobEnded, listOf, startedJob } from './client.ts';
import { startListener } from './listener.ts';

const PATH = '/v2/batch/scrape';
let site: GeneratedSite;
let sandbox: Sandbox;

beforeAll(async () => {
	site = await startGeneratedSite({ pages: 60, brokenShare: 0.1, seed: 2, bytesPerPage: 200 });
});
afterAll(() => site.stop());
beforeEach(async () => {
	sandbox = await startSandbox({ seed: 1 });
});
afterEach(() => sandbox.stop());

const sourcesOf = (record: unknown): string[] =>
	listOf(field(record, 'data')).map((page) => String(field(page, 'metadata.sourceURL')));

it('gives every address its page or its error, doubles too', async () => {
	const doubled = site.pageUrls.slice(0, 3);
	const bad = ['not a url', 'ftp://site.example/x', 'foo', ''];
	const urls = [...site.pageUrls, ...doubled, ...bad];
	const { body: start } = await ask(sandbox, 'POST', PATH, {
		body: { urls, ignoreInvalidURLs: true },
	});
	expect(field(start, 'invalidURLs')).toEqual(bad);
	const id = String(field(start, 'id'));
	const record = await jobEnded(sandbox, PATH, id);
	const good = site.pageUrls.filter((url) => !site.brokenUrls.includes(url));
	expect(sourcesOf(record).sort()).toEqual([...good, ...doubled].sort());
	const { body } = await ask(sandbox, 'GET', `${PATH}/${id}/errors`);
	const failed = listOf(field(body, 'errors')).map((error) => field(error, 'url'));
	expect(failed.sort()).toEqual([...site.brokenUrls].sort());
	expect(sandbox.stats()).toMatchObject({
		starts: { byKind: { batchScrape: 1 } },
		pagesScraped: good.length + 3,
	});
	expect(site.brokenUrls.length).toBeGreaterThan(2);
});

it('gives pages in the order in which they are done', async () => {
	const listener = await startListener(() => ({ body: 'quick' }));
	const slow = await startGeneratedSite({ pages: 1, bytesPerPage: 2_000_000 });
	const id = await startedJob(sandbox, PATH, { urls: [slow.url, listener.url] });
	expect(sourcesOf(await jobEnded(sandbox, PATH, id))).toEqual([listener.url, slow.url]);
	await listener.stop();
	await slow.stop();
});

it('makes up the pages of a large batch where told to', async () => {
	await sandbox.stop();
	sandbox = await startSandbox({ lightWork: true });
	const urls = Array.from({ length: 1000 }, (_, at) =>
		at % 100 === 7 ? `http://gone-${at}.invalid/` : `http://site.example/${at}`,
	);
	const id = await startedJob(sandbox, PATH, { urls });
	const { body } = await ask(sandbox, 'GET', `${PATH}/${id}?limit=1000`);
	expect(sourcesOf(body)).toEqual(urls.filter((url) => !url.includes('.invalid')));
	const { body: errors } = await ask(sandbox, 'GET', `${PATH}/${id}/errors`);
	expect(listOf(field(errors, 'errors'))).toHaveLength(10);
});

it('takes more addresses while it runs', async () => {
	const listener = await startListener(() => undefined);
	const id = await startedJob(sandbox, PATH, { urls: [listener.url], maxConcurrency: 1 });
	const more = { urls: [`${listener.url}/more`], appendToId: id };
	expect(await startedJob(sandbox, PATH, more)).toBe(id);
	expect(field((await ask(sandbox, 'GET', `${PATH}/${id}`)).body, 'total')).toBe(2);
	await ask(sandbox, 'DELETE', `${PATH}/${id}`);
	expect((await ask(sandbox, 'POST', PATH, { body: more })).status).toBe(404);
	await listener.stop();
});

it('keeps crawls and batches apart, as a server of 2025 does', async () => {
	await sandbox.stop();
	sandbox = await startSandbox({ generation: 2025, keys: [] });
	const id = await startedJob(sandbox, PATH, { urls: [] });
	expect(field((await ask(sandbox, 'GET', `${PATH}/${id}`)).body, 'status')).toBe('completed');
	expect((await ask(sandbox, 'GET', `/v2/crawl/${id}`)).status).toBe(404);
	expect((await ask(sandbox, 'DELETE', `/v2/crawl/${id}`)).status).toBe(404);
	expect((await ask(sandbox, 'GET', `/v2/crawl/${id}/errors`)).status).toBe(200);
});

it('ignores idempotency keys, as /v2 does', async () => {
	const headers = { 'x-idempotency-key': '6d7d2c83-6a5e-4a35-9c35-3f6f3f2f6a11' };
	for (let time = 0; time < 2; time += 1) {
		expect(
			(await ask(sandbox, 'POST', PATH, { body: { urls: [site.pageUrls[0]] }, headers })).status,
		).toBe(200);
	}
});
