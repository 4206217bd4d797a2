import fc from 'fast-check';

import { readAnswer } from '../../nodes/service/http/answer';
import { readErrorText } from '../../nodes/service/http/refusal';
import type { ServiceFailure } from '../../nodes/service/http/failure';
import { recorded } from '../sandbox/recorded.ts';
import { failureOf, isOneLine } from './caught.ts';

const BASE = 'https://a.example';
const request = { method: 'GET', path: '/v2/crawl/active?x=1', bucket: 'crawlStatus' } as const;

const parse = (text: string): unknown => {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
};

async function refused(status: number, text: string, headers: Record<string, unknown> = {}): Promise<ServiceFailure> {
	const answer = { status, headers, json: parse(text), text };
	return await failureOf(() => readAnswer(answer, request, BASE, 0));
}

const LONG = 'long '.repeat(2_000_000);
const bodies: Array<[shape: string, text: string, shown: string]> = [
	['error', '{"success":false,"error":"Told why"}', 'Told why'],
	['message', '{"message":"Told why"}', 'Told why'],
	['detail', '{"detail":"Told why"}', 'Told why'],
	['title', '{"title":"Told why"}', 'Told why'],
	['full stop', '{"error":"Told why."}', 'Told why'],
	['empty error', '{"error":" ","message":"Told why"}', 'Told why'],
	[
		'details',
		'{"error":"Bad Request","details":[{"message":"Too big","path":["a",0,"b"]}]}',
		'Bad Request (a.0.b: Too big)',
	],
	[
		'a code in its place',
		'{"error":"sponsor_verification_expired","message":"Confirm your mail"}',
		'Confirm your mail (sponsor_verification_expired)',
	],
	['a code alone', '{"error":"agent_key_expired"}', 'agent_key_expired'],
	['details alone', '{"details":[{"message":"Too big"}]}', 'Too big'],
	['control characters', '{"error":"Told\\u0000\\n\\u009f\\u2028why"}', 'Told why'],
	['huge', JSON.stringify({ error: LONG }), 'long long long'],
	['wrong types', '{"error":{"a":1},"details":"x"}', ''],
	['things that are no text', '{"details":[{"message":"M","path":[{"toString":1}]}]}', 'M'],
	['keys that are no text', '{"details":[{"code":"unrecognized_keys","keys":[{"toString":1}]}]}', ''],
	['null', 'null', ''],
	['list', '[{"error":"x"}]', ''],
	['text', '"x"', ''],
	['empty', '', ''],
	['web page', '<!DOCTYPE html><pre>Cannot GET</pre>', ''],
	['broken off', '{"error":"Told', ''],
];
const STATUSES = [400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 418, 422, 429, 500, 502, 503, 504, 599, 0];

describe.each(STATUSES)('HTTP %i', (status) => {
	it.each(bodies)('with %s: sentences with the service’s own text', async (_shape, text, shown) => {
		const { message, httpCode } = await refused(status, text);
		expect(message).toContain(shown);
		expect(message).toMatch(/([^.…]\.|[^.]…)$/);
		expect(message.length).toBeLessThan(1000);
		expect(isOneLine(message)).toBe(true);
		expect(httpCode).toBe(status);
		if (shown === '') expect(message).toMatch(new RegExp(`HTTP ${status}|gives 404`));
	});

	it('says whether the service may have acted', async () => {
		const isWord = status >= 400 && status < 500 && status !== 408;
		for (const [, text] of bodies) {
			expect((await refused(status, text)).mayHaveExecuted).toBe(!isWord);
		}
	});
});

it.each([
	[401, 'The service does not accept the API key: Told why. Check the key in the Web Data API (Firecrawl) credential.'],
	[
		402,
		'The account does not have enough credits: Told why. Buy credits or a larger plan with the service, or ask for fewer pages; Account · Get Credit Usage shows what is left.',
	],
	[403, 'The service does not allow this: Told why.'],
	[404, 'The service does not know it: Told why.'],
	[500, 'The service failed: Told why.'],
])('says in plain words what %i means', async (status, message) => {
	expect((await refused(status, '{"error":"Told why"}')).message).toBe(message);
});

it('tells an unknown id from an operation that the server does not have', async () => {
	const unknownId = await refused(404, '{"error":"Deep research job not found"}');
	expect(unknownId.notFound).toBe(true);
	const noRoute = await refused(404, '<pre>Cannot GET</pre>');
	expect(noRoute.notFound).toBe(false);
	expect(noRoute.message).toBe(
		'This operation is not available on this server (GET /v2/crawl/active gives 404 at https://a.example): check the base URL in the Web Data API (Firecrawl) credential. Older and self-hosted servers do not have every operation.',
	);
});

it('names the options that a strict server does not know', async () => {
	const details = [{ code: 'unrecognized_keys', keys: ['maxUrls', 'foo'], message: 'Unrecognized keys' }];
	const { message } = await refused(400, JSON.stringify({ error: 'Bad Request', details }));
	expect(message).toBe('This server does not know the options "maxUrls", "foo": remove them, or use a newer server.');
	const flood = Array.from({ length: 5000 }, (_unused, index) => ({
		code: 'unrecognized_keys',
		keys: [`k${index}`, LONG],
	}));
	expect((await refused(422, JSON.stringify({ details: flood.slice(0, 3) }))).message.length).toBeLessThan(1500);
});

it.each([
	['', 'an empty body'],
	[' \n', 'an empty body'],
	['<html>', 'a web page instead of JSON'],
	['{"id":"a', 'JSON that breaks off or is not an object'],
	['[1]', 'JSON that breaks off or is not an object'],
	['OK', 'something that is not JSON'],
	['null', 'something that is not JSON'],
])('takes a 200 with %j for no answer', async (text, what) => {
	const failure = await refused(200, text);
	expect(failure).toMatchObject({ kind: 'notJson', mayHaveExecuted: true, httpCode: 200 });
	expect(failure.message).toContain(`answered with ${what} (HTTP 200)`);
});

it('returns every 2xx with a JSON object as it is, also with success false', () => {
	for (const status of [200, 201, 202, 299]) {
		const json = { success: false, status: 'failed' };
		expect(readAnswer({ status, headers: {}, json, text: '' }, request, BASE, 0)).toBe(json);
	}
});

it('says where a redirect points, and follows none', async () => {
	const failure = await refused(308, '', { Location: 'https://b.example/\u0007x' });
	expect(failure).toMatchObject({ kind: 'redirect', httpCode: 308 });
	expect(failure.message).toContain('https://a.example redirects to https://b.example/ x: set the base URL');
	expect((await refused(302, '')).message).toContain('redirects to another address');
});

it('reads the wait of a 429 from the header or the text', async () => {
	const text = '{"error":"Limit. retry after 60s"}';
	expect(await refused(429, text)).toMatchObject({ kind: 'rateLimited', retryAfterMs: 60_000 });
	expect((await refused(429, text, { 'retry-after': '3' })).retryAfterMs).toBe(3000);
	expect((await refused(429, '<html>')).retryAfterMs).toBeUndefined();
});

it('never throws anything else, whatever comes', async () => {
	const status = fc.integer({ min: 300, max: 999 });
	const keys = fc.constantFrom('error', 'message', 'details', 'code', 'keys', 'path', 'toString');
	const { tree } = fc.letrec((tie) => ({
		tree: fc.oneof(
			{ maxDepth: 5 },
			fc.constantFrom('unrecognized_keys', 'x', 1, null),
			fc.array(tie('tree'), { maxLength: 3 }),
			fc.dictionary(keys, tie('tree'), { maxKeys: 4 }),
		),
	}));
	await fc.assert(
		fc.asyncProperty(status, fc.oneof(tree, fc.jsonValue()), async (code, json) => {
			const { message } = await refused(code, JSON.stringify(json));
			expect(isOneLine(message)).toBe(true);
		}),
		{ numRuns: 1000 },
	);
});

const refusals = ['deep-research', 'auth', 'other']
	.flatMap((file) => recorded(file))
	.filter(({ response }) => response.status >= 400);

it.each(refusals.map(({ name, response }) => [name, response] as const))(
	'shows the words of the recording %s',
	async (_name, { status, headers, body }) => {
		const text = typeof body === 'string' ? body : JSON.stringify(body);
		const { message } = await refused(status, text, headers);
		const said =
			typeof body === 'string'
				? 'not available on this server'
				: readErrorText(body as object as Record<string, unknown>);
		expect(message).toContain(said.replace(/\.$/, ''));
	},
);
