/**
 * One main and one worker, as production runs: pages and jobs, Stop, Retry, both triggers, what nodes remember, and n8n's
 * own Data Table node beside the stand-in of the tests. Load and dying workers are in workers.e2e.ts.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { waitFor } from '../../tools/n8n/poll.ts';
import { field } from '../sandbox/client.ts';
import { failure, nodeOutput, retry, waitForExecution, waitForExecutions } from './harness/executions.ts';
import { outerLines } from './harness/lines.ts';
import {
	answerAsTheStandIn,
	type MemoryWorld,
	openMemoryWorld,
	rememberNothingByHand,
	rememberOverWeeks,
} from './harness/memories.ts';
import { nodeType, startedJobs } from './harness/product.ts';
import { activatePolling, CHANGING, NEXT, soon, TriggerBench, watching } from './harness/triggers.ts';
import { codeNode, manualTrigger, type TestNode, workflow } from './harness/workflows.ts';

const SITE = 'https://example.com';
const EVERY_OTHER_SECOND = Array.from({ length: 30 }, (_, place) => ({
	mode: 'custom',
	cronExpression: `${place * 2} * * * * *`,
}));

/** Jobs whose address says so outlast any test. */
const service = {
	jobDurationMs: ({ query }: { query: string }) => (query.includes('long') ? 600_000 : 1000),
} as const;

for (const version of outerLines()) {
	describe(`n8n ${version} in queue mode`, { timeout: 900_000 }, () => {
		let world: MemoryWorld;

		before(async () => {
			world = await openMemoryWorld(version, 'queue mode', service);
		});
		after(async () => await world.dispose());

		// First: it counts the executions.
		test('a run and a Retry compare with the run before, and leave static data alone', async () => {
			await rememberOverWeeks(world, { withWait: false });
		});

		const node = (name: string, parameters: object): TestNode => {
			return { name, type: nodeType, typeVersion: 1, parameters, credential: world.credential };
		};
		const runsOnWorker = (): number => world.workers[0]?.tail(100_000).match(/Worker started execution/g)?.length ?? 0;

		async function begin(name: string, nodes: TestNode[]): Promise<string> {
			const saved = await world.client.createWorkflow(workflow(name, [manualTrigger, ...nodes]));
			return await world.client.run(saved, manualTrigger.name);
		}

		test('a test run scrapes, crawls and scrapes a batch on the worker', async () => {
			const before = runsOnWorker();
			const urls = codeNode(
				'URLs',
				`return ['costs', 'safety'].map((page) => ({ json: { url: '${SITE}/' + page } }));`,
			);
			const id = await begin('Pages', [
				node('Scrape', { resource: 'page', operation: 'scrape', url: `${SITE}/costs` }),
				node('Crawl', { resource: 'crawl', operation: 'start', url: `${SITE}/?worker`, pageLimit: 3 }),
				urls,
				node('Batch', { resource: 'batchScrape', operation: 'start', url: '={{ $json.url }}' }),
			]);
			const execution = await waitForExecution(world.client, id);
			assert.equal(failure(execution), undefined);
			assert.match(String(nodeOutput(execution, 'Scrape')[0]?.json.markdown), /cargo bike/i);
			assert.equal(nodeOutput(execution, 'Crawl').length, 3);
			const batch = nodeOutput(execution, 'Batch').map(({ json }) => json.url);
			assert.deepEqual(batch, [`${SITE}/costs`, `${SITE}/safety`]);
			assert.equal(runsOnWorker(), before + 1);
			assert.equal(startedJobs(world.sandbox, '?worker').length, 1);
		});

		test('Stop cancels the job of a worker', async () => {
			const id = await begin('Stopped', [
				node('Crawl', { resource: 'crawl', operation: 'start', url: `${SITE}/?long`, pageLimit: 2 }),
			]);
			const jobs = () => startedJobs(world.sandbox, '?long');
			await soon('the job', () => (jobs().length === 1 ? true : undefined));
			await soon('its first check', () =>
				(world.sandbox.stats().polls.byJob[jobs()[0] ?? ''] ?? 0) > 0 ? true : undefined,
			);
			await world.client.stop(id);
			assert.equal((await waitForExecution(world.client, id, { timeoutMs: 40_000 })).status, 'canceled');
			const log = () => world.workers[0]?.tail(100_000) ?? '';
			await soon('the line of the stop', () =>
				log().includes(`Cancelled at the service: ${jobs()[0]}`) ? true : undefined,
			);
		});

		test('a Retry on the worker collects the job of the try before', async () => {
			const remove = world.sandbox.faults.add({ step: 'crawlStatus', kind: 'status', httpStatus: 403, times: 1 });
			const id = await begin('Retried', [
				node('Crawl', { resource: 'crawl', operation: 'start', url: `${SITE}/?again`, pageLimit: 2 }),
			]);
			const failed = await waitForExecution(world.client, id);
			remove();
			assert.match(failure(failed) ?? '', /403/);
			const again = await retry(world.client, id);
			assert.equal(failure(again), undefined);
			assert.equal(nodeOutput(again, 'Crawl').length, 2);
			assert.equal(startedJobs(world.sandbox, '?again').length, 1);
		});

		test('both triggers start executions on the worker', async () => {
			const { client, main, sandbox, credential } = world;
			const product = { version, n8n: main, sandbox, credential, dispose: async () => undefined };
			const bench = await TriggerBench.start(version, product);
			const before = runsOnWorker();
			const watched = `${sandbox.siteUrl}/try/changing`;
			const hook = await bench.save('Changed', 'queue-changed', watching());
			const polled = await bench.save(
				'Polled',
				'queue-polled',
				{ event: 'pageChanged', url: watched, pollTimes: { item: EVERY_OTHER_SECOND } },
				{ type: 'webDataPollTrigger', credential },
			);
			await bench.activate(hook, 'queue-changed');
			const { id } = Object(await bench.onlyMonitor()) as { id: unknown };
			await activatePolling(client, polled);
			await bench.check(id);
			await bench.check(id);
			for (const [saved, url] of [
				[hook, CHANGING],
				[polled, watched],
			] as const) {
				const [begun] = await waitForExecutions(client, saved.id);
				const ended = await client.execution(begun?.id ?? '');
				assert.equal(failure(ended), undefined);
				assert.equal(field(nodeOutput(ended, NEXT)[0]?.json, 'url'), url);
			}
			await client.deactivate(polled);
			await bench.deactivateAll();
			await waitFor('both on the worker', () => (runsOnWorker() >= before + 2 ? true : undefined), {
				timeoutMs: 10_000,
			});
		});

		test('a test run compares and stores nothing', async () => await rememberNothingByHand(world));

		test('n8n’s Data Table node answers as the stand-in of the tests does', async () =>
			await answerAsTheStandIn(world));
	});
}
