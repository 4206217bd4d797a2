import { z } from 'zod';

/** n8n 2.41 refuses to give more at once; older lines give as many as they are asked for. */
const PAGE = 100;

/** What n8n's list of executions is asked for: `cursor` is known to n8n 2.41 only, `lastId` to older ones. */
interface PageQuery {
	limit: string;
	cursor?: string;
	lastId?: string;
}

const row = z.object({ id: z.coerce.string() }).passthrough();
const page = z.object({ results: z.array(row), nextCursor: z.string().nullish() });

/**
 * The newest executions, at most `limit`, each once.
 *
 * @param ask gives one page, `{ results, nextCursor }`; older lines have no `nextCursor` and put what is
 * running now on every page
 */
export async function executionPages(ask: (query: PageQuery) => Promise<unknown>, limit: number): Promise<unknown[]> {
	const found = new Map<string, unknown>();
	let position: Omit<PageQuery, 'limit'> = {};
	while (found.size < limit) {
		const { results, nextCursor } = page.parse(
			await ask({ limit: String(Math.min(PAGE, limit - found.size)), ...position }),
		);
		const before = found.size;
		for (const one of results) found.set(one.id, one);
		const last = results.at(-1);
		if (last === undefined || found.size === before || nextCursor === null) break;
		position = nextCursor === undefined ? { lastId: last.id } : { cursor: nextCursor };
	}
	return [...found.values()].slice(0, limit);
}
