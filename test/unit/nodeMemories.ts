import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { JobMemory } from '../../nodes/WebData/run/memory/jobMemory';

/** A try of a node: its execution, and what stands in the node. */
export interface Parts {
	execution?: string | undefined;
	run?: number;
	isTool?: boolean;
	retryOnFail?: boolean;
	origin?: string;
	kind?: string;
	/** Of the node, as they are written. */
	parameters?: INodeParameters;
	/** The input items. */
	items?: IDataObject[];
	variables?: IDataObject;
}

/** Tries of one node, which share what n8n keeps for it. */
export function memories() {
	const context = {};
	return (parts: Parts = {}) => {
		const { execution = '1', run = 0, isTool = false, retryOnFail = true } = parts;
		const { origin = 'https://service.example', kind = 'crawl' } = parts;
		// By default something is edited before each execution.
		const { parameters = { edited: execution }, items = [{}, {}, {}], variables = {} } = parts;
		const ctx = {
			getContext: () => context,
			getExecutionId: () => ('execution' in parts ? parts.execution : execution),
			getNode: () => ({
				name: 'Web Data',
				type: isTool ? 'webDataTool' : 'webData',
				retryOnFail,
				parameters,
			}),
			getInputData: () => items.map((json) => ({ json })),
			getWorkflowDataProxy: () => ({ $runIndex: run, $vars: variables }),
		} as unknown as IExecuteFunctions;
		return new JobMemory(ctx, origin, kind, 'Crawl · Get');
	};
}

/** A start that asks for an address. */
export const asked = (url: string, item = 0, more = {}) => ({
	item,
	start: {
		method: 'POST' as const,
		path: '/v2/crawl',
		bucket: 'crawl' as const,
		body: { url, ...more },
	},
});
