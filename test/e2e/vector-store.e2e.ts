/** The example that keeps a vector store current: what an agent answers follows the site. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { z } from 'zod';
import type { StoredWorkflow, WorkflowDefinition } from '../../n8n/client.ts';
import { withCredential } from '../../n8n/examples.ts';
import { waitFor } from '../../n8n/poll.ts';
import { createDataTable, type DataTable, withDataTable } from './harness/dataTables.ts';
import { publishEdition } from './harness/editions.ts';
import { nodeOutput, type OutputItem, waitForExecution } from './harness/executions.ts';
import { outerLines } from './harness/lines.ts';
import { postgresData, startPgvector } from './harness/pgvector.ts';
import { queryPostgres } from './harness/postgres.ts';
import type { TestServer } from './harness/redis.ts';
import { apiKey, example, exampleTrigger, type Product, sharedProduct } from './harness/product.ts';
import { everySeconds } from './harness/workflows.ts';

const COLUMNS = { url: 'string', title: 'string', text: 'string', change: 'string' } as const;
/** Where an example keeps the pages. */
interface Store {
	/** Words of the example's name. */
	words: string;
	/** Chooses the store in the example. */
	choose(workflow: WorkflowDefinition, product: Product): Promise<WorkflowDefinition>;
	/** The addresses of the pages that it holds. */
	urls(): Promise<string[]>;
	stop?(): Promise<void>;
}

function simpleStore(): Store {
	let table: DataTable;
	return {
		words: 'a vector store that stays current',
		choose: async (workflow, { n8n }) => {
			table = await createDataTable(n8n.client, 'Handbook', COLUMNS);
			return withDataTable(workflow, table);
		},
		urls: async () => (await table.rows()).map(({ url }) => String(url)),
	};
}

function pgvector(): Store {
	let server: TestServer;
	return {
		words: 'pgvector that stays current',
		choose: async (workflow, { n8n }) => {
			server = await startPgvector();
			const data = postgresData(server, 'postgres');
			const credential = await n8n.client.createCredential('pgvector', 'postgres', data);
			return withCredential(workflow, credential);
		},
		urls: async () => {
			const asked = "SELECT DISTINCT metadata->>'url' FROM handbook";
			return (await queryPostgres(server, asked, 'postgres')).map(([url]) => String(url));
		},
		stop: async () => await server.stop(),
	};
}

const node = z.object({ name: z.string() }).passthrough();

/** The workflow, started every few seconds and not every day. */
function hurried(workflow: WorkflowDefinition): WorkflowDefinition {
	const { parameters } = everySeconds(5);
	const nodes = workflow.nodes.map((entry) => {
		const read = node.parse(entry);
		return read.name === 'Every Day' ? { ...read, parameters } : entry;
	});
	return { ...workflow, nodes };
}

const runs = outerLines().flatMap((version) =>
	[simpleStore(), pgvector()].map((store) => ({ version, store })),
);
for (const { version, store } of runs) {
	describe(`${store.words} on n8n ${version}`, { timeout: 300_000 }, () => {
		let product: Product;
		let saved: StoredWorkflow;
		before(async () => {
			product = await sharedProduct(version);
			const { n8n, sandbox, credential } = product;
			const data = { apiKey, url: `${sandbox.baseUrl}/v1` };
			const model = await n8n.client.createCredential('Sandbox model', 'openAiApi', data);
			const imported = await store.choose(example(store.words, credential), product);
			saved = await n8n.client.createWorkflow(withCredential(hurried(imported), model));
		});

		after(async () => await store.stop?.());

		/** Scheduled executions that wrote pages into the store, the oldest first, each with its changes. */
		async function runsWithChanges(): Promise<OutputItem[][]> {
			const { client } = product.n8n;
			const ended = await client.executions(saved.id);
			const done = ended.filter(({ mode, status }) => mode === 'trigger' && status === 'success');
			const runs = await Promise.all(done.map(async ({ id }) => await client.execution(id)));
			const filled = runs.filter((run) => nodeOutput(run, 'Fill the Store').length > 0);
			return filled.reverse().map((run) => nodeOutput(run, 'Crawl the Handbook'));
		}

		/** Waits until so many executions have filled the store, and gives the changes of the last by page. */
		async function changesOfRun(count: number): Promise<Record<string, unknown>> {
			const probe = async (): Promise<OutputItem[] | undefined> =>
				(await runsWithChanges())[count - 1];
			const items = await waitFor(`run ${count} with changes`, probe, { timeoutMs: 90_000 });
			return Object.fromEntries(
				items.map(({ json }) => [String(json.url).replace(/.*\//, ''), json.change]),
			);
		}

		async function answer(): Promise<string> {
			const { client } = product.n8n;
			const id = await client.run(saved, exampleTrigger);
			const execution = await waitForExecution(client, id, { states: ['success'] });
			return String(nodeOutput(execution, 'AI Agent')[0]?.json.output);
		}

		test('exactly the five changes of the site arrive, and the answer follows', async () => {
			const { client } = product.n8n;
			await publishEdition(product, 1);
			await client.activate(saved);
			const first = await changesOfRun(1);
			assert.deepEqual(Object.values(first), Array(7).fill('new'), JSON.stringify(first));
			assert.match(await answer(), /at most 80 stops/);

			await publishEdition(product, 2);
			assert.deepEqual(await changesOfRun(2), {
				install: 'changed',
				limits: 'changed',
				prices: 'changed',
				backups: 'new',
				fax: 'gone',
			});
			const said = await answer();
			assert.match(said, /at most 120 stops/);
			assert.doesNotMatch(said, /at most 80 stops/);
			await client.deactivate(saved);
			assert.equal((await runsWithChanges()).length, 2, 'a run without changes fills nothing');
			const pages = (await store.urls()).map((url) => url.replace(/.*\//, ''));
			assert.ok(pages.includes('backups') && !pages.includes('fax'), pages.join(', '));
			await publishEdition(product, 1);
		});
	});
}
