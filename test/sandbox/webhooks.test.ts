import { WEBHOOK_SECRET } from '../../sandbox/webhooks/webhooks.ts';
import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import recorded from '../fixtures/recorded/2026/webhooks.json';
import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { ask, field, startedJob, until } from './client.ts';
import { startListener } from './listener.ts';
import type { Listener } from './listener.ts';

const CRAWL = '/v2/crawl';

interface Call {
	headers: IncomingHttpHeaders;
	raw: string;
}

let sandbox: Sandbox;
let hook: Listener;
let calls: Call[] = [];
let answer: (call: Call) => number | undefined = () => 200;

async function open(options: Parameters<typeof startSandbox>[0] = {}): Promise<void> {
	sandbox = await startSandbox({ jobDurationMs: 20, ...options });
}
beforeEach(async () => {
	calls = [];
	answer = () => 200;
	hook = await startListener((request, raw) => {
		calls.push({ headers: request.headers, raw });
		const status = answer({ headers: request.headers, raw });
		return status === undefined ? undefined : { status };
	});
});
afterEach(async () => {
	await sandbox.stop();
	await hook.stop();
});

const typeOf = ({ raw }: Call): unknown => field(JSON.parse(raw), 'type');
const types = (): unknown[] => calls.map(typeOf);
const crawl = (more: object = {}): Promise<string> =>
	startedJob(sandbox, CRAWL, {
		url: sandbox.siteUrl,
		limit: 1,
		webhook: { url: hook.url, ...more },
	});

it('signs the bytes that it sends, with the headers that were recorded', async () => {
	await open();
	await crawl({ metadata: { city: 'Tromsø' }, headers: { 'x-hook-key': 'k1' } });
	await until('the end', () => types().includes('crawl.completed'));
	const known = recorded.find(({ name }) => name === 'hook-signed-01-crawl')?.deliveries[0];
	for (const { headers, raw } of calls) {
		const digest = createHmac('sha256', WEBHOOK_SECRET).update(raw).digest('hex');
		expect(headers['x-firecrawl-signature']).toBe(`sha256=${digest}`);
		expect(headers['x-hook-key']).toBe('k1');
		for (const name of ['content-type', 'user-agent', 'accept', 'sec-fetch-mode'] as const) {
			expect([name, headers[name]]).toEqual([name, known?.headers[name]]);
		}
	}
});

/** Names of the fields, in their order, of what is recorded and of what is sent. */
const keysOf = (value: unknown): string[] => Object.keys(Object(value));

it.each([
	['hook-crawl-01-all-events', 'crawl.completed'],
	['hook-crawl-05-page-errors', 'crawl.page'],
])('tells of a crawl in the words of %s', async (name, type) => {
	await open();
	await startedJob(sandbox, CRAWL, {
		url: name.endsWith('errors') ? 'http://gone.invalid/' : sandbox.siteUrl,
		limit: 1,
		webhook: hook.url,
	});
	const sent = await until(type, () => calls.find((call) => typeOf(call) === type));
	const known = recorded
		.find((one) => one.name === name)
		?.deliveries.map(({ rawBody }): unknown => JSON.parse(rawBody))
		.find((body) => field(body, 'type') === type);
	const body: unknown = JSON.parse(sent.raw);
	expect(keysOf(body)).toEqual(keysOf(known));
	expect(field(body, 'success')).toBe(field(known, 'success'));
	expect(keysOf(field(body, 'data.0'))).toEqual(keysOf(field(known, 'data.0')));
});

it('tells of a monitor in the words of hook-monitor-01', async () => {
	await open();
	const targets = [
		{
			type: 'scrape',
			urls: ['http://x.example/changing', 'http://gone.invalid/', 'http://x.example/'],
		},
	];
	const monitor = await ask(sandbox, 'POST', '/v2/monitor', {
		body: { name: 'm', schedule: { text: 'hourly' }, targets, webhook: hook.url },
	});
	const run = `/v2/monitor/${String(field(monitor.body, 'data.id'))}/run`;
	for (const count of [4, 8]) {
		await ask(sandbox, 'POST', run);
		await until(`${count} calls`, () => calls.length === count);
	}
	const known = recorded.find(({ name }) => name === 'hook-monitor-01-scrape')?.deliveries ?? [];
	const shape = (raw: string): unknown => {
		const body: unknown = JSON.parse(raw);
		const data = field(body, 'data.0');
		return [field(body, 'type'), field(data, 'status'), keysOf(body), keysOf(data)].map(String);
	};
	const shapes = (raws: string[]): unknown[] => [...new Set(raws.map(shape).map(String))].sort();
	expect(shapes(calls.map(({ raw }) => raw))).toEqual(shapes(known.map(({ rawBody }) => rawBody)));
});

it('tries once, as the recorded servers do that ask for no key', async () => {
	answer = () => 500;
	await open({ speed: 60_000, keys: [] });
	await crawl({ events: ['completed'] });
	await until('its try', () => sandbox.webhooks.sent().length === 1);
	await new Promise((resolve) => setTimeout(resolve, 50));
	expect(sandbox.webhooks.sent().map(({ status, attempt }) => [status, attempt])).toEqual([[500, 1]]);
});

it('tries again after 1, 5 and 15 minutes where it is to, with the same bytes', async () => {
	answer = () => (calls.length === 4 ? 204 : 500);
	await open({ speed: 6000 });
	await crawl({ events: ['completed'] });
	await until('four tries', () => sandbox.webhooks.sent().length === 4);
	expect(new Set(calls.map(({ raw }) => raw)).size).toBe(1);
	const tries = sandbox.webhooks.sent();
	expect(tries.map(({ status }) => status)).toEqual([500, 500, 500, 204]);
	const gaps = tries.slice(1).map(({ atMs }, at) => atMs - (tries[at]?.atMs ?? 0));
	for (const [at, least] of [10, 50, 150].entries()) expect(gaps[at]).toBeGreaterThanOrEqual(least - 2);
});

it('repeats, loses and reorders calls where it is told to', async () => {
	await open();
	for (const rule of [
		{ kind: 'lose', event: 'crawl.started' },
		{ kind: 'repeat', event: 'crawl.page', copies: 2 },
	] as const) {
		sandbox.webhooks.add(rule);
	}
	await crawl();
	// The sandbox notes a call when its answer has come back.
	await until('all calls', () => sandbox.webhooks.sent().some(({ event }) => event === 'crawl.completed'));
	expect(types()).toEqual(['crawl.page', 'crawl.page', 'crawl.page', 'crawl.completed']);
	expect(new Set(calls.slice(0, 3).map(({ raw }) => raw)).size).toBe(1);
	expect(sandbox.webhooks.sent().map((one) => one.event)).toEqual(types());
	sandbox.webhooks.clear();
	calls = [];
	sandbox.webhooks.add({ kind: 'reorder', count: 3 });
	await crawl();
	await until('all calls', () => calls.length === 3);
	expect(types()).toEqual(['crawl.completed', 'crawl.page', 'crawl.started']);
});
