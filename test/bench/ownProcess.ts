import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Benchmark } from './benchmark.ts';
import type { Row } from './row.ts';
import type { Message } from './runOne.ts';

/**
 * Runs one benchmark in a fresh process, so that none warms up or fills the heap for another.
 * Rejects with an Error when it breaks off or takes too long.
 */
export async function runInOwnProcess({ name, mostSeconds }: Benchmark, say: (line: string) => void): Promise<Row[]> {
	const child = fork(fileURLToPath(new URL('./runOne.ts', import.meta.url)), [name], {
		execArgv: ['--expose-gc'],
		stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
	});
	let trouble = '';
	child.stderr?.on('data', (chunk: Buffer) => {
		trouble = (trouble + chunk.toString()).slice(-4000);
	});
	let rows: Row[] | undefined;
	child.on('message', (message: Message) => {
		if ('line' in message) say(message.line);
		else rows = message.rows as Row[];
	});
	let isLate = false;
	const giveUp = setTimeout(() => {
		isLate = true;
		child.kill('SIGKILL');
	}, mostSeconds * 1000);
	const stop = (): void => void child.kill('SIGKILL');
	process.once('exit', stop);
	await new Promise((resolve) => child.once('close', resolve));
	process.off('exit', stop);
	clearTimeout(giveUp);
	if (isLate) throw new Error(`not done after ${mostSeconds} s`);
	if (!rows) throw new Error(`it broke off:\n${trouble}`);
	return rows;
}
