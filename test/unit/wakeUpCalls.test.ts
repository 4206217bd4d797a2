import fc from 'fast-check';

import { WakeUpCalls } from '../../nodes/service/webhooks/wakeUpCalls';
import type { WakeUpResult } from '../../nodes/service/webhooks/wakeUpCalls';
import { keptEntries } from './keptEntries.ts';
import { VirtualTime } from './virtualTime.ts';

/** A test in virtual time. */
const inTime =
	(work: (clock: VirtualTime) => Promise<void>, clock = new VirtualTime()) =>
	async () =>
		await clock.until(work(clock));

describe('a execution', () => {
	it(
		'leaves an execution waiting while a job runs, and wakes it when none does',
		inTime(async (clock) => {
			const wakeUpCalls = new WakeUpCalls(clock);
			expect(await wakeUpCalls.notify('a', async () => await Promise.resolve(false))).toBe('wait');
			expect(await wakeUpCalls.notify('a', async () => await Promise.resolve(true))).toBe('wake');
		}),
	);

	it(
		'checks once a second at most: the next check waits for the rest of it',
		inTime(async (clock) => {
			const wakeUpCalls = new WakeUpCalls(clock);
			const checks: number[] = [];
			for (let call = 0; call < 3; call += 1) {
				await wakeUpCalls.notify('a', async () => {
					checks.push(clock.now());
					return await Promise.resolve(false);
				});
			}
			expect(checks.map((at) => at - (checks[0] ?? 0))).toEqual([0, 1000, 2000]);
		}),
	);

	it(
		'does not wait where the last check is longer ago, and keeps executions apart',
		inTime(async (clock) => {
			const wakeUpCalls = new WakeUpCalls(clock);
			const check = async () => await Promise.resolve(false);
			await wakeUpCalls.notify('a', check);
			const atMs = clock.now();
			await wakeUpCalls.notify('b', check);
			expect(clock.now()).toBe(atMs);
			await clock.sleep(1000);
			const laterMs = clock.now();
			await wakeUpCalls.notify('a', check);
			expect(clock.now()).toBe(laterMs);
		}),
	);

	it(
		'that rings during a check makes one more check after it, not one for each call',
		inTime(async (clock) => {
			const wakeUpCalls = new WakeUpCalls(clock);
			let checks = 0;
			const check = async () => {
				checks += 1;
				await clock.sleep(300);
				return checks === 2;
			};
			const result = await Promise.all(
				Array.from({ length: 50 }, () => wakeUpCalls.notify('a', check)),
			);
			expect(checks).toBe(2);
			expect(result.filter((one) => one === 'wake')).toHaveLength(1);
			expect(result.filter((one) => one === 'alreadyHandled')).toHaveLength(49);
		}),
	);

	it(
		'wakes nobody twice within ten seconds, and checks for nothing then',
		inTime(async (clock) => {
			const wakeUpCalls = new WakeUpCalls(clock);
			let checks = 0;
			const check = async () => {
				checks += 1;
				return await Promise.resolve(true);
			};
			expect(await wakeUpCalls.notify('a', check)).toBe('wake');
			await clock.sleep(9999);
			expect(await wakeUpCalls.notify('a', check)).toBe('alreadyHandled');
			await clock.sleep(1);
			expect(await wakeUpCalls.notify('a', check)).toBe('wake');
			expect(checks).toBe(2);
		}),
	);

	it(
		'rings again after a check that broke',
		inTime(async (clock) => {
			const wakeUpCalls = new WakeUpCalls(clock);
			await expect(
				wakeUpCalls.notify('a', async () => await Promise.reject(new Error('x'))),
			).rejects.toThrow();
			expect(await wakeUpCalls.notify('a', async () => await Promise.resolve(true))).toBe('wake');
		}),
	);

	it(
		'remembers which jobs have ended, for this execution only',
		inTime(async (clock) => {
			const wakeUpCalls = new WakeUpCalls(clock);
			const seen: string[][] = [];
			const check = async (ended: Set<string>) => {
				seen.push([...ended]);
				ended.add(`job ${seen.length}`);
				return await Promise.resolve(false);
			};
			await wakeUpCalls.notify('a', check);
			await wakeUpCalls.notify('a', check);
			await wakeUpCalls.notify('b', check);
			expect(seen).toEqual([[], ['job 1'], []]);
		}),
	);

	it(
		'forgets the execution that was called longest ago, but none that is being checked',
		inTime(async (clock) => {
			const wakeUpCalls = new WakeUpCalls(clock, 3);
			const seen: Array<[string, number]> = [];
			const check = (name: string) => async (ended: Set<string>) => {
				seen.push([name, ended.size]);
				ended.add('job');
				await clock.sleep(name === 'long' ? 60_000 : 1);
				return false;
			};
			const long = wakeUpCalls.notify('long', check('long'));
			for (const name of ['a', 'b', 'c', 'b', 'a']) await wakeUpCalls.notify(name, check(name));
			const again = await wakeUpCalls.notify('long', check('long'));
			expect(again).toBe('alreadyHandled');
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

describe('a check can wait for another call where a job cannot be checked', () => {
	/** What the check is told at its end, when these calls came one after the other while it was at work. */
	const told = async (clock: VirtualTime, calls: ReadonlyArray<boolean | undefined>) => {
		const wakeUpCalls = new WakeUpCalls(clock);
		const answers: boolean[] = [];
		const check = async (_ended: Set<string>, isOwnCall: () => boolean) => {
			await clock.sleep(100);
			answers.push(isOwnCall());
			return true;
		};
		await Promise.all(
			calls.map(async (isOwnCall) => await wakeUpCalls.notify('a', check, isOwnCall)),
		);
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
	const weeks = async (clock: VirtualTime, wakeUpCalls: WakeUpCalls, isOver: boolean) => {
		for (let execution = 0; execution < 700; execution += 1) {
			await wakeUpCalls.notify(`execution ${execution}`, async (ended) => {
				for (let job = 0; job < 100; job += 1) ended.add(`${execution}-${job}`);
				return await Promise.resolve(isOver);
			});
			await clock.sleep(3_600_000);
		}
	};

	it(
		'leave nothing of the jobs of an execution that was woken',
		inTime(async (clock) => {
			const wakeUpCalls = new WakeUpCalls(clock);
			await weeks(clock, wakeUpCalls, true);
			expect(keptEntries(wakeUpCalls)).toBeLessThanOrEqual(1000);
		}),
	);

	it(
		'leave nothing of an execution that was stopped, a day after its latest call',
		inTime(async (clock) => {
			const wakeUpCalls = new WakeUpCalls(clock);
			await weeks(clock, wakeUpCalls, false);
			expect(keptEntries(wakeUpCalls)).toBeLessThanOrEqual(25 * 101);
		}),
	);
});

it('whatever calls come when: at most one check a second, one wake, and no end of a job is missed', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.integer({ min: 0, max: 8000 }), { minLength: 1, maxLength: 30 }),
			fc.integer({ min: 1, max: 2500 }),
			async (callsAtMs, lookMs) => {
				const clock = new VirtualTime();
				const wakeUpCalls = new WakeUpCalls(clock);
				const beganMs = clock.now();
				// The last call is that of the job that ends last.
				const endMs = Math.max(...callsAtMs);
				const checks: number[] = [];
				const check = async () => {
					const atMs = clock.now() - beganMs;
					checks.push(atMs);
					await clock.sleep(lookMs);
					return atMs >= endMs;
				};
				const rings = callsAtMs.map(async (atMs): Promise<WakeUpResult> => {
					await clock.sleep(atMs);
					return await wakeUpCalls.notify('a', check);
				});
				const result = await clock.until(Promise.all(rings));
				expect(result.filter((one) => one === 'wake')).toHaveLength(1);
				checks.slice(1).forEach((atMs, index) => {
					expect(atMs - (checks[index] ?? 0)).toBeGreaterThanOrEqual(1000);
				});
				expect(checks.length).toBeLessThanOrEqual(callsAtMs.length + 1);
			},
		),
	);
});
