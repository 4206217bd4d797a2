/** `npm start`: the n8n editor with this package, a service and the examples, until Ctrl-C. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Demo, startDemo } from './demo.ts';
import { withFolderLock } from './folder-lock.ts';
import { newestN8n, projectRoot, readN8nVersion } from './project.ts';
import { within } from './processes.ts';

/** The example that the credential of the demo is not enough for: its name says what it needs. */
const needsMore = ({ name }: { name: string }): boolean => name.includes('(needs ');

const TO_TRY = [
	'  Try as URL    https://example.com/try/changing      a page that changes with each visit',
	'                https://example.com/try/minute        60 pages to crawl, one minute: see the wait, press Stop',
	'                https://example.com/try/refuse-402    no credits left: see what the node says',
	'                More in docs/SANDBOX.md',
];

function welcome({ n8n, owner, service, workflows }: Demo): string {
	const first = workflows.at(0);
	const open = first === undefined ? n8n.baseUrl : `${n8n.baseUrl}/workflow/${first.id}`;
	const ready = workflows.filter((workflow) => !needsMore(workflow));
	const others = workflows.filter(needsMore).map(({ name }) => name);
	return [
		'',
		`${n8n.program.name} is ready: ${n8n.baseUrl}`,
		`  Log in with   ${owner.email}   ${owner.password}`,
		`  Start here    ${open}${first === undefined ? '' : `   (${first.name})`}`,
		`  Workflows     ${ready.length} examples, ready to run with the credential "Web Data"`,
		...others.map((name) => `                and ${name}`),
		`  Service       ${service.name}`,
		...(service.isSandbox ? TO_TRY : []),
		'Ctrl-C ends everything.',
		'',
	].join('\n');
}

/** Settles at the first signal to end; a second one does not wait for a graceful end. */
function askedToEnd(): Promise<void> {
	return new Promise((resolve) => {
		let asked = false;
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
			process.on(signal, () => {
				if (asked) process.exit(130);
				asked = true;
				resolve();
			});
		}
	});
}

async function main(): Promise<void> {
	const root = projectRoot();
	const version = readN8nVersion(process.argv[2] ?? newestN8n);
	const dataFolder = path.join(root, '.n8n-data', version);
	mkdirSync(dataFolder, { recursive: true });
	const ending = askedToEnd();
	const alone = {
		timeoutMs: 12_000,
		onWait: () => console.log('Looking whether another npm start runs on the same data'),
		busy: 'Another npm start is running on the same data; end it first.',
	};
	await withFolderLock(path.join(dataFolder, 'in-use'), alone, async () => {
		const starting = startDemo({ root, version, dataFolder, env: process.env, say: console.log });
		// Ended while it was still starting: the exit handlers end what was started.
		const demo = await Promise.race([starting, ending]);
		if (demo === undefined) return;
		console.log(welcome(demo));
		const ended = await Promise.race([ending, demo.n8n.program.exited]);
		if (ended !== undefined) throw new Error(`n8n ended by itself (${ended}). Its log is ${demo.n8n.program.logFile}.`);
		console.log('\nEnding n8n and the service');
		await within(demo.stop(), 20_000);
	});
}

try {
	await main();
	process.exit(0);
} catch (error) {
	console.error(error instanceof Error ? error.message : String(error));
	process.exit(1);
}
