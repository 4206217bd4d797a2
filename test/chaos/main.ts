import { parseArgs } from 'node:util';
import { startSandbox } from '../../sandbox/server.ts';
import { addTally, emptyTally } from './invariants.ts';
import { growthPerJob, heldBytes, MOST_GROWTH_PER_JOB } from './memory.ts';
import { runRound } from './rounds.ts';
import type { RoundResult } from './rounds.ts';
import { runStops } from './stops.ts';
import { runStorms } from './storms.ts';
import { printRound, printSummary, printViolations } from './table.ts';

const HELP = `Chaos: researches, crawls and batch scrapes in n8n's own engine against a sandbox that fails a share of all requests.

  npm run chaos -- [options]

  --jobs NUMBER    how many jobs (default 10000)
  --share NUMBER   share of the requests that suffer a fault, 0 to 1 (default 0.2)
  --seed NUMBER    makes the faults repeatable (default: drawn, and printed)
  --lists WORD     whether the service lists its jobs: present (default) or missing
  --no-hangs       leaves out the faults that take a minute each
  --help           show this

Exit code 1 when a promise is broken. 10,000 jobs take some 15 minutes, 300 about 2.
`;

/** Keys of four accounts: what one learns about limits must not slow the others down. */
const KEYS = ['fc-chaos-1', 'fc-chaos-2', 'fc-chaos-3', 'fc-chaos-4'];
const JOBS_PER_ROUND = 1000;
const EXECUTIONS = 4;

function readNumber(name: string, text: string, least: number, most: number): number {
	const value = Number(text);
	if (text.trim() === '' || !(value >= least && value <= most)) {
		throw new Error(`--${name} must be a number from ${least} to ${most}, not "${text}".`);
	}
	return value;
}

function readLists(text: string): 'present' | 'missing' {
	if (text === 'present' || text === 'missing') return text;
	throw new Error(`--lists must be present or missing, not "${text}".`);
}

function readArguments() {
	const drawn = Math.floor(Math.random() * 2 ** 20);
	const { values } = parseArgs({
		options: {
			jobs: { type: 'string', default: '10000' },
			share: { type: 'string', default: '0.2' },
			seed: { type: 'string', default: String(drawn) },
			lists: { type: 'string', default: 'present' },
			'no-hangs': { type: 'boolean', default: false },
			help: { type: 'boolean', short: 'h', default: false },
		},
	});
	if (values.help) return undefined;
	return {
		jobs: Math.floor(readNumber('jobs', values.jobs, 1, 1_000_000)),
		share: readNumber('share', values.share, 0, 1),
		seed: Math.floor(readNumber('seed', values.seed, 0, 2 ** 31)),
		hangs: !values['no-hangs'],
		lists: readLists(values.lists),
	};
}

async function main(): Promise<void> {
	const options = readArguments();
	if (!options) return void process.stdout.write(HELP);
	const { jobs, seed, lists } = options;
	process.stdout.write(
		`Chaos: ${jobs} jobs, lists ${lists}, seed ${seed} (repeat with --seed ${seed})\n\n`,
	);
	const sandbox = await startSandbox({ lightWork: true, seed, keys: KEYS, lists });
	const perRound = Math.min(JOBS_PER_ROUND, jobs);
	const rounds: RoundResult[] = [];
	const held: number[] = [];
	try {
		for (let from = 0; from < jobs; from += perRound) {
			const to = Math.min(jobs, from + perRound);
			const common = { ...options, sandbox, keys: KEYS, executions: EXECUTIONS };
			const round = await runRound({ ...common, from, to });
			rounds.push(round);
			sandbox.reset();
			held.push(await heldBytes());
			printRound(to, round, held.at(-1) ?? 0);
		}
		const storms = await runStorms({ ...options, sandbox, keys: KEYS });
		const stops = await runStops({ ...options, sandbox, keys: KEYS });
		const tally = rounds.map((round) => round.tally).reduce(addTally, emptyTally());
		if (lists === 'present' && tally.uncertainStarted > 0) {
			const lost = `${tally.uncertainStarted} starts were not found although the service lists them`;
			tally.violations.push(lost);
		}
		const growth = growthPerJob(held, perRound);
		printSummary({ tally, rounds, storms, stops, growth });
		const violations = [...tally.violations, ...storms.violations, ...stops.violations];
		if (growth !== undefined && growth > MOST_GROWTH_PER_JOB) {
			violations.push(`the process grows by ${Math.round(growth)} bytes with each job`);
		}
		printViolations(violations, seed);
		if (violations.length > 0) process.exitCode = 1;
	} finally {
		await sandbox.stop();
	}
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
