import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { loadBuiltPackage } from '../../engine/index.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { oracleMakespanMs } from '../unit/oracle.ts';
import { randomDurationsMs } from '../unit/simulation.ts';
import { allAtOnce, oneAfterTheOther } from './rivals.ts';
import { row } from './row.ts';
import { simulateRival } from './simulatedRivals.ts';
import { KEY, NODE, ROOT, runNode } from './workflow.ts';
import type { HttpCall } from '../../nodes/service/http/transport';
import type { Sandbox } from '../../sandbox/server.ts';
import type { Measure } from './benchmark.ts';

const JOBS = 60;
const PLAN = { concurrency: 10 };

/**
 * In real time, in n8n's own engine, over HTTP: 60 jobs of 20 to 40 s on a plan of 10 at once that the
 * node is not told of. Rival (c) runs meanwhile against a service of its own; rival (b) would take half
 * an hour and runs in virtual time.
 */
export const measure: Measure = async (say) => {
	const durationsMs = randomDurationsMs(JOBS, [20, 40]);
	const sandbox = await startService(durationsMs);
	const rivalSandbox = await startService(durationsMs);
	try {
		say('about three minutes');
		const bodies = durationsMs.map((_ms, item) => ({ query: `job ${item}` }));
		const world = { http: fetchCall, baseUrl: rivalSandbox.baseUrl, sleep: pause };
		const rival = allAtOnce(world, bodies);
		const startedMs = performance.now();
		const execution = await runNode({
			package: await loadBuiltPackage(ROOT),
			nodeName: 'webData',
			parameters: {
				resource: 'deepResearch',
				operation: 'start',
				query: '={{ $json.query }}',
				options: { waitOptions: { maxJobsAtOnce: JOBS } },
			},
			items: bodies,
			baseUrl: sandbox.baseUrl,
		});
		const value = (performance.now() - startedMs) / 1000;
		const results = execution.items(NODE).filter(({ json }) => json.status === 'completed').length;
		const inTurn = await simulateRival(oneAfterTheOther, durationsMs, PLAN);
		const name = 'makespan in real time, 60 jobs on 10 at once';
		const unit = 's';
		return [
			row({
				name,
				value,
				unit,
				reference: oracleMakespanMs(durationsMs, PLAN, JOBS) / 1000,
				target: { of: 'ratio', most: 1.06 },
			}),
			countRow(`${name}: results`, results, 'results'),
			countRow(`${name}: starts`, sandbox.stats().starts.total, 'starts'),
			row({
				name: `${name}: against one after the other`,
				value,
				unit,
				reference: inTurn.makespanMs / 1000,
			}),
			row({
				name: `${name}: results of all at once`,
				value: await rival,
				unit: 'results',
				reference: JOBS,
			}),
		];
	} finally {
		await sandbox.stop();
		await rivalSandbox.stop();
	}
};

function countRow(name: string, value: number, unit: string) {
	const target = { of: 'ratio', least: 1, most: 1 } as const;
	return row({ name, value, unit, reference: JOBS, target });
}

/** Each job lasts as long as its number says, in whatever order they are started. */
async function startService(durationsMs: number[]): Promise<Sandbox> {
	return await startSandbox({
		keys: [KEY],
		plan: { jobsAtOnce: PLAN.concurrency },
		seed: 1,
		lightWork: true,
		jobDurationMs: ({ query }) => durationsMs[Number(query.split(' ')[1])] ?? 0,
	});
}

/** The rival's way to the service. */
const fetchCall: HttpCall = async ({ method, url, body }) => {
	const response = await fetch(url, {
		method,
		headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
		...(body && { body: JSON.stringify(body) }),
	});
	return {
		statusCode: response.status,
		headers: {},
		body: Readable.from([Buffer.from(await response.arrayBuffer())]),
	};
};
