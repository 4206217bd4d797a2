import { createHash } from 'node:crypto';
import { ignoredText } from '../../fields/job/pages';
import type { IgnoredText } from '../../fields/job/pages';
import { noMeasureOf } from '../../operation/comparable';
import { addressOfPage, errorOfPage, httpErrorOf, sourceUrlOf } from '../../operation/webPage';
import { isJsonObject } from '../../service/http/answer';
import { firstSentence } from '../../service/http/failure';
import type { Pause } from '../../service/http/time';
import type { JsonObject } from '../../service/http/transport';
import type { PageError } from '../../service/results/pageErrors';
import { pageKey, sameAddress } from '../../text/addresses';
import { comparedLines, contentHash, isBlank, visibleLines } from '../../text/contentHash';
import { memoryTableOf } from '../memory/memory';
import { lineDifference, markedLines } from './changedLines';
import { Leads, waitedFor } from './leads';
import { NOT_COMPARABLE, longestUnseen, markedPage, sizeOf, sourceOf } from './markedPages';
import type { MarkedPage, MarkedPages } from './markedPages';

/**
 * The state of a page beside the last run. `unknown`: nothing to compare, or no room to remember it; `unreadable`: it
 * could not be read in several runs in a row.
 */
export type PageChange = 'new' | 'changed' | 'gone' | 'unreadable' | 'unchanged' | 'failed' | 'unknown';

/** The end of the reading of a job, as far as it decides about absent pages. */
interface JobRead {
	/** True where the job ended well and all pages that the service counts were read. */
	isWhole: boolean;
	/** Pages that were read and that failed. */
	pages: number;
	/** Undefined where it is not known which pages failed. */
	failures: readonly PageError[] | undefined;
	/** Asked last: true where the service may have ended the crawl before it was through. */
	mayBeCut(limit: number): Promise<boolean>;
}

/** The memory of the pages that were asked for. */
export interface ChangesBase {
	pages: MarkedPages;
	/** Since when runs have found less than half of the pages, in milliseconds since 1970. */
	doubtedSince?: number | undefined;
}

/** HTTP statuses by which a site says itself that there is no such page. */
const GONE = [404, 410];

/** Complete and plausible runs in a row that must not have a page. */
const RUNS_WITHOUT = 2;

/**
 * In so many runs in a row a page that cannot be read keeps those from being gone that it may link to. After them it is
 * told itself, once.
 */
export const RUNS_UNREADABLE = 5;

/** In so many complete runs others that cannot be read keep a page that is not found from being gone. */
const RUNS_HELD = 8;

/**
 * A run that finds less of the pages that the site had lately is that of a site that is closed for a while: of those
 * that one of so many runs has found.
 */
const LEAST_FOUND = 0.5;
const LATE_RUNS = 5;

/** A site that stays so small for so long has become small. */
const DOUBTED_MS = 7 * 24 * 60 * 60 * 1000;

/** To count what is left takes a while. */
const FORGOTTEN_AT_ONCE = 200;

/** Pages that are compared before others in the process have their turn. */
const PAGES_BETWEEN_PAUSES = 20;

/** The pages of one job beside those of the last run. */
export class PageChanges {
	readonly counts: Record<PageChange, number> = {
		...{ new: 0, changed: 0, gone: 0, unreadable: 0, unchanged: 0, failed: 0, unknown: 0 },
	};

	/** Characters of content that was left out. */
	savedCharacters = 0;

	/** The reason why absent pages prove nothing: `the crawl stopped at its limit`; undefined where they do. */
	noProof: string | undefined;

	/** Pages that were not found, and may be gone. */
	held = 0;

	/** Changed pages of whose lines nothing was remembered. */
	unexplained = 0;

	doubtedSince: number | undefined;

	private readonly found = new Map<string, MarkedPage>();

	private readonly gone = new Set<string>();

	/** Of pages that failed, in any spelling, and why: it is caution that keeps a page from being gone. */
	private readonly failed = new Map<string, string>();

	private readonly leads = new Leads();

	/** Keys of pages that others lead to, of which a crawl gives nothing else. */
	private readonly seen = new Set<string>();

	/**
	 * The memory beside the pages that were found: of pages that were not found for longest, none where room is short.
	 */
	private readonly kept: Map<string, MarkedPage>;

	private readonly oldest: string[];

	/** Keys of the pages by the addresses that they were asked for by and put out under, as sameAddress has them. */
	private readonly keyOfAddress: ReadonlyMap<string, string>;

	/** About how many characters both take; counted when it is first needed. */
	private size = Number.POSITIVE_INFINITY;

	/** Whether `size` is counted, not estimated: an address shares its beginning with its neighbours. */
	private isCounted = false;

	/** Pages that were found and were not known. */
	private added = 0;

	/** Whether this run shows that pages which it has not found are not on the site. */
	private hasCounted = false;

	/** The same, if only pages could not be read that may link to them. */
	private isHeldUp = false;

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
			...pages.map(([key, page]) => [sameAddress(sourceOf(page)), key] as const),
			...pages.map(([key]) => [key, key] as const),
		]);
		this.doubtedSince = base?.doubtedSince;
	}

	/** The number of pages that are put out so far. */
	get written(): number {
		const { new: added, changed, gone, unreadable, unknown } = this.counts;
		return added + changed + gone + unreadable + unknown;
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
		if (status !== undefined && GONE.includes(status)) return this.tellMissing(page, source, status);
		const asked = this.keyOfAddress.get(sameAddress(source));
		const before = asked === undefined ? undefined : this.kept.get(asked);
		// A page that was never put out may lead wherever it likes.
		const addresses = before ? [source, before.url] : [];
		const found = noMeasureOf({ status, error: errorOfPage(page) ?? '', endedAt: url }, addresses);
		if (found) {
			this.failed.set(pageKey(source), found.why);
			// It shows that the page is there which it leads to.
			if (asked !== sameAddress(url)) this.seen.add(sameAddress(url));
			return this.tell('failed', page);
		}
		const key = sameAddress(url === '' ? source : url);
		const content = this.asks.ignoresText ? { ...page, markdown: undefined } : page;
		const lines = source === '' ? undefined : visibleLines(content);
		const compared = lines && comparedLines(lines, this.asks.ignored.lines, this.asks.ignored.parts);
		if (!lines || !compared) {
			// Pages that cannot be compared have not gone.
			this.failed.set(pageKey(url === '' ? source : url), 'it has no text');
			return this.tell('unknown', page);
		}
		const hash = contentHash(compared);
		const known = this.found.get(key) ?? this.kept.get(key);
		const marked = markedPage(known?.url ?? url, source, hash);
		const isSame = known?.hash === marked.hash;
		if (!known && !this.hasRoomFor(marked)) {
			return this.tell('unknown', { ...page, contentHash: hash });
		}
		if (known && !isSame && isBlank(content, lines)) {
			// A script may not have run: the page is compared with what it was once it has a text again.
			this.failed.set(pageKey(known.url), 'it has no text');
			return this.tell('failed', page);
		}
		const marks = markedLines(compared, known?.lines, isSame);
		this.found.set(key, { ...marked, ...(marks && { lines: marks }) });
		if (asked !== key && source !== '' && sameAddress(source) !== key) {
			this.leads.note({ from: asked, to: url, hash: marked.hash });
		}
		if (isSame) {
			this.savedCharacters += lines.reduce((sum, line) => sum + line.length, 0);
			return this.tell('unchanged', page);
		}
		const isComparable = known !== undefined && known.hash !== NOT_COMPARABLE;
		const named = known ? withAddress(page, known.url) : page;
		if (!isComparable) return this.tell('new', { ...named, contentHash: hash });
		if (!known.lines) this.unexplained += 1;
		const difference = known.lines && lineDifference(known.lines, compared);
		return this.tell('changed', { ...named, contentHash: hash, ...difference });
	}

	/** A page that the site says it does not have: gone, where that is the very address that was put out. */
	private tellMissing(page: JsonObject, source: string, status: number): JsonObject {
		const key = this.keyOfAddress.get(sameAddress(source)) ?? '';
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
		for (const { url, message } of read.failures ?? []) this.failed.set(pageKey(url), firstSentence(message, 200));
		this.leads.settle(this.kept, this.found, (key, page) => this.isAbsent(key) && !this.hasFailed(page));
		const unreadable = this.tellUnreadable();
		return [...unreadable, ...(await this.tellGone(read))];
	}

	/** Known pages that could not be read for the last time that this is waited for, each with the reason. */
	private tellUnreadable(): JsonObject[] {
		// A site that is down says nothing of its pages.
		if (this.foundOfKnown().isFew) return [];
		return [...this.kept].flatMap(([key, page]) => {
			if (!this.isAbsent(key)) return [];
			const why = this.whyUnread(key, page);
			const [failed, behind] = this.runsUnread(key, page);
			const isTold = page.failed >= RUNS_UNREADABLE || page.behind >= RUNS_UNREADABLE;
			if (why === undefined || isTold || Math.max(failed, behind) < RUNS_UNREADABLE) return [];
			return [this.tell('unreadable', { ...gonePage(page), reason: why })];
		});
	}

	/** In how many runs in a row a page could not be read, and may have been behind others, this one with them. */
	private runsUnread(key: string, page: MarkedPage): [failed: number, behind: number] {
		const isBehind = this.leads.behind.has(key);
		const behind = page.behind + (isBehind ? 1 : 0);
		const isLate = isBehind && waitedFor(page) + 1 >= RUNS_HELD;
		return [page.failed + (this.hasFailed(page) ? 1 : 0), isLate ? Math.max(behind, RUNS_UNREADABLE) : behind];
	}

	private async tellGone(read: JobRead): Promise<JsonObject[]> {
		if (this.asks.limit === undefined || !this.base) return [];
		const absent = [...this.kept].filter(
			([key, page]) => this.isAbsent(key) && !this.leads.behind.has(key) && !this.hasFailed(page),
		);
		// Also of a run that proves nothing: what is found is there.
		if (!this.foundOfKnown().isFew) this.doubtedSince = undefined;
		if (absent.length === 0) return [];
		this.noProof = whyNoProof(read, this.asks) ?? this.doubt();
		if (this.noProof === undefined && (await read.mayBeCut(this.asks.limit))) {
			this.noProof = 'fewer credits were left than Page Limit needs, and Firecrawl may have stopped early';
		}
		const blocking = this.blocking();
		const isHeldUp = blocking !== undefined || this.leads.takesTurns;
		this.hasCounted = this.noProof === undefined && !isHeldUp;
		this.isHeldUp = this.noProof === undefined && isHeldUp;
		if (isHeldUp) this.noProof ??= blocking ?? 'pages take turns in leading elsewhere, and others may do so, too';
		const gone = absent.filter(([key, page]) => this.isMissing(key, page) && page.missed + 1 >= RUNS_WITHOUT);
		this.held = absent.length - gone.length;
		for (const [key] of gone) this.gone.add(key);
		return gone.map(([key, page]) => {
			const to = this.leads.moved.get(key);
			return this.tell('gone', { ...gonePage(page), ...(to !== undefined && { leadsTo: to }) });
		});
	}

	/** The reason why a page that cannot be read keeps those from being gone that it may link to; none is one that was found. */
	private blocking(): string | undefined {
		for (const [key, page] of this.kept) {
			const isLate = page.failed >= RUNS_UNREADABLE || page.behind >= RUNS_UNREADABLE;
			const why = this.isAbsent(key) && !isLate ? this.whyUnread(key, page) : undefined;
			if (why !== undefined) return `failed pages may link to them (${page.url}: ${why})`;
		}
		return undefined;
	}

	private whyUnread(key: string, page: MarkedPage): string | undefined {
		return this.whyFailed(page) ?? this.leads.behind.get(key)?.why;
	}

	/** Whether this run shows that a page which was not found is not at its address. */
	private isMissing(key: string, page: MarkedPage): boolean {
		if (this.hasCounted || this.leads.moved.has(key)) return true;
		return this.isHeldUp && waitedFor(page) + RUNS_WITHOUT >= RUNS_HELD;
	}

	private isAbsent(key: string): boolean {
		return !this.found.has(key) && !this.seen.has(key) && !this.gone.has(key);
	}

	/** The reason why what was found is no picture of the site: it is closed for a while, behind a wall or a notice. */
	private doubt(): string | undefined {
		const { found, known, isFew } = this.foundOfKnown();
		if (!isFew) return undefined;
		this.doubtedSince ??= this.now();
		if (this.now() - this.doubtedSince >= DOUBTED_MS) return undefined;
		return `only ${found} of ${known} known pages were found, as on a site that is closed for a while`;
	}

	/** How many of the pages that the site had lately were found; what asks for no site does not find few of it. */
	private foundOfKnown(): { found: number; known: number; isFew: boolean } {
		const late = [...this.kept].filter(([, { missed, unseen }]) => missed === 0 && unseen < LATE_RUNS);
		const keys = late.map(([key]) => key);
		const [found, known] = [keys.filter((key) => this.found.has(key)).length, keys.length];
		return { found, known, isFew: this.asks.limit !== undefined && found < LEAST_FOUND * known };
	}

	/**
	 * The memory after this job: pages that failed, and those that nothing is known of, as before. `before`: what
	 * another job of the same run has left of what was asked for.
	 */
	after(before: MarkedPages = this.kept): ChangesBase {
		const pages = new Map<string, MarkedPage>();
		const { isFew } = this.foundOfKnown();
		for (const [key, page] of new Map([...before, ...this.found])) {
			if (this.gone.has(key)) continue;
			const isUntouched = page === this.kept.get(key);
			const behindWall = this.leads.behind.get(key);
			const [hasFailed, isBehind] = [this.hasFailed(page), behindWall !== undefined];
			const isMissing = this.isMissing(key, page) && !hasFailed && !isBehind;
			const missed = page.missed + (isMissing ? 1 : 0);
			const held = page.held + (this.isHeldUp && !hasFailed && !isBehind ? 1 : 0);
			// A run that finds few shows nothing of the others, and one that proves nothing does not show that it can be read.
			const run = isFew ? 0 : 1;
			const [runsFailed, runsBehind] = this.runsUnread(key, page);
			// What was told is not told again until it is found.
			const isOver = isMissing && page.failed < RUNS_UNREADABLE;
			const failed = hasFailed && !isFew ? runsFailed : isOver ? 0 : page.failed;
			const behind = isBehind && !isFew ? runsBehind : page.behind;
			const wall = behindWall?.wall ?? page.wall;
			const counts = { unseen: page.unseen + run, away: page.away + 1, missed, failed, behind, held };
			const after = { ...page, ...counts, ...(wall !== undefined && { wall }) };
			pages.set(key, isUntouched ? after : page);
		}
		return { pages, doubtedSince: this.doubtedSince };
	}

	/** Whether the page failed in this run, so that nothing is known of it. */
	private hasFailed(page: MarkedPage): boolean {
		return this.whyFailed(page) !== undefined;
	}

	private whyFailed(page: MarkedPage): string | undefined {
		if (this.failed.size === 0) return undefined;
		return this.failed.get(pageKey(page.url)) ?? this.failed.get(pageKey(sourceOf(page)));
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
): string | undefined {
	if (!isWhole) return 'not all pages of the crawl were read';
	if (failures === undefined) return 'the list of failed pages could not be read';
	if (pages + failures.length >= limit) return 'the crawl reached its Page Limit';
	const failed = failures.find(({ url }) => url === '' || pageKey(url) === pageKey(start));
	return failed && `failed pages may link to them (${failed.url}: ${firstSentence(failed.message, 200)})`;
}

/** The pages that those of a job are compared with, and the way in which. */
export interface ChangesAsked {
	/** The request, as a fingerprint: pages are compared with the last run that asked for the same. */
	asked: string;
	/** Names the settings that decide what a page's content is: with others, no page can be compared. */
	settings: string;
	ignored: IgnoredText;
	/** The Data Table that they are remembered in. */
	memoryTable: string;
	/** Most pages that were asked for; undefined where a page that is not there proves nothing. */
	limit: number | undefined;
	/** Their Markdown is no content of theirs: it came for something else. */
	ignoresText: boolean;
	/** The address at which a crawl begins: without this page nothing is known of the others. */
	start?: string;
}

/** Settings of a start that change neither which pages there are nor what they show. */
const WITHOUT_EFFECT = ['url', 'urls', 'limit', 'webhook', 'maxConcurrency', 'delay', 'origin'];

/** Whether only new and changed pages are wanted. */
export function asksForChanges({ onlyChanged, output }: JsonObject): boolean {
	return onlyChanged === true && output !== 'status';
}

/**
 * The body of a start whose pages are as they are now, unless the user has set Max Age: without it the service may
 * answer with a copy that is up to two days old. A fresh page costs the same.
 */
export function withFreshPages(body: JsonObject): JsonObject {
	if (typeof body.url !== 'string') return { maxAge: 0, ...body };
	const own = isJsonObject(body.scrapeOptions) ? body.scrapeOptions : {};
	return { ...body, scrapeOptions: { maxAge: 0, ...own } };
}

/**
 * The comparison that the options of a node ask for; undefined where all pages are wanted. `sent` is the body of a
 * start; without it the job was started elsewhere, and nothing is known of what was asked for. Throws a ServiceFailure
 * of kind badInput for a pattern that cannot be used.
 */
export function changesAsked(
	label: string,
	{ onlyChanged, ignoredLines, ignoredParts, ignoresText, memoryTable, output }: JsonObject,
	sent: JsonObject | undefined,
): ChangesAsked | undefined {
	if (!asksForChanges({ onlyChanged, output })) return undefined;
	const patterns = [ignoredLines, ignoredParts].map((one) => (typeof one === 'string' ? one : ''));
	// Without parts, the settings are named as they were before there were any.
	const [lines = '', parts = ''] = patterns;
	const named = parts === '' ? lines : patterns;
	const { url, limit } = sent ?? {};
	const isSite = typeof url === 'string';
	const own = Object.entries(sent ?? {}).filter(([name]) => !WITHOUT_EFFECT.includes(name));
	return {
		asked: isSite ? `${label} ${sameAddress(url)}` : `${label}${sent ? '' : ' by ID'}`,
		settings: createHash('sha256')
			.update(JSON.stringify([own.sort(), named]))
			.digest('base64url')
			.slice(0, 8),
		ignored: ignoredText({ ignoredLines, ignoredParts }),
		memoryTable: memoryTableOf(memoryTable),
		ignoresText: ignoresText === true,
		...(isSite && { start: url }),
		limit: isSite && typeof limit === 'number' ? limit : undefined,
	};
}
