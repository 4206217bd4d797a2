import { ServiceFailure } from '../../nodes/service/http/failure';
import type { FailureKind } from '../../nodes/service/http/failure';
import { Secrets } from '../../nodes/service/secrets/secrets';
import { Exchange } from '../../nodes/service/limits/exchange';
import { failureOf } from './caught.ts';
import { httpResponse } from './httpResponse.ts';
import { scriptedClient } from './scriptedClient.ts';

const list = { method: 'GET', path: '/v2/crawl/active', bucket: 'crawlStatus' } as const;
const scrape = { method: 'POST', path: '/v2/scrape', bucket: 'scrape' } as const;
const OK = { body: { success: true } };

describe('a credential without a key', () => {
	const refused = async (status: number, hasKey?: boolean) => {
		const { client, time } = scriptedClient(() => ({ status, body: { error: 'Told' } }), {
			...(hasKey !== undefined && { hasKey }),
		});
		return (await failureOf(() => time.until(client.send(list)))).message;
	};

	it('is named as the reason where the service asks for one', async () => {
		expect(await refused(401, false)).toContain('has no API key, and https://service.example asks');
	});

	it('is no reason for anything else', async () => {
		expect(await refused(403, false)).toContain('does not allow this: Told');
		expect(await refused(401, true)).toContain('does not accept the API key: Told');
		expect(await refused(401)).toContain('does not accept the API key: Told');
	});
});

describe('whether a request is sent again', () => {
	let nowMs = 0;
	const time = {
		now: () => nowMs,
		wallClock: () => 0,
		random: () => 0,
		sleep: async () => undefined,
	};
	const failed = (kind: FailureKind) =>
		new ServiceFailure({
			kind,
			reached: kind === 'connection' ? 'maybe' : 'no',
			message: 'It broke.',
		});
	const exchange = () =>
		new Exchange({ baseUrl: 'https://a.example', time, secrets: new Secrets('') });
	const broken = async () => {
		throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
	};

	it.each(['unreachable', 'tls'] as const)(
		'when nobody has answered at all (%s): as long as the next try is within four seconds',
		async (kind) => {
			const none = exchange();
			nowMs = 100_000;
			expect(none.mayTryAgain('GET', failed(kind), 1)).toBe(true);
			await failureOf(() => none.send(broken, list, 1000));
			expect(none.mayTryAgain('GET', failed(kind), 3)).toBe(true);
			nowMs += 1;
			expect(none.mayTryAgain('GET', failed(kind), 3)).toBe(false);
			expect(none.mayTryAgain('GET', failed(kind), 2)).toBe(true);
			await failureOf(() => none.send(broken, list, 1000));
			// The four seconds are those since the first try, not since the latest.
			expect(none.mayTryAgain('GET', failed(kind), 3)).toBe(false);
		},
	);

	it('when somebody has answered, in whatever way: five times in a row', async () => {
		const some = exchange();
		const answer = async () => await Promise.resolve(httpResponse({ status: 500 }));
		await failureOf(() => some.send(answer, list, 1000));
		nowMs += 3_600_000;
		expect(some.mayTryAgain('GET', failed('unreachable'), 5)).toBe(true);
		expect(some.mayTryAgain('GET', failed('unreachable'), 6)).toBe(false);
		expect(some.mayTryAgain('POST', failed('connection'), 1)).toBe(false);
	});

	it('when a connection broke: somebody is there', async () => {
		const some = exchange();
		await failureOf(() => some.send(broken, list, 1000));
		nowMs += 3_600_000;
		expect(some.mayTryAgain('GET', failed('connection'), 5)).toBe(true);
	});
});

describe('a client', () => {
	it('is its own owner of turns where the execution has no id', () => {
		expect(scriptedClient(() => OK, { execution: '7' }).client.execution).toBe('7');
		const { client } = scriptedClient(() => OK, { execution: '' });
		expect(client.execution).toBe(client);
	});

	it('sends nothing after Stop, which proves that nothing has arrived', async () => {
		const stop = new AbortController();
		const { client, seen } = scriptedClient(() => OK, { signal: stop.signal });
		client.throwIfStopped();
		stop.abort();
		for (const send of [
			() => client.send(list),
			() => client.sendThroughStop(list),
			() => client.call(list),
		]) {
			expect(await failureOf(send)).toMatchObject({ kind: 'aborted', reached: 'no' });
		}
		expect(seen).toEqual([]);
	});

	it('sends what must not be cut off by Stop on the way that is not', async () => {
		const cut = scriptedClient(() => ({ body: { way: 'cut off' } }));
		const through = scriptedClient(() => ({ body: { way: 'through' } }));
		const { client } = scriptedClient(() => OK, {
			http: cut.http,
			httpThroughStop: through.http,
		});
		const ended = async (answer: Promise<unknown>) =>
			await Promise.all([answer, cut.time.pass(100), through.time.pass(100)]).then(
				([body]) => body,
			);
		expect(await ended(client.send(scrape))).toEqual({ way: 'cut off' });
		expect(await ended(client.sendThroughStop(scrape))).toEqual({ way: 'through' });
		expect(await ended(client.sendAfterStop(scrape, 5000))).toEqual({ way: 'through' });
		expect(through.seen.map(({ timeoutMs }) => timeoutMs)).toEqual([60_000, 5000]);
	});

	it('cleans up after Stop, also where there is one way only', async () => {
		const stop = new AbortController();
		stop.abort();
		const { client, seen, time } = scriptedClient(() => OK, { signal: stop.signal });
		expect(await time.until(client.sendAfterStop(scrape, 5000))).toEqual({ success: true });
		expect(seen).toHaveLength(1);
	});

	it('pauses a column of the plan for a 429 alone', async () => {
		const { client, limits, time } = scriptedClient((_options, count) => ({
			status: count === 1 ? 500 : 429,
			body: { error: 'Told' },
		}));
		await failureOf(() => time.until(client.send(scrape)));
		expect(limits.pauses.untilMs('scrape')).toBe(0);
		await failureOf(() => time.until(client.send(scrape)));
		expect(limits.pauses.untilMs('scrape')).toBeGreaterThan(time.now());
	});

	it('takes an accepted request for the end of a row of refusals', async () => {
		const { client, limits, time } = scriptedClient((_options, count) =>
			count === 2 ? OK : { status: 429, body: { error: 'Told' } },
		);
		for (const isRefused of [true, false, true]) {
			await time.until(client.send(scrape).catch(() => undefined));
			if (isRefused) {
				// One second and up to a quarter: the first of a row.
				const pauseMs = limits.pauses.untilMs('scrape') - time.now();
				expect(pauseMs).toBeGreaterThanOrEqual(1000);
				expect(pauseMs).toBeLessThanOrEqual(1250);
				await time.pass(pauseMs);
			}
		}
	});

	it('tells the others that something has moved when a call is answered', async () => {
		const { client, limits, time } = scriptedClient(() => OK);
		await time.pass(5000);
		await time.until(client.call(list));
		expect(limits.progress.lastActivityMs(0, time.now())).toBe(time.now());
	});

	it('tries as often and as long as it is told', async () => {
		const { client, seen, time } = scriptedClient(() => ({ status: 503 }));
		const patience = { retries: 2, timeoutMs: 1234 };
		await failureOf(() => time.until(client.receive(list, patience)));
		expect(seen.map(({ timeoutMs }) => timeoutMs)).toEqual([1234, 1234, 1234]);
	});

	it('counts the time in which it was held back, and none after that', async () => {
		const { client, time } = scriptedClient((_options, count) =>
			count === 1 ? { status: 429, headers: { 'retry-after': '20' } } : OK,
		);
		await time.until(client.call(list));
		expect(client.throttled.seconds).toBe(20);
		await time.pass(60_000);
		expect(client.throttled.seconds).toBe(20);
	});
});
