import fc from 'fast-check';

import { matchUrls } from '../../nodes/WebData/run/pages/matchUrls';
import { runs } from './runs.ts';

it.each([
	['https://Example.COM/a', 'https://example.com/a'],
	['https://example.com:443/a', 'https://example.com/a'],
	['http://example.com:80', 'http://example.com/'],
	['https://example.com/a/', 'https://example.com/a'],
	['https://example.com/a', 'https://example.com/a/'],
	['https://example.com/a#part', 'https://example.com/a'],
	['https://example.com/a?', 'https://example.com/a'],
	['https://example.com/%7Ejoe', 'https://example.com/~joe'],
	['https://example.com/caf%C3%A9', 'https://example.com/café'],
	['https://example.com./a', 'https://example.com/a'],
	['http://example.com/a', 'https://example.com/a'],
])('%s is found as %s', (sent, found) => {
	expect(matchUrls([sent], ['https://other.example/', found])).toEqual([1]);
});

it.each([
	['https://example.com/a', 'https://example.com/b'],
	['https://example.com/a?x=1', 'https://example.com/a?x=2'],
	['https://example.com/A', 'https://example.com/a'],
	['https://a.example.com/', 'https://example.com/'],
	['https://example.com:8080/', 'https://example.com/'],
	['https://example.com/a', ''],
	['https://example.com/a', 'not a url'],
])('%s is not %s', (sent, found) => {
	expect(matchUrls([sent], [found])).toEqual([undefined]);
});

it('gives each of two that differ in a slash its own page', () => {
	const sent = ['https://example.com/a', 'https://example.com/a/'];
	expect(matchUrls(sent, [...sent].reverse())).toEqual([1, 0]);
});

it('lets those share a page that the service took for one', () => {
	const sent = ['https://example.com/a', 'https://example.com/a/', 'https://example.com/a#x'];
	expect(matchUrls(sent, ['https://example.com/a'])).toEqual([0, 0, 0]);
});

/** What services make of a URL. */
const habits: Array<(url: string) => string> = [
	(url) => url,
	(url) => new URL(url).href,
	(url) => url.replace(/#.*$/, ''),
	(url) => url.replace(/\/(?=$|\?)/, ''),
	(url) => url.replace(/^http:/, 'https:'),
	(url) => url.replace('example', 'EXAMPLE'),
];

it('finds every page, however the service writes its URL and in whatever order it comes', () => {
	const paths = fc.uniqueArray(fc.stringMatching(/^[a-z0-9~._-]{1,12}$/), {
		selector: (path) => new URL(path, 'http://site.example/').href,
		minLength: 1,
		maxLength: 40,
	});
	fc.assert(
		fc.property(
			paths,
			fc.nat(),
			fc.infiniteStream(fc.nat(habits.length - 1)),
			(all, turn, habit) => {
				const sent = all
					.filter((path) => !/^\.+$/.test(path))
					.map(
						(path, index) => `http://site.example/${path}${index % 3 === 0 ? '/' : ''}?n=${index}`,
					);
				const order = sent.map((_url, index) => (index + turn) % sent.length);
				const found = order.map((place) => {
					const change = habits[habit.next().value ?? 0];
					return change?.(sent[place] ?? '') ?? '';
				});
				const matches = matchUrls(sent, found);
				expect(matches.map((place) => order[place ?? -1])).toEqual(
					sent.map((_url, index) => index),
				);
			},
		),
		{ numRuns: runs(500) },
	);
});

it('never throws, and never gives one page to two URLs that differ', () => {
	fc.assert(
		fc.property(fc.array(fc.string()), fc.array(fc.string()), (sent, found) => {
			const matches = matchUrls(sent, found);
			expect(matches).toHaveLength(sent.length);
			for (const place of matches) {
				if (place !== undefined) expect(found[place]).not.toBe('');
			}
		}),
	);
});
