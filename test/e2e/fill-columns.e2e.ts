/** Fill Columns of a Row in n8n's editor, and its rows in n8n's own Data Table. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { StoredCredential } from '../../tools/n8n/client.ts';
import { Editor } from './harness/editor.ts';
import { failure, nodeOutput, waitForExecution } from './harness/executions.ts';
import { testOwner } from './harness/instance.ts';
import { outerLines } from './harness/lines.ts';
import { makeTableOf } from './harness/memories.ts';
import { chatModel, modelCredential } from './harness/models.ts';
import { postgresUser, queryPostgres, startPostgres } from './harness/postgres.ts';
import { nodeType, type Product, startProduct } from './harness/product.ts';
import { codeNode, manualTrigger, type TestNode, workflow } from './harness/workflows.ts';

const COLUMNS = [
	{ name: 'riders', description: 'Number of riders of the firm', type: 'number' },
	{ name: 'delivery', description: 'What a delivery costs there', type: 'money' },
	{ name: 'pays', description: 'Whether it pays by the hour', type: 'boolean' },
	{ name: 'boats', description: 'Number of boats that sail', type: 'number' },
];

/** The columns of the table, as the row that comes out has them. */
const TABLE = [
	['company', 'string'],
	['riders', 'number'],
	['riders_source', 'string'],
	['delivery', 'number'],
	['delivery_currency', 'string'],
	['delivery_source', 'string'],
	['pays', 'boolean'],
	['pays_source', 'string'],
	['boats', 'number'],
	['boats_source', 'string'],
	['research_status', 'string'],
	['research_missing', 'string'],
	['research_credits', 'number'],
] as const;

for (const version of outerLines()) {
	describe(`columns of a row on n8n ${version}`, { timeout: 600_000 }, () => {
		let product: Product;
		let openAi: StoredCredential;

		before(async () => {
			product = await startProduct(version);
			openAi = await modelCredential(product);
		});
		after(async () => await product.dispose());

		const fill = (parameters: object, to: string[] = []): TestNode => ({
			name: 'Fill',
			type: nodeType.replace(/webData$/, 'webResearch'),
			typeVersion: 1,
			parameters: {
				operation: 'fillColumns',
				subject: '={{ $json.company }}',
				columns: { column: COLUMNS },
				...parameters,
			},
			credential: product.credential,
			to,
		});

		test('the editor lists the operations, and shows the fields of this one in their order', async () => {
			const { client, running } = product.n8n;
			const editor = await Editor.open(running.baseUrl, testOwner);
			try {
				const saved = await client.createWorkflow(workflow('Empty', [manualTrigger]));
				await editor.openWorkflow(saved.id);
				for (const word of ['enrich', 'leads', 'spreadsheet', 'verify', 'fact check']) {
					const found = await editor.searchNodes(word);
					assert.ok(found.includes('Web Research'), `${word}: ${found.join(', ')}`);
				}
				const actions = await editor.chooseNode('Web Research');
				assert.deepEqual(actions.filter((action) => /^(?:Check|Fill|Research)/.test(action)).sort(), [
					'Check a text against its sources',
					'Fill columns of a row',
					'Research a question',
				]);
				const panel = await editor.chooseAction('Fill columns of a row');
				assert.equal(await panel.chosen('operation'), 'Fill Columns of a Row');
				const fields = await panel.fields();
				assert.deepEqual(fields, [
					'Subject',
					'Website',
					'Columns',
					'Columns to Fill',
					'Rows',
					'Output',
					'Options',
					'Page Options',
				]);
				await panel.close();
			} finally {
				await editor.close();
			}
		});

		test('a Data Table takes the rows as they come, and is updated by them', async () => {
			const { client } = product.n8n;
			const columns = TABLE.map(([name, type]) => ({ name, type }));
			const id = await makeTableOf(client, 'firms', columns);
			const dataTableId = { __rl: true, mode: 'id', value: id };
			const table = (name: string, parameters: object, to: string[] = []): TestNode => ({
				name,
				type: 'n8n-nodes-base.dataTable',
				typeVersion: 1.1,
				parameters: { dataTableId, ...parameters },
				to,
			});
			const mapped = { columns: { mappingMode: 'autoMapInputData', value: {}, matchingColumns: [], schema: [] } };
			const byId = {
				matchType: 'allConditions',
				filters: { conditions: [{ keyName: 'id', keyValue: '={{ $json.id }}' }] },
			};
			const items = [{ company: 'Osterby Couriers', boats: 3 }, { company: 'Nobody At All' }, { company: '' }];
			const nodes = [
				{ ...manualTrigger, to: ['Items'] },
				{
					...codeNode('Items', `return ${JSON.stringify(items)}.map((json) => ({ json }));`),
					to: ['Insert'],
				},
				table('Insert', { operation: 'insert', ...mapped }, ['Read']),
				{ ...table('Read', { operation: 'get', returnAll: true }, ['Fill']), settings: { executeOnce: true } },
				fill({}, ['Update']),
				table('Update', { operation: 'update', ...byId, ...mapped }),
				chatModel(openAi, 'Chat', 'Fill'),
			];
			const saved = await client.createWorkflow(workflow('Table of firms', nodes));
			const run = await waitForExecution(client, await client.run(saved, 'Start'));
			assert.equal(failure(run), undefined);
			const rows = nodeOutput(run, 'Update').map(({ json }) => json);
			assert.equal(rows.length, items.length);
			const [osterby, nobody, empty] = rows;
			assert.equal(osterby?.riders, 72);
			assert.equal(osterby?.delivery, 1.85);
			assert.equal(osterby?.delivery_currency, 'EUR');
			assert.match(String(osterby?.riders_source), /^https:\/\/example\.com\/riders#:~:text=/);
			// What it was before is not proven any more: the cell is empty.
			assert.equal(osterby?.boats, null);
			assert.equal(osterby?.research_status, 'partial');
			assert.match(String(osterby?.research_missing), /boats: not found/);
			assert.equal(nobody?.research_status, 'empty');
			assert.deepEqual(
				[empty?.research_status, empty?.research_missing, empty?.research_credits],
				['skipped', 'no subject', 0],
			);
		});

		test('Postgres takes the rows as they come, and an update empties a cell whose value has gone', async () => {
			const postgres = await startPostgres();
			try {
				const { client } = product.n8n;
				const types: Record<string, string> = { string: 'text', number: 'double precision', boolean: 'boolean' };
				const columns = TABLE.map(([name, type]) => `"${name}" ${types[type] ?? ''}`).join(', ');
				await queryPostgres(postgres, `create table firms (id integer primary key, ${columns})`);
				await queryPostgres(postgres, `insert into firms (id, company, boats) values (1, 'Osterby Couriers', 3)`);
				const database = await client.createCredential('Postgres', 'postgres', {
					...{ host: '127.0.0.1', port: postgres.port, database: 'postgres', user: postgresUser, password: 'none' },
					ssl: 'disable',
				});
				const list = (value: string) => ({ __rl: true, mode: 'list', value });
				const update: TestNode = {
					name: 'Update',
					type: 'n8n-nodes-base.postgres',
					typeVersion: 2.6,
					parameters: {
						operation: 'upsert',
						schema: list('public'),
						table: list('firms'),
						columns: { mappingMode: 'autoMapInputData', value: {}, matchingColumns: ['id'], schema: [] },
						options: {},
					},
					credential: database,
				};
				const items = [
					{ id: 1, company: 'Osterby Couriers' },
					{ id: 2, company: '' },
				];
				const saved = await client.createWorkflow(
					workflow('Rows of Postgres', [
						{ ...manualTrigger, to: ['Items'] },
						{ ...codeNode('Items', `return ${JSON.stringify(items)}.map((json) => ({ json }));`), to: ['Fill'] },
						fill({}, ['Update']),
						update,
						chatModel(openAi, 'Chat', 'Fill'),
					]),
				);
				const run = await waitForExecution(client, await client.run(saved, 'Start'));
				assert.equal(failure(run), undefined);
				const asked = 'select riders, delivery, delivery_currency, boats, research_status from firms order by id';
				assert.deepEqual(await queryPostgres(postgres, asked), [
					['72', '1.85', 'EUR', '', 'partial'],
					['', '', '', '', 'skipped'],
				]);
			} finally {
				await postgres.stop();
			}
		});
	});
}
