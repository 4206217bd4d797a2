import { parseArgs } from 'node:util';
import { runKills } from './rounds.ts';
import { printAccount, printRound } from './table.ts';

const HELP = `Kills: a real n8n is ended with SIGKILL again and again while it runs durable workflows.

  npm run chaos:kills -- [options]

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
	process.stdout.write(`Kills: ${rounds} rounds, seed ${seed}\n\n`);
	const report = await runKills(rounds, seed, printRound);
	printAccount(report);
	if (report.account.violations.length > 0) process.exitCode = 1;
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
