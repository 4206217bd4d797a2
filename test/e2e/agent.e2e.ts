/**
 * n8n's own AI Agent uses the node as its tool: what it is told, and what n8n's Retry makes of its calls. Its model is
 * the sandbox's, which calls its tool with the question, once, and answers with what the tool said.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Execution, StoredCredential, StoredWorkflow } from '../../tools/n8n/client.ts';
import { waitFor } from '../../tools/n8n/poll.ts';
import { failure, nodeOutput, retry, waitForExecution } from './harness/executions.ts';
import { outerLines } from './harness/lines.ts';
import { chatModel, langchain, modelCredential, modelVersionFor } from './harness/models.ts';
import { nodeType, type Product, startedJobs, startProduct } from './harness/product.ts';
import { everySeconds, manualTrigger, workflow, type TestNode } from './harness/workflows.ts';

/** Both ways in which n8n calls tools: inside the agent (2), and as nodes of their own (3). */
const agentVersions = [2, 3];

for (const version of outerLines()) {
	describe(`AI agent on n8n ${version}`, { timeout: 900_000 }, () => {
		let product: Product;
		let model: StoredCredential;

		before(async () => {
			product = await startProduct(version);
			model = await modelCredential(product);
		});
		after(async () => await product.dispose());

		const toolNode = (name: string, parameters: object): TestNode => ({
			name,
			type: `${nodeType}Tool`,
			typeVersion: 1,
			parameters,
			credential: product.credential,
			connection: 'ai_tool',
			to: ['Agent'],
		});

		/** A workflow whose agent is asked this, and has the node as its tool, beside `more`. */
		async function agentThatAsks(
			agentVersion: number,
			question: string,
			trigger = manualTrigger,
			more: TestNode[] = [],
		): Promise<StoredWorkflow> {
			const query = "={{ $fromAI('Query', 'what to research', 'string') }}";
			return await product.n8n.client.createWorkflow(
				workflow(`Agent ${agentVersion}`, [
					{ ...trigger, to: ['Agent'] },
					{
						name: 'Agent',
						type: `${langchain}.agent`,
						typeVersion: agentVersion,
						parameters: { promptType: 'define', text: question, options: {} },
						to: [],
					},
					chatModel(model, 'Model', 'Agent', { version: modelVersionFor(agentVersion) }),
					toolNode('Web Data', { resource: 'deepResearch', operation: 'start', query }),
					...more,
				]),
			);
		}

		const jobs = (query: string) => startedJobs(product.sandbox, query);

		function assertAnswered(execution: Execution): void {
			assert.equal(failure(execution), undefined);
			assert.match(JSON.stringify(execution.data), /finalAnalysis[\\"]*:[\\"]*#/);
			assert.match(JSON.stringify(nodeOutput(execution, 'Agent')), /cargo bike|van|rider/i);
		}

		for (const agentVersion of agentVersions) {
			test(`agent ${agentVersion} gets a text that it can use, and one that it can act on when the call fails`, async () => {
				const { client } = product.n8n;
				const answerTo = async (question: string) => {
					const saved = await agentThatAsks(agentVersion, question);
					return await waitForExecution(client, await client.run(saved, 'Start'));
				};
				assertAnswered(await answerTo('Are cargo bikes faster than vans? [lasts:40]'));
				const refuse = { step: 'start', query: 'refuse this', kind: 'status', httpStatus: 402 } as const;
				const remove = product.sandbox.faults.add(refuse);
				const refused = await answerTo('Please refuse this [tool]');
				remove();
				assert.equal(failure(refused), undefined);
				assert.match(JSON.stringify(nodeOutput(refused, 'Agent')), /enough credits/i);
			});

			test(`agent ${agentVersion} whose model calls two tools at once gets both answers`, async () => {
				const { client } = product.n8n;
				const search = toolNode('Search', {
					resource: 'search',
					operation: 'search',
					query: "={{ $fromAI('Query', 'what to look for') }}",
				});
				const question = 'Are cargo bikes quick? [every tool] [lasts:2]';
				const saved = await agentThatAsks(agentVersion, question, manualTrigger, [search]);
				const execution = await waitForExecution(client, await client.run(saved, 'Start'));
				assertAnswered(execution);
				assert.match(JSON.stringify(nodeOutput(execution, 'Web Data', 0, 'ai_tool')), /finalAnalysis/);
				assert.match(JSON.stringify(nodeOutput(execution, 'Search', 0, 'ai_tool')), /searchId/);
			});

			test(`agent ${agentVersion} whose model failed pays for no job again, in any retry`, async () => {
				const query = `Are cargo bikes faster if the model fails, agent ${agentVersion}? [lasts:40]`;
				const saved = await agentThatAsks(agentVersion, query);
				const { client } = product.n8n;
				// Of what it is sent, only a tool's answer has this word.
				const body = { error: { message: 'The model has no more credits.' } };
				const when = { step: 'model', query: 'finalAnalysis' } as const;
				const remove = product.sandbox.faults.add({ ...when, kind: 'body', httpStatus: 400, body });
				const first = await waitForExecution(client, await client.run(saved, manualTrigger.name));
				assert.match(String(failure(first)), /no more credits/);
				assert.equal(jobs(query).length, 1);
				const second = await retry(client, first.id);
				assert.match(String(failure(second)), /no more credits/);
				remove();
				assertAnswered(await retry(client, second.id));
				assert.equal(jobs(query).length, 1);
			});

			test(`agent ${agentVersion} that n8n was killed under gets its job from the service's list`, async () => {
				const query = `Are cargo bikes faster if n8n is killed, agent ${agentVersion}? [lasts:100]`;
				const trigger = everySeconds(5);
				const saved = await agentThatAsks(agentVersion, query, trigger);
				const { n8n } = product;
				await n8n.client.activate(saved);
				await waitFor('its job', () => jobs(query)[0], { timeoutMs: 120_000 });
				await n8n.client.deactivate(saved);
				await delay(1000);
				await n8n.crash();
				await n8n.restart();
				const atKill = jobs(query).length;
				const [killed] = await n8n.client.executions(saved.id);
				assert.equal((await waitForExecution(n8n.client, killed?.id ?? '')).status, 'crashed');
				assertAnswered(await retry(n8n.client, killed?.id ?? ''));
				assert.equal(jobs(query).length, atKill);
			});
		}
	});
}
