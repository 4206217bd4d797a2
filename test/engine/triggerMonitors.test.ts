import type { INodeParameters } from 'n8n-workflow';

import type { WebhookNode } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { ask, field, listOf, until } from '../sandbox/client';
import { after, startSandbox } from './run';
import { check, monitorOf, monitorsOf, onlyMonitor, trigger, watching } from './triggerHost';
import { startInBetween } from './serviceInBetween';

// One monitor for each trigger, whoever else is at the service; nothing of somebody else's is taken or kept.

let sandbox: Sandbox;

/** What a service says that does not want to; nobody asks it again. */
const REFUSED = { status: 403, body: { success: false, error: 'told 403' } };

async function open(options: Parameters<typeof startSandbox>[0] = {}): Promise<void> {
	sandbox = await startSandbox({ jobDurationMs: 20, ...options });
}

async function host(
	parameters: INodeParameters,
	more: Parameters<typeof trigger>[2] = {},
	service: { baseUrl: string } = sandbox,
): Promise<WebhookNode> {
	return await trigger(service, parameters, more);
}

async function everyMonitor(): Promise<unknown[]> {
	return listOf(field((await ask(sandbox, 'GET', '/v2/monitor?limit=100')).body, 'data'));
}

const existing = (id: string, takeOver = false): INodeParameters =>
	watching({
		triggerOptions: { monitorId: { mode: 'id', value: id }, ...(takeOver && { takeOver }) },
	});

/** What an activation or a deactivation fails with. */
async function failureOf(work: Promise<void>): Promise<string> {
	return await work.then(
		() => 'It succeeded.',
		(error: Error) => error.message,
	);
}

/** One page more than before was told, and so many calls were answered with 200. */
async function believed(id: unknown, calls: number): Promise<void> {
	await check(sandbox, id);
	await until('its call', () => sandbox.webhooks.sent().length >= calls);
	expect(sandbox.webhooks.sent().at(-1)?.status).toBe(200);
}

describe('two triggers that choose the same existing monitor', () => {
	const MINE = { url: 'http://mine.example/hook', headers: { a: 'b' }, metadata: { run: '7' } };

	it('the second is not activated, and is told the address of the first, which goes on', async () => {
		await open();
		const id = await monitorOf(sandbox, { webhook: MINE });
		const first = await host(existing(id), { webhookId: 'first' });
		const second = await host(existing(id), { webhookId: 'second' });
		await first.activate();
		const before = await onlyMonitor(sandbox);
		const failure = await failureOf(second.activate());
		expect(failure).toContain(`The monitor ${id} is in use by the workflow at ${first.webhookUrl}`);
		expect(failure).toContain('"Take Over"');
		// n8n ends a failed activation with a deactivation.
		await second.deactivate();
		expect(await onlyMonitor(sandbox)).toEqual(before);
		await believed(id, 1);
		await first.deactivate();
		expect(field(await onlyMonitor(sandbox), 'webhook')).toMatchObject(MINE);
		await second.activate();
		await second.deactivate();
		expect(field(await onlyMonitor(sandbox), 'webhook')).toMatchObject(MINE);
	});

	it.each([
		['the first', [0, 1]],
		['the second', [1, 0]],
	] as const)('Take Over: the webhook of its owner is back when both are off, %s first', async (_name, order) => {
		await open();
		const id = await monitorOf(sandbox, { webhook: MINE });
		const both = [
			await host(existing(id), { webhookId: 'first' }),
			await host(existing(id, true), { webhookId: 'second' }),
		] as const;
		for (const one of both) await one.activate();
		expect(field(await onlyMonitor(sandbox), 'webhook.url')).toBe(both[1].webhookUrl);
		// The first learns at its next activation who has it.
		expect(await failureOf(both[0].activate())).toContain(both[1].webhookUrl);
		for (const at of order) await both[at].deactivate();
		expect(field(await onlyMonitor(sandbox), 'webhook')).toMatchObject(MINE);
	});

	it('both at one moment: one of them gets it', async () => {
		await open();
		const id = await monitorOf(sandbox, { webhook: MINE });
		const both = [await host(existing(id), { webhookId: 'first' }), await host(existing(id), { webhookId: 'second' })];
		const failures = await Promise.all(both.map(async (one) => await failureOf(one.activate())));
		expect(failures.filter((text) => text === 'It succeeded.')).toHaveLength(1);
		expect(failures.filter((text) => text.includes('is in use by the workflow at'))).toHaveLength(1);
	});

	it('one that had no webhook before is free again when the first is off', async () => {
		await open();
		const id = await monitorOf(sandbox);
		const first = await host(existing(id), { webhookId: 'first' });
		const second = await host(existing(id), { webhookId: 'second' });
		await first.activate();
		await first.deactivate();
		await second.activate();
		const { url, headers } = Object(field(await onlyMonitor(sandbox), 'webhook')) as {
			url: string;
			headers: object;
		};
		expect(url).toBe(second.webhookUrl);
		expect(headers).toHaveProperty('x-web-data-secret');
		await second.deactivate();
		const after = field(await onlyMonitor(sandbox), 'webhook');
		// What stays with it is no address of a trigger that is off, and holds no secret.
		expect(after).toMatchObject({ headers: {}, metadata: { releasedBy: 'n8n-nodes-web-data' } });
	});

	it('a monitor that another trigger has made is not taken, not even with Take Over', async () => {
		await open();
		const first = await host(watching(), { webhookId: 'first' });
		await first.activate();
		const made = await onlyMonitor(sandbox);
		const second = await host(existing(String(field(made, 'id')), true), { webhookId: 'second' });
		expect(await failureOf(second.activate())).toContain(`was made by the workflow at ${first.webhookUrl}`);
		expect(await onlyMonitor(sandbox)).toEqual(made);
		await first.deactivate();
		expect(await monitorsOf(sandbox)).toEqual([]);
	});
});

describe('one monitor for each trigger', () => {
	it('activated three times at one moment it makes one, whose calls are believed', async () => {
		await open();
		const one = await host(watching());
		await Promise.all([one.activate(), one.activate(), one.activate()]);
		const { id } = Object(await onlyMonitor(sandbox)) as { id: unknown };
		expect(one.stored().monitorId).toBe(id);
		await believed(id, 1);
		await Promise.all([one.deactivate(), one.deactivate()]);
		expect(await monitorsOf(sandbox)).toEqual([]);
	});

	it('goes on deactivation beside one that another process has made at the same moment', async () => {
		await open();
		const between = await startInBetween(sandbox);
		const one = await host(watching(), {}, between);
		await one.activate();
		const made = Object(await onlyMonitor(sandbox)) as Record<string, unknown>;
		await one.deactivate();
		const { name, targets, webhook } = made;
		let older = '';
		between.interpose = async ({ method, path }, pass) => {
			if (method === 'POST' && path === '/v2/monitor' && older === '') {
				older = await monitorOf(sandbox, { name, targets, webhook });
				await after(10);
			}
			return await pass();
		};
		await one.activate();
		expect(await monitorsOf(sandbox)).toHaveLength(2);
		await one.deactivate();
		expect(await monitorsOf(sandbox)).toEqual([]);
	});

	it('is found among 60 where a part of the list holds 50 at most, whatever n8n has lost', async () => {
		await open();
		const between = await startInBetween(sandbox);
		const one = await host(watching(), {}, between);
		await one.activate();
		const id = field(await onlyMonitor(sandbox), 'id');
		for (let count = 0; count < 60; count += 1) await monitorOf(sandbox, { name: `No. ${count}` });
		between.interpose = async ({ method, path, query }, pass) => {
			if (method === 'GET' && path === '/v2/monitor') query.limit = '50';
			return await pass();
		};
		one.forget();
		await one.activate();
		expect(one.stored().monitorId).toBe(id);
		one.forget();
		await one.deactivate();
		const left = await everyMonitor();
		expect(left).toHaveLength(60);
		expect(left.map((monitor) => field(monitor, 'id'))).not.toContain(id);
	});

	it('one that is known is removed although the list of monitors fails', async () => {
		await open();
		const between = await startInBetween(sandbox);
		const one = await host(watching(), {}, between);
		await one.activate();
		between.interpose = async ({ method, path }, pass) =>
			method === 'GET' && path === '/v2/monitor' ? REFUSED : await pass();
		await one.deactivate();
		expect(await monitorsOf(sandbox)).toEqual([]);
	});

	it('one that cannot be removed is named, and the next activation takes it up again', async () => {
		await open();
		const between = await startInBetween(sandbox);
		const one = await host(watching(), {}, between);
		await one.activate();
		const id = String(field(await onlyMonitor(sandbox), 'id'));
		between.interpose = async ({ method }, pass) => (method === 'DELETE' ? REFUSED : await pass());
		const failure = await failureOf(one.deactivate());
		expect(failure).toContain(
			`The monitor ${id} of ${one.webhookUrl} could not be removed, and each of its checks costs credits`,
		);
		expect(failure).toContain('Monitor · Delete');
		expect(failure).toContain('told 403');
		between.interpose = async (_request, pass) => await pass();
		await one.activate();
		expect(field(await onlyMonitor(sandbox), 'id')).toBe(id);
		await one.deactivate();
		expect(await monitorsOf(sandbox)).toEqual([]);
	});

	it('a webhook that cannot be put back is named with the host that it called', async () => {
		await open();
		const between = await startInBetween(sandbox);
		const webhook = { url: 'http://mine.example/hook' };
		const id = await monitorOf(sandbox, { webhook });
		const one = await host(existing(id), {}, between);
		await one.activate();
		between.interpose = async ({ method }, pass) => (method === 'PATCH' ? REFUSED : await pass());
		const failure = await failureOf(one.deactivate());
		expect(failure).toContain(`The monitor ${id} still calls ${one.webhookUrl}`);
		// Whoever has all of it may call it.
		expect(failure).toContain('http://mine.example/***');
		expect(failure).not.toContain('/hook ');
		expect(failure).toContain('Monitor · Update');
	});

	it('an answer to its creation that names none is no reason to make a second one', async () => {
		await open();
		const between = await startInBetween(sandbox);
		const one = await host(watching(), {}, between);
		between.interpose = async ({ method, path }, pass) => {
			const answer = await pass();
			return method === 'POST' && path === '/v2/monitor' ? { status: 200, body: { success: true } } : answer;
		};
		await one.activate();
		expect(one.stored().monitorId).toBe(field(await onlyMonitor(sandbox), 'id'));
	});
});
