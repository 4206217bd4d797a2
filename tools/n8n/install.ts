import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { withFolderLock } from './folder-lock.ts';
import { runNpm } from './npm.ts';
import { type N8nVersion, projectRoot } from './project.ts';

/** An n8n that is ready to be started. */
export interface InstalledN8n {
	version: N8nVersion;
	/** The folder it is installed in, outside the clone. */
	dir: string;
	/** The Node.js it was made for. */
	nodeBinary: string;
	/** The script to run with that Node.js. */
	n8nBinary: string;
}

/**
 * Packages with compiled parts: npm ran no install step of any package, these need theirs. n8n 1.123
 * comes with an isolated-vm that needs Node.js 22; on its Node.js 20 it is neither built nor loaded.
 */
const compiledPackages: Record<N8nVersion, string[]> = {
	'2.41': ['sqlite3', 'isolated-vm'],
	'2.40': ['sqlite3', 'isolated-vm'],
	'1.123': ['sqlite3'],
};
const minute = 60_000;
const doneMarker = 'installed.json';

/**
 * Where n8n installations are kept: `WEB_DATA_N8N_CACHE`, or `n8n-nodes-web-data` in the user's
 * cache folder.
 */
export function n8nCacheFolder(env: NodeJS.ProcessEnv = process.env): string {
	if (env.WEB_DATA_N8N_CACHE) return path.resolve(env.WEB_DATA_N8N_CACHE);
	return path.join(env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'n8n-nodes-web-data');
}

/** The folder of one installation: another lock file is another folder. */
function installFolder(version: N8nVersion, definition: string): string {
	const hash = createHash('sha256');
	for (const file of ['package.json', 'package-lock.json']) hash.update(readFileSync(path.join(definition, file)));
	return path.join(n8nCacheFolder(), `n8n-${version}-${hash.digest('hex').slice(0, 12)}`);
}

async function sizeInMb(folder: string): Promise<string> {
	try {
		const { stdout } = await promisify(execFile)('du', ['-sk', folder], { timeout: 20_000 });
		return `${Math.round(Number.parseInt(stdout, 10) / 1024)} MB so far`;
	} catch {
		// No du on this system, or a folder that npm was just moving: progress goes without a size.
		return 'still running';
	}
}

async function installInto(
	dir: string,
	definition: string,
	version: N8nVersion,
	say: (line: string) => void,
): Promise<void> {
	const began = Date.now();
	const elapsed = (): string => `${Math.round((Date.now() - began) / 1000)} s`;
	const logFile = path.join(dir, 'install.log');
	const npm = async (what: string, args: string[], nodeBinary?: string): Promise<void> => {
		say(`  ${what}`);
		// What is compiled grows by little: its size would look like a standstill.
		const onTick = async (): Promise<void> =>
			say(`  ${elapsed()}: ${nodeBinary ? 'still compiling' : await sizeInMb(dir)}`);
		await runNpm({
			cwd: dir,
			args,
			logFile,
			timeoutMs: 25 * minute,
			onTick,
			...(nodeBinary ? { nodeBinary } : {}),
		});
	};

	// What is there without a marker was broken off: start again from nothing.
	rmSync(dir, { recursive: true, force: true });
	mkdirSync(dir, { recursive: true });
	for (const file of ['package.json', 'package-lock.json'])
		copyFileSync(path.join(definition, file), path.join(dir, file));

	say(`Installing n8n ${version} into ${dir}. This is done once and takes about ten minutes.`);
	await npm('Downloading n8n and its packages', [
		'ci',
		'--legacy-peer-deps',
		'--ignore-scripts',
		'--no-audit',
		'--no-fund',
	]);
	await npm('Fetching the Node.js it runs on', rebuild('node'));
	// Compiled with the Node.js that will load them, not with whichever one is running this.
	const compiled = compiledPackages[version].join(', ');
	await npm(
		`Compiling its native parts, the longest step: ${compiled}`,
		rebuild(...compiledPackages[version]),
		nodeIn(dir),
	);
	writeFileSync(
		path.join(dir, doneMarker),
		JSON.stringify({ version, seconds: Math.round((Date.now() - began) / 1000) }),
	);
	say(`n8n ${version} is installed (${elapsed()}).`);
}

/** Since version 12 npm runs no install script unless told, of packages that are named here neither. */
function rebuild(...packages: readonly string[]): string[] {
	return ['rebuild', '--dangerously-allow-all-scripts', ...packages];
}

function nodeIn(dir: string): string {
	return path.join(dir, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/**
 * The n8n of this line, installed once per machine: from the second time on this returns at once.
 * A broken-off installation is made again; two processes never install at the same time.
 *
 * @param say where progress is reported, line by line
 * @throws when the installation fails, with the end of npm's log.
 */
export async function installN8n(
	version: N8nVersion,
	say: (line: string) => void = console.log,
	root: string = projectRoot(),
): Promise<InstalledN8n> {
	const definition = path.join(root, 'tools', 'n8n', 'versions', version);
	const dir = installFolder(version, definition);
	const installed: InstalledN8n = {
		version,
		dir,
		nodeBinary: nodeIn(dir),
		n8nBinary: path.join(dir, 'node_modules', 'n8n', 'bin', 'n8n'),
	};
	const isDone = (): boolean => existsSync(path.join(dir, doneMarker));
	if (isDone()) return installed;

	mkdirSync(path.dirname(dir), { recursive: true });
	const waiting = {
		timeoutMs: 40 * minute,
		onWait: () => say('Another process is installing n8n; waiting for it.'),
		busy: `Another process has been installing n8n ${version} for 40 minutes; end it and try again.`,
	};
	await withFolderLock(dir, waiting, async () => {
		if (isDone()) return;
		try {
			await installInto(dir, definition, version, say);
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			throw new Error(`n8n ${version} could not be installed. ${reason}`);
		}
	});
	return installed;
}
