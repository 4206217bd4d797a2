import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { readWorkflowFile } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { errorText, jsonOf, startSandbox } from './run';
import { RESEARCH, callsOf, runResearch } from './webResearchRun';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ seed: 1 });
});

beforeEach(() => {
	sandbox.reset();
});

const COLUMNS = [
	{ name: 'riders', description: 'Number of riders of the firm', type: 'number', choices: '' },
	{ name: 'delivery', description: 'What a delivery costs there', type: 'money', choices: '' },
];

const fill = (options: INodeParameters = {}, more: INodeParameters = {}): INodeParameters => ({
	operation: 'fillColumns',
	subject: '={{ $json.company }}',
	columns: { column: COLUMNS },
	options,
	...more,
});

/** So many rows, each with a name of its own. */
const firms = (most: number): IDataObject[] =>
	Array.from({ length: most }, (_one, id) => ({ id, company: id === 0 ? 'Osterby Couriers' : `Firm Number ${id}` }));

const statusesOf = (rows: readonly IDataObject[]) => {
	const counts: Record<string, number> = {};
	for (const { research_status: status } of rows) counts[String(status)] = (counts[String(status)] ?? 0) + 1;
	return counts;
};

const hintsOf = (execution: Awaited<ReturnType<typeof runResearch>>) =>
	execution.hints(RESEARCH).map(({ message }) => message);

it('reads a page that several rows need once, and says so', async () => {
	const execution = await runResearch(sandbox, { parameters: fill(), items: firms(6) });
	const rows = jsonOf(execution.items(RESEARCH));
	expect(rows.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 5]);
	expect(rows[0]).toMatchObject({ riders: 72, delivery: 1.85, research_status: 'complete' });
	const { scrape, creditsUsed } = callsOf(sandbox);
	const sum = rows.reduce((all, { research_credits: credits }) => all + Number(credits), 0);
	expect(sum).toBe(creditsUsed);
	expect(hintsOf(execution).join(' ')).toMatch(/\d+ pages? of other rows read again without a cost\./);
	expect(scrape).toBeLessThan(12);
});

it('puts a row that fails out as such, and goes on with the others', async () => {
	const items = [...firms(3), { id: 9, company: 'x'.repeat(300) }];
	sandbox.faults.add({ step: 'search', kind: 'status', httpStatus: 400, error: 'Bad words', times: 1 });
	const execution = await runResearch(sandbox, { parameters: fill(), items });
	expect(errorText(execution)).toBe('');
	const rows = jsonOf(execution.items(RESEARCH));
	expect(rows).toHaveLength(4);
	expect(statusesOf(rows)).toMatchObject({ failed: 2 });
	const failed = rows.filter(({ research_status: status }) => status === 'failed');
	expect(failed[0]?.research_missing).toMatch(/Bad words/);
	expect(failed[1]).toMatchObject({ id: 9, riders: null, research_credits: 0 });
	expect(failed[1]?.research_missing).toMatch(/"Subject" may have at most 200 characters/);
	for (const row of rows) expect(row).not.toHaveProperty('error');
});

it('sends rows that fail to the error output of n8n', async () => {
	const items = [...firms(1), { id: 9, company: 'x'.repeat(300) }];
	const execution = await runResearch(sandbox, { parameters: fill(), items, node: { onError: 'continueErrorOutput' } });
	expect(jsonOf(execution.items(RESEARCH)).map(({ id }) => id)).toEqual([0]);
	expect(jsonOf(execution.items(RESEARCH, 1))).toMatchObject([{ id: 9, research_status: 'failed' }]);
});

it('begins no further row where the trouble is that of all, and keeps what is done', async () => {
	// So many calls of the model are answered first.
	sandbox.faults.add({ step: 'model', kind: 'status', httpStatus: 401, skip: 8 });
	const parameters = fill({ modelCallsAtOnce: 1 });
	const execution = await runResearch(sandbox, { parameters, items: firms(12) });
	expect(errorText(execution)).toBe('');
	const rows = jsonOf(execution.items(RESEARCH));
	const { complete = 0, failed = 0, notStarted = 0 } = statusesOf(rows);
	expect(complete).toBe(1);
	expect(failed).toBeGreaterThan(0);
	expect(failed).toBeLessThanOrEqual(2);
	expect(notStarted).toBeGreaterThan(5);
	expect(hintsOf(execution).join(' ')).toMatch(
		/rows not started: .*model.*[^.]\. With .*Keep, the next run goes on with them/i,
	);
});

it('fails where no row has anything', async () => {
	sandbox.faults.add({ step: 'model', kind: 'status', httpStatus: 401 });
	const execution = await runResearch(sandbox, { parameters: fill(), items: firms(3) });
	expect(errorText(execution)).toMatch(/model/i);
});

it('spends one purse: what does not fit is not started, and the next run goes on with Keep', async () => {
	const items = firms(8);
	const free = await runResearch(sandbox, { parameters: fill(), items });
	const cost = callsOf(sandbox).creditsUsed;
	expect(statusesOf(jsonOf(free.items(RESEARCH)))).not.toHaveProperty('notStarted');
	sandbox.reset();
	const maxCredits = 14;
	const capped = await runResearch(sandbox, { parameters: fill({ maxCredits }), items });
	expect(callsOf(sandbox).creditsUsed).toBeLessThanOrEqual(maxCredits);
	const rows = jsonOf(capped.items(RESEARCH));
	const { notStarted = 0, complete = 0 } = statusesOf(rows);
	expect(complete).toBe(1);
	expect(notStarted).toBeGreaterThan(0);
	sandbox.reset();
	const again = await runResearch(sandbox, { parameters: fill({ existingCells: 'keep' }), items: rows });
	const after = jsonOf(again.items(RESEARCH));
	expect(after[0]).toMatchObject({ riders: 72, delivery: 1.85, delivery_currency: 'EUR', research_credits: 0 });
	expect(after[0]?.riders_source).toBe(rows[0]?.riders_source);
	expect(callsOf(sandbox).creditsUsed).toBeLessThan(cost);
	expect(hintsOf(again).join(' ')).toContain('1 row had a value in each column, and cost nothing.');
});

it('leaves what an item came with where it was not looked for', async () => {
	const items = firms(8).map((firm) => ({ ...firm, riders: 9, riders_source: 'mine' }));
	const long = { id: 9, company: 'x'.repeat(300), riders: 9 };
	const execution = await runResearch(sandbox, { parameters: fill({ maxCredits: 14 }), items: [...items, long] });
	const rows = jsonOf(execution.items(RESEARCH));
	const waiting = rows.filter(({ research_status: status }) => status === 'notStarted');
	expect(waiting.length).toBeGreaterThan(0);
	for (const row of waiting) expect(row).toMatchObject({ riders: 9, riders_source: 'mine', delivery: null });
	expect(rows.at(-1)).toMatchObject({ id: 9, riders: 9, research_status: 'failed' });
	// What was looked for and is not found any more becomes empty.
	const looked = await runResearch(sandbox, { parameters: fill(), items: items.slice(1, 2) });
	expect(jsonOf(looked.items(RESEARCH))).toMatchObject([
		{ riders: null, riders_source: null, research_status: 'empty' },
	]);
});

it('looks for empty columns only, where cells are kept', async () => {
	const items = [{ company: 'Osterby Couriers', riders: 5, riders_source: 'mine', delivery: '' }];
	const execution = await runResearch(sandbox, { parameters: fill({ existingCells: 'keep' }), items });
	expect(jsonOf(execution.items(RESEARCH))).toMatchObject([
		{ riders: 5, riders_source: 'mine', delivery: 1.85, delivery_currency: 'EUR', research_status: 'complete' },
	]);
	const again = await runResearch(sandbox, { parameters: fill(), items });
	expect(jsonOf(again.items(RESEARCH))).toMatchObject([{ riders: 72 }]);
});

it('begins no row after the time for all rows', async () => {
	const parameters = fill({ timeLimitAll: 30, modelCallsAtOnce: 1 });
	const execution = await runResearch(sandbox, { chat: 'sandbox:slow8000', parameters, items: firms(12) });
	expect(errorText(execution)).toBe('');
	const { notStarted = 0 } = statusesOf(jsonOf(execution.items(RESEARCH)));
	expect(notStarted).toBeGreaterThan(0);
	expect(hintsOf(execution).join(' ')).toContain('Time Limit for All Rows (30 s) reached');
});

describe('the example of a table of firms', () => {
	/** What their sites say, as a person reads it; null: nowhere, or a range. */
	const TRUTH: Record<string, readonly unknown[]> = {
		Velonda: ['Karsholm', '2014', 42, 29, true, 'sales@velonda.example'],
		Tourwerk: ['Vellinga', '2009', 118, 79, false, 'hello@tourwerk.example'],
		Kurvio: ['Nordhaven', '2019', 17, 19, true, 'sales@kurvio.example'],
		Pakatto: ['Lindmoor', '2016', null, 45, true, 'team@pakatto.example'],
		Radlane: ['Osterby', '2012', 64, 55, false, 'ways@radlane.example'],
		Stoppo: ['Karsholm', '2021', 9, null, true, 'stop@stoppo.example'],
		Hubline: ['Vellinga', '1998', 230, null, false, 'depots@hubline.example'],
		Lieferly: ['Nordhaven', '2018', 88, 39, true, null],
		Depoza: ['Lindmoor', '2017', 51, 99, true, 'rent@depoza.example'],
		Routiva: ['Osterby', '2006', 140, 120, false, 'long@routiva.example'],
		Bikeroo: ['Karsholm', '2020', 23, 25, true, 'ride@bikeroo.example'],
		Zustella: ['Lindmoor', '2011', 76, 60, true, 'where@zustella.example'],
	};

	it('fills at least four cells of five, and none of them wrongly', async () => {
		const { nodes } = await readWorkflowFile(join(__dirname, '../../examples/firms-to-columns.json'));
		const parametersOf = (name: string) => nodes.find((node) => node.name === name)?.parameters ?? {};
		const { assignments } = parametersOf('The Firms').assignments as { assignments: Array<{ value: string }> };
		const firms = JSON.parse(assignments[0]?.value ?? '[]') as IDataObject[];
		const parameters = parametersOf('Fill the Columns');
		const execution = await runResearch(sandbox, { parameters, items: firms });
		expect(execution.error).toBeUndefined();
		const rows = jsonOf(execution.items(RESEARCH));
		expect(rows.map(({ company }) => company)).toEqual(Object.keys(TRUTH));
		const names = ['head_office', 'founded', 'employees', 'smallest_plan', 'free_trial', 'sales_email'];
		const cells = rows.flatMap((row) =>
			names.map((name, at) => ({ row, name, right: TRUTH[String(row.company)]?.[at] })),
		);
		const filled = cells.filter(({ row, name }) => row[name] !== null);
		expect(filled.filter(({ row, name, right }) => row[name] !== right)).toEqual([]);
		expect(filled.length / cells.length).toBeGreaterThan(0.8);
		for (const { row, name } of filled) expect(row[`${name}_source`]).toMatch(/^https:\/\/\w+\.example\//);
		// A purse that rows share is not empty because others run at the moment.
		expect(statusesOf(rows).notStarted).toBeUndefined();
	});
});
