import type { INode, INodeParameters } from 'n8n-workflow';
import { NodeHelpers } from '../../tools/n8n-engine/n8n.ts';
import type { WebhookNode } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { field, until } from '../sandbox/client';
import { CHANGING, check, GONE, jsonOf, monitorsOf, onlyMonitor, STEADY, trigger, watching } from './triggerHost';
import { builtPackage, startSandbox } from './run';

let sandbox: Sandbox;
beforeEach(async () => {
	sandbox = await startSandbox({ jobDurationMs: 20 });
});

/** The trigger with what somebody has filled in. */
async function activated(parameters: INodeParameters): Promise<WebhookNode> {
	const host = await trigger(sandbox, { event: 'websiteChanged', ...parameters });
	await host.activate();
	return host;
}

describe('Website Changed', () => {
	it('needs addresses only: they are checked every day in the time zone of the workflow', async () => {
		await activated({ urls: `${CHANGING}\n${STEADY}` });
		const monitor = await onlyMonitor(sandbox);
		expect(field(monitor, 'targets.0.urls')).toEqual([CHANGING, STEADY]);
		expect(field(monitor, 'schedule')).toEqual({ cron: '0 9 * * *', timezone: expect.any(String) });
	});

	it.each([
		['hour', '0 * * * *'],
		['sixHours', '0 */6 * * *'],
		['week', '0 9 * * 1'],
	])('checks as often as Schedule says: %s', async (schedule, cron) => {
		await activated({ urls: STEADY, schedule });
		expect(field(await onlyMonitor(sandbox), 'schedule.cron')).toBe(cron);
	});

	it('watches websites and searches beside the pages', async () => {
		const triggerOptions = { sites: STEADY, searches: 'tide tables', goal: 'New tables' };
		await activated({ urls: CHANGING, triggerOptions });
		const monitor = await onlyMonitor(sandbox);
		const types = [0, 1, 2].map((at) => field(monitor, `targets.${at}.type`));
		expect(types).toEqual(['scrape', 'crawl', 'search']);
		expect(field(monitor, 'goal')).toBe('New tables');
	});

	it.each([
		[{}, /Fill in "URLs"/],
		[{ triggerOptions: { searches: 'tide tables' } }, /"Searches" needs a Goal/],
		[{ urls: STEADY, schedule: 'cron', cron: '@daily' }, /"Cron Expression" must be a cron expression/],
		[{ urls: 'ftp://example.com' }, /"URLs" must be made of web addresses/],
	])('refuses %j before anything is sent', async (parameters, message) => {
		await expect(activated(parameters)).rejects.toThrow(message);
		expect(await monitorsOf(sandbox)).toEqual([]);
	});
});

it.each<[INodeParameters, string[]]>([
	[{}, ['Parameter "URLs" is required.']],
	[{ urls: STEADY }, []],
	[{ triggerOptions: { goal: 'New tables' } }, ['Parameter "URLs" is required.']],
	[{ triggerOptions: { sites: STEADY } }, []],
	[{ triggerOptions: { searches: 'tides', sites: STEADY } }, []],
	[{ triggerOptions: { monitorId: { __rl: true, mode: 'id', value: 'x' }, searches: 'tides' } }, []],
	[{ event: 'jobEvent' }, []],
])('n8n names before publishing what is missing: %j', async (parameters, issues) => {
	const { descriptions } = await builtPackage();
	const { properties = [] } = descriptions.find(({ name }) => name.endsWith('webDataTrigger')) ?? {};
	const all = { event: 'websiteChanged', ...parameters };
	const node = { id: '', name: '', type: '', typeVersion: 1, position: [0, 0], parameters: all } as INode;
	const filled = NodeHelpers.getNodeParameters(properties, all, true, false, node, null);
	const found = NodeHelpers.getNodeParametersIssues(properties, { ...node, parameters: filled ?? {} }, null);
	expect(Object.values(found?.parameters ?? {}).flat()).toEqual(issues);
});

let host: WebhookNode;
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
