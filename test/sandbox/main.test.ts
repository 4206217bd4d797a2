import { spawn } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
// The project's own Node: it runs TypeScript as it is, whatever Node runs the tests.
const NODE = join(ROOT, 'node_modules', 'node', 'bin', 'node');

interface Ran {
	code: number | null;
	out: string;
	errors: string;
}

/** Runs the command; interrupts it once it says how to stop. */
function run(...args: string[]): Promise<Ran> {
	return new Promise((resolve, reject) => {
		const child = spawn(NODE, [join(ROOT, 'sandbox', 'main.ts'), ...args]);
		let out = '';
		let errors = '';
		child.stdout.on('data', (text: Buffer) => {
			out += text.toString();
			if (out.includes('Ctrl-C')) child.kill('SIGINT');
		});
		child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
		child.on('error', reject);
		child.on('close', (code) => resolve({ code, out, errors }));
	});
}

it('says where it listens and what it is, and ends on Ctrl-C', async () => {
	const { code, out, errors } = await run('--port', '0', '--plan', 'free', '--speed', '10', '--key', 'fc-mine');
	expect(errors).toBe('');
	expect(code).toBe(0);
	expect(out).toMatch(/Base URL +http:\/\/127\.0\.0\.1:\d+/);
	expect(out).toMatch(/API key +fc-mine/);
	expect(out).toMatch(/Plan +free/);
	expect(out).toContain('no language model');
});

it('explains its options', async () => {
	const { code, out } = await run('--help');
	expect(code).toBe(0);
	for (const option of ['--port', '--speed', '--plan', '--seed', '--key']) expect(out).toContain(option);
});

it.each([
	[['--port', 'abc'], '--port must be a number from 0 to 65535, not "abc".\n'],
	[['--port', '0', '--plan', 'gold'], 'There is no plan "gold"; choose one of free, unlimited.\n'],
	[['--speed', '-1'], expect.stringContaining('--speed')],
	[['--nonsense'], expect.stringContaining('--nonsense')],
])('refuses %j in one sentence', async (args, message) => {
	const { code, out, errors } = await run(...args);
	expect([code, out, errors]).toEqual([1, '', message]);
	expect(errors.trim().split('\n')).toHaveLength(1);
});
