import { pageKey, shortKeyCounts, shortKeyOf } from '../text/addresses';
import { cutAt } from '../text/ends';
import { mayRead, searchWeb } from './collect';
import type { RowParts } from './contract/parts';
import type { ResearchQuestion } from './contract/question';
import type { ResearchUsage, SkippedPage } from './contract/result';
import { Turns } from './model/modelCaller';
import { revisitRow } from './revisitRow';
import type { RevisitedRow } from './revisitRow';
import { compareRow, knownValue } from './row/cellHistory';
import type { KnownRow, RowNews } from './row/cellHistory';
import type { Column, Row } from './row/columns';
import { decideCells } from './row/decideCells';
import type { FilledCell } from './row/decideCells';
import { isCalledLike, isOwnPage } from './row/subject';
import { openColumns, readFor, readerFor } from './rowWork';
import type { RowWork } from './rowWork';
import { RunState } from './runState';
import type { UnreadBy } from './runState';
import { pagesOfRound, plainQuery } from './select';
import { readPagesOf, readSite, searchWords } from './siteOfRow';

/** A row as it was filled. */
export interface FilledRow {
	row: Row;
	cells: FilledCell[];
	/** `empty`: no cell has a value. `skipped`: there is no subject. `failed`, `notStarted`: for the reason in `why`. */
	status: 'complete' | 'partial' | 'empty' | 'skipped' | 'failed' | 'notStarted';
	/** Why nothing was looked for, or found: one sentence. */
	why?: string;
	/** For a row that a limit has ended: which one, in one sentence. */
	limit?: string;
	warnings: string[];
	skippedPages: SkippedPage[];
	/** Addresses of the pages that were read. */
	pages: string[];
	usage: ResearchUsage;
	/** Where the row is compared with earlier runs. */
	news?: RowNews;
}

/**
 * Fills the columns of one row: from the subject's own site first, and from the web where columns are still empty. A cell
 * has the value that is proven, or none. A limit ends it with what was found. The same call with the same notes goes on
 * where the last one ended, and pays for no step twice. `known`: what earlier runs have left, where it is compared with
 * that. Throws ResearchFailure, and what `search` throws when nothing could be searched or read.
 */
export async function fillRow(
	row: Row,
	question: ResearchQuestion,
	parts: RowParts,
	known?: KnownRow | 'none',
): Promise<FilledRow> {
	const run = new RunState(question, parts);
	if (known !== undefined) run.digests = new Map();
	const work: RowWork = { run, row, parts, waiting: new Set() };
	let isDone = false;
	try {
		run.phases.throwIfStopped();
		// Nothing has shown yet that the model answers: the first page is read alone.
		run.isPlanned = false;
		const revisited = typeof known === 'object' ? await lookAgain(work, known) : await lookFirst(work);
		if (run.searchError !== undefined && run.searchesAnswered + run.pagesRead === 0) throw run.searchError;
		isDone = true;
		const done = filled(work);
		return known === undefined || done.status === 'failed' ? done : withNews(done, known, work, revisited);
	} finally {
		if (!isDone) await run.phases.settled();
		run.phases.end();
	}
}

async function lookFirst(work: RowWork): Promise<undefined> {
	work.run.round = 0;
	if (work.row.website !== '') await readSite(work);
	await readWeb(work);
}

/**
 * The pages of earlier values first. What is gone from its page, and what is asked for the first time, is looked for as in a
 * first run. For what was empty before, one search is made, and of its results those are read that are new.
 */
async function lookAgain(work: RowWork, known: KnownRow): Promise<RevisitedRow> {
	const { run, row } = work;
	const revisited = await revisitRow(run, row, known, (open) => readerFor(work, open));
	work.waiting = new Set(revisited.unread.keys());
	const open = openColumns(work);
	if (open.size === 0 || run.limit !== undefined) return revisited;
	if ([...open].some((number) => revisited.lost.has(number))) {
		await lookFirst(work);
	} else if (mayRead(run) && run.round < run.question.maxRounds) {
		run.round += 1;
		const queries = queriesFor(row, open);
		await searchWeb(run, queries.slice(known.searches % queries.length).slice(0, 1));
		const seen = shortKeyCounts(known.results);
		run.pool.leaveOut(run.pool.keys.filter((key) => seen.has(shortKeyOf(key))));
		const pages = run.pool.take(run.question.maxPages - run.pagesTaken);
		if (pages.length > 0) await readFor(work, open, pages);
	}
	return revisited;
}

/** One limit for the calls of the models that several rows make. */
export function sharedCalls(most: number): (ask: RowParts['ask']) => RowParts['ask'] {
	const turns = new Turns(Math.max(1, most));
	return (ask) => async (request) =>
		await turns.run(async () => {
			request.signal.throwIfAborted();
			return await ask(request);
		});
}

/** A row of which nothing was found, for another reason than what pages say. */
export function emptyRow(row: Row, status: 'skipped' | 'failed' | 'notStarted', why: string): FilledRow {
	const usage = { modelCalls: 0, inputTokens: 0, outputTokens: 0, creditsUsed: 0, creditsInDoubt: 0, seconds: 0 };
	const cells = row.columns.map((column): FilledCell => ({ column, value: null, reason: 'notLookedFor' }));
	return { row, cells, status, why, warnings: [], skippedPages: [], pages: [], usage };
}

/** Pages that may have what is missing: the model has not read or judged them, or they are the subject's own and failed. */
function unreadOf({ run, row }: RowWork): Array<[url: string, by: UnreadBy]> {
	const isOwn = (url: string) => (row.website === '' ? isCalledLike(url, row.subject) : isOwnPage(url, row.website));
	return [...run.unread].filter(([url, by]) => by !== 'service' || isOwn(url));
}

function filled(work: RowWork): FilledRow {
	const { run, row } = work;
	const isOpen = run.searchError !== undefined || unreadOf(work).some(([, by]) => by !== 'judge');
	const without = run.limit !== undefined ? 'notLookedFor' : isOpen ? 'notRead' : 'notFound';
	const cells = decideCells(row, run.claims, run.pages, without);
	const some = cells.filter(({ value }) => value !== null).length;
	const limit = some < cells.length ? limitText(run) : undefined;
	// Where no page could be read, nothing is known of what pages say.
	const [first] = run.pagesRead === 0 ? run.skipped : [];
	const status = first ? 'failed' : some === cells.length ? 'complete' : some > 0 ? 'partial' : 'empty';
	return {
		row,
		cells,
		status,
		...(first && { why: `No page could be read. The first: ${first.reason}` }),
		...(limit !== undefined && { limit }),
		warnings: run.warnings,
		skippedPages: run.skipped,
		pages: [...run.pages.keys()],
		usage: run.budget.usage(),
	};
}

/** Pages and results of searches that are remembered of a row. */
const MOST_PAGES = 12;
const MOST_RESULTS = 120;

/** The row beside what earlier runs have left of it. */
function withNews(
	done: FilledRow,
	known: KnownRow | 'none',
	work: RowWork,
	{ unread, standing }: Pick<RevisitedRow, 'unread' | 'standing'> = { unread: new Map(), standing: new Set() },
): FilledRow {
	const { run, row } = work;
	const before = known === 'none' ? { pages: [], results: '' } : known;
	const read = [...(run.digests ?? [])].map(([url, digest]) => ({ url, ...digest }));
	// What could not be read is tried by the next run, whatever its search finds.
	const notRead = unreadOf(work).map(([url]) => ({ url, hash: '', name: '', size: 0 }));
	const pages = new Map<string, KnownRow['pages'][number]>();
	for (const page of [...read, ...before.pages, ...notRead]) {
		const key = pageKey(page.url);
		if (!pages.has(key)) pages.set(key, page);
	}
	const found = [...shortKeyCounts(before.results + run.pool.keys.map(shortKeyOf).join('')).keys()];
	const news = compareRow(known, row, done.cells, {
		pages: [...pages.values()].slice(0, MOST_PAGES),
		results: found.slice(-MOST_RESULTS).join(''),
		hasSearched: run.searchesAnswered > 0,
		unread,
		standing,
		isLimited: run.limit !== undefined,
		today: run.question.today,
	});
	const cells = done.cells.map((cell): FilledCell => {
		const earlier = news.unchecked.includes(cell.column.name) ? knownValue(known, cell.column) : undefined;
		return earlier ? { ...cell, reason: 'notChecked', earlier } : cell;
	});
	return { ...done, cells, news };
}

function limitText({ limit, question, outOfCredits }: RunState): string | undefined {
	switch (limit) {
		case 'time':
			return `Time Limit (${question.timeLimitMs / 1000} s) reached`;
		case 'tokens':
			return `Max Tokens (${question.maxTokens ?? 0}) reached`;
		case 'credits':
			return outOfCredits ?? `Max Credits (${question.maxCredits ?? 0}) reached`;
		case undefined:
			return undefined;
		default:
			return `Limit reached: ${limit}`;
	}
}

/**
 * The web, for the columns that are still empty: at most so many rounds, until none is. Where the first one finds a site
 * that is called like the subject, the second one reads its pages.
 */
async function readWeb(work: RowWork): Promise<void> {
	const { run, row } = work;
	const { question, pool } = run;
	let isSiteRead = row.website !== '';
	while (run.round < question.maxRounds) {
		const open = openColumns(work);
		run.round += 1;
		if (open.size === 0 || run.limit !== undefined || !mayRead(run)) return;
		const site = isSiteRead ? undefined : siteOfSubject(run, row);
		if (site !== undefined) {
			isSiteRead = true;
			await readPagesOf(work, site);
			continue;
		}
		const queries = queriesFor(row, open).filter((query) => !run.used.has(query.toLowerCase()));
		await searchWeb(run, queries);
		const left = question.maxPages - run.pagesTaken;
		const pages = pool.take(pagesOfRound(left, question.maxRounds - run.round + 1));
		if (pages.length === 0) return;
		await readFor(work, open, pages);
	}
}

/** The first page of a site that is called like the subject, among those that were read. */
function siteOfSubject(run: RunState, { subject }: Row): string | undefined {
	const page = [...run.pages.keys()].find((url) => isCalledLike(url, subject));
	return page === undefined ? undefined : new URL('/', page).href;
}

/** Columns of one search, and searches of one round: each search costs. */
export const COLUMNS_OF_QUERY = 3;
export const MOST_QUERIES = 3;
const MAX_QUERY = 200;

function queriesFor({ subject, columns }: Row, open: ReadonlySet<number>): string[] {
	const wanted = columns.filter((_column, index) => open.has(index + 1));
	const groups: Column[][] = [];
	for (let at = 0; at < wanted.length && groups.length < MOST_QUERIES; at += COLUMNS_OF_QUERY) {
		groups.push(wanted.slice(at, at + COLUMNS_OF_QUERY));
	}
	return groups.map((group) => cutAt(plainQuery(`${subject} ${searchWords(group)}`), MAX_QUERY));
}
