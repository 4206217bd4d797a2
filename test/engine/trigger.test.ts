import type { WebhookNode } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { ask, field, listOf, until } from '../sandbox/client';
import {
	CHANGING,
	check,
	forgedCall,
	GONE,
	jsonOf,
	monitorOf,
	monitorsOf,
	onlyMonitor,
	STEADY,
	trigger,
	watching,
} from './triggerHost';
import { after, startSandbox } from './run';

let sandbox: Sandbox;
let host: WebhookNode;

async function open(options: Parameters<typeof startSandbox>[0] = {}): Promise<void> {
	sandbox = await startSandbox({ jobDurationMs: 20, ...options });
}

/** Lets the monitor look once more, and waits until what it told was received. */
async function checked(id: unknown, calls: number): Promise<void> {
	await check(sandbox, id);
	await until(`${calls} calls`, () => sandbox.webhooks.sent().length >= calls);
}

describe('Website Changed with a monitor of its own', () => {
	it('makes it on activation and removes it on deactivation, ten times without a trace', async () => {
		await open();
		host = await trigger(sandbox, watching());
		for (let time = 0; time < 10; time += 1) {
			await host.activate();
			const monitor = await onlyMonitor(sandbox);
			expect(field(monitor, 'webhook.url')).toBe(host.webhookUrl);
			expect(field(monitor, 'webhook.events')).toEqual(['monitor.check.completed']);
			expect(field(monitor, 'targets.0.urls')).toEqual([CHANGING, STEADY, GONE]);
			await host.deactivate();
			expect(await monitorsOf(sandbox)).toEqual([]);
		}
	});

	it('starts with the pages that count, read from the service; the first check only sets the mark', async () => {
		await open();
		host = await trigger(sandbox, watching());
		await host.activate();
		const id = field(await onlyMonitor(sandbox), 'id');
		await checked(id, 1);
		await checked(id, 2);
		await until('an execution', () => host.executions.length > 0);
		expect(host.executions).toHaveLength(1);
		expect(jsonOf(host, 0)).toEqual([expect.objectContaining({ url: CHANGING, status: 'changed', monitorId: id })]);
		expect(String(field(jsonOf(host, 0)[0], 'diff'))).toContain('+after');
	});

	it('tells of the first check and of failed pages where it is to', async () => {
		await open();
		const more = { changes: ['new', 'error'], triggerOptions: { reportFirst: true } };
		host = await trigger(sandbox, watching(more));
		await host.activate();
		await checked(field(await onlyMonitor(sandbox), 'id'), 1);
		await until('an execution', () => host.executions.length > 0);
		const pages = jsonOf(host, 0).map((page) => [field(page, 'url'), field(page, 'status')]);
		expect(pages).toEqual([
			[CHANGING, 'new'],
			[STEADY, 'new'],
			[GONE, 'error'],
		]);
		expect(field(jsonOf(host, 0)[2], 'pageError')).toMatch(/scraping engines failed/i);
	});

	it('puts a check out as one item with the pages that count', async () => {
		await open();
		host = await trigger(sandbox, watching({ output: 'check' }));
		await host.activate();
		const id = field(await onlyMonitor(sandbox), 'id');
		await checked(id, 1);
		await checked(id, 2);
		await until('an execution', () => host.executions.length > 0);
		const [item] = jsonOf(host, 0);
		expect(listOf(field(item, 'pages')).map((page) => field(page, 'url'))).toEqual([CHANGING]);
		expect(field(item, 'summary.same')).toBe(1);
	});

	it('starts one execution for each page as soon as it was checked', async () => {
		await open();
		host = await trigger(sandbox, watching({ output: 'atOnce' }));
		await host.activate();
		const id = field(await onlyMonitor(sandbox), 'id');
		await checked(id, 3);
		await checked(id, 6);
		await until('an execution', () => host.executions.length > 0);
		expect(host.executions).toHaveLength(1);
		expect(jsonOf(host, 0)[0]).toMatchObject({
			url: CHANGING,
			status: 'changed',
			diff: '-before\n+after',
		});
	});

	it('finds its monitor again when n8n has lost everything, and never makes two', async () => {
		await open();
		host = await trigger(sandbox, watching());
		await host.activate();
		const first = field(await onlyMonitor(sandbox), 'id');
		host.forget();
		await host.activate();
		expect(field(await onlyMonitor(sandbox), 'id')).toBe(first);
		// What n8n had lost is known again: its calls are believed and nobody else's.
		expect(host.stored()).toMatchObject({ monitorId: first });
		expect(await forgedCall(sandbox, host, {})).toBe(401);
		await host.activate();
		await onlyMonitor(sandbox);
		host.forget();
		await host.deactivate();
		expect(await monitorsOf(sandbox)).toEqual([]);
	});

	it('makes a new one when somebody has deleted it, and removes what is too many', async () => {
		// What is not there is looked for again, for 15 s.
		await open();
		host = await trigger(sandbox, watching());
		await host.activate();
		const id = String(field(await onlyMonitor(sandbox), 'id'));
		await ask(sandbox, 'DELETE', `/v2/monitor/${id}`);
		await host.activate();
		const second = await onlyMonitor(sandbox);
		expect(field(second, 'id')).not.toBe(id);
		const { name, targets, webhook } = Object(second) as Record<string, unknown>;
		await after(10);
		await monitorOf(sandbox, { name, targets, webhook });
		expect(await monitorsOf(sandbox)).toHaveLength(2);
		await host.activate();
		expect(field(await onlyMonitor(sandbox), 'id')).toBe(field(second, 'id'));
		// Gone at the service: deactivation has nothing to do.
		await ask(sandbox, 'DELETE', `/v2/monitor/${String(field(second, 'id'))}`);
		await host.deactivate();
	});

	it('mends what differs from the panel, and keeps the history of what stays', async () => {
		await open();
		host = await trigger(sandbox, watching());
		await host.activate();
		const before = await onlyMonitor(sandbox);
		const id = String(field(before, 'id'));
		await ask(sandbox, 'PATCH', `/v2/monitor/${id}`, {
			body: { status: 'paused', goal: 'mine', webhook: { url: host.webhookUrl, events: [] } },
		});
		await ask(sandbox, 'PATCH', `/v2/monitor/${id}`, {
			body: { webhook: { ...Object(field(before, 'webhook')), events: ['monitor.page'] } },
		});
		host.parameters = watching({ schedule: 'cron', cron: '*/30 * * * *' });
		await host.activate();
		const after = await onlyMonitor(sandbox);
		expect(after).toMatchObject({
			id,
			status: 'active',
			goal: null,
			schedule: { cron: '*/30 * * * *' },
			webhook: { url: host.webhookUrl, events: ['monitor.check.completed'] },
		});
		expect(field(after, 'targets.0.id')).toBe(field(before, 'targets.0.id'));
		const updatedAt = field(after, 'updatedAt');
		await host.activate();
		expect(field(await onlyMonitor(sandbox), 'updatedAt')).toBe(updatedAt);
	});

	it('takes the one that was made although its answer got lost', async () => {
		await open();
		sandbox.faults.add({ kind: 'reset', step: 'monitor', skip: 2, times: 1, when: 'after' });
		host = await trigger(sandbox, watching());
		await host.activate();
		expect(field(await onlyMonitor(sandbox), 'id')).toBe(field(host.stored(), 'monitorId'));
	});

	it('keeps its monitor when a call comes while it is activated, or reads while it is activated again', async () => {
		await open();
		host = await trigger(sandbox, watching({ triggerOptions: { reportFirst: true } }));
		await host.activate();
		const { monitorId } = host.stored();
		// Its static data is not there yet: the call is refused and must not store that it is not there.
		const stored = { ...host.stored() };
		host.forget();
		expect(await forgedCall(sandbox, host, {})).toBe(401);
		expect(host.stored()).toEqual({});
		Object.assign(host.stored(), stored);
		sandbox.faults.add({ kind: 'slow', step: 'monitorCheck', ms: 800, times: 1, when: 'before' });
		const before = sandbox.webhooks.sent().length;
		await checked(monitorId, before + 1);
		await host.deactivate();
		await host.activate();
		const again = host.stored().monitorId;
		expect(again).not.toBe(monitorId);
		await until('the end of the reading', () => host.executions.length > 0);
		expect(jsonOf(host, 0)).toHaveLength(2);
		expect(host.stored().monitorId).toBe(again);
		await checked(again, sandbox.webhooks.sent().length + 1);
		expect(sandbox.webhooks.sent().at(-1)?.status).toBe(200);
	});

	it('says what is wrong with the panel before anything is made', async () => {
		await open();
		host = await trigger(sandbox, watching({ schedule: 'cron', cron: 'now and then' }));
		await expect(host.activate()).rejects.toThrow(/"Cron Expression"/);
		host.parameters = watching({ triggerOptions: { monitorId: { mode: 'id', value: 'a b' } } });
		await expect(host.activate()).rejects.toThrow(/must be the ID of a monitor/);
		expect(await monitorsOf(sandbox)).toEqual([]);
	});

	it('says that the service cannot call an n8n that is not on the internet', async () => {
		await open();
		host = await trigger({ baseUrl: 'https://api.firecrawl.dev' }, watching());
		await expect(host.activate()).rejects.toThrow(
			/The service cannot call http:\/\/127\.0\.0\.1:\d+: set N8N_WEBHOOK_URL/,
		);
	});

	it('does not take the monitor of the workflow that it was copied from', async () => {
		await open();
		host = await trigger(sandbox, watching());
		await host.activate();
		const copy = await trigger(sandbox, watching(), {
			staticData: { ...host.stored(), owner: 'elsewhere' },
			webhookId: 'copy',
		});
		await copy.activate();
		expect(await monitorsOf(sandbox)).toHaveLength(2);
		await copy.deactivate();
		expect(field(await onlyMonitor(sandbox), 'webhook.url')).toBe(host.webhookUrl);
	});
});

describe('Website Changed with an existing monitor', () => {
	const existing = (id: string) => watching({ triggerOptions: { monitorId: { mode: 'id', value: id } } });

	it('sets its webhook and puts the earlier one back, whatever n8n has lost', async () => {
		await open();
		const before = { url: 'http://mine.example/hook', headers: { a: 'b' }, metadata: { run: '7' } };
		const id = await monitorOf(sandbox, { webhook: before });
		host = await trigger(sandbox, existing(id));
		for (const loses of [false, true]) {
			await host.activate();
			expect(field(await onlyMonitor(sandbox), 'webhook.url')).toBe(host.webhookUrl);
			await host.activate();
			if (loses) host.forget();
			await host.deactivate();
			expect(field(await onlyMonitor(sandbox), 'webhook')).toMatchObject(before);
		}
	});

	it('tells of all its checks, and leaves it where there was no webhook before', async () => {
		await open();
		const id = await monitorOf(sandbox);
		host = await trigger(sandbox, existing(id));
		await host.activate();
		await checked(id, 1);
		await until('an execution', () => host.executions.length > 0);
		expect(jsonOf(host, 0)).toEqual([expect.objectContaining({ url: CHANGING, status: 'new' })]);
		await host.deactivate();
		expect(field(await onlyMonitor(sandbox), 'webhook.url')).toBe(host.webhookUrl);
		await checked(id, 2);
		expect(sandbox.webhooks.sent().at(-1)?.status).toBe(404);
		await host.activate();
		await onlyMonitor(sandbox);
		// Chosen no longer: its own is made beside it, and it is left alone.
		host.parameters = watching();
		await host.activate();
		expect(await monitorsOf(sandbox)).toHaveLength(2);
	});

	it('says that a monitor is not there', async () => {
		await open();
		host = await trigger(sandbox, existing('01a1ffaa-742a-707a-9bc7-4a76f671b387'));
		await expect(host.activate()).rejects.toThrow(/There is no monitor 01a1ffaa/);
	});
});

describe('Listen for test event', () => {
	it('looks once with a monitor of its own and never touches production', async () => {
		await open();
		host = await trigger(sandbox, watching());
		await host.activate();
		const production = await onlyMonitor(sandbox);
		const stored = { ...host.stored() };
		await host.listen();
		await until('the test event', () => host.executions.length > 0);
		expect(host.executions.map(({ isTest }) => isTest)).toEqual([true]);
		// A first check has nothing to compare with: whatever it finds is shown.
		expect(jsonOf(host, 0)).toHaveLength(3);
		// What later checks have can be mapped.
		expect((jsonOf(host, 0) as Array<{ diff: unknown }>).map(({ diff }) => typeof diff)).toEqual([
			'string',
			'string',
			'string',
		]);
		await until('its monitor gone', async () => (await monitorsOf(sandbox)).length === 1);
		expect(await onlyMonitor(sandbox)).toEqual(production);
		expect(host.stored()).toEqual(stored);
	});

	it('looks with a copy of an existing monitor', async () => {
		await open();
		const id = await monitorOf(sandbox);
		const before = await onlyMonitor(sandbox);
		host = await trigger(sandbox, watching({ triggerOptions: { monitorId: { mode: 'id', value: id } } }));
		await host.listen();
		await until('the test event', () => host.executions.length > 0);
		expect(jsonOf(host, 0)).toMatchObject([{ url: CHANGING, status: 'new' }]);
		await until('its monitor gone', async () => (await monitorsOf(sandbox)).length === 1);
		expect(await onlyMonitor(sandbox)).toEqual(before);
	});

	it('leaves a monitor that costs nothing when n8n dies, and removes it at the next test', async () => {
		await open({ jobDurationMs: 5000 });
		host = await trigger(sandbox, watching());
		await host.listen();
		const left = await onlyMonitor(sandbox);
		expect(field(left, 'status')).toBe('paused');
		await host.listen();
		expect(field(await onlyMonitor(sandbox), 'id')).not.toBe(field(left, 'id'));
		await host.stopListening();
		expect(await monitorsOf(sandbox)).toEqual([]);
	});
});
