/** Queue mode, driven by this harness with n8n's own nodes only. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { waitForExecution, waitForExecutions } from './harness/executions.ts';
import { type QueueMode, startQueueMode } from './harness/queue.ts';
import { codeNode, everySeconds, manualTrigger, workflow } from './harness/workflows.ts';

const slow =
	'await new Promise((resolve) => setTimeout(resolve, 1500)); return [{ json: { done: true } }];';

describe('queue mode', () => {
	let queue: QueueMode;

	before(async () => {
		queue = await startQueueMode();
	});
	after(async () => {
		await queue.dispose();
	});

	test('workers run what is started by hand, side by side', async () => {
		const { client } = queue.main;
		const saved = await client.createWorkflow(
			workflow('By hand', [manualTrigger, codeNode('Code', slow)]),
		);
		const ids = await Promise.all(Array.from({ length: 6 }, () => client.run(saved, 'Start')));
		const ended = await Promise.all(ids.map((id) => waitForExecution(client, id)));
		assert.deepEqual([...new Set(ended.map(({ status }) => status))], ['success']);
	});

	test('goes on when one worker is killed', async () => {
		const { client } = queue.main;
		const saved = await client.createWorkflow(
			workflow('Scheduled', [everySeconds(1), codeNode('Code', slow)]),
		);
		await client.activate(saved);
		await waitForExecutions(client, saved.id, { states: ['success'], count: 2 });
		await queue.workers[0]?.kill();
		const before = (await client.executions(saved.id, 250)).filter(
			({ status }) => status === 'success',
		).length;
		await waitForExecutions(client, saved.id, { states: ['success'], count: before + 3 });
		await client.deactivate(saved);
	});
});
