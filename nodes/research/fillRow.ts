import { keyOf, pageKey } from '../text/addresses';
import { cutAt } from '../text/ends';
import { spacedName } from '../text/jsonPaths';
import { plainStatement, wordsOf } from '../text/pageText';
import { isRecord } from '../text/values';
import { PageReader } from './claims/readPage';
import { mayRead, searchWeb } from './collect';
import type {
	ResearchParts,
	ResearchQuestion,
	ResearchUsage,
	SearchAnswer,
	SearchResult,
	SkippedPage,
} from './contract';
import { jsonObjects, readNumbers } from './model/answers';
import { LimitReached } from './model/budget';
import { Turns, unansweredOrThrow } from './model/modelCaller';
import { PROMPTS } from './model/prompts';
import { readPages } from './readPages';
import { RunState, reasonText } from './runState';
import { isWanted, oneLine, pagesOfRound, siteOf } from './select';
import type { Candidate } from './select';
import { columnLines } from './row/columns';
import type { Column, Row } from './row/columns';
import { decideCells } from './row/decideCells';
import type { FilledCell } from './row/decideCells';
import { cellsForm } from './row/readCells';
import { isCalledLike, isOwnPage } from './row/subject';

/** Everything that a row needs of the world: that of a research, and the pages of a site. */
export interface RowParts extends ResearchParts {
	/** The pages of the site of an address, those first that have these words. Throws like `search`. */
	mapSite(url: string, words: string): Promise<SearchAnswer>;
}

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
}

/** Pages of the subject's own site besides its first one. */
const SITE_PAGES = 4;

/** What a map costs. */
const MAP_CREDITS = 1;

/**
 * Fills the columns of one row: from the subject's own site first, and from the web where columns are still empty. A cell
 * has the value that is proven, or none. A limit ends it with what was found. The same call with the same notes goes on
 * where the last one ended, and pays for no step twice. Throws ResearchFailure, and what `search` throws when nothing
 * could be searched or read.
 */
export async function fillRow(row: Row, question: ResearchQuestion, parts: RowParts): Promise<FilledRow> {
	const run = new RunState(question, parts);
	let isDone = false;
	try {
		run.phases.throwIfStopped();
		// Nothing has shown yet that the model answers: the first page is read alone.
		run.isPlanned = false;
		if (row.website !== '') await readSite(run, row, parts);
		await readWeb(run, row, parts);
		if (run.searchError !== undefined && run.searchesAnswered + run.pagesRead === 0) throw run.searchError;
		isDone = true;
		return filled(run, row);
	} finally {
		if (!isDone) await run.phases.settled();
		run.phases.end();
	}
}

/** The credits of a row: a search and its pages, without which none is begun, and the most that it can cost. */
export function rowCredits(question: ResearchQuestion): { least: number; most: number } {
	const { searchCredits, leastPageCredits, pageCredits, maxPages, maxRounds } = question;
	return {
		least: searchCredits + maxPages * leastPageCredits,
		most: MAP_CREDITS + maxPages * pageCredits + maxRounds * MOST_QUERIES * searchCredits,
	};
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

function filled(run: RunState, row: Row): FilledRow {
	const cells = decideCells(row, run.claims, run.pages, run.limit === undefined ? 'notFound' : 'notLookedFor');
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

/** Numbers of the columns that have no value yet, from 1. */
function openColumns(run: RunState, row: Row): Set<number> {
	const cells = decideCells(row, run.claims, run.pages);
	return new Set(cells.flatMap(({ value }, index) => (value === null ? [index + 1] : [])));
}

/** Reads pages for the columns that are open. */
async function readFor(run: RunState, row: Row, open: ReadonlySet<number>, pages: Candidate[]): Promise<void> {
	const judges = run.question.verification === 'support';
	const form = cellsForm({ row, open, judges }, run.model);
	const reader = new PageReader(run.model, form, run.question.maxPieceCharacters);
	await readPages(run, reader, pages);
	if (reader.hasAnswered) run.isPlanned = true;
}

/** The subject's own site: its page, and of its other pages those that most likely have what is missing. */
async function readSite(run: RunState, row: Row, parts: RowParts): Promise<void> {
	run.round = 1;
	const { website } = row;
	const first = { url: website, key: pageKey(website), title: '', description: '', isNamed: true as const };
	run.pool.leaveOut([first.key]);
	await readFor(run, row, openColumns(run, row), [first]);
	// Where its first page cannot be read, its other ones hardly can.
	const [found] = run.pages.keys();
	if (found !== undefined) await readPagesOf(run, row, found, parts);
}

/** Of the site of a page that was read, the pages that most likely have what is missing. */
async function readPagesOf(run: RunState, row: Row, found: string, parts: RowParts): Promise<void> {
	const open = openColumns(run, row);
	if (open.size === 0 || !canRead(run)) return;
	const links = await linksOf(run, row, found, open, parts);
	const left = run.question.maxPages - run.pagesTaken;
	const most = Math.min(SITE_PAGES, left);
	const chosen = links.length > most ? await chooseLinks(run, row, open, links) : links;
	const pages = chosen.slice(0, most).map((link): Candidate => {
		return { url: link.url, key: pageKey(link.url), title: oneLine(link.title), description: '', isNamed: true };
	});
	run.pool.leaveOut(pages.map(({ key }) => key));
	if (pages.length > 0) await readFor(run, row, open, pages);
}

function canRead(run: RunState): boolean {
	return run.limit === undefined && !run.room.isTimeUp && run.question.maxPages > run.pagesTaken;
}

/** The other pages of the site that may be read, those first that share words with the columns, and short addresses. */
async function linksOf(
	run: RunState,
	row: Row,
	found: string,
	open: ReadonlySet<number>,
	parts: RowParts,
): Promise<SearchResult[]> {
	const wanted = row.columns.filter((_column, index) => open.has(index + 1));
	const words = wordsOf(wanted.map(({ name, description }) => `${spacedName(name)} ${description}`).join(' '));
	const all = await mapOnce(run, found, searchWords(wanted), parts);
	const seen = new Set([...run.pages.keys(), row.website].map(pageKey));
	const score = ({ url, title, description }: SearchResult) => {
		const own = wordsOf(`${url} ${title} ${description}`.replace(/[/_-]/g, ' '));
		return [...words].filter((word) => own.has(word)).length;
	};
	return all
		.filter(({ url }) => {
			const key = pageKey(url);
			const isNew = siteOf(url) !== '' && isOwnPage(url, found) && isWanted(url, run.question) && !seen.has(key);
			seen.add(key);
			return isNew;
		})
		.map((link, rank) => ({ link, rank, score: score(link), depth: link.url.split('/').length }))
		.sort((one, other) => other.score - one.score || one.depth - other.depth || one.rank - other.rank)
		.map(({ link }) => link);
}

/** The pages of a site; from the notes where they were asked for before. None where that fails, which is said. */
async function mapOnce(run: RunState, url: string, words: string, parts: RowParts): Promise<SearchResult[]> {
	const { budget, phases } = run;
	const step = `search site ${url} ${words}`;
	const noted = parts.notes.read(step);
	if (isRecord(noted) && Array.isArray(noted.links)) return noted.links as SearchResult[];
	try {
		return await phases.race(async () => {
			await budget.reserveCredits(MAP_CREDITS, MAP_CREDITS, run.question.leastPageCredits);
			const answer = await parts.mapSite(url, words).catch((error: unknown) => {
				budget.failCredits(MAP_CREDITS, error);
				throw error;
			});
			budget.settleCredits(MAP_CREDITS, answer.creditsUsed);
			const links = answer.results.slice(0, MOST_LINKS);
			parts.notes.write(step, { links });
			return links;
		}, phases.reading);
	} catch (error) {
		phases.throwIfStopped();
		if (error instanceof LimitReached) run.keepLimit(error);
		else {
			run.keepRefusal(error);
			run.warnings.push(`The pages of ${siteOf(url)} could not be listed: ${reasonText(error)}`);
		}
		return [];
	}
}

const MOST_LINKS = 500;

/** So many links are shown to the model, each so long. */
const SHOWN_LINKS = 200;
const MAX_LINK = 120;

/** The pages that the model chooses by their addresses and titles, in whatever language; those of code where it does not. */
async function chooseLinks(
	run: RunState,
	row: Row,
	open: ReadonlySet<number>,
	links: readonly SearchResult[],
): Promise<SearchResult[]> {
	const shown = links.slice(0, SHOWN_LINKS);
	const lines = shown.map(({ url, title }, index) => {
		const { pathname, search } = new URL(url);
		return `${index + 1}. ${cutAt(`${pathname}${search} ${plainStatement(title)}`.trim(), MAX_LINK)}`;
	});
	const user = [
		`The subject: ${row.subject}`,
		'The columns:',
		...columnLines(row.columns, open),
		`\nAt most ${SITE_PAGES} of these pages:\n${run.model.asData(lines.join('\n'))}`,
	].join('\n');
	try {
		const ask = { step: `links ${keyOf(user)}`, role: 'reading', system: PROMPTS.chooseLinks, user } as const;
		const numbers = await run.model.askFor(ask, (text) => {
			const [given] = jsonObjects(text).filter(({ pages }) => Array.isArray(pages));
			return given && readNumbers(given.pages);
		});
		const chosen = [...new Set(numbers ?? [])].flatMap((number) => shown[number - 1] ?? []);
		return chosen.length > 0 ? chosen : [...links];
	} catch (error) {
		run.phases.throwIfStopped();
		if (error instanceof LimitReached) run.keepLimit(error);
		else unansweredOrThrow(error);
		return [...links];
	}
}

/**
 * The web, for the columns that are still empty: at most so many rounds, until none is. Where the first one finds a site
 * that is called like the subject, the second one reads its pages.
 */
async function readWeb(run: RunState, row: Row, parts: RowParts): Promise<void> {
	const { question, pool } = run;
	let isSiteRead = row.website !== '';
	while (run.round < question.maxRounds) {
		const open = openColumns(run, row);
		run.round += 1;
		if (open.size === 0 || run.limit !== undefined || !mayRead(run)) return;
		const site = isSiteRead ? undefined : siteOfSubject(run, row);
		if (site !== undefined) {
			isSiteRead = true;
			await readPagesOf(run, row, site, parts);
			continue;
		}
		const queries = queriesFor(row, open).filter((query) => !run.used.has(query.toLowerCase()));
		await searchWeb(run, queries);
		const left = question.maxPages - run.pagesTaken;
		const pages = pool.take(pagesOfRound(left, question.maxRounds - run.round + 1));
		if (pages.length === 0) return;
		await readFor(run, row, open, pages);
	}
}

/** The first page of a site that is called like the subject, among those that were read. */
function siteOfSubject(run: RunState, { subject }: Row): string | undefined {
	const page = [...run.pages.keys()].find((url) => isCalledLike(url, subject));
	return page === undefined ? undefined : new URL('/', page).href;
}

/** Columns of one search, and searches of one round: each search costs. */
const COLUMNS_OF_QUERY = 3;
const MOST_QUERIES = 3;
const MAX_QUERY = 200;

function queriesFor({ subject, columns }: Row, open: ReadonlySet<number>): string[] {
	const wanted = columns.filter((_column, index) => open.has(index + 1));
	const groups: Column[][] = [];
	for (let at = 0; at < wanted.length && groups.length < MOST_QUERIES; at += COLUMNS_OF_QUERY) {
		groups.push(wanted.slice(at, at + COLUMNS_OF_QUERY));
	}
	return groups.map((group) => cutAt(plainQuery(`${subject} ${searchWords(group)}`), MAX_QUERY));
}

/** A description of a few words says more than a name such as `hq`. */
const SHORT_DESCRIPTION = 40;

function searchWords(columns: readonly Column[]): string {
	return columns
		.map(({ name, description }) =>
			description !== '' && description.length <= SHORT_DESCRIPTION ? description : spacedName(name),
		)
		.join(' ');
}

/** A query without what a search takes for an operator: quotation marks, `site:`, signs before words. */
function plainQuery(text: string): string {
	return plainStatement(text)
		.replace(/["“”„«»]/g, ' ')
		.replace(/\b[a-z]{2,12}:(?=\S)/gi, ' ')
		.replace(/(?<!\S)[-+|~*]+(?=\S)/g, '')
		.replace(/\b(?:OR|AND|NOT)\b/g, ' ')
		.replace(/\s+/g, ' ')
		.trim();
}
