import { PATIENT_HEADER } from '../../nodes/WebData/run/parking/answers';
import { until } from '../sandbox/client';
import { bellOf, freedCrawl, openLot, ring } from './parking';
import type { Lot } from './parking';
import { KEY, NODE } from './research';
import type { RunSettings } from './research';

let lot: Lot;
afterEach(async () => await lot.stop());

/** What was answered, each time by one voice. */
const answers = () => lot.host.calls.map(({ answers: all }) => all.join(' and '));

/** Parks a crawl whose call of its own never comes, and calls in its place when it has ended. */
async function parkUnheard(settings?: RunSettings) {
	lot.sandbox.webhooks.add({ kind: 'lose' });
	const parked = await lot.run(freedCrawl(lot.sandbox), settings);
	return { parked, ...bellOf(parked, lot), requests: lot.sandbox.stats().requests };
}

describe('what a call is told', () => {
	it('while a job runs: that it was received, and nothing goes on', async () => {
		lot = await openLot({ jobDurationMs: 60_000 });
		const { url, secret } = await parkUnheard();
		expect(await ring(url, secret)).toBe(200);
		expect(answers()).toEqual(['{"message":"Received."}']);
		// Were it awake, it would be running.
		expect(await ring(url, secret)).toBe(200);
		expect(lot.host.calls.some(({ woke }) => woke)).toBe(false);
	});

	it('when all have ended: that they have, and the execution goes on', async () => {
		lot = await openLot({ jobDurationMs: 300 });
		const { parked, url, secret } = await parkUnheard();
		await until('the job to end', () => lot.sandbox.stats().jobsRunning === 0);
		await ring(url, secret);
		expect(answers()).toEqual(['{"message":"All jobs have ended."}']);
		const ended = await lot.host.ended(parked.executionId);
		expect(ended.items(NODE)).toHaveLength(3);
	});

	it('where nothing is noted of a job: that none is waited for', async () => {
		lot = await openLot({ jobDurationMs: 60_000 });
		const { parked, url, secret, requests } = await parkUnheard();
		parked.stored = parked.stored.replaceAll('webDataParked', 'somethingElse');
		expect(await ring(url, secret)).toBe(409);
		expect(answers()).toEqual(['{"message":"This execution does not wait for a job."}']);
		expect(lot.sandbox.stats().requests).toBe(requests);
	});

	it('where its jobs cannot be looked at: that they cannot', async () => {
		const credential = { baseUrl: '', apiKey: KEY };
		lot = await openLot({ jobDurationMs: 60_000 });
		credential.baseUrl = lot.sandbox.baseUrl;
		const { url, secret } = await parkUnheard({ credential });
		credential.baseUrl = 'nowhere';
		expect(await ring(url, secret)).toBe(503);
		expect(answers()).toEqual(['{"message":"The jobs could not be checked."}']);
		expect(lot.host.calls.some(({ woke }) => woke)).toBe(false);
	});

	it('while another is at it: that it was received; the node itself: to call again', async () => {
		lot = await openLot({ jobDurationMs: 60_000 });
		const { url, secret } = await parkUnheard();
		lot.sandbox.faults.add({ kind: 'slow', step: 'crawlStatus', ms: 1500, times: 1 });
		const first = ring(url, secret);
		await until('the look', () => lot.sandbox.stats().polls.total > 0);
		expect(await ring(url, secret)).toBe(200);
		expect(await ring(url, secret, { [PATIENT_HEADER]: 'yes' })).toBe(503);
		expect(await first).toBe(200);
		expect(answers().sort()).toEqual([
			'{"message":"Received."}',
			'{"message":"Received."}',
			'{"message":"The jobs could not be checked."}',
		]);
	});

	it('within a second, whatever the look takes; and no second time after it', async () => {
		lot = await openLot({ jobDurationMs: 300 });
		const { parked, url, secret } = await parkUnheard();
		await until('the job to end', () => lot.sandbox.stats().jobsRunning === 0);
		lot.sandbox.faults.add({ kind: 'slow', step: 'crawlStatus', ms: 2000, times: 1 });
		expect(await ring(url, secret)).toBe(200);
		await lot.host.ended(parked.executionId);
		expect(answers()[0]).toBe('{"message":"Received."}');
	});

	it('while the node itself is at it and a job cannot be read: that it was received, and the execution goes on', async () => {
		lot = await openLot({ jobDurationMs: 100 });
		const { siteUrl, faults, webhooks } = lot.sandbox;
		webhooks.add({ kind: 'lose' });
		webhooks.add({ kind: 'lose' });
		faults.add({ kind: 'status', httpStatus: 403, step: 'crawlStatus', query: 'second' });
		const parked = await lot.run(freedCrawl(lot.sandbox, { url: '={{ $json.url }}' }), {
			items: [{ url: siteUrl }, { url: `${siteUrl}/?second` }],
		});
		const { url, secret } = bellOf(parked, lot);
		await until('the jobs to end', () => lot.sandbox.stats().jobsRunning === 0);
		faults.add({ kind: 'slow', step: 'crawlStatus', ms: 1000, times: 1 });
		const own = ring(url, secret, { [PATIENT_HEADER]: 'yes' });
		await until('the look', () => lot.sandbox.stats().polls.total > 0);
		expect(await ring(url, secret)).toBe(200);
		expect(await own).toBe(200);
		const ended = await lot.host.ended(parked.executionId);
		expect(ended.run.status).toBe('error');
	});

	it('of a kind of job that makes no calls: the same', async () => {
		lot = await openLot({ jobDurationMs: 60_000 });
		const { parked, url, secret, requests } = await parkUnheard();
		parked.stored = parked.stored.replaceAll('"crawl"', '"deepResearch"');
		expect(await ring(url, secret)).toBe(503);
		expect(lot.sandbox.stats().requests).toBe(requests);
	});
});

describe('many calls one after the other', () => {
	it('cost a look a second, and none of a job that has ended', async () => {
		lot = await openLot({ jobDurationMs: ({ query }) => (query.includes('quick') ? 100 : 60_000) });
		lot.sandbox.webhooks.add({ kind: 'lose' });
		const url = '={{ $json.url }}';
		const parked = await lot.run(freedCrawl(lot.sandbox, { url }), {
			items: [{ url: `${lot.sandbox.siteUrl}?quick` }, { url: `${lot.sandbox.siteUrl}?slow` }],
		});
		const [quick = '', slow = ''] = lot.sandbox.stats().starts.list.map(({ id }) => id);
		await until('the quick job to end', () => lot.sandbox.stats().jobsRunning === 1);
		const bell = bellOf(parked, lot);
		const looks = () => lot.sandbox.stats().polls.byJob;
		await ring(bell.url, bell.secret);
		const first = looks();
		const beganMs = performance.now();
		await ring(bell.url, bell.secret);
		await until('the second look', () => (looks()[slow] ?? 0) > (first[slow] ?? 0));
		expect(performance.now() - beganMs).toBeGreaterThan(700);
		expect(looks()[quick]).toBe(first[quick]);
	});
});
