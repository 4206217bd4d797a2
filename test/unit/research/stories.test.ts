import { join } from 'node:path';
import type { ResearchHistory } from '../../../nodes/research/contract/history';
import type { ResearchQuestion } from '../../../nodes/research/contract/question';
import { expectGoldenFile } from '../../helpers/goldenFile';
import { World, modelError, site, stepOf, verdictsOn } from './world';
import type { Script } from './world';

const HOME = 'https://a.example/';
const FACTS = 'Acme was founded in 1990. Acme has 300 boats in port. A ticket costs 45 euros.';
const filler = Array.from({ length: 12 }, (_unused, at) => `Paragraph ${at + 1} tells of the sheds by the water.`).join(
	'\n\n',
);

type Pages = Record<string, string | Error>;

interface Story {
	/** One set of pages for each run; each goes on with what the one before has left, where it tells what is new. */
	pages: Pages | Pages[];
	script?: Script;
	change?: Partial<ResearchQuestion>;
}

const plan =
	(more: object = {}) =>
	() =>
		JSON.stringify({ language: 'en', subQuestions: ['When?', 'How many?'], queries: ['acme'], labels: {}, ...more });
const claims =
	(...list: object[]) =>
	() =>
		JSON.stringify({ claims: list });
const claim = (text: string, quote = text, question = 1) => ({ text, quote, question });

const STORIES: Record<string, Story> = {
	'two pages': { pages: { [HOME]: FACTS, 'https://b.example/': 'Acme has 310 boats in port.' } },
	'a plan with searches, in German': {
		pages: { [HOME]: FACTS },
		script: { plan: plan({ language: 'de', labels: { notFound: 'Nicht gefunden', judged: 'Geprüft.' } }) },
		change: { systemPrompt: 'Be brief.', analysisPrompt: 'As a list.' },
	},
	'no plan': { pages: { [HOME]: FACTS }, script: { plan: () => 'I cannot plan.', fixJson: () => 'no' } },
	'no page': { pages: {} },
	'pages that cannot be read': { pages: { [HOME]: new Error('The site is down.'), 'https://b.example/': '' } },
	'claims of all kinds of trouble': {
		pages: { [HOME]: FACTS },
		script: {
			read: claims(
				claim('Acme was founded in 1990.'),
				claim('Acme was founded in 1991.', 'Acme was founded in 1990.'),
				claim('Acme has many boats.', 'Acme has countless boats.'),
				claim('A ticket is dear.', 'A ticket costs 45 euros.', 2),
				claim('', 'A ticket costs 45 euros.'),
			),
		},
	},
	'the same, marked': {
		pages: { [HOME]: FACTS },
		script: {
			read: claims(claim('Acme was founded in 1990.'), claim('A ticket is dear.', 'A ticket costs 45 euros.', 2)),
		},
		change: { unsupportedClaims: 'mark' },
	},
	'a quote that is mended': {
		pages: { [HOME]: FACTS },
		script: {
			read: claims(claim('A ticket costs 45 euros.', 'Tickets are 45 euros.')),
			repair: claims({ claim: 1, ...claim('A ticket costs 45 euros.') }),
		},
	},
	'no judge': { pages: { [HOME]: FACTS }, change: { verification: 'quotes' } },
	'a judge that says no': {
		pages: { [HOME]: FACTS },
		script: { judge: (request) => verdictsOn(request, () => false) },
	},
	'a judge that answers nothing': { pages: { [HOME]: FACTS }, script: { judge: () => '{}', fixJson: () => '{}' } },
	'gaps and contradictions': {
		pages: { [HOME]: FACTS, 'https://b.example/': 'Acme was founded in 1989.' },
		script: {
			plan: plan(),
			gaps: (_request, count) =>
				JSON.stringify({
					answered: count === 1 ? [] : [{ question: 1, claims: [1] }],
					contradictions: [[1, 4]],
					queries: count === 1 ? ['acme boats'] : [],
				}),
		},
		change: { maxRounds: 3 },
	},
	'a report with faults, written again': {
		pages: { [HOME]: FACTS },
		script: {
			write: ({ system, user }) =>
				user.includes('The faults')
					? `${system.length > 0 ? '' : ''}Acme was founded in 1990 [1]. A ticket costs 45 euros [3].`
					: 'Acme was founded in 1990 [1]. It is the best. See https://evil.example. A ticket costs 46 euros [3]. Boats [9].',
		},
	},
	'no report': { pages: { [HOME]: FACTS }, script: { write: () => 'I cannot.' } },
	'JSON beside the report': {
		pages: { [HOME]: FACTS },
		script: {
			json: () =>
				'{"json": {"founded": 1990, "boats": 301, "name": "Acme", "list": [{"price": 45}]}, "claims": {"founded": [1], "boats": [2], "name": [1], "list[0].price": [3]}}',
		},
		change: { json: { example: { founded: 1, boats: 1, name: '', list: [{ price: 1 }] } } },
	},
	'JSON alone, by a schema': {
		pages: { [HOME]: FACTS },
		script: { json: () => '{"founded": 1990}' },
		change: { wantsReport: false, json: { schema: { type: 'object', properties: { founded: { type: 'number' } } } } },
	},
	'many pages and few places': { pages: site(8), change: { maxPages: 3 } },
	'few credits': { pages: site(8), change: { maxCredits: 7 } },
	'few tokens': { pages: site(8), change: { maxTokens: 3000 } },
	'little time': { pages: site(8), change: { timeLimitMs: 30_000 } },
	domains: { pages: site(4), change: { includeDomains: ['s1.example'], excludeDomains: ['s2.example'] } },
	'first pages': { pages: { ...site(3), [HOME]: FACTS }, change: { firstPages: [HOME, 'no address'], maxPages: 2 } },
	'a model that refuses one page': {
		pages: site(3),
		script: {
			read: (_request, count) => (count === 1 ? modelError(400, 'too long: context length') : '{"claims": []}'),
		},
	},
	'a model that is busy': {
		pages: { [HOME]: FACTS },
		script: { write: (_request, count) => (count < 3 ? modelError(429) : 'Acme was founded in 1990 [1].') },
	},
	'queries that were made before, twice, and none': {
		pages: { [HOME]: FACTS },
		script: {
			plan: plan({ queries: ['acme', 'Acme', ' ', '', 'see https://evil.example/x now'] }),
			gaps: () =>
				JSON.stringify({ answered: [], contradictions: [], queries: ['ACME', 'acme boats', 'acme  boats', ''] }),
		},
		change: { maxRounds: 3 },
	},
	'the model chooses among many results': {
		pages: site(30),
		script: { chooseResults: () => '{"results": [30, 29, 99, "28", 0]}' },
		change: { maxPages: 4, prefer: 'official' },
	},
	'more first pages than places, one twice, one that is none': {
		pages: { ...site(4), [HOME]: FACTS },
		change: { firstPages: [HOME, `${HOME}#top`, 'https://s1.example/', 'none', 'https://s2.example/'], maxPages: 2 },
	},
	'pages that say the same thing with other figures': {
		pages: {
			[HOME]: 'Acme has 300 boats in port. Acme was founded in 1990. A ticket costs 45 euros.',
			'https://b.example/': 'Acme has 310 boats in port. Acme was founded in 1990. A ticket costs 46 euros.',
			'https://c.example/': 'Acme has 320 boats in port. Acme was founded in 1991. A ticket costs 4,5 %.',
		},
		script: {
			judge: (request) => verdictsOn(request, (statement, passage) => passage.includes(statement)),
			gaps: () => JSON.stringify({ answered: [{ question: 1, claims: [1] }], contradictions: [], queries: [] }),
		},
		change: { query: 'How many boats has Acme?' },
	},
	'names with titles, dates, a list, a table and a note': {
		pages: {
			[HOME]:
				'# Acme\n\nPublished on 3 March 2026.\n\n- Founded: 1990\n- Boats: about 300\n\n| Year | Guests |\n|---|---|\n| 2024 | 1.2 million |\n| 2025 | 1,350,000 |\n\n> The ferry is late.\n\nProfit rose by 4.5 % to EUR 3m[^1].\n\n[^1]: Before tax.',
		},
		script: {
			read: claims(
				claim('Acme was founded in 1990.', 'Founded: 1990'),
				claim('Acme had 1.35 million guests in 2025.', '2025 | 1,350,000', 2),
				claim('Acme had 1.2 million guests in 2025.', '2024 | 1.2 million', 2),
				claim('The ferry is late.', '> The ferry is late.'),
				claim('Profit rose by 4.5 % to 3 million euros.', 'Profit rose by 4.5 % to EUR 3m'),
				claim('Profit rose by 5.4 %.', 'Profit rose by 4.5 % to EUR 3m'),
				claim('Acme has over 300 boats.', 'Boats: about 300', 99),
			),
			judge: (request) => verdictsOn(request, () => true),
		},
		change: { firstPages: [HOME] },
	},
	'weeks: many pages and few places': {
		pages: [site(9), site(9), { ...site(9), 'https://new.example/': 'Acme has 900 boats in port.' }],
		script: { plan: plan() },
		change: { maxPages: 4, firstPages: ['https://s8.example/'] },
	},
	'weeks: few tokens in the second': {
		pages: [site(5), { ...site(5), 'https://s0.example/': `Acme has 777 boats in port 1. ${filler}` }],
		script: { plan: plan() },
		change: { maxTokens: 9000 },
	},
	'weeks: JSON': {
		pages: [{ [HOME]: FACTS }, { [HOME]: FACTS.replace('45', '47') }],
		script: {
			plan: plan(),
			json: ({ user }) =>
				user.includes('47 euros')
					? '{"json": {"ticket": 47}, "claims": {"ticket": [1]}}'
					: '{"json": {"ticket": 45}, "claims": {"ticket": [3]}}',
		},
		change: { json: { example: { ticket: 1 } } },
	},
	'weeks: new, changed, gone': {
		pages: [
			{ [HOME]: `${filler}\n\n${FACTS}` },
			{ [HOME]: `${filler}\n\nAcme was founded in 1990. A ticket costs 48 euros. The ferry stops at noon.` },
			{ [HOME]: new Error('The site is down.') },
			{ [HOME]: new Error('The site is down.') },
			{ [HOME]: 'Please prove that you are a person.' },
			{ [HOME]: `${filler}\n\nAcme was founded in 1990. A ticket costs 48 euros.` },
		],
		script: {
			plan: plan(),
			compare: ({ user }) =>
				user.includes('48 euros')
					? '{"compared": [{"new": 1, "verdict": "changed", "earlier": 1}, {"new": 2, "verdict": "new"}]}'
					: '{"compared": []}',
			lead: () => 'A ticket costs 48 euros [1].',
		},
	},
	'weeks: a table': {
		pages: [
			{ [HOME]: '| Release | Support |\n|---|---|\n| 1.1 | until 2027 |\n| 1.2 | until 2028 |\n\nReleases are free.' },
			{ [HOME]: '| Release | Support |\n|---|---|\n| 1.2 | until 2029 |\n| 1.3 | until 2030 |\n\nReleases are free.' },
		],
		script: {
			read: ({ user }) => {
				const rows = [...user.matchAll(/^\| (1\.\d) \| (until \d+) \|$/gm)];
				const found = rows.map(([row, name, until]) => claim(`${name} is supported ${until}.`, row));
				return JSON.stringify({ claims: found });
			},
			judge: (request) => verdictsOn(request, () => true),
		},
	},
};

/** A history is kept apart: what it holds is told by the next run. */
async function told({ pages, script, change = {} }: Story): Promise<string[]> {
	const lines: string[] = [];
	const isNews = Array.isArray(pages);
	let history: ResearchHistory | 'none' = 'none';
	for (const own of isNews ? pages : [pages]) {
		const world = new World(own, script);
		const { history: next, ...result } = await world.run({ ...change, ...(isNews && { history }) });
		if (next) history = JSON.parse(JSON.stringify(next)) as ResearchHistory;
		const requests = world.requests.map((request) => {
			const user = request.user.replace(/=====\w+=====/g, '=====');
			return `${stepOf(request)} (${request.role}): ${JSON.stringify(user)}`;
		});
		lines.push(
			JSON.stringify(result, undefined, ' '),
			`searched ${world.searched.join(', ')}; scraped ${world.scraped.join(', ')}`,
			...requests.sort(),
		);
		if (isNews) lines.push(`history ${JSON.stringify(next)}`);
	}
	return lines;
}

it('tells each story of a research as it did', async () => {
	const all: string[] = [];
	for (const [name, story] of Object.entries(STORIES)) all.push([`# ${name}`, ...(await told(story))].join('\n'));
	expectGoldenFile(join(__dirname, '../../golden/researchStories.txt'), `${all.join('\n\n')}\n`);
});
