import type { WebhookNode } from '../../engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { WEBHOOK_SECRET } from '../../sandbox/webhooks/webhooks.ts';
import { field, startedJob, until } from '../sandbox/client';
import { forgedCall, GONE, jsonOf, monitorsOf, onJobs, onlyMonitor, trigger, watching } from './triggerHost';
import { startSandbox } from './run';

let sandbox: Sandbox;
let host: WebhookNode;

async function open(options: Parameters<typeof startSandbox>[0] = {}): Promise<void> {
	sandbox = await startSandbox({ jobDurationMs: 20, ...options });
}

describe('which calls are believed', () => {
	it('refuses what is not signed, or wrongly, without an execution', async () => {
		await open();
		host = await trigger(sandbox, onJobs({ jobOutput: 'event' }), { webhookSecret: WEBHOOK_SECRET });
		await host.activate();
		const body = { type: 'crawl.completed', id: 'x' };
		const forge = (sign: 'none' | 'wrong' | 'right') => sandbox.webhooks.forge({ url: host.webhookUrl, body, sign });
		expect([await forge('none'), await forge('wrong')]).toEqual([401, 401]);
		expect(host.executions).toEqual([]);
		expect(await forge('right')).toBe(200);
		expect(jsonOf(host, 0)).toMatchObject([{ event: 'crawl.completed', jobId: 'x' }]);
	});

	it('believes the service’s signed calls of a crawl', async () => {
		await open();
		host = await trigger(sandbox, onJobs(), { webhookSecret: WEBHOOK_SECRET });
		await host.activate();
		await startedJob(sandbox, '/v2/crawl', {
			url: sandbox.siteUrl,
			limit: 2,
			webhook: { url: host.webhookUrl, metadata: { city: 'Tromsø' } },
		});
		await until('its result', () => host.executions.length > 0);
		expect(jsonOf(host, 0)).toHaveLength(2);
		expect(new Set(sandbox.webhooks.sent().map(({ status }) => status))).toEqual(new Set([200]));
	});

	it('asks for the secret header of its monitor where nothing is signed', async () => {
		await open();
		host = await trigger(sandbox, watching());
		await host.activate();
		const monitor = await onlyMonitor(sandbox);
		const event = {
			type: 'monitor.check.completed',
			id: 'x',
			data: [{ monitorId: field(monitor, 'id'), checkId: 'x' }],
		};
		expect(await forgedCall(sandbox, host, event)).toBe(401);
		expect(await forgedCall(sandbox, host, event, { 'x-web-data-secret': 'guessed' })).toBe(401);
		expect(host.executions).toEqual([]);
		expect(String(field(monitor, 'webhook.headers.x-web-data-secret'))).toMatch(/^[0-9a-f]{48}$/);
	});

	it('asks for the header that the panel names for jobs', async () => {
		await open();
		const jobOptions = { headerSecret: 'mine' };
		host = await trigger(sandbox, onJobs({ jobOutput: 'event', jobOptions }));
		await host.activate();
		const body = { type: 'crawl.completed', id: 'x' };
		expect(await forgedCall(sandbox, host, body)).toBe(401);
		expect(await forgedCall(sandbox, host, body, { 'x-web-data-secret': 'mine' })).toBe(200);
		expect(host.executions).toHaveLength(1);
	});

	it('answers rubbish and what it does not ask for, and starts nothing', async () => {
		await open();
		host = await trigger(sandbox, onJobs({ jobOutput: 'event' }));
		await host.activate();
		for (const [body, status] of [
			['{"type":', 400],
			['[]', 400],
			[{ type: 'crawl.page', id: 'x' }, 200],
			[{ type: 'monitor.page', id: 'x' }, 200],
			[{ type: 'deep.completed', id: 'x' }, 200],
		] as const) {
			expect([body, await forgedCall(sandbox, host, body)]).toEqual([body, status]);
		}
		expect(host.executions).toEqual([]);
	});

	it('answers within a second however long the reading takes, and says what could not be read', async () => {
		await open();
		sandbox.faults.add({ kind: 'slow', step: 'crawlStatus', ms: 1500, times: 1, when: 'before' });
		host = await trigger(sandbox, onJobs());
		await host.activate();
		expect(
			await forgedCall(sandbox, host, {
				type: 'crawl.completed',
				id: '01a1ffaa-742a-707a-9bc7-4a76f671b387',
			}),
		).toBe(200);
		expect(sandbox.webhooks.sent().at(-1)?.tookMs).toBeLessThan(1000);
		expect(host.executions).toEqual([]);
		// What the service denies is asked for again for a minute.
		await until('the failed execution', () => host.executions.length > 0);
		const error = host.executions[0]?.error as Error & { description: string };
		expect(`${error.message} ${error.description}`).toMatch(/01a1ffaa-742a-707a-9bc7-4a76f671b387/);
	});
});

describe('repetitions', () => {
	it('starts one execution for an event that comes ten times, at once or after a restart', async () => {
		await open();
		sandbox.webhooks.add({ kind: 'repeat', copies: 9 });
		host = await trigger(sandbox, onJobs());
		await host.activate();
		await startedJob(sandbox, '/v2/crawl', {
			url: sandbox.siteUrl,
			limit: 1,
			webhook: { url: host.webhookUrl, events: ['completed'] },
		});
		await until('ten calls', () => sandbox.webhooks.sent().length === 10);
		await until('an execution', () => host.executions.length > 0);
		expect(host.executions).toHaveLength(1);
		expect(host.stored().seen).toHaveLength(1);
	});

	it('stores an event at its repetition, where the first came while the trigger was being activated', async () => {
		await open();
		host = await trigger(sandbox, onJobs());
		await host.activate();
		const stored = { ...host.stored() };
		// n8n has not stored yet what the activation has written.
		host.forget();
		const event = { type: 'crawl.completed', id: 'x', webhookId: 'one' };
		expect(await forgedCall(sandbox, host, event)).toBe(200);
		expect(host.stored().seen).toBeUndefined();
		Object.assign(host.stored(), stored);
		expect(await forgedCall(sandbox, host, event)).toBe(200);
		expect(host.stored().seen).toHaveLength(1);
	});
});

describe('Job Event', () => {
	it('puts the event out as it came, in any order', async () => {
		await open();
		const events = ['started', 'page', 'completed'];
		sandbox.webhooks.add({ kind: 'reorder', count: 3 });
		host = await trigger(sandbox, onJobs({ events, jobOutput: 'event' }));
		await host.activate();
		const id = await startedJob(sandbox, '/v2/crawl', {
			url: sandbox.siteUrl,
			limit: 1,
			webhook: { url: host.webhookUrl, metadata: { run: '7' } },
		});
		await until('three executions', () => host.executions.length === 3);
		const all = [0, 1, 2].map((at) => jsonOf(host, at)[0]);
		expect(all.map((one) => field(one, 'event')).sort()).toEqual(
			['crawl.completed', 'crawl.page', 'crawl.started'].sort(),
		);
		for (const one of all) {
			expect(one).toMatchObject({ jobId: id, success: true, metadata: { run: '7' } });
		}
	});

	it.each([
		['batch scrape', '/v2/batch/scrape', { urls: ['https://example.com/', GONE] }, 2],
		['extract', '/v2/extract', { urls: ['https://example.com/'], prompt: 'title' }, 1],
		['agent', '/v2/agent', { prompt: 'title' }, 1],
	])('reads the result of a finished %s by its id', async (_name, path, body, count) => {
		await open();
		host = await trigger(sandbox, onJobs());
		await host.activate();
		const webhook = { url: host.webhookUrl, metadata: { run: '7' } };
		await startedJob(sandbox, path, { ...body, webhook });
		await until('its result', () => host.executions.length > 0);
		expect(host.executions[0]?.error).toBeUndefined();
		expect(jsonOf(host, 0)).toHaveLength(count);
		for (const json of jsonOf(host, 0)) expect(field(json, 'jobMetadata')).toEqual({ run: '7' });
		expect(jsonOf(host, 0).some((json) => field(json, 'pageError') !== undefined)).toBe(count === 2);
	});

	it('reads every page of a crawl in slices', async () => {
		await open({ lightWork: true, sliceSize: 10 });
		host = await trigger(sandbox, onJobs());
		await host.activate();
		await startedJob(sandbox, '/v2/crawl', {
			url: 'https://site.example/',
			limit: 45,
			webhook: host.webhookUrl,
		});
		await until('its result', () => host.executions.length > 0);
		expect(jsonOf(host, 0)).toHaveLength(45);
	});

	it.each(['pages', 'job'])('a crawl without a page is an item with the reason: %s', async (jobOutput) => {
		await open();
		sandbox.faults.add({
			kind: 'body',
			step: 'errors',
			httpStatus: 200,
			body: { errors: [], robotsBlocked: [] },
		});
		host = await trigger(sandbox, onJobs({ jobOutput }));
		await host.activate();
		const id = await startedJob(sandbox, '/v2/crawl', {
			url: GONE,
			webhook: { url: host.webhookUrl, metadata: { run: '7' } },
		});
		await until('its item', () => host.executions.length > 0);
		expect(host.executions[0]?.error).toBeUndefined();
		expect(jsonOf(host, 0)).toEqual([
			{
				id,
				kind: 'Crawl',
				status: 'completed',
				reason: expect.stringContaining(`The crawl ${id}`) as string,
				jobMetadata: { run: '7' },
			},
		]);
		expect(String(field(jsonOf(host, 0)[0], 'reason'))).toContain('ended without a page');
	});

	it('tells of an extract that failed as the event says it', async () => {
		await open();
		host = await trigger(sandbox, onJobs());
		await host.activate();
		await startedJob(sandbox, '/v2/extract', {
			urls: ['https://example.com/'],
			prompt: '[fail]',
			webhook: host.webhookUrl,
		});
		await until('the event', () => host.executions.length > 0);
		expect(jsonOf(host, 0)).toMatchObject([{ event: 'extract.failed', success: false }]);
	});

	it('registers nothing, and removes the monitor of an earlier choice', async () => {
		await open();
		host = await trigger(sandbox, watching());
		await host.activate();
		host.parameters = onJobs();
		await host.activate();
		expect(await monitorsOf(sandbox)).toEqual([]);
		await host.deactivate();
	});
});
