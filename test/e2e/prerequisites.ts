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

/** How apt-get is called here; undefined where it may not be. CI is no root, but may become one. */
function aptGet(): string[] | undefined {
	const call = [...(process.getuid?.() === 0 ? [] : ['sudo', '-n']), 'apt-get'];
	const [program = '', ...args] = call;
	return spawnSync(program, [...args, '--version']).status === 0 ? call : undefined;
}

function run(command: string[]): void {
	console.log(command.join(' '));
	const [program = '', ...args] = command;
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	spawnSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'], env, timeout: 600_000 });
}

const before = missing();
const apt = aptGet();
if (before.length === 0) {
	console.log('Chromium, Redis and PostgreSQL are there.');
} else if (apt === undefined) {
	console.error(`Missing: ${before.join(', ')}. Install them (on Debian: apt-get install ${before.join(' ')}).`);
	process.exitCode = 1;
} else {
	run([...apt, 'update', '-qq']);
	run([...apt, 'install', '-y', '-qq', '--no-install-recommends', ...before]);
	const after = missing();
	if (after.length > 0) {
		console.error(`Still missing after apt-get install: ${after.join(', ')}.`);
		process.exitCode = 1;
	}
}
