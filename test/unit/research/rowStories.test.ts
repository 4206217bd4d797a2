import { join } from 'node:path';
import type { ResearchQuestion } from '../../../nodes/research/contract/question';
import { fillRow } from '../../../nodes/research/fillRow';
import type { FilledRow } from '../../../nodes/research/fillRow';
import type { KnownRow } from '../../../nodes/research/row/cellHistory';
import type { Column } from '../../../nodes/research/row/columns';
import { expectGoldenFile } from '../../helpers/goldenFile';
import { QUESTION, World, dataIn, modelError, stepOf, verdictsOn } from './world';
import type { Script } from './world';

const SITE = 'https://acme.example/';
const MENU = Array.from({ length: 8 }, (_one, at) => `Note ${at + 1} of this page is about the harbour.`).join('\n\n');

type Pages = Record<string, string | Error>;

/** The subject's own site, and what others write. */
const OWN: Pages = {
	[SITE]: `# Acme\n\nAcme GmbH builds small boats in Graz. Follow us on [Tradebook](https://tradebook.example/acme).\n\n${MENU}`,
	[`${SITE}about`]: `# About\n\nAcme was founded in 1990 by Ann Lee. The head office is in Graz.\n\n${MENU}`,
	[`${SITE}pricing`]: `# Prices\n\n| Plan | Price |\n|---|---|\n| Starter | 39 EUR |\n| Team | 99 EUR |\n\nYou can try it for free.\n\n${MENU}`,
	[`${SITE}contact`]: `# Contact\n\nWrite to [us](mailto:hello@acme.example) or call +43 316 123456.\n\n${MENU}`,
};
const OTHERS: Pages = {
	'https://news.example/acme': `# News\n\nAcme moved its head office to Linz in 2025.\n\n${MENU}`,
	'https://list.example/firms': '| Firm | Founded |\n|---|---|\n| Acme | 1991 |\n| Brino | 2004 |',
	'https://acme-foods.example/': `# Acme Foods\n\nAcme Foods was founded in 1950.\n\n${MENU}`,
};

const column = (name: string, type: Column['type'], description = '', choices: string[] = []): Column => ({
	...{ name, type, description, choices },
});
const COLUMNS: Column[] = [
	column('head_office', 'text', 'town of the head office'),
	column('founded', 'number', 'year of the foundation'),
	column('price', 'money', 'price a month of the Starter plan, in EUR'),
	column('free_trial', 'boolean'),
	column('email', 'email'),
	column('phone', 'text'),
	column('profile', 'url', 'profile on Tradebook'),
	column('makes', 'choice', 'what it makes', ['Boats', 'Food']),
];

/** What the model finds by the words of a page: the column, the value and the quote. */
const FINDS: Array<[number, RegExp, (found: RegExpExecArray) => unknown]> = [
	[1, /head office (?:is in|to) (\w+)[^.\n]*\./, ([, town]) => town],
	[2, /founded in (\d{4})[^.\n]*\.|\| Acme \| (\d{4}) \|/, ([, year, cell]) => Number(year ?? cell)],
	[3, /Starter \| ([\d.]+) EUR|Starter plan costs ([^.]*)\./, ([, price, text]) => (price ? `${price} EUR` : text)],
	[4, /try it for free/, () => true],
	[5, /mailto:(\S+)\)/, ([, email]) => email],
	[6, /call ([+\d ]+)\./, ([, phone]) => phone],
	[7, /Tradebook\]\((\S+)\)/, ([, url]) => url],
	[8, /builds small (\w+)/, () => 'Boats'],
];

const MODEL: Script = {
	readCells: (request) => {
		const page = dataIn(request).at(-1) ?? '';
		const asked = new Set([...request.user.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number)));
		const cells = FINDS.flatMap(([number, words, valueOf]) => {
			const found = asked.has(number) ? words.exec(page) : null;
			return found ? [{ column: number, value: valueOf(found), quote: found[0] }] : [];
		});
		return JSON.stringify({ cells });
	},
	chooseLinks: () => '{"pages": [1, 2, 3]}',
	judge: (request) => verdictsOn(request, () => true),
};

interface Story {
	/** One set of pages for each run: those after the first are compared with it. */
	pages: Pages | Pages[];
	script?: Script;
	website?: string;
	columns?: Column[];
	change?: Partial<ResearchQuestion>;
}

const changed = (url: string, from: string, to: string): Pages => ({
	...OWN,
	[url]: String(OWN[url]).replace(from, to),
});
const down = new Error('The site answered 503.');

const STORIES: Record<string, Story> = {
	'its own site': { pages: { ...OWN, ...OTHERS } },
	'without a website': { pages: { ...OWN, ...OTHERS }, website: '' },
	'only what others write': { pages: OTHERS, website: '' },
	'a judge that says no': { pages: OWN, script: { judge: (request) => verdictsOn(request, () => false) } },
	'a judge that answers nothing': { pages: OWN, script: { judge: () => '{}', fixJson: () => '{}' } },
	'quotes only': { pages: OWN, change: { verification: 'quotes' } },
	'a range, another unit, words that are not there': {
		pages: { [SITE]: 'Acme: the Starter plan costs 30 to 40 EUR. Acme was founded in 1990.' },
		script: {
			readCells: () =>
				JSON.stringify({
					cells: [
						{ column: 3, value: '35 EUR', quote: 'the Starter plan costs 30 to 40 EUR' },
						{ column: 2, value: 1991, quote: 'Acme was founded in 1990.' },
						{ column: 1, value: 'Graz', quote: 'The head office is in Graz.' },
						{ column: 4, value: 'perhaps', quote: 'Acme' },
						{ column: 99, value: 'x', quote: 'Acme' },
						{ column: 8, value: 'Ships', quote: 'Acme' },
						{ column: 5, value: '', quote: '' },
						{ column: 6, value: '=HYPERLINK("https://x.example")', quote: 'Acme' },
					],
				}),
		},
	},
	'what the model writes cannot be read': {
		pages: OWN,
		script: { readCells: (_request, count) => (count === 1 ? '{"cells": []}' : 'no'), fixJson: () => 'no' },
	},
	'pages that fail': { pages: { ...OWN, [`${SITE}about`]: down, [`${SITE}contact`]: '' } },
	'nothing can be read': { pages: { [SITE]: down } },
	'a model that refuses a page': {
		pages: OWN,
		script: {
			readCells: (request, count) =>
				count === 2 ? modelError(400, 'refused') : (MODEL.readCells?.(request, count) ?? ''),
		},
	},
	'few pages': { pages: { ...OWN, ...OTHERS }, change: { maxPages: 2 } },
	'few credits': { pages: { ...OWN, ...OTHERS }, change: { maxCredits: 3 } },
	'few tokens': { pages: OWN, change: { maxTokens: 2500 } },
	'little time': { pages: OWN, change: { timeLimitMs: 12_000 } },
	domains: { pages: { ...OWN, ...OTHERS }, website: '', change: { excludeDomains: ['acme.example', 'news.example'] } },
	'weeks: a price moves, a page fails, a page goes, the site is another': {
		pages: [
			OWN,
			changed(`${SITE}pricing`, '39 EUR', '49 EUR'),
			{ ...changed(`${SITE}pricing`, '39 EUR', '49 EUR'), [`${SITE}about`]: down },
			{ ...changed(`${SITE}pricing`, '39 EUR', '49 EUR'), [`${SITE}about`]: 'Please prove that you are a person.' },
			changed(`${SITE}about`, ' The head office is in Graz.', ' The head office moved.'),
			changed(`${SITE}about`, ' The head office is in Graz.', ' The head office moved.'),
		],
	},
	'weeks: what was empty is there': {
		pages: [
			{ [SITE]: OWN[SITE] ?? '' },
			{ [SITE]: `${String(OWN[SITE])}\n\nAcme was founded in 1990.` },
			{ [SITE]: OWN[SITE] ?? '', 'https://news.example/acme': OTHERS['https://news.example/acme'] ?? '' },
		],
	},
	'weeks: in other words': {
		pages: [OWN, changed(`${SITE}about`, 'The head office is in Graz.', 'Graz is where our head office is.')],
	},
};

async function told({ pages, script, website = SITE, columns = COLUMNS, change = {} }: Story): Promise<string[]> {
	const lines: string[] = [];
	const weeks = Array.isArray(pages) ? pages : [pages];
	let known: KnownRow | 'none' | undefined = weeks.length > 1 ? 'none' : undefined;
	for (const [week, own] of weeks.entries()) {
		const world = new World(own, { ...MODEL, ...script });
		const today = new Date(Date.UTC(2026, 2, 2 + 7 * week)).toISOString().slice(0, 10);
		const question = { ...QUESTION, query: 'Acme', today, maxPages: 6, maxRounds: 2, ...change };
		const row = { subject: 'Acme', website, columns };
		const filled: FilledRow = await world.clock.until(fillRow(row, question, world.parts, known));
		const { cells, news, ...rest } = filled;
		if (known !== undefined) known = news?.history ?? known;
		lines.push(
			...cells.map(({ column: { name }, ...cell }) => `${name}: ${JSON.stringify(cell)}`),
			JSON.stringify({ ...rest, row: undefined }),
			`mapped ${world.mapped.join(', ')}; searched ${world.searched.join(', ')}; scraped ${world.scraped.join(', ')}`,
			`asked ${world.requests.map(stepOf).join(', ')}`,
			...(news
				? [
						`changes ${JSON.stringify(news.changes)}`,
						`unchecked ${news.unchecked.join(', ')}`,
						`history ${JSON.stringify(news.history)}`,
					]
				: []),
		);
	}
	return lines;
}

it('tells each story of a row as it did', async () => {
	const all: string[] = [];
	for (const [name, story] of Object.entries(STORIES)) all.push([`# ${name}`, ...(await told(story))].join('\n'));
	expectGoldenFile(join(__dirname, '../../golden/rowStories.txt'), `${all.join('\n\n')}\n`);
});
