import { Readable } from 'node:stream';

import fc from 'fast-check';

import { Secrets } from '../../nodes/service/secrets';
import { MAX_BODY_BYTES } from '../../nodes/service/http/answerBody';
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
const streaming = (body: HttpResponse['body']) => answering({ statusCode: 200, headers: {}, body });

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

it('puts characters together that arrive in two pieces', async () => {
	const bytes = Buffer.from('{"a":"é"}');
	const body = Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]);
	expect((await sendRequest(way(streaming(body)), start)).json).toEqual({ a: 'é' });
});

it('stops reading a body without end, and closes it', async () => {
	const piece = Buffer.alloc(4 * 1024 * 1024, 'x');
	let read = 0;
	const body = Readable.from(
		(function* () {
			for (;;) yield ((read += piece.byteLength), piece);
		})(),
		{ objectMode: true, highWaterMark: 1 },
	);
	const failure = await failureOf(() => sendRequest(way(streaming(body)), start));
	expect(failure).toMatchObject({ kind: 'tooLarge', reached: 'maybe' });
	expect(failure.message).toContain('larger than 64 MB');
	expect(read).toBeLessThan(MAX_BODY_BYTES + 4 * piece.byteLength);
	expect(body.destroyed).toBe(true);
});

it('takes a body of exactly the largest size', async () => {
	const body = Readable.from([Buffer.alloc(MAX_BODY_BYTES, ' ')]);
	expect((await sendRequest(way(streaming(body)), start)).text).toHaveLength(MAX_BODY_BYTES);
});

it('gives up on a body that trickles, and closes it', async () => {
	const clock = new AbortController();
	const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(clock.signal);
	const body = new Readable({ read: () => undefined });
	body.push('{"id":');
	const sent = failureOf(() => sendRequest(way(streaming(body)), start, 60_000));
	await new Promise((resolve) => setImmediate(resolve));
	clock.abort();
	const failure = await sent;
	timeout.mockRestore();
	expect(failure).toMatchObject({ kind: 'timeout', reached: 'maybe' });
	expect(failure.message).toContain('was not complete after 60 seconds');
	expect(body.destroyed).toBe(true);
});

it('reports a body that breaks off', async () => {
	const body = new Readable({ read: () => undefined });
	body.push('{"id":');
	const sent = failureOf(() => sendRequest(way(streaming(body)), start));
	await new Promise((resolve) => setImmediate(resolve));
	body.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
	expect(await sent).toMatchObject({
		kind: 'connection',
		reached: 'maybe',
		message:
			'The connection to https://a.example broke in the middle of its answer: check that the server is running, and the network and proxies on the way to it.',
	});
});

it('reports a connection that fails', async () => {
	const http: HttpCall = async () => await Promise.reject(Object.assign(new Error(), { code: 'ECONNREFUSED' }));
	expect(await failureOf(() => sendRequest(way(http), start))).toMatchObject({
		kind: 'unreachable',
	});
});
