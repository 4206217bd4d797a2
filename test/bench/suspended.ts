import { setTimeout } from 'node:timers/promises';
import { loadBuiltPackage, startWaitingHost } from '../../tools/n8n-engine/index.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { row } from './row.ts';
import type { Measure } from './row.ts';
import { median } from './statistics.ts';
import { KEY, NODE, ROOT, workflowWith } from './workflow.ts';

const EXECUTIONS = 10;
/** They are apart, so that each is measured by itself. */
const APART_MS = 1000;
/** A job this long shows the same as one of ten minutes: what Free holds does not grow with it. */
const JOB_MS = 12_000;
const TEN_MINUTES = 600;

/** What a wait holds of n8n, and how soon the next node runs, with Wait in the Background. */
export const measure: Measure = async (say) => {
	const sandbox = await startSandbox({ lightWork: true, jobDurationMs: JOB_MS });
	const host = await startWaitingHost();
	try {
		const builtPackage = await loadBuiltPackage(ROOT);
		const parameters = {
			resource: 'crawl',
			operation: 'start',
			url: 'https://example.com',
			pageLimit: 3,
			waitForCompletion: 'free',
		};
		const held: number[] = [];
		const delays: number[] = [];
		await Promise.all(
			Array.from({ length: EXECUTIONS }, async (_none, index) => {
				await setTimeout(index * APART_MS);
				const beganMs = performance.now();
				const { executionId, run } = await host.run({
					package: builtPackage,
					workflow: workflowWith(`${builtPackage.name}.webData`, parameters),
					credential: { baseUrl: sandbox.baseUrl, apiKey: KEY },
				});
				if (run.status !== 'waiting') throw new Error(`An execution is ${run.status}.`);
				const parkedMs = performance.now();
				const ended = await host.ended(executionId);
				const endedMs = performance.now();
				if (ended.items(NODE).length !== 3) throw new Error('A result is not whole.');
				const call = host.calls.find((one) => one.executionId === executionId && one.woke);
				const delayMs = endedMs - (call?.atMs ?? -Infinity);
				delays.push(delayMs);
				held.push((parkedMs - beganMs + delayMs) / 1000);
			}),
		);
		const { polls, slicesServed } = sandbox.stats();
		say(`${EXECUTIONS} executions, ${polls.total} polls, ${slicesServed} answers with pages`);
		return [
			row({
				name: 'worker-seconds held by a job of ten minutes, Free against Hold',
				value: median(held),
				unit: 's',
				reference: TEN_MINUTES,
				target: { of: 'value', most: 1 },
			}),
			row({
				name: "from the service's call to the next node, Wait in the Background",
				value: median(delays),
				unit: 'ms',
				target: { of: 'value', most: 1000 },
			}),
			row({
				name: 'checks a job before its result is read, Wait in the Background',
				// The last answer of each is the result, the one before it the check that begins its reading.
				value: polls.total / EXECUTIONS - 2,
				unit: 'looks',
				// Two soon after it has suspended, 2 and 6 s later, and one when the service calls. One of ten minutes has six more.
				target: { of: 'value', most: 3 },
			}),
		];
	} finally {
		await host.stop();
		await sandbox.stop();
	}
};
