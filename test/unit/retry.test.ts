import fc from 'fast-check';

import { ServiceFailure } from '../../nodes/service/http/failure';
import { readAnswer } from '../../nodes/service/http/answer';
import { backoffMs, MAX_RETRIES, mayRetry, retry } from '../../nodes/service/http/retry';
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
		async () => new ServiceFailure({ kind: 'badInput', reached: 'no', message: 'No address' }),
		'none',
	],
	['too large', async () => new ServiceFailure({ kind: 'tooLarge', reached: 'maybe', message: 'Too large' }), 'none'],
];

it.each(cases)('%s', async (_name, make, whom) => {
	const failure = await make();
	expect(mayRetry('GET', failure)).toBe(whom !== 'none');
	for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
		expect(mayRetry(method, failure)).toBe(whom === 'both');
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
		const again = mayRetry('POST', failure);
		tried[again ? 'again' : 'never'] += 1;
		// A 429 is what the service says before it does anything.
		expect(again).toBe(failure.httpCode === 429 && failure.kind === 'rateLimited');
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

it('pauses 1, 2, 4 … 30 seconds and up to a quarter more', () => {
	const seconds = [1, 2, 3, 4, 5, 6, 50, 2000].map((failures) => backoffMs(failures, 0) / 1000);
	expect(seconds).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
	const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
	fc.assert(
		fc.property(fc.integer({ min: 0, max: 10_000 }), random, (failures, chance) => {
			const pause = backoffMs(failures, chance);
			expect(pause).toBeGreaterThanOrEqual(backoffMs(failures, 0));
			expect(pause).toBeLessThan(backoffMs(failures, 0) * 1.25 + 1e-6);
		}),
	);
	expect([0.25, 0.5].map((chance) => backoffMs(3, chance))).toEqual([4250, 4500]);
	expect(MAX_RETRIES).toBe(5);
});

describe('trying again', () => {
	const run = async (pauses: Array<number | undefined>, isOver?: () => boolean) => {
		const slept: number[] = [];
		let tries = 0;
		const policy = {
			pauseMs: (result: number) => pauses[result - 1],
			sleep: async (ms: number) => void slept.push(ms),
			...(isOver && { isOver }),
		};
		return { last: await retry(policy, async () => ++tries), slept };
	};

	it('goes on until the policy gives no pause', async () => {
		expect(await run([10, 0, 30])).toEqual({ last: 4, slept: [10, 30] });
		expect(await run([])).toEqual({ last: 1, slept: [] });
	});

	it('keeps the last result where it is too late after a sleep', async () => {
		expect(await run([10, 20, 30], () => true)).toEqual({ last: 1, slept: [10] });
	});

	it('throws what a try throws', async () => {
		const policy = { pauseMs: () => 1, sleep: async () => undefined };
		const broken = retry(policy, async () => await Promise.reject(new Error('It broke')));
		await expect(broken).rejects.toThrow('It broke');
	});
});
