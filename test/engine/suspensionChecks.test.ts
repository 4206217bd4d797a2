import { n8nLog } from '../../engine/index.ts';
import { until } from '../sandbox/client';
import { resumeCallOf, suspendingCrawl, openWaitingSetup, notify } from './suspension';
import type { WaitingSetup } from './suspension';
import { errorText, KEY, NODE } from './research';

// The checks that the node makes by itself while its execution is suspended.

let setup: WaitingSetup;
afterEach(async () => {
	vi.restoreAllMocks();
	await setup.stop();
});

describe('a webhook that comes before the status shows the end', () => {
	it('costs a second, not Max Wait: the jobs are checked again after it', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 3000, webhookLeadMs: 200 });
		const { executionId, run } = await setup.run(suspendingCrawl(setup.sandbox));
		expect(run.status).toBe('waiting');
		const ended = await setup.host.ended(executionId);
		expect(ended.items(NODE)).toHaveLength(3);
		expect(setup.sandbox.webhooks.sent()).toMatchObject([{ status: 200 }]);
		expect(setup.sandbox.stats().starts.total).toBe(1);
	});
});

describe('a webhook that never comes', () => {
	it('costs seconds, not Max Wait: the jobs are checked without it', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 4000 });
		setup.sandbox.webhooks.add({ kind: 'lose' });
		const { executionId } = await setup.run(suspendingCrawl(setup.sandbox));
		await until('the first check', () => setup.host.calls.some(({ status }) => status === 200));
		await until('the end', () => setup.sandbox.stats().jobsRunning === 0);
		const ended = await setup.host.ended(executionId);
		expect(ended.items(NODE)).toHaveLength(3);
	});
});

describe('Stop while the execution is suspended', () => {
	it('ends the checks: one more is refused, and no status is asked for any more', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 3_600_000 });
		const { executionId } = await setup.run(suspendingCrawl(setup.sandbox));
		const other = await setup.run(suspendingCrawl(setup.sandbox));
		const statusesOf = (id: string) =>
			setup.host.calls.filter((call) => call.executionId === id && call.status > 0).map(({ status }) => status);
		const [stoppedJob = ''] = setup.sandbox.stats().starts.list.map(({ id }) => id);
		await until('the first check', () => statusesOf(executionId).length === 1);
		setup.host.stopWaiting(executionId);
		await until('later checks', () => statusesOf(other.executionId).length === 5);
		expect(statusesOf(executionId)).toEqual([200, 409]);
		expect(setup.sandbox.stats().polls.byJob[stoppedJob]).toBe(1);
	});
});

describe('a job that the service does not know any more', () => {
	it('is checked for a minute, then left to the node, which names it', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 3_600_000 });
		const warnings: string[] = [];
		vi.spyOn(n8nLog(), 'warn').mockImplementation((text) => void warnings.push(text));
		const suspended = await setup.run(suspendingCrawl(setup.sandbox));
		const { secret } = resumeCallOf(suspended, setup);
		const fault = { kind: 'status', httpStatus: 404, error: 'Job not found' } as const;
		setup.sandbox.faults.add({ ...fault, step: 'crawlStatus' });
		setup.sandbox.faults.add({ ...fault, step: 'activity' });
		setup.sandbox.faults.add({ ...fault, step: 'active' });
		await until('the first check', () => setup.host.calls.some(({ status }) => status === 503));
		const ended = await setup.host.ended(suspended.executionId);
		const [id = ''] = setup.sandbox.stats().starts.list.map((start) => start.id);
		expect(errorText(ended)).toContain(id);
		expect(setup.host.calls.filter(({ status }) => status === 503).length).toBeGreaterThan(1);
		expect(setup.sandbox.stats().starts.total).toBe(1);
		expect(warnings.join(' ')).toContain(id);
		for (const hidden of [KEY, secret]) expect(warnings.join(' ')).not.toContain(hidden);
	});
});

describe('a webhook that comes twice, or while a check is under way', () => {
	it('resumes the execution once, also where the status shows the end later', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 3000, webhookLeadMs: 1500 });
		setup.sandbox.webhooks.add({ kind: 'repeat', copies: 2, event: 'crawl.completed' });
		const suspended = await setup.run(suspendingCrawl(setup.sandbox));
		const { url, secret } = resumeCallOf(suspended, setup);
		await until('the first check', () => setup.host.calls.length > 0);
		expect(await notify(url, secret)).toBe(200);
		const ended = await setup.host.ended(suspended.executionId);
		expect(ended.items(NODE)).toHaveLength(3);
		expect(setup.host.calls.filter(({ woke }) => woke)).toHaveLength(1);
		expect(setup.sandbox.stats().starts.total).toBe(1);
	});
});
