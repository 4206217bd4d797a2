import fc from 'fast-check';

import { pageKey, sameAddress } from '../../nodes/text/addresses.ts';
import { expectLinear } from '../helpers/growth';

const BOTH = [sameAddress, pageKey];
const TOKEN = '9f86d081884c7d659a2feaa0c55ad015';
const OTHER_TOKEN = 'c4ca4238a0b923820dcc509a6f75849b';

const host = fc.constantFrom('news.example', 'shop.example:8443', 'www.site.example');
const segments = fc.array(fc.stringMatching(/^[a-z\d-]{1,8}$/), { maxLength: 4 });
const name = fc.constantFrom(
	...['id', 'sid', 'p', 'page', 'q', 'session_id', 'sessionid', 'cfid', 'pk_id', 'utm_page', 'sccid', 'PHPSESSID'],
);
/** Short, or made of digits. */
const value = fc.oneof(fc.stringMatching(/^[A-Za-z\d]{0,10}$/), fc.stringMatching(/^\d{1,40}$/));

it('never takes two addresses for one that differ in their path', () => {
	fc.assert(
		fc.property(host, segments, segments, (at, one, other) => {
			fc.pre(one.join('/') !== other.join('/'));
			for (const key of BOTH) {
				expect(key(`https://${at}/${one.join('/')}`)).not.toBe(key(`https://${at}/${other.join('/')}`));
			}
		}),
	);
});

it('never takes two addresses for one that differ in a query value that is short or made of digits', () => {
	fc.assert(
		fc.property(host, segments, name, value, value, (at, path, parameter, one, other) => {
			fc.pre(one !== other);
			const address = (its: string) => `https://${at}/${path.join('/')}?a=1&${parameter}=${its}`;
			for (const key of BOTH) expect(key(address(one))).not.toBe(key(address(other)));
		}),
	);
});

/** Two addresses; by which functions they are one. */
const PAIRS: ReadonlyArray<[one: string, other: string, by: 'both' | 'page' | 'none']> = [
	['https://a.example/x', 'https://A.EXAMPLE/x', 'both'],
	['https://a.example/x', ' https://a.example:443/x#reviews ', 'both'],
	['http://a.example', 'http://a.example:80/', 'both'],
	['https://a.example/%7eme', 'https://a.example/~me', 'both'],
	['https://a.example/%c3%a4', 'https://a.example/%C3%A4', 'both'],
	['https://a.example/ä?q=ü', 'https://a.example/%C3%A4?q=%c3%bc', 'both'],
	['https://a.example/b/../x', 'https://a.example/x', 'both'],
	['https://a.example/x y', 'https://a.example/x%20y', 'both'],
	['https://a.example/x', 'http://a.example/x', 'page'],
	['https://a.example/x', 'https://www.a.example/x', 'page'],
	['https://a.example/x', 'https://a.example/x/', 'page'],
	['https://a.example/x?a=1', 'https://a.example/x?a=1&utm_source=news&gclid=x', 'page'],
	['https://a.example/x', 'https://a.example/x?fbclid=y&pk_campaign=z', 'page'],
	['https://a.example/x?a=1&b=2', 'https://a.example/x?b=2&a=1', 'page'],
	[`https://a.example/x?PHPSESSID=${TOKEN}`, `https://a.example/x?PHPSESSID=${OTHER_TOKEN}`, 'page'],
	[`https://a.example/x;jsessionid=${TOKEN}?a=1`, 'https://a.example/x?a=1', 'page'],
	['https://news.example/article.pl?sid=12', 'https://news.example/article.pl?sid=13', 'none'],
	['https://a.example/x?session_id=intro', 'https://a.example/x?session_id=outro', 'none'],
	['https://a.example/x?cfid=1', 'https://a.example/x?cfid=2', 'none'],
	['https://a.example/x?pk_id=1', 'https://a.example/x?pk_id=2', 'none'],
	['https://a.example/x?utm_page=1', 'https://a.example/x?utm_page=2', 'none'],
	[`https://a.example/x?id=${TOKEN}`, `https://a.example/x?id=${OTHER_TOKEN}`, 'none'],
	['https://a.example/x?sid=top-10-laptops-of-2026', 'https://a.example/x?sid=top-10-phones-of-2026', 'none'],
	['https://a.example/x?tag=a&tag=b', 'https://a.example/x?tag=b&tag=a', 'none'],
	['https://a.example/x', 'https://a.example/X', 'none'],
	['https://a.example/x', 'https://a.example:8443/x', 'none'],
	['https://a.example/a%2Fb', 'https://a.example/a/b', 'none'],
	['https://a.example/#/one', 'https://a.example/#/two', 'none'],
	['https://a.example/x', 'https://a.example/x//', 'none'],
	['https://one:pw@a.example/x', 'https://two:pw@a.example/x', 'none'],
];

it.each(PAIRS)('%s and %s: one by %s', (one, other, by) => {
	expect(BOTH.map((key) => key(one) === key(other))).toEqual([by === 'both', by !== 'none']);
});

it.each(['', 'not an address', 'mailto:a@b.example', '/x', 'https://', 'x'.repeat(100_000)])(
	'what is no web address stands for itself: %.20s',
	(text) => {
		for (const key of BOTH) expect(key(text)).toBe(text);
	},
);

it.each([
	['slashes', (size: number) => `https://a.example/a${'/'.repeat(size)}b`],
	['escapes', (size: number) => `https://a.example/${'%7e'.repeat(size)}%`],
	['parameters', (size: number) => `https://a.example/?${'a=1&'.repeat(size)}`],
	['semicolons', (size: number) => `https://a.example/${';jsessionid='.repeat(size)}`],
])('takes no longer than its length: %s', async (_what, address) => {
	for (const key of BOTH) await expectLinear(10_000, (size) => key(address(size)));
});
