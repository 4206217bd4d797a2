import { fillRow } from '../../../nodes/research/fillRow';
import type { FilledRow } from '../../../nodes/research/fillRow';
import type { ModelRequest } from '../../../nodes/research/contract/parts';
import type { Column } from '../../../nodes/research/row/columns';
import { QUESTION, World, dataIn } from './world.ts';
import type { Script } from './world.ts';

/** A firm with known truth: its pages and those of others, and what is true of each column. */
export interface Firm {
	subject: string;
	website: string;
	pages: Record<string, string>;
	titles: Record<string, string>;
	dates: Record<string, string>;
	/** By the name of each column; null for what stands nowhere. */
	truth: Record<string, unknown>;
	/** Which page says what, in which words: what is true, and what is true of another thing. */
	said: Said[];
	/** How its own pages say a value of a column. */
	say: (column: string, value: unknown) => string;
}

interface Said {
	url: string;
	column: string;
	value: unknown;
	quote: string;
	/** Undefined for what is true. */
	lie?: LieKind;
}

export type LieKind = 'another firm' | 'another row' | 'another plan' | 'another year' | 'another currency';

export const COLUMNS: Column[] = (
	[
		['head_office', 'town of the head office', 'text'],
		['founded', 'year of the foundation', 'number'],
		['ceo', 'who leads the firm today', 'text'],
		['price', 'price a month of the Starter plan, in euros', 'money'],
		['free_trial', 'whether there is a free trial', 'boolean'],
		['email', 'e-mail address for questions', 'email'],
		['profile', 'address of the profile on Tradebook', 'url'],
		['segment', 'what it makes', 'choice'],
	] as const
).map(([name, description, type]) => {
	return { name, description, type, choices: type === 'choice' ? ['Software', 'Hardware', 'Services'] : [] };
});

const STEMS = ['Acme', 'Brino', 'Calvera', 'Dorval', 'Elmstad', 'Fjordly', 'Granit', 'Halvor', 'Isarna', 'Juniper'];
const ENDS = ['', ' Tools', ' Werke', 'ix'];
const FORMS = ['', '', ' GmbH', ' Inc.', ' Ltd'];
const NEAR = ['Robotics', 'Logistics', 'Foods', 'Marine'];
const CITIES = ['Oslo', 'Lyon', 'Graz', 'Porto', 'Turin', 'Ghent', 'Bergen', 'Lucerne', 'Utrecht', 'Split'];
const PEOPLE = ['Mara Lind', 'Jonas Adeyemi', 'Ines Falk', 'Piet Aalders', 'Rana Holt', 'Tom Okafor', 'Lin Wei'];
const SEGMENTS = ['Software', 'Hardware', 'Services'];

type Words = Record<string, (name: string, value: unknown) => string>;

const ENGLISH: Words = {
	head_office: (name, value) => `The head office of ${name} is in ${value}.`,
	founded: (name, value) => `${name} was founded in ${value}.`,
	ceo: (name, value) => `${name} is led by ${value} as CEO.`,
	free_trial: (name, value) => `${value === true ? 'You can try it for free' : 'There is no free trial'} with ${name}.`,
	email: (_name, value) => `Questions? Write to ${value}.`,
	profile: (_name, value) => `Find us on [Tradebook](${value}).`,
	segment: (name, value) => `${name} makes ${String(value).toLowerCase()} for small firms.`,
};
const GERMAN: Words = {
	head_office: (name, value) => `Der Hauptsitz von ${name} ist in ${value}.`,
	founded: (name, value) => `${name} wurde ${value} gegründet.`,
	ceo: (name, value) => `Geschäftsführung von ${name}: ${value}.`,
	free_trial: (name, value) => `${name} bietet ${value === true ? 'eine kostenlose Testphase' : 'keine Testphase'} an.`,
	email: (_name, value) => `Fragen an ${value}.`,
	profile: (_name, value) => `Wir auf [Tradebook](${value}).`,
	segment: (name, value) => `${name}: Wir machen ${GERMAN_SEGMENTS[String(value)]} für kleine Firmen.`,
};
const GERMAN_SEGMENTS: Record<string, string> = { Software: 'Programme', Hardware: 'Geräte', Services: 'Dienste' };

const pick = <T>(random: () => number, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
const slug = (name: string) => name.toLowerCase().replace(/\W+/g, '-');
const MENU = Array.from({ length: 40 }, (_one, at) => `- Link ${at} to another matter of the site`).join('\n');

/** One firm by chance. `pages`: how many its own site has. */
export function firmBy(random: () => number, pages = 200): Firm {
	const name = `${pick(random, STEMS)}${pick(random, ENDS)}`;
	const near = `${name} ${pick(random, NEAR)}`;
	const isGerman = random() < 0.4;
	const words = isGerman ? GERMAN : ENGLISH;
	// Some sites are not called like their firm.
	const host = `https://www.${slug(name)}${random() < 0.25 ? '-online' : ''}.example`;
	const nearHost = `https://${random() < 0.5 ? slug(near) : slug(near).replace('-', '')}.example`;
	const [city, otherCity, oldCity] = [...CITIES].sort(() => random() - 0.5);
	const [ceo, otherCeo, oldCeo] = [...PEOPLE].sort(() => random() - 0.5);
	const year = 1950 + Math.floor(random() * 60);
	const price = 5 + Math.floor(random() * 20);
	const facts: Record<string, { is: unknown; other: unknown }> = {
		head_office: { is: city, other: otherCity },
		founded: { is: year, other: year + 8 },
		ceo: { is: ceo, other: otherCeo },
		free_trial: { is: random() < 0.5, other: true },
		email: { is: `hello@${slug(name)}.example`, other: `info@${slug(near)}.example` },
		profile: {
			is: `https://tradebook.example/firms/${slug(name)}-${year}`,
			other: `https://tradebook.example/firms/${slug(near)}-${year}`,
		},
		segment: { is: pick(random, SEGMENTS), other: pick(random, SEGMENTS) },
	};
	const truth: Record<string, unknown> = {};
	const said: Said[] = [];
	const texts: Record<string, string> = {};
	const titles: Record<string, string> = {};
	const dates: Record<string, string> = {};
	const paths = isGerman
		? ['ueber-uns', 'impressum', 'preise', 'produkte']
		: ['about', 'contact', 'pricing', 'products'];
	const placeOf: Record<string, number> = {
		head_office: 0,
		founded: 0,
		ceo: 1,
		email: 1,
		profile: 1,
		price: 2,
		free_trial: 2,
		segment: 3,
	};
	const add = (url: string, title: string, text: string) => {
		texts[url] = `${texts[url] === undefined ? `# ${title}` : texts[url]}\n\n${text}`;
		titles[url] ??= title;
	};
	add(`${host}/`, `${name} – ${isGerman ? 'Willkommen' : 'Welcome'}`, MENU);
	for (const path of paths) add(`${host}/${path}`, `${path} | ${name}`, isGerman ? 'Herzlich willkommen.' : 'Hello.');
	for (const [column, { is }] of Object.entries(facts)) {
		const isThere = random() > 0.2;
		truth[column] = isThere ? is : null;
		if (!isThere) continue;
		const url = `${host}/${paths[placeOf[column] ?? 0]}`;
		const quote = words[column]?.(name, is) ?? '';
		add(url, '', quote);
		said.push({ url, column, value: is, quote });
	}
	// Prices: two currencies, and a plan beside the one that is asked for. The page does not name its firm.
	const hasPrice = random() > 0.2;
	truth.price = hasPrice ? price : null;
	const priceUrl = `${host}/${paths[2]}`;
	const head = isGerman
		? ['Tarif', 'Preis im Monat (EUR)', 'Preis im Monat (USD)']
		: ['Plan', 'Price a month (EUR)', 'Price a month (USD)'];
	const rows = [...(hasPrice ? [`Starter | ${price} | ${price + 3}`] : []), `Pro | ${price + 30} | ${price + 41}`];
	add(priceUrl, '', [`| ${head.join(' | ')} |`, '| --- | --- | --- |', ...rows.map((row) => `| ${row} |`)].join('\n'));
	if (hasPrice) said.push({ url: priceUrl, column: 'price', value: `${price} EUR`, quote: rows[0] ?? '' });
	said.push({
		url: priceUrl,
		column: 'price',
		value: `${price + 30} EUR`,
		quote: rows.at(-1) ?? '',
		lie: 'another plan',
	});
	if (hasPrice) {
		said.push({
			url: priceUrl,
			column: 'price',
			value: `${price + 3} EUR`,
			quote: rows[0] ?? '',
			lie: 'another currency',
		});
	}
	for (let at = Object.keys(texts).length; at < pages; at += 1) {
		add(`${host}/${isGerman ? 'beitrag' : 'post'}/${at}`, `${isGerman ? 'Beitrag' : 'Post'} ${at} | ${name}`, MENU);
	}
	// A firm of nearly the same name.
	for (const [column, { other }] of Object.entries(facts)) {
		const quote = ENGLISH[column]?.(random() < 0.5 ? near : name, other) ?? '';
		add(`${nearHost}/`, near, quote);
		said.push({ url: `${nearHost}/`, column, value: other, quote, lie: 'another firm' });
	}
	add(`${nearHost}/`, near, `${near} makes good things.`);
	// A list of firms, as a table and with a heading each.
	const list = 'https://directory.example/firms';
	const listed: Array<[string, unknown, unknown]> = [
		[name, truth.head_office, truth.founded],
		[near, otherCity, year + 8],
		['Ottoli', oldCity, year + 17],
	];
	add(list, 'Firms of the region', '| Firm | Head office | Founded |\n| --- | --- | --- |');
	texts[list] += listed.map(([firm, town, since]) => `\n| ${firm} | ${town ?? ''} | ${since ?? ''} |`).join('');
	for (const [firm, town, since] of listed) {
		const row = `${firm} | ${town ?? ''} | ${since ?? ''}`;
		const lie = firm === name ? {} : { lie: 'another row' as const };
		if (town !== null) said.push({ url: list, column: 'head_office', value: town, quote: row, ...lie });
		if (since !== null) said.push({ url: list, column: 'founded', value: since, quote: row, ...lie });
	}
	const profiles = 'https://profiles.example/leaders';
	add(profiles, 'Who leads whom', `## ${name}\n\nA firm of the region.`);
	add(profiles, '', `## Ottoli\n\nThe firm is led by ${oldCeo} as CEO.`);
	said.push({
		url: profiles,
		column: 'ceo',
		value: oldCeo,
		quote: `The firm is led by ${oldCeo} as CEO.`,
		lie: 'another row',
	});
	// An old page, with what was true then.
	const old = 'https://news.example/2014/old';
	add(old, 'Portrait of a firm', `${name} is led by ${oldCeo} as CEO. The head office of ${name} is in ${oldCity}.`);
	dates[old] = '2014-05-01T00:00:00Z';
	said.push({
		url: old,
		column: 'ceo',
		value: oldCeo,
		quote: `${name} is led by ${oldCeo} as CEO.`,
		lie: 'another year',
	});
	said.push({
		url: old,
		column: 'head_office',
		value: oldCity,
		quote: `The head office of ${name} is in ${oldCity}.`,
		lie: 'another year',
	});
	// Another firm that a search finds, too.
	const beta = 'https://www.ottoli.example/';
	for (const [column, { other }] of Object.entries(facts)) {
		const quote = ENGLISH[column]?.('the firm', other) ?? '';
		add(beta, 'Ottoli', quote);
		said.push({ url: beta, column, value: other, quote, lie: 'another firm' });
	}
	if (random() < 0.5) for (const path of paths) dates[`${host}/${path}`] = '2026-02-01T00:00:00Z';
	const say = (column: string, value: unknown) =>
		column === 'price' ? `Starter | ${String(value)} | ${Number(value) + 3}` : (words[column]?.(name, value) ?? '');
	return { subject: name + pick(random, FORMS), website: `${host}/`, pages: texts, titles, dates, truth, said, say };
}

/** How a model reads: as it is said; with guesses for what is not; with wrong quotes; with what is true of other things. */
export const READERS = ['honest', 'guessing', 'sloppy', 'adversary'] as const;
export type ReaderKind = (typeof READERS)[number];

export const ROW_JUDGES = ['honest', 'yes', 'no'] as const;
export type RowJudge = (typeof ROW_JUDGES)[number];

const GUESSES: Record<string, unknown> = {
	head_office: 'Vienna',
	founded: 1999,
	ceo: 'Alex Moreau',
	price: '12 EUR',
	free_trial: true,
	email: 'hi@guess.example',
	profile: 'https://tradebook.example/firms/guess',
	segment: 'Services',
};

/** The page of a request, by its text. */
function pageOf(firm: Firm, request: ModelRequest): string {
	const [text = ''] = dataIn(request);
	const plain = (one: string) => one.replace(/\[|\]|\([^)]*\)|\W+/g, '').slice(0, 120);
	return Object.keys(firm.pages).find((url) => plain(firm.pages[url] ?? '') === plain(text)) ?? '';
}

function cellsIn(firm: Firm, kind: ReaderKind, random: () => number, request: ModelRequest): string {
	const url = pageOf(firm, request);
	const here = firm.said.filter((one) => one.url === url);
	const asked = COLUMNS.flatMap(({ name }, index) =>
		new RegExp(`^${index + 1}\\. ${name}:`, 'm').test(request.user) ? [{ name, column: index + 1 }] : [],
	);
	const sentences = (firm.pages[url] ?? '').match(/[^\n.|]{12,}\./g) ?? ['# none'];
	const cells = asked.flatMap(({ name, column }) => {
		const truths = here.filter((one) => one.column === name && one.lie === undefined);
		// What was true in an old page, an honest model reports, too: the page does not say that it is over.
		const olds = here.filter((one) => one.column === name && one.lie === 'another year');
		const lies = here.filter((one) => one.column === name && one.lie !== undefined);
		if (kind === 'adversary' && lies.length > 0) {
			return lies.map(({ value, quote }) => ({ column, value, quote }));
		}
		if (truths.length + olds.length === 0) {
			const isGuess = kind === 'guessing' && random() < 0.5;
			return isGuess ? [{ column, value: GUESSES[name], quote: pick(random, sentences).trim() }] : [];
		}
		return [...truths, ...olds].map(({ value, quote }) => {
			const isWrong = kind === 'sloppy' && random() < 0.3;
			return { column, value, quote: isWrong ? pick(random, sentences).trim() : quote };
		});
	});
	return JSON.stringify({ cells });
}

/** The pages of the site that a model chooses: those that say something, or by chance. */
function linksIn(firm: Firm, kind: ReaderKind, request: ModelRequest): string {
	const [lines = ''] = dataIn(request);
	const numbered = [...lines.matchAll(/^(\d+)\. (\S+)/gm)].map(([, number, path = '']) => ({ number, path }));
	const wanted = new Set(
		firm.said.filter(({ url }) => url.startsWith(firm.website)).map(({ url }) => new URL(url).pathname),
	);
	const chosen = numbered.filter(({ path }, index) =>
		kind === 'adversary' ? index < 2 || wanted.has(path) : wanted.has(path),
	);
	return JSON.stringify({ pages: chosen.slice(0, 4).map(({ number }) => Number(number)) });
}

const SPEAKS: Record<string, RegExp> = {
	head_office: /head office|hauptsitz/i,
	founded: /founded|gegründet/i,
	ceo: /ceo|geschäftsführung/i,
	price: /(?:price|preis)/i,
	free_trial: /trial|try|testphase/i,
	email: /@/,
	profile: /tradebook/i,
	segment: /makes|machen/i,
};

/** Judges a pair by what it says alone: whether page and passage speak of the subject and of the column, and have the value. */
function judgeHonestly(statement: string, page: string, passage: string): boolean {
	const parts = statement.split(' · ');
	const [subject = '', field = ''] = parts;
	const value = parts.at(-1) ?? '';
	const column = field.split(' (')[0] ?? '';
	const name = subject.replace(/ (?:GmbH|Inc\.|Ltd)$/, '');
	const all = `${page} ${passage}`;
	const isOther = new RegExp(`${name} (?:${NEAR.join('|')})|Ottoli`, 'i').test(all);
	const isNamed =
		new RegExp(name.replace(' ', '[ -]'), 'i').test(all) && !(isOther && !passage.startsWith(`Firm: ${name} |`));
	const isRow = /^(?:\[[^\]]*\] )?Firm: (.*?) \|/.exec(passage)?.[1];
	const isOf = isRow === undefined ? isNamed : isRow === name;
	const words = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
	if (column === 'price') {
		const [, euros] = /\(EUR\): (\d+)/.exec(passage) ?? [];
		return isOf && /(?:Plan|Tarif): Starter/.test(passage) && value === `${euros} EUR`;
	}
	// What an old page says is not said of today.
	if (/, 20[01]\d-\d\d-\d\d$/.test(page)) return false;
	const denies = /\b(?:no|keine)\b/i.test(passage);
	const said = column === 'segment' ? (GERMAN_SEGMENTS[value] ?? '') : '';
	const hasValue =
		value === 'yes' || value === 'no'
			? denies === (value === 'no')
			: words(value).every((word) => words(passage).includes(word)) || (said !== '' && passage.includes(said));
	const isLinked = column === 'profile' || column === 'email' ? SPEAKS[column]?.test(passage) : hasValue;
	return isOf && isLinked === true && (SPEAKS[column] ?? /./).test(passage);
}

function judged(request: ModelRequest, judge: RowJudge): string {
	const pairs = dataIn(request)
		.join('\n')
		.matchAll(/^(\d+)\. Statement: (.*)\nPage: (.*)\nPassage: (.*)$/gm);
	return JSON.stringify({
		verdicts: [...pairs].map(([, pair, statement = '', page = '', passage = '']) => {
			const isSaid = judge === 'yes' || (judge === 'honest' && judgeHonestly(statement, page, passage));
			return { pair: Number(pair), verdict: isSaid ? 'supported' : 'not stated' };
		}),
	});
}

/** What came of a row: how many cells are wrong and of what kind, guessed, found, and could have been found. */
export interface RowOutcome {
	wrong: Array<{ column: string; value: unknown; of: string; source?: string | undefined }>;
	guessed: number;
	found: number;
	present: number;
	/** Columns that were not found, with the reason. */
	missed: Array<{ column: string; reason?: string | undefined }>;
	credits: number;
	tokens: number;
	pages: number;
	row: FilledRow;
}

/** A world in which a model of this kind reads the firm's pages. */
export function worldOf(firm: Firm, kind: ReaderKind, judge: RowJudge, random: () => number): World {
	const script: Script = {
		readCells: (request) => cellsIn(firm, kind, random, request),
		chooseLinks: (request) => linksIn(firm, kind, request),
		judge: (request) => judged(request, judge),
	};
	const world = new World(firm.pages, script);
	world.titles = firm.titles;
	world.dates = firm.dates;
	// A search finds ten pages: those that have most of its words in their texts and addresses, titles twice.
	world.finds = (query) => {
		const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])];
		const score = (url: string) => {
			const title = (firm.titles[url] ?? '').toLowerCase();
			const text = `${url} ${firm.pages[url] ?? ''}`.toLowerCase();
			return words.reduce((sum, word) => sum + (text.includes(word) ? 1 : 0) + (title.includes(word) ? 2 : 0), 0);
		};
		const scored = Object.keys(firm.pages).map((url) => ({ url, score: score(url) }));
		return scored
			.sort((one, other) => other.score - one.score)
			.slice(0, 10)
			.map(({ url }) => url);
	};
	return world;
}

export async function runFirm(
	firm: Firm,
	kind: ReaderKind,
	judge: RowJudge,
	random: () => number,
	hasWebsite = true,
): Promise<RowOutcome> {
	const world = worldOf(firm, kind, judge, random);
	const website = hasWebsite ? firm.website : '';
	const question = { ...QUESTION, query: firm.subject, maxPages: 6, maxRounds: 2, timeLimitMs: 90_000 };
	const row = await world.clock.until(
		fillRow({ subject: firm.subject, website, columns: COLUMNS }, question, world.parts),
	);
	const outcome: RowOutcome = {
		...{ wrong: [], guessed: 0, found: 0, present: 0, missed: [] },
		credits: row.usage.creditsUsed,
		tokens: row.usage.inputTokens + row.usage.outputTokens,
		pages: row.pages.length,
		row,
	};
	for (const { column, value, reason, proof } of row.cells) {
		const is = firm.truth[column.name];
		if (is !== null) outcome.present += 1;
		if (value === null) {
			if (is !== null) outcome.missed.push({ column: column.name, reason });
		} else if (value === is) outcome.found += 1;
		else {
			if (is === null) outcome.guessed += 1;
			const lie = firm.said.find((one) => {
				const own =
					typeof one.value === 'string' && column.type === 'money' ? Number(one.value.split(' ')[0]) : one.value;
				return one.column === column.name && own === value && one.url === proof?.source && one.lie;
			});
			outcome.wrong.push({ column: column.name, value, of: lie?.lie ?? 'guess', source: proof?.source });
		}
	}
	return outcome;
}
