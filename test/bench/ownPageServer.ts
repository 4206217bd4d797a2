import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

interface PageServer {
	baseUrl: string;
	stop(): Promise<void>;
}

/** Starts the server of made-up pages in a process of its own. It ends with this process at the latest. */
export async function startPageServer(): Promise<PageServer> {
	const child = fork(fileURLToPath(new URL('./pageServer.ts', import.meta.url)), {
		execArgv: [],
		stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
	});
	const baseUrl = await new Promise<string>((resolve, reject) => {
		child.once('message', (message) => resolve(String(message)));
		child.once('exit', () => reject(new Error('The server of pages did not start.')));
	});
	return {
		baseUrl,
		async stop() {
			const gone = new Promise((resolve) => child.once('exit', resolve));
			child.kill();
			await gone;
		},
	};
}
