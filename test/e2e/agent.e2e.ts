/** Point 9: n8n's own AI Agent uses the node as its tool. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { agentWorkflow, modelCredential } from './harness/agent.ts';
import { startChatModel } from './harness/chat-model.ts';
import { failure, nodeOutput, waitForExecution } from './harness/executions.ts';
import { outerLines } from './harness/lines.ts';
import { type Product, sharedProduct } from './harness/product.ts';

/** Both ways in which n8n calls tools: inside the agent (2), and as nodes of their own (3). */
const agentVersions = [2, 3];

for (const version of outerLines()) {
	describe(`9. AI agent on n8n ${version}`, { timeout: 240_000 }, () => {
		let product: Product;
		let removeFault: () => void = () => undefined;

		before(async () => {
			product = await sharedProduct(version);
			const refused = {
				step: 'start',
				query: 'refuse this',
				kind: 'status',
				httpStatus: 402,
			} as const;
			removeFault = product.sandbox.faults.add(refused);
		});
		after(() => removeFault());

		/** Lets the agent call the tool once with this query. */
		async function callTool(agentVersion: number, query: string) {
			const model = await startChatModel({ arguments: { Query: query } });
			try {
				const credential = await modelCredential(product, model);
				const { client } = product.n8n;
				const saved = await client.createWorkflow(agentWorkflow(product, credential, agentVersion));
				const execution = await waitForExecution(client, await client.run(saved, 'Start'));
				return { execution, answer: model.toolAnswers().join('\n') };
			} finally {
				await model.stop();
			}
		}

		for (const agentVersion of agentVersions) {
			test(`agent ${agentVersion} gets a text answer it can use`, async () => {
				const { execution, answer } = await callTool(agentVersion, 'Are cargo bikes faster than vans? [lasts:40]');
				assert.equal(failure(execution), undefined);
				assert.match(answer, /"finalAnalysis":"#/);
				const output = JSON.stringify(nodeOutput(execution, 'Agent'));
				assert.match(output, /The tool says: .*finalAnalysis/);
			});

			test(`agent ${agentVersion} gets a message it can act on when the call fails`, async () => {
				const { execution, answer } = await callTool(agentVersion, 'Please refuse this [tool]');
				assert.equal(failure(execution), undefined);
				assert.match(answer, /enough credits/i);
			});
		}
	});
}
