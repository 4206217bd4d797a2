import { addressKey } from '../../../text/addressKey';
import { contentHash, visibleLines } from '../../../text/contentHash';
import type { Pause } from '../../../service/http/time';
import type { PageError } from '../../../service/results/pageErrors';
import { isJsonObject } from '../../../service/http/answer';
import type { JsonObject } from '../../../service/http/transport';
import { addressOfPage, httpErrorOf, sourceUrlOf } from '../../operation/webPage';
import type { ChangesAsked } from './changesAsked';
import {
	longestUnseen,
	markedPage,
	NOT_COMPARABLE,
	sizeOf,
	sourceOf,
	withoutSpaces,
} from './pageMark';
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

/** What is remembered of what was asked for. */
export interface ChangesBase {
	pages: MarkedPages;
	/** Since when runs have found less than half of the pages, in milliseconds since 1970. */
	doubtedSince?: number | undefined;
}

/** HTTP statuses by which a site says itself that there is no such page. */
const GONE = [404, 410];

/** Complete and plausible runs in a row that must not have a page. */
const RUNS_WITHOUT = 2;

/** A run that finds less of the known pages is that of a site that is closed for a while. */
const LEAST_FOUND = 0.5;

/** A site that stays so small for so long has become small. */
const DOUBTED_MS = 7 * 24 * 60 * 60 * 1000;

/** To count what is left takes a while. */
const FORGOTTEN_AT_ONCE = 200;

/** Pages that are compared before others in the process have their turn. */
const PAGES_BETWEEN_PAUSES = 20;

/** The pages of one job beside those of the last run. */
export class PageChanges {
	readonly counts: Record<PageChange, number> = {
		...{ new: 0, changed: 0, gone: 0, unchanged: 0, failed: 0, unknown: 0 },
	};

	/** Characters of content that was left out. */
	savedCharacters = 0;

	/** Why absent pages prove nothing: `the crawl stopped at its limit`; undefined where they do. */
	noProof: string | undefined;

	/** Pages that were not found, and may be gone. */
	held = 0;

	doubtedSince: number | undefined;

	private readonly found = new Map<string, MarkedPage>();

	private readonly gone = new Set<string>();

	private readonly failed = new Set<string>();

	/** What is remembered beside what was found: of pages that were not found for longest, none where room is short. */
	private readonly kept: Map<string, MarkedPage>;

	private readonly oldest: string[];

	/** Keys of the pages by the very addresses that they were asked for by and put out under. */
	private readonly keyOfAddress: ReadonlyMap<string, string>;

	/** About how many characters both take; counted when it is first needed. */
	private size = Number.POSITIVE_INFINITY;

	/** Whether `size` is counted, not estimated: an address shares its beginning with its neighbours. */
	private isCounted = false;

	/** Pages that were found and were not known. */
	private added = 0;

	private hasCounted = false;

	/** `base`: what is remembered; undefined where there is nothing. `room`: what there is room for. */
	constructor(
		readonly asks: ChangesAsked,
		readonly base: ChangesBase | undefined,
		private readonly room: { pages: number; characters: number },
		private readonly pause: Pause,
		private readonly now: () => number,
	) {
		this.kept = new Map(base?.pages);
		this.oldest = longestUnseen(this.kept);
		const pages = [...this.kept];
		this.keyOfAddress = new Map([
			...pages.map(([key, page]) => [sourceOf(page), key] as const),
			...pages.map(([key, { url }]) => [url, key] as const),
		]);
		this.doubtedSince = base?.doubtedSince;
	}

	/** How many pages are put out so far. */
	get written(): number {
		const { new: added, changed, gone, unknown } = this.counts;
		return added + changed + gone + unknown;
	}

	/** All of the pages, each with what it is in `change`. */
	async judge(pages: readonly JsonObject[]): Promise<JsonObject[]> {
		const judged: JsonObject[] = [];
		for (const page of pages) {
			judged.push(this.judgePage(page));
			if (judged.length % PAGES_BETWEEN_PAUSES === 0) await this.pause();
		}
		return judged;
	}

	private judgePage(page: JsonObject): JsonObject {
		const [url, source] = [addressOfPage(page), sourceUrlOf(page)];
		const status = httpErrorOf(page);
		if (status !== undefined && GONE.includes(status))
			return this.tellMissing(page, source, status);
		if (status !== undefined || (typeof page.error === 'string' && page.error !== '')) {
			this.failed.add(addressKey(source));
			return this.tell('failed', page);
		}
		const lines = source === '' ? undefined : visibleLines(page);
		const hash = lines && contentHash(lines, this.asks.ignored);
		const key = addressKey(url === '' ? source : url);
		if (hash === undefined) {
			// What cannot be compared has not gone.
			this.failed.add(key);
			return this.tell('unknown', page);
		}
		const known = this.found.get(key) ?? this.kept.get(key);
		const marked = markedPage(known?.url ?? url, source, hash);
		if (!known && !this.hasRoomFor(marked)) {
			return this.tell('unknown', { ...page, contentHash: hash });
		}
		this.found.set(key, marked);
		if (known?.hash === marked.hash) {
			this.savedCharacters += lines?.reduce((sum, line) => sum + line.length, 0) ?? 0;
			return this.tell('unchanged', page);
		}
		const isComparable = known !== undefined && known.hash !== NOT_COMPARABLE;
		const named = known ? withAddress(page, known.url) : page;
		return this.tell(isComparable ? 'changed' : 'new', { ...named, contentHash: hash });
	}

	/** A page that the site says it does not have: gone, where that is the very address that was put out. */
	private tellMissing(page: JsonObject, source: string, status: number): JsonObject {
		const key = this.keyOfAddress.get(withoutSpaces(source)) ?? '';
		const known = this.kept.get(key);
		// A near address that is not there says nothing of the page.
		if (!known || this.found.has(key)) return this.tell('failed', page);
		this.gone.add(key);
		return this.tell('gone', gonePage(known, status));
	}

	/** Makes room, where there is none, by forgetting what was not found for longest. */
	private hasRoomFor({ url, hash, source = '' }: MarkedPage): boolean {
		const added = url.length + hash.length + source.length + 8;
		while (this.kept.size + this.added >= this.room.pages) {
			if (!this.forgetOldest(1)) return false;
		}
		while (this.size + added > this.room.characters) {
			if (this.isCounted && !this.forgetOldest(FORGOTTEN_AT_ONCE)) return false;
			this.size = sizeOf(this.remembered);
			this.isCounted = true;
		}
		this.size += added;
		this.added += 1;
		this.isCounted = false;
		return true;
	}

	/** Forgets so many of the pages that were not found for longest; false where there is none. */
	private forgetOldest(most: number): boolean {
		let forgotten = 0;
		while (forgotten < most) {
			const key = this.oldest.shift();
			if (key === undefined) break;
			if (!this.found.has(key) && this.kept.delete(key)) forgotten += 1;
		}
		return forgotten > 0;
	}

	/**
	 * Pages of the last run that the job has not found, to be called when all of its pages were read. What a complete
	 * and plausible run does not have twice in a row is gone. A page that failed is not, nor are those that are linked
	 * on it: they are not looked for without it.
	 */
	async absent(read: JobRead): Promise<JsonObject[]> {
		for (const { url } of read.failures ?? []) this.failed.add(addressKey(url));
		if (this.asks.limit === undefined || !this.base) return [];
		const absent = [...this.kept].filter(
			([key, page]) => !this.found.has(key) && !this.gone.has(key) && !this.hasFailed(key, page),
		);
		if (absent.length === 0) {
			this.doubtedSince = undefined;
			return [];
		}
		const hasKnownFailed = [...this.kept].some(([key, page]) => this.hasFailed(key, page));
		this.noProof = whyNoProof(read, this.asks, hasKnownFailed) ?? this.doubt();
		if (this.noProof === undefined && (await read.mayBeCut(this.asks.limit))) {
			this.noProof =
				'fewer credits were left than Page Limit needs, and Firecrawl may have stopped early';
		}
		this.held = absent.length;
		if (this.noProof !== undefined) return [];
		this.hasCounted = true;
		const gone = absent.filter(([, { missed }]) => missed + 1 >= RUNS_WITHOUT);
		this.held -= gone.length;
		for (const [key] of gone) this.gone.add(key);
		return gone.map(([, page]) => this.tell('gone', gonePage(page)));
	}

	/** Why what was found is no picture of the site: it is closed for a while, behind a wall or a notice. */
	private doubt(): string | undefined {
		const known = [...this.kept].filter(([, { missed }]) => missed === 0).map(([key]) => key);
		const found = known.filter((key) => this.found.has(key)).length;
		if (found >= LEAST_FOUND * known.length) {
			this.doubtedSince = undefined;
			return undefined;
		}
		this.doubtedSince ??= this.now();
		if (this.now() - this.doubtedSince >= DOUBTED_MS) return undefined;
		return `only ${found} of ${known.length} known pages were found, as on a site that is closed for a while`;
	}

	/**
	 * What is remembered after this job: pages that failed, and those that nothing is known of, as before. `before`:
	 * what another job of the same run has left of what was asked for.
	 */
	after(before: MarkedPages = this.kept): ChangesBase {
		const pages = new Map<string, MarkedPage>();
		for (const [key, page] of new Map([...before, ...this.found])) {
			if (this.gone.has(key)) continue;
			const isUntouched = page === this.kept.get(key);
			const missed = page.missed + (this.hasCounted && !this.hasFailed(key, page) ? 1 : 0);
			pages.set(key, isUntouched ? { ...page, unseen: page.unseen + 1, missed } : page);
		}
		return { pages, doubtedSince: this.doubtedSince };
	}

	/** Whether the page failed in this run, so that nothing is known of it. */
	private hasFailed(key: string, page: MarkedPage): boolean {
		return this.failed.has(key) || this.failed.has(addressKey(sourceOf(page)));
	}

	private get remembered(): MarkedPages {
		return new Map([...this.kept, ...this.found]);
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

/** The page under the address by which the reader knows it, however it is spelled today. */
function withAddress(page: JsonObject, url: string): JsonObject {
	const metadata = isJsonObject(page.metadata) ? page.metadata : {};
	return { ...page, metadata: { ...metadata, url } };
}

/** A page that is gone: its address, and how that is known. */
function gonePage({ url, source }: MarkedPage, statusCode?: number): JsonObject {
	return { metadata: { url, sourceURL: source ?? url, ...(statusCode && { statusCode }) } };
}

function whyNoProof(
	{ isWhole, pages, failures }: JobRead,
	{ limit = 0, start = '' }: ChangesAsked,
	hasKnownFailed: boolean,
): string | undefined {
	if (!isWhole) return 'not all pages of the crawl were read';
	if (failures === undefined) return 'the list of failed pages could not be read';
	if (pages + failures.length >= limit) return 'the crawl reached its Page Limit';
	const hasFailed = ({ url }: PageError) => url === '' || addressKey(url) === addressKey(start);
	if (hasKnownFailed || failures.some(hasFailed)) return 'failed pages may link to them';
	return undefined;
}
