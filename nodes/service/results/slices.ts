import { ServiceFailure } from '../http/failure';
import type { Slice } from './pageDeduplicator';
import { MAX_PAGES, PagePaginator } from './pagePaginator';
import type { PagesParts } from './pagePaginator';

export type { Slice };

/**
 * The pages of a job, slice by slice: complete, in the service's order, none twice. No slice is asked
 * for that is not needed, none is kept. One without a page may follow others: it tells how far they reach.
 *
 * Ends when `next` is missing, a slice is empty (docs/service-notes.md#parts-of-a-result), or a slice brings
 * nothing new: servers may ignore `skip` and answer with the first slice again (recording crawl-08b). Pages
 * that are gone have their places, which the service counts but leaves out of its lists: an empty slice is gone
 * over where its link moves on to places that are counted, and where a part of a job ends before the last of
 * them, one more check tells whether there is a page. Each slice is tried again like every read. Throws a
 * ServiceFailure when one cannot be had, when `next` is no link, and when the execution is stopped.
 */
export async function* readSlices(parts: PagesParts): AsyncGenerator<Slice, void> {
	const { client, lastCheck, most = Infinity } = parts;
	if (most <= 0) return;
	// Nobody waits an hour to be told what is known at once.
	if (most > MAX_PAGES && Number(lastCheck?.completed) > MAX_PAGES) throw tooMany(client.baseUrl);
	const walk = new PagePaginator(parts);
	for (;;) {
		const { slice, gives, isLast } = await walk.step();
		const isFull = !walk.isWanted;
		if (isFull) slice.hasMore = await walk.hasMoreBehind(slice);
		if (gives) yield slice;
		if (isLast) return;
		if (isFull) break;
	}
	if (most > MAX_PAGES) throw tooMany(client.baseUrl);
}

function tooMany(baseUrl: string): ServiceFailure {
	return new ServiceFailure({
		kind: 'tooLarge',
		reached: 'maybe',
		message: `${baseUrl} has more than ${MAX_PAGES} pages for one job, too many to be read at once: read them in parts, with Limit and From Page.`,
	});
}
