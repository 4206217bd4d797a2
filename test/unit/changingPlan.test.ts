import { ServiceClient } from '../../nodes/service/limits/client';
import { Secrets } from '../../nodes/service/secrets';
import { SharedLimits } from '../../nodes/service/limits/limits';
import { runJobs } from '../../nodes/service/jobs/runJobs';
import { noEvents, researchTask } from './researchTask.ts';
import { randomDurationsMs } from './simulation.ts';
import { SimulatedService } from './simulatedService.ts';
import type { SimulatedPlan } from './simulatedService.ts';
import { VirtualTime } from './virtualTime.ts';

// The account gets another plan while its jobs run.

const JOBS = 80;
const CHANGE_MS = 20 * 60_000;

type LimitAt = (nowMs: number) => number;

async function run(limitAt: LimitAt, retryAfter: boolean) {
	const time = new VirtualTime(3, Infinity);
	const durationsMs = randomDurationsMs(JOBS, [30, 600]);
	const plan: SimulatedPlan = {
		retryAfter,
		get concurrency() {
			return limitAt(time.now());
		},
	};
	const durationMs = (query: string) => durationsMs[Number(query.split(' ')[1])] ?? 0;
	const service = new SimulatedService({ time, plan, seed: 3, durationMs });
	const client = new ServiceClient({
		secrets: new Secrets(''),
		http: service.http(),
		baseUrl: 'https://service.example',
		limits: new SharedLimits(),
		time,
	});
	const tasks = durationsMs.map((_ms, item) => researchTask(item));
	const settings = { concurrency: 200, stopsTheRun: () => false, events: noEvents };
	const outcomes = await time.until(runJobs(tasks, settings, client));
	return { outcomes, service, ratio: time.now() / bestMs(durationsMs, limitAt) };
}

/** How long it takes when somebody starts them in the same order who knows the plan of each moment. */
function bestMs(durationsMs: number[], limitAt: LimitAt): number {
	const waiting = [...durationsMs];
	let endsMs: number[] = [];
	let nowMs = 0;
	for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
		endsMs = endsMs.filter((ms) => ms > nowMs);
		if (endsMs.length < limitAt(nowMs)) {
			endsMs.push(nowMs + next);
			waiting.shift();
		} else {
			nowMs = Math.min(...endsMs, nowMs < CHANGE_MS ? CHANGE_MS : Infinity);
		}
	}
	return Math.max(...endsMs);
}

const changes: Array<[string, LimitAt]> = [
	['lowered from 20 to 3 jobs at once', (nowMs) => (nowMs < CHANGE_MS ? 20 : 3)],
	['raised from 3 to 20 jobs at once', (nowMs) => (nowMs < CHANGE_MS ? 3 : 20)],
];

describe.each(changes)('a plan that is %s while jobs wait', (_name, limitAt) => {
	it.each([false, true])('is learned again, Retry-After %s', async (retryAfter) => {
		const { outcomes, service, ratio } = await run(limitAt, retryAfter);
		expect(outcomes.filter(({ kind }) => kind === 'done')).toHaveLength(JOBS);
		expect(service.jobs.size).toBe(JOBS);
		expect(ratio).toBeLessThanOrEqual(1.1);
	});
});
