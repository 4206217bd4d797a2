/** Installs what the end-to-end tests need from Debian: a browser, Redis and PostgreSQL. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const needed = [
	{
		package: 'chromium',
		present: () => existsSync('/usr/bin/chromium') || Boolean(process.env.CHROMIUM_PATH),
	},
	{ package: 'redis-server', present: () => spawnSync('redis-server', ['--version']).status === 0 },
	{ package: 'postgresql', present: () => existsSync('/usr/lib/postgresql') },
];

function missing(): string[] {
	return needed.filter(({ present }) => !present()).map((entry) => entry.package);
}

function run(command: string, args: string[]): boolean {
	console.log(`${command} ${args.join(' ')}`);
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	return (
		spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], env, timeout: 600_000 })
			.status === 0
	);
}

const before = missing();
if (before.length === 0) {
	console.log('Chromium, Redis and PostgreSQL are there.');
} else if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) {
	console.error(
		`Missing: ${before.join(', ')}. Install them (on Debian: apt-get install ${before.join(' ')}).`,
	);
	process.exitCode = 1;
} else {
	run('apt-get', ['update', '-qq']);
	run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...before]);
	const after = missing();
	if (after.length > 0) {
		console.error(`Still missing after apt-get install: ${after.join(', ')}.`);
		process.exitCode = 1;
	}
}
