import fc from 'fast-check';

import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { ask, field } from './client.ts';
import { startListener } from './listener.ts';

const SERVER_ERROR = 'An unexpected error occurred on the server.';
const PATHS = [
	'/v2/scrape',
	'/v2/crawl',
	'/v2/crawl/params-preview',
	'/v2/batch/scrape',
	'/v2/map',
	'/v2/search',
	'/v2/search/developer',
];
const NAMES = [
	'url urls query prompt formats limit sitemap includePaths scrapeOptions webhook actions parsers',
	'headers timeout waitFor location sources categories search appendToId delay ignoreInvalidURLs k types',
]
	.join(' ')
	.split(' ');

let sandbox: Sandbox;

beforeAll(async () => {
	// Whatever is accepted must not reach for the network: no test depends on it.
	sandbox = await startSandbox({ lightWork: true, chromiumPath: null });
});
afterAll(() => sandbox.stop());

const value = fc.oneof(
	fc.jsonValue({ maxDepth: 2 }),
	fc.constantFrom('http://gone.invalid/', 'markdown', 'json', ['markdown'], [{ type: 'json' }], 3),
);
const body = fc.oneof(
	fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 5 }),
	fc.jsonValue({ maxDepth: 3 }),
);

it.each(PATHS)('%s answers whatever it is sent, and never breaks', async (path) => {
	await fc.assert(
		fc.asyncProperty(body, async (given) => {
			const { status, body: answer } = await ask(sandbox, 'POST', path, {
				body: JSON.stringify(given),
			});
			expect([200, 400, 403, 404, 500]).toContain(status);
			expect(field(answer, 'error')).not.toBe(SERVER_ERROR);
		}),
		{ numRuns: 150 },
	);
});

it.each([
	'',
	'<',
	'<html>',
	'<!DOCTYPE html>',
	'<base href="::"><a href="x">x</a>',
	'<a href="http://[">bad</a><img src="http://["><meta property="__proto__" content="x">',
	'<table></table><table><tr></tr></table><ul><li></ul>',
	'<script type="application/ld+json">{</script>',
	'\u0000\uFFFF',
])('reads the page %j', async (html) => {
	const listener = await startListener(() => ({ body: html }));
	const formats = [
		'markdown',
		'html',
		'links',
		'images',
		'summary',
		'product',
		'branding',
		{ type: 'json', prompt: 'x' },
	];
	const { status } = await ask(sandbox, 'POST', '/v2/scrape', {
		body: { url: listener.url, formats },
	});
	expect(status).toBe(200);
	await listener.stop();
});
