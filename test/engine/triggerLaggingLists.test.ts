import type { INodeParameters } from 'n8n-workflow';

import { n8nLog } from '../../tools/n8n-engine/index.ts';
import type { WebhookNode } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { ask, field, startedJob, until } from '../sandbox/client';
import type { ScriptAnswer } from '../helpers/script';
import { startInBetween } from './serviceInBetween';
import type { ServiceInBetween } from './serviceInBetween';
import { check, monitorOf, monitorsOf, onJobs, onlyMonitor, trigger, watching } from './triggerHost';
import { startSandbox } from './run';

// Lists and states lag behind for seconds: a monitor or a job that the service denies for so long is there.

let sandbox: Sandbox;
let between: ServiceInBetween;

const NO_MONITORS: ScriptAnswer = { status: 200, body: { success: true, data: [] } };
const DENIED: ScriptAnswer = { status: 404, body: { success: false, error: 'Not found' } };

beforeEach(async () => {
	sandbox = await startSandbox({ jobDurationMs: 20 });
	between = await startInBetween(sandbox);
});

async function host(parameters: INodeParameters, webhookId = 'hook'): Promise<WebhookNode> {
	return await trigger(between, parameters, { webhookId });
}

const existing = (id: string, takeOver: boolean): INodeParameters =>
	watching({
		triggerOptions: { monitorId: { mode: 'id', value: id }, takeOver },
	});

const isList = ({ method, path }: { method: string; path: string }): boolean =>
	method === 'GET' && path === '/v2/monitor';

/** Answers so many requests for one monitor or job with 404, and lists no monitor. */
function denyFor(times: number, path: RegExp): void {
	let left = times;
	between.interpose = async (request, pass) => {
		if (isList(request)) return NO_MONITORS;
		const isDenied = request.method === 'GET' && path.test(request.path) && left-- > 0;
		return isDenied ? DENIED : await pass();
	};
}

describe('the list of monitors lags behind', () => {
	it('the monitor that n8n remembers is kept at the next activation, and none is made beside it', async () => {
		const one = await host(watching());
		await one.activate();
		const id = field(await onlyMonitor(sandbox), 'id');
		between.interpose = async (request, pass) => (isList(request) ? NO_MONITORS : await pass());
		await one.activate();
		expect(field(await onlyMonitor(sandbox), 'id')).toBe(id);
	});

	it('a monitor that the service denies for seconds is not made twice, and is removed', async () => {
		const one = await host(watching());
		await one.activate();
		const id = field(await onlyMonitor(sandbox), 'id');
		denyFor(3, /monitor\/./);
		await one.activate();
		expect(field(await onlyMonitor(sandbox), 'id')).toBe(id);
		denyFor(3, /monitor\/./);
		await one.deactivate();
		expect(await monitorsOf(sandbox)).toEqual([]);
	});

	it.each(['deactivated', 'activated'])(
		'Take Over holds when the first workflow is %s while the list still shows its webhook',
		async (what) => {
			const id = await monitorOf(sandbox, { webhook: { url: 'http://mine.example/hook' } });
			const first = await host(existing(id, false), 'first');
			const second = await host(existing(id, true), 'second');
			await first.activate();
			const { body: stale } = await ask(sandbox, 'GET', '/v2/monitor');
			await second.activate();
			between.interpose = async (request, pass) => {
				if (!isList(request)) return await pass();
				return request.query.offset !== undefined ? NO_MONITORS : { status: 200, body: stale };
			};
			if (what === 'deactivated') await first.deactivate();
			else await expect(first.activate()).rejects.toThrow(second.webhookUrl);
			expect(field(await onlyMonitor(sandbox), 'webhook.url')).toBe(second.webhookUrl);
		},
	);
});

it('a monitor that the service knows no more, as with the key of another account, is named in the log', async () => {
	const warned = jest.spyOn(n8nLog(), 'warn');
	const one = await host(watching());
	await one.activate();
	const id = String(field(await onlyMonitor(sandbox), 'id'));
	denyFor(Infinity, /monitor\/./);
	await one.deactivate();
	expect(warned.mock.calls.map(([text]) => text)).toEqual([
		`The service does not know the monitor ${id} of ${one.webhookUrl} any more. If the credential has got the key of another account, delete it there, since each of its checks costs credits.`,
	]);
});

it('a creation whose answer is lost, and that is not listed in 15 s, says what may call n8n', async () => {
	const one = await host(watching());
	between.interpose = async (request, pass) => {
		if (isList(request)) return NO_MONITORS;
		if (request.method === 'POST') await pass();
		throw new Error('The connection is cut.');
	};
	await expect(one.activate()).rejects.toThrow(
		`It is not known whether a monitor calls ${one.webhookUrl}: The connection to`,
	);
});

describe('an event comes before the service shows what it is about', () => {
	it('the result of a crawl that is denied for seconds starts the workflow', async () => {
		const one = await host(onJobs());
		await one.activate();
		denyFor(3, /crawl\/./);
		await startedJob(sandbox, '/v2/crawl', {
			url: sandbox.siteUrl,
			limit: 2,
			webhook: { url: one.webhookUrl, events: ['completed'] },
		});
		await until('an execution', () => one.executions.length > 0);
		expect(one.executions[0]?.error).toBeUndefined();
		expect(one.executions[0]?.items).toHaveLength(2);
	});

	it('the pages of a check that is denied for seconds start the workflow', async () => {
		const one = await host(watching({ triggerOptions: { reportFirst: true } }));
		await one.activate();
		denyFor(3, /checks\/./);
		await check(sandbox, one.stored().monitorId);
		await until('an execution', () => one.executions.length > 0);
		expect(one.executions[0]?.error).toBeUndefined();
		expect(one.executions[0]?.items).not.toEqual([]);
	});
});
