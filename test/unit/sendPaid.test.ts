/**
 * The specification of money: what becomes of something that may cost, by the way in which it is sent, what the service
 * answers, what its lists show by then, and what stands beside it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foretell, playCall, playPaid, timeOfPage } from './paidPlay.ts';
import type { Called, Policy } from './paidPlay.ts';

type Row = [
	/** The way in which it is sent; several things beside one another are divided by `|`. */
	way: string,
	/**
	 * What the service answers, one for each request: an id, a status, or a word. `lost a`: it has begun a, and nobody
	 * is told; `lost`: nothing has arrived. `was a`: an earlier try has begun a. `at 6 s`: it is sent that much later.
	 */
	answers: string,
	/** What its lists show besides what it has done, and how they are: see playPaid. */
	lists: string,
	/** Requests that may cost. */
	sent: number,
	/**
	 * What the journal is told. `lost`: its answer is; `again`: it is sent once more, which may be paid twice; `refused`:
	 * it has begun nothing; `kept`: it has begun nothing, but one before it is still open.
	 */
	noted: string,
	/** What comes out. `open`: nobody knows whether it was done. */
	out: string,
	/** The row of docs/reference/WHAT-HAPPENS-WHEN.md that it was written from: how its first cell begins. */
	page: string,
];

const REFUSED = 'the service refuses a start (400';
const LOST = 'the answer to a start is lost or unusable';
const SEVERAL = '… and more than one job in the list may be it';
const AGAIN = '… and If Start Is Uncertain is Start Again';
const SECOND_REFUSED = '… and the second start is refused';
const KILLED = 'n8n is killed while the node starts jobs';
const TWO_LOST = '… and another start for the same is lost, too';
const SCRAPE = 'the answer to a scrape is lost';
const OPENING = 'the answer to an opening is lost';
const TOOL = 'the answer is lost, or the service is down for a moment';

/** Something is sent for the first time, and is not sent again by itself. */
const FIRST: Row[] = [
	['a start', '400', '', 1, 'sent refused', 'failed 400', REFUSED],
	['a start', '401', '', 1, 'sent refused', 'failed 401', REFUSED],
	['a start', '402', '', 1, 'sent refused', 'failed 402', REFUSED],
	['a start', '403', '', 1, 'sent refused', 'failed 403', REFUSED],
	['a check', 'busy b', '', 1, 'sent b', 'b joined', 'a check of the monitor runs already (409)'],
	['a start', '429, 429, a', '', 3, 'sent refused sent refused sent a', 'a answered', 'too many starts a minute'],
	['a start', 'nobody, a', '', 2, 'sent refused sent a', 'a answered', 'the service cannot be reached'],
	['a start', 'lost a', '', 1, 'sent lost a', 'a by options', LOST],
	['a start', '500 a', '', 1, 'sent lost a', 'a by options', LOST],
	['a start', '408 a', '', 1, 'sent lost a', 'a by options', LOST],
	['a start', 'no id a', '', 1, 'sent lost a', 'a by options', 'the answer holds no usable id'],
	['a start', '429, lost a', '', 2, 'sent refused sent lost a', 'a by options', LOST],
	['a start', 'lost a', '12 s late', 1, 'sent lost a', 'a by options', LOST],
	['a start', 'lost a', 'x', 1, 'sent lost', 'open: one of a x', SEVERAL],
	['a start', 'lost a', 'x of limit 9', 1, 'sent lost a', 'a by options', '… and a listed crawl of the same address'],
	['a start', 'lost', 'x of limit 9', 1, 'sent lost', 'open: not there', '… and a listed crawl of the same address'],
	['a start', 'lost', 'x of limit 3', 1, 'sent lost x', 'x by time', '… and only the limit of a listed crawl'],
	['a research', 'lost a', '', 1, 'sent lost a', 'a by time', '… and the list shows address and time only'],
	['a research', 'lost a', 'other, in parts, 12 s late', 1, 'sent lost a', 'a by time', LOST],
	['a start', 'lost', 'known x', 1, 'sent lost', 'open: not there', '… and the list does not have it'],
	['a start', 'lost', '', 1, 'sent lost', 'open: not there', '… and the list does not have it'],
	['a start', 'lost', 'running only', 1, 'sent lost', 'open: not listed', '… and only running crawls are listed'],
	['a start', 'lost a', 'no lists', 1, 'sent lost', 'open: no list', '… and the service has no list'],
	['a start', 'lost a', 'broken', 1, 'sent lost', 'open: unknown', '… and the service has no list'],
	['a start', 'stopped a', '', 1, 'sent lost', 'open: not looked for', 'you press Stop while jobs are being started'],
];

/** The first is lost, and a second one is wanted where it is not found. */
const ONCE_MORE: Row[] = [
	['Start Again', 'lost a', '', 1, 'sent lost a', 'a by options', LOST],
	['Start Again', 'lost a', 'x', 1, 'sent lost', 'open: one of a x', SEVERAL],
	['Start Again', 'lost, b', '', 2, 'sent lost again sent b', 'b answered', AGAIN],
	['Start Again', 'lost a, b', 'no lists', 2, 'sent lost again sent b', 'b answered', AGAIN],
	['Start Again', 'lost, lost', '', 2, 'sent lost again sent lost', 'open: not there', AGAIN],
	['Start Again', 'lost, lost b', '', 2, 'sent lost again sent lost b', 'b by options', AGAIN],
	['Start Again', 'lost a, 402', '20 s late', 2, 'sent lost again sent kept', 'open: 402, not there', SECOND_REFUSED],
	['Start Again', 'lost, 400', '', 2, 'sent lost again sent kept', 'open: 400, not there', SECOND_REFUSED],
	['Start Again', 'lost, 401', '', 2, 'sent lost again sent kept', 'open: 401, not there', SECOND_REFUSED],
	['Start Again', 'lost, 429, b', '', 3, 'sent lost again sent kept sent b', 'b answered', AGAIN],
	['Start Again', 'lost, nobody, b', '', 3, 'sent lost again sent kept sent b', 'b answered', AGAIN],
	['Start Again, no room', 'lost', '', 1, 'sent lost', 'open: not there', '… but both may cost more than Max Credits'],
];

/** An earlier try may have sent it. */
const BEFORE: Row[] = [
	['after a kill', 'was a', '', 0, 'a', 'a by options', KILLED],
	['after a kill', 'b', '', 1, 'sent b', 'b answered', KILLED],
	['after a kill', '402', '', 1, 'sent refused', 'failed 402', REFUSED],
	['after a kill', 'lost b', '', 1, 'sent lost b', 'b by options', LOST],
	['after a kill', 'lost', '', 1, 'sent lost', 'open: not there', '… and the list does not have it'],
	['after a kill', 'was a', 'x', 0, '', 'open: one of a x', '… and the service has no list, or several jobs may be it'],
	['after a kill', '', 'no lists', 0, '', 'open: no list', '… and the service has no list, or several jobs may be it'],
	['after a kill', '', 'broken', 0, '', 'open: unknown', '… and the list cannot be read for the 15 s'],
	['after a kill', '', 'running only', 0, '', 'open: not listed', '… and the service has no list, or several'],
	['after a kill', '', 'hidden', 0, '', 'open: not listed', '… and the service has no list, or several'],
	['after a kill, Start Again', '402', 'running only', 1, 'again sent kept', 'open: 402, not listed', SECOND_REFUSED],
	['after a kill, other account', '', '', 0, '', 'open: not listed', '… and the key has changed since'],
	['after a kill, other account', 'was a', '', 0, 'a', 'a by options', '… and the key has changed since'],
	['lost before', 'was a', '', 0, 'a', 'a by options', '… and you retry'],
	['lost before', '', '', 0, '', 'open: not there', '… and the list does not have it'],
	['lost before, Start Again', 'b', '', 1, 'again sent b', 'b answered', AGAIN],
	['lost before, Start Again', '402', '', 1, 'again sent kept', 'open: 402, not there', SECOND_REFUSED],
];

/** Several are on their way, or lost. */
const BESIDE: Row[] = [
	['a start|a start', 'lost a|lost b', '', 2, 'sent lost a | sent lost b', 'a by options | b by options', LOST],
	['a start|a start', 'lost a|lost', '', 2, 'sent lost a | sent lost', 'a by options | open: not there', TWO_LOST],
	['a research|a research', 'lost a|lost', '', 2, 'sent lost a | sent lost', 'a by time | open: not there', TWO_LOST],
	['a research|a research', 'lost a|lost b', '', 2, 'sent lost a | sent lost b', 'a by time | b by time', LOST],
	['a research|a research', 'lost a|lost b', '8 s late', 2, 'sent lost a | sent lost b', 'a by time | b by time', LOST],
	// The second list shows the first one only, which the first thing is known to have.
	['a start|a start', 'a|lost', '', 2, 'sent a | sent lost', 'a answered | open: not there', '… and the list does not'],
	[
		'a start|a larger start',
		'lost|lost',
		'x',
		2,
		'sent lost | sent lost',
		'open: one of x | open: one of x',
		'… and only the limit of a listed crawl',
	],
	// The second fits the younger job alone, so that the older one is the first's.
	[
		'a start|a start',
		'lost a|at 6 s, lost b',
		'9 s late',
		2,
		'sent lost a | sent lost b',
		'a by options | b by options',
		LOST,
	],
	[
		'a research|a research',
		'lost a|at 6 s, lost b',
		'8 s late',
		2,
		'sent lost a | sent lost b',
		'a by time | b by time',
		LOST,
	],
	// One that was stopped on its way stands in nobody's way afterwards.
	[
		'a start|a start',
		'stopped|at 6 s, lost b',
		'',
		2,
		'sent lost | sent lost b',
		'open: not looked for | b by options',
		'you press Stop while jobs are being started',
	],
];

/** Single requests. */
const CALLS: Row[] = [
	['a scrape', 'lost a', 'kept', 1, 'sent lost a', 'a by time', SCRAPE],
	['a scrape', 'lost a', '', 1, 'sent lost', 'open: a without its result', SCRAPE],
	['a scrape', 'lost', '', 1, 'sent lost', 'open: not there', '… and it is not listed'],
	['a scrape', '500 a', 'kept', 1, 'sent lost a', 'a by time', SCRAPE],
	['a scrape', 'page failed', '', 1, 'sent', 'failed 500', SCRAPE],
	[
		'a scrape',
		'works on, works on, works on, works on, works on, works on',
		'',
		6,
		'sent sent sent sent sent sent',
		'failed 408',
		'a scrape takes longer than an answer may (408)',
	],
	['a map', 'lost', '', 1, 'sent lost', 'open: not looked for', 'the answer to a map or a search is lost'],
	['a map', '429, done', '', 2, 'sent refused sent done', 'done answered', 'many executions scrape, search or map'],
	['a session', 'lost a, b', '', 2, 'sent lost again sent b', 'b answered', OPENING],
	['a session', 'lost a, lost b', '', 2, 'sent lost again sent lost', 'open: not looked for', '… twice for the same'],
	[
		'a session',
		'lost a, 402',
		'',
		2,
		'sent lost again sent kept',
		'open: 402, not looked for',
		'… and the second is refused',
	],
	[
		'a session, no room',
		'lost a',
		'',
		1,
		'sent lost',
		'open: not looked for',
		'… and another could cost more than Max',
	],
	['a data tool', 'lost, done', '', 2, 'sent sent done', 'done answered', TOOL],
	['a data tool', '402', '', 1, 'sent refused', 'failed 402', 'it is refused before it ran'],
	[
		'a data tool',
		'lost, 402',
		'',
		2,
		'sent sent kept lost',
		'open: 402, not looked for',
		'… and what is sent again is refused',
	],
	[
		'a data tool',
		'lost, in flight, done',
		'',
		3,
		'sent sent sent done',
		'done answered',
		'… and Firecrawl says that the first',
	],
	['a data tool', 'unresolved', '', 1, 'sent lost', 'open: not looked for', '… and that it does not know its end'],
];

const RETRIED = '… and you retry, or Retry On Fail does';
const NOT_THERE = '… and the retry does not find it either';
const DEAR = '… and it may cost more than 10 credits, as Max Credits counts them';
const SENT_AGAIN = '… and what is sent again is refused (402)';
const SEVERAL_CALLS = '… and several listed scrapes may be it';
const CUT_OFF = 'n8n is killed while single requests are under way';
const LEFT = '… and one is not listed that may cost more than 10 credits, or several are listed';

/** Calls of a research that an earlier try may have sent. An X page or 100 results may cost more than 10 credits. */
const CALLS_BEFORE: Array<[way: Called, answers: string, lists: string, sent: number, out: string, page: string]> = [
	['a page, lost before', 'was a', 'kept', 0, 'done', RETRIED],
	['a page, lost before', 'was a, done', '', 1, 'done', NOT_THERE],
	['a page, lost before', 'was a, was b', 'kept', 0, 'open: several', SEVERAL_CALLS],
	['a page, lost before', 'done', '', 1, 'done', NOT_THERE],
	['a page, lost before', 'lost', '', 1, 'open: not there', NOT_THERE],
	['a page, lost before', 'done', 'broken', 1, 'done', NOT_THERE],
	['a page, lost before', 'done', 'no lists', 1, 'done', NOT_THERE],
	['a page, killed before', 'was a', 'kept', 0, 'done', CUT_OFF],
	['a page, killed before', 'was a, was b', 'kept', 0, 'open: several', LEFT],
	['a page, killed before', 'done', '', 1, 'done', CUT_OFF],
	['a dear page, lost before', 'was a', 'kept', 0, 'done', RETRIED],
	['a dear page, lost before', 'was a', '', 0, 'open: without its result', DEAR],
	['a dear page, lost before', 'done', '', 1, 'done', NOT_THERE],
	['a dear page, lost before', '', 'broken', 0, 'open: dear', DEAR],
	['a dear page, lost before', '', 'no lists', 0, 'open: dear', DEAR],
	['a dear page, killed before', 'done', '', 1, 'done', CUT_OFF],
	['a dear page, killed before', '', 'broken', 0, 'open: dear', LEFT],
	['a search, lost before', 'done', '', 1, 'done', NOT_THERE],
	// A refusal says nothing of the one before it.
	['a search, lost before', '402', '', 1, 'open: refused', SENT_AGAIN],
	['a search, killed before', 'done', '', 1, 'done', CUT_OFF],
	['a dear search, lost before', '', '', 0, 'open: dear', DEAR],
	['a dear search, killed before', '', '', 0, 'open: dear', LEFT],
];

const PAGE = readFileSync(join(__dirname, '../../docs/reference/WHAT-HAPPENS-WHEN.md'), 'utf8');

describe.each([
	['sent once', FIRST],
	['sent once more', ONCE_MORE],
	['that an earlier try may have sent', BEFORE],
	['beside others', BESIDE],
	['whose answer is all', CALLS],
])('something that may cost, %s', (_name, rows) => {
	it.each(rows)('%s: %s; lists: %s', async (way, answers, lists, sent, noted, out) => {
		const played = await playPaid(way.split('|') as Policy[], answers.split('|'), lists);
		expect({ ...played, said: undefined }).toEqual({ sent, noted, out, said: undefined });
	});

	it.each(rows.filter(([, answers]) => !/stopped|works on/.test(answers)))(
		'%s: %s; lists: %s; is decided so without a service',
		(way, answers, lists, sent, noted, out) => {
			const [scripts, notes, outs] = [answers.split('|'), noted.split(' | '), out.split(' | ')];
			const foretold = way
				.split('|')
				.map((one, index) => foretell(one as Policy, scripts[index] ?? '', lists, outs[index] ?? ''));
			expect(foretold.reduce((sum, one) => sum + one.sent, 0)).toBe(sent);
			expect(foretold.map(({ again }) => again)).toEqual(notes.map((note) => note.split('again').length - 1));
			const isOpen = (words: string) => words.startsWith('open') && !/^open: 4/.test(words);
			const ends = outs.map((words) => (/ by /.test(words) ? 'found' : isOpen(words) ? 'open' : 'answered'));
			expect(foretold.map((one) => one.ends)).toEqual(ends);
		},
	);

	it('stands in a row of the page', () => {
		expect(rows.flatMap(([, , , , , , page]) => (PAGE.includes(`\n| ${page}`) ? [] : [page]))).toEqual([]);
	});
});

describe('a call that an earlier try may have sent', () => {
	it.each(CALLS_BEFORE)('%s: %s; lists: %s', async (way, answers, lists, sent, out) => {
		const played = await playCall(way, answers, lists);
		expect({ ...played, said: undefined }).toEqual({
			sent,
			noted: answers === 'lost' ? 'lost' : '',
			out,
			said: undefined,
		});
	});

	it('stands in a row of the page', () => {
		expect(CALLS_BEFORE.flatMap(([, , , , , page]) => (PAGE.includes(`\n| ${page}`) ? [] : [page]))).toEqual([]);
	});
});

it('gives a page of a research the time that its own limit gives it', async () => {
	expect(await timeOfPage(200_000)).toBeGreaterThan(200_000);
});

it('says of a second start that is refused that the first was lost', async () => {
	const { said } = await playPaid(['Start Again'], ['lost, 402'], '');
	expect(said).toMatch(/broke before it answered.* It was sent once more, and refused: .*402/);
});
