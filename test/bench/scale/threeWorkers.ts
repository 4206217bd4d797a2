import { startSandbox } from '../../../sandbox/server.ts';
import { answeredQuestions, endOfExecutions, manyJobsWorkflow, startExecutions } from '../../e2e/harness/manyJobs.ts';
import { apiKey, credentialFor, packedTarball } from '../../e2e/harness/product.ts';
import { startQueueMode } from '../../e2e/harness/queue.ts';
import { lengthsMs, oracleMs } from '../../helpers/oracle.ts';
import { row } from '../row.ts';
import type { QueueMode } from '../../e2e/harness/queue.ts';
import type { Measure, Row } from '../row.ts';
import type { SandboxOptions } from '../../../sandbox/service/options.ts';

const EXECUTIONS = 60;
const JOBS_EACH = 5;
const JOBS = EXECUTIONS * JOBS_EACH;
const WORKERS = 3;
const PLAN = { concurrency: 10 };

interface Ran {
	seconds: number;
	results: number;
	starts: number;
	refusals: number;
}

/** Runs all executions in this n8n on a service of their own, and counts what came of them. */
async function runAll(queue: QueueMode, words: string, service: SandboxOptions): Promise<Ran> {
	const sandbox = await startSandbox({ keys: [apiKey], seed: 1, lightWork: true, ...service });
	try {
		const { client } = queue.main;
		const credential = await credentialFor(client, sandbox, words);
		const saved = await client.createWorkflow(manyJobsWorkflow(words, credential, JOBS_EACH));
		const beganMs = performance.now();
		await startExecutions(client, saved, EXECUTIONS);
		const ended = await endOfExecutions(client, saved, EXECUTIONS, 1_500_000);
		const seconds = (performance.now() - beganMs) / 1000;
		const { starts, refusals } = sandbox.stats();
		return {
			seconds,
			results: new Set(ended.flatMap(answeredQuestions)).size,
			starts: starts.total,
			refusals: refusals.jobsAtOnce,
		};
	} finally {
		await sandbox.stop();
	}
}

/**
 * In real time, in the real n8n in queue mode: main, three workers, Redis and PostgreSQL, 60 executions of
 * 5 jobs of 10 to 20 s each, on a plan of 10 at once that nobody is told of. What n8n itself needs for the
 * same executions is measured beside it: their jobs then have no length and the plan no limit.
 */
export const measure: Measure = async (say) => {
	const queue = await startQueueMode({
		tarball: await packedTarball(),
		workers: WORKERS,
		concurrency: 10,
	});
	try {
		const bare = await runAll(queue, 'no length, no limit', { jobDurationMs: 0 });
		say(`n8n itself: ${bare.seconds.toFixed(1)} s; now about eight minutes`);
		const durationsMs = lengthsMs(JOBS, [10, 20]);
		const ran = await runAll(queue, 'ten at once', {
			plan: { jobsAtOnce: PLAN.concurrency, retryAfter: 'none' },
			jobDurationMs: ({ index }) => durationsMs[index] ?? 0,
		});
		say(`${ran.refusals} starts were refused`);
		const name = 'three workers of n8n, 60 executions of 5 jobs on 10 at once';
		return [
			row({
				name,
				value: ran.seconds,
				unit: 's',
				reference: oracleMs(durationsMs, () => PLAN.concurrency) / 1000,
				target: { of: 'ratio', most: 1.15 },
			}),
			countRow(`${name}: results`, ran.results, 'results'),
			countRow(`${name}: starts`, ran.starts, 'starts'),
			row({
				name: 'the same executions without limits, jobs of no length: n8n itself',
				value: bare.seconds,
				unit: 's',
			}),
		];
	} finally {
		await queue.dispose();
	}
};

function countRow(name: string, value: number, unit: string): Row {
	const target = { of: 'ratio', least: 1, most: 1 } as const;
	return row({ name, value, unit, reference: JOBS, target });
}
