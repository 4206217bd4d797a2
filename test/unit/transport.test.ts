import fc from 'fast-check';

import { Secrets } from '../../nodes/service/secrets';
import { normalizeBaseUrl } from '../../nodes/service/http/credential';
import { sendRequest } from '../../nodes/service/http/transport';
import type { HttpCall, HttpOptions, HttpResponse } from '../../nodes/service/http/transport';
import { failureOf } from './caught.ts';
import { httpResponse } from './httpResponse.ts';

const BASE = 'https://a.example/self';

/** The route of a service whose key is empty. */
const way = (http: HttpCall) => ({ http, baseUrl: BASE, secrets: new Secrets('') });
const start = {
	method: 'POST',
	path: '/v1/deep-research',
	body: { query: 'q' },
	query: { a: 1 },
	bucket: 'crawl',
} as const;

it.each([
	['https://api.firecrawl.dev', 'https://api.firecrawl.dev'],
	[' https://api.firecrawl.dev/ \n', 'https://api.firecrawl.dev'],
	['https://api.firecrawl.dev/v1', 'https://api.firecrawl.dev'],
	['https://api.firecrawl.dev/v2///', 'https://api.firecrawl.dev'],
	['http://localhost:3002', 'http://localhost:3002'],
	['HTTP://LOCALHOST:80/', 'http://localhost'],
	['https://a.example/fire/crawl/v2/', 'https://a.example/fire/crawl'],
	['https://a.example/v2x', 'https://a.example/v2x'],
	['https://a.example/v3', 'https://a.example/v3'],
	['http://[::1]:3002/', 'http://[::1]:3002'],
	['https://a.example/?key=1#x', 'https://a.example'],
])('normalizes %j to %j', (input, expected) => {
	expect(normalizeBaseUrl(input)).toBe(expected);
});

it.each([
	'',
	' ',
	'api.firecrawl.dev',
	'localhost:3002',
	'ftp://a.example',
	'file:///etc/passwd',
	'javascript:1',
	'//a.example',
	'https://',
	null,
	undefined,
	5,
	{},
])('refuses %j as base URL', async (input) => {
	const failure = await failureOf(() => normalizeBaseUrl(input));
	expect(failure).toMatchObject({ kind: 'badInput', reached: 'no' });
	expect(failure.message).toContain('must be an http or https address');
});

it('refuses a base URL with a password, and does not repeat it', async () => {
	for (const url of ['https://user:secret@a.example', 'https://secret@a.example', 'x//u:secret@a']) {
		expect((await failureOf(() => normalizeBaseUrl(url))).message).not.toContain('secret');
	}
});

it('makes of any web address one that stays, on the same origin, without a version', () => {
	const tail = fc.constantFrom('', '/', '//', '/v1', '/v2/', '/v2//');
	fc.assert(
		fc.property(fc.webUrl(), tail, (url, end) => {
			fc.pre(!/v[12]\/*$/.test(url));
			const base = normalizeBaseUrl(url + end);
			expect(base).toBe(normalizeBaseUrl(base));
			expect(new URL(base).origin).toBe(new URL(url).origin);
			expect(base).not.toMatch(/\/(v[12])?$/);
		}),
	);
});

const answering =
	(response: HttpResponse): HttpCall =>
	async () =>
		await Promise.resolve(response);

it('sends exactly what it was asked to, to the base URL', async () => {
	const sent: HttpOptions[] = [];
	const http: HttpCall = async (options) => {
		sent.push(options);
		return await Promise.resolve(httpResponse({ status: 201, headers: { a: 'b' }, text: '{"id":"x"}' }));
	};
	const answer = await sendRequest(way(http), start, 1234);
	expect(sent).toEqual([
		{
			method: 'POST',
			url: `${BASE}/v1/deep-research`,
			body: { query: 'q' },
			query: { a: 1 },
			timeoutMs: 1234,
		},
	]);
	expect(answer).toEqual({
		status: 201,
		headers: { a: 'b' },
		json: { id: 'x' },
		text: '{"id":"x"}',
	});
	await sendRequest(way(http), { method: 'GET', path: '/v2/x', bucket: 'crawl' });
	expect(sent[1]).toEqual({ method: 'GET', url: `${BASE}/v2/x`, timeoutMs: 60_000 });
});

it.each([
	['{"a":"é"}', { a: 'é' }],
	['<html>', undefined],
	['', undefined],
	['{"a":', undefined],
	['null', null],
	['['.repeat(100_000), undefined],
])('reads the body whatever its content type says', async (text, json) => {
	const response = httpResponse({ headers: { 'content-type': 'text/html' }, text });
	expect(await sendRequest(way(answering(response)), start)).toMatchObject({ json, text });
});

it('takes any time limit, also one with a fraction of a millisecond', async () => {
	const response = httpResponse({ text: '{}' });
	expect((await sendRequest(way(answering(response)), start, 5000.123)).json).toEqual({});
});
