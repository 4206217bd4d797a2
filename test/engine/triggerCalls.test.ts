import type { WebhookNode } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { WEBHOOK_SECRET } from '../../sandbox/webhooks/webhooks.ts';
import { field, jobEnded, startedJob, until } from '../sandbox/client';
import { forgedCall, GONE, jsonOf, monitorsOf, onJobs, onlyMonitor, trigger, watching } from './triggerHost';
import { n8nLog } from '../../tools/n8n-engine/index.ts';
import { after, startSandbox } from './run';

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
			[{ type: `crawl.completed.${'x'.repeat(1_000_000)}`, id: 'x' }, 400],
			[{ type: 'crawl.completed\nadmin logged in', id: 'x' }, 400],
			[{ type: 'crawl.completed', id: '01a1ffaa-742a-707a-9bc7-4a76f671b310' }, 404],
			[{ type: 'crawl.completed', id: 'x' }, 404],
			[{ type: 'crawl.page', id: 'x' }, 200],
			[{ type: 'monitor.page', id: 'x' }, 200],
			[{ type: 'deep.completed', id: 'x' }, 200],
		] as const) {
			expect([body, await forgedCall(sandbox, host, body)]).toEqual([body, status]);
		}
		expect(host.executions).toEqual([]);
	});

	it('refuses a call nested deeper than n8n can store, and gives texts without NUL and half characters', async () => {
		await open();
		host = await trigger(sandbox, onJobs({ jobOutput: 'event', jobOptions: { headerSecret: 'mine' } }));
		await host.activate();
		const secret = { 'x-web-data-secret': 'mine' };
		const event = (data: string) => `{"type":"crawl.completed","id":"x","data":[${data}]}`;
		const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
		expect(await forgedCall(sandbox, host, event(deep), secret)).toBe(400);
		expect(host.executions).toEqual([]);
		expect(await forgedCall(sandbox, host, event(String.raw`{"t":"a\u0000b \ud83d"}`), secret)).toBe(200);
		expect(jsonOf(host, 0)).toMatchObject([{ data: [{ t: 'a b \ufffd' }] }]);
	});

	it('refuses a website’s event where no monitor is remembered yet, so that a true one comes again', async () => {
		await open();
		host = await trigger(sandbox, watching());
		await host.activate();
		const monitor = await onlyMonitor(sandbox);
		const data = [{ monitorId: field(monitor, 'id'), checkId: 'x', url: 'https://evil.example/', status: 'changed' }];
		const event = { type: 'monitor.check.completed', id: 'x', data };
		// A process of n8n that did not activate it, with nothing stored yet, or with what another trigger has left.
		for (const staticData of [{}, { ...host.stored() }]) {
			const other = await trigger(sandbox, watching({ output: 'atOnce' }), { isActive: true, staticData });
			expect(await forgedCall(sandbox, other, { ...event, type: 'monitor.page' })).toBe(503);
			expect(other.executions).toEqual([]);
		}
	});

	it('looks once for a job that nothing proves, and refuses an unknown one', async () => {
		await open();
		host = await trigger(sandbox, onJobs());
		await host.activate();
		const before = sandbox.stats().requests;
		const forged = Array.from({ length: 20 }, (_unused, at) => ({
			type: 'crawl.completed',
			id: `01a1ffaa-742a-707a-9bc7-4a76f671b3${10 + at}`,
		}));
		const answers = async (bodies: typeof forged) =>
			new Set(await Promise.all(bodies.map(async (body) => await forgedCall(sandbox, host, body))));
		expect(await answers(forged)).toEqual(new Set([404]));
		expect(sandbox.stats().requests - before).toBe(20);
		// The same one several times at once.
		expect(await answers(Array.from({ length: 5 }, () => ({ type: 'crawl.completed', id: 'none' })))).toEqual(
			new Set([404]),
		);
		expect(host.executions).toEqual([]);
	});
});

describe('when a call is answered', () => {
	const crawled = async () => {
		const id = await startedJob(sandbox, '/v2/crawl', { url: sandbox.siteUrl, limit: 1 });
		await jobEnded(sandbox, '/v2/crawl', id);
		return { type: 'crawl.completed', id };
	};
	const slow = (ms: number) => ({ kind: 'slow', step: 'crawlStatus', ms, when: 'before' }) as const;

	it('after its job was read, so that a kill meanwhile loses nothing', async () => {
		await open();
		host = await trigger(sandbox, onJobs());
		await host.activate();
		const event = await crawled();
		sandbox.faults.add(slow(2000));
		const call = forgedCall(sandbox, host, event);
		await after(1000);
		expect(host.stored().seen).toBeUndefined();
		expect(await call).toBe(200);
		expect(host.executions).toHaveLength(1);
		expect(host.stored().seen).toHaveLength(1);
	});

	it('with a refusal where the job cannot be read: it is told, and read when the call comes again', async () => {
		await open();
		host = await trigger(sandbox, onJobs());
		await host.activate();
		const event = await crawled();
		sandbox.faults.add({ kind: 'body', step: 'crawlStatus', httpStatus: 403, body: { error: 'Not today' } });
		expect(await forgedCall(sandbox, host, event)).toBe(503);
		expect(String((host.executions[0]?.error as Error | undefined)?.message)).not.toBe('');
		sandbox.faults.clear();
		expect(await forgedCall(sandbox, host, event)).toBe(200);
		expect(host.executions[1]?.items).toHaveLength(1);
		expect(await forgedCall(sandbox, host, event)).toBe(200);
		expect(host.executions).toHaveLength(2);
	});

	it('before, where the reading takes more than 8 s: the service waits for 10', async () => {
		await open();
		host = await trigger(sandbox, onJobs());
		await host.activate();
		const event = await crawled();
		sandbox.faults.add(slow(15_000));
		expect(await forgedCall(sandbox, host, event)).toBe(200);
		expect(sandbox.webhooks.sent().at(-1)?.tookMs).toBeLessThan(10_000);
		expect(host.executions).toEqual([]);
		await after(1000);
		const atKill = structuredClone(host.stored());
		expect(atKill.unfinished).toEqual([`crawl.completed of ${event.id}`]);
		await until('the execution', () => host.executions.length > 0);
		expect(host.executions[0]?.items).toHaveLength(1);
		expect(host.stored().unfinished).toBeUndefined();

		// What n8n has stored when it is killed in between is named when it starts again.
		const logged: string[] = [];
		jest.spyOn(n8nLog(), 'warn').mockImplementation((text: string) => void logged.push(text));
		await host.activate();
		expect(logged).toEqual([]);
		host.restore(atKill);
		await host.activate();
		expect(logged.join()).toContain(
			`before they were read, and n8n may have ended meanwhile: crawl.completed of ${event.id}.`,
		);
		expect(host.stored().unfinished).toBeUndefined();
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
		host = await trigger(sandbox, onJobs({ jobOutput: 'event' }));
		await host.activate();
		const stored = { ...host.stored() };
		// n8n has not stored yet what the activation has written.
		host.forget();
		const id = await startedJob(sandbox, '/v2/crawl', { url: sandbox.siteUrl, limit: 1 });
		const event = { type: 'crawl.completed', id, webhookId: 'one' };
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

	it('reads what an agent had that has failed at its limit', async () => {
		await open();
		host = await trigger(sandbox, onJobs());
		await host.activate();
		await startedJob(sandbox, '/v2/agent', { prompt: 'What does it cost? [limit]', webhook: host.webhookUrl });
		await until('its result', () => host.executions.length > 0);
		expect(jsonOf(host, 0)).toMatchObject([
			{ isPartial: true, data: { answer: expect.any(String) }, status: 'failed' },
		]);
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
