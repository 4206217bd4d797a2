import { runCalls } from '../../nodes/service/limits/runCalls';
import { Secrets } from '../../nodes/service/secrets';
import { ServiceClient } from '../../nodes/service/limits/client';
import { SharedLimits } from '../../nodes/service/limits/limits';
import { StartRegister } from '../../nodes/service/limits/startRegister';
import { runJobs } from '../../nodes/service/jobs/runJobs';
import type { HttpCall } from '../../nodes/service/http/transport';
import { httpResponse } from './httpResponse.ts';
import { keptEntries } from './keptEntries.ts';
import { minuteWindow } from './minuteWindow.ts';
import { noEvents, researchTask } from './researchTask.ts';
import { SimulatedService } from './simulatedService.ts';
import type { Fault, SimulatedPlan } from './simulatedService.ts';
import { VirtualTime } from './virtualTime.ts';

// One process that runs for weeks, in virtual time: what it has learned stays true, what it keeps stays small.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

interface JobLife {
	plan?: SimulatedPlan;
	jobMs: number;
	fault?: (request: number) => Fault | undefined;
}

/** A service of jobs, and one process that uses it. */
function lifeOfJobs({ plan = {}, jobMs, fault }: JobLife) {
	const time = new VirtualTime(5, Infinity);
	let requests = 0;
	const service = new SimulatedService({
		time,
		plan,
		durationMs: () => jobMs,
		fault: () => fault?.(requests++),
	});
	const limits = new SharedLimits();
	let item = 0;
	const execute = async (jobs: number, signal?: AbortSignal) => {
		// The simulation keeps all it has seen, and looks through it.
		if (service.seen.length > 1000) service.seen.length = 0;
		for (const [id, { endsAtMs }] of service.jobs) {
			if (endsAtMs < time.now() - HOUR_MS) service.jobs.delete(id);
		}
		const client = new ServiceClient({
			http: service.http(signal),
			baseUrl: 'https://service.example',
			secrets: new Secrets(''),
			limits,
			time,
			signal,
		});
		const tasks = Array.from({ length: jobs }, () => researchTask(item++));
		const settings = { concurrency: 1000, stopsTheRun: () => false, events: noEvents };
		return await runJobs(tasks, settings, client);
	};
	return { time, service, limits, execute };
}

/** A process that may use a service a little for long, and then all at once. */
interface Life {
	time: VirtualTime;
	execute(count: number): Promise<unknown>;
	burst(): Promise<unknown>;
	/** Refusals until now. */
	refused(): number;
}

/** What a burst is refused after a week of one use every five minutes is what it is refused at once. */
function itDoesNotGrowIn(uses: string, begin: () => Life): void {
	async function refusalsAfter(days: number, learnedWith: number): Promise<number> {
		const { time, execute, burst, refused } = begin();
		await time.until(execute(learnedWith));
		for (let minute = 0; minute < days * 24 * 60; minute += 5) {
			await time.until(execute(1));
			await time.pass(5 * MINUTE_MS);
		}
		const before = refused();
		await time.until(burst());
		return refused() - before;
	}

	it.each([
		['was met', 40],
		['was never met', 1],
	])(
		`does not grow in a week of ${uses}, where a limit %s`,
		async (_what, learnedWith) => {
			const fresh = await refusalsAfter(0, learnedWith);
			expect(await refusalsAfter(7, learnedWith)).toBeLessThanOrEqual(fresh + 10);
		},
		60_000,
	);
}

describe('what was learned of the jobs at once', () => {
	itDoesNotGrowIn('single jobs', () => {
		const { time, service, execute } = lifeOfJobs({ plan: { concurrency: 10 }, jobMs: 500 });
		return { time, execute, burst: () => execute(100), refused: () => service.refusedStarts };
	});

	it.each([false, true])(
		'follows a plan that is raised after a week of refusals within the hour, Retry-After %s',
		async (retryAfter) => {
			const plan = { concurrency: 2, retryAfter };
			const { time, service, execute } = lifeOfJobs({ plan, jobMs: 45_000 });
			for (let hour = 0; hour < 7 * 24; hour += 4) {
				await time.until(execute(5));
				await time.pass(4 * HOUR_MS);
			}
			expect(service.refusedStarts).toBeGreaterThan(100);
			plan.concurrency = 50;
			const raisedMs = time.now();
			await time.until(execute(100));
			expect(service.mostAtOnce).toBe(50);
			expect(time.now() - raisedMs).toBeLessThan(4 * MINUTE_MS);
		},
	);
});

/** A service of single calls, and one process that uses it. */
function lifeOfCalls(plan: { perMinute: number; atOnce: number }) {
	const time = new VirtualTime(5, Infinity);
	const limits = new SharedLimits();
	const seen = { refused: 0, inFlight: 0, most: 0 };
	let window = minuteWindow(plan.perMinute);
	const http: HttpCall = async () => {
		await time.sleep(50);
		if (window(time.now()) > 0 || seen.inFlight >= plan.atOnce) {
			seen.refused += 1;
			return httpResponse({ status: 429, text: '{"error":"Rate limit exceeded"}' });
		}
		seen.inFlight += 1;
		seen.most = Math.max(seen.most, seen.inFlight);
		await time.sleep(1000);
		seen.inFlight -= 1;
		return httpResponse({ status: 200, text: '{"success":true}' });
	};
	const request = { method: 'POST', path: '/v2/scrape', bucket: 'scrape' } as const;
	const execute = async (calls: number) => {
		const baseUrl = 'https://service.example';
		const client = new ServiceClient({ http, baseUrl, limits, time, secrets: new Secrets('') });
		await runCalls(
			Array.from({ length: calls }, () => ({ request, timeoutMs: MINUTE_MS })),
			{ answered: () => undefined, failed: () => false },
			client,
		);
	};
	const raise = (to: { perMinute: number; atOnce: number }) => {
		Object.assign(plan, to);
		window = minuteWindow(plan.perMinute);
	};
	return { time, limits, seen, execute, raise };
}

describe('what was learned of single calls', () => {
	itDoesNotGrowIn('single calls', () => {
		const { time, seen, execute } = lifeOfCalls({ perMinute: Infinity, atOnce: 10 });
		const burst = () => Promise.all(Array.from({ length: 5 }, () => execute(40)));
		return { time, execute, burst, refused: () => seen.refused };
	});

	it('follows a plan that is raised after a week of refusals within the hour', async () => {
		const { time, seen, execute, raise } = lifeOfCalls({ perMinute: 10, atOnce: 2 });
		for (let hour = 0; hour < 7 * 24; hour += 4) {
			await time.until(execute(15));
			await time.pass(4 * HOUR_MS);
		}
		expect(seen.refused).toBeGreaterThan(100);
		raise({ perMinute: 500, atOnce: 50 });
		const raisedMs = time.now();
		await time.until(execute(3000));
		// Six minutes of the plan; 50 calls of a run may be on their way together.
		expect(seen.most).toBe(50);
		expect(time.now() - raisedMs).toBeLessThan(12 * MINUTE_MS);
	});
});

it('keeps nothing of a week of executions with refusals, faults and stops', async () => {
	const faults: Fault[] = [
		{ after: 'nothing', status: 500 },
		{ after: 'work', code: 'ECONNRESET' },
		{ after: 'nothing', code: 'ECONNREFUSED' },
		{ after: 'work', text: '<html>' },
	];
	const { time, limits, service, execute } = lifeOfJobs({
		plan: { concurrency: 3, startsPerMinute: 10 },
		jobMs: 8000,
		fault: (request) => (request % 7 === 0 ? faults[(request / 7) % faults.length] : undefined),
	});
	const entries: number[] = [];
	for (let hour = 0; hour < 7 * 24; hour++) {
		const stop = new AbortController();
		if (hour % 3 === 0) time.at(time.now() + 500 * (hour % 40), () => stop.abort());
		const runs = [execute(4, stop.signal).catch(() => undefined), execute(2)];
		await time.until(Promise.all(runs));
		await time.pass(HOUR_MS);
		entries.push(keptEntries(limits));
	}
	expect(service.refusedStarts).toBeGreaterThan(100);
	expect(limits.isIdle(time.now())).toBe(true);
	// A job that is watched for ever would keep what waits from ever giving up.
	expect(limits.progress.lastActivityMs(0, time.now())).toBeLessThan(time.now());
	const afterTwoDays = entries[48] ?? 0;
	expect(Math.max(...entries.slice(48))).toBeLessThanOrEqual(afterTwoDays * 1.1);
}, 60_000);

it('forgets whose a job is when the service lists it no longer', () => {
	const register = new StartRegister();
	for (let minute = 0; minute < 30 * 24 * 60; minute++) {
		register.know(`job-${minute}`, minute * MINUTE_MS);
	}
	const nowMinute = 30 * 24 * 60 - 1;
	expect(register.isKnown(`job-${nowMinute - 24 * 60}`)).toBe(true);
	expect(register.isKnown(`job-${nowMinute - 49 * 60}`)).toBe(false);
	expect(keptEntries(register)).toBeLessThanOrEqual(2 * 24 * 60 + 1);
});

it('keeps an id that is known again', () => {
	const register = new StartRegister();
	register.know('old', 0);
	register.know('other', DAY_MS);
	register.know('old', 2 * DAY_MS - 1);
	register.know('new', 3 * DAY_MS);
	expect(['old', 'other', 'new'].map((id) => register.isKnown(id))).toEqual([true, false, true]);
});
