import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { recoveredFromCrash } from '../../tools/n8n-engine/index.ts';
import type { Execution } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { after, errorText, startSandbox } from './run';
import { callsOf, RESEARCH, retryResearch, runResearch } from './webResearchRun';

const Q = 'Zippo, Rolla and Kixx scooters?';

let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startSandbox({ seed: 1 });
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
	await fetch(`${sandbox.siteUrl}/try/week-${week}`);
	await after(7 * 24 * 3_600_000);
}

async function run(staticData?: IDataObject, parameters = news(), items = [{ q: Q }]): Promise<Execution> {
	return await runResearch(sandbox, { parameters, items, mode: 'trigger', staticData });
}

const newsOf = (execution: Execution): News => execution.items(RESEARCH)[0]?.json.news as unknown as News;
const hintsOf = (execution: Execution): string =>
	execution
		.hints(RESEARCH)
		.map(({ message }) => message)
		.join('\n');

/** Week 1, and what n8n stored after it. */
async function firstWeek(parameters = news()): Promise<IDataObject> {
	const first = await run(undefined, parameters);
	expect(errorText(first)).toBe('');
	expect(first.items(RESEARCH)[0]?.json).toMatchObject({ isFirst: true, status: 'completed' });
	return first.staticData ?? {};
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
		const first = await firstWeek();
		const calls = callsOf(sandbox);
		await begin(2);
		const second = await run(first);
		expect(errorText(second)).toBe('');
		expectSecondWeek(newsOf(second));
		const { finalAnalysis, html, status } = second.items(RESEARCH)[0]?.json ?? {};
		expect(status).toBe('completed');
		expect(finalAnalysis).toMatch(/^## New\n\n- From May .*\n\n## Changed\n\n- ~~A ride .*~~ .* → A ride .* \[\d\]\(/);
		expect(finalAnalysis).toMatch(
			/## No longer on its page\n\n- Pupils .*\n\n\d+ statements are as they were on \d{4}-/,
		);
		expect(finalAnalysis).toContain('Which statements are known, changed or new was judged by the chat model');
		expect(html).toContain('<del>A ride on a Zippo scooter costs 22 cents a minute.</del>');
		expect(hintsOf(second)).toContain('1 new, 1 changed, 1 no longer on their page');

		await begin(3);
		const before = callsOf(sandbox);
		const third = await run(second.staticData);
		expect(errorText(third)).toBe('');
		expect(third.items(RESEARCH)).toEqual([]);
		expect(hintsOf(third)).toContain('0 new, 0 changed, 0 no longer on their page');
		// A week without changes asks the model for nothing.
		expect(callsOf(sandbox).model - before.model).toBeLessThan(calls.model / 5);

		const told = await run(second.staticData, news({ whenNothingNew: 'item' }));
		expect(told.items(RESEARCH)[0]?.json).toMatchObject({ status: 'unchanged', news: { new: [], changed: [] } });
	});

	it('puts out one item for each statement that is new, changed or withdrawn', async () => {
		const parameters = news({ output: 'claims' });
		const first = await firstWeek(news());
		await begin(2);
		const second = await run(first, parameters);
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
		const first = await firstWeek(news({ historyName: 'Scooters' }));
		await begin(2);
		const reworded = [{ q: 'Scooters of Kixx, Zippo and Rolla?' }];
		const found = newsOf(await run(first, news({ historyName: 'Scooters' }), reworded));
		expect(found.changed).toHaveLength(1);
		expect(found.withdrawn).toHaveLength(1);
		const other = await run(first, news({ historyName: 'Another' }));
		expect(other.items(RESEARCH)[0]?.json.isFirst).toBe(true);
	});

	it('keeps the questions of several items apart under one name', async () => {
		const items = [{ q: 'Zippo scooters?' }, { q: 'Kixx scooters?' }];
		const parameters = news({ historyName: 'Scooters', options: { pagesPerSite: 5, maxUrls: 6 } });
		const first = await run(undefined, parameters, items);
		expect(first.items(RESEARCH).map(({ json }) => json.isFirst)).toEqual([true, true]);
		await begin(2);
		const second = await run(first.staticData, parameters, items);
		const told = second.items(RESEARCH).map(({ json }) => json.news as unknown as News);
		for (const { changed, unchecked } of told) {
			expect(changed.map(({ now }) => now.text)).toEqual(['A ride on a Zippo scooter costs 25 cents a minute.']);
			expect(unchecked).toEqual([]);
		}
		await begin(3);
		expect((await run(second.staticData, parameters, items)).items(RESEARCH)).toEqual([]);
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
	])('takes what it has not written for no history: %s', async (_what, stored) => {
		const staticData = { [`node:${RESEARCH}`]: { webDataResearchHistory: stored } } as unknown as IDataObject;
		const execution = await run(staticData, news({ whenNothingNew: 'item' }));
		expect(errorText(execution)).toBe('');
		expect(execution.items(RESEARCH)[0]?.json.status).toBe('completed');
	});

	it('stores nothing in a test run, and says so', async () => {
		const first = await firstWeek();
		await begin(2);
		const manual = await runResearch(sandbox, { parameters: news(), items: [{ q: Q }], staticData: first });
		expectSecondWeek(newsOf(manual));
		expect(manual.staticData).toBeUndefined();
		expect(hintsOf(manual)).toContain('Test runs are not remembered');
	});

	it('keeps the history as it was when the node fails, and a Retry tells the same once', async () => {
		const first = await firstWeek();
		await begin(2);
		// The second question fails: the whole node does.
		const items = [{ q: Q }, { q: '' }];
		const failed = await run(first, news(), items);
		expect(errorText(failed)).not.toBe('');
		expect(failed.staticData).toBeUndefined();
		sandbox.faults.add({ step: 'model', kind: 'status', httpStatus: 401 });
		const broken = await run(first);
		expect(errorText(broken)).not.toBe('');
		sandbox.faults.clear();
		// n8n gives the Retry no static data: it goes by the copy of the first try.
		const retried = await retryResearch(sandbox, broken, { parameters: news() });
		expect(errorText(retried)).toBe('');
		expectSecondWeek(newsOf(retried));
	});

	it('says after a kill that the history is not there, and stores nothing then', async () => {
		const first = await firstWeek();
		await begin(2);
		let stored = '';
		const { executionId } = await runResearch(sandbox, {
			parameters: news(),
			items: [{ q: Q }],
			staticData: first,
			onProgress: (name, data) => {
				if (name === 'Items') stored = data;
			},
		});
		const killed = { executionId, stored: recoveredFromCrash(stored, RESEARCH) };
		const lost = await retryResearch(sandbox, killed, { parameters: news() });
		expect(errorText(lost)).toBe('');
		expect(lost.items(RESEARCH)[0]?.json.warnings).toEqual([
			expect.stringContaining('the history of this question is not'),
		]);
		expect(JSON.stringify(lost.staticData ?? {})).not.toContain('Zippo');
		// With what n8n stored with the execution, it tells what is new.
		const known = await retryResearch(sandbox, killed, { parameters: news(), staticData: first });
		expectSecondWeek(newsOf(known));
	});
});
