import { Secrets } from '../../nodes/service/secrets';
import type { IExecuteFunctions } from 'n8n-workflow';

import { isAfterCrash, noteCrash } from '../../nodes/WebData/run/ledger/crash';
import { ServiceClient } from '../../nodes/service/limits/client';
import { SharedLimits, sharedLimits } from '../../nodes/service/limits/limits';
import { minuteWindow } from './minuteWindow.ts';
import { failureOf } from './caught.ts';
import { httpResponse } from './httpResponse.ts';
import { researchTask } from './researchTask.ts';
import { VirtualTime } from './virtualTime.ts';
import { errorOf, Waiting } from './waiting.ts';

const MINUTE_MS = 60_000;
const slice = { method: 'GET', path: '/v2/crawl/job-1', bucket: 'crawlStatus' } as const;

/** A client whose service answers as `answer` says: a status, by default 200. */
function reader(answer: (nowMs: number) => number) {
	const time = new VirtualTime();
	let sent = 0;
	const http = async () => {
		sent += 1;
		return await Promise.resolve(httpResponse({ status: answer(time.now()), text: '{"error":"Rate limit exceeded"}' }));
	};
	const limits = new SharedLimits();
	const client = new ServiceClient({
		http,
		baseUrl: 'https://a.example',
		limits,
		time,
		secrets: new Secrets(''),
	});
	return { time, client, limits, sent: () => sent };
}

it('reads on when the minute is over, however often it was refused in it', async () => {
	const window = minuteWindow(1);
	const { time, client } = reader((nowMs) => (window(nowMs) > 0 ? 429 : 200));
	await time.until(client.call(slice));
	await time.until(client.call(slice));
	expect(time.now()).toBeGreaterThan(MINUTE_MS);
	expect(time.now()).toBeLessThan(MINUTE_MS + 1500);
});

it('gives a read up when it is refused for ten minutes in which nothing has moved', async () => {
	const { time, client, sent } = reader(() => 429);
	const failure = await failureOf(() => time.until(client.call(slice)));
	expect(failure).toMatchObject({ kind: 'rateLimited' });
	expect(time.now()).toBeGreaterThanOrEqual(10 * MINUTE_MS);
	expect(time.now()).toBeLessThan(11 * MINUTE_MS);
	expect(sent()).toBeLessThan(40);
});

it('reads on as long as anything else moves for the credential', async () => {
	const { time, client, limits } = reader((nowMs) => (nowMs < 25 * MINUTE_MS ? 429 : 200));
	for (let minute = 5; minute < 25; minute += 5) {
		time.at(minute * MINUTE_MS, () => limits.progress.moved(time.now()));
	}
	await expect(time.until(client.call(slice))).resolves.toBeDefined();
});

it('costs no patience to queue while a running job of the credential is watched', async () => {
	const waiting = new Waiting({
		plan: { concurrency: 1 },
		latencyMs: [0, 0],
		durationMs: (query) => (query === 'job 0' ? 600_000 : 20_000),
	});
	const long = researchTask(0, { maxWaitMs: 720_000 });
	const short = researchTask(1, { maxWaitMs: MINUTE_MS });
	const outcomes = await waiting.outcomes([long, short]);
	expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done']);
	expect(waiting.service.jobs.size).toBe(2);
});

it('gives a start up when nobody watches a job any more', async () => {
	const waiting = new Waiting({
		plan: { concurrency: 1 },
		durationMs: () => 3_600_000,
		latencyMs: [0, 0],
	});
	const tasks = [researchTask(0, { maxWaitMs: 300_000 }), researchTask(1, { maxWaitMs: MINUTE_MS })];
	const outcomes = await waiting.outcomes(tasks);
	expect(outcomes.map(({ kind }) => kind)).toEqual(['unfinished', 'error']);
	expect(waiting.time.now()).toBeGreaterThanOrEqual(300_000 + MINUTE_MS);
	expect(waiting.time.now()).toBeLessThan(305_000 + MINUTE_MS);
});

it('looks once at the deadline, also in a pause of a quarter of an hour', async () => {
	let isRefused = false;
	const waiting = new Waiting({
		durationMs: () => 30_000,
		fault: ({ kind, atMs }) => {
			if (kind !== 'poll' || isRefused || atMs < 10_000) return undefined;
			isRefused = true;
			return { after: 'nothing', status: 429, headers: { 'retry-after': '900' } };
		},
	});
	const [outcome] = await waiting.outcomes([researchTask(0, { maxWaitMs: 120_000 })]);
	expect(outcome).toMatchObject({ kind: 'done' });
	expect(waiting.time.now()).toBeLessThan(121_000);
});

describe('a start that is given up says what really happened', () => {
	it('when the service is down', async () => {
		const waiting = new Waiting({ fault: () => ({ after: 'nothing', code: 'ECONNREFUSED' }) });
		const [outcome] = await waiting.outcomes([researchTask(0, { maxWaitMs: 5000 })]);
		expect(errorOf(outcome)).toMatch(/nothing answers there/);
		expect(errorOf(outcome)).not.toContain('limits');
	});

	it('when those before it get no answer', async () => {
		const waiting = new Waiting({ fault: () => ({ after: 'nothing', delayMs: 60_000 }) });
		const tasks = Array.from({ length: 11 }, (_unused, item) => researchTask(item, { maxWaitMs: 5000 }));
		const outcomes = await waiting.outcomes(tasks, { concurrency: 11 });
		expect(errorOf(outcomes[10])).toMatch(/starts before this one were not answered for 5 seconds/);
		expect(errorOf(outcomes[10])).not.toContain('limits');
	});
});

it('never forgets a pause, however many credentials there are', () => {
	const paused = sharedLimits('paused', 0);
	paused.pauses.refused('scrape', 1000, 900_000, 0);
	for (let count = 0; count < 1200; count++) sharedLimits(`some ${count}`, 500_000);
	expect(sharedLimits('paused', 500_000)).toBe(paused);
	for (let count = 0; count < 1200; count++) sharedLimits(`more ${count}`, 1_000_000);
	expect(sharedLimits('paused', 1_000_000)).not.toBe(paused);
});

it('takes an execution without an id for no crashed one', () => {
	const context = {};
	const ctx = {
		getContext: () => context,
		getMode: () => 'retry',
		getExecutionId: () => undefined,
		getNode: () => ({ name: 'Web Data', type: 'n8n-nodes-web-data.webData' }),
		getWorkflowDataProxy: () => ({ $: () => ({ isExecuted: false }) }),
	} as unknown as IExecuteFunctions;
	noteCrash(ctx);
	expect(isAfterCrash(ctx)).toBe(false);
});
