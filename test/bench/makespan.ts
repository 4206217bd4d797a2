import { randomDurationsMs, simulate } from '../unit/simulation.ts';
import type { SimulatedPlan } from '../unit/simulatedService.ts';
import { row } from './row.ts';
import type { Measure, Row } from './row.ts';

const JOBS = 200;
const DURATIONS_MS = randomDurationsMs(JOBS, [30, 600]);

/**
 * Starts a minute: those of the plan with as many jobs at once, or as near
 * (docs/service-notes.md#requests-a-minute, docs/service-notes.md#jobs-at-once).
 */
const PLANS: SimulatedPlan[] = [
	{ concurrency: 2 },
	{ concurrency: 2, startsPerMinute: 2 },
	{ concurrency: 10 },
	{ concurrency: 10, startsPerMinute: 20 },
	{ concurrency: 50 },
	{ concurrency: 50, startsPerMinute: 100 },
	{ startsPerMinute: 10 },
];

/** Both limits bind all the time and every refusal uses up the minute: reported, see NOTES.md. */
const BOTH_BIND: SimulatedPlan = { concurrency: 50, startsPerMinute: 10 };

const MAX_OF_ORACLE = 1.06;

/** In virtual time: 200 jobs of 30 to 600 s on plans that the node is not told of. */
export const measure: Measure = async (say) => {
	const rows: Row[] = [];
	for (const plan of PLANS) {
		say(labelOf(plan));
		rows.push(...(await rowsOf(labelOf(plan), plan)));
	}
	for (const plan of [BOTH_BIND, { ...BOTH_BIND, retryAfter: true }]) {
		const { makespanMs, oracleMs } = await ours(plan);
		const name = `${labelOf(plan)}${plan.retryAfter ? ', Retry-After' : ''}: both bind`;
		const [value, reference] = [makespanMs / 1000, oracleMs / 1000];
		rows.push(row({ name, value, unit: 's', reference }));
	}
	return rows;
};

function labelOf({ concurrency, startsPerMinute }: SimulatedPlan): string {
	const limits = [
		...(concurrency === undefined ? [] : [`${concurrency} at once`]),
		...(startsPerMinute === undefined ? [] : [`${startsPerMinute} starts/min`]),
	];
	return `makespan, ${limits.join(', ')}`;
}

async function rowsOf(label: string, plan: SimulatedPlan): Promise<Row[]> {
	const silent = await ours(plan);
	const told = await ours({ ...plan, retryAfter: true });
	return [oracleRow(label, silent), oracleRow(`${label}, Retry-After`, told)];
}

interface Makespan {
	makespanMs: number;
	oracleMs: number;
}

function oracleRow(name: string, { makespanMs, oracleMs }: Makespan): Row {
	const [value, reference] = [makespanMs / 1000, oracleMs / 1000];
	return row({ name, value, unit: 's', reference, target: { of: 'ratio', most: MAX_OF_ORACLE } });
}

async function ours(plan: SimulatedPlan): Promise<Makespan> {
	const parts = { durationsMs: DURATIONS_MS, plan, concurrency: JOBS };
	const { outcomes, service, makespanMs, ratio } = await simulate(parts);
	const results = outcomes.filter(({ kind }) => kind === 'done').length;
	if (results !== JOBS || service.jobs.size !== JOBS) {
		throw new Error(`${labelOf(plan)}: ${results} results of ${service.jobs.size} starts`);
	}
	return { makespanMs, oracleMs: makespanMs / ratio };
}
