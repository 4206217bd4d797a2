import type { INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/server.ts';
import type { FaultRule } from '../../sandbox/control/faultBook.ts';
import { errorText, jsonOf, NODE, startSandbox } from './run';
import { binaryOf, itemWith, noteOf, runParse } from './uploads';

const MB = 1024 * 1024;

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ enterprise: false });
});

describe('a file that the service would refuse', () => {
	it.each([
		['an empty one', binaryOf('a.pdf', ''), 'The file "a.pdf" is empty. Nothing was sent.'],
		[
			'one of over 50 MB',
			binaryOf('a.pdf', Buffer.alloc(50 * MB + 7)),
			'The file "a.pdf" has 50.1 MB, and the service takes at most 50 MB. Nothing was sent.',
		],
		[
			'plain text',
			binaryOf('plain.txt', 'x', 'text/plain'),
			/^The service cannot read "plain\.txt" \(text\/plain\)\. It takes html, htm, .*csv\. Nothing was sent\. Of 2/,
		],
		['a picture', binaryOf('a.png', 'x', 'image/png'), /^The service cannot read "a\.png"/],
	])('is refused before anything is sent: %s', async (_what, data, message) => {
		const execution = await runParse(sandbox, [itemWith({ data: noteOf('good') }), itemWith({ data })]);
		const text = errorText(execution);
		const others =
			" Of 2 items, item 1 is refused: to let the others go, set On Error in the node's settings to continue.";
		if (typeof message === 'string') expect(text).toBe(message + others);
		else expect(text).toMatch(message);
		expect(execution.error).toMatchObject({ context: { itemIndex: 1 } });
		expect(sandbox.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
	});
});

describe('a kind of file that the node does not know', () => {
	const BMP = binaryOf('a.bmp', 'x', 'image/bmp');
	const formats = (available: unknown) => ({
		success: true,
		data: { formats: [null, { extensions: ['.bmp', '../x', 5], mimeTypes: ['image/bmp'], available }] },
	});

	it('is sent where the service says by now that it takes it, which is asked once', async () => {
		sandbox.reset();
		sandbox.faults.add({ step: 'parseFormats', kind: 'body', httpStatus: 200, body: formats(true) });
		await runParse(
			sandbox,
			[itemWith({ data: BMP }), itemWith({ data: BMP })],
			{},
			{ node: { onError: 'continueRegularOutput' } },
		);
		const asked = sandbox.requests().map(({ method, path }) => `${method} ${path}`);
		expect(asked).toEqual(['GET /v2/parse/formats', 'POST /v2/parse', 'POST /v2/parse']);
	});

	it.each([
		['says that it is not available', 200, formats(false)],
		['says nothing of it that can be read', 200, formats('yes')],
		['has no such list', 404, 'Cannot GET'],
	])('is refused where the service %s', async (_what, httpStatus, body) => {
		sandbox.reset();
		sandbox.faults.add({ step: 'parseFormats', kind: 'body', httpStatus, body });
		const execution = await runParse(sandbox, [itemWith({ data: BMP })]);
		expect(errorText(execution)).toMatch(/^The service cannot read "a\.bmp" \(image\/bmp\)/);
		expect(sandbox.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
	});
});

it('a binary field that is not there is told with those that are', async () => {
	const execution = await runParse(sandbox, [itemWith({ attachment_0: noteOf('x') })]);
	expect(errorText(execution)).toBe(
		'The item has no binary field "data": it has "attachment_0". For a file of an earlier node, use an expression such as {{ $("Get Mail").item.binary.attachment_0 }}. Nothing was sent.',
	);
});

it('a file that is gone from n8n’s store is told as that', async () => {
	const gone = {
		fileName: 'a.pdf',
		mimeType: 'application/pdf',
		data: 'filesystem-v2',
		id: 'filesystem-v2:no/such/file',
	};
	const execution = await runParse(sandbox, [itemWith({ data: gone })]);
	expect(errorText(execution)).toBe(
		'The file "a.pdf" is no longer in n8n\'s storage of binary data. Nothing was sent.',
	);
});

/** What the recorded server says to what is sent, and what a user reads of it. */
const TOLD: Array<[string, INodeParameters, string]> = [
	[
		'PARSE_UNSUPPORTED_OPTIONS (parse-66)',
		{ scrapeOptions: { additionalFields: '{ "mobile": true }' } },
		'No result for "note.html": The service refused the request: Parse uploads do not support mobile rendering (PARSE_UNSUPPORTED_OPTIONS).',
	],
	[
		'rawBase64 (parse-68)',
		{ scrapeOptions: { additionalFields: '{ "formats": ["rawBase64"] }' } },
		'No result for "note.html": The service refused the request: The rawBase64 format is not supported for parse uploads.',
	],
	[
		'an unknown key (parse-55)',
		{ scrapeOptions: { additionalFields: '{ "bogus": 1 }' } },
		'No result for "note.html": This server does not know the option "bogus": remove it, or use a newer server.',
	],
	[
		'no zero data retention (parse-73)',
		{ scrapeOptions: { rareOptions: { zeroDataRetention: true } } },
		'The service does not allow this: Zero Data Retention (ZDR) is not enabled for your team. Contact support@firecrawl.com to enable this feature.',
	],
	[
		'a cache miss, which is 500 here (parse-80)',
		{ scrapeOptions: { additionalFields: '{ "lockdown": true }' } },
		'No result for "note.html": The service has no copy of it in its cache, and',
	],
];

it.each(TOLD)('tells what the service says: %s', async (_what, parameters, message) => {
	const execution = await runParse(sandbox, [itemWith({ data: binaryOf('note.html') })], parameters, {
		node: { onError: 'continueRegularOutput' },
	});
	const [item] = jsonOf(execution.items(NODE));
	expect(String(item?.error).slice(0, message.length)).toBe(message);
	expect(Object.keys(item ?? {})).toEqual(['error', 'details']);
});

it('tells that a broken file cannot be read, not that a page cannot be fetched (parse-16, parse-23)', async () => {
	const execution = await runParse(sandbox, [itemWith({ data: binaryOf('broken.pdf', 'no such thing') })]);
	expect(errorText(execution)).toBe(
		'No result for "broken.pdf". The service could not read it (SCRAPE_ALL_ENGINES_FAILED). It may be broken, protected by a password, or not what its name says.',
	);
});

/** Each fault with what its item shows, and how many files were read and paid for. */
const status = (httpStatus: number, when: 'before' | 'after' = 'before'): FaultRule => ({
	kind: 'status',
	httpStatus,
	error: `told ${httpStatus}`,
	when,
});
const UNCLEAR = /^No result for "note\.html": .*It may have arrived, and may be paid for, so it was not sent again\.$/;
const MATRIX: Array<[string, FaultRule, RegExp | 'result', requests: number, paid: number]> = [
	['400', status(400), /refused the request: told 400/, 1, 0],
	['401', status(401), /API key: told 401/, 1, 0],
	['402', status(402), /enough credits: told 402/, 1, 0],
	['403', status(403), /does not allow this: told 403/, 1, 0],
	['404', status(404), /told 404/, 1, 0],
	['408', status(408), /ran out of time: told 408/, 1, 0],
	['413', status(413), /refused the request: told 413/, 1, 0],
	['429', { kind: 'rateLimit', retryAfter: 1 }, 'result', 2, 1],
	['500 before the work', status(500), /^No result for "note\.html": .*told 500/, 1, 0],
	['500 after the work', status(500, 'after'), /^No result for "note\.html": .*told 500/, 1, 1],
	['503', status(503), /told 503/, 1, 0],
	['502 with HTML', { kind: 'htmlError' }, /^No result for "note\.html"/, 1, 0],
	['200 with HTML', { kind: 'html' }, UNCLEAR, 1, 0],
	['200 with nothing', { kind: 'empty', when: 'after' }, UNCLEAR, 1, 1],
	['200 of another shape', { kind: 'wrongShape', body: { success: true } }, UNCLEAR, 1, 0],
	['reset before the work', { kind: 'reset' }, UNCLEAR, 1, 0],
	['reset after the work', { kind: 'reset', when: 'after' }, UNCLEAR, 1, 1],
	['truncated answer', { kind: 'truncated', when: 'after' }, UNCLEAR, 1, 1],
	['redirect', { kind: 'redirect', to: 'https://example.com/' }, /redirects to https:\/\/example\.com/, 1, 0],
	['wrong content type', { kind: 'wrongType' }, 'result', 1, 1],
	['slow answer', { kind: 'slow', ms: 300, when: 'after' }, 'result', 1, 1],
];

describe('a fault at an upload', () => {
	it.each(MATRIX)('%s', async (_name, fault, sees, requests, paid) => {
		sandbox.faults.add({ ...fault, step: 'parse', times: 1 } as FaultRule);
		const before = sandbox.stats().pagesScraped;
		const execution = await runParse(
			sandbox,
			[itemWith({ data: binaryOf('note.html') })],
			{},
			{ node: { onError: 'continueRegularOutput' } },
		);
		const [item] = jsonOf(execution.items(NODE));
		if (sees === 'result') expect(item?.markdown).toContain('lighthouse');
		else expect(String(item?.error)).toMatch(sees);
		expect(sandbox.requests().filter(({ path }) => path === '/v2/parse')).toHaveLength(requests);
		expect(sandbox.stats().pagesScraped - before).toBe(paid);
	});
});
