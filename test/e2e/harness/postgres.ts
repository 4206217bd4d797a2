import { execFile, execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import getPort from 'get-port';
import { waitFor } from '../../../tools/n8n/poll.ts';
import { startProgram } from '../../../tools/n8n/processes.ts';
import { temporaryFolder } from './instance.ts';
import type { TestServer } from './redis.ts';

/** The database user; it may do anything and needs no password. */
export const postgresUser = 'n8n';

/** The folder of PostgreSQL's programs: Debian keeps one per version and puts none on the PATH. */
function programs(): string {
	const root = '/usr/lib/postgresql';
	const versions = existsSync(root) ? readdirSync(root) : [];
	const folders = versions
		.sort((a, b) => Number(b) - Number(a))
		.map((version) => path.join(root, version, 'bin'))
		.filter((folder) => existsSync(path.join(folder, 'initdb')));
	const [newest] = folders;
	if (newest === undefined) throw new Error('PostgreSQL is not installed: no initdb below /usr/lib/postgresql.');
	return newest;
}

/** PostgreSQL refuses to run as root: root runs it as the user that Debian's package made for it. */
function serverUser(): { uid?: number; gid?: number } {
	if (process.getuid?.() !== 0) return {};
	const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
	return { uid: id('-u'), gid: id('-g') };
}

/** The rows that a statement gives, each with its columns as text. Asks in the database `postgres`. */
export async function queryPostgres({ port }: TestServer, statement: string, user = postgresUser): Promise<string[][]> {
	const args = ['-h', '127.0.0.1', '-p', String(port), '-U', user, '-d', 'postgres'];
	const asked = [...args, '--no-psqlrc', '-At', '-F', '\t', '-c', statement];
	const { stdout } = await promisify(execFile)(path.join(programs(), 'psql'), asked, {
		timeout: 30_000,
		maxBuffer: 64 * 1024 * 1024,
	});
	const lines = stdout.split('\n').filter((line) => line !== '');
	return lines.map((line) => line.split('\t'));
}

/** Starts Debian's PostgreSQL with a new, empty database `postgres` on a free loopback port. */
export async function startPostgres(): Promise<TestServer> {
	const bin = programs();
	const user = serverUser();
	const folder = temporaryFolder('postgres');
	const data = path.join(folder, 'data');
	mkdirSync(data, { mode: 0o700 });
	if (user.uid !== undefined && user.gid !== undefined) {
		chownSync(folder, user.uid, user.gid);
		chownSync(data, user.uid, user.gid);
	}
	const init = ['-D', data, '-U', postgresUser, '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C'];
	await promisify(execFile)(path.join(bin, 'initdb'), init, {
		...user,
		cwd: folder,
		timeout: 60_000,
	});
	const port = await getPort({ host: '127.0.0.1' });
	const program = await startProgram({
		name: 'postgres',
		command: path.join(bin, 'postgres'),
		// Nothing here must survive a power cut, and no socket file is needed.
		args: ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', '', '-F', '-c', 'max_connections=100'],
		cwd: folder,
		env: process.env,
		logFile: path.join(folder, 'postgres.log'),
		...user,
	});
	const ready = async (): Promise<true> => {
		const probe = ['-h', '127.0.0.1', '-p', String(port), '-U', postgresUser, '-t', '2'];
		await promisify(execFile)(path.join(bin, 'pg_isready'), probe, { timeout: 5_000 });
		return true;
	};
	try {
		await waitFor('PostgreSQL to accept connections', ready, { timeoutMs: 90_000 });
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
