import { Secrets } from '../../nodes/service/secrets';
import { runJobs } from '../../nodes/service/jobs/runJobs';
import { ServiceClient } from '../../nodes/service/limits/client';
import { SharedLimits } from '../../nodes/service/limits/limits';
import { noEvents, researchTask } from './researchTask.ts';
import { SimulatedService } from './simulatedService.ts';
import type { SeenRequest, SimulatedPlan } from './simulatedService.ts';
import { VirtualTime } from './virtualTime.ts';

const JOBS = 40;
const HOUR_MS = 3_600_000;

function clientOf(service: SimulatedService, time: VirtualTime, limits = new SharedLimits()) {
	return new ServiceClient({
		http: service.http(),
		baseUrl: 'https://service.example',
		secrets: new Secrets(''),
		limits,
		time,
	});
}

/** A start of another execution, refused once and started then. */
async function refuseOne(limits: SharedLimits, time: VirtualTime): Promise<void> {
	const fault = ({ count }: SeenRequest) => (count === 0 ? ({ after: 'nothing', status: 429 } as const) : undefined);
	const service = new SimulatedService({ time, durationMs: () => 0, fault });
	const client = clientOf(service, time, limits);
	const settings = { concurrency: 1, stopsTheRun: () => false, events: noEvents };
	await time.until(runJobs([researchTask(0, { watched: false })], settings, client));
	await time.pass(HOUR_MS);
}

/** Forty jobs of one run, by the clock: when the run was over, and when the last job. */
async function lifeOf(
	startsOnly: boolean,
	jobMs: number,
	plan: SimulatedPlan,
	{ delayMs = 0, refusedBefore = false } = {},
) {
	const time = new VirtualTime(5, Infinity);
	const fault = () => ({ after: 'work', delayMs }) as const;
	const durationMs = () => jobMs;
	const service = new SimulatedService({ time, plan, durationMs, ...(delayMs > 0 && { fault }) });
	const limits = new SharedLimits();
	if (refusedBefore) await refuseOne(limits, time);
	const client = clientOf(service, time, limits);
	const tasks = Array.from({ length: JOBS }, (_none, item) => {
		return { ...researchTask(item), maxWaitMs: HOUR_MS };
	});
	// Max Jobs at Once is about what is held.
	const concurrency = startsOnly ? 10 : JOBS;
	const settings = { concurrency, stopsTheRun: () => false, events: noEvents, startsOnly };
	const outcomes = await time.until(runJobs(tasks, settings, client));
	const ends = [...service.jobs.values()].map(({ endsAtMs }) => endsAtMs);
	const polls = service.seen.filter(({ kind }) => kind === 'poll').length;
	return { outcomes, polls, overMs: time.now(), lastEndMs: Math.max(...ends) };
}

describe('a run that ends when all its jobs are started', () => {
	it.each<[number, SimulatedPlan]>([
		[30_000, { concurrency: 2 }],
		[30_000, { concurrency: 2, retryAfter: true }],
		[70_000, { concurrency: 5 }],
		[90_000, { concurrency: 10 }],
		[20_000, { startsPerMinute: 10 }],
	])('has them done as soon as one that watches them: jobs of %i ms, plan %j', async (jobMs, plan) => {
		const watched = await lifeOf(false, jobMs, plan);
		const freed = await lifeOf(true, jobMs, plan);
		expect(freed.outcomes.every(({ kind }) => kind === 'started' || kind === 'done')).toBe(true);
		expect(freed.lastEndMs).toBeLessThanOrEqual(1.02 * watched.lastEndMs);
		// The latest jobs are left to run.
		expect(freed.overMs).toBeLessThan(freed.lastEndMs);
	});

	it('checks none either where another start was refused an hour ago', async () => {
		const { outcomes, polls } = await lifeOf(true, 60_000, {}, { refusedBefore: true });
		expect(outcomes.map(({ kind }) => kind)).toEqual(Array(JOBS).fill('started'));
		expect(polls).toBe(0);
	});

	it.each([0, 3000])(
		'waits for none where all may run at once, and checks none: answers after %i ms more',
		async (delayMs) => {
			const { outcomes, polls, overMs } = await lifeOf(true, 60_000, {}, { delayMs });
			expect(outcomes.map(({ kind }) => kind)).toEqual(Array(JOBS).fill('started'));
			expect(polls).toBe(0);
			expect(overMs).toBeLessThan(50_000);
		},
	);
});

it('what was started is gone on with: checked at once, and not started again', async () => {
	const time = new VirtualTime(5, Infinity);
	const service = new SimulatedService({ time, plan: {}, durationMs: () => 30_000 });
	const client = clientOf(service, time);
	const tasks = [0, 1, 2].map((item) => researchTask(item));
	const settings = { concurrency: 10, stopsTheRun: () => false, events: noEvents };
	const first = await time.until(runJobs(tasks, { ...settings, startsOnly: true }, client));
	const started = new Map(
		tasks.map((task, index) => {
			const outcome = first[index];
			return [task, { id: outcome?.kind === 'started' ? outcome.id : '', ageMs: 0 }] as const;
		}),
	);
	await time.pass(60_000);
	const beganMs = time.now();
	const outcomes = await time.until(runJobs(tasks, { ...settings, started }, client));
	expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done', 'done']);
	expect(time.now() - beganMs).toBeLessThan(2000);
	expect(service.jobs.size).toBe(3);
});

it.each([1, 2])('begins no more once that is said, and leaves what is begun: %i at once', async (concurrency) => {
	const time = new VirtualTime(5, Infinity);
	const service = new SimulatedService({ time, plan: {}, durationMs: () => 30_000 });
	const tasks = Array.from({ length: 5 }, (_none, item) => researchTask(item));
	const settings = {
		concurrency,
		stopsTheRun: () => false,
		events: noEvents,
		startsOnly: true,
		beginsNoMore: () => service.jobs.size > 0,
	};
	const outcomes = await time.until(runJobs(tasks, settings, clientOf(service, time)));
	expect(outcomes.map(({ kind }) => kind)).toEqual([
		...Array<string>(concurrency).fill('started'),
		...Array<string>(5 - concurrency).fill('notStarted'),
	]);
	expect(service.jobs.size).toBe(concurrency);
});
