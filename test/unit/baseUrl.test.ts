import fc from 'fast-check';

import { normalizeBaseUrl } from '../../nodes/service/http/credential';
import { failureOf } from './caught.ts';

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
	expect(failure).toMatchObject({ kind: 'badInput', mayHaveExecuted: false });
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
