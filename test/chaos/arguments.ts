import { parseArgs } from 'node:util';

const HELP = `Chaos: researches, crawls, batch scrapes and scrapes in n8n's own engine against a sandbox that fails a share of all requests.

  npm run chaos -- [options]

  --jobs NUMBER    how many jobs (default 10000)
  --share NUMBER   share of the requests that suffer a fault, 0 to 1 (default 0.2)
  --seed NUMBER    makes the faults repeatable (default: drawn, and printed)
  --lists WORD     whether the service lists its jobs: present (default) or missing
  --lag NUMBER     how far status and lists are behind at most, in milliseconds (default 10000)
  --short          leaves out agents, loops, and faults that take a minute each
  --help           show this

Exit code 1 when a promise is broken. 10,000 jobs take some 20 minutes, 50 with --short about 2.
`;

export interface ChaosArguments {
	jobs: number;
	share: number;
	seed: number;
	/** Without agents, loops, and faults that take a minute each. */
	short: boolean;
	lists: 'present' | 'missing';
	/** How far status and lists are behind at most, in milliseconds. */
	lagMs: number;
}

/** Reads the command line; undefined when only help was wanted, which is printed. Throws for what makes no sense. */
export function readArguments(): ChaosArguments | undefined {
	const drawn = Math.floor(Math.random() * 2 ** 20);
	const { values } = parseArgs({
		options: {
			jobs: { type: 'string', default: '10000' },
			share: { type: 'string', default: '0.2' },
			seed: { type: 'string', default: String(drawn) },
			lists: { type: 'string', default: 'present' },
			lag: { type: 'string', default: '10000' },
			short: { type: 'boolean', default: false },
			help: { type: 'boolean', short: 'h', default: false },
		},
	});
	if (values.help) {
		process.stdout.write(HELP);
		return undefined;
	}
	return {
		jobs: Math.floor(readNumber('jobs', values.jobs, 1, 1_000_000)),
		share: readNumber('share', values.share, 0, 1),
		seed: Math.floor(readNumber('seed', values.seed, 0, 2 ** 31)),
		short: values.short,
		lists: readLists(values.lists),
		lagMs: readNumber('lag', values.lag, 0, 60_000),
	};
}

function readNumber(name: string, text: string, least: number, most: number): number {
	const value = Number(text);
	if (text.trim() === '' || !(value >= least && value <= most)) {
		throw new Error(`--${name} must be a number from ${least} to ${most}, not "${text}".`);
	}
	return value;
}

function readLists(text: string): 'present' | 'missing' {
	if (text === 'present' || text === 'missing') return text;
	throw new Error(`--lists must be present or missing, not "${text}".`);
}
