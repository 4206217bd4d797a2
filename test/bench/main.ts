import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { benchmarks } from './benchmark.ts';
import type { Benchmark } from './benchmark.ts';
import { runInOwnProcess } from './ownProcess.ts';
import { tableText } from './row.ts';
import type { Row } from './row.ts';

const HELP = `Measures the built node against floors. Uses the loopback address only.

  npm run bench -- [options]

  --only NAME    one of: ${benchmarks.map(({ name }) => name).join(', ')}; may be given several times
  --quick        those of seconds only
  --json FILE    writes the rows as JSON as well
  --help         show this
`;

function chosen(only: readonly string[], quick: boolean): readonly Benchmark[] {
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

/** Measures what the command line asks for, and prints the table; exit code 1 when a target is missed. */
async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			only: { type: 'string', multiple: true, default: [] },
			quick: { type: 'boolean', default: false },
			json: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return void process.stdout.write(HELP);
	const rows: Row[] = [];
	for (const benchmark of chosen(values.only, values.quick)) rows.push(...(await rowsOf(benchmark)));
	process.stdout.write(`${tableText(rows)}\n`);
	if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(rows, null, 2)}\n`);
	const missed = rows.filter(({ pass }) => !pass).length;
	const measured = rows.filter(({ target }) => target !== null).length;
	process.stdout.write(`\n${measured - missed} of ${measured} targets met\n`);
	process.exitCode = missed > 0 ? 1 : 0;
}

main().catch((error: unknown) => {
	say(error instanceof Error ? error.message : String(error));
	process.exitCode = 1;
});
