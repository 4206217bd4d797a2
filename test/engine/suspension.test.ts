import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Execution } from '../../tools/n8n-engine/index.ts';
import { fromStored, toStored } from '../../tools/n8n-engine/stored.ts';
import { field, until } from '../sandbox/client';
import { resumeCallOf, suspendingCrawl, openWaitingSetup, notify, withoutTimes } from './suspension';
import type { WaitingSetup } from './suspension';
import { errorText, hintsOf, jsonOf, NODE, runNode, sourceItems, startedIds } from './run';

let setup: WaitingSetup;

const told = (execution: Execution) => jsonOf(execution.items(NODE)).map(({ url, title }) => ({ url, title }));

describe('a workflow of before', () => {
	it('that has true stored holds the execution, with false it does not wait, in the words it had', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 50 });
		const held = await runNode(setup.sandbox, suspendingCrawl(setup.sandbox, { waitForCompletion: true }));
		expect(held.items(NODE)).toHaveLength(3);
		for (const waitForCompletion of [false, '={{ "false" }}']) {
			const started = await runNode(setup.sandbox, suspendingCrawl(setup.sandbox, { waitForCompletion }));
			expect(jsonOf(started.items(NODE))).toEqual([expect.objectContaining({ id: startedIds(setup.sandbox).at(-1) })]);
		}
	});
});

/** What an execution with two jobs had stored in November 2026; what each has of its own is in braces. */
const STORED_BEFORE = readFileSync(join(__dirname, '../fixtures/suspendedExecution.json'), 'utf8');

it('an execution that the version of November 2026 has suspended goes on, and starts nothing', async () => {
	setup = await openWaitingSetup({ jobDurationMs: 20_000 });
	const { sandbox } = setup;
	const parameters = { url: '={{ $json.url }}', waitForCompletion: '={{ $json.wait }}' };
	const items = [
		{ url: sandbox.siteUrl, wait: 'free' },
		{ url: `${sandbox.siteUrl}/costs`, wait: 'false' },
	];
	const suspended = await setup.run(suspendingCrawl(sandbox, parameters), { items });
	const data = fromStored(suspended.stored);
	const context = suspended.context(NODE);
	const [job0, job1] = [0, 1].map((item) => field(context, `webDataJobs.crawl:0:${item}.id`));
	const own: Record<string, unknown> = {
		'job 0': job0,
		'job 1': job1,
		execution: suspended.executionId,
		site: sandbox.siteUrl,
		service: sandbox.baseUrl,
		secret: field(context, 'webDataSuspended.secret'),
		call: field(context, 'webDataSuspended.call.url'),
		since: field(context, 'webDataSuspended.call.sinceMs'),
		until: field(context, 'webDataSuspended.call.untilMs'),
		account: field(context, 'webDataAccount'),
	};
	const filled = STORED_BEFORE.replace(/"\{(since|until)\}"/g, (_whole, name: string) => String(own[name])).replace(
		/\{(\w[\w ]*)\}/g,
		(_whole, name: string) => String(own[name]),
	);
	const { executionData } = data;
	if (!executionData) throw new Error('Nothing waits.');
	executionData.contextData[`node:${NODE}`] = JSON.parse(filled) as typeof context;
	setup.host.listedAsWaiting({ ...suspended, stored: toStored(data) });
	const ended = await setup.host.ended(suspended.executionId);
	expect(errorText(ended)).toBe('');
	expect(sourceItems(ended.items(NODE))).toEqual([0, 0, 0, 1]);
	expect(jsonOf(ended.items(NODE)).at(-1)).toMatchObject({ id: job1 });
	expect(sandbox.stats().starts.total).toBe(2);
});

describe('Wait in the Background', () => {
	it('suspends the execution while the job runs, and puts out what Wait for the Result does', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 700 });
		const suspended = await setup.run(suspendingCrawl(setup.sandbox));
		expect(suspended.run.status).toBe('waiting');
		expect(jsonOf(suspended.items(NODE))).toEqual([
			{ suspendedJob: { jobId: startedIds(setup.sandbox)[0], collectWith: 'Crawl · Get' } },
		]);
		// Its jobs stand in the ledger alone.
		const { webDataSuspended: record = {} } = suspended.context(NODE);
		const kept = ['call', 'execution', 'hidden', 'isWoken', 'run', 'secret', 'throttledSeconds'];
		expect(Object.keys(record as object).sort()).toEqual(kept);
		const freed = await setup.host.ended(suspended.executionId);
		const held = await setup.run(suspendingCrawl(setup.sandbox, { waitForCompletion: true }));
		expect(freed.error).toBeUndefined();
		expect(told(freed)).toEqual(told(held));
		expect(freed.items(NODE)).toHaveLength(3);
		expect(sourceItems(freed.items(NODE))).toEqual([0, 0, 0]);
		expect(hintsOf(freed).map(withoutTimes)).toEqual(hintsOf(held).map(withoutTimes));
		expect(setup.host.calls.filter(({ woke }) => woke)).toMatchObject([{ status: 200 }]);
		expect(setup.sandbox.stats().starts.total).toBe(2);
		expect(freed.context(NODE)).toEqual({
			webDataJobs: {},
			webDataAccount: expect.any(String),
			webDataExecution: expect.any(String),
			webDataCredits: { all: expect.any(Number) },
		});
	});

	it('is one suspension for many items, and wakes when the last job has ended', async () => {
		setup = await openWaitingSetup({ jobDurationMs: ({ index }) => 300 + 150 * index });
		const items = Array.from({ length: 8 }, (_, index) => ({ n: index }));
		const suspended = await setup.run(suspendingCrawl(setup.sandbox, { pageLimit: '={{ $json.n % 3 + 1 }}' }), {
			items,
		});
		const ended = await setup.host.ended(suspended.executionId);
		expect(ended.error).toBeUndefined();
		expect(sourceItems(ended.items(NODE))).toEqual(items.flatMap(({ n }) => Array<number>((n % 3) + 1).fill(n)));
		expect(setup.host.calls.filter(({ woke }) => woke)).toHaveLength(1);
		expect(setup.sandbox.stats().starts.total).toBe(8);
	});

	it('does not suspend for jobs that have ended by then', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 1 });
		setup.sandbox.faults.add({ kind: 'slow', step: 'crawlStart', when: 'after', ms: 1100 });
		const execution = await setup.run(suspendingCrawl(setup.sandbox));
		expect(execution.run.status).toBe('success');
		expect(execution.items(NODE)).toHaveLength(3);
	});

	it('checks at none within a second of its start, when no job has ended; one that has is collected soon after', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 1 });
		const suspended = await setup.run(suspendingCrawl(setup.sandbox));
		expect([suspended.run.status, setup.sandbox.stats().polls.total]).toEqual(['waiting', 0]);
		const ended = await setup.host.ended(suspended.executionId);
		expect(ended.items(NODE)).toHaveLength(3);
		expect(setup.sandbox.stats().starts.total).toBe(1);
	});
});

describe('a call', () => {
	it('of a stranger, or with a wrong secret, costs no check', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 60_000 });
		const suspended = await setup.run(suspendingCrawl(setup.sandbox));
		const { url } = resumeCallOf(suspended, setup);
		const before = setup.sandbox.stats().polls.total;
		for (const secret of [undefined, '', 'wrong']) expect(await notify(url, secret)).toBe(401);
		// The node itself calls after two seconds.
		const others = setup.host.calls.filter(({ status }) => status !== 401).length;
		expect(setup.sandbox.stats().polls.total - before).toBeLessThanOrEqual(others);
		expect(setup.host.calls.every(({ woke }) => !woke)).toBe(true);
	});

	it.each([2, 30])('that comes %i times in the same moment wakes it once, and is read once', async (times) => {
		setup = await openWaitingSetup({ jobDurationMs: 400 });
		setup.sandbox.webhooks.add({ kind: 'repeat', copies: times - 1, event: 'crawl.completed' });
		const { executionId } = await setup.run(suspendingCrawl(setup.sandbox));
		const ended = await setup.host.ended(executionId);
		await until('all calls', () => setup.host.calls.length >= times);
		expect(ended.items(NODE)).toHaveLength(3);
		expect(setup.host.calls.filter(({ woke }) => woke)).toHaveLength(1);
		expect(setup.sandbox.stats().slicesServed).toBeLessThanOrEqual(4);
	});
});

describe('a job that fails', () => {
	it('fails the node as ever; a retry starts it again, and only it', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 400 });
		setup.sandbox.faults.add({ kind: 'failJob', step: 'crawlStart', times: 1, error: 'No luck' });
		const items = [{ n: 1 }, { n: 2 }];
		const parameters = suspendingCrawl(setup.sandbox, { pageLimit: '={{ $json.n }}' });
		const failed = await setup.runToEnd(parameters, { items });
		expect(failed.run.status).toBe('error');
		expect(errorText(failed)).toContain('No luck');
		const again = await setup.host.retry(failed);
		const ended = await setup.host.ended(again.executionId);
		expect(ended.error).toBeUndefined();
		expect(setup.sandbox.stats().starts.total).toBe(3);
		expect(ended.items(NODE)).toHaveLength(3);
	});

	it('to start is not started a second time when the others have ended', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 400 });
		setup.sandbox.faults.add({ kind: 'status', httpStatus: 402, step: 'crawlStart', times: 1 });
		const ended = await setup.runToEnd(suspendingCrawl(setup.sandbox, { pageLimit: '={{ $json.n }}' }), {
			items: [{ n: 1 }, { n: 2 }],
			node: { onError: 'continueRegularOutput' },
		});
		expect(sourceItems(ended.items(NODE))).toEqual([0, 1, 1]);
		expect(ended.items(NODE)[0]?.json.error).toContain('enough credits');
		expect(setup.sandbox.stats().starts.total).toBe(1);
	});
});

describe('when nobody calls by Max Wait', () => {
	it('passes the input on with the job in it, which Get collects, and nothing is started again', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 100 });
		setup.sandbox.webhooks.add({ kind: 'lose' });
		setup.sandbox.faults.add({ kind: 'slow', step: 'crawlStatus', when: 'after', ms: 0, times: 1 });
		const { executionId, run } = await setup.run(
			suspendingCrawl(setup.sandbox, { pageLimit: 2, options: { waitOptions: { maxWait: 90 } } }),
			{ items: [{ n: 5 }] },
		);
		expect(run.status).toBe('waiting');
		const leftMs = Number(run.waitTill) - Date.now();
		expect(leftMs).toBeGreaterThan(60_000);
		expect(leftMs).toBeLessThanOrEqual(90_000);
		const ended = await setup.host.timeIsUp(executionId);
		const jobId = startedIds(setup.sandbox)[0] ?? '';
		expect(jsonOf(ended.items(NODE))).toEqual([{ n: 5, suspendedJob: { jobId, collectWith: 'Crawl · Get' } }]);
		expect(sourceItems(ended.items(NODE))).toEqual([0]);
		const got = await runNode(setup.sandbox, {
			resource: 'crawl',
			operation: 'get',
			jobId,
			waitForCompletion: true,
		});
		expect(got.items(NODE)).toHaveLength(2);
		expect(setup.sandbox.stats().starts.total).toBe(1);
	});
});

describe('where it cannot work', () => {
	it('refuses a Webhook of the user beside it, and sends nothing', async () => {
		setup = await openWaitingSetup();
		const execution = await setup.run(
			suspendingCrawl(setup.sandbox, {
				options: { webhook: { target: { url: 'https://example.com/hook' } } },
			}),
		);
		expect(errorText(execution)).toMatch(/"Webhook".*"Wait in the Background"/);
		expect(setup.sandbox.stats().requests).toBe(0);
	});
});
