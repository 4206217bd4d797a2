import type { WebhookNode } from '../../engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { field, until } from '../sandbox/client';
import { CHANGING, check, GONE, jsonOf, onlyMonitor, STEADY, trigger, watching } from './triggerHost';
import { startSandbox } from './run';

// The first check of a monitor is what later ones are compared with, also where the service does not say which it is.

let sandbox: Sandbox;
let host: WebhookNode;

beforeEach(async () => {
	sandbox = await startSandbox({ jobDurationMs: 20 });
});

const FIFTY = Array.from({ length: 50 }, (_unused, at) => `http://site.example/page-${at}`);

async function checked(id: unknown, calls: number): Promise<void> {
	await check(sandbox, id);
	await until(`${calls} calls`, () => sandbox.webhooks.sent().length >= calls);
}

/** The trigger, active, and the id of its monitor. */
async function active(urls: string[], more: object = {}): Promise<unknown> {
	host = await trigger(sandbox, watching({ urls: urls.join('\n'), ...more }));
	await host.activate();
	return field(await onlyMonitor(sandbox), 'id');
}

/** The list of checks fails; a refusal, because a 500 is asked for again for seconds. */
function listFails(): void {
	sandbox.faults.add({ kind: 'status', step: 'monitorChecks', httpStatus: 403 });
}

describe('where the list of checks cannot be had', () => {
	it('50 pages of the first check start nothing; a later change does', async () => {
		const id = await active([...FIFTY, CHANGING]);
		listFails();
		await checked(id, 1);
		await checked(id, 2);
		await until('an execution', () => host.executions.length > 0);
		expect(host.executions).toHaveLength(1);
		expect(jsonOf(host, 0)).toEqual([expect.objectContaining({ url: CHANGING, status: 'changed' })]);
	});

	it('pages that are told one by one start nothing at the first check either', async () => {
		const id = await active([...FIFTY.slice(0, 5), CHANGING], { output: 'atOnce' });
		listFails();
		await checked(id, 6);
		await checked(id, 12);
		await until('an execution', () => host.executions.length > 0);
		expect(host.executions.flatMap((_one, at) => jsonOf(host, at))).toEqual([
			expect.objectContaining({ url: CHANGING, status: 'changed' }),
		]);
	});
});

it('an empty list of checks, which lags behind, makes the check the first', async () => {
	const id = await active([STEADY, GONE]);
	sandbox.faults.add({
		kind: 'body',
		step: 'monitorChecks',
		httpStatus: 200,
		body: { success: true, data: [] },
	});
	await checked(id, 1);
	await until('the first check', () => host.stored().firstCheckId !== undefined);
	expect(host.executions).toEqual([]);
});
