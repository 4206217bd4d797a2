import { OWN_CALL_HEADER } from '../../nodes/WebData/run/suspension/checks';
import { until } from '../sandbox/client';
import { resumeCallOf, suspendingCrawl, openWaitingSetup, notify } from './suspension';
import type { WaitingSetup } from './suspension';
import { KEY, NODE } from './research';
import type { RunSettings } from './research';

let setup: WaitingSetup;
afterEach(async () => await setup.stop());

/** What was answered, each time by one voice. */
const answers = () => setup.host.calls.map(({ answers: all }) => all.join(' and '));

/** Suspends a crawl whose call of its own never comes, and calls in its place when it has ended. */
async function parkUnheard(settings?: RunSettings) {
	setup.sandbox.webhooks.add({ kind: 'lose' });
	const suspended = await setup.run(suspendingCrawl(setup.sandbox), settings);
	return { suspended, ...resumeCallOf(suspended, setup), requests: setup.sandbox.stats().requests };
}

describe('what a call is told', () => {
	it('while a job runs: that it was received, and nothing goes on', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 60_000 });
		const { url, secret } = await parkUnheard();
		expect(await notify(url, secret)).toBe(200);
		expect(answers()).toEqual(['{"message":"Received."}']);
		// Were it awake, it would be running.
		expect(await notify(url, secret)).toBe(200);
		expect(setup.host.calls.some(({ woke }) => woke)).toBe(false);
	});

	it('when all have ended: that they have, and the execution goes on', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 300 });
		const { suspended, url, secret } = await parkUnheard();
		await until('the job to end', () => setup.sandbox.stats().jobsRunning === 0);
		await notify(url, secret);
		expect(answers()).toEqual(['{"message":"All jobs have ended."}']);
		const ended = await setup.host.ended(suspended.executionId);
		expect(ended.items(NODE)).toHaveLength(3);
	});

	it('where nothing is noted of a job: that none is waited for', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 60_000 });
		const { suspended, url, secret, requests } = await parkUnheard();
		suspended.stored = suspended.stored.replaceAll('webDataParked', 'somethingElse');
		expect(await notify(url, secret)).toBe(409);
		expect(answers()).toEqual(['{"message":"This execution does not wait for a job."}']);
		expect(setup.sandbox.stats().requests).toBe(requests);
	});

	it('where its jobs cannot be checked: that they cannot', async () => {
		const credential = { baseUrl: '', apiKey: KEY };
		setup = await openWaitingSetup({ jobDurationMs: 60_000 });
		credential.baseUrl = setup.sandbox.baseUrl;
		const { url, secret } = await parkUnheard({ credential });
		credential.baseUrl = 'nowhere';
		expect(await notify(url, secret)).toBe(503);
		expect(answers()).toEqual(['{"message":"The jobs could not be checked."}']);
		expect(setup.host.calls.some(({ woke }) => woke)).toBe(false);
	});

	it('while another is at it: that it was received', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 60_000 });
		const { url, secret } = await parkUnheard();
		setup.sandbox.faults.add({ kind: 'slow', step: 'crawlStatus', ms: 1500, times: 1 });
		const first = notify(url, secret);
		await until('the check', () => setup.sandbox.stats().polls.total > 0);
		expect(await notify(url, secret)).toBe(200);
		expect(await notify(url, secret, { [OWN_CALL_HEADER]: 'yes' })).toBe(200);
		expect(await first).toBe(200);
		expect(new Set(answers())).toEqual(new Set(['{"message":"Received."}']));
	});

	it('within a second, whatever the check takes; and no second time after it', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 300 });
		const { suspended, url, secret } = await parkUnheard();
		await until('the job to end', () => setup.sandbox.stats().jobsRunning === 0);
		setup.sandbox.faults.add({ kind: 'slow', step: 'crawlStatus', ms: 2000, times: 1 });
		expect(await notify(url, secret)).toBe(200);
		await setup.host.ended(suspended.executionId);
		expect(answers()[0]).toBe('{"message":"Received."}');
	});

	it('of a kind of job that makes no calls: the same', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 60_000 });
		const { suspended, url, secret, requests } = await parkUnheard();
		suspended.stored = suspended.stored.replaceAll('"crawl"', '"deepResearch"');
		expect(await notify(url, secret)).toBe(503);
		expect(setup.sandbox.stats().requests).toBe(requests);
	});
});

describe('many calls one after the other', () => {
	it('cost a check a second, and none of a job that has ended', async () => {
		setup = await openWaitingSetup({
			jobDurationMs: ({ query }) => (query.includes('quick') ? 100 : 60_000),
		});
		setup.sandbox.webhooks.add({ kind: 'lose' });
		const url = '={{ $json.url }}';
		const suspended = await setup.run(suspendingCrawl(setup.sandbox, { url }), {
			items: [{ url: `${setup.sandbox.siteUrl}?quick` }, { url: `${setup.sandbox.siteUrl}?slow` }],
		});
		const [quick = '', slow = ''] = setup.sandbox.stats().starts.list.map(({ id }) => id);
		await until('the quick job to end', () => setup.sandbox.stats().jobsRunning === 1);
		const execution = resumeCallOf(suspended, setup);
		const checks = () => setup.sandbox.stats().polls.byJob;
		await notify(execution.url, execution.secret);
		const first = checks();
		const beganMs = performance.now();
		await notify(execution.url, execution.secret);
		await until('the second check', () => (checks()[slow] ?? 0) > (first[slow] ?? 0));
		expect(performance.now() - beganMs).toBeGreaterThan(700);
		expect(checks()[quick]).toBe(first[quick]);
	});
});
