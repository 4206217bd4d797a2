/** Web Research with n8n's own OpenAI Chat Model, as a node and as a tool of n8n's own AI Agent. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { StoredCredential } from '../../tools/n8n/client.ts';
import { waitFor } from '../../tools/n8n/poll.ts';
import { failure, nodeHints, nodeOutput, waitForExecution } from './harness/executions.ts';
import { outerLines } from './harness/lines.ts';
import { CHAT_MODEL_VERSIONS, chatModel, langchain, modelCredential, modelVersionFor } from './harness/models.ts';
import { nodeType, type Product, startProduct } from './harness/product.ts';
import { codeNode, everySeconds, manualTrigger, type TestNode, workflow } from './harness/workflows.ts';

const QUESTION = 'How much does a cargo bike battery cost and how long does it last?';
const researchType = nodeType.replace(/webData$/, 'webResearch');
const MAX_EXECUTION_BYTES = 2_000_000;

for (const version of outerLines()) {
	describe(`web research on n8n ${version}`, { timeout: 600_000 }, () => {
		let product: Product;
		let openAi: StoredCredential;

		before(async () => {
			product = await startProduct(version);
			openAi = await modelCredential(product);
		});
		after(async () => await product.dispose());

		const model = (...which: [name: string, to: string, more?: { model?: string; input?: number; version?: number }]) =>
			chatModel(openAi, ...which);

		async function run(nodes: TestNode[]) {
			const { client } = product.n8n;
			const saved = await client.createWorkflow(workflow('Web research', nodes));
			return await waitForExecution(client, await client.run(saved, 'Start'));
		}

		const research = (parameters: object, settings: object = {}): TestNode => ({
			name: 'Research',
			type: researchType,
			typeVersion: 1,
			parameters: { query: QUESTION, ...parameters },
			credential: product.credential,
			settings,
			to: [],
		});

		for (const of of CHAT_MODEL_VERSIONS) {
			test(`a question comes back as a checked report, with its bill, from OpenAI Chat Model ${of}`, async () => {
				product.sandbox.reset();
				const execution = await run([
					{ ...manualTrigger, to: ['Research'] },
					research({ output: 'fullRecord' }),
					model('Chat', 'Research', { version: of }),
				]);
				assert.equal(failure(execution), undefined);
				const [item] = nodeOutput(execution, 'Research');
				assert.equal(item?.json.status, 'completed');
				assert.match(String(item?.json.finalAnalysis), /650 to 900 euros.*\n\[1\]: http/s);
				const { modelCalls } = item?.json.usage as { modelCalls: number };
				assert.equal(product.sandbox.stats().calls.model, modelCalls);
				assert.match(nodeHints(execution, 'Research').join(' '), /1 question: \d+ pages? read/);
				assert.ok(JSON.stringify(execution.data).length < MAX_EXECUTION_BYTES);
			});
		}

		test('a server without the Responses API is named, with the switch', async () => {
			const execution = await run([
				{ ...manualTrigger, to: ['Research'] },
				research({}),
				model('Chat', 'Research', { model: 'sandbox:noResponses' }),
			]);
			assert.match(failure(execution) ?? '', /switch off Use Responses API/);
			const older = await run([
				{ ...manualTrigger, to: ['Research'] },
				research({}),
				model('Chat', 'Research', { model: 'sandbox:noResponses', version: 1.2 }),
			]);
			assert.equal(failure(older), undefined);
		});

		test('of a published workflow n8n keeps the history: the next run tells what is new', async () => {
			const { client } = product.n8n;
			await fetch(`${product.sandbox.siteUrl}/try/week-1`);
			const parameters = {
				query: 'Zippo, Rolla and Kixx scooters?',
				report: 'news',
				historyName: 'Scooters',
				whenNothingNew: 'item',
				options: { maxUrls: 6, pagesPerSite: 5 },
			};
			const trigger = everySeconds(5);
			const nodes = [{ ...trigger, to: ['Research'] }, research(parameters), model('Chat', 'Research')];
			const saved = await client.createWorkflow(workflow('News', nodes));
			const runs = async () =>
				(await client.executions(saved.id))
					.filter(({ status }) => status === 'success')
					.map(async ({ id }) => nodeOutput(await waitForExecution(client, id), 'Research')[0]?.json ?? {});
			const told = async (what: string, is: (json: Record<string, unknown>) => boolean) =>
				await waitFor(what, async () => (await Promise.all(await runs())).find(is), { timeoutMs: 120_000 });
			await client.activate(saved);
			try {
				await told('the first run', ({ isFirst }) => isFirst === true);
				await told('a run without news', ({ status }) => status === 'unchanged');
				await fetch(`${product.sandbox.siteUrl}/try/week-2`);
				const { news } = await told(
					'a run with news',
					({ isFirst, status }) => isFirst === false && status === 'completed',
				);
				const { changed, withdrawn, ...others } = news as Record<string, unknown[]>;
				assert.deepEqual([others.new?.length, changed?.length, withdrawn?.length], [1, 1, 1]);
			} finally {
				await client.deactivate(saved);
			}
		});

		test('the Reading Model reads the pages', async () => {
			const execution = await run([
				{ ...manualTrigger, to: ['Research'] },
				research({ output: 'fullRecord' }),
				model('Chat', 'Research'),
				model('Reading', 'Research', { model: 'sandbox:refusal', input: 1 }),
			]);
			assert.equal(failure(execution), undefined);
			const [item] = nodeOutput(execution, 'Research');
			assert.deepEqual(item?.json.sources, []);
			assert.notDeepEqual(item?.json.skippedPages, []);
		});

		test('a model that fails for a while is asked again, and one that wraps its JSON is read', async () => {
			product.sandbox.faults.add({ step: 'model', kind: 'model', fault: 'rateLimit', times: 2 });
			const execution = await run([
				{ ...manualTrigger, to: ['Research'] },
				research({}),
				model('Chat', 'Research', { model: 'sandbox:fenced+thinking' }),
			]);
			product.sandbox.faults.clear();
			assert.equal(failure(execution), undefined);
			assert.notDeepEqual(nodeOutput(execution, 'Research')[0]?.json.sources, []);
		});

		test('a question of an item is that of the item', async () => {
			const questions = JSON.stringify([QUESTION, 'What does winter do to the range?']);
			const execution = await run([
				{ ...manualTrigger, to: ['Items'] },
				{
					...codeNode('Items', `return ${questions}.map((q) => ({ json: { q } }));`),
					to: ['Research'],
				},
				research({ query: '={{ $json.q }}' }),
				model('Chat', 'Research'),
			]);
			assert.equal(failure(execution), undefined);
			const asked = nodeOutput(execution, 'Research').map(({ json }) => json.query);
			assert.deepEqual(asked, JSON.parse(questions));
		});

		for (const agentVersion of [2, 3]) {
			test(`agent ${agentVersion} uses the tool, which has a model of its own`, async () => {
				product.sandbox.reset();
				const execution = await run([
					{ ...manualTrigger, to: ['Agent'] },
					{
						name: 'Agent',
						type: `${langchain}.agent`,
						typeVersion: agentVersion,
						parameters: { promptType: 'define', text: QUESTION, options: {} },
						to: [],
					},
					model('Agent model', 'Agent', { version: modelVersionFor(agentVersion) }),
					{
						...research({ query: "={{ $fromAI('query', 'the question', 'string') }}" }),
						type: `${researchType}Tool`,
						connection: 'ai_tool',
						to: ['Agent'],
					},
					model('Chat', 'Research'),
				]);
				assert.equal(failure(execution), undefined);
				assert.match(JSON.stringify(nodeOutput(execution, 'Agent')), /one battery of 700 Wh lasts/);
				assert.ok((product.sandbox.stats().calls.scrape ?? 0) > 0);
			});
		}
	});
}
