import fc from 'fast-check';

import { Bells } from '../../nodes/service/webhooks/bells';
import type { Ring } from '../../nodes/service/webhooks/bells';
import { keptEntries } from './keptEntries.ts';
import { VirtualTime } from './virtualTime.ts';

/** A test in virtual time. */
const inTime =
	(work: (clock: VirtualTime) => Promise<void>, clock = new VirtualTime()) =>
	async () =>
		await clock.until(work(clock));

describe('a bell', () => {
	it(
		'leaves an execution waiting while a job runs, and wakes it when none does',
		inTime(async (clock) => {
			const bells = new Bells(clock);
			expect(await bells.ring('a', async () => await Promise.resolve(false))).toBe('wait');
			expect(await bells.ring('a', async () => await Promise.resolve(true))).toBe('wake');
		}),
	);

	it(
		'looks once a second at most: the next look waits for the rest of it',
		inTime(async (clock) => {
			const bells = new Bells(clock);
			const looks: number[] = [];
			for (let call = 0; call < 3; call += 1) {
				await bells.ring('a', async () => {
					looks.push(clock.now());
					return await Promise.resolve(false);
				});
			}
			expect(looks.map((at) => at - (looks[0] ?? 0))).toEqual([0, 1000, 2000]);
		}),
	);

	it(
		'does not wait where the last look is longer ago, and keeps executions apart',
		inTime(async (clock) => {
			const bells = new Bells(clock);
			const look = async () => await Promise.resolve(false);
			await bells.ring('a', look);
			const atMs = clock.now();
			await bells.ring('b', look);
			expect(clock.now()).toBe(atMs);
			await clock.sleep(1000);
			const laterMs = clock.now();
			await bells.ring('a', look);
			expect(clock.now()).toBe(laterMs);
		}),
	);

	it(
		'that rings during a look makes one more look after it, not one for each call',
		inTime(async (clock) => {
			const bells = new Bells(clock);
			let looks = 0;
			const look = async () => {
				looks += 1;
				await clock.sleep(300);
				return looks === 2;
			};
			const rung = await Promise.all(Array.from({ length: 50 }, () => bells.ring('a', look)));
			expect(looks).toBe(2);
			expect(rung.filter((one) => one === 'wake')).toHaveLength(1);
			expect(rung.filter((one) => one === 'heard')).toHaveLength(49);
		}),
	);

	it(
		'wakes nobody twice within ten seconds, and looks for nothing then',
		inTime(async (clock) => {
			const bells = new Bells(clock);
			let looks = 0;
			const look = async () => {
				looks += 1;
				return await Promise.resolve(true);
			};
			expect(await bells.ring('a', look)).toBe('wake');
			await clock.sleep(9999);
			expect(await bells.ring('a', look)).toBe('heard');
			await clock.sleep(1);
			expect(await bells.ring('a', look)).toBe('wake');
			expect(looks).toBe(2);
		}),
	);

	it(
		'rings again after a look that broke',
		inTime(async (clock) => {
			const bells = new Bells(clock);
			await expect(
				bells.ring('a', async () => await Promise.reject(new Error('x'))),
			).rejects.toThrow();
			expect(await bells.ring('a', async () => await Promise.resolve(true))).toBe('wake');
		}),
	);

	it(
		'remembers which jobs have ended, for this execution only',
		inTime(async (clock) => {
			const bells = new Bells(clock);
			const seen: string[][] = [];
			const look = async (ended: Set<string>) => {
				seen.push([...ended]);
				ended.add(`job ${seen.length}`);
				return await Promise.resolve(false);
			};
			await bells.ring('a', look);
			await bells.ring('a', look);
			await bells.ring('b', look);
			expect(seen).toEqual([[], ['job 1'], []]);
		}),
	);

	it(
		'forgets the execution that was called longest ago, but none that is being looked at',
		inTime(async (clock) => {
			const bells = new Bells(clock, 3);
			const seen: Array<[string, number]> = [];
			const look = (name: string) => async (ended: Set<string>) => {
				seen.push([name, ended.size]);
				ended.add('job');
				await clock.sleep(name === 'long' ? 60_000 : 1);
				return false;
			};
			const long = bells.ring('long', look('long'));
			for (const name of ['a', 'b', 'c', 'b', 'a']) await bells.ring(name, look(name));
			const again = await bells.ring('long', look('long'));
			expect(again).toBe('heard');
			await long;
			expect(seen.filter(([name]) => name === 'b')).toEqual([
				['b', 0],
				['b', 1],
			]);
			expect(seen.filter(([name]) => name === 'a')).toEqual([
				['a', 0],
				['a', 0],
			]);
		}),
	);
});

describe('a look can wait for another call where a job cannot be looked at', () => {
	/** What the look is told at its end, when these calls came one after the other while it was at work. */
	const told = async (clock: VirtualTime, calls: ReadonlyArray<boolean | undefined>) => {
		const bells = new Bells(clock);
		const answers: boolean[] = [];
		const look = async (_ended: Set<string>, isOwnCall: () => boolean) => {
			await clock.sleep(100);
			answers.push(isOwnCall());
			return true;
		};
		await Promise.all(calls.map(async (isOwnCall) => await bells.ring('a', look, isOwnCall)));
		return answers;
	};

	it.each([
		[[undefined], false],
		[[false], false],
		[[true], true],
		[[true, true], true],
		[[true, false], false],
		[[true, false, true], false],
		[[false, true], false],
	])('of calls that are patient or not: %j: %j', async (calls, canWait) => {
		const clock = new VirtualTime();
		expect(await clock.until(told(clock, calls))).toEqual([canWait]);
	});
});

describe('weeks of calls', () => {
	/** Seven hundred executions of a hundred jobs each, one an hour: virtual time ends after a month. */
	const weeks = async (clock: VirtualTime, bells: Bells, isOver: boolean) => {
		for (let execution = 0; execution < 700; execution += 1) {
			await bells.ring(`execution ${execution}`, async (ended) => {
				for (let job = 0; job < 100; job += 1) ended.add(`${execution}-${job}`);
				return await Promise.resolve(isOver);
			});
			await clock.sleep(3_600_000);
		}
	};

	it(
		'leave nothing of the jobs of an execution that was woken',
		inTime(async (clock) => {
			const bells = new Bells(clock);
			await weeks(clock, bells, true);
			expect(keptEntries(bells)).toBeLessThanOrEqual(1000);
		}),
	);

	it(
		'leave nothing of an execution that was stopped, a day after its latest call',
		inTime(async (clock) => {
			const bells = new Bells(clock);
			await weeks(clock, bells, false);
			expect(keptEntries(bells)).toBeLessThanOrEqual(25 * 101);
		}),
	);
});

it('whatever calls come when: at most one look a second, one wake, and no end of a job is missed', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.integer({ min: 0, max: 8000 }), { minLength: 1, maxLength: 30 }),
			fc.integer({ min: 1, max: 2500 }),
			async (callsAtMs, lookMs) => {
				const clock = new VirtualTime();
				const bells = new Bells(clock);
				const beganMs = clock.now();
				// The last call is that of the job that ends last.
				const endMs = Math.max(...callsAtMs);
				const looks: number[] = [];
				const look = async () => {
					const atMs = clock.now() - beganMs;
					looks.push(atMs);
					await clock.sleep(lookMs);
					return atMs >= endMs;
				};
				const rings = callsAtMs.map(async (atMs): Promise<Ring> => {
					await clock.sleep(atMs);
					return await bells.ring('a', look);
				});
				const rung = await clock.until(Promise.all(rings));
				expect(rung.filter((one) => one === 'wake')).toHaveLength(1);
				looks.slice(1).forEach((atMs, index) => {
					expect(atMs - (looks[index] ?? 0)).toBeGreaterThanOrEqual(1000);
				});
				expect(looks.length).toBeLessThanOrEqual(callsAtMs.length + 1);
			},
		),
	);
});
