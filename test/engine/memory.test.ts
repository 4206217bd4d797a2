/** What becomes of what a node remembers when n8n's Data Tables do not do what they should. */
import { DataTables, flowNodes, retryFromStored, runWorkflow } from '../../tools/n8n-engine/index.ts';
import type { Execution } from '../../tools/n8n-engine/index.ts';
import { changedCrawl, ChangedSite, told } from './changedSite';
import { executionOptions, errorText, hintsOf, inLoop, KEY, killedInNode, NODE, workflowWith } from './run';

let site: ChangedSite;
let tables: DataTables;

beforeEach(async () => {
	site = await ChangedSite.open();
	tables = new DataTables();
	site.tables = tables;
});

const ALL = ['a new', 'b new', 'c new', 'd new'];
const rows = (name = 'web_data_memory') => tables.rowsOf(name);
const hints = (execution: Execution): string => hintsOf(execution).join(' ');
const never = async () => await new Promise<void>(() => undefined);

describe('The memory of a node in a Data Table', () => {
	it('is one row, by the ids of the workflow and the node, in the table with exactly the name', async () => {
		tables.create('project', 'web_data_memory_backup', [{ name: 'note', type: 'string' }], false);
		expect(await site.told()).toEqual(ALL);
		expect(rows()).toMatchObject([{ key: 'engine/node', version: 1 }]);
		tables.insert(tables.list('project', { filterName: 'backup' })[0] as never, { note: 'written last' });
		expect(await site.told()).toEqual([]);
		expect(rows()).toMatchObject([{ key: 'engine/node', version: 2 }]);
		expect(rows('web_data_memory_backup')).toHaveLength(1);
		expect(site.staticData).toBeUndefined();
		expect(JSON.stringify(rows())).not.toContain(KEY);
	});

	it('is in the table that the option names, and in no other', async () => {
		const own = changedCrawl({ memoryTable: 'Own-Memory' });
		await site.run(own);
		expect(await site.told(own)).toEqual([]);
		expect(tables.tables.map(({ name }) => name)).toEqual(['Own-Memory']);
		const refused = await site.run(changedCrawl({ memoryTable: "x'}}={{ 1 }}" }));
		expect(errorText(refused)).toContain('"Memory Table" must be the name of a Data Table');
		expect(tables.tables).toHaveLength(1);
	});

	it('is not asked for by a run that compares nothing', async () => {
		const asked: string[] = [];
		tables.gate = (operation) => void asked.push(operation);
		await site.run(changedCrawl({ onlyChanged: false }));
		expect(asked).toEqual([]);
	});

	it('of two workflows of two projects is in the project of each', async () => {
		tables = new DataTables({ projects: { first: 'one', second: 'two' } });
		site.tables = tables;
		for (const workflowId of ['first', 'second', 'first', 'second']) {
			await site.run(changedCrawl(), { workflowId });
		}
		expect(tables.tables.map(({ project, rows: own }) => [project, own.map(({ key }) => key)])).toEqual([
			['one', ['first/node']],
			['two', ['second/node']],
		]);
	});

	it('cannot be read: all is told, nothing stored, and n8n’s sentence shown', async () => {
		await site.run();
		const before = structuredClone(rows());
		tables.gate = () => {
			throw new Error('SQLITE_BUSY: database is locked');
		};
		const run = await site.run();
		expect(told(run)).toEqual(ALL);
		expect(hints(run)).toContain('could not be read (SQLITE_BUSY: database is locked): everything is told');
		expect(hints(run)).not.toContain('There is no earlier run');
		tables.gate = undefined;
		expect(rows()).toEqual(before);
		expect(await site.told()).toEqual([]);
	});

	it('is read once more where n8n has refused once', async () => {
		await site.run();
		let calls = 0;
		tables.gate = () => {
			calls += 1;
			if (calls === 1) throw new Error('busy');
		};
		expect(await site.told()).toEqual([]);
	});

	it.each([
		['read', 'row get', 30_000],
		['stored', 'row insert', 30_000],
	])('that is never %s holds the run for so long and no longer', async (_what, at, ms) => {
		tables.gate = async (operation) => (operation === at ? await never() : undefined);
		const began = Date.now();
		tables.create('project', 'web_data_memory', COLUMNS, false);
		const run = await site.run();
		expect(told(run)).toEqual(ALL);
		expect(Date.now() - began).toBeGreaterThanOrEqual(ms);
		expect(Date.now() - began).toBeLessThan(ms + 15_000);
		expect(hints(run)).toMatch(/could not be read|may not be remembered: n8n's Data Table took more than 30 s/);
	});

	it.each(['table list', 'row insert'])('does not hold a Stop: %s', async (at) => {
		const stop = new AbortController();
		let stoppedAt = 0;
		tables.gate = async (operation) => {
			if (operation !== at) return;
			stoppedAt = Date.now();
			stop.abort();
			await never();
		};
		await site.run(changedCrawl(), { signal: stop.signal });
		expect(stoppedAt).toBeGreaterThan(0);
		expect(Date.now() - stoppedAt).toBeLessThan(1_000);
	});

	it('is full, or holds less than what is to be remembered: the pages go out, and a hint says why', async () => {
		await site.run();
		const kept = structuredClone(tables.tables);
		for (const options of [{ maxCharacters: 1 }, { cellCharacters: 100 }]) {
			tables = new DataTables(options);
			tables.tables.push(...structuredClone(kept));
			site.tables = tables;
			site.write('b', `Text for ${JSON.stringify(options)}`);
			const run = await site.run();
			expect(told(run)).toEqual(['b changed']);
			expect(hints(run)).toMatch(/may not be remembered: .*(size limit exceeded|holds 100 of its \d+ characters)/);
		}
	});

	it.each([
		['no JSON', 'x'],
		['a list', '[]'],
		['too long', JSON.stringify({ webDataPages: 'x'.repeat(2_000_001) })],
	])('that cannot be used is replaced, and a hint says so: %s', async (_what, value) => {
		await site.run();
		Object.assign(rows()[0] ?? {}, { value });
		const run = await site.run();
		expect(told(run)).toEqual(ALL);
		expect(hints(run)).toContain('its memory starts empty');
		expect(hints(run)).not.toContain('There is no earlier run');
		expect(await site.told()).toEqual([]);
	});

	it('of another shape is left alone', async () => {
		tables.create('project', 'web_data_memory', [{ name: 'name', type: 'string' }], false);
		const run = await site.run();
		expect(told(run)).toEqual(ALL);
		expect(hints(run)).toContain(
			"may not be remembered: Validation error with data table request: unknown column name 'key'",
		);
		expect(rows()).toEqual([]);
	});

	it('that was deleted is made again', async () => {
		await site.run();
		tables.tables.length = 0;
		expect(await site.told()).toEqual(ALL);
		expect(await site.told()).toEqual([]);
	});

	it('of two runs at once keeps the sites of both', async () => {
		const other = changedCrawl({}, { url: `${site.home}docs` });
		for (const stored of [0, 1]) {
			if (stored === 1) await site.run(changedCrawl({}, { url: `${site.home}old` }));
			const isBeside: { run?: Promise<unknown> } = {};
			tables.gate = async (operation, when) => {
				const isSaving = operation === 'row insert' || operation === 'row update';
				if (!isSaving || when === 'after' || isBeside.run) return;
				isBeside.run = site.run(other);
				await isBeside.run;
			};
			expect(await site.told()).toEqual(ALL);
			tables.gate = undefined;
			expect(await site.told()).toEqual([]);
			expect(await site.told(other)).toEqual([]);
			tables.tables.length = 0;
		}
	});

	it('of several rows of one node is the one that was stored most often', async () => {
		await site.run();
		const [row] = rows();
		await site.run();
		tables.insert(tables.tables[0] as never, { key: row?.key ?? '', version: 1, value: '{}' });
		expect(await site.told()).toEqual([]);
	});

	it('is found again when the node is renamed', async () => {
		await site.run();
		const workflow = workflowWith(changedCrawl());
		for (const node of workflow.nodes) if (node.name === NODE) node.name = 'Renamed';
		workflow.connections = { Items: { main: [[{ node: 'Renamed', type: 'main', index: 0 }]] } };
		const options = await executionOptions(site.service, changedCrawl(), { mode: 'trigger', tables, original: true });
		const renamed = await runWorkflow({ ...options, workflow, pinData: { Items: [{ json: {} }] } });
		expect(errorText(renamed)).toBe('');
		expect(renamed.items('Renamed')).toEqual([]);
	});

	it('of a loop of ten rounds, one of which fails, tells nothing twice in the Retry', async () => {
		const workflow = inLoop(workflowWith(changedCrawl()), 10);
		const options = {
			...(await executionOptions(site.service, changedCrawl(), {
				mode: 'trigger',
				tables,
				// A round without news goes on, too.
				node: { alwaysOutputData: true, executeOnce: true },
			})),
			workflow,
			otherNodeTypes: flowNodes,
			pinData: { Items: [{ json: {} }] },
		};
		let reads = 0;
		site.service.instead = ({ method }) => {
			reads += method === 'POST' ? 1 : 0;
			return method === 'POST' && reads === 5 ? { status: 403, body: { error: 'Forbidden' } } : undefined;
		};
		const failed = await runWorkflow(options);
		expect(failed.error).toBeDefined();
		expect(rows()).toMatchObject([{ version: 4 }]);
		site.write('b', 'Another text');
		const retried = await retryFromStored(failed, options);
		expect(errorText(retried)).toBe('');
		const pagesOf = (round: number) => retried.items(NODE, 0, round).filter(({ json }) => json.url !== undefined);
		const rounds = Array.from({ length: 10 }, (_unused, round) => pagesOf(round).length);
		expect(rounds).toEqual([4, 0, 0, 0, 1, 0, 0, 0, 0, 0]);
	});

	it('tells all after a kill that came when it was stored, and compares after one that came before', async () => {
		await site.run();
		site.write('b', 'Another text');
		const before = tables.copy();
		const settings = { mode: 'trigger' as const, tables };
		const killed = await killedInNode(site.service, changedCrawl(), settings);
		// The first Retry names the crawl that may run; the Retry of that starts it again.
		const retriedTwice = async () => await site.retry(await site.retry(killed));
		const lost = await retriedTwice();
		expect(errorText(lost)).toBe('');
		expect(told(lost)).toEqual(ALL);
		expect(hints(lost)).toContain('n8n was killed after this node had remembered what it told');
		site.tables = before;
		expect(told(await retriedTwice())).toEqual(['b changed']);
	});
});

it('without a table, what n8n cannot record is said, and the pages go out all the same', async () => {
	site.tables = undefined;
	let calls = 0;
	const { processed } = site;
	const { of } = processed;
	jest.spyOn(processed, 'of').mockImplementation((node) => {
		calls += 1;
		// The first two ask whether it was given.
		if (calls > 2) throw new Error('The database is read-only');
		return of.call(processed, node);
	});
	const run = await site.run();
	expect(errorText(run)).toBe('');
	expect(told(run)).toEqual(ALL);
	expect(hints(run)).toContain('may not be remembered: The database is read-only');
});

const COLUMNS = [
	{ name: 'key', type: 'string' },
	{ name: 'value', type: 'string' },
	{ name: 'version', type: 'number' },
];
