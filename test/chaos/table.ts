import type { Tally } from './invariants.ts';
import type { AgentsResult } from './phases/agents.ts';
import type { DeathsResult } from './phases/deaths.ts';
import type { RoundResult } from './phases/rounds.ts';
import type { StopsResult } from './phases/stops.ts';
import type { StormsResult } from './phases/storms.ts';

const MEGABYTE = 1024 * 1024;
const LEFT_OUT = 'left out';

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
	const rows: Array<[string, string | number]> = [
		['requests', requests],
		['with a fault', `${faults} (${percent(faults, requests)}), ${kinds.size} kinds`],
		['items', tally.items],
		['  results', tally.results],
		['  errors that name their job', tally.jobErrors],
		['  refused, nothing started', tally.refused],
		[
			'  may have been started',
			`${tally.uncertain}, of which the service has ${tally.uncertainStarted}, and ${tally.uncertainBeside} beside the same of others`,
		],
		['  jobs of others, by address and time only', tally.foreignRead],
		['  scrapes that failed', `${tally.failedScrapes}, of which the service has done ${tally.lostScrapes}`],
		['starts and scrapes at the service', tally.starts],
		[
			'  accounted for',
			tally.results + tally.jobErrors + tally.uncertainStarted + tally.uncertainBeside + tally.lostScrapes,
		],
		['jobs and sessions of others meanwhile', `${tally.foreign}, none ended by the node`],
		['memory per job, once warm', growth === undefined ? 'too few jobs to tell' : `${Math.round(growth)} bytes`],
		...retriedRows('retry storms', storms),
		...retriedRows('loops of three rounds', loops),
		[
			'agents (v2 and v3) that fail, or are killed',
			agents ? `${agents.agents} agents with ${agents.calls} calls, ${agents.starts} starts and scrapes` : LEFT_OUT,
		],
		[
			'n8n killed in a loop',
			`${deaths.deaths} times, ${deaths.startedBefore} jobs by then; ${deaths.finished} brought to a good end by the first Retry`,
		],
		['Stop', `${stops.stopped} of ${stops.executions} executions, ${stops.starts} starts`],
		...[...stops.stages].map(([name, count]): [string, number] => [`  ${name}`, count]),
	];
	print();
	for (const [name, value] of rows) print(`${name.padEnd(46)} ${value}`);
}

function retriedRows(name: string, storms: StormsResult | undefined): Array<[string, string]> {
	if (!storms) return [[name, LEFT_OUT]];
	const { executions, jobs, retries, starts, startedAnew, finished } = storms;
	return [
		[name, `${executions} executions of ${jobs} jobs, ${retries} retries`],
		['  starts', `${starts}, ${startedAnew} again for what had failed or was gone`],
		['  brought to a good end', `${finished} of ${executions}; the others end at a start that may have arrived`],
	];
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
