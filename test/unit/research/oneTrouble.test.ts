import { checkText } from '../../../nodes/research/checkText';
import type { ResearchHistory } from '../../../nodes/research/contract/history';
import type { ResearchQuestion } from '../../../nodes/research/contract/question';
import { fillRow } from '../../../nodes/research/fillRow';
import type { KnownRow } from '../../../nodes/research/row/cellHistory';
import { seededRandom } from '../../../sandbox/runtime/runtime.ts';
import { runUnder, troublesOf } from './oneTrouble.ts';
import type { Trouble, Untroubled } from './oneTrouble.ts';
import { COLUMNS, firmBy, worldOf } from './rowWorld.ts';
import type { Firm } from './rowWorld.ts';
import { QUESTION, World, dataIn, verdictsOn } from './world.ts';
import type { Script } from './world.ts';

const filler = (name: string) =>
	Array.from({ length: 12 }, (_one, at) => `Paragraph ${at + 1} tells of the sheds of ${name}, and of hills.`).join(
		'\n\n',
	);

/** Three pages whose facts move from week to week. */
const pagesIn = (week: number): Record<string, string> => ({
	'https://a.example/': `Acme was founded in 1990. A ticket costs ${45 + week} euros. ${week === 0 ? 'The ferry stops at noon.' : ''}\n\n${filler('Ayr')}`,
	'https://b.example/': `Acme has 310 boats in port. ${week === 0 ? '' : 'A new pier opens in 2027.'}\n\n${filler('Bray')}`,
	'https://c.example/': `The crew is ${80 + week} people. Dogs travel free.\n\n${filler('Crewe')}`,
});
const FACT = /(?:Acme|A ticket|The ferry|A new pier|The crew|Dogs) [^.]*\./g;
const withoutFigures = (text: string) => text.replace(/\d+/g, '#');
const numbered = (lines = '') => [...lines.matchAll(/^(\d+)\. (?:\([\d-]+\) )?(.*)$/gm)].map(([, , text = '']) => text);

/** A model that says what is true of these pages. */
const TRUTHFUL: Script = {
	plan: () =>
		'{"language": "en", "subQuestions": ["When?", "How many?"], "queries": ["acme", "acme crew"], "labels": {}}',
	read: (request) => {
		const [page = ''] = dataIn(request);
		return JSON.stringify({ claims: [...page.matchAll(FACT)].map(([text]) => ({ text, quote: text, question: 1 })) });
	},
	judge: (request) =>
		verdictsOn(request, (statement, passage) => passage.includes(statement.split(' · ').at(-1) ?? '')),
	compare: (request) => {
		const [earlier, fresh] = dataIn(request).map(numbered);
		const compared = (fresh ?? []).map((text, at) => {
			const of = (earlier ?? []).findIndex((one) => withoutFigures(one) === withoutFigures(text)) + 1;
			const verdict = of === 0 ? 'new' : earlier?.[of - 1] === text ? 'known' : 'changed';
			return { new: at + 1, verdict, ...(of > 0 && { earlier: of }) };
		});
		return JSON.stringify({ compared });
	},
	json: (request) => {
		const lines = (dataIn(request)[0] ?? '').split('\n');
		const claimOf = (words: string) => {
			const line = lines.find((one) => one.includes(words));
			return line === undefined ? [] : [Number(/\[(\d+)\]/.exec(line)?.[1])];
		};
		const claims = {
			founded: claimOf('founded'),
			ticket: claimOf('ticket'),
			boats: claimOf('boats'),
			crew: claimOf('crew'),
		};
		const json = Object.entries({ founded: 1990, ticket: 45, boats: 310, crew: 80 }).map(([name, value]) => [
			name,
			claims[name as 'crew'].length > 0 ? value : null,
		]);
		return JSON.stringify({ json: Object.fromEntries(json) as object, claims });
	},
	checkText: (request) => {
		const [lines, page = ''] = dataIn(request);
		const found = numbered(lines).flatMap((text, at) => {
			const start = text.split(' ').slice(0, 2).join(' ');
			const quote = [...page.matchAll(FACT)].map(([one]) => one).find((one) => one.startsWith(start));
			return quote === undefined ? [] : [{ sentence: at + 1, quote }];
		});
		return JSON.stringify({ found });
	},
};

const LIMIT = { tokens: 'Max Tokens', time: 'Time Limit', credits: 'Max Credits' } as const;
const limitOf = ({ kind }: Trouble) => (kind in LIMIT ? LIMIT[kind as keyof typeof LIMIT] : undefined);

/** Runs something without a trouble, then with each single one that can come in its course. */
async function withEachTrouble<T>(
	run: (trouble?: Trouble, healthy?: Untroubled) => Promise<{ result: T | undefined; course: Untroubled }>,
	expected: (
		full: T,
		result: T,
		trouble: Trouble,
		next: { trouble: Trouble; course: Untroubled },
	) => Promise<void> | void,
): Promise<void> {
	const { result: full, course } = await run();
	if (full === undefined) throw new Error('Fails without a trouble.');
	const troubles = troublesOf(course);
	expect(troubles.length).toBeGreaterThan(10);
	for (const [at, trouble] of troubles.entries()) {
		const { result } = await run(trouble, course);
		// Another one, for tests in which the next run is troubled, too.
		const other = troubles[(at * 7 + 3) % troubles.length] ?? trouble;
		try {
			if (result !== undefined) await expected(full, result, trouble, { trouble: other, course });
		} catch (error) {
			throw new Error(`${trouble.kind} ${trouble.at}: ${String(error)}`);
		}
	}
}

/** What a run says that is new, and what is not so any more. */
interface Told {
	fresh: string[];
	over: string[];
	history?: ResearchHistory;
	status: string;
	limit?: string | undefined;
}

async function ask(change: Partial<ResearchQuestion>, week: number, trouble?: Trouble, healthy?: Untroubled) {
	return await runUnder(
		new World(pagesIn(week), { ...TRUTHFUL }),
		async (world, limits) => await world.run({ ...change, ...limits }),
		trouble,
		healthy,
	);
}

describe('whatever goes wrong once,', () => {
	it('what a first run has not told is told by the next one, and what it has told is not', async () => {
		await withEachTrouble(
			async (trouble, healthy) => await ask({ history: 'none' }, 0, trouble, healthy),
			async (full, result) => {
				const { result: next } = await ask({ history: result.history ?? 'none' }, 0);
				const texts = (one?: typeof full) => (one?.news?.new ?? []).map(({ text }) => text);
				expect([...texts(result), ...texts(next)].sort()).toEqual(texts(full).sort());
			},
		);
	});

	it('a value of the JSON is true or none, and what is missing has its reason', async () => {
		const change = { json: { example: { founded: 1, ticket: 1, boats: 1, crew: 1 } } };
		await withEachTrouble(
			async (trouble, healthy) => await ask(change, 0, trouble, healthy),
			(full, result, trouble) => {
				expect(full.json).toEqual({ founded: 1990, ticket: 45, boats: 310, crew: 80 });
				for (const { text, verified } of result.claims) {
					expect(verified && full.claims.some((one) => one.text === text)).toBe(true);
				}
				const limit = limitOf(trouble);
				if (limit && result.claims.length < full.claims.length) expect(result.limit).toContain(limit);
				if (result.json === null) return expect([result.status, result.limit]).not.toEqual(['completed', undefined]);
				const lost = Object.entries(full.json as object).filter(([name, value]) => {
					const now: unknown = (result.json as Record<string, unknown>)[name];
					if (now !== null) expect(now).toBe(value);
					return now === null;
				});
				const reasons = result.values?.unproven.map(({ path }) => path);
				expect(reasons).toEqual(expect.arrayContaining(lost.map(([name]) => name)));
				const isSaid = [
					result.limit,
					...result.warnings,
					...result.skippedPages,
					...(result.values?.unproven ?? []),
				].some(Boolean);
				expect(lost.length === 0 || isSaid).toBe(true);
			},
		);
	});

	it('and again in the next week, what is new is told, once, and nothing else', async () => {
		const { result: first } = await ask({ history: 'none' }, 0);
		const history = first?.history;
		if (!history) throw new Error('No history.');
		const weekTwo = async (before: ResearchHistory, trouble?: Trouble, healthy?: Untroubled) => {
			const { result, course } = await ask({ history: before }, 1, trouble, healthy);
			const news = result?.news;
			const told: Told | undefined = result && {
				fresh: [...(news?.new ?? []), ...(news?.changed ?? []).map(({ now }) => now)].map(({ text }) => text),
				over: [...(news?.withdrawn ?? []), ...(news?.changed ?? []).map(({ before: one }) => one)].map(
					({ text }) => text,
				),
				status: result.status,
				limit: result.limit,
				...(result.history && { history: result.history }),
			};
			return { result: told, course };
		};
		await withEachTrouble(
			async (trouble, healthy) => await weekTwo(history, trouble, healthy),
			async (full, result, trouble, { trouble: other, course }) => {
				expect(full.fresh.sort()).toEqual([
					'A new pier opens in 2027.',
					'A ticket costs 46 euros.',
					'The crew is 81 people.',
				]);
				if (result.fresh.length < 3 && limitOf(trouble)) expect(result.limit).toContain(limitOf(trouble));
				const second = await weekTwo(result.history ?? history, other, course);
				const { result: third } = await weekTwo(second.result?.history ?? result.history ?? history);
				const weeks = [result, second.result, third];
				expect(weeks.flatMap((week) => week?.fresh ?? []).sort()).toEqual(full.fresh);
				expect(weeks.flatMap((week) => week?.over ?? []).sort()).toEqual([...full.over].sort());
				const { result: quiet } = await weekTwo(third?.history ?? history);
				expect(quiet).toMatchObject({ fresh: [], over: [], status: 'unchanged' });
			},
		);
	});
});

/** Fills the row of a firm; in the second week beside what the first has left. */
async function fill(
	firm: Firm,
	known: KnownRow | 'none' | undefined,
	today: string,
	trouble?: Trouble,
	healthy?: Untroubled,
) {
	const world = worldOf(firm, 'honest', 'honest', seededRandom(1));
	const row = { subject: firm.subject, website: firm.website, columns: COLUMNS };
	const question = { ...QUESTION, query: firm.subject, today, maxPages: 6, maxRounds: 2, timeLimitMs: 90_000 };
	return await runUnder(
		world,
		async ({ parts }, limits) => await fillRow(row, { ...question, ...limits }, parts, known),
		trouble,
		healthy,
	);
}

describe.each([
	[1, true],
	[4, false],
])('whatever goes wrong once with row %s (Website: %s),', (seed, hasWebsite) => {
	const made = firmBy(seededRandom(seed), 40);
	const firm = hasWebsite ? made : { ...made, website: '' };

	it('a cell is true or empty, none is called not found for what nobody has seen, and the next run finds it', async () => {
		await withEachTrouble(
			async (trouble, healthy) => await fill(firm, 'none', '2026-03-02', trouble, healthy),
			async (full, result, trouble) => {
				for (const [at, cell] of result.cells.entries()) {
					const { value } = full.cells[at] ?? {};
					if (cell.value !== null || value === null) expect(cell.value).toBe(value);
					// One of many pages of the web that fails shows little, and is told beside the cells.
					else if (trouble.kind === 'down' && !hasWebsite && result.skippedPages.length > 0) continue;
					else expect(cell.reason).not.toBe('notFound');
				}
				const isLess = result.cells.some(({ value }, at) => value === null && full.cells[at]?.value !== null);
				if (isLess && limitOf(trouble)) expect(result.limit).toContain(limitOf(trouble));
				// The next run makes up for it. Without a Website another search may find other pages.
				const { result: next } = await fill(firm, result.news?.history ?? 'none', '2026-03-09');
				for (const [at, { column, value }] of (next?.cells ?? []).entries()) {
					if (value === null && !hasWebsite) continue;
					const expected = full.cells[at]?.value ?? (value === null ? null : firm.truth[column.name]);
					expect([column.name, value]).toEqual([column.name, expected]);
				}
			},
		);
	});

	it('and again in the next week, what has moved is told, once, and nothing else', async () => {
		const { result: first } = await fill(firm, 'none', '2026-03-02');
		const known = first?.news?.history;
		if (!known) throw new Error('No history.');
		const moved: Firm = { ...firm, pages: { ...firm.pages }, truth: { ...firm.truth }, said: [] };
		for (const one of firm.said) {
			const isMoved = one.column === 'founded' && one.lie === undefined;
			const value = isMoved ? Number(one.value) + 1 : one.value;
			const quote = isMoved ? one.quote.replace(String(one.value), String(value)) : one.quote;
			moved.said.push({ ...one, value, quote });
			moved.pages[one.url] = (moved.pages[one.url] ?? '').replace(one.quote, quote);
			if (isMoved) moved.truth.founded = value;
		}
		const told = (row?: typeof first) =>
			(row?.news?.changes ?? []).map(({ column, change, now }) => `${column.name} ${change} ${String(now?.value)}`);
		await withEachTrouble(
			async (trouble, healthy) => await fill(moved, known, '2026-03-09', trouble, healthy),
			async (full, result, _trouble, { trouble: other, course }): Promise<void> => {
				const first = result.news?.history ?? known;
				const second = await fill(moved, first, '2026-03-16', other, course);
				const third = await fill(moved, second.result?.news?.history ?? first, '2026-03-23');
				expect([result, second.result, third.result].flatMap(told)).toEqual(told(full));
				const { result: quiet } = await fill(moved, third.result?.news?.history ?? known, '2026-03-30');
				expect(told(quiet)).toEqual([]);
			},
		);
	});
});

const TEXT = [
	'Acme was founded in 1990 [1]. A ticket costs 46 euros [1]. Acme has 311 boats in port [2].',
	'The crew is 80 people [3]. Dogs fly to Oslo [3]. The ferry stops at noon.',
	'1. https://a.example/\n2. https://b.example/\n3. https://c.example/',
].join('\n\n');

it.each([false, true])(
	'whatever goes wrong once, a text is accused of nothing more (searches: %s)',
	async (searches) => {
		await withEachTrouble(
			async (trouble, healthy) =>
				await runUnder(
					new World(pagesIn(0), { ...TRUTHFUL }),
					async ({ parts }, limits) => await checkText(TEXT, { ...QUESTION, ...limits }, parts, { searches }),
					trouble,
					healthy,
				),
			(full, result, trouble) => {
				const all = ['supported', 'notStated', 'notStated', 'supported', 'notStated'];
				expect(full.sentences.map(({ verdict }) => verdict)).toEqual([...all, searches ? 'supported' : 'noSource']);
				for (const [at, { verdict }] of result.sentences.entries()) {
					const expected = full.sentences[at]?.verdict;
					if (verdict === expected) continue;
					// A search that fails is said, and shows nothing of the sentence.
					if (expected === 'supported' && verdict === 'noSource') expect(result.warnings.join(' ')).not.toBe('');
					else expect(verdict).toMatch(/^(?:notRead|notJudged|partlyRead|unreachable)$/);
					if (limitOf(trouble)) expect(result.limit).toBe(trouble.kind);
				}
				for (const { state, reason } of result.sources) if (state !== 'read') expect(reason).not.toBe(undefined);
			},
		);
	},
);
