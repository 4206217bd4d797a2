import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import type { SandboxOptions } from '../../sandbox/service/options.ts';
import {
	KEY,
	ask,
	ended,
	field,
	jobEnded,
	listOf,
	start,
	startedId,
	startedJob,
} from './client.ts';

/** What a lost start answer leaves behind, and what a server of 2026 does otherwise. */

const V7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const url = 'http://site.example/';
let sandbox: Sandbox;
let nowMs = 0;

async function run(options: SandboxOptions = {}): Promise<Sandbox> {
	nowMs = Date.UTC(2026, 10, 21, 20, 4, 14, 720);
	sandbox = await startSandbox({ lightWork: true, now: () => nowMs, seed: 1, ...options });
	return sandbox;
}
afterEach(() => sandbox.stop());

const feed = async (query = ''): Promise<unknown> =>
	(await ask(sandbox, 'GET', `/v2/team/activity${query}`)).body;
const msOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

describe('the feed of activity', () => {
	it('tells of every start at once, newest first, with its target as it was given', async () => {
		await run();
		const research = await startedId(sandbox, { query: 'tides of the north' });
		nowMs += 1;
		const crawl = await startedJob(sandbox, '/v2/crawl', { url: `${url}docs/#run-7`, limit: 2 });
		nowMs += 1;
		const urls = [`${url}about#run-7`, `${url}contact`];
		const batch = await startedJob(sandbox, '/v2/batch/scrape', { urls });
		const { data, cursor, has_more: hasMore } = Object(await feed());
		expect(data).toEqual([
			{
				id: batch,
				endpoint: 'batch_scrape',
				api_version: 'v2',
				created_at: '2026-11-21 20:04:14.722+00',
				target: `${url}about#run-7`,
			},
			{
				id: crawl,
				endpoint: 'crawl',
				api_version: 'v2',
				created_at: '2026-11-21 20:04:14.721+00',
				target: `${url}docs/#run-7`,
			},
			{
				id: research,
				endpoint: 'deep_research',
				api_version: 'v1',
				created_at: '2026-11-21 20:04:14.72+00',
				target: 'tides of the north',
			},
		]);
		expect([cursor, hasMore]).toEqual([null, false]);
		for (const [id, offsetMs] of [
			[research, 0],
			[crawl, 1],
			[batch, 2],
		] as const) {
			expect(id).toMatch(V7);
			expect(msOf(id)).toBe(Date.UTC(2026, 10, 21, 20, 4, 14, 720 + offsetMs));
		}
	});

	it('has scrapes with the id of their metadata, failed ones too, maps and searches', async () => {
		await run({ lightWork: false });
		const page = `${sandbox.siteUrl}/`;
		const scraped = await ask(sandbox, 'POST', '/v2/scrape', { body: { url: page } });
		await ask(sandbox, 'POST', '/v2/scrape', { body: { url: 'http://nothing.invalid/' } });
		const mapped = await ask(sandbox, 'POST', '/v2/map', { body: { url: page } });
		const found = await ask(sandbox, 'POST', '/v2/search', { body: { query: 'cargo bikes' } });
		const seen = listOf(field(await feed(), 'data')).map((row) => [
			field(row, 'endpoint'),
			field(row, 'target'),
			field(row, 'id'),
		]);
		expect(seen).toEqual([
			['search', 'cargo bikes', field(found.body, 'id')],
			['map', page, field(mapped.body, 'id')],
			['scrape', 'http://nothing.invalid/', expect.stringMatching(V7)],
			['scrape', page, field(scraped.body, 'data.metadata.scrapeId')],
		]);
	});

	it('goes on by the cursor, by kind, at most a hundred at a time', async () => {
		await run();
		const ids: string[] = [];
		for (let index = 0; index < 5; index += 1) {
			nowMs += 1;
			ids.unshift(await startedJob(sandbox, '/v2/crawl', { url, limit: 1 }));
			await startedId(sandbox, { query: 'x' });
		}
		const seen: unknown[] = [];
		let cursor: unknown = '';
		do {
			const page = await feed(`?limit=2&endpoint=crawl&cursor=${String(cursor)}`);
			seen.push(...listOf(field(page, 'data')).map((row) => field(row, 'id')));
			cursor = field(page, 'cursor');
			expect(field(page, 'has_more')).toBe(cursor !== null);
		} while (cursor !== null);
		expect(seen).toEqual(ids);
		for (const [limit, count] of [
			['0', 10],
			['abc', 10],
			['1000', 10],
			['1', 1],
		]) {
			expect(listOf(field(await feed(`?limit=${limit}`), 'data'))).toHaveLength(Number(count));
		}
	});

	it.each([
		['?endpoint=parse', 400, /^Invalid endpoint filter\. Must be one of: scrape, crawl, batch/],
		['?cursor=!!!', 400, /^Invalid cursor\.$/],
		['?cursor=YWJj', 400, /^Invalid cursor\.$/],
		['?cursor=YTpi', 500, /^Failed to fetch activity\.$/],
	])('refuses %s (team-25 to team-29c)', async (query, status, error) => {
		await run();
		const answer = await ask(sandbox, 'GET', `/v2/team/activity${query}`);
		expect(answer.status).toBe(status);
		expect(field(answer.body, 'error')).toMatch(error);
	});

	it('forgets after 24 hours', async () => {
		await run();
		await startedId(sandbox, { query: 'x' });
		nowMs += 86_400_000 - 1;
		expect(listOf(field(await feed(), 'data'))).toHaveLength(1);
		nowMs += 1;
		expect(await feed()).toEqual({ success: true, data: [], cursor: null, has_more: false });
	});
});

it.each<[SandboxOptions, [number, number]]>([
	[{}, [200, 200]],
	[{ lists: 'missing' }, [404, 404]],
	[{ lists: 'broken' }, [500, 500]],
	[{ lists: { activity: 'missing' } }, [200, 404]],
	// As recorded: of 2025, and plain without a database of 2026 (plain-35, plain-54).
	[{ generation: 2025 }, [200, 404]],
	[{ database: false, keys: [] }, [200, 500]],
])('%j: the lists of active crawls and of activity answer %j', async (options, statuses) => {
	await run(options);
	const paths = ['/v2/crawl/active', '/v2/team/activity'];
	const seen = await Promise.all(paths.map((path) => ask(sandbox, 'GET', path)));
	expect(seen.map(({ status }) => status)).toEqual(statuses);
	for (const { status, headers } of seen) {
		expect(headers.get('content-type')).toMatch(status === 404 ? 'html' : 'json');
	}
});

it('lists an active crawl with its options filled in, but neither webhook nor origin', async () => {
	await run({ jobDurationMs: 1000 });
	const id = await startedJob(sandbox, '/v2/crawl', {
		url,
		limit: 7,
		origin: 'me',
		integration: 'n8n',
		webhook: 'http://127.0.0.1:9/',
		scrapeOptions: { formats: ['links'], auditMetadata: { username: 'run-7' } },
	});
	for (const path of ['/v2/crawl/active', '/v2/crawl/ongoing']) {
		const { body } = await ask(sandbox, 'GET', path);
		expect(listOf(field(body, 'crawls'))).toHaveLength(1);
		expect(field(body, 'crawls.0')).toMatchObject({
			id,
			url,
			teamId: 'sandbox-team',
			created_at: new Date(nowMs).toISOString(),
			options: {
				limit: 7,
				sitemap: 'include',
				scrapeOptions: { formats: [{ type: 'links' }], auditMetadata: { username: 'run-7' } },
			},
		});
		for (const absent of ['webhook', 'origin', 'integration']) {
			expect(field(body, `crawls.0.options.${absent}`)).toBeUndefined();
		}
	}
});

it.each([
	[undefined, 200, undefined],
	[404, 404, 'Job not found.'],
	[500, 500, expect.stringMatching(/^An unexpected error occurred.*exception ID is [\da-f]{32}$/)],
	[501, 501, expect.stringContaining('not available when database authentication is disabled')],
	[400, 400, expect.stringContaining('zero data retention enabled')],
] as const)('reads a scrape back: %s', async (scrapeReadBack, status, error) => {
	await run({ lightWork: false, ...(scrapeReadBack && { scrapeReadBack }) });
	const scraped = await ask(sandbox, 'POST', '/v2/scrape', {
		body: { url: `${sandbox.siteUrl}/` },
	});
	const id = String(field(scraped.body, 'data.metadata.scrapeId'));
	const seen = await ask(sandbox, 'GET', `/v2/scrape/${id}`);
	expect([seen.status, field(seen.body, 'error')]).toEqual([status, error]);
});

it('tells its own time in every answer', async () => {
	await run();
	for (const path of ['/v2/crawl/active', '/v2/crawl/nope', '/v2/nothing']) {
		const { headers } = await ask(sandbox, 'GET', path);
		expect(headers.get('date')).toBe('Sat, 21 Nov 2026 20:04:14 GMT');
	}
});

it('says with a research that it is to go', async () => {
	await run();
	const sentence = '/v1/deep-research is deprecated. Use /v2/search instead.';
	for (const body of [{ query: 'x' }, {}]) {
		const seen = await start(sandbox, body);
		expect(seen.body).toMatchObject({ warnings: [sentence], replacement: '/v2/search' });
		expect(seen.headers.get('deprecation')).toBe('true');
		expect(seen.headers.get('link')).toBe('</v2/search>; rel="successor-version"');
		expect(seen.headers.get('warning')).toBe(`299 - "${sentence}"`);
	}
	expect((await start(sandbox, '{')).headers.get('warning')).toBeNull();
});

it.each([
	['/v2/crawl', { url, limit: 1 }],
	['/v2/batch/scrape', { urls: [url] }],
])('%s: refuses to cancel what has ended, and ids that are none', async (path, body) => {
	await run();
	const id = await startedJob(sandbox, path, body);
	await jobEnded(sandbox, path, id);
	const late = await ask(sandbox, 'DELETE', `${path}/${id}`);
	expect([late.status, late.body]).toEqual([409, { error: 'Crawl is already completed' }]);
	for (const method of ['GET', 'DELETE']) {
		const seen = await ask(sandbox, method, `${path}/nope`);
		expect([seen.status, seen.body]).toEqual([
			400,
			{ success: false, error: 'Invalid job ID format. Job ID must be a valid UUID.' },
		]);
	}
});

it('says -1 for credits where nobody counts them', async () => {
	await run({ countsCredits: false });
	const id = await startedJob(sandbox, '/v2/crawl', { url, limit: 3 });
	expect(await jobEnded(sandbox, '/v2/crawl', id)).toMatchObject({ completed: 3, creditsUsed: -1 });
});

it.each([
	['refuse', 402, 0],
	['lower', 200, 4],
] as const)('a crawl above the balance: %s', async (shortBalance, status, pages) => {
	await run({ plan: { credits: 4 }, shortBalance });
	const seen = await ask(sandbox, 'POST', '/v2/crawl', { body: { url, limit: 10 } });
	expect(seen.status).toBe(status);
	if (status !== 200) return;
	const record = await jobEnded(sandbox, '/v2/crawl', String(field(seen.body, 'id')));
	expect(record).toMatchObject({ status: 'completed', completed: pages });
});

it('completes a crawl without pages, with a warning and the reason among the errors', async () => {
	await run({ lightWork: false });
	const id = await startedJob(sandbox, '/v2/crawl', {
		url: 'http://nothing.invalid/docs/',
		limit: 2,
	});
	const record = await jobEnded(sandbox, '/v2/crawl', id);
	expect(record).toMatchObject({ success: true, status: 'completed', completed: 0, data: [] });
	expect(field(record, 'warning')).toMatch(/^Only 0 result\(s\) found\..* like nothing\.invalid$/);
	const { body } = await ask(sandbox, 'GET', `/v2/crawl/${id}/errors`);
	expect(field(body, 'errors.0')).toMatchObject({ code: 'SCRAPE_ALL_ENGINES_FAILED' });
});

it('lets a fresh job be unknown once', async () => {
	await run();
	sandbox.faults.add({
		kind: 'status',
		httpStatus: 404,
		error: 'Job not found',
		step: 'status',
		times: 1,
	});
	const id = await startedJob(sandbox, '/v2/crawl', { url, limit: 1 });
	expect((await ask(sandbox, 'GET', `/v2/crawl/${id}`)).status).toBe(404);
	expect((await ask(sandbox, 'GET', `/v2/crawl/${id}`)).status).toBe(200);
});

it('repeats the key where a fault asks for it', async () => {
	await run({ jobDurationMs: 1000 });
	sandbox.faults.add({ kind: 'failJob', step: 'start', error: 'No credits for {key}', times: 1 });
	const id = await startedId(sandbox, { query: 'x' });
	expect(await ended(sandbox, id)).toMatchObject({ error: `No credits for ${KEY}` });
	sandbox.faults.add({ kind: 'body', step: 'status', body: { success: true, status: '{key}' } });
	expect((await ask(sandbox, 'GET', `/v1/deep-research/${id}`)).body).toEqual({
		success: true,
		status: KEY,
	});
});
