import fc from 'fast-check';

import { BASE_URL, page, pages, readFrom, REQUEST, slicing } from './pagesService.ts';

const FAULT = { status: 500, body: { success: false, error: 'An unexpected error' } };
const LIMIT = { status: 429, body: { success: false, error: 'Request rate limit exceeded.' } };

describe('a job of 2,000 pages in 20 slices', () => {
	it('comes complete, in order, without doubles', async () => {
		const result = await readFrom(slicing(2000, 100));
		expect(result.failure).toBeUndefined();
		expect(result.pages).toEqual(pages(0, 2000));
		expect(result.seen).toHaveLength(20);
	});

	it('also when every slice fails with 500 and 429 first', async () => {
		const good = slicing(2000, 100);
		const result = await readFrom((options, count) =>
			count % 3 === 1 ? FAULT : count % 3 === 2 ? LIMIT : good(options, count),
		);
		expect(result.failure).toBeUndefined();
		expect(result.pages).toEqual(pages(0, 2000));
		expect(result.seen).toHaveLength(60);
	});

	it('gives up a slice that fails six times in a row, and says so', async () => {
		const good = slicing(2000, 100);
		const result = await readFrom((options, count) => (count > 3 ? FAULT : good(options, count)));
		expect(result.failure?.message).toContain('An unexpected error');
		expect(result.seen).toHaveLength(3 + 6);
		expect(result.pages).toEqual(pages(0, 300));
	});

	it('asks for no more slices than are wanted', async () => {
		const result = await readFrom(slicing(2000, 100), { most: 250 });
		expect(result.pages).toEqual(pages(0, 250));
		expect(result.seen).toHaveLength(3);
	});

	it('is read no further once the execution is stopped', async () => {
		const stop = new AbortController();
		const good = slicing(2000, 100);
		const result = await readFrom(
			(options, count) => {
				if (count === 5) stop.abort();
				return good(options, count);
			},
			{},
			stop.signal,
		);
		expect(result.failure?.message).toBe('The execution was canceled.');
		expect(result.seen).toHaveLength(5);
	});
});

describe('an answer without a list of pages, of a job whose pages the service counts', () => {
	const lastCheck = { status: 'completed', completed: 300, data: [page(0)], next: 'more' };

	it('is an error, and not a job without pages', async () => {
		for (const data of [undefined, null, 'none']) {
			const answering = () => ({ body: { success: true, data } });
			const result = await readFrom(answering, { counted: 300, lastCheck });
			expect(result.failure?.message).toMatch(/ (without a|other than a) list of pages\.$/);
		}
	});
});

describe('the place of the next slice', () => {
	const own = (next: unknown) => (_options: unknown, count: number) => ({
		body: { data: [page(count)], ...(count === 1 && { next }) },
	});

	it.each([
		'https://service.example/v2/crawl/job-1?skip=1',
		'http://service.example/v2/crawl/job-1?skip=1',
		'https://service.example:3002/anything?skip=1',
		'http://SERVICE.example/v2/crawl/other?skip=1',
		'//service.example/?skip=1',
		'?skip=1',
		// Of a link to another host only the query is used: a server behind a proxy may not know its name.
		'https://evil.example/v2/crawl/job-1?skip=1',
		'//evil.example/?skip=1',
		'https://service.example@evil.example/?skip=1',
		'https://service.example.evil.example/?skip=1',
	])('%s is asked for at our own address', async (next) => {
		const { seen, failure, pages: read } = await readFrom(own(next));
		expect(failure).toBeUndefined();
		expect(seen[1]).toMatchObject({ url: `${BASE_URL}${REQUEST.path}`, query: { skip: '1' } });
		expect(read).toEqual([page(1), page(2)]);
	});

	it.each(['file:///etc/passwd', 'javascript:alert(1)', 'http://', 7, true, {}, 'x'.repeat(5000)])(
		'%p is refused',
		async (next) => {
			const { seen, failure } = await readFrom(own(next));
			expect(failure?.message).toMatch(/gave an invalid address|is said to be/);
			expect(seen).toHaveLength(1);
		},
	);

	it.each([undefined, null, ''])('%p is the end', async (next) => {
		const { seen, failure } = await readFrom(own(next));
		expect(failure).toBeUndefined();
		expect(seen).toHaveLength(1);
	});

	it('never leads elsewhere, and never in a circle, whatever it says', async () => {
		const anyNext = fc.oneof(
			fc.string(),
			fc.webUrl({ withQueryParameters: true, withFragments: true }),
			fc
				.tuple(fc.constantFrom('http:', 'https:', 'ftp:', ''), fc.domain(), fc.string())
				.map(([scheme, host, rest]) => `${scheme}//${host}/${rest}`),
			fc.nat(30).map((skip) => `${BASE_URL}/x?skip=${skip}`),
			fc.nat(30).map((skip) => `http://service.example:1/?limit=3&skip=${skip}`),
			fc.jsonValue(),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(anyNext, { minLength: 1, maxLength: 8 }), async (nexts) => {
				// The same few links again and again, and always the slice that was asked for.
				const { seen, pages: read } = await readFrom(({ query = {} }, count) => ({
					body: {
						data: pages(Number(query.skip ?? 0) || 0, (Number(query.skip ?? 0) || 0) + 2),
						next: nexts[count % nexts.length],
					},
				}));
				for (const { url } of seen) expect(url).toBe(`${BASE_URL}${REQUEST.path}`);
				const names = read.map(({ markdown }) => markdown);
				expect(new Set(names).size).toBe(names.length);
				expect(seen.length).toBeLessThan(40);
			}),
			{ numRuns: 500 },
		);
	});
});

describe('a server that answers with the same pages again', () => {
	it('because it ignores skip, ends the reading', async () => {
		let skip = 0;
		const {
			seen,
			failure,
			pages: read,
		} = await readFrom(() => {
			skip += 100;
			return { body: { data: pages(0, 100), next: `${BASE_URL}/x?skip=${skip}` } };
		});
		expect(failure).toBeUndefined();
		expect(read).toEqual(pages(0, 100));
		expect(seen).toHaveLength(2);
	});

	it('because next does not move, ends the reading', async () => {
		const next = `${BASE_URL}/x?skip=100`;
		const { seen, pages: read } = await readFrom(({ query }) => ({
			body: { data: query ? pages(100, 200) : pages(0, 100), next },
		}));
		expect(read).toEqual(pages(0, 200));
		expect(seen).toHaveLength(2);
	});

	it('in slices that overlap, gives each page once', async () => {
		const { pages: read } = await readFrom(({ query = {} }) => {
			const skip = Number(query.skip ?? 0);
			const next = skip < 270 ? { next: `${BASE_URL}/x?skip=${skip + 90}` } : {};
			return { body: { data: pages(skip, skip + 100), ...next } };
		});
		expect(read).toEqual(pages(0, 370));
	});

	it('without ids, is seen through by the pages themselves', async () => {
		const plain = [{ markdown: 'one' }, { markdown: 'two' }, { markdown: 'one' }];
		const { pages: read, seen } = await readFrom((_options, count) => ({
			body: { data: plain, next: `${BASE_URL}/x?skip=${count}` },
		}));
		expect(read).toEqual([{ markdown: 'one' }, { markdown: 'two' }]);
		expect(seen).toHaveLength(2);
	});
});

describe('odd answers', () => {
	it('an empty slice is the end, although it has a next', async () => {
		const { pages: read, seen } = await readFrom((_options, count) => ({
			body: { data: count < 3 ? [page(count)] : [], next: `${BASE_URL}/x?skip=${count}` },
		}));
		expect(read).toEqual([page(1), page(2)]);
		expect(seen).toHaveLength(3);
	});

	it('a slice without a list of pages is an error, a missing list is the end', async () => {
		const { failure } = await readFrom(() => ({ body: { data: {} } }));
		expect(failure).toMatchObject({ kind: 'notJson', reached: 'maybe' });
		expect(failure?.message).toContain('other than a list of pages');
		expect((await readFrom(() => ({ body: {} }))).failure).toBeUndefined();
	});

	it('keeps pages with the same id and another address', async () => {
		const same = (url: string) => ({ metadata: { scrapeId: 'cached', sourceURL: url } });
		const data = [same('https://a.example/'), same('https://b.example/')];
		expect((await readFrom(() => ({ body: { data } }))).pages).toEqual(data);
	});
});
