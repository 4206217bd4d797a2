import type { INodeParameters } from 'n8n-workflow';

import type { WebhookNode } from '../../engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { field } from '../sandbox/client';
import { CHANGING, monitorsOf, onlyMonitor, STEADY, trigger } from './triggerHost';
import { startSandbox } from './run';

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
