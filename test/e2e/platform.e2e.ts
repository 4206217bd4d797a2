/** What the other tests stand on: n8n itself, driven by this harness with n8n's own nodes only. */
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { n8nVersions } from '../../n8n/project.ts';
import { startChatModel } from './harness/chat-model.ts';
import { Editor } from './harness/editor.ts';
import { failure, nodeOutput, waitForExecution, waitForExecutions } from './harness/executions.ts';
import { Instance, temporaryFolder, testOwner } from './harness/instance.ts';
import { codeNode, everySeconds, manualTrigger, waitNode, workflow } from './harness/workflows.ts';

const pictures = process.env.WEB_DATA_PICTURES ?? temporaryFolder('pictures');

for (const version of n8nVersions) {
	describe(`n8n ${version}`, () => {
		let n8n: Instance;

		before(async () => {
			n8n = await Instance.start({ version });
		});
		after(async () => {
			await n8n.dispose();
		});

		test('runs a workflow by hand and keeps its execution', async () => {
			const nodes = [manualTrigger, codeNode('Code', 'return [{ json: { answer: 42 } }];')];
			const saved = await n8n.client.createWorkflow(workflow('By hand', nodes));
			const execution = await waitForExecution(n8n.client, await n8n.client.run(saved, 'Start'));
			assert.equal(execution.status, 'success');
			assert.deepEqual(
				nodeOutput(execution, 'Code').map(({ json }) => json),
				[{ answer: 42 }],
			);
		});

		test('retries a failed execution from its stored data', async () => {
			const code =
				"const data = $getWorkflowStaticData('global'); throw new Error('broken on purpose');";
			const nodes = [everySeconds(1), codeNode('Fails', code)];
			const saved = await n8n.client.createWorkflow(workflow('Fails', nodes));
			await n8n.client.activate(saved);
			const [failed] = await waitForExecutions(n8n.client, saved.id);
			await n8n.client.deactivate(saved);
			assert.ok(failed);
			assert.match(failure(await n8n.client.execution(failed.id)) ?? '', /broken on purpose/);
			await n8n.client.retry(failed.id);
			const again = (await n8n.client.executions(saved.id)).find(
				({ retryOf }) => retryOf === failed.id,
			);
			assert.equal(again?.mode, 'retry');
		});

		test('stops an execution', async () => {
			const nodes = [manualTrigger, waitNode(60)];
			const saved = await n8n.client.createWorkflow(workflow('Long', nodes));
			const id = await n8n.client.run(saved, 'Start');
			await waitForExecution(n8n.client, id, { states: ['running', 'waiting'] });
			await n8n.client.stop(id);
			const stopped = await waitForExecution(n8n.client, id, { timeoutMs: 5_000 });
			assert.equal(stopped.status, 'canceled');
		});

		test('an agent calls a tool and answers with what it said', async () => {
			const model = await startChatModel({ arguments: { input: '6*7' } });
			try {
				const openAi = { apiKey: 'stub', url: model.baseUrl };
				const credential = await n8n.client.createCredential('Stub model', 'openAiApi', openAi);
				const agent = '@n8n/n8n-nodes-langchain';
				const saved = await n8n.client.createWorkflow(
					workflow('Agent', [
						{ ...manualTrigger, to: ['Agent'] },
						{
							name: 'Agent',
							type: `${agent}.agent`,
							typeVersion: 2,
							parameters: { promptType: 'define', text: 'What is 6 times 7?', options: {} },
							to: [],
						},
						{
							name: 'Model',
							type: `${agent}.lmChatOpenAi`,
							typeVersion: 1.2,
							parameters: { model: { __rl: true, mode: 'id', value: 'stub' }, options: {} },
							credential,
							connection: 'ai_languageModel',
							to: ['Agent'],
						},
						{
							name: 'Calculator',
							type: `${agent}.toolCalculator`,
							typeVersion: 1,
							connection: 'ai_tool',
							to: ['Agent'],
						},
					]),
				);
				const execution = await waitForExecution(n8n.client, await n8n.client.run(saved, 'Start'));
				assert.equal(failure(execution), undefined);
				assert.match(JSON.stringify(nodeOutput(execution, 'Agent')), /The tool says: .*42/);
				assert.match(model.toolAnswers().join(), /42/);
			} finally {
				await model.stop();
			}
		});

		test('shows a workflow in the editor', async () => {
			const nodes = [manualTrigger, codeNode('Code', 'return [{ json: { seen: true } }];')];
			const saved = await n8n.client.createWorkflow(workflow('In the editor', nodes));
			const editor = await Editor.open(n8n.running.baseUrl, testOwner);
			try {
				await editor.openWorkflow(saved.id);
				await editor.execute();
				await waitForExecutions(n8n.client, saved.id);
				const picture = path.join(pictures, `canvas-${version}.png`);
				await editor.screenshot(picture);
				await editor.openNode('Code');
				await editor.screenshot(path.join(pictures, `panel-${version}.png`));
				assert.ok(statSync(picture).size > 10_000);
			} finally {
				await editor.close();
			}
		});

		test('a wait outlives a crash', async () => {
			const nodes = [
				everySeconds(1),
				waitNode(70),
				codeNode('After', 'return [{ json: { resumed: true } }];'),
			];
			const saved = await n8n.client.createWorkflow(workflow('Durable', nodes));
			await n8n.client.activate(saved);
			const [waiting] = await waitForExecutions(n8n.client, saved.id, { states: ['waiting'] });
			await n8n.client.deactivate(saved);
			assert.ok(waiting);
			await n8n.crash();
			await delay(1_000);
			await n8n.restart();
			const execution = await waitForExecution(n8n.client, waiting.id, { timeoutMs: 120_000 });
			assert.equal(execution.status, 'success');
			assert.deepEqual(
				nodeOutput(execution, 'After').map(({ json }) => json),
				[{ resumed: true }],
			);
			assert.doesNotMatch(readFileSync(n8n.logFile, 'utf8'), /UnhandledPromiseRejection/);
		});
	});
}
