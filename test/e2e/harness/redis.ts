import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import getPort from 'get-port';
import { waitFor } from '../../../tools/n8n/poll.ts';
import { startProgram } from '../../../tools/n8n/processes.ts';
import { temporaryFolder } from './instance.ts';

/** A server of the tests' own. */
export interface TestServer {
	port: number;
	stop(): Promise<void>;
}

/** True when something accepts connections on this loopback port; undefined when not. */
export function accepts(port: number): Promise<true | undefined> {
	return new Promise((resolve) => {
		const socket = connect({ port, host: '127.0.0.1', timeout: 2_000 });
		const end = (answer: true | undefined): void => {
			socket.destroy();
			resolve(answer);
		};
		socket.once('connect', () => end(true));
		socket.once('error', () => end(undefined));
		socket.once('timeout', () => end(undefined));
	});
}

/** Starts Debian's Redis on a free loopback port, with nothing written to disk. */
export async function startRedis(): Promise<TestServer> {
	const folder = temporaryFolder('redis');
	const port = await getPort({ host: '127.0.0.1' });
	const program = await startProgram({
		name: 'redis-server',
		command: 'redis-server',
		args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder],
		cwd: folder,
		env: process.env,
		logFile: path.join(folder, 'redis.log'),
	});
	await waitFor('Redis to accept connections', () => accepts(port), {
		timeoutMs: 45_000,
		intervalMs: 100,
	});
	return {
		port,
		stop: async () => {
			await program.stop(5_000);
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
