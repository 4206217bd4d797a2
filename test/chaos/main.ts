import { readArguments } from './arguments.ts';
import type { ChaosArguments } from './arguments.ts';
import { addTally, emptyTally } from './invariants.ts';
import { growthPerJob, heldBytes, MAX_GROWTH_PER_JOB } from './memory.ts';
import { runAgents } from './phases/agents.ts';
import { runDeaths } from './phases/deaths.ts';
import { runRound } from './phases/rounds.ts';
import type { RoundResult } from './phases/rounds.ts';
import { runStops } from './phases/stops.ts';
import { runLoops, runStorms } from './phases/storms.ts';
import { Servers } from './servers.ts';
import { printRound, printSummary, printViolations } from './table.ts';

const JOBS_PER_ROUND = 1000;

async function main(): Promise<void> {
	const options = readArguments();
	if (!options) return;
	const { jobs, seed, lists, lagMs } = options;
	process.stdout.write(
		`Chaos: ${jobs} jobs, lists ${lists}, up to ${lagMs} ms behind, seed ${seed} (repeat with --seed ${seed})\n\n`,
	);
	const servers = await Servers.start(options);
	try {
		const violations = await runAll(options, servers);
		printViolations(violations, seed);
		if (violations.length > 0) process.exitCode = 1;
	} finally {
		await servers.stop();
	}
}

/** Everything, one after the other. Returns the promises that were broken. */
async function runAll(options: ChaosArguments, servers: Servers): Promise<string[]> {
	const { jobs, seed, lists, short } = options;
	const parts = { ...options, hangs: !short, servers };
	const perRound = Math.min(JOBS_PER_ROUND, jobs);
	const rounds: RoundResult[] = [];
	const held: number[] = [];
	for (let from = 0; from < jobs; from += perRound) {
		const to = Math.min(jobs, from + perRound);
		const round = await runRound({ ...parts, from, to });
		rounds.push(round);
		servers.clear();
		held.push(await heldBytes());
		printRound(to, round, held.at(-1) ?? 0);
	}
	const [storms, deaths, loops, agents] = await Promise.all([
		runStorms(parts),
		runDeaths(parts, lists),
		...(short ? [] : ([runLoops(parts), runAgents(parts)] as const)),
	]);
	// By itself, since it is checked how soon they end.
	const stops = await runStops(seed, lists);
	const tally = rounds.map((round) => round.tally).reduce(addTally, emptyTally());
	const growth = growthPerJob(held, perRound);
	printSummary({ tally, rounds, storms, loops, agents, deaths, stops, growth });
	const violations = [tally, storms, loops, agents, deaths, stops].flatMap((part) => part?.violations ?? []);
	if (lists === 'present' && tally.uncertainStarted > 0) {
		violations.push(`${tally.uncertainStarted} starts were not found although the service lists them`);
	}
	if (growth !== undefined && growth > MAX_GROWTH_PER_JOB) {
		violations.push(`the process grows by ${Math.round(growth)} bytes with each job`);
	}
	return violations;
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
