import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { DataTables, recoveredFromCrash } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { after, errorText, jsonOf, startSandbox } from './run';
import { RESEARCH, callsOf, retryResearch, runResearch } from './webResearchRun';

let sandbox: Sandbox;
let tables: DataTables;

beforeEach(async () => {
	sandbox = await startSandbox({ seed: 1 });
	tables = new DataTables();
});

const FIRMS: IDataObject[] = ['Velonda', 'Kurvio', 'Pakatto', 'Depoza'].map((company, id) => {
	return { id, company, site: `${company.toLowerCase()}.example` };
});

const COLUMNS = [
	{ name: 'smallest_plan', description: 'Price of the smallest plan', type: 'money' },
	{ name: 'free_trial', description: 'Whether there is a free trial', type: 'boolean' },
	{ name: 'employees', description: 'Number of employees', type: 'number' },
];

const watch = (more: INodeParameters = {}): INodeParameters => ({
	operation: 'fillColumns',
	subject: '={{ $json.company }}',
	website: '={{ $json.site }}',
	columns: { column: COLUMNS },
	report: 'news',
	historyName: '',
	whenNothingNew: 'nothing',
	...more,
});

/** The sites as they are in this week. */
async function begin(week: number): Promise<void> {
	await (await fetch(`${sandbox.siteUrl}/try/week-${week}`)).text();
	await after(7 * 24 * 3_600_000);
}

const run = async (parameters = watch(), items = FIRMS) =>
	await runResearch(sandbox, { parameters, items, mode: 'trigger', tables });

type Ran = Awaited<ReturnType<typeof run>>;

const hintsOf = (execution: Ran) =>
	execution
		.hints(RESEARCH)
		.map(({ message }) => message)
		.join('\n');

const changesOf = (execution: Ran) =>
	Object.fromEntries(jsonOf(execution.items(RESEARCH)).map((row) => [row.company, row.research_changes]));

const SECOND_WEEK = {
	Velonda: 'smallest_plan: 29 → 35 EUR',
	Kurvio: 'free_trial: yes → gone',
	Pakatto: 'employees: filled: 33',
};

it('returns in the second week the rows of which a cell has moved, and in a quiet one none', async () => {
	const first = await run();
	expect(errorText(first)).toBe('');
	expect(new Set(Object.values(changesOf(first)))).toEqual(new Set(['first run of this row']));
	expect(hintsOf(first)).toContain(
		'4 rows without an earlier run: the next run returns what has changed since this one.',
	);
	await begin(2);
	// Rows are known by their names, whatever their order is.
	const second = await run(watch(), [...FIRMS].reverse());
	expect(errorText(second)).toBe('');
	expect(changesOf(second)).toEqual(SECOND_WEEK);
	expect(hintsOf(second)).toContain('Since the last run: 1 changed, 1 filled, 1 gone in 3 rows; 1 row as before.');
	const [, , velonda] = jsonOf(second.items(RESEARCH));
	expect(velonda).toMatchObject({ id: 0, smallest_plan: 35, free_trial: true });
	await begin(3);
	const before = callsOf(sandbox);
	const third = await run();
	expect(errorText(third)).toBe('');
	expect(third.items(RESEARCH)).toEqual([]);
	expect(callsOf(sandbox).model).toBe(before.model);
});

it('makes one mail of the table, with both links of each change, and none where nothing moved', async () => {
	await run(watch({ oneReport: true }));
	await begin(2);
	const mail = await run(watch({ oneReport: true }));
	const [item, ...others] = jsonOf(mail.items(RESEARCH));
	expect(others).toEqual([]);
	expect(item).toMatchObject({
		subject: 'Changed: 1 · Filled: 1 · Gone: 1 · Velonda, Kurvio, Pakatto',
		counts: { changed: 1, filled: 1, gone: 1, firstRows: 0, movedRows: 3, silentRows: 1 },
	});
	expect(item?.html).toMatch(
		/<td>Velonda<\/td><td>smallest_plan<\/td><td><a href="https:\/\/velonda\.example\/prices">29 EUR<\/a> \(\d{4}-\d\d-\d\d\)<\/td><td><a href="https:\/\/velonda\.example\/prices#:~:text=[^"]+">35 EUR<\/a><\/td>/,
	);
	expect((item?.rows as IDataObject[]).map(({ id, research_changes: text }) => [id, text])).toEqual([
		[0, SECOND_WEEK.Velonda],
		[1, SECOND_WEEK.Kurvio],
		[2, SECOND_WEEK.Pakatto],
	]);
	expect((await run(watch({ oneReport: true }))).items(RESEARCH)).toEqual([]);
});

it('never gives a row the history of another one, in whatever portions the table comes', async () => {
	await run(watch(), FIRMS.slice(0, 2));
	await run(watch(), FIRMS.slice(2));
	await begin(2);
	// Another firm stands where Velonda stood, and the website of a firm is another one.
	const items = [
		{ id: 0, company: 'Bikeroo', site: 'bikeroo.example' },
		{ id: 1, company: 'Kurvio', site: '' },
		...FIRMS.slice(2),
	];
	const second = await run(watch({ output: 'fullRecord' }), items);
	expect(
		jsonOf(second.items(RESEARCH)).map((row) => [row.subject, row.isFirst, (row.changes as object[]).length]),
	).toEqual([
		['Bikeroo', true, 0],
		['Kurvio', true, 0],
		['Pakatto', false, 1],
	]);
	// What was not in the table for a week is compared with what it was.
	expect(changesOf(await run())).toEqual({ Velonda: SECOND_WEEK.Velonda, Kurvio: SECOND_WEEK.Kurvio });
});

it('tells a row that failed, keeps what it was, and compares with that the next time', async () => {
	await run();
	await begin(2);
	const end = sandbox.faults.add({ step: 'scrape', kind: 'status', httpStatus: 500, query: 'kurvio' });
	const second = await run();
	const rows = jsonOf(second.items(RESEARCH)).map((row) => [row.company, row.research_status, row.research_changes]);
	expect(rows).toContainEqual(['Kurvio', 'failed', null]);
	end();
	expect(changesOf(await run())).toEqual({ Kurvio: SECOND_WEEK.Kurvio });
});

it('leaves a cell as it was whose page cannot be read, and says so', async () => {
	await run();
	await begin(2);
	const end = sandbox.faults.add({ step: 'scrape', kind: 'status', httpStatus: 500, query: 'pakatto.example/prices' });
	const second = await run();
	const pakatto = jsonOf(second.items(RESEARCH)).find(({ company }) => company === 'Pakatto');
	expect(pakatto).toMatchObject({
		research_changes: SECOND_WEEK.Pakatto,
		smallest_plan: 45,
		smallest_plan_currency: 'EUR',
		smallest_plan_source: 'https://pakatto.example/prices',
		research_missing: expect.stringContaining('smallest_plan: could not be checked this time'),
	});
	expect(hintsOf(second)).toContain('2 cells could not be checked.');
	end();
	expect((await run()).items(RESEARCH)).toEqual([]);
});

it('tells in a Retry what the try before would have told', async () => {
	await run();
	await begin(2);
	const broken = sandbox.faults.add({ step: 'scrape', kind: 'status', httpStatus: 402, error: 'No credits' });
	const failed = await run();
	expect(errorText(failed)).toMatch(/credits/i);
	broken();
	const again = await retryResearch(sandbox, failed, { parameters: watch(), tables });
	expect(errorText(again)).toBe('');
	expect(changesOf(again)).toEqual(SECOND_WEEK);
	await begin(3);
	expect((await run()).items(RESEARCH)).toEqual([]);
});

it('tells all rows after a kill that came when it had remembered, and does not say that they are new', async () => {
	await run();
	await begin(2);
	let stored = '';
	const { executionId } = await runResearch(sandbox, {
		...{ parameters: watch(), items: FIRMS, mode: 'trigger', tables },
		onProgress: (name, data) => void (name === 'Items' && (stored = data)),
	});
	const killed = { executionId, stored: recoveredFromCrash(stored, RESEARCH) };
	const again = await retryResearch(sandbox, killed, { parameters: watch(), tables });
	expect(changesOf(again)).toEqual({ Velonda: null, Kurvio: null, Pakatto: null, Depoza: null });
	expect(hintsOf(again)).toContain('n8n was killed after this node had remembered what it told');
});

it('refuses to keep cells that it is to watch', async () => {
	const execution = await run(watch({ options: { existingCells: 'keep' } }));
	expect(errorText(execution)).toContain('"Cells That Have a Value" cannot be Keep');
	expect(callsOf(sandbox).creditsUsed).toBe(0);
});
