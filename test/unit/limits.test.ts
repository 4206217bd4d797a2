import fc from 'fast-check';
import { ServiceFailure } from '../../nodes/service/http/failure';
import { Limits } from '../../nodes/service/limits/limits';
import type { Attempt, Lane, Ran } from '../../nodes/service/limits/limits';
import { VirtualTime } from './virtualTime';

const failureOf = (kind: 'rateLimited' | 'connection', retryAfterMs?: number) =>
	new ServiceFailure({
		kind,
		mayHaveExecuted: false,
		message: kind,
		...(retryAfterMs !== undefined && { retryAfterMs }),
	});

/** What becomes of an attempt that the plan lets through. */
const outcome = fc.record({
	what: fc.constantFrom('done', 'done', 'holds', 'holds', 'again', 'lost', 'throws'),
	/** Until it is answered, and how long it holds its place after that. */
	answerMs: fc.nat(3000),
	holdMs: fc.nat(60_000),
	end: fc.constantFrom('ended', 'ended', 'unwatched'),
});

/** One that asks for a turn; `overMs`: when it is not wanted any more. */
const asking = fc.record({
	owner: fc.constantFrom('one', 'two', 'three'),
	of: fc.constantFrom<Lane['of']>('starts', 'calls'),
	atMs: fc.nat(90_000),
	overMs: fc.constantFrom(Infinity, Infinity, Infinity, 40_000, 0),
	/** By attempts; the last goes on. */
	outcomes: fc.array(outcome, { minLength: 1, maxLength: 4 }),
	waitMs: fc.constantFrom(60_000, 3_600_000),
});

const plan = fc.record({
	atOnce: fc.integer({ min: 0, max: 12 }),
	aMinute: fc.constantFrom(2, 10, 1000),
	retryAfterMs: fc.constantFrom(undefined, 900, 20_000),
});

it('every ask comes to its end, and what it held is free again, whatever happens in which order', async () => {
	const reached = { over: 0, standstill: 0, held: 0, refused: 0 };
	await fc.assert(
		fc.asyncProperty(fc.array(asking, { minLength: 1, maxLength: 40 }), plan, async (asks, allowed) => {
			const time = new VirtualTime(1, 400_000);
			const limits = new Limits(time);
			let running = 0;
			let sentInMinute: number[] = [];
			const begun = new Map<string, number[]>();
			const meter = {
				held: new Set<object>(),
				hold: (one: object) => void meter.held.add(one),
				release: (one: object) => void meter.held.delete(one),
			};
			const run = async (number: number): Promise<Ran<number> | 'thrown'> => {
				const { owner, of, atMs, overMs, outcomes, waitMs: standstillMs } = asks[number] ?? fail();
				await time.sleep(atMs);
				const over = new AbortController();
				if (overMs < Infinity) time.at(time.now() + overMs, () => over.abort());
				const bucket = 'crawl';
				const ask = { owner, over: over.signal, sinceMs: time.now(), standstillMs, meter };
				let attempts = 0;
				let isTrying = false;
				const attempt = async (): Promise<Attempt<number>> => {
					expect([isTrying, over.signal.aborted]).toEqual([false, false]);
					if (attempts === 0) begun.set(owner + of, [...(begun.get(owner + of) ?? []), number]);
					isTrying = true;
					const { what, answerMs } = outcomes[Math.min(attempts, outcomes.length - 1)] ?? fail();
					attempts += 1;
					const told = limits.sending(bucket);
					sentInMinute = sentInMinute.filter((sentMs) => sentMs > time.now() - 60_000);
					const isRefused = running >= allowed.atOnce || sentInMinute.length >= allowed.aMinute;
					if (!isRefused) sentInMinute.push(time.now());
					running += isRefused ? 0 : 1;
					await time.sleep(answerMs);
					isTrying = false;
					if (isRefused) {
						reached.refused += 1;
						const failure = failureOf('rateLimited', allowed.retryAfterMs);
						told(failure);
						return { kind: 'refused', failure };
					}
					if (what !== 'holds') running -= 1;
					if (what === 'throws') throw new Error('It broke');
					if (what === 'again' && attempts < 5) {
						return { kind: 'again', atMs: time.now() + 1000, failure: failureOf('connection') };
					}
					if (what === 'lost' || what === 'again') return { kind: 'lost', value: number };
					told();
					return { kind: what, value: number };
				};
				const ran = await limits.run({ of, bucket }, ask, attempt).catch(() => 'thrown' as const);
				if (ran === 'thrown') return ran;
				if ('noTurn' in ran) reached[ran.noTurn] += 1;
				else if (ran.lease) {
					const { holdMs, end } = outcomes[Math.min(attempts, outcomes.length) - 1] ?? fail();
					reached.held += 1;
					await time.sleep(holdMs);
					running -= 1;
					ran.lease.end(end);
				}
				return ran;
			};
			const unwatch = limits.watch();
			time.at(120_000, unwatch);
			const all = await time.until(Promise.all(asks.map(async (_ask, number) => await run(number))));
			await time.pass(90_000);
			expect(running).toBe(0);
			expect(limits.isIdle).toBe(true);
			expect(meter.held.size).toBe(0);
			// The order of one owner stays, whoever was refused or tried again meanwhile.
			for (const numbers of begun.values()) {
				const inOrder = numbers.toSorted((one, other) => (asks[one]?.atMs ?? 0) - (asks[other]?.atMs ?? 0));
				expect(numbers.map((one) => asks[one]?.atMs)).toEqual(inOrder.map((one) => asks[one]?.atMs));
			}
			// Where the plan lets one through, what may wait for long has had its turn.
			for (const [number, ran] of all.entries()) {
				const { overMs, waitMs } = asks[number] ?? fail();
				if (ran === 'thrown' || !('noTurn' in ran) || allowed.atOnce === 0) continue;
				expect(overMs < Infinity || waitMs < 3_600_000).toBe(true);
			}
		}),
		{ numRuns: 150 },
	);
	for (const count of Object.values(reached)) expect(count).toBeGreaterThan(20);
});

/** Asks with a meter that is seen. */
function ask(time: VirtualTime, standstillMs: number, held: object[] = []) {
	const meter = { hold: (one: object) => void held.push(one), release: () => undefined };
	return { owner: 'one', over: new AbortController().signal, sinceMs: time.now(), standstillMs, meter };
}

/** An attempt that the service refuses for its limits. */
async function refused(limits: Limits, retryAfterMs?: number): Promise<Attempt<number>> {
	const failure = failureOf('rateLimited', retryAfterMs);
	limits.sending('crawl')(failure);
	return await Promise.resolve({ kind: 'refused', failure });
}

const STARTS = { of: 'starts', bucket: 'crawl' } as const;

it('gives up where nothing moves, also after a job has ended that was watched', async () => {
	const time = new VirtualTime();
	const limits = new Limits(time);
	const work = async () => {
		const ran = await limits.run(
			STARTS,
			ask(time, 60_000),
			async () => await Promise.resolve({ kind: 'holds', value: 1 }),
		);
		if ('value' in ran) ran.lease?.end('ended');
		return await limits.run(STARTS, ask(time, 60_000), async () => await refused(limits));
	};
	expect(await time.until(work())).toMatchObject({ noTurn: 'standstill', last: { kind: 'rateLimited' } });
	expect(time.now()).toBeLessThan(63_000);
});

it('tells who waits that limits hold it up, and why others have failed', async () => {
	const time = new VirtualTime();
	const limits = new Limits(time);
	const held: object[] = [];
	const lost: Attempt<number> = { kind: 'lost', value: 1, failure: failureOf('connection') };
	const work = async () => {
		// Ten are on their way, and one of them is refused.
		const others = Array.from({ length: 10 }, async (_none, number) => {
			let tries = 0;
			return await limits.run(STARTS, ask(time, 600_000), async (): Promise<Attempt<number>> => {
				tries += 1;
				await time.sleep(number === 0 && tries === 1 ? 10 : 30_000);
				return number === 0 && tries === 1 ? await refused(limits, 20_000) : lost;
			});
		});
		await time.sleep(1000);
		const late = limits.run(STARTS, ask(time, 5000, held), async () => await Promise.resolve(lost));
		return [await late, ...(await Promise.all(others))];
	};
	const [late] = await time.until(work());
	expect(held.length).toBeGreaterThan(0);
	expect(late).toMatchObject({ noTurn: 'standstill', last: { kind: 'rateLimited' } });
	const after = await time.until(
		limits.run(STARTS, { ...ask(time, 0), sinceMs: -1 }, async () => await Promise.resolve(lost)),
	);
	expect(after).toMatchObject({ noTurn: 'standstill', last: { kind: 'connection' } });
});

function fail(): never {
	throw new Error('There is none.');
}
