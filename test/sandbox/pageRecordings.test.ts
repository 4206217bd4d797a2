import { startSandbox } from '../../sandbox/server.ts';
import type { SandboxOptions } from '../../sandbox/service/options.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { ask, field, jobEnded, listOf } from './client.ts';
import { RECORDED_SITE, startHandbook } from './handbook.ts';
import { recorded, recording, shapeOf } from './recorded.ts';
import type { Recording } from './recorded.ts';

/** Never on a full second, so that a moment is told from a time that the service rounds to seconds. */
const now = () => {
	const ms = Date.now();
	return ms % 1000 === 0 ? ms + 1 : ms;
};
/** A server as it was recorded: of 2025, self-hosted, without a browser. */
const RECORDED: SandboxOptions = { generation: 2025, keys: [], chromiumPath: null, now };
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;

let handbook: Awaited<ReturnType<typeof startHandbook>>;
let sandbox: Sandbox;

beforeAll(async () => {
	handbook = await startHandbook();
});
afterAll(() => handbook.stop());
beforeEach(async () => {
	sandbox = await startSandbox(RECORDED);
});
afterEach(() => sandbox.stop());

/** What may differ from run to run put into one form: addresses, ids, moments. */
function settled(value: unknown): unknown {
	const text = JSON.stringify(value ?? null)
		.replaceAll(handbook.url, RECORDED_SITE)
		.replaceAll(sandbox.baseUrl, 'http://service.example')
		.replaceAll(UUID, 'UUID')
		.replaceAll(/exception ID is [0-9a-f]{32}/g, 'exception ID is HEX')
		.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z/g, 'SECOND')
		.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'MOMENT');
	return JSON.parse(text);
}

function local(value: unknown): unknown {
	return JSON.parse(JSON.stringify(value ?? null).replaceAll(RECORDED_SITE, handbook.url));
}

async function repeat(one: Recording) {
	const { method, path, body } = one.request;
	// A body that is no JSON is sent as it was.
	return ask(sandbox, method, path, { body: typeof body === 'string' ? body : local(body) });
}

async function expectSame(one: Recording): Promise<void> {
	const seen = await repeat(one);
	expect(seen.status).toBe(one.response.status);
	expect(seen.headers.get('content-type')).toBe(one.response.headers['content-type']);
	expect(settled(seen.body ?? seen.text)).toEqual(settled(one.response.body));
}

/** Starts the recorded job and gives its end with the pages by their address, since their order is that of completion. */
async function ended(file: string, startName: string): Promise<{ id: string; record: unknown }> {
	const one = recording(file, startName);
	const { body } = await repeat(one);
	expect(settled(body)).toEqual(settled(one.response.body));
	const id = String(field(body, 'id'));
	return { id, record: await jobEnded(sandbox, one.request.path, id) };
}

function byAddress(record: unknown): unknown {
	const { data, ...rest } = Object(settled(record));
	const pages = listOf(data).map((page) => [String(field(page, 'metadata.sourceURL')), page]);
	return { ...rest, data: Object.fromEntries(pages) };
}

const refusals = [
	...recorded('scrape').filter(({ name }) => /^scrape-2[0-46-9]/.test(name)),
	...recorded('crawl').filter(({ name }) => /^crawl-(2|3[0-5]|41|44)/.test(name)),
	...recorded('batch').filter(({ name }) => /^batch-0(5|9)/.test(name)),
	...recorded('map').filter(({ name }) => name.includes('bad')),
	...recorded('search').filter(({ name }) => name.includes('bad')),
].filter(({ name }) => name !== 'scrape-27-json-string-format');

it('has the recordings', () => {
	expect(refusals).toHaveLength(8 + 13 + 3 + 1 + 2);
});

it.each(refusals)('refuses $name', expectSame);

it.each(recorded('scrape').filter(({ name }) => /^scrape-(01|0[4-79]|10|11|27)/.test(name)))(
	'scrapes $name',
	expectSame,
);

it('scrapes all formats as in scrape-02, but for the words of the summary', async () => {
	const one = recording('scrape', 'scrape-02-all-formats');
	const { body } = await repeat(one);
	const summary = field(body, 'data.summary');
	expect(String(summary).length).toBeGreaterThan(20);
	expect(settled({ ...Object(field(body, 'data')), summary: '' })).toEqual({
		...Object(field(settled(one.response.body), 'data')),
		summary: '',
	});
});

it('fills the schema of scrape-03 with values of its own', async () => {
	const one = recording('scrape', 'scrape-03-json-schema');
	const { body } = await repeat(one);
	expect(shapeOf(body)).toEqual(shapeOf(one.response.body));
	expect(field(body, 'data.metadata.creditsUsed')).toBe(5);
});

it('runs out of time as in scrape-08', async () => {
	await expectSame(recording('scrape', 'scrape-08-timeout'));
});

it.each(['map-01', 'map-03-sitemap-skip'])('%s', (name) => expectSame(recording('map', name)));

it('maps by the sitemap alone as in map-04', async () => {
	await expectSame(recording('map', 'map-04-sitemap-only'));
});

it('goes through the crawl of crawl-02 to crawl-08', async () => {
	const one = recording('crawl', 'crawl-02-start');
	const { body } = await repeat(one);
	expect(settled(body)).toEqual(settled(one.response.body));
	const path = `/v2/crawl/${String(field(body, 'id'))}`;
	const running = recording('crawl', 'crawl-04-status-scraping').response.body;
	expect(settled((await ask(sandbox, 'GET', path)).body)).toEqual(settled(running));
	const { body: active } = await ask(sandbox, 'GET', '/v2/crawl/active');
	const expected = recording('active-crawls', 'crawl-03-active-one').response.body;
	expect(JSON.parse(JSON.stringify(settled(active)).replaceAll(':8897', ''))).toEqual(settled(expected));

	const record = await jobEnded(sandbox, '/v2/crawl', String(field(body, 'id')));
	const done = recording('crawl', 'crawl-05-status-completed').response.body;
	// Which six pages come first depends on how fast they answer.
	expect({ ...Object(settled(record)), data: 0 }).toEqual({ ...Object(settled(done)), data: 0 });
	expect(shapeOf(field(record, 'data.0'))).toEqual(shapeOf(field(done, 'data.0')));
	expect(listOf(field(record, 'data'))).toHaveLength(6);
	await expectSame(recording('crawl', 'crawl-06-active-after-completion'));
});

it('meets failing pages as in crawl-09 and crawl-10', async () => {
	const { id, record } = await ended('crawl', 'crawl-09-start-with-errors');
	expect(byAddress(record)).toEqual(byAddress(recording('crawl', 'crawl-09b-status').response.body));
	const { body } = await ask(sandbox, 'GET', `/v2/crawl/${id}/errors`);
	expect(settled(body)).toEqual(settled(recording('crawl', 'crawl-10-errors').response.body));
	expect(settled((await ask(sandbox, 'DELETE', `/v2/crawl/${id}`)).body)).toEqual(
		recording('crawl', 'crawl-16-cancel-completed').response.body,
	);
});

it('cancels as in crawl-11 to crawl-15', async () => {
	const { body } = await repeat(recording('crawl', 'crawl-11-start-to-cancel'));
	const path = `/v2/crawl/${String(field(body, 'id'))}`;
	for (const name of ['crawl-12-cancel', 'crawl-15-cancel-again']) {
		const { status, body: answer } = await ask(sandbox, 'DELETE', path);
		expect([status, answer]).toEqual([200, recording('crawl', name).response.body]);
	}
	expect(settled((await ask(sandbox, 'GET', path)).body)).toEqual(
		settled(recording('crawl', 'crawl-13-status-cancelled').response.body),
	);
	await expectSame(recording('crawl', 'crawl-14-active-after-cancel'));
});

it('crawls by the sitemap as in crawl-40', async () => {
	const { id, record } = await ended('crawl', 'crawl-40-sitemap-include');
	expect(byAddress(record)).toEqual(byAddress(recording('crawl', 'crawl-40b-sitemap-status').response.body));
	const { body } = await ask(sandbox, 'GET', `/v2/crawl/${id}/errors`);
	expect(settled(body)).toEqual(settled(recording('crawl', 'crawl-40c-sitemap-errors').response.body));
});

it('answers a prompt in the shape of crawl-37 and crawl-38', async () => {
	const one = recording('crawl', 'crawl-37-prompt');
	const { body } = await repeat(one);
	expect(Object.keys(Object(body)).sort()).toEqual(Object.keys(Object(one.response.body)).sort());
	expect(field(body, 'finalCrawlerOptions')).toMatchObject({
		limit: 2,
		origin: 'api',
		integration: null,
	});
	expect(field(body, 'promptGeneratedOptions')).toEqual({ includePaths: ['blog(?:/.*)?$'] });
	const preview = await repeat(recording('crawl', 'crawl-38-params-preview'));
	expect(preview.body).toEqual({
		success: true,
		data: { url: `${handbook.url}/`, includePaths: ['blog(?:/.*)?$'] },
	});
});

it('fails on an idempotency key without a database as in crawl-39', async () => {
	const one = recording('crawl', 'crawl-39-idempotency-key');
	const { status, body } = await ask(sandbox, 'POST', '/v2/crawl', {
		body: local(one.request.body),
		headers: { 'x-idempotency-key': '6d7d2c83-6a5e-4a35-9c35-3f6f3f2f6a11' },
	});
	expect([status, settled(body)]).toEqual([500, settled(one.response.body)]);
});

it('goes through the batch of batch-01 to batch-03', async () => {
	const one = recording('batch', 'batch-01-start');
	const { body } = await repeat(one);
	expect(settled(body)).toEqual(settled(one.response.body));
	const id = String(field(body, 'id'));
	const record = await jobEnded(sandbox, '/v2/batch/scrape', id);
	expect(byAddress(record)).toEqual(byAddress(recording('batch', 'batch-03-status-completed').response.body));
});

it('leaves failed pages out of the pages as in batch-06 to batch-07c', async () => {
	const { id, record } = await ended('batch', 'batch-06-with-failures');
	expect(settled(record)).toEqual(settled(recording('batch', 'batch-06b-status').response.body));
	for (const name of ['batch-07-errors-v2', 'batch-07b-errors-v1', 'batch-07c-errors-via-crawl']) {
		const { request, response } = recording('batch', name);
		const recordedId = /[0-9a-f-]{36}/.exec(request.path)?.[0] ?? '';
		const seen = await ask(sandbox, 'GET', request.path.replace(recordedId, id));
		expect(seen.status).toBe(response.status);
		expect(settled(seen.body ?? seen.text)).toEqual(settled(response.body));
	}
});

it('cancels a batch as in batch-08, which is on no list of crawls', async () => {
	const { body } = await repeat(recording('batch', 'batch-08-start-to-cancel'));
	const path = `/v2/batch/scrape/${String(field(body, 'id'))}`;
	// Both pages are found once the work has begun.
	await expectSame(recording('batch', 'batch-08a-active-shows-batch'));
	expect((await ask(sandbox, 'DELETE', path)).body).toEqual({ status: 'cancelled' });
	expect(settled((await ask(sandbox, 'GET', path)).body)).toEqual(
		settled(recording('batch', 'batch-08c-status-cancelled').response.body),
	);
});

it.each(['batch-04-invalid-urls-ignored', 'batch-10-empty-urls', 'batch-11-maxconcurrency'])('accepts %s', (name) =>
	expectSame(recording('batch', name)),
);

it('searches in the shape of search-01 to search-03', async () => {
	await repeat(recording('scrape', 'scrape-01-markdown-links'));
	for (const name of ['search-01', 'search-02-scrape']) {
		const one = recording('search', name);
		const { body } = await repeat(one);
		const hits = listOf(field(body, 'data.web'));
		expect(hits.length).toBeGreaterThan(0);
		expect(field(body, 'creditsUsed')).toBe(hits.length);
		const shape = Object(shapeOf(hits[0]));
		expect(Object.keys(shape).sort()).toEqual(Object.keys(Object(field(one.response.body, 'data.web.0'))).sort());
	}
	await expectSame(recording('search', 'search-03-empty'));
});

it.each(recorded('auth-crawl'))('$name, on a server with a database', async (one) => {
	await sandbox.stop();
	const credits = /no-credits/.test(one.name) ? 0 : 100_000;
	sandbox = await startSandbox({ generation: 2025, plan: { credits } });
	await expectSame(one);
});
