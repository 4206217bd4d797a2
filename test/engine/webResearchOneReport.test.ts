import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { DataTables } from '../../tools/n8n-engine/index.ts';
import type { Execution } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { after, errorText, jsonOf, RETRY, startSandbox } from './run';
import { callsOf, RESEARCH, retryResearch, runResearch } from './webResearchRun';

// Three questions of the scooter sites, whose second week has news for each of them, and one mail.
const ITEMS = [{ q: 'Zippo scooters?' }, { q: 'Rolla scooters?' }, { q: 'Kixx scooters?' }];
const REFUSED = 'Rolla scooters';

let sandbox: Sandbox;
let tables: DataTables;

beforeEach(async () => {
	sandbox = await startSandbox({ seed: 1 });
	tables = new DataTables();
});

const parameters = (more: INodeParameters = {}): INodeParameters => ({
	report: 'news',
	whenNothingNew: 'nothing',
	oneReport: true,
	options: { pagesPerSite: 5, maxUrls: 6 },
	...more,
});

async function begin(week: number): Promise<void> {
	await (await fetch(`${sandbox.siteUrl}/try/week-${week}`)).text();
	await after(7 * 24 * 3_600_000);
}

const run = async (more: Parameters<typeof runResearch>[1] = {}): Promise<Execution> =>
	await runResearch(sandbox, { parameters: parameters(), items: ITEMS, mode: 'trigger', tables, ...more });

const itemOf = (execution: Execution): IDataObject => jsonOf(execution.items(RESEARCH))[0] ?? {};
const history = (): string => JSON.stringify(tables.rowsOf('web_data_memory'));

/** The planning of the second question is refused so often. */
const refuseSecond = (times: number) =>
	sandbox.faults.add({ step: 'model', query: `The question: ${REFUSED}`, kind: 'status', httpStatus: 401, times });

describe('one report for all items', () => {
	it('is one item of all input items, with one numbering, one foot and the sums', async () => {
		const execution = await run({ parameters: parameters({ report: 'everything' }) });
		expect(errorText(execution)).toBe('');
		const [item, ...others] = execution.items(RESEARCH);
		expect(others).toEqual([]);
		expect(item?.pairedItem).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		const json = itemOf(execution);
		expect(json.subject).toBe('Zippo scooters? (+2)');
		const html = String(json.html);
		for (const once of [/<!DOCTYPE html>/g, /<footer>/g, /<h1>/g]) expect(html.match(once)).toHaveLength(1);
		for (const { q } of ITEMS) expect(html).toContain(`<h2>${q}</h2>`);
		const sources = json.sources as Array<{ number: number; url: string }>;
		expect(sources.map(({ number }) => number)).toEqual(sources.map((_one, index) => index + 1));
		expect(new Set(sources.map(({ url }) => url)).size).toBe(sources.length);
		// Each number leads to the page that it stands for.
		for (const [, number, address] of html.matchAll(/<a href="([^"#]*)[^"]*">\[(\d+)\]<\/a>/g)) {
			expect(sources.find((one) => one.number === Number(address))?.url).toBe(number);
		}
		expect(json.questions).toMatchObject(ITEMS.map(({ q }) => ({ query: q, status: 'completed' })));
		expect(json.usage).toMatchObject({ creditsUsed: callsOf(sandbox).creditsUsed, modelCalls: callsOf(sandbox).model });
		expect(Object.keys(json).at(-1)).toBe('html');
	});

	it('tells the news of all in its subject, and is none where there are none', async () => {
		expect(errorText(await run())).toBe('');
		await begin(2);
		const second = itemOf(await run());
		expect(second.subject).toMatch(/^Changed: \d+ · .*Zippo scooters\?/);
		await begin(3);
		expect((await run()).items(RESEARCH)).toEqual([]);
	});

	it('is a file where one is asked for', async () => {
		const [item] = (await run({ parameters: parameters({ output: 'htmlFile' }) })).items(RESEARCH);
		expect(item?.json.fileName).toMatch(/^research-zippo-scooters.*\.html$/);
		expect(Object.keys(item?.binary ?? {})).toEqual(['data']);
		expect(item?.json).not.toHaveProperty('html');
	});

	it.each([
		['n8n’s Retry', {}],
		['n8n’s Retry on a worker', { onWorker: true }],
		['Retry On Fail', { node: RETRY }],
		['Retry On Fail on a worker', { node: RETRY, onWorker: true }],
	])('is put out once, and paid for once, by %s after the second question has failed', async (_name, more) => {
		await run();
		await begin(2);
		const before = history();
		const inOneGo = callsOf(sandbox);
		refuseSecond(1);
		const first = await run(more);
		let last = first;
		if (!('node' in more)) {
			expect(errorText(first)).not.toBe('');
			// Nothing is put out, and nothing is remembered.
			expect(first.items(RESEARCH)).toEqual([]);
			expect(history()).toBe(before);
			last = await retryResearch(sandbox, first, { parameters: parameters(), tables, ...more });
		}
		expect(errorText(last)).toBe('');
		expect(last.items(RESEARCH)).toHaveLength(1);
		expect(itemOf(last).questions).toHaveLength(3);
		expect(history()).not.toBe(before);
		// No page was scraped twice in this week.
		const { scrape } = callsOf(sandbox);
		const { pagesRead } = (itemOf(last).questions as Array<{ pagesRead: number }>).reduce(
			(sum, one) => ({ pagesRead: sum.pagesRead + one.pagesRead }),
			{ pagesRead: 0 },
		);
		expect(scrape - inOneGo.scrape).toBeLessThanOrEqual(pagesRead);
	});

	it('names a question that failed, whose item stands behind it and whose history stays', async () => {
		await run();
		await begin(2);
		refuseSecond(50);
		const execution = await run({ node: { onError: 'continueRegularOutput' } });
		const [report, failed, ...others] = jsonOf(execution.items(RESEARCH));
		expect(others).toEqual([]);
		expect(failed?.error).toEqual(expect.any(String));
		expect(report).toMatchObject({ status: 'partial' });
		expect(report?.questions).toMatchObject([{}, {}, { query: 'Rolla scooters?', status: 'failed' }]);
		expect(report?.text).toContain('Rolla scooters?\n\n');
		sandbox.faults.clear();
		// The one that failed tells its news in the next run, the others do not again.
		await begin(3);
		const before = callsOf(sandbox).creditsUsed;
		const next = itemOf(await run());
		expect(next.html).not.toContain('Zippo scooters?');
		// Those without news are no part of the report, and are counted with what they cost.
		expect(next.questions).toMatchObject([{ status: 'unchanged' }, { status: 'completed' }, { status: 'unchanged' }]);
		expect(next.usage).toMatchObject({ creditsUsed: callsOf(sandbox).creditsUsed - before });
	});
});
