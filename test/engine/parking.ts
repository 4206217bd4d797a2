import type { INodeParameters } from 'n8n-workflow';

import { startWaitingHost } from '../../engine/index.ts';
import type { Execution, WaitingHost } from '../../engine/index.ts';
import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { executionOptions } from './research';
import type { RunSettings } from './research';

/** A sandbox, and an n8n that keeps waiting executions and takes the sandbox's calls. */
export interface Lot {
	sandbox: Sandbox;
	host: WaitingHost;
	/** Runs the node until it waits or ends. */
	run(parameters: INodeParameters, settings?: RunSettings): Promise<Execution>;
	/** The same, and waits until it has ended. */
	runToEnd(parameters: INodeParameters, settings?: RunSettings): Promise<Execution>;
	stop(): Promise<void>;
}

export async function openLot(options: Parameters<typeof startSandbox>[0] = {}): Promise<Lot> {
	const [sandbox, host] = [await startSandbox(options), await startWaitingHost()];
	const lot: Lot = {
		sandbox,
		host,
		async run(parameters, settings = {}) {
			return await host.run({
				...(await executionOptions(sandbox, parameters, settings)),
				pinData: { Items: (settings.items ?? [{}]).map((json) => ({ json })) },
			});
		},
		async runToEnd(parameters, settings) {
			const { executionId } = await lot.run(parameters, settings);
			return await host.ended(executionId);
		},
		async stop() {
			await host.stop();
			await sandbox.stop();
		},
	};
	return lot;
}

/** A crawl of the sandbox's site that frees the worker. */
export const freedCrawl = (sandbox: Sandbox, more: INodeParameters = {}): INodeParameters => ({
	resource: 'crawl',
	operation: 'start',
	url: sandbox.siteUrl,
	pageLimit: 3,
	waitForCompletion: 'free',
	...more,
});
