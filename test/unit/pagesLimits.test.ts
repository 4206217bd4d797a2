import { BASE_URL, page, pages, readFrom, slicing } from './pagesService.ts';

describe('of a job of 2,000 pages', () => {
	it.each([1, 99, 100, 101])('asks with a limit for less than a slice: %i pages', async (most) => {
		const result = await readFrom(slicing(2000, 100), { most });
		expect(result.pages).toEqual(pages(0, most));
		const query = most < 100 ? { limit: most } : undefined;
		expect(result.seen[0]?.query).toEqual(query);
	});

	it('keeps to the wanted number where a server does not know limit', async () => {
		const result = await readFrom(
			({ query, ...options }, count) =>
				slicing(2000, 100)({ ...options, query: { skip: query?.skip ?? 0 } }, count),
			{ most: 7 },
		);
		expect(result.pages).toEqual(pages(0, 7));
		expect(result.seen).toHaveLength(1);
	});

	it('asks for nothing when nothing is wanted', async () => {
		expect((await readFrom(slicing(2000, 100), { most: 0 })).seen).toEqual([]);
	});
});

describe('a server that never ends', () => {
	const endless = async (most?: number) => {
		const size = 50_000;
		return await readFrom(
			(_options, count) => ({
				body: {
					data: Array.from({ length: size }, (_unused, index) => ({ n: count * size + index })),
					next: `${BASE_URL}/x?skip=${count * size}`,
				},
			}),
			{ most },
		);
	};

	it('is ended, and that is said', async () => {
		const result = await endless();
		expect(result.pages).toHaveLength(250_000);
		expect(result.failure).toMatchObject({ kind: 'tooLarge', reached: 'maybe' });
		expect(result.failure?.message).toContain('more than 250000 pages');
	});

	it('is not read at all where the check of the job tells it, and read in parts it is', async () => {
		const lastCheck = { status: 'completed', completed: 250_001, data: [page(0)], next: 'more' };
		const all = await readFrom(slicing(250_001, 100), { lastCheck });
		expect(all.seen).toHaveLength(0);
		expect(all.failure?.message).toContain('in parts, with Limit and From Page');
		const part = await readFrom(slicing(250_001, 100), { lastCheck, skip: 250_000, most: 100 });
		expect(part.pages).toStrictEqual(pages(250_000, 250_001));
	});

	it('is no failure when no more pages are wanted than are read', async () => {
		const result = await endless(250_000);
		expect(result.pages).toHaveLength(250_000);
		expect(result.failure).toBeUndefined();
	});
});

describe('the last check the job', () => {
	it.each([
		['one page and no more', { data: [page(0)], completed: 1 }],
		['no page at all', { data: [], completed: 0 }],
		['all pages, since the server ignores limit', { data: pages(0, 6), completed: 6 }],
		['pages without a count', { data: pages(0, 2) }],
		['pages without a count and no next', { data: pages(0, 6), next: null }],
	])('with %s is all that is needed', async (_name, lastCheck) => {
		const { seen, pages: read } = await readFrom(slicing(0, 100), { lastCheck });
		expect(seen).toEqual([]);
		expect(read).toEqual(lastCheck.data);
	});

	it.each([
		['one of several pages', { data: [page(0)], completed: 3, next: `${BASE_URL}/x?skip=1` }],
		['one of several pages, and no next', { data: [page(0)], completed: 3 }],
		['a page without a count', { data: [page(0)] }],
		['pages without a count and a next', { data: pages(0, 2), next: `${BASE_URL}/x?skip=2` }],
		['no list', { completed: 3 }],
	])('with %s is not used', async (_name, lastCheck) => {
		const { seen, pages: read } = await readFrom(slicing(3, 100), { lastCheck });
		expect(seen).toHaveLength(1);
		expect(read).toEqual(pages(0, 3));
	});
});

it('a last check that counts one page and has a next is not gone on from, one page a time', async () => {
	const next = `${BASE_URL}/x?skip=1&limit=1`;
	const lastCheck = { data: [page(0)], completed: 1, next };
	const { seen, pages: read } = await readFrom(slicing(300, 100), { lastCheck });
	expect(seen).toHaveLength(3);
	expect(read).toEqual(pages(0, 300));
});

it('does not ask again for what a next leads back to', async () => {
	const { seen } = await readFrom(() => ({
		body: { data: pages(0, 2), next: `${BASE_URL}/x?skip=0` },
	}));
	expect(seen).toHaveLength(1);
});

it('gives a page once whose text has changed between two slices', async () => {
	const { pages: read } = await readFrom((_options, count) => ({
		body: {
			data: [{ ...page(0), markdown: `Version ${count}` }],
			next: `${BASE_URL}/x?skip=${count}`,
		},
	}));
	expect(read.map(({ markdown }) => markdown)).toEqual(['Version 1']);
});

it('loses no page when a server leaves the ids empty', async () => {
	const data = ['one', 'two'].map((markdown) => ({ markdown, metadata: { scrapeId: '' } }));
	expect((await readFrom(() => ({ body: { data } }))).pages).toEqual(data);
});
