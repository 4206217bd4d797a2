import { fileURLToPath } from 'node:url';
import type { IBinaryKeyData, IDataObject, INodeParameters } from 'n8n-workflow';
import { runWorkflow } from '../../tools/n8n-engine/index.ts';
import type { BuiltPackage, Execution, NodeOverride, RunOptions, WorkflowFile } from '../../tools/n8n-engine/index.ts';

/** The folder of the package. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Name of the measured node in the workflow. */
export const NODE = 'Measured';

/** A key of the sandbox; the benchmarks' own servers take any. */
export const KEY = 'fc-sandbox';

/** A node that is measured. */
export interface Contender {
	package: BuiltPackage;
	/** Short name of the node in the package. */
	nodeName: string;
}

interface NodeRun extends Contender {
	parameters: INodeParameters;
	items: IDataObject[];
	/** Binary data of each item. */
	files?: IBinaryKeyData;
	baseUrl: string;
	onStarted?: RunOptions['onStarted'];
	/** Settings of the measured node. */
	node?: NodeOverride;
}

/** Runs one node on the items in n8n's own engine. Rejects with an Error when the node fails. */
export async function runNode(run: NodeRun): Promise<Execution> {
	const execution = await runWorkflow({
		package: run.package,
		workflow: workflowWith(`${run.package.name}.${run.nodeName}`, run.parameters),
		credential: { baseUrl: run.baseUrl, apiKey: KEY },
		pinData: {
			Items: run.items.map((json) => ({ json, ...(run.files && { binary: run.files }) })),
		},
		...(run.node && { nodeOverrides: { [NODE]: run.node } }),
		...(run.onStarted && { onStarted: run.onStarted }),
	});
	if (execution.error) throw new Error(execution.error.message);
	return execution;
}

/** Trigger, then the measured node, then nothing. */
export function workflowWith(type: string, parameters: INodeParameters): WorkflowFile {
	const rest = { typeVersion: 1, position: [0, 0] as [number, number] };
	const credentials = { webDataApi: { id: '1', name: 'Web Data API' } };
	return {
		name: 'Benchmark',
		nodes: [
			{ id: '1', name: 'Items', type: 'n8n-nodes-base.manualTrigger', parameters: {}, ...rest },
			{ id: '2', name: NODE, type, parameters, credentials, ...rest },
		],
		connections: { Items: { main: [[{ node: NODE, type: 'main', index: 0 }]] } },
	};
}
