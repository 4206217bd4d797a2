import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { benchmarks } from './benchmarks.ts';
import { runInOwnProcess } from './ownProcess.ts';
import { tableText } from './table.ts';
import type { Benchmark } from './benchmark.ts';
import type { Row } from './row.ts';

const HELP = `Measures the built node against floors, rivals and an oracle. Uses the loopback address only.

  npm run bench -- [options]

  --only NAME    one of: ${benchmarks.map(({ name }) => name).join(', ')}; may be given several times
  --quick        the ones of virtual time and of seconds only
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

async function main(): Promise<number> {
	const { values } = parseArgs({
		options: {
			only: { type: 'string', multiple: true, default: [] },
			quick: { type: 'boolean', default: false },
			json: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) {
		process.stdout.write(HELP);
		return 0;
	}
	const rows: Row[] = [];
	for (const benchmark of chosen(values.only, values.quick)) {
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

try {
	process.exitCode = await main();
} catch (error) {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
}
