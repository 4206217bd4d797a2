import fc from 'fast-check';

import { ServiceFailure } from '../../nodes/service/http/failure';
import { readAnswer } from '../../nodes/service/http/answer';
import { Attempts, POLICIES, policyFor } from '../../nodes/service/http/retry';
import type { Moment, NextAttempt, RetryPolicy, Trouble } from '../../nodes/service/http/retry';
import { failureOf } from './caught.ts';
import { failureFromNetworkError } from '../../nodes/service/http/networkFailure.ts';

const request = { method: 'POST', path: '/v1/deep-research', bucket: 'crawl' } as const;

async function answered(status: number, text = '{"error":"x"}'): Promise<ServiceFailure> {
	let json: unknown;
	try {
		json = JSON.parse(text);
	} catch {
		json = undefined;
	}
	return await failureOf(() => readAnswer({ status, headers: {}, json, text }, request, 'https://a.example', 0));
}

async function broke(code: string, more: object = {}): Promise<ServiceFailure> {
	return failureFromNetworkError({ code, ...more }, 'https://a.example');
}

const cases: Array<[string, () => Promise<ServiceFailure>, 'both' | 'reads' | 'none']> = [
	['429', () => answered(429), 'both'],
	['connection refused', () => broke('ECONNREFUSED'), 'both'],
	['unknown host', () => broke('ENOTFOUND'), 'both'],
	['DNS not there', () => broke('EAI_AGAIN'), 'both'],
	['time-out while connecting', () => broke('ETIMEDOUT', { syscall: 'connect' }), 'both'],
	['bad certificate', () => broke('CERT_HAS_EXPIRED'), 'both'],
	['408', () => answered(408), 'reads'],
	['500', () => answered(500), 'reads'],
	['502', () => answered(502, '<html>'), 'reads'],
	['503', () => answered(503), 'reads'],
	['504', () => answered(504), 'reads'],
	['connection reset', () => broke('ECONNRESET'), 'reads'],
	['time-out', () => broke('ETIMEDOUT'), 'reads'],
	['200 with a web page', () => answered(200, '<html>'), 'reads'],
	['200 cut off', () => answered(200, '{"id": "a'), 'reads'],
	['200 empty', () => answered(200, ''), 'reads'],
	['400', () => answered(400), 'none'],
	['401', () => answered(401), 'none'],
	['402', () => answered(402), 'none'],
	['403', () => answered(403), 'none'],
	['404', () => answered(404), 'none'],
	['409', () => answered(409), 'none'],
	['422', () => answered(422), 'none'],
	['302', () => answered(302), 'none'],
	['stopped', () => broke('ERR_CANCELED'), 'none'],
	['SSRF protection', () => broke('', { name: 'SsrfBlockedIpError' }), 'none'],
	[
		'a base URL that is none',
		async () => new ServiceFailure({ kind: 'badInput', mayHaveExecuted: false, message: 'No address' }),
		'none',
	],
	[
		'too large',
		async () => new ServiceFailure({ kind: 'tooLarge', mayHaveExecuted: true, message: 'Too large' }),
		'none',
	],
];

/** What is done after the first trouble of a run whose service is there. */
const afterFirst = (trouble: Trouble, policy: RetryPolicy): NextAttempt =>
	new Attempts(policy, { now: () => 0, random: () => 0 }).after(trouble);

it.each(cases)('%s', async (_name, make, whom) => {
	const failure = await make();
	expect(afterFirst(failure, policyFor({ method: 'GET' })) !== 'giveUp').toBe(whom !== 'none');
	for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
		expect(afterFirst(failure, policyFor({ method })) !== 'giveUp').toBe(whom === 'both');
	}
});

/** Whatever a server or a network can answer, with what says by itself whether the service may have acted. */
const answers = fc.record({
	status: fc.oneof(fc.integer({ min: 200, max: 599 }), fc.constantFrom(200, 408, 429, 500, 502, 503)),
	text: fc.oneof(fc.constantFrom('', '<html>', '{"id": "a', '{"error":"Rate limit exceeded"}'), fc.json()),
});
const SENT = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'UND_ERR_SOCKET'];

it('never sends a start again that may have reached the service', async () => {
	const tried = { again: 0, never: 0 };
	const isNever = (failure: ServiceFailure | undefined) => {
		if (failure === undefined) return;
		for (const policy of [POLICIES.start, POLICIES.call] as RetryPolicy[]) {
			const next = afterFirst(failure, policy);
			// What goes on at the service is joined, not begun again.
			if (policy.atWork && failure.retryInMs !== undefined) return;
			tried[next === 'giveUp' ? 'never' : 'again'] += 1;
			// A 429 is what the service says before it does anything.
			expect(next === 'whenFree').toBe(failure.httpCode === 429 && failure.kind === 'rateLimited');
			if (next !== 'whenFree') expect(next).toBe('giveUp');
		}
	};
	await fc.assert(
		fc.asyncProperty(answers, async ({ status, text }) => {
			isNever(await answered(status, text).catch(() => undefined));
		}),
		{ numRuns: 300 },
	);
	for (const code of SENT) isNever(await broke(code));
	for (const code of ['ETIMEDOUT', 'ECONNABORTED']) isNever(await broke(code, { syscall: 'read' }));
	expect(tried.again).toBeGreaterThan(5);
	expect(tried.never).toBeGreaterThan(100);
});

it('pauses 1, 2, 4 … 30 seconds, and up to a quarter more', () => {
	const pausesOf = (random: number) => {
		let now = 0;
		const attempts = new Attempts({ ...POLICIES.read, retries: 7 }, { now: () => now, random: () => random });
		const pauses: number[] = [];
		for (;;) {
			const next = attempts.after({ kind: 'timeout', mayHaveExecuted: true });
			if (typeof next === 'string') return pauses;
			pauses.push((next.atMs - now) / 1000);
			now = next.atMs;
		}
	};
	expect(pausesOf(0)).toEqual([1, 2, 4, 8, 16, 30, 30]);
	expect(pausesOf(0.5)).toEqual([1.125, 2.25, 4.5, 9, 18, 33.75, 33.75]);
});

const trouble: fc.Arbitrary<Trouble> = fc.record(
	{
		kind: fc.constantFrom<Trouble['kind']>(
			'http',
			'http',
			'timeout',
			'connection',
			'rateLimited',
			'unreachable',
			'tls',
			'notJson',
			'tooLarge',
			'redirect',
			'blocked',
			'badInput',
			'aborted',
			'quotaExceeded',
		),
		mayHaveExecuted: fc.boolean(),
		httpCode: fc.constantFrom(undefined, 400, 404, 408, 500, 503),
		notFound: fc.boolean(),
		isMissingOnServer: fc.constantFrom(false, false, false, true),
		retryAfterMs: fc.constantFrom(undefined, undefined, 0, 700, 12_000),
		retryInMs: fc.constantFrom(undefined, undefined, undefined, 3000),
	},
	{ requiredKeys: ['kind', 'mayHaveExecuted'] },
);

/** What follows a trouble: how long until the plan is free, and until the next attempt after the time it was given. */
const step = fc.record({ trouble, freeMs: fc.nat(90_000), lateMs: fc.nat(500), isActive: fc.boolean() });

it.each(Object.entries<RetryPolicy>(POLICIES))('%s: its attempts are what it says', (_name, policy) => {
	fc.assert(
		fc.property(
			fc.array(step, { minLength: 1, maxLength: 80 }),
			fc.constantFrom(Infinity, 5_000, 60_000, 900_000),
			fc.boolean(),
			fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
			(steps, deadlineMs, isAnswered, random) => {
				let now = 0;
				let lastActivityMs = 0;
				const attempts = new Attempts(policy, { now: () => now, random: () => random });
				let [failures, refusals, joins, pauseBefore] = [0, 0, 0, 0];
				let deniedSinceMs: number | undefined;
				for (const { trouble: one, freeMs, lateMs, isActive } of steps) {
					if (isActive) lastActivityMs = now;
					const isRefusal = one.kind === 'rateLimited';
					const isJoin = !isRefusal && policy.atWork !== undefined && one.retryInMs !== undefined;
					const isDenial = !isRefusal && !isJoin && one.notFound === true && policy.deniedMs > 0;
					if (isDenial) deniedSinceMs ??= now;
					const isFailure = !isRefusal && !isJoin && !isDenial;
					if (isFailure) deniedSinceMs = undefined;
					[failures, refusals, joins] = [failures + +isFailure, refusals + +isRefusal, joins + +isJoin];
					const moment: Omit<Moment, 'ms' | 'random'> = {
						deadlineMs,
						freeAtMs: now + freeMs,
						lastActivityMs,
						...(!isAnswered && { unansweredSinceMs: 0 }),
					};
					const next = attempts.after(one, moment);
					if (next === 'giveUp') return;
					// What may have reached the service is sent again only where the policy says so.
					const isSafe = isRefusal || isJoin || isDenial || !one.mayHaveExecuted;
					const isUnsent = one.kind === 'unreachable' || one.kind === 'tls';
					if (policy.repeats === 'unsent') expect(isSafe || isUnsent).toBe(true);
					if (isDenial) expect(now).toBeLessThan((deniedSinceMs ?? -Infinity) + policy.deniedMs);
					if (isFailure) expect(failures).toBeLessThanOrEqual(policy.retries);
					if (isJoin) expect(joins).toBeLessThanOrEqual(policy.atWork?.most ?? 0);
					if (next === 'whenFree') {
						expect([isRefusal, policy.refusals]).toEqual([true, 'whenFree']);
						expect(now - lastActivityMs).toBeLessThan(600_000);
						now += freeMs;
						expect(now).toBeLessThan(deadlineMs);
					} else {
						if (isRefusal) expect(refusals).toBeLessThanOrEqual(Number(policy.refusals));
						const pause = next.atMs - now;
						expect(pause).toBeGreaterThan((one.retryAfterMs ?? 0) - 1e-6);
						expect(next.atMs).toBeLessThan(deadlineMs);
						if (isFailure && one.retryAfterMs === undefined) {
							expect(pause).toBeGreaterThan(pauseBefore - 1e-6);
							pauseBefore = pause;
						}
						if (isFailure && !isAnswered && isUnsent) expect(now).toBeLessThan(4000);
						now = next.atMs;
					}
					now += lateMs;
				}
			},
		),
		{ numRuns: 300 },
	);
});

it('a refusal is waited out until nothing has moved for ten minutes', () => {
	let now = 0;
	const attempts = new Attempts(POLICIES.call, { now: () => now, random: () => 0 });
	const refused = { kind: 'rateLimited', mayHaveExecuted: false } as const;
	for (; now < 600_000; now += 60_000) expect(attempts.after(refused, { lastActivityMs: 0 })).toBe('whenFree');
	expect(attempts.after(refused, { lastActivityMs: 1 })).toBe('whenFree');
	expect(attempts.after(refused, { lastActivityMs: 0 })).toBe('giveUp');
});
