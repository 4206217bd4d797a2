/** This package in a real n8n: installed as users install it, run, crashed, uninstalled. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { z } from 'zod';
import type { StoredCredential, WorkflowDefinition } from '../../n8n/client.ts';
import { readExamples, withCredential } from '../../n8n/examples.ts';
import { packWebData, uninstallPackage } from '../../n8n/packages.ts';
import { n8nVersions, projectRoot } from '../../n8n/project.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { startChatModel } from './harness/chat-model.ts';
import { failure, nodeOutput, waitForExecution } from './harness/executions.ts';
import { Instance, temporaryFolder } from './harness/instance.ts';
import { manualTrigger, workflow } from './harness/workflows.ts';

const key = 'fc-end-to-end';
const nodeType = 'n8n-nodes-web-data.webData';
const waitable = z.object({ type: z.string(), parameters: z.record(z.unknown()) }).passthrough();
const examples = readExamples(path.join(projectRoot(), 'examples'));

function example(part: string): WorkflowDefinition {
	const found = examples.find(({ name }) => name.includes(part));
	if (found === undefined) throw new Error(`No example has "${part}" in its name.`);
	return found;
}

const packed = temporaryFolder('package');
let tarball: string;
before(async () => {
	tarball = await packWebData(projectRoot(), packed);
});
after(() => rmSync(packed, { recursive: true, force: true }));

for (const version of n8nVersions) {
	describe(`the package on n8n ${version}`, () => {
		let n8n: Instance;
		let sandbox: Sandbox;
		let credential: StoredCredential;

		before(async () => {
			sandbox = await startSandbox({ speed: 20, keys: [key] });
			n8n = await Instance.start({ version, tarball });
			const data = { baseUrl: sandbox.baseUrl, apiKey: key };
			credential = await n8n.client.createCredential('Web Data', 'webDataApi', data);
		});
		after(async () => {
			await n8n.dispose();
			await sandbox.stop();
		});

		test('the credential test tells a right key from a wrong one', async () => {
			assert.equal((await n8n.client.testCredential(credential)).status, 'OK');
			const wrong = { baseUrl: sandbox.baseUrl, apiKey: 'fc-wrong' };
			assert.equal((await n8n.client.testCredential(credential, wrong)).status, 'Error');
		});

		test('the research example gives its analysis', async () => {
			const saved = await n8n.client.createWorkflow(withCredential(example('by hand'), credential));
			const execution = await waitForExecution(
				n8n.client,
				await n8n.client.run(saved, 'When You Press the Button'),
			);
			assert.equal(failure(execution), undefined);
			assert.match(
				String(nodeOutput(execution, 'Research').at(0)?.json.finalAnalysis),
				/cargo bikes/i,
			);
		});

		test('an agent uses the node as its tool', async () => {
			const model = await startChatModel({
				arguments: { Query: 'Are cargo bikes faster than vans?' },
			});
			try {
				const openAi = { apiKey: 'stub', url: model.baseUrl };
				const modelCredential = await n8n.client.createCredential(
					'Stub model',
					'openAiApi',
					openAi,
				);
				const langchain = '@n8n/n8n-nodes-langchain';
				const saved = await n8n.client.createWorkflow(
					workflow('Agent', [
						{ ...manualTrigger, to: ['Agent'] },
						{
							name: 'Agent',
							type: `${langchain}.agent`,
							typeVersion: 2,
							parameters: { promptType: 'define', text: 'Are cargo bikes faster?', options: {} },
							to: [],
						},
						{
							name: 'Model',
							type: `${langchain}.lmChatOpenAi`,
							typeVersion: 1.2,
							parameters: { model: { __rl: true, mode: 'id', value: 'stub' }, options: {} },
							credential: modelCredential,
							connection: 'ai_languageModel',
							to: ['Agent'],
						},
						{
							name: 'Web Data',
							type: `${nodeType}Tool`,
							typeVersion: 1,
							parameters: { query: "={{ $fromAI('Query', 'what to research', 'string') }}" },
							credential,
							connection: 'ai_tool',
							to: ['Agent'],
						},
					]),
				);
				const execution = await waitForExecution(n8n.client, await n8n.client.run(saved, 'Start'));
				assert.equal(failure(execution), undefined);
				assert.match(
					JSON.stringify(nodeOutput(execution, 'Agent')),
					/The tool says: .*finalAnalysis/,
				);
			} finally {
				await model.stop();
			}
		});

		test('the durable example outlives a crash and starts one job', async () => {
			const durable = withCredential(example('survives a restart'), credential);
			// From 65 seconds on a wait is in the database; the example's own two minutes only take longer.
			const nodes = z.array(waitable).parse(durable.nodes);
			for (const { type, parameters } of nodes) {
				if (type === 'n8n-nodes-base.wait')
					Object.assign(parameters, { amount: 66, unit: 'seconds' });
			}
			const saved = await n8n.client.createWorkflow({ ...durable, nodes });
			const startsBefore = sandbox.stats().starts.total;
			const id = await n8n.client.run(saved, 'When You Press the Button');
			await waitForExecution(n8n.client, id, { states: ['waiting'] });
			await n8n.crash();
			await n8n.restart();
			const execution = await waitForExecution(n8n.client, id, { timeoutMs: 120_000 });
			assert.equal(failure(execution), undefined);
			assert.equal(nodeOutput(execution, 'Use the Analysis').at(0)?.json.status, 'completed');
			assert.equal(sandbox.stats().starts.total - startsBefore, 1);
		});

		test('the key is in no answer and no log of n8n', () => {
			assert.ok(n8n.client.transcript.length > 0);
			assert.equal(n8n.client.transcript.filter((text) => text.includes(key)).length, 0);
			assert.equal(n8n.running.program.tail(100_000).includes(key), false);
		});

		test('nothing is left of it after npm uninstall', async () => {
			const known = async (): Promise<string> =>
				JSON.stringify(
					await n8n.client.call('/node-types', {
						method: 'POST',
						body: { nodeInfos: [{ name: nodeType, version: 1 }] },
					}),
				);
			assert.match(await known(), /"displayName":"Web Data"/);
			await uninstallPackage(n8n.dataFolder);
			await n8n.restart();
			const answer = await known().catch(String);
			assert.doesNotMatch(answer, /"displayName":"Web Data"/);
		});
	});
}
