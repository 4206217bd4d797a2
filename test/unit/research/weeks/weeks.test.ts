import type { ResearchHistory } from '../../../../nodes/research/contract/history';
import type { ResearchResult } from '../../../../nodes/research/contract/result';
import { World } from '../world';
import { priceModel } from './models';
import type { Behaviour } from './models';
import { ALL_NAMES, EVENTS, factsOf, pagesOf } from './site';

const WEEKS = 12;

/** What the twelve runs of one model have told, beside what they should have. */
interface Told {
	wrongNew: number;
	wrongChanged: number;
	wrongWithdrawn: number;
	missed: number;
	/** Told in two weeks. */
	twice: number;
	/** Weeks in which something moved and nothing was put out. */
	silent: number;
	results: ResearchResult[];
}

const tokensOf = ({ usage }: ResearchResult): number => usage.inputTokens + usage.outputTokens;

function nameIn(text: string): string {
	return ALL_NAMES.find((name) => text.includes(`${name} bike`)) ?? '?';
}

/** Runs the question once a week, each run with what the one before has left. */
async function twelveWeeks(behaviour: (week: () => number) => Behaviour): Promise<Told> {
	const told: Told = { wrongNew: 0, wrongChanged: 0, wrongWithdrawn: 0, missed: 0, twice: 0, silent: 0, results: [] };
	const toldBefore = new Set<string>();
	let week = 0;
	const script = priceModel(behaviour(() => week));
	let history: ResearchHistory | 'none' = 'none';
	for (week = 1; week <= WEEKS; week += 1) {
		const world = new World(pagesOf(week), script);
		const result: ResearchResult = await world.run({ query: 'What do the bikes cost?', history });
		history = JSON.parse(JSON.stringify(result.history)) as ResearchHistory;
		told.results.push(result);
		if (week === 1 || !result.news) continue;
		const { news } = result;
		const events = EVENTS[week] ?? {};
		const shown = {
			new: news.new.map(({ text }) => nameIn(text)),
			changed: news.changed.map(({ now }) => nameIn(now.text)),
			withdrawn: news.withdrawn.map(({ text }) => nameIn(text)),
		};
		const wrong = (kind: keyof typeof shown) =>
			shown[kind].filter((name) => !(events[kind] ?? []).includes(name)).length;
		told.wrongNew += wrong('new');
		told.wrongChanged += wrong('changed');
		const held = new Set(factsOf(week).map(({ name }) => name));
		told.wrongWithdrawn += shown.withdrawn.filter((name) => held.has(name)).length;
		let moved = 0;
		for (const kind of ['new', 'changed', 'withdrawn'] as const) {
			told.missed += (events[kind] ?? []).filter((name) => !shown[kind].includes(name)).length;
			moved += (events[kind] ?? []).length;
			for (const claim of kind === 'changed' ? news.changed.map(({ now }) => now) : news[kind]) {
				told.twice += toldBefore.has(`${kind} ${claim.text}`) ? 1 : 0;
				toldBefore.add(`${kind} ${claim.text}`);
			}
		}
		if (moved > 0 && result.status === 'unchanged') told.silent += 1;
	}
	return told;
}

const counts = ({ wrongNew, wrongChanged, wrongWithdrawn, missed, twice, silent }: Told) => {
	return { wrongNew, wrongChanged, wrongWithdrawn, missed, twice, silent };
};

const NONE = { wrongNew: 0, wrongChanged: 0, wrongWithdrawn: 0, missed: 0, twice: 0, silent: 0 };

describe('twelve weeks of a market', () => {
	it('tells what is new, changed and withdrawn, each once, with a model that judges right', async () => {
		const told = await twelveWeeks(() => ({}));
		expect(counts(told)).toEqual(NONE);
		const [first, second] = told.results;
		expect(second?.status).toBe('unchanged');
		// What stood there before, and stands there now, is verified in this week, too.
		expect(second?.claims.length).toBeGreaterThan(0);
		expect(second?.claims.filter(({ verified }) => !verified)).toEqual([]);
		expect(told.results[2]?.finalAnalysis).toContain('~~The Falcon bike costs 400 euros.~~');
		expect(told.results[4]?.news?.unchecked).toEqual([
			{ reason: 'their page could not be read: The site could not be reached', statements: 5 },
		]);
		expect(told.results[9]?.news?.unchecked).toContainEqual({
			reason: 'most of their page has become another one',
			statements: 5,
		});
		if (first && second) expect(tokensOf(second)).toBeLessThan(tokensOf(first) * 0.2);
	});

	it('tells nothing twice with a model that uses other words each week', async () => {
		const told = await twelveWeeks((week) => ({ wordingOf: () => week() }));
		expect(counts(told)).toEqual(NONE);
	});

	it('misses nothing that it has told with a model that picks other facts each week', async () => {
		const told = await twelveWeeks((week) => ({
			picks: (name) => week() === 1 || name === 'Zeppelin' || (name.length + week()) % 3 === 0,
		}));
		expect(counts(told)).toEqual(NONE);
	});

	it.each<[string, () => Behaviour]>([
		['compares and says too easily that a price is known', () => ({ knowsEasily: true })],
		['judges that everything is supported', () => ({ judges: () => 'supported' })],
		['does both', () => ({ knowsEasily: true, judges: () => 'supported' })],
	])('is not misled by a model that %s', async (_what, behaviour) => {
		expect(counts(await twelveWeeks(behaviour))).toEqual(NONE);
	});

	it('is loud, and never silent, with a model that judges from the second week on that everything is contradicted', async () => {
		const told = await twelveWeeks((week) => ({ judges: () => (week() > 1 ? 'contradicted' : undefined) }));
		// Its new prices are refused by its own judgement: the old ones are withdrawn, each once.
		expect(told).toMatchObject({ wrongNew: 0, wrongChanged: 0, twice: 0, silent: 1 });
		expect(told.results[2]?.news?.withdrawn.map(({ why }) => why)).toEqual(['its page now says something else']);
	});

	it('withdraws nothing that a model forgets, and does not tell it as new the week after', async () => {
		const told = await twelveWeeks(() => ({ forgets: 5 }));
		expect(told.wrongWithdrawn).toBe(0);
		expect(told.wrongChanged).toBe(0);
		// A verdict that the model leaves out counts as new: at most as many as it leaves out.
		expect(told.wrongNew).toBeLessThan(4);
	});
});

it('reads a page again that is known and to be read first', async () => {
	const script = priceModel();
	const query = 'What do the bikes cost?';
	const { history } = await new World(pagesOf(1), script).run({ query, history: 'none' });
	const world = new World(pagesOf(3), script);
	const firstPages = ['https://s0.example/prices'];
	const result = await world.run({ query, firstPages, maxPages: 2, ...(history && { history }) });
	expect(world.scraped).toContain(firstPages[0]);
	expect(result.skippedPages).toEqual([]);
	expect(result.news?.changed.map(({ now }) => now.text)).toEqual(['The Falcon bike costs 480 euros.']);
});

it('withdraws nothing of a page of which something was cut: whoever comments there could hide the rest', async () => {
	const query = 'What do the bikes cost?';
	const { history } = await new World(pagesOf(1), priceModel()).run({ query, history: 'none' });
	if (!history) throw new Error('There is none.');
	const hidden = Object.entries(pagesOf(1)).map(([url, page]) => [url, `<!--\n\n${String(page)}\n\n-->\n\nA shop.`]);
	const world = new World(Object.fromEntries(hidden) as Record<string, string>, priceModel());
	const { news } = await world.run({ query, history });
	expect(news?.withdrawn).toEqual([]);
	expect(news?.unchecked.reduce((sum, { statements }) => sum + statements, 0)).toBe(history.statements.length);
});

it('remembers 400 statements, in less than a third of what n8n stores with a workflow', async () => {
	const pages = Object.fromEntries(
		Array.from({ length: 30 }, (_unused, page): [string, string] => [
			`https://long-name-of-a-shop-${page}.example/catalogue/spring/prices?page=${page}`,
			Array.from(
				{ length: 15 },
				(_row, at) =>
					`The shop number ${page} sells the model ${at} of its large cargo bikes, with two batteries and a rain cover, for ${1000 + page * 10 + at} euros.`,
			).join('\n\n'),
		]),
	);
	const world = new World(pages);
	const { history, warnings } = await world.run({ maxPages: 60, history: 'none' });
	expect(warnings.join()).toContain('the 50 that were not found for the longest time are not remembered');
	expect(history?.statements).toHaveLength(400);
	expect(JSON.stringify(history).length).toBeLessThan(300_000);
});
