/** This package in queue mode: one main, two workers, Redis and PostgreSQL. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readExamples, withCredential } from '../../n8n/examples.ts';
import { packWebData } from '../../n8n/packages.ts';
import { projectRoot } from '../../n8n/project.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { waitForExecution } from './harness/executions.ts';
import { temporaryFolder } from './harness/instance.ts';
import { type QueueMode, startQueueMode } from './harness/queue.ts';

describe('the package in queue mode', () => {
	let queue: QueueMode;
	let sandbox: Sandbox;
	const packed = temporaryFolder('package');

	before(async () => {
		sandbox = await startSandbox({ speed: 20, keys: ['fc-queue'] });
		const tarball = await packWebData(projectRoot(), packed);
		queue = await startQueueMode({ tarball, workers: 2, concurrency: 20 });
	});
	after(async () => {
		await queue.dispose();
		await sandbox.stop();
		rmSync(packed, { recursive: true, force: true });
	});

	test('40 executions side by side all finish, none started twice', async () => {
		const { client } = queue.main;
		const data = { baseUrl: sandbox.baseUrl, apiKey: 'fc-queue' };
		const credential = await client.createCredential('Web Data', 'webDataApi', data);
		const example = readExamples(path.join(projectRoot(), 'examples')).find(({ name }) =>
			name.includes('by hand'),
		);
		assert.ok(example);
		const saved = await client.createWorkflow(withCredential(example, credential));
		const ids = await Promise.all(
			Array.from({ length: 40 }, () => client.run(saved, 'When You Press the Button')),
		);
		const ended = await Promise.all(
			ids.map((id) => waitForExecution(client, id, { timeoutMs: 180_000 })),
		);
		assert.deepEqual([...new Set(ended.map(({ status }) => status))], ['success']);
		assert.equal(sandbox.stats().starts.total, 40);
	});
});
