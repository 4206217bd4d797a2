import { createHmac } from 'node:crypto';

import type { WebhookNode } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { field, startedJob } from '../sandbox/client';
import { monitorsOf, onJobs, trigger, watching } from './triggerHost';
import { startSandbox } from './run';

const SECRET = 'whsec-1234567890';
let sandbox: Sandbox;
let host: WebhookNode;

beforeEach(async () => {
	sandbox = await startSandbox({ jobDurationMs: 20 });
});

/** A call with these bytes and headers; gives the answer's status. */
async function call(body: string, headers: Record<string, string> = {}): Promise<number> {
	const response = await fetch(host.webhookUrl, { method: 'POST', body, headers });
	return response.status;
}

describe('a list of monitors that is none', () => {
	it.each([{ success: true }, { success: true, data: { id: 1 } }, { success: true, data: null }])(
		'is no reason to make a second one: %j',
		async (body) => {
			host = await trigger(sandbox, watching());
			await host.activate();
			const [before] = await monitorsOf(sandbox);
			sandbox.faults.add({ step: 'monitor', kind: 'body', httpStatus: 200, body });
			await expect(host.activate()).rejects.toThrow(/without the monitor/);
			await expect(host.deactivate()).rejects.toThrow(/without the monitor/);
			host.forget();
			await expect(host.activate()).rejects.toThrow(/without a list of monitors/);
			await expect(host.deactivate()).rejects.toThrow(/without a list of monitors/);
			sandbox.faults.clear();
			expect(await monitorsOf(sandbox)).toHaveLength(1);
			await host.activate();
			const [after, ...more] = await monitorsOf(sandbox);
			expect(more).toEqual([]);
			expect(field(after, 'id')).toBe(field(before, 'id'));
		},
	);

	it('rubbish in it is left out', async () => {
		host = await trigger(sandbox, watching());
		const data = [null, 3, [], {}, { id: 7 }, { id: 'x', webhook: { url: 5 } }];
		sandbox.faults.add({
			step: 'monitor',
			kind: 'body',
			httpStatus: 200,
			body: { data },
			times: 2,
		});
		await host.activate();
		expect(await monitorsOf(sandbox)).toHaveLength(1);
	});
});

describe('calls of any kind', () => {
	it('signatures of another form are refused, and nothing starts', async () => {
		host = await trigger(sandbox, onJobs({ jobOutput: 'event' }), { webhookSecret: SECRET });
		await host.activate();
		const body = JSON.stringify({ type: 'crawl.completed', id: 'x' });
		const hex = createHmac('sha256', SECRET).update(body).digest('hex');
		const forms = ['', 'sha256=', hex, `sha1=${hex}`, `sha256=${hex}, sha256=${hex}`, `sha256=${hex}0`];
		for (const form of [...forms, `sha256=${'é'.repeat(64)}`]) {
			const status = await call(body, {
				'x-firecrawl-signature': Buffer.from(form).toString('latin1'),
			});
			expect([form, status]).toEqual([form, 401]);
		}
		expect(host.executions).toEqual([]);
		expect(await call(body, { 'x-firecrawl-signature': `sha256=${hex}` })).toBe(200);
		expect(host.executions).toHaveLength(1);
	});

	it.each([
		['empty', ''],
		['null', 'null'],
		['a text', '"crawl.completed"'],
		['no type', '{"id":"x"}'],
		['a type that is a number', '{"type":5}'],
		['no UTF-8', '\u0000\uFFFF'],
		['10 MB', `"${'x'.repeat(10_000_000)}"`],
	])('a body that is no event is answered 400: %s', async (_name, body) => {
		host = await trigger(sandbox, onJobs());
		await host.activate();
		expect(await call(body)).toBe(400);
		expect(host.executions).toEqual([]);
	});

	it.each([undefined, '', 7, null, {}, '../../v2/team/credit-usage', 'a/b', 'x'.repeat(500)])(
		'an event of a job whose ID is none is answered 400, and the service is asked nothing: %p',
		async (id) => {
			host = await trigger(sandbox, onJobs());
			await host.activate();
			const before = sandbox.stats().requests;
			expect(await call(JSON.stringify({ type: 'crawl.completed', id }))).toBe(400);
			expect(host.executions).toEqual([]);
			expect(sandbox.stats().requests).toBe(before);
		},
	);

	it('the same event ten times at one moment starts one execution', async () => {
		host = await trigger(sandbox, onJobs({ jobOutput: 'event' }));
		await host.activate();
		const id = await startedJob(sandbox, '/v2/crawl', { url: sandbox.siteUrl, limit: 1 });
		const body = JSON.stringify({
			type: 'crawl.completed',
			id,
			webhookId: 'one',
			data: [null, 3],
		});
		const statuses = await Promise.all(Array.from({ length: 10 }, async () => await call(body)));
		expect(new Set(statuses)).toEqual(new Set([200]));
		expect(host.executions).toHaveLength(1);
	});
});
