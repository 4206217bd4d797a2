import fc from 'fast-check';

import { matchUrls, type UrlMatch } from '../../nodes/WebData/run/pages/matchUrls';

/** For each URL its page, where nothing has failed. */
function pagesOf(sent: string[], pages: string[]): Array<number | undefined> {
	return matchUrls(sent, { pages, errors: [], areAll: true }).map(pageIn);
}

const pageIn = (match: UrlMatch) => (match.kind === 'page' ? match.index : undefined);

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
	expect(pagesOf([sent], ['https://other.example/', found])).toEqual([1]);
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
	expect(pagesOf([sent], [found])).toEqual([undefined]);
});

it('gives each of two that differ in a slash its own page', () => {
	const sent = ['https://example.com/a', 'https://example.com/a/'];
	expect(pagesOf(sent, [...sent].reverse())).toEqual([1, 0]);
});

it('lets those share a page that the service took for one', () => {
	const sent = ['https://example.com/a', 'https://example.com/a/', 'https://example.com/a#x'];
	expect(pagesOf(sent, ['https://example.com/a'])).toEqual([0, 0, 0]);
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
				const matches = pagesOf(sent, found);
				expect(matches.map((place) => order[place ?? -1])).toEqual(
					sent.map((_url, index) => index),
				);
			},
		),
		{ numRuns: 500 },
	);
});

it('never throws, and never gives one page to two URLs that differ', () => {
	fc.assert(
		fc.property(fc.array(fc.string()), fc.array(fc.string()), (sent, found) => {
			const matches = pagesOf(sent, found);
			expect(matches).toHaveLength(sent.length);
			for (const place of matches) {
				if (place !== undefined) expect(found[place]).not.toBe('');
			}
		}),
	);
});

describe('near URLs of which some failed', () => {
	const stem = fc.constantFrom('site.example/a', 'site.example/b?n=1', 'site.example');
	const nearUrl = fc
		.tuple(fc.constantFrom('http', 'https'), stem, fc.constantFrom('', '/', '#x', '/#y'))
		.map(([scheme, path, end]) => {
			const url = new URL(`${scheme}://${path}`);
			if (end.startsWith('/')) url.pathname = `${url.pathname.replace(/\/$/, '')}/`;
			if (end.includes('#')) url.hash = end.slice(end.indexOf('#'));
			return url.href;
		});
	const jobs = fc.record({
		sent: fc.uniqueArray(nearUrl, { minLength: 1, maxLength: 12 }),
		dead: fc.infiniteStream(fc.boolean()),
		turn: fc.nat(),
		isKnown: fc.boolean(),
	});
	interface Job {
		sent: string[];
		dead: Iterator<boolean>;
		turn: number;
		isKnown: boolean;
	}

	/** What a service that writes addresses so tells of the job, and what becomes of each URL. */
	const matched = ({ sent, dead, turn, isKnown }: Job, written: (url: string) => string) => {
		const isDead = sent.map(() => dead.next().value === true);
		const indices = sent.map((_url, index) => (index + turn) % sent.length);
		const alive = indices.filter((index) => !isDead[index]);
		const failed = indices.filter((index) => isDead[index]);
		const matches = matchUrls(sent, {
			pages: alive.map((index) => written(sent[index] ?? '')),
			errors: isKnown ? failed.map((index) => written(sent[index] ?? '')) : [],
			areAll: isKnown,
		});
		return { isDead, alive, failed, matches };
	};

	it('get each its own page or error from a service that keeps to the addresses', () => {
		fc.assert(
			fc.property(jobs, (job) => {
				const { isDead, alive, failed, matches } = matched(job, (url) => url);
				expect(matches).toEqual(
					job.sent.map((_url, index) => {
						if (!isDead[index]) return { kind: 'page', index: alive.indexOf(index) };
						if (!job.isKnown) return { kind: 'none' };
						return { kind: 'error', index: failed.indexOf(index) };
					}),
				);
			}),
			{ numRuns: 1000 },
		);
	});

	it.each([
		['fragments', (url: string) => url.replace(/#.*$/, '')],
		['slashes', (url: string) => url.replace(/\/(?=$|[?#])/, '')],
		['schemes', (url: string) => url.replace(/^http:/, 'https:')],
		['all of them', (url: string) => url.replace(/#.*$/, '').replace(/\/(?=$|\?)/, '')],
	])('never get the page of another from a service that drops %s', (_what, written) => {
		fc.assert(
			fc.property(jobs, (job) => {
				const { isDead, matches, alive } = matched({ ...job, isKnown: true }, written);
				const taken = matches.map(pageIn).filter((index) => index !== undefined);
				expect(new Set(taken).size).toBe(taken.length);
				matches.forEach((match, index) => {
					if (isDead[index]) expect(match.kind).not.toBe('page');
					if (match.kind === 'page') {
						const owner = job.sent[alive[match.index] ?? -1] ?? '';
						expect(written(owner)).toBe(written(job.sent[index] ?? ''));
					}
				});
			}),
			{ numRuns: 1000 },
		);
	});

	it('share no page where some may be missing', () => {
		const sent = ['https://example.com/a', 'https://example.com/a/'];
		const named = { pages: ['https://example.com/a'], errors: [], areAll: false };
		expect(matchUrls(sent, named)).toEqual([{ kind: 'page', index: 0 }, { kind: 'none' }]);
		const other = { ...named, pages: ['http://example.com/a'] };
		expect(matchUrls(sent, other)).toEqual([{ kind: 'none' }, { kind: 'none' }]);
	});
});

it('gives an address that failed no page that another was redirected to', () => {
	const [old, new_] = ['https://example.com/old', 'https://example.com/new'];
	const named = { pages: [new_], errors: [new_], areAll: true };
	const redirected = { ...named, endedAt: new Set([0]) };
	expect(matchUrls([old, new_], redirected)).toEqual([
		{ kind: 'none' },
		{ kind: 'error', index: 0 },
	]);
	// Its own page, since it names what it was asked for by.
	expect(matchUrls([old, new_], named)[1]).toEqual({ kind: 'page', index: 0 });
});
