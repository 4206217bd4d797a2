import type { INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/server.ts';
import { errorText, jsonOf, startSandbox } from './run';
import { RESEARCH, callsOf, retryResearch, runResearch } from './webResearchRun';

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
	{ name: 'boats', description: 'Number of boats that sail', type: 'number', choices: '' },
];

const fill = (more: INodeParameters = {}): INodeParameters => ({
	operation: 'fillColumns',
	subject: '={{ $json.company }}',
	columns: { column: COLUMNS },
	...more,
});

const FIRM = { id: 7, company: 'Osterby Couriers', note: null };

it('fills the columns of a row, flat, with the fields that it came with', async () => {
	const execution = await runResearch(sandbox, { parameters: fill(), items: [FIRM] });
	expect(execution.error).toBeUndefined();
	const [row] = jsonOf(execution.items(RESEARCH));
	expect(row).toEqual({
		...FIRM,
		riders: 72,
		riders_source: expect.stringMatching(/^https:\/\/example\.com\/.*#:~:text=/),
		delivery: 1.85,
		delivery_currency: 'EUR',
		delivery_source: expect.stringMatching(/^https:\/\/example\.com\//),
		boats: null,
		boats_source: null,
		research_status: 'partial',
		research_missing: 'boats: not found',
		research_credits: callsOf(sandbox).creditsUsed,
	});
	expect(Object.keys(row ?? {}).slice(0, 3)).toEqual(['id', 'company', 'note']);
	expect(execution.hints(RESEARCH)[0]?.message).toMatch(/^1 row: 2 of 3 cells filled, \d+ credits, /);
});

it('skips a row without a subject, at no cost, and goes on with the others', async () => {
	const items = [{ company: '' }, FIRM, { company: '   ' }];
	const execution = await runResearch(sandbox, { parameters: fill({ options: { emptyCells: 'text' } }), items });
	const rows = jsonOf(execution.items(RESEARCH));
	expect(rows.map((row) => row.research_status)).toEqual(['skipped', 'partial', 'skipped']);
	expect(rows[0]).toMatchObject({
		riders: '',
		delivery_currency: '',
		research_missing: 'no subject',
		research_credits: 0,
	});
	expect(execution.hints(RESEARCH).map(({ message }) => message)).toContain('2 rows without a Subject: skipped.');
});

it('puts out each cell with its quote, or all of a row in one record', async () => {
	const cells = await runResearch(sandbox, { parameters: fill({ output: 'cells' }), items: [FIRM] });
	expect(jsonOf(cells.items(RESEARCH))).toMatchObject([
		{ id: 7, column: 'riders', value: 72, verified: true, by: 'code', quote: expect.stringContaining('72 riders') },
		{ column: 'delivery', value: 1.85, currency: 'EUR' },
		{ column: 'boats', value: null, verified: false, reason: 'notFound' },
	]);
	const record = await runResearch(sandbox, { parameters: fill({ output: 'fullRecord' }), items: [FIRM] });
	expect(jsonOf(record.items(RESEARCH))[0]).toMatchObject({
		subject: 'Osterby Couriers',
		values: { riders: 72, delivery: 1.85, boats: null },
		status: 'partial',
		pages: expect.arrayContaining([expect.stringMatching(/^https:\/\/example\.com/)]),
	});
});

it('reads the site of the subject first, and of its other pages those that speak of the columns', async () => {
	const items = [{ company: 'Cargo bikes', site: 'example.com' }];
	const columns = {
		column: [{ name: 'spare_battery', description: 'Price of a spare battery', type: 'money', choices: '' }],
	};
	const parameters = fill({ website: '={{ $json.site }}', columns, options: { maxDepth: 1 } });
	const execution = await runResearch(sandbox, { parameters, items });
	expect(execution.error).toBeUndefined();
	const [row] = jsonOf(execution.items(RESEARCH));
	expect(sandbox.stats().calls).toMatchObject({ map: 1 });
	expect(sandbox.stats().calls.search ?? 0).toBe(0);
	expect(row).toMatchObject({ research_missing: 'spare_battery: its page has a range', spare_battery: null });
	// What is no address is left out, and said.
	const odd = await runResearch(sandbox, { parameters, items: [{ company: 'Osterby Couriers', site: 'n/a' }] });
	expect(odd.error).toBeUndefined();
	expect(odd.hints(RESEARCH).map(({ message }) => message)).toContain(
		'"n/a" is no web address: the row was filled without Website.',
	);
});

it('takes columns from an expression, as a list or by name', async () => {
	const byName = {
		riders: { description: 'Number of riders of the firm', type: 'number' },
		delivery: { description: 'What a delivery costs', type: 'money' },
	};
	for (const columnsJson of [byName, COLUMNS.slice(0, 2)]) {
		const parameters = fill({ columnsFrom: 'json', columnsJson: JSON.stringify(columnsJson) });
		const execution = await runResearch(sandbox, { parameters, items: [FIRM] });
		expect(jsonOf(execution.items(RESEARCH))[0]).toMatchObject({
			riders: 72,
			delivery: 1.85,
			research_status: 'complete',
		});
	}
});

describe('before anything is sent, it refuses', () => {
	const column = (name: string, more = {}) => ({ name, description: '', type: 'text', choices: '', ...more });
	it.each([
		['no column', [], '"Columns" needs at least one column with a name'],
		['a column twice', [column('city'), column('City')], 'cannot have the field "City"'],
		['a column that another one makes', [column('a'), column('a_source')], 'cannot have the field "a_source"'],
		['the field error', [column('error')], 'by which n8n takes an item for a failed one'],
		['a field that each row gets', [column('research_status')], 'cannot have the field "research_status"'],
		['a list without choices', [column('kind', { type: 'choice', choices: 'A' })], 'at least two choices'],
	])('%s', async (_what, columns, message) => {
		const execution = await runResearch(sandbox, { parameters: fill({ columns: { column: columns } }), items: [FIRM] });
		expect(execution.error?.message).toContain(message);
		expect(callsOf(sandbox)).toMatchObject({ model: 0, search: 0, scrape: 0 });
	});

	it('a subject that is no name, and columns that differ by item', async () => {
		const long = await runResearch(sandbox, { parameters: fill(), items: [{ company: 'x'.repeat(201) }] });
		expect(long.error?.message).toContain('"Subject" may have at most 200 characters');
		const parameters = fill({ columnsFrom: 'json', columnsJson: '={{ { [$json.company]: "What it is" } }}' });
		const differing = await runResearch(sandbox, { parameters, items: [{ company: 'A' }, { company: 'B' }] });
		expect(differing.error?.message).toContain('"Columns" must be the same for all items');
		expect(callsOf(sandbox)).toMatchObject({ model: 0, search: 0, scrape: 0 });
	});
});

it('pays for one page where the model gives no answer that can be read', async () => {
	const execution = await runResearch(sandbox, { chat: 'sandbox:refusal', parameters: fill(), items: [FIRM] });
	expect(errorText(execution)).toMatch(/model/i);
	expect(callsOf(sandbox).scrape).toBe(1);
});

it('pays for nothing twice in a Retry', async () => {
	const items = [FIRM, { company: 'Lindmoor groceries' }];
	const parameters = fill();
	const rows = jsonOf((await runResearch(sandbox, { parameters, items })).items(RESEARCH));
	const whole = callsOf(sandbox);
	sandbox.reset();
	sandbox.faults.add({ step: 'model', kind: 'status', httpStatus: 401, skip: 1 });
	const failed = await runResearch(sandbox, { parameters, items });
	expect(errorText(failed)).toMatch(/model/i);
	expect(callsOf(sandbox).scrape).toBeGreaterThan(0);
	sandbox.faults.clear();
	const retried = await retryResearch(sandbox, failed, { parameters, items });
	expect(errorText(retried)).toBe('');
	const { search, scrape, creditsUsed } = whole;
	expect(callsOf(sandbox)).toMatchObject({ search, scrape, creditsUsed });
	// Which of two rows pays for a page that both need may differ.
	const same = rows.map((row) => ({ ...row, research_credits: expect.any(Number) }));
	expect(jsonOf(retried.items(RESEARCH))).toEqual(same);
});
