import fc from 'fast-check';

import type { PagesParts } from '../../nodes/service/results/pagePaginator';
import { page, pages, readFrom, slicing } from './pagesService.ts';
import type { Answering } from './pagesService.ts';

const numbered = (from: number, to: number) =>
	Array.from({ length: to - from }, (_unused, index) => from + index + 1);

/** A check of the job that asks for one page, and a server that reads no `skip`. */
const LOOK = { status: 'completed', completed: 20, next: 'more', data: [page(0)] };
const always =
	(data: unknown, more = {}): Answering =>
	() => ({ body: { success: true, data, ...more } });

/** The same page again and again, with links that go on. */
const forEver: Answering = ({ query = {} }) => {
	const next = `https://x.example/?skip=${Number(query.skip ?? 0) + 1}`;
	return { body: { data: [page(0)], next } };
};

const read = async (answering: Answering, parts: Partial<PagesParts>) => {
	const result = await readFrom(answering, parts);
	expect(result.failure).toBeUndefined();
	return {
		pages: result.pages,
		slices: result.slices,
		numbers: result.numbers,
		queries: result.seen.map((one) => one.query),
	};
};

describe('a part of a job', () => {
	it('begins after the pages that are skipped, each with its number, whatever the sizes', async () => {
		const sizes = fc.record({
			total: fc.integer({ min: 0, max: 40 }),
			size: fc.integer({ min: 1, max: 12 }),
			skip: fc.integer({ min: 0, max: 45 }),
			most: fc.integer({ min: 1, max: 45 }),
		});
		await fc.assert(
			fc.asyncProperty(sizes, async ({ total, size, skip, most }) => {
				const part = await read(slicing(total, size), { skip, most });
				const to = Math.min(total, skip + most);
				expect(part.pages).toStrictEqual(pages(skip, Math.max(skip, to)));
				expect(part.numbers).toStrictEqual(numbered(skip, Math.max(skip, to)));
			}),
			{ numRuns: 60 },
		);
	});

	it('is asked for from its beginning, and not before', async () => {
		const { queries } = await read(slicing(500, 100), { skip: 250, most: 150 });
		expect(queries.map((query) => query?.skip)).toStrictEqual([250, '350']);
		expect((await read(slicing(3, 100), {})).queries).toStrictEqual([undefined]);
	});

	it('is taken from all pages where a server reads no skip and starts over', async () => {
		const part = await read(always(pages(0, 20)), { skip: 12, most: 5, lastCheck: LOOK });
		expect(part.pages).toStrictEqual(pages(12, 17));
		expect(part.numbers).toStrictEqual(numbered(12, 17));
	});

	it('is taken from the last check where that has all pages', async () => {
		const lastCheck = { status: 'completed', completed: 20, data: pages(0, 20) };
		const part = await read(always([]), { skip: 12, lastCheck });
		expect(part.numbers).toStrictEqual(numbered(12, 20));
		expect(part.queries).toHaveLength(0);
	});

	it('does not take the pages of a server that reads skip for the first ones', async () => {
		const part = await read(slicing(20, 100), { skip: 12, lastCheck: LOOK });
		expect(part.numbers).toStrictEqual(numbered(12, 20));
		const odd = { ...LOOK, data: 'none' };
		expect((await read(slicing(20, 100), { skip: 12, lastCheck: odd })).numbers).toStrictEqual(
			numbered(12, 20),
		);
	});

	it('that begins with the same page as the job is there where its server reads skip', async () => {
		const all = [...pages(0, 10), page(0), ...pages(11, 30)];
		const serving: Answering = ({ query = {} }) => {
			const skip = Number(query.skip ?? 0);
			const end = Math.min(30, skip + Number(query.limit ?? 100));
			const link = end < 30 && { next: `https://x.example/?skip=${end}` };
			return { body: { completed: 30, data: all.slice(skip, end), ...link } };
		};
		const look = { lastCheck: { ...LOOK, completed: 30 }, counted: 30 };
		const part = await read(serving, { ...look, skip: 10, most: 10 });
		expect(part.numbers).toStrictEqual(numbered(10, 20));
		const last = await read(serving, { ...look, skip: 10 });
		expect(last.numbers).toStrictEqual(numbered(10, 30));
		// A check that has more than was asked for.
		const seen = { status: 'completed', completed: 30, next: 'more', data: pages(0, 3) };
		const shown = await read(serving, { skip: 10, most: 5, lastCheck: seen });
		expect(shown.numbers).toStrictEqual(numbered(10, 15));
		expect(shown.queries).toHaveLength(1);
	});

	it('counts on where a later slice begins with the first page of the job', async () => {
		const serving: Answering = ({ query = {} }) => {
			const isFirst = query.skip === undefined;
			const link = isFirst && { next: 'https://x.example/?skip=10' };
			return { body: { data: isFirst ? pages(0, 10) : [page(0), ...pages(11, 20)], ...link } };
		};
		const part = await read(serving, { lastCheck: LOOK });
		expect(part.numbers).toStrictEqual([...numbered(0, 10), ...numbered(11, 20)]);
	});

	it('is taken from all pages where as many of them are gone as are skipped', async () => {
		const data = [...pages(0, 5), null, ...pages(6, 18)];
		const lastCheck = { status: 'completed', completed: 20, next: 'more', data };
		const part = await read(always(data, { completed: 20 }), { skip: 2, lastCheck, counted: 20 });
		expect(part.pages).toStrictEqual([...pages(2, 5), ...pages(6, 18)]);
	});

	it('goes on behind slices that hold skipped pages only', async () => {
		const whole = slicing(20, 5);
		// The first answer ignores `skip`, the links of the next ones are kept to.
		const answering: Answering = (options, count) =>
			count === 1 ? whole({ ...options, query: {} }, 1) : whole(options, count);
		const part = await read(answering, { skip: 12, lastCheck: LOOK });
		expect(part.pages).toStrictEqual(pages(12, 20));
		expect(part.numbers).toStrictEqual(numbered(12, 20));
	});

	it('counts by the link where that skips more or fewer pages than came', async () => {
		const by =
			(slices: Record<string, [number, number, number?]>): Answering =>
			(options) => {
				const [from, to, next] = slices[String(options.query?.skip ?? 0)] ?? [0, 0];
				const link = next === undefined ? {} : { next: `https://x.example/?skip=${next}` };
				return { body: { success: true, data: pages(from, to), ...link } };
			};
		const more = await read(by({ 0: [0, 5, 7], 7: [7, 10] }), {});
		expect(more.numbers).toStrictEqual([1, 2, 3, 4, 5, 8, 9, 10]);
		const fewer = await read(by({ 0: [0, 5, 3], 3: [3, 8, 8], 8: [8, 10] }), {});
		expect(fewer.pages).toStrictEqual(pages(0, 10));
		expect(fewer.numbers).toStrictEqual(numbered(0, 10));
	});

	it('goes on behind a slice of which all pages were there before', async () => {
		const serving: Answering = ({ query = {} }) => {
			const skip = Number(query.skip ?? 0);
			const link = skip < 5 && { next: `https://x.example/?skip=${skip + 1}` };
			return { body: { completed: 6, data: [page(Math.floor(skip / 2))], ...link } };
		};
		const part = await read(serving, { counted: 6 });
		expect(part.pages).toStrictEqual(pages(0, 3));
		expect(part.slices.map(({ length }) => length)).toEqual([1, 1, 1]);
	});

	it('ends where a server gives the same page for ever', async () => {
		expect((await read(forEver, { counted: 1e9 })).queries).toHaveLength(101);
		expect((await read(forEver, {})).queries).toHaveLength(2);
	});

	it('beyond the end is empty', async () => {
		const part = await read(slicing(20, 5), { skip: 20 });
		expect(part.pages).toStrictEqual([]);
		expect(part.queries).toHaveLength(1);
	});
});

describe('pages that break off', () => {
	const breaks = async (answering: Answering, parts: Partial<PagesParts> = {}) => {
		let times = 0;
		const { pages: found } = await read(answering, { ...parts, onBrokenOff: () => (times += 1) });
		return { times, found };
	};
	const next = 'https://service.example/v2/crawl/job-1?skip=5';

	it('are told where a slice behind a link is empty', async () => {
		const broken: Answering = (_options, count) =>
			count === 1 ? { body: { data: pages(0, 5), next } } : { body: { data: [] } };
		expect(await breaks(broken)).toEqual({ times: 1, found: pages(0, 5) });
		const withoutWord = await read(broken, {});
		expect(withoutWord.slices).toStrictEqual([pages(0, 5)]);
	});

	it('are told by the count alone, where that is not too low', async () => {
		const broken: Answering = (_options, count) =>
			count === 1 ? { body: { data: pages(0, 5), next } } : { body: { data: [] } };
		expect((await breaks(broken, { counted: 5 })).times).toBe(0);
		expect((await breaks(broken, { counted: 9 })).times).toBe(0);
		expect((await breaks(broken, { counted: 4 })).times).toBe(1);
	});

	it.each([[[]], [null], [undefined]])('are not where the first slice is %j', async (data) => {
		expect(await breaks(always(data))).toEqual({ times: 0, found: [] });
	});

	it('are not where a server gives the same page for ever', async () => {
		expect(await breaks(forEver)).toEqual({ times: 0, found: [page(0)] });
	});

	it('are not where gone pages are gone over', async () => {
		const gone: Answering = ({ query = {} }) => {
			const skip = Number(query.skip ?? 0);
			const link = skip < 20 && { next: `https://x.example/?skip=${skip + 10}` };
			return { body: { data: skip === 10 ? [] : pages(skip, skip + 10), ...link } };
		};
		const { times, found } = await breaks(gone, { counted: 30 });
		expect([times, found.length]).toEqual([0, 20]);
	});

	it('are not where all slices are there', async () => {
		expect(await breaks(slicing(20, 5))).toEqual({ times: 0, found: pages(0, 20) });
	});
});

it('an element that is no page is left out', async () => {
	const { pages: found } = await read(always([page(0), null, 'x', 7]), {});
	expect(found).toStrictEqual([page(0)]);
});
