import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startSandbox } from '../../sandbox/server.ts';
import { oracleMakespanMs } from '../unit/oracle.ts';
import { randomDurationsMs } from '../unit/simulation.ts';
import { row } from './row.ts';
import { KEY } from './workflow.ts';
import type { Measure } from './benchmark.ts';

const PROCESSES = 4;
const JOBS_EACH = 20;
const JOBS = PROCESSES * JOBS_EACH;
const PLAN = { concurrency: 10 };

/**
 * In real time, over HTTP, as in n8n's queue mode: four processes of n8n's own engine, which know nothing
 * of each other, with 20 jobs of 20 to 40 s each on one credential, on a plan of 10 at once.
 */
export const measure: Measure = async (say) => {
	const durationsMs = randomDurationsMs(JOBS, [20, 40]);
	const sandbox = await startSandbox({
		keys: [KEY],
		plan: { jobsAtOnce: PLAN.concurrency, retryAfter: 'none' },
		seed: 1,
		lightWork: true,
		jobDurationMs: ({ query }) => durationsMs[Number(query.split(' ')[1])] ?? 0,
	});
	try {
		say('about five minutes');
		const processes = Array.from({ length: PROCESSES }, (_unused, index) =>
			inOwnProcess(sandbox.baseUrl, index * JOBS_EACH, (index + 1) * JOBS_EACH),
		);
		// Loading n8n takes each of them seconds, which are no part of waiting for jobs.
		await Promise.all(processes.map(async ({ ready }) => await ready));
		const startedMs = performance.now();
		const results = await Promise.all(processes.map(async ({ run }) => await run()));
		const value = (performance.now() - startedMs) / 1000;
		const name = 'four processes, 20 jobs each on 10 at once, in real time';
		const once = { of: 'ratio', least: 1, most: 1 } as const;
		const ended = results.reduce((sum, count) => sum + count, 0);
		const counted = { reference: JOBS, target: once };
		return [
			row({
				name,
				value,
				unit: 's',
				reference: oracleMakespanMs(durationsMs, PLAN, JOBS) / 1000,
				target: { of: 'ratio', most: 1.1 },
			}),
			row({ name: `${name}: results`, value: ended, unit: 'results', ...counted }),
			row({
				name: `${name}: starts`,
				value: sandbox.stats().starts.total,
				unit: 'starts',
				...counted,
			}),
		];
	} finally {
		await sandbox.stop();
	}
};

interface JobProcess {
	ready: Promise<void>;
	/** Returns the number of results; 0 of a process that breaks off. */
	run: () => Promise<number>;
}

function inOwnProcess(baseUrl: string, from: number, to: number): JobProcess {
	const script = fileURLToPath(new URL('./oneOfFour.ts', import.meta.url));
	const child = fork(script, [baseUrl, String(from), String(to)], { stdio: 'inherit' });
	const stop = (): void => void child.kill('SIGKILL');
	process.once('exit', stop);
	let results = 0;
	const closed = new Promise<void>((resolve) => {
		child.once('close', () => {
			process.off('exit', stop);
			resolve();
		});
	});
	const ready = new Promise<void>((resolve) => {
		child.on('message', (message) => {
			if (message === 'ready') resolve();
			else results = Number(message);
		});
	});
	return {
		ready: Promise.race([ready, closed]),
		run: async () => {
			if (child.connected) child.send('go');
			await closed;
			return results;
		},
	};
}
