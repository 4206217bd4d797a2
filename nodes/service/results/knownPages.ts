import { createHash } from 'node:crypto';

import { isJsonObject } from '../http/answer';
import type { JsonObject } from '../http/transport';

/** Some pages of a job, and where each stands among all of them in the service's order, from 1. */
export interface Slice {
	pages: JsonObject[];
	numbers: number[];
	/** The last place that was looked at, which may have no page, or one that was there before. */
	reached: number;
}

/** Remembers which pages were seen, without keeping them. */
export class KnownPages {
	private readonly seen = new Set<string>();

	/** Takes those that were not there before and are wanted: after `skip` pages, `left` at most. */
	add(data: unknown[], { before, skip, left }: Record<'before' | 'skip' | 'left', number>): Slice {
		const slice: Slice = { pages: [], numbers: [], reached: before };
		for (const [index, page] of data.entries()) {
			if (slice.pages.length >= left) break;
			const number = before + index + 1;
			slice.reached = number;
			if (!isJsonObject(page)) continue;
			const identity = identityOf(page);
			if (this.seen.has(identity)) continue;
			this.seen.add(identity);
			if (number <= skip) continue;
			slice.pages.push(page);
			slice.numbers.push(number);
		}
		return slice;
	}
}

/**
 * What tells a page from all others: each scrape has an id of its own, and the same id may come again
 * with another URL when a page is served from the cache. Without an id the whole page counts.
 */
export function identityOf(page: JsonObject): string {
	const { scrapeId, sourceURL, url } = isJsonObject(page.metadata) ? page.metadata : {};
	if (typeof scrapeId === 'string' && scrapeId !== '') {
		return JSON.stringify([scrapeId, sourceURL, url]);
	}
	return createHash('sha256').update(JSON.stringify(page)).digest('base64');
}
