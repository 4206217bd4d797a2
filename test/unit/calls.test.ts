import { runCalls } from '../../nodes/service/limits/runCalls';
import { ServiceClient } from '../../nodes/service/limits/client';
import { Secrets } from '../../nodes/service/secrets/secrets';
import type { ServiceFailure } from '../../nodes/service/http/failure';
import { SharedLimits } from '../../nodes/service/limits/sharedLimits';
import type { HttpCall, HttpResponse } from '../../nodes/service/http/transport';
import { failureOf } from './caught.ts';
import { httpResponse } from './httpResponse.ts';
import { minuteWindow } from './minuteWindow.ts';
import { VirtualTime } from './virtualTime.ts';

const MINUTE_MS = 60_000;
const request = { method: 'POST', path: '/v2/scrape', bucket: 'scrape' } as const;

interface CallsParts {
	/** What the service says to a request; by default it answers. */
	answer?: (nowMs: number, count: number) => HttpResponse | undefined;
	latencyMs?: number;
	signal?: AbortSignal;
	/** True: the run ends with the first failure. */
	stopsAtFailure?: boolean;
}

/** Some calls in virtual time, and what became of each. */
class Calls {
	readonly time = new VirtualTime();

	readonly answered: number[] = [];

	readonly failed: ServiceFailure[] = [];

	sent = 0;

	inFlight = 0;

	mostInFlight = 0;

	constructor(private readonly parts: CallsParts = {}) {}

	async run(count: number): Promise<void> {
		const { time, parts } = this;
		const http: HttpCall = async () => {
			this.inFlight += 1;
			this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
			const answer = parts.answer?.(time.now(), this.sent);
			this.sent += 1;
			await time.sleep(parts.latencyMs ?? 100);
			this.inFlight -= 1;
			return answer ?? httpResponse({ text: '{"success":true}' });
		};
		const baseUrl = 'https://a.example';
		const { signal } = parts;
		const client = new ServiceClient({
			secrets: new Secrets(''),
			http,
			baseUrl,
			limits: new SharedLimits(),
			time,
			signal,
		});
		const tasks = Array.from({ length: count }, () => ({ request, timeoutMs: MINUTE_MS }));
		const events = {
			answered: (index: number) => this.answered.push(index),
			failed: (_index: number, failure: ServiceFailure) => {
				this.failed.push(failure);
				return parts.stopsAtFailure === true;
			},
		};
		await time.until(runCalls(tasks, events, client));
	}
}

const refusal = (headers: Record<string, string> = {}) =>
	httpResponse({ status: 429, headers, text: '{"error":"Rate limit exceeded"}' });
const limited = (perMinute: number, saysWhen: boolean) => {
	const window = minuteWindow(perMinute);
	return (nowMs: number) => {
		const waitMs = window(nowMs);
		if (waitMs === 0) return undefined;
		return refusal(saysWhen ? { 'retry-after': String(Math.ceil(waitMs / 1000)) } : {});
	};
};

it('begins with ten at once and works up to fifty', async () => {
	const calls = new Calls();
	await calls.run(1000);
	expect(calls.answered).toHaveLength(1000);
	expect(calls.sent).toBe(1000);
	expect(calls.mostInFlight).toBe(50);
	const first = new Calls({ latencyMs: 1000 });
	await first.run(10);
	expect(first.mostInFlight).toBe(10);
	const broken = new Calls({ latencyMs: 1000, answer: () => refusal() });
	await broken.run(40);
	expect(broken.mostInFlight).toBe(10);
});

it.each([
	['with Retry-After', true],
	['without', false],
])('gets every call through a plan of 20 a minute, %s', async (_name, saysWhen) => {
	const calls = new Calls({ answer: limited(20, saysWhen) });
	await calls.run(100);
	expect(calls.answered.toSorted((one, other) => one - other)).toEqual([...Array(100).keys()]);
	expect(calls.failed).toEqual([]);
	// Five windows of 20: the fifth opens after four minutes.
	expect(calls.time.now()).toBeGreaterThan(4 * MINUTE_MS);
	expect(calls.time.now()).toBeLessThan(4.5 * MINUTE_MS * (saysWhen ? 1 : 1.25));
	expect(calls.sent).toBeLessThan(200);
});

it('gives up when nothing is let through for ten minutes, with the words of the service', async () => {
	const calls = new Calls({ answer: () => refusal() });
	await calls.run(3);
	expect(calls.answered).toEqual([]);
	expect(calls.failed).toHaveLength(3);
	for (const { kind, message } of calls.failed) {
		expect(kind).toBe('rateLimited');
		expect(message).toContain('Rate limit exceeded');
	}
	expect(calls.time.now()).toBeGreaterThan(10 * MINUTE_MS);
	expect(calls.time.now()).toBeLessThan(13 * MINUTE_MS);
});

const worksOn = () =>
	httpResponse({
		status: 408,
		text: '{"success":false,"code":"SCRAPE_TIMEOUT","error":"Timed out","details":{"state":"processing_continues","retryAfterSeconds":30}}',
	});

it('asks again for work that goes on, when the service says', async () => {
	const calls = new Calls({ answer: (_nowMs, count) => (count < 2 ? worksOn() : undefined) });
	await calls.run(1);
	expect(calls.answered).toEqual([0]);
	expect(calls.time.now()).toBeGreaterThanOrEqual(60_000);
	expect(calls.time.now()).toBeLessThan(61_000);
});

it('asks five times for work that never ends, not for ever', async () => {
	const calls = new Calls({ answer: worksOn });
	await calls.run(1);
	expect(calls.sent).toBe(6);
	expect(calls.failed[0]?.message).toContain('Timed out');
});

it('sends nothing more after a failure that ends the run', async () => {
	const broken = httpResponse({ status: 402, text: '{"error":"No credits left"}' });
	const calls = new Calls({
		answer: (_nowMs, count) => (count === 0 ? broken : undefined),
		stopsAtFailure: true,
	});
	await calls.run(200);
	expect(calls.failed.map(({ message }) => message)).toEqual([
		expect.stringContaining('No credits left'),
	]);
	const { sent } = calls;
	expect(sent).toBeLessThan(25);
	// What was on its way is paid for: it is waited for and told.
	expect(calls.answered).toHaveLength(sent - 1);
	await calls.time.pass(MINUTE_MS);
	expect(calls.sent).toBe(sent);
});

it('sends nothing more when the execution is stopped, also while it waits for its turn', async () => {
	const stop = new AbortController();
	const calls = new Calls({ answer: () => refusal({ 'retry-after': '60' }), signal: stop.signal });
	calls.time.at(20_000, () => stop.abort());
	const failure = await failureOf(() => calls.run(50));
	expect(failure.kind).toBe('aborted');
	expect(calls.time.now()).toBeLessThan(21_000);
	const { sent } = calls;
	await calls.time.pass(2 * MINUTE_MS);
	expect(calls.sent).toBe(sent);
});
