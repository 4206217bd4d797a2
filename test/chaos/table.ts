import type { Tally } from './invariants.ts';
import type { RoundResult } from './rounds.ts';
import type { StopsResult } from './stops.ts';
import type { StormsResult } from './storms.ts';

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
	stops: StopsResult;
	/** Bytes; undefined where there were too few rounds to tell. */
	growth: number | undefined;
}

/** What the run came to. */
export function printSummary({ tally, rounds, storms, stops, growth }: Summary): void {
	const requests = sum(rounds.map((round) => round.requests));
	const kinds = new Set(rounds.flatMap((round) => Object.keys(round.faults)));
	const faults = sum(rounds.flatMap((round) => Object.values(round.faults)));
	const rows: Array<[string, string | number]> = [
		['requests', requests],
		['with a fault', `${faults} (${percent(faults, requests)}), ${kinds.size} kinds`],
		['items', tally.items],
		['  results', tally.results],
		['  errors that name their job', tally.jobErrors],
		['  refused, nothing started', tally.refused],
		[
			'  may have been started',
			`${tally.uncertain}, of which the service has ${tally.uncertainStarted}`,
		],
		['starts at the service', tally.starts],
		['  accounted for', tally.results + tally.jobErrors + tally.uncertainStarted],
		[
			'memory per job, once warm',
			growth === undefined ? 'too few jobs to tell' : `${Math.round(growth)} bytes`,
		],
		[
			'retry storms',
			`${storms.executions} executions of ${storms.jobs} jobs, ${storms.retries} retries`,
		],
		[
			'  starts',
			`${storms.starts}, ${storms.startedAnew} anew for jobs that had failed or were gone`,
		],
		[
			'  brought to a good end',
			`${storms.finished} of ${storms.executions}; the others end at a start that may have arrived`,
		],
		[
			'Stop at any time',
			`${stops.stopped} of ${stops.executions} executions were stopped, ${stops.starts} starts`,
		],
	];
	print();
	for (const [name, value] of rows) print(`${name.padEnd(32)} ${value}`);
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

function percent(part: number, whole: number): string {
	return `${((100 * part) / Math.max(1, whole)).toFixed(1)}%`;
}
