/** The examples that write pages into a table of Postgres, with n8n's own node, killed again and again. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { z } from 'zod/v4';
import type { StoredCredential, StoredWorkflow } from '../../tools/n8n/client.ts';
import { withCredential } from '../../tools/n8n/examples.ts';
import { waitFor } from '../../tools/n8n/poll.ts';
import { newestN8n } from '../../tools/n8n/project.ts';
import { nodeOutput, runCount, waitForExecution } from './harness/executions.ts';
import { everyLine } from './harness/lines.ts';
import { postgresUser, queryPostgres, startPostgres } from './harness/postgres.ts';
import { example, exampleTrigger, type Product, startProduct } from './harness/product.ts';
import type { TestServer } from './harness/redis.ts';

const PAGES = 5_000;
/** As the example has it. */
const ROUND = 1_000;
const SITE = 'https://large.example/';

const node = z.object({ name: z.string(), parameters: z.record(z.string(), z.unknown()) }).passthrough();
const fields = z.object({ assignments: z.array(z.object({ name: z.string() }).passthrough()) });

// The newest line, unless another is named.
const [version = newestN8n] = everyLine();

describe(`a large site into a table on n8n ${version}`, { timeout: 600_000 }, () => {
	let postgres: TestServer;
	let product: Product;
	before(async () => {
		postgres = await startPostgres();
		product = await startProduct(version, {}, { lightWork: true });
	});
	after(async () => {
		await product?.dispose();
		await postgres?.stop();
	});

	const databaseCredential = async (): Promise<StoredCredential> =>
		await product.n8n.client.createCredential('Postgres', 'postgres', {
			host: '127.0.0.1',
			port: postgres.port,
			database: 'postgres',
			user: postgresUser,
			password: 'none',
			ssl: 'disable',
		});

	/** The example, with its two credentials chosen and its first node filled in. */
	async function imported(): Promise<StoredWorkflow> {
		const { client } = product.n8n;
		const workflow = withCredential(example('into a database table', product.credential), await databaseCredential());
		const nodes = z.array(node).parse(workflow.nodes);
		const first = nodes.find(({ name }) => name === 'Which Site') ?? assert.fail('no first node');
		const values: Record<string, unknown> = { site: SITE, mostPages: PAGES };
		const { assignments } = fields.parse(first.parameters.assignments);
		first.parameters.assignments = {
			assignments: assignments.map((field) => ({ ...field, value: values[field.name] })),
		};
		return await client.createWorkflow({ ...workflow, nodes });
	}

	const ask = async (statement: string) => await queryPostgres(postgres, statement);
	const written = async (): Promise<number> => {
		const [found] = await ask("SELECT to_regclass('site_pages') IS NOT NULL");
		return found?.[0] === 't' ? Number((await ask('SELECT count(*) FROM site_pages'))[0]?.[0]) : 0;
	};

	/** Presses the button, kills n8n as soon as `isSo`, and starts it again. Gives the rows of that moment. */
	async function killedWhen(
		saved: StoredWorkflow,
		what: string,
		isSo: () => boolean | Promise<boolean>,
	): Promise<number> {
		const { n8n } = product;
		await n8n.client.run(saved, exampleTrigger);
		const probe = async () => ((await isSo()) ? true : undefined);
		await waitFor(what, probe, { timeoutMs: 120_000, intervalMs: 50 });
		await n8n.crash();
		const rows = await written();
		await n8n.restart();
		return rows;
	}

	test('killed while it starts the crawl and twice in the middle: each page once, one crawl', async (t) => {
		const { n8n, sandbox } = product;
		const { stats } = sandbox;
		const saved = await imported();

		sandbox.faults.add({ step: 'crawlStart', kind: 'hang', when: 'after', times: 1 });
		const startIsLost = () => stats().starts.total === 1;
		assert.equal(await killedWhen(saved, 'a start without an answer', startIsLost), 0);

		const isReading = () => (stats().calls.slice ?? 0) > 15;
		const some = await killedWhen(saved, 'slices of the second round', isReading);
		assert.ok(some >= ROUND && some < 3 * ROUND, `${some} rows`);
		assert.equal(some % ROUND, 0, 'a round is written whole or not at all');

		const isWritten = async () => (await written()) >= 3 * ROUND;
		const more = await killedWhen(saved, 'the rows of the third round', isWritten);
		assert.ok(more < PAGES, `${more} rows`);

		const id = await n8n.client.run(saved, exampleTrigger);
		const execution = await waitForExecution(n8n.client, id, {
			states: ['success'],
			timeoutMs: 120_000,
		});
		t.diagnostic(`${some} rows at the second kill, ${more} at the third`);

		const columns = 'count(*), count(DISTINCT url), min(page_number), max(page_number)';
		const [count] = await ask(`SELECT ${columns} FROM site_pages`);
		assert.deepEqual(count, [PAGES, PAGES, 1, PAGES].map(String));
		assert.equal(stats().starts.total, 1, 'one crawl was started');
		const jobId = stats().starts.list[0]?.id;
		const jobs = await ask('SELECT site, job_id, done_at IS NOT NULL FROM site_crawls');
		assert.deepEqual(jobs, [[SITE, jobId, 't']]);
		assert.deepEqual(nodeOutput(execution, 'Close the Job')[0]?.json, {
			site: SITE,
			job_id: jobId,
			pages: PAGES,
		});

		// What n8n holds until the end has no page in it: each round was let go when it was over.
		assert.equal(runCount(execution, 'Read a Round'), (PAGES - more) / ROUND);
		const held = JSON.stringify(execution.data);
		assert.ok(!held.includes('/light/'), 'no page is in the execution');
		const kept = await n8n.client.executions();
		const states = kept.map(({ mode, status }) => `${mode} ${status}`);
		t.diagnostic(`${held.length} characters; ${states.join(', ')}`);
		assert.ok(!states.includes('integrated success'), 'no round is stored');
	});

	test('rows of a table: killed while a batch runs, each row has its page, its status, and one batch', async () => {
		const { n8n, sandbox } = product;
		const ROWS = 60;
		const rows = Array.from({ length: ROWS }, (_, at) => ({ company: `Firm ${at}`, url: `${SITE}light/${at + 1}` }));
		const own = [...rows, { company: 'Nobody', url: 'no address' }];
		const workflow = withCredential(example('Rows of a table', product.credential), await databaseCredential());
		const nodes = z.array(node).parse(workflow.nodes);
		const first = nodes.find(({ name }) => name === 'Your Rows') ?? assert.fail('no rows');
		const { assignments } = fields.parse(first.parameters.assignments);
		first.parameters.assignments = { assignments: assignments.map((one) => ({ ...one, value: JSON.stringify(own) })) };
		const saved = await n8n.client.createWorkflow({ ...workflow, nodes });
		const asItIs = await n8n.client.createWorkflow(workflow);
		await waitForExecution(n8n.client, await n8n.client.run(asItIs, exampleTrigger), { states: ['success'] });
		assert.deepEqual(await ask('SELECT company, status, error FROM company_pages ORDER BY id LIMIT 3'), [
			['Velonda', 'done', ''],
			['Kurvio', 'done', ''],
			['Costs', 'done', ''],
		]);
		await ask('DROP TABLE company_pages');
		const before = sandbox.stats().starts.total;
		const count = async (status: string): Promise<number> => {
			const [made] = await ask("SELECT to_regclass('company_pages') IS NOT NULL");
			if (made?.[0] !== 't') return 0;
			return Number((await ask(`SELECT count(*) FROM company_pages WHERE status = '${status}'`))[0]?.[0]);
		};
		await killedWhen(saved, 'rows whose batch runs', async () => (await count('running')) > 0);
		const run = async () =>
			await waitForExecution(n8n.client, await n8n.client.run(saved, exampleTrigger), { states: ['success'] });
		await run();
		const statuses = 'SELECT status, count(*), count(markdown) FROM company_pages GROUP BY status ORDER BY status';
		assert.deepEqual(await ask(statuses), [
			['done', String(ROWS), String(ROWS)],
			['failed', '1', '0'],
		]);
		assert.match(String((await ask("SELECT error FROM company_pages WHERE status = 'failed'"))[0]?.[0]), /address|URL/);
		assert.equal(sandbox.stats().starts.total - before, 2, 'a batch for each portion');
		// Nothing is left to do.
		await run();
		assert.equal(sandbox.stats().starts.total - before, 2);
	});
});
