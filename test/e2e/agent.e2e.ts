/** n8n's own AI Agent uses the node as its tool: what it is told, and what n8n's Retry makes of its calls. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Execution, StoredWorkflow } from '../../n8n/client.ts';
import { waitFor } from '../../n8n/poll.ts';
import { agentWorkflow, modelCredential } from './harness/agent.ts';
import { type ChatModel, startChatModel } from './harness/chat-model.ts';
import { failure, nodeOutput, waitForExecution } from './harness/executions.ts';
import { outerLines } from './harness/lines.ts';
import { type Product, startedJobs, startProduct } from './harness/product.ts';
import { everySeconds, manualTrigger } from './harness/workflows.ts';

/** Both ways in which n8n calls tools: inside the agent (2), and as nodes of their own (3). */
const agentVersions = [2, 3];

for (const version of outerLines()) {
	describe(`AI agent on n8n ${version}`, { timeout: 400_000 }, () => {
		let product: Product;
		const models: ChatModel[] = [];

		before(async () => {
			product = await startProduct(version);
		});
		after(async () => {
			for (const model of models) await model.stop();
			await product.dispose();
		});

		/** A workflow whose agent asks its tool for this, once. */
		async function agentThatAsks(agentVersion: number, query: string, trigger = manualTrigger) {
			const model = await startChatModel({ arguments: { Query: query } });
			models.push(model);
			const credential = await modelCredential(product, model);
			const definition = agentWorkflow(product, credential, agentVersion, trigger);
			return { model, saved: await product.n8n.client.createWorkflow(definition) };
		}

		/** Presses Retry; the execution that comes of it, at its end. */
		async function retry(saved: StoredWorkflow, id: string): Promise<Execution> {
			const { client } = product.n8n;
			await client.retry(id);
			const all = await client.executions(saved.id);
			return await waitForExecution(client, all.find(({ retryOf }) => retryOf === id)?.id ?? '');
		}

		const jobs = (query: string) => startedJobs(product.sandbox, query);

		function assertAnswered(execution: Execution): void {
			assert.equal(failure(execution), undefined);
			const output = JSON.stringify(nodeOutput(execution, 'Agent'));
			assert.match(output, /The tool says: .*finalAnalysis/);
		}

		for (const agentVersion of agentVersions) {
			test(`agent ${agentVersion} gets a text that it can use, and one that it can act on when the call fails`, async () => {
				const { client } = product.n8n;
				const answerTo = async (query: string) => {
					const { model, saved } = await agentThatAsks(agentVersion, query);
					const execution = await waitForExecution(client, await client.run(saved, 'Start'));
					assert.equal(failure(execution), undefined);
					return { said: JSON.stringify(nodeOutput(execution, 'Agent')), answer: model.toolAnswers().join('\n') };
				};
				const { said, answer } = await answerTo('Are cargo bikes faster than vans? [lasts:40]');
				assert.match(answer, /"finalAnalysis":"#/);
				assert.match(said, /The tool says: .*finalAnalysis/);
				const refuse = { step: 'start', query: 'refuse this', kind: 'status', httpStatus: 402 } as const;
				const remove = product.sandbox.faults.add(refuse);
				assert.match((await answerTo('Please refuse this [tool]')).answer, /enough credits/i);
				remove();
			});

			test(`agent ${agentVersion} whose model failed pays for no job again, in any retry`, async () => {
				const query = `Model fails, agent ${agentVersion} [lasts:40]`;
				const { model, saved } = await agentThatAsks(agentVersion, query);
				const { client } = product.n8n;
				model.failsAfterTool = true;
				const first = await waitForExecution(client, await client.run(saved, manualTrigger.name));
				assert.match(String(failure(first)), /no more credits/);
				assert.equal(jobs(query).length, 1);
				const second = await retry(saved, first.id);
				assert.match(String(failure(second)), /no more credits/);
				model.failsAfterTool = false;
				assertAnswered(await retry(saved, second.id));
				assert.equal(jobs(query).length, 1);
			});

			test(`agent ${agentVersion} that n8n was killed under gets its job from the service's list`, async () => {
				const query = `Killed, agent ${agentVersion} [lasts:100]`;
				const trigger = everySeconds(5);
				const { saved } = await agentThatAsks(agentVersion, query, trigger);
				const { n8n } = product;
				await n8n.client.activate(saved);
				await waitFor('its job', () => jobs(query)[0], { timeoutMs: 40_000 });
				await n8n.client.deactivate(saved);
				await delay(1000);
				await n8n.crash();
				await n8n.restart();
				const atKill = jobs(query).length;
				const [killed] = await n8n.client.executions(saved.id);
				assert.equal((await waitForExecution(n8n.client, killed?.id ?? '')).status, 'crashed');
				assertAnswered(await retry(saved, killed?.id ?? ''));
				assert.equal(jobs(query).length, atKill);
			});
		}
	});
}
