import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { runInOwnProcess } from './ownProcess.ts';
import { tableText } from './table.ts';
import type { Benchmark } from './benchmark.ts';
import type { Row } from './row.ts';

/** A command of npm that measures. */
export interface BenchCommand {
	/** The name of its script in package.json. */
	script: string;
	/** What it measures, a sentence. */
	about: string;
	benchmarks: readonly Benchmark[];
}

function helpOf({ script, about, benchmarks }: BenchCommand): string {
	return `${about}

  npm run ${script} -- [options]

  --only NAME    one of: ${benchmarks.map(({ name }) => name).join(', ')}; may be given several times
  --quick        the ones of virtual time and of seconds only
  --json FILE    writes the rows as JSON as well
  --help         show this
`;
}

function chosen(benchmarks: readonly Benchmark[], only: readonly string[], quick: boolean): readonly Benchmark[] {
	const unknown = only.find((name) => !benchmarks.some((one) => one.name === name));
	if (unknown !== undefined) throw new Error(`There is no benchmark "${unknown}"; see --help.`);
	if (only.length > 0) return benchmarks.filter(({ name }) => only.includes(name));
	return benchmarks.filter((benchmark) => benchmark.quick || !quick);
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** The rows of a benchmark; one that breaks off gives a row that misses. */
async function rowsOf(benchmark: Benchmark): Promise<Row[]> {
	say(`${benchmark.name} …`);
	try {
		return await runInOwnProcess(benchmark, (line) => say(`  ${line}`));
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		say(`  ${reason}`);
		const { name } = benchmark;
		const nothing = { value: 0, unit: '', reference: null, ratio: null };
		return [{ name: `${name}: not measured`, ...nothing, target: 'it ends', pass: false }];
	}
}

/** Measures what the command line asks for, prints the table; 1 when a target is missed. */
async function measured(command: BenchCommand): Promise<number> {
	const { values } = parseArgs({
		options: {
			only: { type: 'string', multiple: true, default: [] },
			quick: { type: 'boolean', default: false },
			json: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) {
		process.stdout.write(helpOf(command));
		return 0;
	}
	const rows: Row[] = [];
	for (const benchmark of chosen(command.benchmarks, values.only, values.quick)) {
		rows.push(...(await rowsOf(benchmark)));
	}
	process.stdout.write(`${tableText(rows)}\n`);
	if (values.json !== undefined) {
		await writeFile(values.json, `${JSON.stringify(rows, null, 2)}\n`);
	}
	const missed = rows.filter(({ pass }) => !pass).length;
	const measured = rows.filter(({ target }) => target !== null).length;
	process.stdout.write(`\n${measured - missed} of ${measured} targets met\n`);
	return missed > 0 ? 1 : 0;
}

/** Runs a command of npm that measures; the exit code of this process says whether all targets are met. */
export async function runCommand(command: BenchCommand): Promise<void> {
	try {
		process.exitCode = await measured(command);
	} catch (error) {
		process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
		process.exitCode = 1;
	}
}
