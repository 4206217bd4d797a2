import { fillRow } from '../../../nodes/research/fillRow';
import type { FilledRow } from '../../../nodes/research/fillRow';
import type { KnownRow } from '../../../nodes/research/row/cellHistory';
import { QUESTION } from './world.ts';
import { COLUMNS, firmBy, worldOf } from './rowWorld.ts';
import type { Firm, ReaderKind, RowJudge } from './rowWorld.ts';

/** What is true of the news of one row in one week. */
interface Moved {
	column: string;
	change: 'changed' | 'filled' | 'gone';
	before?: unknown;
	now?: unknown;
}

/** A firm that is watched, and what moves there. */
interface Watched {
	firm: Firm;
	known: KnownRow | 'none';
	/** Its website does not answer this week, or says that it is being repaired. */
	isDown: boolean;
	isRepaired?: boolean;
	/** An offer that went, and what it was. */
	offer?: { column: string; value: unknown };
}

/** All that twelve weeks came to. */
export interface WeeksOutcome {
	right: number;
	/** True values that earlier runs have overlooked. */
	late: number;
	missed: string[];
	/** Told without having happened, or a second time. */
	wrong: string[];
	/** An earlier value of another firm. */
	inherited: number;
	first: { tokens: number; credits: number };
	/** The mean of weeks in which nothing moved. */
	quiet: { tokens: number; credits: number; weeks: number };
	/** Of one in which pages have changed, and no value. */
	restless: { tokens: number; credits: number };
	/** Rows of the history as JSON. */
	histories: KnownRow[];
}

const WEEK_MS = 7 * 24 * 3_600_000;

/** The page of the firm's own site that says a column, and its words. */
function placeOf(firm: Firm, column: string) {
	return firm.said.find((one) => one.column === column && one.lie === undefined && one.url.startsWith(firm.website));
}

/** Puts another value in the place of one, or none. */
function setFact(firm: Firm, column: string, value: unknown): void {
	const place = placeOf(firm, column);
	if (!place) return;
	const quote = value === null ? '' : firm.say(column, value);
	firm.pages[place.url] = (firm.pages[place.url] ?? '').replace(place.quote, quote === '' ? '(no offer)' : quote);
	place.quote = quote === '' ? '(no offer)' : quote;
	place.value = value === null ? null : column === 'price' ? `${String(value)} EUR` : value;
	firm.truth[column] = value;
}

/** One firm in one week. */
async function look(
	watched: Watched,
	week: number,
	{ reader, judge, random, isQuietWeek }: WeekSettings & { isQuietWeek: boolean },
): Promise<FilledRow> {
	const { firm, isDown, known } = watched;
	const world = worldOf(firm, reader, judge, random);
	if (!isQuietWeek) {
		// Something else is new on some pages.
		for (const url of Object.keys(firm.pages)) {
			const text = (firm.pages[url] ?? '').replace(/\n\nVisitors so far: \d+\.$/, '');
			firm.pages[url] =
				random() < 0.4 ? `${text}\n\nVisitors so far: ${1000 * week + Math.floor(random() * 900)}.` : text;
		}
	}
	if (isDown) {
		if (watched.isRepaired === true) {
			const page = world.page.bind(world);
			world.page = (url) =>
				url.startsWith(firm.website)
					? { ...page(url), title: 'Back soon', markdown: '# Back soon\n\nWe repair this page.' }
					: page(url);
		} else
			world.beforeCall = (kind, what) => {
				if (kind === 'scrape' && what.startsWith(firm.website)) throw new Error('The site answered 503.');
			};
	}
	const today = new Date(Date.UTC(2026, 2, 2) + week * WEEK_MS).toISOString().slice(0, 10);
	const question = { ...QUESTION, today, query: firm.subject, maxPages: 6, maxRounds: 2, timeLimitMs: 90_000 };
	const row = { subject: firm.subject, website: firm.website, columns: COLUMNS };
	return await world.clock.until(fillRow(row, question, world.parts, known));
}

interface WeekSettings {
	reader: ReaderKind;
	judge: RowJudge;
	random: () => number;
}

const MOVES = ['price', 'head_office', 'ceo', 'founded'] as const;

/** Twenty firms over twelve weeks: prices and seats that move, offers that go and return, a site that is down, a new firm. */
export async function twelveWeeks(settings: WeekSettings, firms = 20): Promise<WeeksOutcome> {
	const { random } = settings;
	const table = Array.from({ length: firms }, (): Watched => ({
		firm: firmBy(random, 40),
		known: 'none',
		isDown: false,
	}));
	const outcome: WeeksOutcome = {
		...{ right: 0, late: 0, missed: [], wrong: [], inherited: 0 },
		first: { tokens: 0, credits: 0 },
		quiet: { tokens: 0, credits: 0, weeks: 0 },
		restless: { tokens: 0, credits: 0 },
		histories: [],
	};
	for (let week = 0; week < 12; week += 1) {
		const isQuietWeek = week === 3 || week === 8;
		if (week === 5 && table[0]) table[0] = { firm: firmBy(random, 40), known: 'none', isDown: false };
		// Rows in another order: the history does not go by place.
		table.sort(() => random() - 0.5);
		for (const watched of table) {
			const { firm } = watched;
			const moved: Moved[] = [];
			watched.isDown = week === 6 && table.indexOf(watched) < 3;
			watched.isRepaired = table.indexOf(watched) > 0;
			if (week > 0 && watched.known !== 'none' && !isQuietWeek && week !== 9 && !watched.isDown)
				moveOne(watched, moved, random);
			const row = await look(watched, week, { ...settings, isQuietWeek });
			if (row.news) {
				compare(outcome, row, moved, firm, week);
				watched.known = JSON.parse(JSON.stringify(row.news.history)) as KnownRow;
			} else if (!watched.isDown) outcome.wrong.push(`${firm.subject}, week ${week}: ${row.status} ${row.why ?? ''}`);
			const cost = { tokens: row.usage.inputTokens + row.usage.outputTokens, credits: row.usage.creditsUsed };
			const to = week === 0 ? outcome.first : isQuietWeek ? outcome.quiet : week === 9 ? outcome.restless : undefined;
			if (to) {
				to.tokens += cost.tokens;
				to.credits += cost.credits;
			}
		}
		if (isQuietWeek) outcome.quiet.weeks += 1;
	}
	outcome.histories = table.flatMap(({ known }) => (known === 'none' ? [] : [known]));
	return outcome;
}

/** Says a value in other words, or on another page of the firm: nothing has moved. */
function restate(firm: Firm, random: () => number): void {
	const column = ['head_office', 'ceo', 'founded'][Math.floor(random() * 3)] ?? 'ceo';
	const place = placeOf(firm, column);
	if (!place || place.value === null) return;
	const quote = firm.say(column, place.value);
	const [page = ''] = Object.keys(firm.pages).filter(
		(url) => url.startsWith(firm.website) && url !== place.url && firm.said.some((one) => one.url === url),
	);
	if (random() < 0.5 || page === '') {
		const told = `As we said before: ${quote}`;
		firm.pages[place.url] = (firm.pages[place.url] ?? '').replace(place.quote, told);
		place.quote = told;
		return;
	}
	firm.pages[place.url] = (firm.pages[place.url] ?? '').replace(place.quote, 'See elsewhere.');
	firm.pages[page] += `\n\n${quote}`;
	Object.assign(place, { url: page, quote });
}

/** Moves something of a firm by chance: at most one thing a week. */
function moveOne(watched: Watched, moved: Moved[], random: () => number): void {
	const { firm, known } = watched;
	if (known === 'none') return;
	if (watched.offer && random() < 0.5) {
		const { column, value } = watched.offer;
		setFact(firm, column, value);
		moved.push({ column, change: 'filled', now: value });
		delete watched.offer;
		return;
	}
	if (random() < 0.25) restate(firm, random);
	const chance = random();
	if (chance < 0.1 && !watched.offer && known.cells.free_trial && placeOf(firm, 'free_trial')) {
		watched.offer = { column: 'free_trial', value: firm.truth.free_trial };
		moved.push({ column: 'free_trial', change: 'gone', before: firm.truth.free_trial });
		setFact(firm, 'free_trial', null);
		return;
	}
	const column = MOVES[Math.floor(random() * MOVES.length)] ?? 'price';
	if (chance > 0.45 || !known.cells[column] || !placeOf(firm, column)) return;
	const before = firm.truth[column];
	const now = typeof before === 'number' ? before + 1 + Math.floor(random() * 5) : `${String(before)}stad`;
	setFact(firm, column, now);
	moved.push({ column, change: 'changed', before, now });
}

function compare(
	outcome: WeeksOutcome,
	{ news }: FilledRow,
	moved: readonly Moved[],
	{ truth, subject }: Firm,
	week: number,
): void {
	const where = `${subject}, week ${week}`;
	if (!news || news.isFirst) return;
	for (const { column, change, before, now } of news.changes) {
		const is = moved.find((one) => one.column === column.name && one.change === change);
		const isRight =
			is && (is.before === undefined || is.before === before?.value) && (is.now === undefined || is.now === now?.value);
		if (isRight) outcome.right += 1;
		// What was overlooked before, and is true.
		else if (change === 'filled' && now?.value === truth[column.name]) outcome.late += 1;
		else {
			const said = JSON.stringify({
				column: column.name,
				change,
				before: before?.value,
				now: now?.value,
				from: now?.source,
			});
			outcome.wrong.push(`${where}: ${said}`);
		}
	}
	for (const one of moved) {
		const isTold = news.changes.some(({ column, change }) => column.name === one.column && change === one.change);
		if (!isTold) outcome.missed.push(`${where}: ${JSON.stringify(one)} ${JSON.stringify(news.unchecked)}`);
	}
}
