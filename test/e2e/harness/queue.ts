import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import getPort from 'get-port';
import { installN8n, type InstalledN8n } from '../../../tools/n8n/install.ts';
import { installPackage } from '../../../tools/n8n/packages.ts';
import { type RunningProgram, startProgram } from '../../../tools/n8n/processes.ts';
import { newestN8n } from '../../../tools/n8n/project.ts';
import { encryptionKey, n8nEnvironment, waitUntilReady } from '../../../tools/n8n/server.ts';
import { Instance, type InstanceOptions, temporaryFolder } from './instance.ts';
import { postgresUser, startPostgres } from './postgres.ts';
import { startRedis } from './redis.ts';

/** n8n in queue mode: one main that serves the editor, and workers that run the executions. */
export interface QueueMode {
	main: Instance;
	workers: RunningProgram[];
	/** Starts one more worker, with variables of its own on top of those that all have. */
	addWorker(own?: Record<string, string>): Promise<RunningProgram>;
	dispose(): Promise<void>;
}

/** n8n's own times for a lost worker are a minute and half a minute; a sixth of them shows the same. */
export const fasterStalls = {
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};

/** What queue mode is started with. */
interface QueueOptions extends InstanceOptions {
	workers?: number;
	/** Executions that one worker runs side by side. */
	concurrency?: number;
}

interface WorkerSetup {
	installed: InstalledN8n;
	folder: string;
	env: Record<string, string>;
	concurrency: number;
	tarball: string | undefined;
}

/** Starts a worker with a folder of its own, as on another machine: only queue and database are shared. */
async function startWorker({ installed, folder, env, concurrency, tarball }: WorkerSetup): Promise<RunningProgram> {
	mkdirSync(folder, { recursive: true });
	if (tarball !== undefined) await installPackage(folder, tarball);
	const port = await getPort({ host: '127.0.0.1' });
	const program = await startProgram({
		name: path.basename(folder),
		command: installed.nodeBinary,
		args: [installed.n8nBinary, 'worker', `--concurrency=${concurrency}`],
		cwd: folder,
		env: {
			...(await n8nEnvironment(installed, folder, env)),
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: String(port),
			N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
		},
		logFile: path.join(folder, 'worker.log'),
	});
	await waitUntilReady(program, [`http://127.0.0.1:${port}/healthz/readiness`], 120_000);
	return program;
}

/**
 * Starts Redis, PostgreSQL, an n8n main and its workers (2 unless told), all on free loopback ports
 * and in temporary folders. When a part does not start, the others are ended.
 */
export async function startQueueMode(options: QueueOptions = {}): Promise<QueueMode> {
	const folder = options.dataFolder ?? temporaryFolder('queue');
	const endings: Array<() => Promise<void>> = [];
	const dispose = async (): Promise<void> => {
		for (const end of endings.splice(0).reverse()) await end();
		if (options.dataFolder === undefined) rmSync(folder, { recursive: true, force: true });
	};
	try {
		const installed = await installN8n(options.version ?? newestN8n);
		const redis = await startRedis();
		endings.push(() => redis.stop());
		const postgres = await startPostgres();
		endings.push(() => postgres.stop());
		const mainFolder = path.join(folder, 'main');
		const env: Record<string, string> = {
			EXECUTIONS_MODE: 'queue',
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(postgres.port),
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: postgresUser,
			DB_POSTGRESDB_PASSWORD: 'none',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			// Manual runs go to the workers too: the same code runs them all.
			OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
			N8N_ENCRYPTION_KEY: encryptionKey(mainFolder),
			...options.env,
		};
		// The main goes first: it brings the database's tables up to date.
		const main = await Instance.start({ ...options, env, dataFolder: mainFolder });
		endings.push(() => main.end());
		// A worker makes the address to call a waiting execution; the main process answers there, workers do not.
		const workerEnv = { ...env, WEBHOOK_URL: `${main.running.baseUrl}/`, ...options.env };
		const workers: RunningProgram[] = [];
		let numbered = 0;
		const addWorker = async (own: Record<string, string> = {}): Promise<RunningProgram> => {
			const worker = await startWorker({
				installed,
				folder: path.join(folder, `worker-${(numbered += 1)}`),
				env: { ...workerEnv, ...own },
				concurrency: options.concurrency ?? 10,
				tarball: options.tarball,
			});
			workers.push(worker);
			endings.push(() => worker.stop(15_000));
			return worker;
		};
		// Side by side. When one does not start, those that do are known by the time all are ended.
		const starting = Array.from({ length: options.workers ?? 2 }, async () => await addWorker());
		await Promise.allSettled(starting);
		await Promise.all(starting);
		return {
			main,
			workers,
			addWorker,
			dispose,
		};
	} catch (error) {
		await dispose();
		throw error;
	}
}
