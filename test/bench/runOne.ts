import { benchmarks } from './benchmark.ts';

/** What a benchmark's process tells the main one: a line of progress, or the rows at its end. */
export type Message = { line: string } | { rows: unknown };

const name = process.argv[2];
const benchmark = benchmarks.find((one) => one.name === name);
if (!benchmark) throw new Error(`There is no benchmark "${name}".`);

const { measure } = await benchmark.load();
const rows = await measure((line) => process.send?.({ line } satisfies Message));
process.send?.({ rows } satisfies Message);
process.disconnect();
