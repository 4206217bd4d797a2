import { parseArgs } from 'node:util';
import { runKills } from './rounds.ts';
import type { Report, Round } from './rounds.ts';

const HELP = `Kills: a real n8n is ended with SIGKILL again and again while it runs durable workflows.

  npm run kills -- [options]

  --rounds NUMBER  how many kills (default 20)
  --seed NUMBER    draws the moments (default: drawn, and printed)
  --help           show this

Exit code 1 when a promise is broken. 20 rounds take some 15 minutes.
`;

function readWhole(name: string, text: string, least: number): number {
	const value = Number(text);
	if (text.trim() !== '' && Number.isInteger(value) && value >= least) return value;
	throw new Error(`--${name} must be a whole number from ${least}, not "${text}".`);
}

function print(line = ''): void {
	process.stdout.write(`${line}\n`);
}

/** The moment that was drawn, and what it has met. */
function printRound({ number, kill: { moment, delayMs }, met }: Round): void {
	print(`${String(number).padStart(3)}  ${moment} + ${delayMs} ms: ${met.join('; ') || 'nothing'}`);
}

/** What the run came to. */
function printReport({ rounds, courses, account: { violations, ...counts }, seconds }: Report): void {
	const executionsMet = rounds.flatMap(({ met }) => met).length;
	const retries = courses.reduce((sum, course) => sum + course.retries, 0);
	const left = courses.reduce((sum, course) => sum + course.left.size, 0);
	const refusals = courses.flatMap(({ withoutRetry }) => [...withoutRetry.values()]);
	const minutes = (seconds / 60).toFixed(1);
	print();
	for (const [name, value] of Object.entries({
		kills: rounds.length,
		executionsMet,
		retries,
		left,
		...counts,
		minutes,
	})) {
		print(`${name.padEnd(16)} ${value}`);
	}
	for (const refusal of refusals) print(`n8n refused a retry: ${refusal}`);
	print();
	if (violations.length === 0) return print('All promises kept.');
	print(`${violations.length} promises broken:`);
	for (const violation of violations) print(`  ${violation}`);
}

async function main(): Promise<void> {
	const drawn = String(Math.floor(Math.random() * 2 ** 20));
	const { values } = parseArgs({
		options: {
			rounds: { type: 'string', default: '20' },
			seed: { type: 'string', default: drawn },
			help: { type: 'boolean', short: 'h', default: false },
		},
	});
	if (values.help) return void process.stdout.write(HELP);
	const rounds = readWhole('rounds', values.rounds, 1);
	const seed = readWhole('seed', values.seed, 0);
	print(`Kills: ${rounds} rounds, seed ${seed}\n`);
	const report = await runKills(rounds, seed, printRound);
	printReport(report);
	if (report.account.violations.length > 0) process.exitCode = 1;
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
