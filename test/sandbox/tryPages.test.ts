/** The addresses of docs/SANDBOX.md that misbehave, asked for over HTTP as the node does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox } from '../../sandbox/server.ts';
import { ask, field, jobEnded, until } from './client.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import type { Seen } from './client.ts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ speed: 1000, seed: 1, chromiumPath: null });
});
afterAll(() => sandbox.stop());

const scrape = (name: string, options: object = {}): Promise<Seen> =>
	ask(sandbox, 'POST', '/v2/scrape', {
		body: { url: `https://example.com/try/${name}`, maxAge: 0, ...options },
	});

/** What each address of the table does; the table may name no other. */
const cases: Record<string, () => Promise<void>> = {
	changing: async () => {
		const texts = [await scrape('changing'), await scrape('changing')].map(({ body }) =>
			field(body, 'data.markdown'),
		);
		expect(texts[0]).toContain('version 1');
		expect(texts[1]).toContain('version 2');
	},
	slow: async () => {
		const { body } = await scrape('slow');
		expect(field(body, 'data.markdown')).toContain('This took 10 seconds');
	},
	empty: async () => {
		const { status, body } = await scrape('empty');
		expect([status, field(body, 'data.markdown')]).toEqual([200, '']);
	},
	missing: async () => {
		const { status, body } = await scrape('missing');
		expect([status, field(body, 'data.metadata.statusCode')]).toEqual([200, 404]);
	},
	error: async () => {
		const { status, body } = await scrape('error');
		expect([status, field(body, 'data.metadata.statusCode')]).toEqual([200, 500]);
	},
	broken: async () => {
		const { body } = await scrape('broken');
		expect(field(body, 'success')).toBe(false);
	},
	'refuse-402': async () => {
		expect((await scrape('refuse-402')).status).toBe(402);
	},
	'refuse-503': async () => {
		expect((await scrape('refuse-503')).status).toBe(503);
	},
	'refuse-429': async () => {
		const statuses = new Set<number>();
		await until('both answers', async () => {
			statuses.add((await scrape('refuse-429')).status);
			return statuses.size === 2;
		});
		expect([...statuses].sort((one, other) => one - other)).toEqual([200, 429]);
	},
	'fail-job': async () => {
		const url = 'https://example.com/try/fail-job';
		const started = await ask(sandbox, 'POST', '/v2/crawl', { body: { url, limit: 1 } });
		const id = String(field(started.body, 'id'));
		expect(field(await jobEnded(sandbox, '/v2/crawl', id), 'status')).toBe('failed');
	},
};

it.each(Object.entries(cases))(
	'https://example.com/try/%s does what its row says',
	async (_, run) => run(),
);

it('has a row in docs/SANDBOX.md for each of these addresses, and no other', () => {
	const page = readFileSync(join(__dirname, '../../docs/SANDBOX.md'), 'utf8');
	const named = [...page.matchAll(/^\| .*example\.com\/try\/([\w-]+)/gm)].map(([, name]) => name);
	expect(named.sort()).toEqual(Object.keys(cases).sort());
});

it('keeps the refusing addresses when the faults are cleared', async () => {
	await ask(sandbox, 'DELETE', '/_sandbox/faults');
	expect((await scrape('refuse-402')).status).toBe(402);
	expect((await scrape('missing')).status).toBe(200);
});

it('leads to none of them from its own pages', async () => {
	const { body } = await ask(sandbox, 'POST', '/v2/map', { body: { url: 'https://example.com' } });
	expect(JSON.stringify(body)).not.toContain('/try/');
});
