import { pageKey } from '../text/addresses';
import { MAX_PAGE_CHARACTERS, evenOut } from '../text/pageText';
import { digestOfPage } from './claims/knownPage';
import type { PageDigest } from './claims/knownPage';
import { QuotedPage } from './claims/passages';
import type { PageReader, PageToRead } from './claims/readPage';
import type { DraftClaim } from './claims/verifyClaims';
import type { ScrapedPage } from './contract/parts';
import { LimitReached } from './model/budget';
import { unansweredOrThrow } from './model/modelCaller';
import { answeredAddress, fetchedPage, readPages } from './readPages';
import type { ReadsPages } from './readPages';
import { knownCell, wasEmpty } from './row/cellHistory';
import type { KnownRow } from './row/cellHistory';
import type { Row } from './row/columns';
import { cellsByPage, rewordedCells, standingCells } from './row/standingCells';
import type { CellsOfPage } from './row/standingCells';
import type { RunState } from './runState';
import { oneLine } from './select';
import type { Candidate } from './select';

/** What has become of a row's earlier cells. Columns by their numbers, from 1. */
export interface RevisitedRow {
	/** Columns whose pages could not be read, or not whole; with `true` because the page is no more. */
	unread: Map<number, boolean>;
	/** Columns whose earlier value may stand on its page still, in words that nobody has judged. */
	standing: Set<number>;
	/** Columns to look for as in a first run: their value is gone from its page, or they are new. */
	lost: Set<number>;
}

/** A page that answers so is no more. */
const NO_PAGE = [404, 410];

/** A page that is so much shorter than it was may be another one, such as a notice that it is down. */
const LEAST_LEFT = 0.25;

/** A page of the row as it was and as it is; undefined where it could not be read. */
interface PageAgain extends CellsOfPage {
	candidate: Candidate;
	now?: PageToRead | undefined;
	digest?: PageDigest | undefined;
	/** What stands on it, and the columns of which nobody knows. */
	found: DraftClaim[];
	uncertain: number[];
}

/**
 * Reads the pages again that earlier runs have found values of a row on. Code alone finds what stands; a page is read by the
 * model only where it has changed and a column has no value. `readerFor`: the reader for columns.
 */
export async function revisitRow(
	run: RunState,
	row: Row,
	known: KnownRow,
	readerFor: (open: ReadonlySet<number>) => PageReader,
): Promise<RevisitedRow> {
	run.round = 1;
	const numbered = row.columns.map((column, index) => ({ column, number: index + 1 }));
	const unknown = numbered.filter(({ column }) => !knownCell(known, column));
	const fresh = unknown.filter(({ column }) => !wasEmpty(known, column)).map(({ number }) => number);
	// Of what is looked for as in a first run, the site may have better pages than those that were read for nothing.
	const others = unknown.length === 0 ? 'none' : fresh.length === 0 ? 'all' : 'unread';
	const pages = await pagesAgain(run, row, known, others);
	const stands = new Set(pages.flatMap(({ found }) => found.map(({ question }) => question)));
	const revisited: RevisitedRow = { unread: new Map(), standing: new Set(), lost: new Set(fresh) };
	for (const page of pages) {
		const { cells, candidate, uncertain } = page;
		for (const number of uncertain) revisited.standing.add(number);
		const fetched = run.fetched.get(candidate.key);
		const isNoMore = fetched && !(fetched instanceof Error) && NO_PAGE.includes(fetched.statusCode ?? 0);
		for (const number of cells.keys()) {
			if (stands.has(number)) continue;
			if (isWhole(page)) revisited.lost.add(number);
			else revisited.unread.set(number, isNoMore === true);
		}
	}
	// A page that was not taken for its number was not read either.
	const taken = new Set(pages.flatMap(({ cells }) => [...cells.keys()]));
	for (const { number, column } of numbered) {
		if (knownCell(known, column) && !taken.has(number)) revisited.unread.set(number, false);
	}
	const open = numbered.map(({ number }) => number).filter((one) => !stands.has(one) && !revisited.unread.has(one));
	const changed = pages.filter(
		({ digest, was, found, cells }) => digest?.hash !== was.hash || found.length < cells.size,
	);
	const toRead = open.length === 0 ? [] : fresh.length > 0 ? pages : changed;
	const inner = toRead.length > 0 ? readerFor(new Set(open)) : undefined;
	const reader = new ReaderAgain(inner, {
		found: new Map(pages.map(({ candidate: { key }, found }) => [key, found])),
		toRead: new Set(toRead.map(({ candidate: { key } }) => key)),
	});
	const candidates = pages.map(({ candidate }) => candidate);
	await readPages(run, reader, candidates);
	run.fetched.clear();
	// What the model has not read of a page may say the earlier value in other words.
	for (const { candidate, cells, now } of pages) {
		if (!run.unread.has(now?.url ?? candidate.url)) continue;
		for (const number of cells.keys()) if (revisited.lost.delete(number)) revisited.unread.set(number, false);
	}
	if (reader.hasAnswered) run.isPlanned = true;
	// A page that may be another one is compared with what it was, until it is known.
	for (const page of pages)
		if (page.now && page.cells.size > 0 && !isWhole(page)) run.digests?.set(page.now.url, page.was);
	return revisited;
}

/** Fetches the pages with earlier cells, those with most of them first. `others`: which of those without any. */
async function pagesAgain(
	run: RunState,
	row: Row,
	known: KnownRow,
	others: 'none' | 'unread' | 'all',
): Promise<PageAgain[]> {
	const before = [...cellsByPage(known, row)]
		.filter(([, { cells, was }]) => cells.size > 0 || others === 'all' || (others === 'unread' && was.hash === ''))
		.sort(([, one], [, other]) => other.cells.size - one.cells.size)
		.slice(0, run.question.maxPages);
	const pages = before.map(([url, own]): PageAgain => {
		const candidate = { url, key: pageKey(url), title: '', description: '', isNamed: true, isKnown: true } as const;
		return { ...own, candidate, found: [], uncertain: [] };
	});
	run.pool.leaveOut(pages.map(({ candidate: { key } }) => key));
	await Promise.all(
		pages.map(async ({ candidate }) => {
			const page = await run.pageTurns.run(async () => await fetchedPage(run, candidate));
			if (page) run.fetched.set(candidate.key, page);
		}),
	);
	return await Promise.all(pages.map(async (page) => await lookUpPage(run, row, page)));
}

/** What stands on a page that was fetched: as it did, by code alone, or in other words, as the model judges. */
async function lookUpPage(run: RunState, row: Row, page: PageAgain): Promise<PageAgain> {
	const now = pageNow(run.fetched.get(page.candidate.key), page.candidate.url);
	if (!now) return page;
	const seen = { ...page, now, digest: digestOfPage(now.text, now.title), found: standingCells(now, page, row) };
	const stands = new Set(seen.found.map(({ question }) => question));
	const gone = new Map([...page.cells].filter(([number]) => !stands.has(number)));
	if (gone.size === 0 || !isWhole(seen)) return seen;
	const judges = run.question.verification === 'support';
	try {
		const { found, uncertain } = await rewordedCells(now, gone, { row, judges }, run.model);
		return { ...seen, found: [...seen.found, ...found], uncertain };
	} catch (error) {
		run.phases.throwIfStopped();
		if (error instanceof LimitReached) run.keepLimit(error);
		else unansweredOrThrow(error);
		return { ...seen, uncertain: [...gone.keys()] };
	}
}

/** A page that was fetched, where it has a text; else undefined. */
function pageNow(page: ScrapedPage | Error | undefined, asked: string): PageToRead | undefined {
	if (!page || page instanceof Error || page.statusCode !== undefined) return undefined;
	if (evenOut(page.markdown) === '') return undefined;
	const text = new QuotedPage(page.markdown);
	const { title, publishedAt } = page;
	return { text, url: answeredAddress(page, asked), title: oneLine(title), publishedAt };
}

/** Whether what is not found on a page is not there: all of it was read, and it is the page that it was. */
function isWhole({ now, digest, was, candidate, found, cells }: PageAgain): boolean {
	if (!now || !digest || pageKey(now.url) !== candidate.key) return false;
	const isCut = now.text.isCut || now.text.markdown.length > MAX_PAGE_CHARACTERS;
	const isOther = digest.name !== was.name || digest.size < was.size * LEAST_LEFT;
	// What is so for the second time is no notice of a day.
	const isLasting = [...cells.values()].some(({ missed = 0 }) => missed > 0);
	return !isCut && !(isOther && found.length === 0 && !isLasting);
}

/** Takes what stands as it did without a model, and lets the model read what has changed. */
class ReaderAgain implements ReadsPages {
	readonly key: string;

	constructor(
		private readonly inner: PageReader | undefined,
		/** By the keys of pages: what stands on them, and which of them the model reads. */
		private readonly again: { found: ReadonlyMap<string, DraftClaim[]>; toRead: ReadonlySet<string> },
	) {
		this.key = `again ${inner?.key ?? ''}`;
	}

	get isUseless() {
		return this.inner?.isUseless;
	}

	/** A page that needs no model shows nothing about one. */
	get hasAnswered(): boolean {
		return this.inner?.hasAnswered ?? false;
	}

	get hasUnread(): boolean {
		return this.inner?.hasUnread ?? false;
	}

	async read(name: string, page: PageToRead) {
		const found = this.again.found.get(name) ?? [];
		if (!this.inner || !this.again.toRead.has(name)) {
			return { verified: found, unverified: [], unreadPieces: 0, pieces: 1 };
		}
		const reading = await this.inner.read(name, page);
		return { ...reading, verified: [...found, ...reading.verified] };
	}
}
