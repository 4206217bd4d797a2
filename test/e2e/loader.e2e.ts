/** Web Data Loader on n8n's own Simple Vector Store, with n8n's own embeddings and text splitter. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { StoredCredential } from '../../tools/n8n/client.ts';
import { failure, nodeHints, nodeOutput, waitForExecution } from './harness/executions.ts';
import { everyLine } from './harness/lines.ts';
import { langchain, modelCredential } from './harness/models.ts';
import { nodeType, type Product, startProduct } from './harness/product.ts';
import { codeNode, manualTrigger, type TestNode, workflow } from './harness/workflows.ts';

for (const version of everyLine()) {
	describe(`document loader on n8n ${version}`, { timeout: 600_000 }, () => {
		let product: Product;
		let openAi: StoredCredential;

		before(async () => {
			product = await startProduct(version);
			openAi = await modelCredential(product);
		});
		after(async () => await product.dispose());

		async function run(nodes: TestNode[]) {
			product.sandbox.reset();
			const { client } = product.n8n;
			const saved = await client.createWorkflow(workflow('Loader', nodes));
			return await waitForExecution(client, await client.run(saved, 'Start'));
		}

		const store = (typeVersion = 1.3): TestNode => ({
			name: 'Store',
			type: `${langchain}.vectorStoreInMemory`,
			typeVersion,
			parameters: {
				mode: 'insert',
				memoryKey: typeVersion < 1.2 ? 'pages' : { __rl: true, mode: 'id', value: 'pages' },
				clearStore: true,
			},
			to: [],
		});
		const embeddings: TestNode = {
			name: 'Embeddings',
			type: `${langchain}.embeddingsOpenAi`,
			typeVersion: 1.2,
			parameters: { model: 'text-embedding-3-small', options: {} },
			connection: 'ai_embedding',
			to: ['Store'],
		};
		const loader = (parameters: object): TestNode => ({
			name: 'Loader',
			type: `${nodeType}Loader`,
			typeVersion: 1,
			parameters,
			credential: product.credential,
			connection: 'ai_document',
			to: ['Store'],
		});
		const crawl = () => ({
			source: 'crawl',
			url: product.sandbox.siteUrl,
			pageLimit: 4,
			options: { crawlEntireDomain: true },
		});
		const load = async (parameters: object, typeVersion?: number, more: TestNode[] = []) => {
			const itemsOf = JSON.stringify([0, 1, 2].map((n) => ({ json: { n } })));
			return await run([
				{ ...manualTrigger, to: ['Items'] },
				{ ...codeNode('Items', `return ${itemsOf};`), to: ['Store'] },
				store(typeVersion),
				{ ...embeddings, credential: openAi },
				loader(parameters),
				...more,
			]);
		};

		for (const typeVersion of [1, 1.3]) {
			test(`three items on vector store ${typeVersion} insert each page of a crawl once`, async () => {
				const execution = await load({ ...crawl(), cut: 'pages' }, typeVersion);
				assert.equal(failure(execution), undefined);
				const documents = nodeOutput(execution, 'Store').map(({ json }) => json);
				assert.equal(documents.length, 4);
				assert.equal(product.sandbox.stats().starts.total, 1);
				const { metadata } = documents[0] as { metadata: Record<string, unknown> };
				assert.match(String(metadata.url), /^http/);
				assert.match(nodeHints(execution, 'Loader').join(' '), /4 pages/);
			});
		}

		test('sections carry the path of their headings', async () => {
			const execution = await load({ ...crawl(), cut: 'headings', maxCharacters: 1000 });
			assert.equal(failure(execution), undefined);
			const paths = nodeOutput(execution, 'Store').map(({ json }) => {
				const { metadata } = json as { metadata: Record<string, unknown> };
				return String(metadata.headingPath);
			});
			assert.ok(paths.length > 4);
			assert.ok(paths.some((path) => path.includes(' > ')));
		});

		test("pages are cut by n8n's own text splitter", async () => {
			const execution = await load({ ...crawl(), cut: 'splitter' }, 1.3, [
				{
					name: 'Splitter',
					type: `${langchain}.textSplitterRecursiveCharacterTextSplitter`,
					typeVersion: 1,
					parameters: { chunkSize: 500, chunkOverlap: 0, options: {} },
					connection: 'ai_textSplitter',
					to: ['Loader'],
				},
			]);
			assert.equal(failure(execution), undefined);
			const lengths = nodeOutput(execution, 'Store').map(({ json }) => String(json.pageContent).length);
			assert.ok(lengths.length > 4);
			assert.ok(lengths.every((length) => length <= 500));
		});

		test('a bad address stops the store with the words of the loader, before any request', async () => {
			const execution = await load({ ...crawl(), url: '' });
			assert.match(failure(execution) ?? '', /URL/);
			assert.equal(product.sandbox.requests().length, 0);
		});
	});
}
