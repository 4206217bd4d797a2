import { executionPages, type PageQuery } from '../../n8n/execution-pages';

const rows = Array.from({ length: 230 }, (_, place) => ({ id: String(230 - place) }));
const below = (id: unknown) =>
	rows.filter((row) => id === undefined || Number(row.id) < Number(id));

/** n8n 2.41: at most 100 at once, pages by a cursor, null at the end (parse-range-query.middleware.js). */
function byCursor({ limit, cursor, ...more }: PageQuery): Promise<unknown> {
	if (Number(limit) > 100) throw new Error('Execution limit must be between 1 and 100');
	if (Object.keys(more).length > 0) throw new Error('Use cursor to load execution pages.');
	const results = below(cursor).slice(0, Number(limit));
	const last = results.at(-1);
	const isLast = last === undefined || last.id === '1';
	return Promise.resolve({ results, count: rows.length, nextCursor: isLast ? null : last.id });
}

/** n8n 2.40 and 1.123: pages by the last ID; what runs now stands before every page. */
function byLastId({ limit, lastId }: PageQuery): Promise<unknown> {
	const running = { id: '231' };
	const results = [running, ...below(lastId).slice(0, Number(limit))];
	return Promise.resolve({ results, count: rows.length });
}

const ids = (found: unknown[]): unknown[] => found.map((row) => (row as { id: string }).id);
const all = rows.map(({ id }) => id);

describe('executionPages', () => {
	it('reads all of a list of more than one page, each once, of n8n 2.41', async () => {
		expect(ids(await executionPages(byCursor, 250))).toEqual(all);
	});

	it('does so of older lines, which show what runs on every page', async () => {
		expect(ids(await executionPages(byLastId, 250))).toEqual(['231', ...all]);
	});

	it.each([byCursor, byLastId])('stops at the limit (%p)', async (ask) => {
		expect(await executionPages(ask, 120)).toHaveLength(120);
	});

	it('takes an empty list for one', async () => {
		expect(await executionPages(() => Promise.resolve({ results: [] }), 100)).toEqual([]);
	});
});
