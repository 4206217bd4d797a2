/** The example that reads a large site into a table, with n8n's own Postgres node, killed again and again. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { z } from 'zod';
import type { StoredWorkflow } from '../../n8n/client.ts';
import { withCredential } from '../../n8n/examples.ts';
import { waitFor } from '../../n8n/poll.ts';
import { nodeOutput, runCount, waitForExecution } from './harness/executions.ts';
import { postgresUser, queryPostgres, startPostgres } from './harness/postgres.ts';
import { example, exampleTrigger, type Product, startProduct } from './harness/product.ts';
import type { TestServer } from './harness/redis.ts';

const PAGES = 5_000;
/** As the example has it. */
const ROUND = 1_000;
const SITE = 'https://large.example/';

const node = z.object({ name: z.string(), parameters: z.record(z.unknown()) }).passthrough();

describe('a large site into a table on n8n 2.40', { timeout: 300_000 }, () => {
	let postgres: TestServer;
	let product: Product;
	before(async () => {
		postgres = await startPostgres();
		product = await startProduct('2.40', {}, { lightWork: true });
	});
	after(async () => {
		await product?.dispose();
		await postgres?.stop();
	});

	/** The example, with its two credentials chosen and its first node filled in. */
	async function imported(): Promise<StoredWorkflow> {
		const { n8n, credential } = product;
		const data = {
			host: '127.0.0.1',
			port: postgres.port,
			database: 'postgres',
			user: postgresUser,
			password: 'none',
			ssl: 'disable',
		};
		const database = await n8n.client.createCredential('Postgres', 'postgres', data);
		const workflow = withCredential(example('into a database table', credential), database);
		const nodes = z.array(node).parse(workflow.nodes);
		const first = nodes.find(({ name }) => name === 'Which Site') ?? assert.fail('no first node');
		const [site, mostPages] = z
			.object({ assignments: z.array(z.record(z.unknown())) })
			.parse(first.parameters.assignments).assignments;
		Object.assign(site ?? {}, { value: SITE });
		Object.assign(mostPages ?? {}, { value: PAGES });
		first.parameters.assignments = { assignments: [site, mostPages] };
		return await n8n.client.createWorkflow({ ...workflow, nodes });
	}

	const rows = async (statement: string) => await queryPostgres(postgres, statement);
	const written = async (): Promise<number> => {
		const found = await rows("SELECT to_regclass('site_pages') IS NOT NULL");
		if (found[0]?.[0] !== 't') return 0;
		return Number((await rows('SELECT count(*) FROM site_pages'))[0]?.[0]);
	};

	/** Presses the button, and kills n8n as soon as it has come so far. */
	async function killedWhen(saved: StoredWorkflow, what: string, isSo: () => Promise<boolean>) {
		const { n8n } = product;
		await n8n.client.run(saved, exampleTrigger);
		const probe = async () => ((await isSo()) ? true : undefined);
		await waitFor(what, probe, { timeoutMs: 60_000, intervalMs: 20 });
		await n8n.crash();
		const before = await written();
		await n8n.restart();
		return before;
	}

	test('killed at the start of the crawl and twice in the middle: each page once, one crawl', async (t) => {
		const { n8n, sandbox } = product;
		const saved = await imported();
		const { calls } = sandbox.stats();
		t.diagnostic(JSON.stringify(calls));

		sandbox.faults.add({ step: 'crawlStart', kind: 'hang', when: 'after', times: 1 });
		const none = await killedWhen(saved, 'a start whose answer never comes', async () => {
			return sandbox.stats().starts.total === 1;
		});
		assert.equal(none, 0);

		const slices = () => sandbox.stats().calls.slice ?? 0;
		const some = await killedWhen(saved, 'slices of the second round', async () => slices() >= 15);
		t.diagnostic(`${some} rows after the second kill`);
		assert.ok(some < PAGES);

		const more = await killedWhen(saved, 'rows of the third round', async () => {
			return (await written()) >= 3 * ROUND;
		});
		t.diagnostic(`${more} rows after the third kill`);
		assert.ok(more >= some && more < PAGES);

		const id = await n8n.client.run(saved, exampleTrigger);
		const execution = await waitForExecution(n8n.client, id, { states: ['success'] });
		const [count] = await rows(
			'SELECT count(*), count(DISTINCT url), min(page_number), max(page_number), count(DISTINCT job_id) FROM site_pages',
		);
		assert.deepEqual(count, [PAGES, PAGES, 1, PAGES, 1].map(String));
		assert.equal(sandbox.stats().starts.total, 1, 'one crawl was started');
		const jobs = await rows('SELECT site, job_id, done_at IS NOT NULL FROM site_crawls');
		assert.deepEqual(jobs, [[SITE, sandbox.stats().starts.list[0]?.id, 't']]);
		assert.equal(nodeOutput(execution, 'Close the Job')[0]?.json.pages, PAGES);
		t.diagnostic(
			`rounds ${runCount(execution, 'Read a Round')}, ${JSON.stringify(execution.data).length} characters`,
		);
		t.diagnostic(
			/VmHWM:.*/.exec(readFileSync(`/proc/${n8n.running.program.pid}/status`, 'utf8'))?.[0] ?? '',
		);
		t.diagnostic(JSON.stringify(await n8n.client.executions()).slice(0, 2000));
	});
});
