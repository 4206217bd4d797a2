/** Point 7: what a SIGKILL leaves behind: a wait in n8n's database, a job, an open browser session. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { WorkflowDefinition } from '../../n8n/client.ts';
import { waitFor } from '../../n8n/poll.ts';
import { failure, nodeHints, nodeOutput, runCount, waitForExecution } from './harness/executions.ts';
import { outerLines } from './harness/lines.ts';
import {
	apiKey,
	example,
	exampleTrigger,
	nodeType,
	type Product,
	researchNode,
	startProduct,
	startedJobs,
} from './harness/product.ts';
import { ask, field, listOf } from '../sandbox/client.ts';
import { codeNode, manualTrigger, workflow } from './harness/workflows.ts';

const node = z.object({ type: z.string(), parameters: z.record(z.unknown()) }).passthrough();

/** The durable example with a wait that is only just long enough for n8n to put it in its database. */
function durableExample({ credential }: Product): WorkflowDefinition {
	const durable = example('survives a restart', credential);
	const nodes = z.array(node).parse(durable.nodes);
	for (const { type, parameters } of nodes) {
		if (type === 'n8n-nodes-base.wait') Object.assign(parameters, { amount: 66, unit: 'seconds' });
	}
	return { ...durable, nodes };
}

/** Starts research that the node itself waits for, and waits until its job runs. */
async function startPlainResearch({ n8n, sandbox, credential }: Product) {
	const query = 'Interrupted by a crash [lasts:6000]';
	const nodes = [manualTrigger, researchNode(credential, query)];
	const saved = await n8n.client.createWorkflow(workflow('Interrupted', nodes));
	const id = await n8n.client.run(saved, 'Start');
	const jobId = await waitFor('its job', () => startedJobs(sandbox, query)[0], {
		timeoutMs: 20_000,
	});
	await delay(500);
	return { id, jobId };
}

/** The service's browser sessions, all or those of one state. */
async function sessions({ sandbox }: Product, query = ''): Promise<unknown[]> {
	const authorization = `Bearer ${apiKey}`;
	const { body } = await ask(sandbox, 'GET', `/v2/interact${query}`, { authorization });
	return listOf(field(body, 'sessions'));
}

/**
 * Runs code in a new browser session, until it is open. n8n stores what came before, so that it offers
 * Retry; the session would live for minutes.
 */
async function startBrowserRun(product: Product): Promise<string> {
	const { n8n, credential } = product;
	const parameters = {
		resource: 'browser',
		operation: 'runInNewSession',
		// Five seconds in the sandbox.
		steps: { step: [{ language: 'node', code: '"done [lasts:100]"', timeout: 120 }] },
		ttl: 3600,
		activityTtl: 3600,
	};
	const nodes = [
		manualTrigger,
		codeNode('Before', 'return [{ json: {} }];'),
		{ name: 'Browser', type: nodeType, typeVersion: 1, parameters, credential },
	];
	const settings = { saveExecutionProgress: true };
	const saved = await n8n.client.createWorkflow(workflow('Browser', nodes, settings));
	const id = await n8n.client.run(saved, manualTrigger.name);
	await waitFor(
		'its session',
		async () => ((await sessions(product, '?status=active')).length > 0 ? true : undefined),
		{ timeoutMs: 20_000 },
	);
	return id;
}

/**
 * Presses Retry for the killed run of the browser. Its session may as well be somebody else's of the account: it
 * is named with its age and left open, and the work is done in a second one, which is closed.
 */
async function assertSessionNamed(product: Product, id: string): Promise<void> {
	const { client } = product.n8n;
	assert.equal((await waitForExecution(client, id)).status, 'crashed');
	const [left, ...more] = await sessions(product, '?status=active');
	assert.deepEqual(more, [], 'the kill left one open');
	const sessionId = String(field(left, 'id'));
	await client.retry(id);
	const retried = (await client.executions()).find(({ retryOf }) => retryOf === id);
	const execution = await client.execution(retried?.id ?? '');
	assert.equal(failure(execution), undefined);
	assert.match(String(nodeOutput(execution, 'Browser')[0]?.json.result), /^done/);
	const hints = nodeHints(execution, 'Browser').join('\n');
	assert.ok(hints.includes(`Session ${sessionId}, opened `), hints);
	assert.match(hints, /may be yours: close it with Browser · Close Session if so/);
	const open = (await sessions(product, '?status=active')).map((one) => field(one, 'id'));
	assert.deepEqual(open, [sessionId], 'it is left, and the second one is closed');
	assert.equal((await sessions(product)).length, 2);
}

// Side by side: nearly all the time is the wait.
describe('7. durable', { concurrency: true, timeout: 400_000 }, () => {
	const products: Product[] = [];
	after(async () => {
		for (const product of products) await product.dispose();
	});

	for (const version of outerLines()) {
		test(`on n8n ${version} the analysis arrives after a SIGKILL while waiting, with one start`, async (t) => {
			const product = await startProduct(version);
			products.push(product);
			const { n8n, sandbox } = product;
			const saved = await n8n.client.createWorkflow(durableExample(product));
			const id = await n8n.client.run(saved, exampleTrigger);
			const waiting = await waitForExecution(n8n.client, id, { states: ['waiting'] });
			assert.ok(waiting.waitTill, 'n8n has written down when it goes on');

			// While it waits nothing runs: no execution is running, and nobody asks the service.
			const requests = sandbox.stats().requests;
			await delay(5_000);
			const running = (await n8n.client.executions()).filter(({ status }) => status === 'running');
			assert.deepEqual(running, []);
			assert.equal(sandbox.stats().requests, requests, 'no polls while it waits');

			const interrupted = await startPlainResearch(product);
			const browser = await startBrowserRun(product);
			await n8n.crash();
			await n8n.restart();
			await t.test('Retry names the browser session that the SIGKILL left open, and leaves it', async () => {
				await assertSessionNamed(product, browser);
			});
			const execution = await waitForExecution(n8n.client, id, { timeoutMs: 200_000 });
			assert.equal(failure(execution), undefined);
			assert.equal(execution.status, 'success');
			const result = nodeOutput(execution, 'Use the Analysis').at(0)?.json;
			assert.equal(result?.status, 'completed');
			assert.match(String(result.finalAnalysis), /cargo bikes/i);
			assert.equal(sandbox.stats().starts.total, 2, 'one each');
			const lost = await waitForExecution(n8n.client, interrupted.id);
			assert.equal(lost.status, 'crashed', 'a node that waits by itself is lost in a crash');
			const log = readFileSync(n8n.logFile, 'utf8').split('\n');
			const named = log.some((line) => line.includes(`Execution ${lost.id},`) && line.includes(interrupted.jobId));
			assert.ok(named, 'the log names its job');
			t.diagnostic(`${version}: looked ${runCount(execution, 'Get Research')} time(s), one start`);
		});
	}
});
