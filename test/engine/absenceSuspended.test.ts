import { until } from '../sandbox/client';
import { suspendingCrawl, openWaitingSetup } from './suspension';
import type { WaitingSetup } from './suspension';
import { errorText, NODE } from './research';

// A suspended job that the service answers 404 for when its webhook arrives.

let setup: WaitingSetup;
let lagMs = 0;

beforeEach(() => (lagMs = 0));
afterEach(async () => {
	vi.restoreAllMocks();
	await setup.stop();
});

it('is waited for when the service answers 404 for 8 s at the call, and nothing is started again', async () => {
	setup = await openWaitingSetup({ jobDurationMs: 700, statusLagMs: () => lagMs });
	const { executionId, run } = await setup.run(suspendingCrawl(setup.sandbox), {
		node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
	});
	expect(run.status).toBe('waiting');
	// As if the machines that answer knew nothing of the last minute.
	lagMs = 60_000;
	await until('its call', () => setup.sandbox.webhooks.sent().length > 0);
	setTimeout(() => (lagMs = 0), 2000);
	const ended = await setup.host.ended(executionId);
	expect(errorText(ended)).toBe('');
	expect(ended.items(NODE)).toHaveLength(3);
	expect(setup.sandbox.stats().starts.total).toBe(1);
});

it('names the job, and starts no other one, when the service denies it for a minute', async () => {
	setup = await openWaitingSetup({ jobDurationMs: 700, statusLagMs: () => lagMs });
	const options = { waitOptions: { maxWait: 20 } };
	const { executionId } = await setup.run(suspendingCrawl(setup.sandbox, { options }));
	lagMs = 3_600_000;
	const ended = await setup.host.ended(executionId);
	const [id] = setup.sandbox.stats().starts.list.map((start) => start.id);
	expect(errorText(ended)).toContain(`The crawl ${id} is gone`);
	lagMs = 0;
	const retried = await setup.host.retry(ended);
	expect(errorText(retried)).toBe('');
	expect(setup.sandbox.stats().starts.total).toBe(1);
});
