import { ServiceClient } from '../../nodes/service/limits/client';
import { Secrets } from '../../nodes/service/secrets';
import { SharedLimits } from '../../nodes/service/limits/limits';
import { runJobs } from '../../nodes/service/jobs/runJobs';
import { noEvents, researchTask } from './researchTask.ts';
import { randomDurationsMs } from './simulation.ts';
import { SimulatedService } from './simulatedService.ts';
import type { SimulatedPlan } from './simulatedService.ts';
import { VirtualTime } from './virtualTime.ts';

const MANY = 400;

interface OneBesideMany {
	/** How long the single job took from when it joined to its result, in milliseconds. */
	tookMs: number;
	/** The same when the next place that becomes free is its own. */
	fairMs: number;
}

/** One execution has 400 jobs at work or waiting on so many places; another joins with a single one. */
export async function oneBesideMany(places: number, joinsAtMs: number, more: SimulatedPlan = {}) {
	const time = new VirtualTime(1, Infinity);
	const durationsMs = randomDurationsMs(MANY + 1, [30, 600]);
	const service = new SimulatedService({
		time,
		plan: { concurrency: places, ...more },
		durationMs: (query) => durationsMs[Number(query.split(' ')[1])] ?? 0,
	});
	const limits = new SharedLimits();
	const stop = new AbortController();
	const run = async (execution: string, items: number[], signal?: AbortSignal) => {
		const baseUrl = 'https://service.example';
		const secrets = new Secrets('');
		const parts = { http: service.http(signal), baseUrl, limits, time, secrets, signal, execution };
		const settings = { concurrency: MANY, stopsTheRun: () => false, events: noEvents };
		return await runJobs(
			items.map((item) => researchTask(item)),
			settings,
			new ServiceClient(parts),
		);
	};
	const many = run('many', [...Array(MANY).keys()], stop.signal).catch(() => undefined);
	await time.pass(joinsAtMs);
	const runningMs = [...service.jobs.values()].map(({ endsAtMs }) => endsAtMs);
	const freeAtMs = Math.min(...runningMs.filter((endsAtMs) => endsAtMs > joinsAtMs));
	const [outcome] = await time.until(run('one', [MANY]));
	if (outcome?.kind !== 'done') throw new Error(`The single job ended as ${outcome?.kind}.`);
	const tookMs = time.now() - joinsAtMs;
	stop.abort();
	await time.until(many);
	const fairMs = freeAtMs - joinsAtMs + (durationsMs[MANY] ?? 0);
	return { tookMs, fairMs } satisfies OneBesideMany;
}
