import { join } from 'node:path';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { loadBuiltPackage, runWorkflow } from '../../engine/index.ts';
import type { BuiltPackage, Execution, NodeOverride, WorkflowFile } from '../../engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import type { ChaosKind } from './kinds.ts';

/** Name of the node under test. */
export const NODE = 'Web Data';

/** A place before the node, so that n8n keeps the items apart that it puts out. */
const WORKFLOW: WorkflowFile = {
	name: 'Chaos',
	nodes: [
		{
			id: 'trigger',
			name: 'Items',
			type: 'n8n-nodes-base.manualTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
		{
			id: 'node',
			name: NODE,
			type: 'n8n-nodes-web-data.webData',
			typeVersion: 1,
			position: [200, 0],
			parameters: {},
			credentials: { webDataApi: { id: '1', name: 'Web Data API' } },
		},
	],
	connections: { Items: { main: [[{ node: NODE, type: 'main', index: 0 }]] } },
};

let loaded: Promise<BuiltPackage> | undefined;

export interface RunParts {
	sandbox: Sandbox;
	key: string;
	kind: ChaosKind;
	questions: readonly string[];
	node: NodeOverride;
	/** Longest wait for a job, in seconds. */
	maxWait: number;
	signal?: AbortSignal;
}

/** What every way of running the node on these questions takes. */
export async function optionsOf(parts: RunParts) {
	const { sandbox, key, kind, questions, node, maxWait, signal } = parts;
	loaded ??= loadBuiltPackage(join(import.meta.dirname, '../..'));
	const waitOptions = { maxJobsAtOnce: Math.min(1000, questions.length), maxWait };
	const parameters = { ...kind.parameters, options: { waitOptions } };
	return {
		package: await loaded,
		workflow: WORKFLOW,
		credential: { baseUrl: sandbox.baseUrl, apiKey: key },
		nodeOverrides: { [NODE]: { ...node, parameters } },
		pinData: { Items: questions.map((q) => ({ json: { q } })) },
		...(signal && { signal }),
	};
}

/** Runs the node on one item for each question, in n8n's own engine. */
export async function runNode(parts: RunParts): Promise<Execution> {
	return await runWorkflow(await optionsOf(parts));
}

/** The input item that an output item says it comes from; -1 when it does not say. */
export function sourceOf({ pairedItem }: INodeExecutionData): number {
	return typeof pairedItem === 'object' && 'item' in pairedItem ? pairedItem.item : -1;
}

/** The details of an item on the error output. */
export function detailsOf({ json }: INodeExecutionData): IDataObject {
	const { details } = json;
	return typeof details === 'object' && details !== null && !Array.isArray(details)
		? (details as IDataObject)
		: {};
}
