import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { readOptions } from '../../tools/demo/options.ts';
import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';

const MAIN = join(__dirname, '../../tools/demo/main.ts');
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

test('--json prints the output items of each example and nothing else', async () => {
	const args = ['--json', 'scrape', 'agent', '--url', 'https://example.com/costs'];
	const { code, out, err } = await demo(KEY, '--base-url', `${sandbox.baseUrl}/v1/`, ...args);
	expect({ code, err }).toEqual({ code: 0, err: '' });
	expect(JSON.parse(out)).toEqual([
		{ step: 'scrape', items: [expect.objectContaining({ url: 'https://example.com/costs' })] },
		{ step: 'agent', items: Array.from({ length: 3 }, () => expect.anything() as unknown) },
	]);
	expect(out + err).not.toContain(KEY);
});

test('without options it shows the main job first: research, what is new a week later, then scrape, crawl, search, data, agent', async () => {
	const { code, out } = await demo('');
	expect(code).toBe(0);
	const titles = [...out.matchAll(/^== (.+)$/gm)].map(([, title]) => title);
	expect(titles).toEqual([
		'18 · Research a question, every statement checked',
		'24 · Three competitors each Monday: one mail, only news',
		'24 · Three competitors each Monday: one mail, only news',
		'17 · Deep research (legacy) that survives a restart',
		'1 · Start here: scrape a page to Markdown',
		'2 · A site to Markdown files',
		'3 · Search the web and read what it finds',
		'4 · Structured data from a page',
		'5 · Companies to rows with an agent',
	]);
	expect(out).toMatch(/Changed: 1 · .*\n\n[^]*Changed: 1 .*\n\n- A ride on a Zippo scooter costs 22 cents a minute\./);
	expect(out).toContain('example.com_costs.md');
	expect(out).toMatch(/Sources:\n\[1\] .+,\s+https:\/\/example\.com\//);
	expect(out).toMatch(/Job …\w+ started · checked after [\d., …]+ s · done after [\d.]+ s/);
	expect(out).not.toMatch(/127\.0\.0\.1/);
	// 80 columns but for what has no space in it, and nothing that only a terminal understands.
	expect(out.split('\n').filter((line) => line.length > 80 && line.trim().includes(' '))).toEqual([]);
	expect(out).not.toContain('\u001b');
	const companies = [...out.matchAll(/ founded (\d+)/g)];
	expect(new Set(companies.map(([, founded]) => founded)).size).toBe(3);
});

test('crash kills n8n between a start and its answer, and shows that the Retry pays nothing more', async () => {
	const { code, out } = await demo('', 'crash');
	expect(code).toBe(0);
	expect(out).toContain('Found 1 job again');
	expect(out.trim().split('\n').at(-1)).toBe('started 1, paid 1');
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
		expect(read([])).toEqual({
			steps: ['research', 'news', 'deepResearch', 'scrape', 'crawl', 'search', 'data', 'agent'],
			json: false,
			isCrash: false,
		});
		expect(read([], 'k')).toMatchObject({
			steps: ['scrape'],
			service: { baseUrl: 'https://api.firecrawl.dev', apiKey: 'k' },
		});
		expect(read(['--base-url', 'http://localhost:3002'])).toMatchObject({
			service: { baseUrl: 'http://localhost:3002', apiKey: '' },
		});
		expect(read(['research'])).toMatchObject({ steps: ['research', 'deepResearch'] });
		expect(() => read(['research'], 'k')).toThrow('runs against the sandbox only');
		expect(read(['--help'])).toBe('help');
	});

	test.each([
		[['everything'], 'everything'],
		[['crash', '--base-url', 'http://localhost:3002'], 'runs alone'],
		[['--url', ''], '--url'],
		[['--query', ' '], '--query'],
		[['--base-url', 'localhost'], '--base-url'],
		[['--base-url', 'ftp://localhost'], '--base-url'],
		[['--unknown'], '--unknown'],
	])('%j are refused', (args, named) => {
		expect(() => read(args)).toThrow(named);
	});
});
