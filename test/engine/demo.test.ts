import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { readOptions } from '../../demo/options.ts';
import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';

const MAIN = join(__dirname, '../../demo/main.ts');
const KEY = 'fc-a-secret-of-the-test';

interface Ended {
	code: number;
	out: string;
	err: string;
}

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ speed: 50, seed: 1, keys: [KEY], lightWork: true });
});
afterAll(() => sandbox.stop());

const demo = (key: string, ...args: string[]): Promise<Ended> =>
	new Promise((resolve) => {
		const env = { ...process.env, WEB_DATA_API_KEY: key };
		const child = execFile(process.execPath, [MAIN, ...args], { env }, (_error, out, err) =>
			resolve({ code: child.exitCode ?? -1, out, err }),
		);
	});

test('--json prints the output items and nothing else', async () => {
	const args = ['--json', '--items', '2', '--query', 'Are cargo bikes safe?'];
	const { code, out, err } = await demo(KEY, '--base-url', `${sandbox.baseUrl}/v1/`, ...args);
	expect({ code, err }).toEqual({ code: 0, err: '' });
	const items = JSON.parse(out) as unknown[];
	expect(items).toHaveLength(2);
	expect(items[0]).toMatchObject({ query: 'Are cargo bikes safe?', status: 'completed' });
	expect(out + err).not.toContain(KEY);
});

test('a refused key ends in exit code 1 and one sentence without the key', async () => {
	const { code, out, err } = await demo(`${KEY}x`, '--json', '--base-url', sandbox.baseUrl);
	expect({ code, out }).toEqual({ code: 1, out: '' });
	expect(err.trim().split('\n')).toHaveLength(1);
	expect(err).toContain('API key');
	expect(err).not.toContain(KEY);
});

describe('the options', () => {
	const read = (args: string[], key?: string) => readOptions(args, { WEB_DATA_API_KEY: key });

	test('choose the sandbox, the hosted service or an address', () => {
		expect(read([])).toEqual({ items: 1, json: false });
		expect(read([], 'k')).toMatchObject({
			service: { baseUrl: 'https://api.firecrawl.dev', apiKey: 'k' },
		});
		expect(read(['--base-url', 'http://localhost:3002'])).toMatchObject({
			service: { baseUrl: 'http://localhost:3002', apiKey: '' },
		});
		expect(read(['--help'])).toBe('help');
	});

	test.each([
		[['--items', '0'], '--items'],
		[['--items', 'many'], '--items'],
		[['--query', ' '], '--query'],
		[['--base-url', 'localhost'], '--base-url'],
		[['--base-url', 'ftp://localhost'], '--base-url'],
		[['--unknown'], '--unknown'],
	])('%j are refused', (args, named) => {
		expect(() => read(args)).toThrow(named);
	});
});
