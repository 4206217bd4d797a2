import { keyOf, pageKey } from '../text/addresses';
import { cutAt } from '../text/ends';
import { spacedName } from '../text/jsonPaths';
import { plainStatement, wordsOf } from '../text/pageText';
import { isRecord } from '../text/values';
import { mayRead } from './collect';
import type { SearchResult } from './contract/parts';
import { jsonObjects, readNumbers } from './model/answers';
import { LimitReached } from './model/budget';
import { unansweredOrThrow } from './model/modelCaller';
import { PROMPTS } from './model/prompts';
import { columnLines } from './row/columns';
import type { Column } from './row/columns';
import { isOwnPage } from './row/subject';
import { openColumns, readFor } from './rowWork';
import type { RowWork } from './rowWork';
import { reasonText } from './runState';
import { isWanted, oneLine, siteOf } from './select';
import type { Candidate } from './select';

/** Pages of the subject's own site besides its first one. */
const SITE_PAGES = 4;

/** What a map costs. */
export const MAP_CREDITS = 1;

/** The subject's own site: its page, and of its other pages those that most likely have what is missing. */
export async function readSite(work: RowWork): Promise<void> {
	const { run } = work;
	const { website } = work.row;
	run.round = 1;
	const before = [...run.pages.keys()];
	const key = pageKey(website);
	if (!before.some((url) => pageKey(url) === key)) {
		run.pool.leaveOut([key]);
		await readFor(work, openColumns(work), [{ url: website, key, title: '', description: '', isNamed: true }]);
	}
	const answered = [...run.pages.keys()].find((url) => !before.includes(url));
	const found = answered ?? before.find((url) => isOwnPage(url, website));
	// Where no page of it can be read, its other ones hardly can.
	if (found !== undefined) await readPagesOf(work, siteBehind(found, website));
}

/** The site that a page of it was read of: as it was given, unless its address leads to another one. */
function siteBehind(found: string, website: string): string {
	if (isOwnPage(found, website)) return website;
	return new URL(website).pathname === '/' ? new URL('/', found).href : found;
}

/** Of a site, by its address, the pages that most likely have what is missing. */
export async function readPagesOf(work: RowWork, site: string): Promise<void> {
	const { run } = work;
	const open = openColumns(work);
	if (open.size === 0 || !mayRead(run)) return;
	const links = await linksOf(work, site, open);
	const left = run.question.maxPages - run.pagesTaken;
	const most = Math.min(SITE_PAGES, left);
	const chosen = links.length > most ? await chooseLinks(work, open, links) : links;
	const pages = chosen.slice(0, most).map((link): Candidate => {
		return { url: link.url, key: pageKey(link.url), title: oneLine(link.title), description: '', isNamed: true };
	});
	run.pool.leaveOut(pages.map(({ key }) => key));
	if (pages.length > 0) await readFor(work, open, pages);
}

/** The other pages of the site that may be read, those first that share words with the columns, and short addresses. */
async function linksOf(work: RowWork, site: string, open: ReadonlySet<number>): Promise<SearchResult[]> {
	const { run, row } = work;
	const wanted = row.columns.filter((_column, index) => open.has(index + 1));
	const words = wordsOf(wanted.map(({ name, description }) => `${spacedName(name)} ${description}`).join(' '));
	const all = await mapOnce(work, site, searchWords(wanted));
	const seen = new Set([...run.pages.keys(), row.website].map(pageKey));
	const score = ({ url, title, description }: SearchResult) => {
		const own = wordsOf(`${url} ${title} ${description}`.replace(/[/_-]/g, ' '));
		return [...words].filter((word) => own.has(word)).length;
	};
	return all
		.filter(({ url }) => {
			const key = pageKey(url);
			const isNew = siteOf(url) !== '' && isOwnPage(url, site) && isWanted(url, run.question) && !seen.has(key);
			seen.add(key);
			return isNew;
		})
		.map((link, rank) => ({ link, rank, score: score(link), depth: link.url.split('/').length }))
		.sort((one, other) => other.score - one.score || one.depth - other.depth || one.rank - other.rank)
		.map(({ link }) => link);
}

/** The pages of a site; from the notes where they were asked for before. None where that fails, which is said. */
async function mapOnce({ run, parts }: RowWork, url: string, words: string): Promise<SearchResult[]> {
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
			run.unread.set(url, 'service');
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
	{ run, row }: RowWork,
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

/** A description of a few words says more than a name such as `hq`. */
const SHORT_DESCRIPTION = 40;

export function searchWords(columns: readonly Column[]): string {
	return columns
		.map(({ name, description }) =>
			description !== '' && description.length <= SHORT_DESCRIPTION ? description : spacedName(name),
		)
		.join(' ');
}
