import { createHash } from 'node:crypto';

import { isJsonObject } from '../http/answer';
import type { JsonObject } from '../http/transport';

/** Some pages of a job, and where each stands among all of them in the service's order, from 1. */
export interface Slice {
	pages: JsonObject[];
	numbers: number[];
	/** The last place that was gone over, which may have no page, or one that was there before. */
	reached: number;
	/** Whether there is a page behind it; undefined where that was not checked. */
	hasMore?: boolean;
}

/** The places of one slice among all pages of a job. */
interface Places {
	/** How many are before it. */
	before: number;
	/** How many there are up to the next slice, as the link there says. */
	end: number;
	/** Most pages that are still wanted. */
	left: number;
}

/** Remembers which pages were seen, without keeping them. */
export class PageDeduplicator {
	private readonly seen = new Set<string>();

	/** The number of the last page that was taken. */
	private last = 0;

	/** Pages at the first `skip` places are not wanted. */
	constructor(private readonly skip: number) {}

	/**
	 * Takes those that were not there before and are wanted. A slice that was checked to its end reaches
	 * up to the next one: servers leave pages out that are gone, and count their places all the same.
	 */
	add(data: unknown[], { before, end, left }: Places): Slice {
		const slice: Slice = { pages: [], numbers: [], reached: before };
		for (const [index, page] of data.entries()) {
			if (slice.pages.length >= left) {
				return { ...slice, hasMore: this.isNewIn(data.slice(index)) };
			}
			const place = before + index + 1;
			slice.reached = place;
			if (!isJsonObject(page)) continue;
			const identity = identityOf(page);
			if (this.seen.has(identity)) continue;
			this.seen.add(identity);
			if (place <= this.skip) continue;
			// Slices that overlap count some places again.
			this.last = Math.max(place, this.last + 1);
			slice.pages.push(page);
			slice.numbers.push(this.last);
		}
		slice.reached = Math.max(slice.reached, end);
		return slice;
	}

	/** Whether there is a page among them that was not there before. */
	isNewIn(data: unknown[]): boolean {
		return data.some((page) => isJsonObject(page) && !this.seen.has(identityOf(page)));
	}
}

/**
 * What tells a page from all others: each scrape has an id of its own, and the same id may come again
 * with another URL when a page is served from the cache. Without an id the whole page counts. As half a digest,
 * a byte a letter: of a large job there are a hundred thousand at a time.
 */
export function identityOf(page: JsonObject): string {
	const { scrapeId, sourceURL, url } = isJsonObject(page.metadata) ? page.metadata : {};
	const hasId = typeof scrapeId === 'string' && scrapeId !== '';
	const told = JSON.stringify(hasId ? [scrapeId, sourceURL, url] : page);
	return createHash('sha256').update(told).digest().toString('latin1', 0, 16);
}
