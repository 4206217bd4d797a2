import type { Tally } from './invariants.ts';
import type { AgentsResult } from './phases/agents.ts';
import type { DeathsResult } from './phases/deaths.ts';
import type { RoundResult } from './phases/rounds.ts';
import type { StopsResult } from './phases/stops.ts';
import type { StormsResult } from './phases/storms.ts';

const MEGABYTE = 1024 * 1024;

function print(line = ''): void {
	process.stdout.write(`${line}\n`);
}

/** One line for each round, as it ends. */
export function printRound(jobsSoFar: number, { tally, seconds }: RoundResult, held: number): void {
	const ends = `${tally.results} results, ${tally.items - tally.results} errors`;
	const memory = `${(held / MEGABYTE).toFixed(1)} MB held`;
	print(`${String(jobsSoFar).padStart(7)} jobs  ${ends}, ${seconds.toFixed(0)} s, ${memory}`);
	for (const violation of tally.violations.slice(0, 5)) print(`         broken: ${violation}`);
}

export interface Summary {
	tally: Tally;
	rounds: readonly RoundResult[];
	storms: StormsResult;
	deaths: DeathsResult;
	/** These three undefined in a short run. */
	loops: StormsResult | undefined;
	agents: AgentsResult | undefined;
	stops: StopsResult;
	/** Bytes; undefined where there were too few rounds to tell. */
	growth: number | undefined;
}

/** What the run came to. */
export function printSummary(summary: Summary): void {
	const { tally, rounds, storms, loops, agents, deaths, stops, growth } = summary;
	const requests = sum(rounds.map((round) => round.requests));
	const kinds = new Set(rounds.flatMap((round) => Object.keys(round.faults)));
	const faults = sum(rounds.flatMap((round) => Object.values(round.faults)));
	const { violations, ...counts } = tally;
	const rows = {
		requests,
		faults: `${faults} (${((100 * faults) / Math.max(1, requests)).toFixed(1)}%), ${kinds.size} kinds`,
		...counts,
		brokenPromises: violations.length,
		bytesHeldPerJob: growth === undefined ? 'too few jobs to tell' : Math.round(growth),
	};
	print();
	for (const [name, value] of Object.entries(rows)) print(`${name.padEnd(20)} ${value}`);
	for (const [name, part] of Object.entries({ storms, loops, agents, deaths, stops })) {
		if (part === undefined) print(`${name.padEnd(20)} left out`);
		else print(`${name.padEnd(20)} ${countsOf(part)}`);
	}
}

/** The counts of one part of the run, by name. */
function countsOf(part: object): string {
	const all = Object.entries(part).flatMap(([name, value]: [string, unknown]) =>
		value instanceof Map ? [...(value as Map<string, unknown>)] : [[name, value] as const],
	);
	return all.flatMap(([name, value]) => (typeof value === 'number' ? [`${value} ${name}`] : [])).join(', ');
}

/** The promises that were broken, or that none was. */
export function printViolations(violations: readonly string[], seed: number): void {
	print();
	if (violations.length === 0) return print(`All promises kept (seed ${seed}).`);
	print(`${violations.length} promises broken (seed ${seed}):`);
	for (const violation of violations.slice(0, 20)) print(`  ${violation}`);
}

function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}
