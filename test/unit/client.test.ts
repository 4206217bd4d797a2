import { ServiceClient, ThrottleMeter } from '../../nodes/service/limits/client';
import { Secrets } from '../../nodes/service/secrets';
import { SharedLimits, sharedLimits } from '../../nodes/service/limits/limits';
import type { HttpCall, HttpResponse } from '../../nodes/service/http/transport';
import { failureOf } from './caught.ts';
import { httpResponse } from './httpResponse.ts';
import { VirtualTime } from './virtualTime.ts';

const list = { method: 'GET', path: '/v2/crawl/active', bucket: 'crawlStatus' } as const;
const scrape = { method: 'POST', path: '/v2/scrape', bucket: 'scrape' } as const;
const ok = () => httpResponse({ text: '{"success":true}' });

/** A client whose service gives these answers in turn, the last one for ever. */
function clientOf(answers: Array<() => HttpResponse>, signal?: AbortSignal) {
	const time = new VirtualTime();
	const sentMs: number[] = [];
	const http: HttpCall = async () => {
		const answer = answers[Math.min(sentMs.length, answers.length - 1)];
		sentMs.push(time.now());
		return await Promise.resolve((answer ?? ok)());
	};
	const baseUrl = 'https://a.example';
	const client = new ServiceClient({
		secrets: new Secrets(''),
		http,
		baseUrl,
		limits: new SharedLimits(),
		time,
		signal,
	});
	return { client, time, sentMs };
}

const status =
	(code: number, headers: Record<string, string> = {}) =>
	() =>
		httpResponse({ status: code, headers, text: '{"error":"Told why"}' });
const reset = (): HttpResponse => {
	throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
};

it.each([
	['503', status(503)],
	['408', status(408)],
	['reset', reset],
	['web page', () => httpResponse({ text: '<html>' })],
])('repeats a read five times, ever more slowly: %s', async (_name, broken) => {
	const lucky = clientOf([broken, broken, broken, broken, broken, ok]);
	await expect(lucky.time.until(lucky.client.call(list))).resolves.toEqual({ success: true });
	const gaps = lucky.sentMs.slice(1).map((ms, index) => ms - (lucky.sentMs[index] ?? 0));
	gaps.forEach((gap, index) => {
		expect(gap).toBeGreaterThanOrEqual(1000 * 2 ** index);
		expect(gap).toBeLessThanOrEqual(1250 * 2 ** index);
	});

	const unlucky = clientOf([broken]);
	await failureOf(() => unlucky.time.until(unlucky.client.call(list)));
	expect(unlucky.sentMs).toHaveLength(6);
});

it.each([
	['500 to a POST', scrape, status(500)],
	['reset of a POST', scrape, reset],
	['401', list, status(401)],
	['404', list, status(404)],
])('does not repeat %s', async (_name, request, broken) => {
	const { client, time, sentMs } = clientOf([broken, ok]);
	await failureOf(() => time.until(client.call(request)));
	expect(sentMs).toHaveLength(1);
});

it('waits as long as a 429 says, shares the wait, and tells how long it was', async () => {
	const { client, time, sentMs } = clientOf([status(429, { 'retry-after': '20' }), ok]);
	await time.until(client.call(scrape));
	expect(sentMs[1]).toBeGreaterThanOrEqual(20_000);
	expect(sentMs[1]).toBeLessThanOrEqual(20_500);
	expect(client.throttled.seconds).toBe(20);
	await time.until(client.call(list));
	expect(sentMs[2]).toBe(sentMs[1]);
});

it.each([10_300, 700])('stops within a second in a pause, %i ms in, and sends nothing more', async (stopMs) => {
	const stop = new AbortController();
	const { client, time, sentMs } = clientOf([status(429, { 'retry-after': '60' })], stop.signal);
	time.at(stopMs, () => stop.abort());
	expect((await failureOf(() => time.until(client.call(list)))).kind).toBe('aborted');
	expect(time.now()).toBeLessThanOrEqual(stopMs + 1000);
	expect(sentMs).toHaveLength(1);
});

it('counts time once in which several things were held', () => {
	const time = {
		now: () => nowMs,
		wallClock: () => 0,
		random: () => 0,
		sleep: async () => undefined,
	};
	let nowMs = 0;
	const meter = new ThrottleMeter(time);
	const [first, second] = [{}, {}];
	meter.hold(first);
	nowMs = 10_000;
	meter.hold(second);
	meter.hold(second);
	nowMs = 20_000;
	meter.release(first);
	meter.release(first);
	expect(meter.seconds).toBe(20);
	nowMs = 30_000;
	meter.release(second);
	nowMs = 90_000;
	expect(meter.seconds).toBe(30);
});

it('keeps one set of limits for each credential, and forgets idle ones when there are very many', () => {
	const busy = sharedLimits('busy', 0);
	busy.starts('crawl').joined();
	const idle = sharedLimits('idle', 0);
	expect([sharedLimits('busy', 0), sharedLimits('idle', 0)]).toEqual([busy, idle]);
	expect(busy.starts('crawl')).toBe(busy.starts('crawl'));
	for (let count = 0; count < 600; count++) sharedLimits(`other ${count}`, 0);
	expect(sharedLimits('busy', 0)).toBe(busy);
	expect(sharedLimits('idle', 0)).not.toBe(idle);
});
