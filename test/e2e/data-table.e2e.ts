/** The example that keeps a price table current, with n8n's own Data Table. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { StoredWorkflow } from '../../n8n/client.ts';
import { createDataTable, type DataTable, withDataTable } from './harness/dataTables.ts';
import { publishEdition } from './harness/editions.ts';
import { nodeOutput, waitForExecution } from './harness/executions.ts';
import { everyLine } from './harness/lines.ts';
import { example, exampleTrigger, type Product, sharedProduct } from './harness/product.ts';
import { withFields } from './harness/workflows.ts';

const COLUMNS = {
	url: 'string',
	name: 'string',
	price: 'number',
	currency: 'string',
	seenAt: 'date',
} as const;

for (const version of everyLine()) {
	describe(`a price table on n8n ${version}`, { timeout: 240_000 }, () => {
		let product: Product;
		let table: DataTable;
		before(async () => {
			product = await sharedProduct(version);
			table = await createDataTable(product.n8n.client, 'Prices', COLUMNS);
		});

		/** The example with its table chosen, which keeps rows for so many days. */
		async function imported(keepDays: number): Promise<StoredWorkflow> {
			const workflow = withDataTable(example('A price table', product.credential), table);
			const changed = withFields(workflow, 'Which Shop', { keepDays });
			return await product.n8n.client.createWorkflow(changed);
		}

		async function run(saved: StoredWorkflow): Promise<number> {
			const { client } = product.n8n;
			const id = await client.run(saved, exampleTrigger);
			const execution = await waitForExecution(client, id, { states: ['success'] });
			return nodeOutput(execution, 'Write the Row').length;
		}

		const prices = async (): Promise<Record<string, unknown>> =>
			Object.fromEntries((await table.rows()).map(({ name, price }) => [name, price]));
		const first = { 'Cargo bike': 4500, Battery: 640, 'Winter tyres': 95 };
		const second = { 'Cargo bike': 4290, Battery: 640, 'Child seat': 149 };

		test('writes a row for each product once, however often it runs', async () => {
			await publishEdition(product, 1);
			const saved = await imported(7);
			assert.equal(await run(saved), 3);
			assert.equal(await run(saved), 3);
			assert.deepEqual(await prices(), first);
			assert.equal((await table.rows()).length, 3);
		});

		test('follows a price, takes a new product, and lets a gone one leave after its days', async () => {
			await publishEdition(product, 2);
			await run(await imported(7));
			assert.deepEqual(await prices(), { ...second, 'Winter tyres': 95 });
			await run(await imported(0));
			assert.deepEqual(await prices(), second);
			await publishEdition(product, 1);
		});
	});
}
