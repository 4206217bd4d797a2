import type { INodeParameters } from 'n8n-workflow';

import { startWaitingHost } from '../../tools/n8n-engine/index.ts';
import type { Execution, WaitingHost } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { SECRET_HEADER } from '../../nodes/service/webhooks';
import { endsLater } from '../helpers/lifetime';
import { field } from '../sandbox/client';
import { executionOptions, NODE, startSandbox } from './run';
import type { RunSettings } from './run';

/** A sandbox, and an n8n that keeps waiting executions and takes the sandbox's calls. */
export interface WaitingSetup {
	sandbox: Sandbox;
	host: WaitingHost;
	/** Runs the node until it waits or ends. */
	run(parameters: INodeParameters, settings?: RunSettings): Promise<Execution>;
	/** The same, and waits until it has ended. */
	runToEnd(parameters: INodeParameters, settings?: RunSettings): Promise<Execution>;
}

export async function openWaitingSetup(options: Parameters<typeof startSandbox>[0] = {}): Promise<WaitingSetup> {
	const [sandbox, host] = [await startSandbox({ ...options }), endsLater(await startWaitingHost())];
	const setup: WaitingSetup = {
		sandbox,
		host,
		async run(parameters, settings = {}) {
			return await host.run({
				...(await executionOptions(sandbox, parameters, settings)),
				pinData: { Items: (settings.items ?? [{}]).map((json) => ({ json })) },
			});
		},
		async runToEnd(parameters, settings) {
			const { executionId } = await setup.run(parameters, settings);
			return await host.ended(executionId);
		},
	};
	return setup;
}

/** A crawl of the sandbox's site that frees the worker. */
export const suspendingCrawl = (sandbox: Sandbox, more: INodeParameters = {}): INodeParameters => ({
	resource: 'crawl',
	operation: 'start',
	url: sandbox.siteUrl,
	pageLimit: 3,
	waitForCompletion: 'free',
	...more,
});

/** What the suspended node holds for the service's calls: their address and their secret. */
export function resumeCallOf({ executionId, context }: Execution, { host }: WaitingSetup) {
	const secret = String(field(context(NODE), 'webDataSuspended.secret'));
	return { url: `${host.url}webhook-waiting/${executionId}/job-ended`, secret };
}

/** Makes a call as the service makes it, or with `patience` as the node itself does; its status. */
export async function notify(
	url: string,
	secret: string | undefined,
	patience: Record<string, string> = {},
): Promise<number> {
	const headers = { ...(secret !== undefined && { [SECRET_HEADER]: secret }), ...patience };
	return (await fetch(url, { method: 'POST', headers, body: '{"success":true}' })).status;
}

/** A text without its times: what two runs say may differ by the minute in which their results expire. */
export function withoutTimes(text: string): string {
	return text.replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?Z| \([^)]+\))/g, 'then');
}
