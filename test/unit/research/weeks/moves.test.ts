import type { ResearchHistory } from '../../../../nodes/research/contract/history';
import type { ResearchQuestion } from '../../../../nodes/research/contract/question';
import type { ResearchResult } from '../../../../nodes/research/contract/result';
import { World, claimsOf, dataIn, modelError, stepOf, withoutJumps } from '../world';
import type { Script } from '../world';

/** A model that takes each sentence of a text for a statement, and each row of a table. */
const reads = (request: Parameters<typeof dataIn>[0], picks: (text: string) => boolean) => {
	const page = dataIn(request)[0] ?? '';
	const rows = page.split('\n').filter((line) => /^\|(?! ---)/.test(line));
	const cells = rows.map((row) => row.replaceAll('|', ' ').replace(/\s+/g, ' ').trim());
	const found = [
		...claimsOf(page.replace(/^\|.*$/gm, '')),
		...cells.map((text) => ({ text, quote: text, question: 1 })),
	];
	return JSON.stringify({ claims: found.filter(({ text }) => picks(text)) });
};

/** It says that two statements are the same where they are word for word, and judges by the words. */
const model = (more: Script = {}, picks: (text: string) => boolean = () => true): Script => ({
	plan: () => '{"subQuestions": ["What?"], "queries": ["harbour news 2026"]}',
	read: (request) => reads(request, picks),
	compare: (request) => {
		const [earlier = '', fresh = ''] = dataIn(request).map((text) => text.split('\n'));
		const known = Array.isArray(earlier) ? earlier : [];
		const list = Array.isArray(fresh) ? fresh : [];
		const compared = list.map((line, at) => {
			const text = line.replace(/^\d+\. /, '');
			const same = known.findIndex((one) => one.replace(/^\d+\. \([^)]*\) /, '') === text);
			return same === -1 ? { new: at + 1, verdict: 'new' } : { new: at + 1, verdict: 'known', earlier: same + 1 };
		});
		return JSON.stringify({ compared });
	},
	...more,
});

const QUERY = 'What is new in the harbour?';
const A = 'https://a.example/p';
type Pages = Record<string, string | Error>;

/** Visits these pages, one set after the other, each run with what the one before has left. */
async function visits(all: readonly Pages[], script: Script, change: Partial<ResearchQuestion> = {}) {
	const results: ResearchResult[] = [];
	const worlds: World[] = [];
	let history: ResearchHistory | 'none' = 'none';
	for (const pages of all) {
		const world = new World(pages, script);
		const result: ResearchResult = await world.run({ query: QUERY, ...change, history });
		history = JSON.parse(JSON.stringify(result.history)) as ResearchHistory;
		results.push(result);
		worlds.push(world);
	}
	const [last] = results.slice(-1);
	const [lastWorld] = worlds.slice(-1);
	if (!last?.news || !lastWorld) throw new Error('There was no run.');
	return { results, worlds, last, news: last.news, lastWorld };
}

const filler = Array.from(
	{ length: 30 },
	(_unused, at) => `Paragraph ${at + 1} tells at length who works in the sheds by the water.`,
).join('\n\n');
const isHarbour = (text: string) => /harbour|ferry/i.test(text);
const texts = (list: ReadonlyArray<{ text: string }>) => list.map(({ text }) => text);

it('withdraws both statements of a page whose other paragraphs stand, once', async () => {
	const before = `${filler}\n\nThe harbour is open at night. The ferry runs in winter.`;
	const script = model({}, isHarbour);
	const { results } = await visits([{ [A]: before }, { [A]: filler }, { [A]: filler }], script);
	const [, second, third] = results;
	expect(second?.status).toBe('completed');
	expect(texts(second?.news?.withdrawn ?? [])).toEqual(['The harbour is open at night.', 'The ferry runs in winter.']);
	expect(third).toMatchObject({ status: 'unchanged', news: { withdrawn: [], unchecked: [] } });
});

it('tells once that a page has become another one, and again when that happens again', async () => {
	const page = { [A]: `${filler}\n\nThe harbour is open at night.` };
	const wall = { [A]: 'Please prove that you are a person. This takes a moment.' };
	const { results } = await visits([page, wall, wall, page, wall], model({}, isHarbour));
	expect(results.map(({ status }) => status)).toEqual([
		'completed',
		'completed',
		'unchanged',
		'unchanged',
		'completed',
	]);
	expect(results[1]?.finalAnalysis).toContain('Could not be checked: 1 (1: most of their page has become another one)');
	expect(results[3]?.news?.unchanged).toBe(1);
});

it('tells for the second time in a row that a page could not be read, then only after it could', async () => {
	const other = { 'https://b.example/': filler };
	const page = { ...other, [A]: 'The harbour is open at night.' };
	const down = { ...other, [A]: new Error('The site could not be reached.') };
	const { results } = await visits([page, down, page, down, down, down], model({}, isHarbour));
	const told = ['completed', 'unchanged', 'unchanged', 'unchanged', 'completed', 'unchanged'];
	expect(results.map(({ status }) => status)).toEqual(told);
	expect(results.at(-1)?.news?.unchecked).toHaveLength(1);
});

const PRICES = [
	{ [A]: `${filler}\n\nA ticket for the harbour costs 45 euros.` },
	{ [A]: `${filler}\n\nA ticket for the harbour costs 48 euros.` },
];

/** Of pages that are read for the first time it says what is so, then always this. */
function judgesAgain(answer: string): Script {
	return {
		judge: ({ system }) =>
			system.includes('numbered sentences') ? answer : '{"verdicts": [{"pair": 1, "verdict": "supported"}]}',
	};
}

it('tells as changed what a page says otherwise, in its own sentence, though the reading model has passed it over', async () => {
	const script = model(judgesAgain('{"verdicts": [{"pair": 1, "verdict": "contradicted", "sentence": 1}]}'), (text) =>
		text.includes('45 euros'),
	);
	const { results, news } = await visits([...PRICES, ...PRICES.slice(1)], script);
	const [, second] = results;
	const [changed] = second?.news?.changed ?? [];
	expect([changed?.before.text, changed?.now.text]).toEqual([
		'A ticket for the harbour costs 45 euros.',
		'A ticket for the harbour costs 48 euros.',
	]);
	expect(news).toMatchObject({ changed: [], withdrawn: [], unchanged: 1 });
});

it('tells as withdrawn, with the reason, what a page says otherwise where no sentence is named', async () => {
	const script = model(judgesAgain('{"verdicts": [{"pair": 1, "verdict": "contradicted"}]}'), isPrice);
	const { last, news } = await visits(PRICES, script);
	expect(news.withdrawn).toMatchObject([{ why: 'its page now says something else' }]);
	expect(last.finalAnalysis).toMatch(
		/^\*\*No longer on its page: 1\*\* .*\n\n- A ticket .*: its page now says something else/,
	);
});

function isPrice(text: string): boolean {
	return text.includes('45 euros');
}

it('believes no judge that a figure still stands which is nowhere on the page', async () => {
	const script = model(judgesAgain('{"verdicts": [{"pair": 1, "verdict": "supported"}]}'), isPrice);
	const { news } = await visits(PRICES, script);
	expect(texts(news.withdrawn)).toEqual(['A ticket for the harbour costs 45 euros.']);
});

describe('a paragraph of which one sentence is new', () => {
	const old = ['The harbour was built by hand.', 'The ferry is painted green.', 'The harbour has two cranes.'];
	const before = { [A]: `${filler}\n\n${old.join(' ')}` };
	const after = { [A]: `${filler}\n\n${old.join(' ')} The harbour gets a third crane.` };
	const picksLess = (text: string) => text.includes('crane') || text.includes('hand');

	it('is not read again but for that sentence and the one beside it', async () => {
		const { lastWorld } = await visits([before, after], model());
		const [request] = lastWorld.requests.filter((one) => stepOf(one) === 'read');
		expect(request && dataIn(request)[0]?.trim()).toBe('The harbour has two cranes. The harbour gets a third crane.');
	});

	it('gives what was there before apart from what is new', async () => {
		const script = (week: () => number) =>
			model({}, (text) => (week() === 1 ? text.includes('hand') : picksLess(text)));
		let week = 0;
		const own = script(() => week);
		week = 1;
		const first = await visits([before], own);
		week = 2;
		const world = new World(after, own);
		const { news, finalAnalysis } = await world.run({
			query: QUERY,
			...(first.last.history && { history: first.last.history }),
		});
		expect(texts(news?.new ?? [])).toEqual(['The harbour gets a third crane.']);
		expect(texts(news?.before ?? [])).toEqual(['The harbour has two cranes.']);
		expect(finalAnalysis).toContain('## There before, told for the first time\n\n- The harbour has two cranes [');
	});

	it('is silent where the model finds only what was there before', async () => {
		const moved = { [A]: `${filler}\n\n${old.join(' ')} Nothing else is to be told of it.` };
		let isFirst = true;
		const script = model({}, (text) => (isFirst ? text.includes('hand') : picksLess(text)));
		const first = await visits([before], script);
		isFirst = false;
		const world = new World(moved, script);
		const second = await world.run({ query: QUERY, ...(first.last.history && { history: first.last.history }) });
		expect(second).toMatchObject({ status: 'unchanged', news: { new: [], before: [] } });
	});

	it('counts as there before where it comes from another page', async () => {
		const B = 'https://b.example/p';
		const other = { [A]: filler, [B]: `${filler.replaceAll('sheds', 'docks')}\n\n${old.join(' ')}` };
		const moved = { [A]: `${filler}\n\n${old.join(' ')}`, [B]: filler.replaceAll('sheds', 'docks') };
		const { news } = await visits([other, moved], model({}, isHarbour));
		expect(news).toMatchObject({ new: [], changed: [], withdrawn: [] });
	});
});

describe('a table', () => {
	const names = Array.from({ length: 12 }, (_unused, at) => `1.${at + 10}`);
	const table = (head: string, row: (name: string, at: number) => string) =>
		[head, head.replace(/[^|]+/g, ' --- '), ...names.map(row)].join('\n');
	const old = table('| Release | Support |', (name, at) => `| ${name} | Ended ${at + 3} months ago (1 May 2024) |`);

	it('is the same while only its lengths of time have grown', async () => {
		const older = old.replace(/(\d+) months/g, (_all, months) => `${Number(months) + 1} months`);
		const { last, lastWorld } = await visits(
			[{ [A]: `${filler}\n\n${old}` }, { [A]: `${filler}\n\n${older}` }],
			model({}, (text) => /^1\./.test(text)),
		);
		expect(last).toMatchObject({ status: 'unchanged', news: { unchanged: 12 } });
		expect(lastWorld.requests.map(stepOf)).toEqual([]);
	});

	it('with another column keeps the statements of its rows, and tells the new ones in a few lines', async () => {
		const wider = table(
			'| Release | Long | Support |',
			(name, at) => `| ${name} | yes | Ended ${at + 3} months ago (1 May 2024) |`,
		);
		const { last, news } = await visits(
			[{ [A]: `${filler}\n\n${old}` }, { [A]: `${filler}\n\n${wider}` }],
			model({}, (text) => /^1\./.test(text)),
		);
		expect(news).toMatchObject({ unchanged: 12, changed: [], withdrawn: [] });
		expect(news.new).toHaveLength(12);
		const [, section = ''] = /^\*\*New: 12\*\* .*\n\n([^]*?)\n\n/.exec(last.finalAnalysis) ?? [];
		expect(section.split('\n')).toHaveLength(4);
		expect(section).toContain('- … (+9)');
	});
});

it('reads all known pages where searching finds no others', async () => {
	const pages = Object.fromEntries(
		Array.from({ length: 12 }, (_unused, at) => [`https://s${at}.example/`, `The harbour ${at + 100} is open.`]),
	);
	const { lastWorld, news } = await visits([pages, pages], model());
	expect(lastWorld.scraped).toHaveLength(12);
	expect(news.unchecked).toEqual([]);
});

it('reads a known page under the address that a search finds now', async () => {
	const slash = `${A}/`;
	const text = 'The harbour is open at night.';
	const { lastWorld, news } = await visits([{ [slash]: text }, { [A]: text }], model());
	expect(lastWorld.scraped).toEqual([A]);
	expect(news.unchanged).toBe(1);
});

it('asks for no gaps while each sub-question has a statement', async () => {
	const before = { [A]: `${filler}\n\nThe harbour is open at night.` };
	const after = { [A]: `${filler}\n\nThe harbour is open at night. The ferry runs in winter.` };
	const gaps = () => '{"answered": [{"question": 1, "claims": [1]}], "contradictions": [], "queries": []}';
	const { lastWorld, news } = await visits([before, after], model({ gaps }, isHarbour));
	expect(texts(news.new)).toEqual(['The ferry runs in winter.']);
	expect(lastWorld.requests.map(stepOf)).toEqual(['read', 'judge', 'compare']);
});

it('tells the model the day, keeps no years in a plan, and names days where the workflow is', async () => {
	const before = { [A]: 'The harbour is open at night.' };
	const zone = { today: '2026-12-31', timeZone: 'Pacific/Auckland' };
	const { results, worlds } = await visits([before, before], model(), zone);
	const planned = worlds[0]?.requests.filter((one) => stepOf(one) === 'plan') ?? [];
	expect(planned.map(({ system }) => system).join()).toContain('Today is 2026-12-31.');
	expect(results[0]?.history?.plan?.queries).toEqual(['harbour news']);
	const at = results[0]?.history?.at ?? '';
	const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Pacific/Auckland' }).format(Date.parse(at));
	expect(results[1]?.finalAnalysis).toContain(`As before: 1 (${day})`);
});

it('tells the same statement of two sites in one line with two sources', async () => {
	const [B, C] = ['https://b.example/', 'https://c.example/'];
	const text = 'The harbour gets a third crane.';
	const { last } = await visits([{ [A]: filler }, { [A]: filler, [B]: text, [C]: text }], model({}, isHarbour));
	expect(last.finalAnalysis).toMatch(
		/^\*\*New: 2\*\* .*\n\n- The harbour gets a third crane \[\\\[1\\\]\]\(\S+\) \[\\\[2\\\]\]\(\S+\)\.(?:\n|$)/,
	);
});

describe('the sentence that a brief begins with', () => {
	const weeks = [
		{ [A]: `${filler}\n\nA ticket for the harbour costs 45 euros. The ferry runs in winter.` },
		{ [A]: `${filler}\n\nA ticket for the harbour costs 48 euros. The ferry stops at noon.` },
	];
	const brief = async (lead: NonNullable<Script['lead']>, more: Script = {}, change: Partial<ResearchQuestion> = {}) =>
		await visits(weeks, model({ lead, ...more }, isHarbour), change);
	const begins = '**New: 2 · No longer on its page: 2**';

	it('is the model’s, with its source', async () => {
		const { last } = await brief(() => 'A ticket for the harbour costs 48 euros [1].\n\nAnd more [2].');
		expect(withoutJumps(last.finalAnalysis)).toMatch(
			/^A ticket for the harbour costs 48 euros\. \[1\]\(https:\/\/a\.example\/p\)\n\n\*\*New: 2/,
		);
		expect(last.finalAnalysis).not.toContain('And more');
	});

	it.each([
		['has another figure', 'A ticket for the harbour costs 49 euros [1].'],
		['says what no claim says', 'The harbour is closed for ever [1].'],
		['cites nothing', 'Tickets for the harbour cost more.'],
		['cites what is not there', 'A ticket for the harbour costs 48 euros [9].'],
		['is a heading', '# Harbour [1]'],
		['is nothing', ''],
	])('is left out where it %s', async (_name, answer) => {
		const { last } = await brief(() => answer);
		expect(last.finalAnalysis.startsWith(begins)).toBe(true);
		expect(last.status).toBe('completed');
	});

	it('is left out where the model refuses it, a limit comes first, or nobody judges', async () => {
		const refused = await brief(() => modelError(400));
		const unjudged = await brief(() => 'A ticket for the harbour costs 48 euros [1].', {}, { verification: 'quotes' });
		for (const { last } of [refused, unjudged]) expect(last.finalAnalysis.startsWith(begins)).toBe(true);
		expect(unjudged.lastWorld.count('lead')).toBe(0);
	});
});

it('writes what code says in the language of the question too', async () => {
	const labels = {
		withdrawn: 'Nicht mehr auf der Seite',
		unchecked: 'Nicht geprüft',
		pageFailed: 'die Seite war nicht lesbar',
		lookedUp: 'Jedes Zitat wurde auf seiner Seite gesucht.',
		partial: 'Teilergebnis',
		limit: '%limit% wurde erreicht.',
		judged: '*Geprüft* [hier](https://evil.example/)',
		compared: 'x'.repeat(2000),
	};
	const plan = () => JSON.stringify({ language: 'de', subQuestions: ['Was?'], queries: ['hafen'], labels });
	const other = { 'https://b.example/': filler };
	const page = { ...other, [A]: 'The harbour is open at night.' };
	const down = { ...other, [A]: new Error('The site could not be reached.') };
	const { last } = await visits([page, down, down], model({ plan }, isHarbour), { maxPages: 2 });
	expect(last.finalAnalysis).toBe('Nicht geprüft: 1 (1: die Seite war nicht lesbar: The site could not be reached)');
	expect(last.news?.unchecked).toEqual([
		{ reason: 'their page could not be read: The site could not be reached', statements: 1 },
	]);
	expect(last.closing).toContain('Jedes Zitat wurde auf seiner Seite gesucht. Geprüft hier Which statements are known');
});

it('forgets what was not found for the longest time where there is no more room', async () => {
	const before = await visits([{ [A]: `${filler}\n\nThe harbour is open at night.` }], model({}, isHarbour));
	const [statement] = before.last.history?.statements ?? [];
	if (!statement || !before.last.history) throw new Error('There is no history.');
	const dayOf = (at: number) => new Date(Date.parse(statement.lastSeen) - ((at * 7) % 450) * 3_600_000).toISOString();
	const statements = Array.from({ length: 450 }, (_unused, at) => ({
		...statement,
		text: `Statement ${at}.`,
		source: `https://p${at}.example/`,
		lastSeen: dayOf(at),
	}));
	const world = new World({ [A]: filler }, model({}, isHarbour));
	const { history, warnings } = await world.run({ query: QUERY, history: { ...before.last.history, statements } });
	const kept = history?.statements.map(({ lastSeen }) => lastSeen) ?? [];
	expect(kept.sort()).toEqual(
		statements
			.map(({ lastSeen }) => lastSeen)
			.sort()
			.slice(50),
	);
	expect(warnings.join(' ')).toContain('the 50 that were not found for the longest time');
});
