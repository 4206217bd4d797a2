import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { ask, field } from './client.ts';

const UNKNOWN =
	'Unrecognized key in body -- please review the v2 API documentation for request body changes';
const url = 'http://site.example/';
let older: Sandbox;
let newer: Sandbox;

beforeAll(async () => {
	older = await startSandbox({ generation: 2025, lightWork: true });
	newer = await startSandbox({ lightWork: true });
});
afterAll(async () => {
	await older.stop();
	await newer.stop();
});

// docs/service-notes.md#servers-of-your-own
it.each([
	['/v2/scrape', { url, lockdown: true }, 'lockdown', []],
	['/v2/scrape', { url, redactPII: true }, 'redactPII', []],
	['/v2/batch/scrape', { urls: [url], minAge: 5 }, 'minAge', []],
	[
		'/v2/crawl',
		{ url, scrapeOptions: { onlyCleanContent: true } },
		'onlyCleanContent',
		['scrapeOptions'],
	],
	['/v2/map', { url, location: { country: 'DE' } }, 'location', []],
	['/v2/search', { query: 'x', includeDomains: ['a.example'] }, 'includeDomains', []],
	[
		'/v2/search',
		{ query: 'x', scrapeOptions: { profile: { name: 'a' } } },
		'profile',
		['scrapeOptions'],
	],
])('%s: an older server knows nothing of %j', async (path, body, key, at) => {
	const { status, body: answer } = await ask(older, 'POST', path, { body });
	expect(status).toBe(400);
	expect(field(answer, 'details')).toEqual([
		{ code: 'unrecognized_keys', keys: [key], path: at, message: UNKNOWN },
	]);
	expect((await ask(newer, 'POST', path, { body })).status).not.toBe(400);
});

it.each([
	['/v2/scrape', { url, formats: ['images'] }],
	['/v2/scrape', { url, formats: [{ type: 'question', question: 'x' }] }],
	['/v2/scrape', { url, parsers: [{ type: 'pdf', mode: 'fast' }] }],
	['/v2/crawl', { url, sitemap: 'only' }],
])('%s: an older server refuses %j', async (path, body) => {
	expect((await ask(older, 'POST', path, { body })).status).toBe(400);
	expect((await ask(newer, 'POST', path, { body })).status).not.toBe(400);
});

it.each([
	'/v2/search/developer?query=x',
	'/v2/search/research/papers?query=x',
	'/v2/batch/scrape/x/errors',
])('an older server has no %s', async (path) => {
	const { status, headers } = await ask(older, 'GET', path);
	expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
	expect((await ask(newer, 'GET', path)).headers.get('content-type')).toMatch('json');
});

it('has the errors of batches on /v2 where told to', async () => {
	const told = await startSandbox({ generation: 2025, batchErrorsOnV2: true });
	const { headers } = await ask(told, 'GET', '/v2/batch/scrape/x/errors');
	expect(headers.get('content-type')).toMatch('json');
	await told.stop();
});
