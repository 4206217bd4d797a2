import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import getPort from 'get-port';
import { withFolderLock } from '../../../n8n/folder-lock.ts';
import { n8nCacheFolder } from '../../../n8n/install.ts';
import { runNpm } from '../../../n8n/npm.ts';
import { waitFor } from '../../../n8n/poll.ts';
import { startProgram } from '../../../n8n/processes.ts';
import { projectRoot } from '../../../n8n/project.ts';
import { temporaryFolder } from './instance.ts';
import { postgresUser } from './postgres.ts';
import { accepts, type TestServer } from './redis.ts';

const FILES = ['package.json', 'package-lock.json'];
const minute = 60_000;

/** The folder with PostgreSQL and pgvector as WebAssembly, installed once per machine, beside the n8n lines. */
async function installed(): Promise<string> {
	const definition = path.join(projectRoot(), 'test', 'e2e', 'pgvector');
	const hash = createHash('sha256');
	for (const file of FILES) hash.update(readFileSync(path.join(definition, file)));
	const dir = path.join(n8nCacheFolder(), `pgvector-${hash.digest('hex').slice(0, 12)}`);
	const marker = path.join(dir, 'installed.json');
	mkdirSync(path.dirname(dir), { recursive: true });
	const waiting = { timeoutMs: 10 * minute, busy: 'Another process is installing pgvector.' };
	await withFolderLock(dir, waiting, async () => {
		if (existsSync(marker)) return;
		// What is there without a marker was broken off: start again from nothing.
		rmSync(dir, { recursive: true, force: true });
		mkdirSync(dir, { recursive: true });
		for (const file of FILES) copyFileSync(path.join(definition, file), path.join(dir, file));
		const args = ['ci', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];
		const logFile = path.join(dir, 'install.log');
		await runNpm({ cwd: dir, args, logFile, timeoutMs: 5 * minute });
		writeFileSync(marker, '{}');
	});
	return dir;
}

/**
 * Starts a PostgreSQL that knows the type `vector`, in memory, on a free loopback port. Debian 12 has no pgvector
 * for its own PostgreSQL, so this is one that npm brings. Its database is `postgres`.
 */
export async function startPgvector(): Promise<TestServer> {
	const dir = await installed();
	const folder = temporaryFolder('pgvector');
	const port = await getPort({ host: '127.0.0.1' });
	const program = await startProgram({
		name: 'pglite-server',
		command: process.execPath,
		args: [
			path.join(dir, 'node_modules/@electric-sql/pglite-socket/dist/scripts/server.js'),
			`--port=${port}`,
			'--extensions=@electric-sql/pglite-pgvector:vector',
			'--max-connections=50',
		],
		cwd: dir,
		env: process.env,
		logFile: path.join(folder, 'pglite.log'),
	});
	try {
		await waitFor('pglite to accept connections', () => accepts(port), { timeoutMs: minute });
	} catch (error) {
		await program.kill();
		throw new Error(`${error instanceof Error ? error.message : String(error)}\n${program.tail()}`);
	}
	return {
		port,
		stop: async () => {
			await program.stop(5_000);
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

/** What n8n's Postgres credential holds for a server of the tests. */
export function postgresData({ port }: TestServer, user = postgresUser): object {
	return {
		host: '127.0.0.1',
		port,
		database: 'postgres',
		user,
		password: 'none',
		ssl: 'disable',
	};
}
