import { contentHash, visibleLines } from '../../../text/contentHash';
import type { Pause } from '../../../text/linePatterns';
import type { PageError } from '../../../service/results/pageErrors';
import type { JsonObject } from '../../../service/http/transport';
import { addressOfPage, httpErrorOf, sourceUrlOf } from '../../operation/webPage';
import type { ChangesAsked } from './changesAsked';
import { markedPage, NOT_COMPARABLE, pageKey, sourceOf, withoutSpaces } from './pageMark';
import type { MarkedPage, MarkedPages } from './pageMark';

/** What a page is, beside the last run. `unknown`: nothing to compare, or no room to remember it. */
export type PageChange = 'new' | 'changed' | 'gone' | 'unchanged' | 'failed' | 'unknown';

/** How the reading of a job has ended, for what a page that is not there means. */
export interface JobRead {
	/** True where the job ended well and all pages that the service counts were read. */
	isWhole: boolean;
	/** Pages that were read and that failed. */
	pages: number;
	/** Undefined where it is not known which pages failed. */
	failures: readonly PageError[] | undefined;
	/** Asked last: true where the service may have ended the crawl before it was through. */
	mayBeCut(limit: number): Promise<boolean>;
}

/** HTTP statuses by which a site says itself that there is no such page. */
const GONE = [404, 410];

/** Pages that are compared before others in the process have their turn. */
const PAGES_BETWEEN_PAUSES = 20;

/** The pages of one job beside those of the last run. */
export class PageChanges {
	readonly counts: Record<PageChange, number> = {
		...{ new: 0, changed: 0, gone: 0, unchanged: 0, failed: 0, unknown: 0 },
	};

	/** Characters of content that was left out. */
	savedCharacters = 0;

	/** Why absent pages are not called gone: `the crawl stopped at its limit`; undefined where they are. */
	noProof: string | undefined;

	private readonly found = new Map<string, MarkedPage>();

	private readonly gone = new Set<string>();

	private readonly failed = new Set<string>();

	/** `base`: the pages of the last run; undefined where there is none. `room`: most pages to remember. */
	constructor(
		readonly asks: ChangesAsked,
		readonly base: MarkedPages | undefined,
		private readonly room: number,
		private readonly pause: Pause,
	) {}

	/** How many pages are put out so far. */
	get written(): number {
		const { new: added, changed, gone, unknown } = this.counts;
		return added + changed + gone + unknown;
	}

	/** All of the pages, each with what it is in `change`. */
	async judge(pages: readonly JsonObject[]): Promise<JsonObject[]> {
		const judged: JsonObject[] = [];
		for (const page of pages) {
			judged.push(await this.judgePage(page));
			if (judged.length % PAGES_BETWEEN_PAUSES === 0) await this.pause();
		}
		return judged;
	}

	private async judgePage(page: JsonObject): Promise<JsonObject> {
		const [url, source] = [addressOfPage(page), sourceUrlOf(page)];
		const key = pageKey(source);
		const known = this.base?.get(key);
		const status = httpErrorOf(page);
		if (status !== undefined && GONE.includes(status)) {
			// A near address that is not there says nothing of the page.
			if (!known || sourceOf(known) !== withoutSpaces(source)) return this.tell('failed', page);
			this.gone.add(key);
			return this.tell('gone', gonePage({ ...known, source }, status));
		}
		if (status !== undefined || (typeof page.error === 'string' && page.error !== '')) {
			this.failed.add(key);
			return this.tell('failed', page);
		}
		const lines = source === '' ? undefined : visibleLines(page);
		const hash = lines && (await contentHash(lines, this.asks.ignored, this.pause));
		if (hash === undefined) {
			// What cannot be compared has not gone.
			this.failed.add(key);
			return this.tell('unknown', page);
		}
		const marked = markedPage(url, source, hash);
		const isNew = known === undefined && !this.found.has(key);
		if (isNew && (this.base?.size ?? 0) + this.counts.new >= this.room) {
			return this.tell('unknown', { ...page, contentHash: hash });
		}
		this.found.set(key, marked);
		if (known?.hash === marked.hash) {
			this.savedCharacters += lines?.reduce((sum, line) => sum + line.length, 0) ?? 0;
			return this.tell('unchanged', page);
		}
		const isComparable = known !== undefined && known.hash !== NOT_COMPARABLE;
		return this.tell(isComparable ? 'changed' : 'new', { ...page, contentHash: hash });
	}

	/**
	 * Pages of the last run that the job has not found, to be called when all of its pages were read. A page that
	 * failed is not gone, nor are those that are linked on it: they are not looked for without it.
	 */
	async absent(read: JobRead): Promise<JsonObject[]> {
		for (const { url } of read.failures ?? []) this.failed.add(pageKey(url));
		if (this.asks.limit === undefined || !this.base) return [];
		const isKnown = (key: string) => this.base?.has(key) === true;
		const absent = [...this.base].filter(([key]) => {
			return !this.found.has(key) && !this.gone.has(key) && !this.failed.has(key);
		});
		if (absent.length === 0) return [];
		this.noProof = whyNoProof(read, this.asks.limit, [...this.failed].some(isKnown));
		if (this.noProof === undefined && (await read.mayBeCut(this.asks.limit))) {
			this.noProof =
				'fewer credits were left than Page Limit needs, and Firecrawl may have stopped early';
		}
		if (this.noProof !== undefined) return [];
		for (const [key] of absent) this.gone.add(key);
		return absent.map(([, page]) => this.tell('gone', gonePage(page)));
	}

	/** What is remembered after this job: pages that failed, and those that nothing is known of, as before. */
	get after(): MarkedPages {
		const after = new Map(this.base);
		for (const key of this.gone) after.delete(key);
		for (const [key, page] of this.found) after.set(key, page);
		return after;
	}

	private tell(change: PageChange, page: JsonObject): JsonObject {
		this.counts[change] += 1;
		return { ...page, change };
	}
}

/** False for a page that is as it was, and for one that failed. */
export function isGivenOut({ change }: Readonly<Record<string, unknown>>): boolean {
	return change !== 'unchanged' && change !== 'failed';
}

/** A page that is gone: its address, and how that is known. */
function gonePage({ url, source }: MarkedPage, statusCode?: number): JsonObject {
	return { metadata: { url, sourceURL: source ?? url, ...(statusCode && { statusCode }) } };
}

function whyNoProof(
	{ isWhole, pages, failures }: JobRead,
	limit: number,
	hasKnownFailed: boolean,
): string | undefined {
	if (!isWhole) return 'not all pages of the crawl were read';
	if (failures === undefined) return 'the list of failed pages could not be read';
	if (pages + failures.length >= limit) return 'the crawl reached its Page Limit';
	if (hasKnownFailed || failures.some(({ url }) => url === '')) {
		return 'failed pages may link to them';
	}
	return undefined;
}
