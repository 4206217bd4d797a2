import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { DataTables, ProcessedItems, recoveredFromCrash } from '../../tools/n8n-engine/index.ts';
import type { Execution } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { after, errorText, startSandbox } from './run';
import { callsOf, RESEARCH, retryResearch, runResearch } from './webResearchRun';

const Q = 'Zippo, Rolla and Kixx scooters?';

let sandbox: Sandbox;
/** What n8n keeps from one execution to the next. */
let tables: DataTables;

beforeEach(async () => {
	sandbox = await startSandbox({ seed: 1 });
	tables = new DataTables();
});

interface News {
	new: Array<{ text: string; quote: string }>;
	changed: Array<{ before: { text: string; firstSeen: string }; now: { text: string } }>;
	withdrawn: Array<{ text: string }>;
	unchanged: number;
	unchecked: Array<{ reason: string; statements: number }>;
}

const news = (more: INodeParameters = {}): INodeParameters => ({
	report: 'news',
	historyName: '',
	whenNothingNew: 'nothing',
	options: { pagesPerSite: 5 },
	...more,
});

/** The site as it is in this week. */
async function begin(week: number): Promise<void> {
	// Read to its end: undici keeps a clock for answers that are not.
	await (await fetch(`${sandbox.siteUrl}/try/week-${week}`)).text();
	await after(7 * 24 * 3_600_000);
}

async function run(parameters = news(), items = [{ q: Q }]): Promise<Execution> {
	return await runResearch(sandbox, { parameters, items, mode: 'trigger', tables });
}

const newsOf = (execution: Execution): News => execution.items(RESEARCH)[0]?.json.news as unknown as News;
const hintsOf = (execution: Execution): string =>
	execution
		.hints(RESEARCH)
		.map(({ message }) => message)
		.join('\n');

/** Week 1. */
async function firstWeek(parameters = news()): Promise<void> {
	const first = await run(parameters);
	expect(errorText(first)).toBe('');
	expect(first.items(RESEARCH)[0]?.json).toMatchObject({ isFirst: true, memory: 'table', status: 'completed' });
	expect(first.staticData).toBeUndefined();
}

const texts = (list: Array<{ text: string }>) => list.map(({ text }) => text);

function expectSecondWeek(found: News): void {
	expect(texts(found.new)).toEqual(['From May on Kixx offers scooters with a seat for 29 cents a minute.']);
	expect(found.changed.map(({ before, now }) => [before.text, now.text])).toEqual([
		['A ride on a Zippo scooter costs 22 cents a minute.', 'A ride on a Zippo scooter costs 25 cents a minute.'],
	]);
	expect(texts(found.withdrawn)).toEqual(['Pupils and students borrow Rolla scooters at half the price in winter.']);
	expect(found.unchecked).toEqual([]);
}

describe('Web Research that tells what is new', () => {
	it('tells in the second week what is new, changed and withdrawn, and in a silent one nothing', async () => {
		await firstWeek();
		const calls = callsOf(sandbox);
		await begin(2);
		const second = await run();
		expect(errorText(second)).toBe('');
		expectSecondWeek(newsOf(second));
		const { finalAnalysis, html, status } = second.items(RESEARCH)[0]?.json ?? {};
		expect(status).toBe('completed');
		expect(finalAnalysis).toMatch(
			/^A ride on a Zippo scooter costs 25 cents a minute \[\\\[1\\\]\]\[1\]\.\n\n\*\*Changed: 1 · New: 1 · No longer on its page: 1\*\* \(\d{4}-\S+ – \d{4}-\S+\)\n\n## Changed\n\n- ~~A ride .*~~ .* → A ride on a Zippo scooter costs \*\*25\*\* cents a minute \[\\\[1\\\]\]/,
		);
		expect(finalAnalysis).toMatch(
			/## New\n\n- From May .*\n\n## No longer on its page\n\n- Pupils .*\n\nAs before: \d+ \(\d{4}-\S+\)\n/,
		);
		expect(finalAnalysis).toContain('Which statements are known, changed or new was judged by the chat model');
		expect(html).toContain('<del>A ride on a Zippo scooter costs 22 cents a minute.</del>');
		expect(html).toContain('costs <strong>25</strong> cents a minute');
		expect(hintsOf(second)).toContain('1 new, 1 changed, 1 no longer on their page');

		await begin(3);
		const before = callsOf(sandbox);
		const weekTwo = tables.copy();
		const third = await run();
		expect(errorText(third)).toBe('');
		expect(third.items(RESEARCH)).toEqual([]);
		expect(hintsOf(third)).toContain('0 new, 0 changed, 0 no longer on their page');
		// A week without changes asks the model for nothing.
		expect(callsOf(sandbox).model - before.model).toBeLessThan(calls.model / 5);

		tables = weekTwo;
		const told = await run(news({ whenNothingNew: 'item' }));
		expect(told.items(RESEARCH)[0]?.json).toMatchObject({ status: 'unchanged', news: { new: [], changed: [] } });
	});

	it('puts out one item for each statement that is new, changed or withdrawn', async () => {
		const parameters = news({ output: 'claims' });
		await firstWeek();
		await begin(2);
		const second = await run(parameters);
		const rows = second.items(RESEARCH).map(({ json }) => [json.change, typeof json.quote]);
		// A quote that is remembered whole is shown whole.
		const withdrawn = 'Pupils and students borrow Rolla scooters at half the price in winter.';
		expect(second.items(RESEARCH).at(-1)?.json.quote).toBe(withdrawn);
		expect(rows).toEqual([
			['new', 'string'],
			['changed', 'string'],
			['withdrawn', 'string'],
		]);
	});

	it('remembers by the name of the history, also when the wording of the question changes', async () => {
		await firstWeek(news({ historyName: 'Scooters' }));
		await begin(2);
		const reworded = [{ q: 'Scooters of Kixx, Zippo and Rolla?' }];
		const found = newsOf(await run(news({ historyName: 'Scooters' }), reworded));
		expect(found.changed).toHaveLength(1);
		expect(found.withdrawn).toHaveLength(1);
		const other = await run(news({ historyName: 'Another' }));
		expect(other.items(RESEARCH)[0]?.json.isFirst).toBe(true);
	});

	it('keeps the questions of several items apart under one name', async () => {
		const items = [{ q: 'Zippo scooters?' }, { q: 'Kixx scooters?' }];
		const parameters = news({ historyName: 'Scooters', options: { pagesPerSite: 5, maxUrls: 6 } });
		const first = await run(parameters, items);
		expect(first.items(RESEARCH).map(({ json }) => json.isFirst)).toEqual([true, true]);
		await begin(2);
		const second = await run(parameters, items);
		const told = second.items(RESEARCH).map(({ json }) => json.news as unknown as News);
		for (const { changed, unchecked } of told) {
			expect(changed.map(({ now }) => now.text)).toEqual(['A ride on a Zippo scooter costs 25 cents a minute.']);
			expect(unchecked).toEqual([]);
		}
		await begin(3);
		expect((await run(parameters, items)).items(RESEARCH)).toEqual([]);
	});

	it.each([
		['no object', 'text'],
		['a history that is a list', { [Q]: [] }],
		['parts that are none', { [Q]: { at: 1e15, parts: { a: 1, b: null, c: { statements: {}, pages: [] } } } }],
		[
			'a plan without headings, statements without quotes',
			{
				[Q]: {
					at: 1e15,
					parts: {
						old: {
							plan: { subQuestions: ['?'], queries: ['?'], labels: {} },
							answered: ['1'],
							at: 7,
							statements: [{ text: 'x' }, null, { text: 'x', quote: {}, question: 1 }],
							pages: [{ url: 1 }, 'page'],
						},
					},
				},
			},
		],
		['a name that is no name', JSON.parse(`{"__proto__":{"at":1e15,"parts":{}}}`) as IDataObject],
	])('takes what it has not written for no history: %s', async (_what, stored) => {
		await firstWeek();
		const [row = {}] = tables.rowsOf('web_data_memory');
		row.value = JSON.stringify({ webDataResearchHistory: stored });
		const execution = await run(news({ whenNothingNew: 'item' }));
		expect(errorText(execution)).toBe('');
		expect(execution.items(RESEARCH)[0]?.json.status).toBe('completed');
		expect(Object.keys(Object.prototype)).toEqual([]);
	});

	it('remembers under a name that JavaScript has for something else', async () => {
		const parameters = news({ historyName: '__proto__' });
		await firstWeek(parameters);
		await begin(2);
		expectSecondWeek(newsOf(await run(parameters)));
	});

	it('stores nothing in a test run, and says so', async () => {
		await firstWeek();
		await begin(2);
		const before = structuredClone(tables.tables);
		const manual = await runResearch(sandbox, { parameters: news(), items: [{ q: Q }], tables });
		expectSecondWeek(newsOf(manual));
		expect(tables.tables).toEqual(before);
		expect(hintsOf(manual)).toContain('Test runs are not remembered');
		// Nor does the Retry of one.
		sandbox.faults.add({ step: 'model', kind: 'status', httpStatus: 401 });
		const failed = await runResearch(sandbox, { parameters: news(), items: [{ q: Q }], tables });
		sandbox.faults.clear();
		const retried = await retryResearch(sandbox, failed, { parameters: news(), tables });
		expectSecondWeek(newsOf(retried));
		expect(tables.tables).toEqual(before);
	});

	it('makes no table in a test run', async () => {
		const manual = await runResearch(sandbox, { parameters: news(), items: [{ q: Q }], tables });
		expect(manual.items(RESEARCH)[0]?.json).toMatchObject({ isFirst: true });
		expect(tables.tables).toEqual([]);
	});

	it.each([
		['the original workflow', true],
		['the saved one', false],
	])(
		'keeps the history as it was when the node fails, and a Retry tells the same once: %s',
		async (_what, original) => {
			await firstWeek();
			await begin(2);
			const before = structuredClone(tables.tables);
			// The second question fails: the whole node does.
			const failed = await run(news(), [{ q: Q }, { q: '' }]);
			expect(errorText(failed)).not.toBe('');
			sandbox.faults.add({ step: 'model', kind: 'status', httpStatus: 401 });
			const broken = await run();
			expect(errorText(broken)).not.toBe('');
			expect(tables.tables).toEqual(before);
			sandbox.faults.clear();
			const retried = await retryResearch(sandbox, broken, { parameters: news(), tables, original });
			expect(errorText(retried)).toBe('');
			expectSecondWeek(newsOf(retried));
			await begin(3);
			expect((await run()).items(RESEARCH)).toEqual([]);
		},
	);

	it('compares in a Retry with what a later run has left', async () => {
		await firstWeek();
		await begin(2);
		sandbox.faults.add({ step: 'model', kind: 'status', httpStatus: 401, skip: 1 });
		const broken = await run();
		expect(errorText(broken)).not.toBe('');
		sandbox.faults.clear();
		expectSecondWeek(newsOf(await run()));
		const before = callsOf(sandbox);
		const retried = await retryResearch(sandbox, broken, { parameters: news({ whenNothingNew: 'item' }), tables });
		expect(errorText(retried)).toBe('');
		expect(retried.items(RESEARCH)[0]?.json).toMatchObject({ status: 'unchanged', memory: 'table' });
		// What its first try has paid for stays.
		expect(callsOf(sandbox).search).toBe(before.search);
	});

	it('tells all after a kill that came when it had remembered, and stores nothing then', async () => {
		await firstWeek();
		await begin(2);
		let stored = '';
		const { executionId } = await runResearch(sandbox, {
			parameters: news(),
			items: [{ q: Q }],
			mode: 'trigger',
			tables,
			onProgress: (name, data) => {
				if (name === 'Items') stored = data;
			},
		});
		const before = structuredClone(tables.tables);
		const killed = { executionId, stored: recoveredFromCrash(stored, RESEARCH) };
		sandbox.faults.add({ step: 'model', kind: 'status', httpStatus: 401 });
		const failed = await retryResearch(sandbox, killed, { parameters: news(), tables });
		expect(errorText(failed)).not.toBe('');
		sandbox.faults.clear();
		// Also in the Retry of that Retry.
		for (const previous of [killed, failed]) {
			const lost = await retryResearch(sandbox, previous, { parameters: news(), tables });
			expect(errorText(lost)).toBe('');
			const json = lost.items(RESEARCH)[0]?.json ?? {};
			expect(json).toMatchObject({ memory: 'not given', warnings: [expect.stringContaining('n8n was killed after')] });
			expect(json.isFirst).toBeUndefined();
			expect(tables.tables).toEqual(before);
		}
	});

	it('says where n8n gives no memory, tells all then, and stores nothing', async () => {
		const processed = new ProcessedItems();
		const settings = { parameters: news(), items: [{ q: Q }], mode: 'trigger' as const, processed };
		const first = await runResearch(sandbox, settings);
		expect(first.items(RESEARCH)[0]?.json).toMatchObject({ isFirst: true, memory: 'static data' });
		expect(hintsOf(first)).toContain('This n8n has no Data Table');
		const { staticData } = first;
		await begin(2);
		const worker = await runResearch(sandbox, { ...settings, staticData, onWorker: true });
		expect(worker.items(RESEARCH)[0]?.json).toMatchObject({ memory: 'not given', status: 'completed' });
		expect(worker.items(RESEARCH)[0]?.json.isFirst).toBeUndefined();
		expect(hintsOf(worker)).toContain('n8n gave this execution none');
		expect(worker.staticData).toBeUndefined();
		// Where it is given, it is known.
		const second = await runResearch(sandbox, { ...settings, staticData });
		expectSecondWeek(newsOf(second));
		expect(second.items(RESEARCH)[0]?.json.memory).toBe('static data');
	});

	it('starts over where another version has kept the history in another form, and says so once', async () => {
		await firstWeek();
		for (const row of tables.tables.flatMap(({ rows }) => rows)) {
			for (const [column, value] of Object.entries(row)) {
				if (typeof value === 'string') Object.assign(row, { [column]: value.replace(/"form":\d+,/g, '') });
			}
		}
		const again = await run();
		expect(again.items(RESEARCH)[0]?.json).toMatchObject({ isFirst: true });
		expect(hintsOf(again)).toContain('in a form that is not read any more');
		await begin(2);
		const next = await run();
		expectSecondWeek(newsOf(next));
		expect(hintsOf(next)).not.toContain('in a form');
	});

	it('takes what an earlier version has stored with the workflow, once', async () => {
		const processed = new ProcessedItems();
		const settings = { parameters: news(), items: [{ q: Q }], mode: 'trigger' as const, processed };
		const { staticData } = await runResearch(sandbox, settings);
		await begin(2);
		const second = await runResearch(sandbox, { ...settings, staticData, tables });
		expectSecondWeek(newsOf(second));
		expect(second.items(RESEARCH)[0]?.json.memory).toBe('table');
		expect(second.staticData).toBeUndefined();
		await begin(3);
		expect((await runResearch(sandbox, { ...settings, staticData, tables })).items(RESEARCH)).toEqual([]);
	});
});
