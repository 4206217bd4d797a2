import fc from 'fast-check';

import { BASE_URL, page, pages, readFrom, REQUEST } from './pagesService.ts';

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

it('ends with pages that hold far more than the count of the service lets expect', async () => {
	const large = 'x'.repeat(40 * 1024 * 1024);
	const answering = (_options: unknown, count: number) => ({
		body: `{"completed":1,"data":[{"n":${count},"markdown":"${large}"}],"next":"?skip=${count}"}`,
	});
	const ended: number[] = [];
	const { pages: read } = await readFrom(answering, { counted: 1, onBeyondCount: (reached) => ended.push(reached) });
	expect(read.length).toBeLessThan(10);
	expect(ended).toHaveLength(1);
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
			expect(failure?.message).toContain(`${BASE_URL} gave an invalid address for the next pages: `);
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
