import fc from 'fast-check';

import type { PagesParts } from '../../nodes/service/results/pagePaginator';
import { page, pages, readFrom, slicing } from './pagesService.ts';
import type { Answering } from './pagesService.ts';

/** A server that leaves gone pages out of its lists; its links count their places all the same. */
function leavingOut(count: number, gone: readonly number[], size = 100): Answering {
	return ({ query = {} }) => {
		const skip = Number(query.skip ?? 0);
		const end = Math.min(count, skip + Math.min(size, Number(query.limit ?? size)));
		const limit = query.limit === undefined ? '' : `&limit=${String(query.limit)}`;
		const data = pages(skip, Math.max(skip, end)).filter((_page, at) => !gone.includes(skip + at));
		const next = end < count && { next: `https://x.example/?skip=${end}${limit}` };
		return { body: { success: true, completed: count, ...next, data } };
	};
}

const there = (from: number, to: number, gone: readonly number[]) =>
	pages(from, to).filter((_page, at) => !gone.includes(from + at));

const read = async (answering: Answering, parts: Partial<PagesParts>) => {
	const result = await readFrom(answering, parts);
	expect(result.failure).toBeUndefined();
	return { ...result, queries: result.seen.map((one) => one.query) };
};

describe('where a server leaves gone pages out and counts their places', () => {
	it('all parts together give each page once, whatever the sizes', async () => {
		const sizes = fc
			.record({
				count: fc.integer({ min: 1, max: 60 }),
				size: fc.integer({ min: 1, max: 30 }),
				most: fc.integer({ min: 1, max: 70 }),
				places: fc.uniqueArray(fc.nat(59), { maxLength: 20 }),
			})
			.map(({ places, ...others }) => ({ ...others, gone: places }));
		await fc.assert(
			fc.asyncProperty(sizes, async ({ count, size, most, gone }) => {
				const all: unknown[] = [];
				const numbers: number[] = [];
				let skip = 0;
				for (let rounds = 0; skip < count; rounds++) {
					expect(rounds).toBeLessThanOrEqual(count);
					const part = await read(leavingOut(count, gone, size), { skip, most, counted: count });
					if (part.pages.length === 0) break;
					all.push(...part.pages);
					numbers.push(...part.numbers);
					expect(part.reached).toBeGreaterThan(skip);
					skip = part.reached ?? 0;
				}
				expect(all).toStrictEqual(there(0, count, gone));
				expect(numbers).toStrictEqual([...new Set(numbers)].sort((a, b) => a - b));
			}),
			{ numRuns: 200 },
		);
	});

	it('a part goes over the places that it has checked, and asks for no more of them than it needs', async () => {
		const part = await read(leavingOut(300, [5, 13]), { most: 13, counted: 300 });
		expect(part.pages).toStrictEqual(there(0, 15, [5, 13]));
		expect(part.queries).toEqual([
			{ limit: 13 },
			{ skip: '13', limit: 1 },
			{ skip: '14', limit: '1' },
		]);
		expect(part.reached).toBe(15);
	});

	it('the end is told by one more check the places that are left', async () => {
		const gone = [290];
		const asked = { skip: 280, most: 40, counted: 300 };
		const part = await read(leavingOut(300, gone), asked);
		expect(part.pages).toStrictEqual(there(280, 300, gone));
		expect(part.reached).toBe(300);
		expect(part.queries).toEqual([
			{ skip: 280, limit: 40 },
			{ skip: 299, limit: 21 },
		]);
		const last = await read(leavingOut(300, [299]), asked);
		expect(last.pages).toStrictEqual(pages(280, 299));
		expect(last.reached).toBe(300);
	});

	it('a job that is read at once is not checked again', async () => {
		const { seen } = await read(leavingOut(300, [290]), { counted: 300 });
		expect(seen).toHaveLength(3);
	});

	it('slices without any page are gone over, also where the job is read at once', async () => {
		const gone = Array.from({ length: 150 }, (_unused, index) => index);
		const part = await read(leavingOut(300, gone), { counted: 300 });
		expect(part.pages).toStrictEqual(pages(150, 300));
		// Whoever is given one knows that there is a page.
		expect(part.slices.map(({ length }) => length)).toEqual([50, 100]);
	});

	it('a slice without any page between two others tells how far it reaches', async () => {
		const gone = Array.from({ length: 100 }, (_unused, index) => 100 + index);
		const part = await read(leavingOut(300, gone), { counted: 300 });
		expect(part.slices.map(({ length }) => length)).toEqual([100, 0, 100]);
	});
});

describe('a part of a job', () => {
	it('goes on where the check the places that are left brings pages', async () => {
		// The link is missing once.
		const answering: Answering = (options, count) =>
			count === 1 ? { body: { data: pages(0, 10) } } : slicing(30, 10)(options, count);
		const part = await read(answering, { most: 50, counted: 30 });
		expect(part.pages).toStrictEqual(pages(0, 30));
		expect(part.numbers).toStrictEqual(pages(0, 30).map((_page, index) => index + 1));
		expect(part.seen).toHaveLength(3);
	});

	it('takes one more check only, where a server reads no skip', async () => {
		const data = pages(0, 19);
		const part = await read(() => ({ body: { data } }), { most: 50, counted: 20 });
		expect(part.pages).toStrictEqual(data);
		expect(part.reached).toBe(20);
		expect(part.seen).toHaveLength(2);
	});

	it.each([
		['stays where it is', () => 5],
		['goes on for ever', (count: number) => 5 * count],
		['goes beyond all that is counted', () => 1_000_000],
	])('ends where all is empty and the link %s', async (_what, to) => {
		const answering: Answering = (_options, count) => ({
			body: { data: count === 1 ? pages(0, 5) : [], next: `https://x.example/?skip=${to(count)}` },
		});
		const { seen, pages: found } = await read(answering, { most: 50, counted: 1e9 });
		expect(found).toStrictEqual(pages(0, 5));
		expect(seen.length).toBeLessThanOrEqual(102);
	});

	it('keeps to the limit of a link that asks for less', async () => {
		const answering: Answering = (options, count) =>
			count === 1
				? { body: { data: pages(0, 5), next: 'https://x.example/?skip=5&limit=7' } }
				: slicing(20, 100)(options, count);
		const { queries } = await read(answering, { most: 50 });
		expect(queries[1]).toEqual({ skip: '5', limit: '7' });
	});

	it('has a number of its own for each page where slices overlap', async () => {
		const answering: Answering = (_options, count) => ({
			body:
				count === 1
					? { data: pages(0, 5), next: 'https://x.example/?skip=3' }
					: { data: [page(7), page(8), page(9)] },
		});
		const { numbers } = await read(answering, { most: 50 });
		expect(numbers).toStrictEqual([1, 2, 3, 4, 5, 6, 7, 8]);
	});
});
