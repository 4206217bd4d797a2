import { join } from 'node:path';
import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { flowNodes, loadBuiltPackage, runWorkflow } from '../../engine/index.ts';
import type { BuiltPackage, Execution, NodeOverride, WorkflowFile } from '../../engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import type { ChaosKind } from './kinds.ts';

/** Name of the node under test. */
export const NODE = 'Web Data';

/** The condition that leads back to the node in a loop. */
export const AGAIN = 'Again?';

/** The service and the account that an execution uses. */
export interface Account {
	sandbox: Sandbox;
	key: string;
}

const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];

const node = (name: string, type: string, rest: Partial<INode> = {}): INode => ({
	id: name,
	name,
	type,
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
	...rest,
});

/** A place before the node, so that n8n keeps the items apart that it puts out. */
const WORKFLOW: WorkflowFile = {
	name: 'Chaos',
	nodes: [
		node('Items', 'n8n-nodes-base.manualTrigger'),
		node(NODE, 'n8n-nodes-web-data.webData', {
			credentials: { webDataApi: { id: '1', name: 'Web Data API' } },
		}),
	],
	connections: { Items: { main: [to(NODE)] } },
};

/** The same with a condition that brings the items back until the node has run so many times. */
function loopOf(rounds: number): WorkflowFile {
	const again = {
		id: 'again',
		leftValue: '={{ $runIndex }}',
		rightValue: rounds - 1,
		operator: { type: 'number', operation: 'lt' },
	};
	const options = { version: 2, caseSensitive: true, typeValidation: 'loose', leftValue: '' };
	const parameters = { conditions: { options, combinator: 'and', conditions: [again] } };
	return {
		...WORKFLOW,
		nodes: [...WORKFLOW.nodes, node(AGAIN, 'n8n-nodes-base.if', { typeVersion: 2, parameters })],
		connections: {
			...WORKFLOW.connections,
			[NODE]: { main: [to(AGAIN)] },
			[AGAIN]: { main: [to(NODE), []] },
		},
	};
}

let loaded: Promise<BuiltPackage> | undefined;

/** The package, read once. */
export async function builtPackage(): Promise<BuiltPackage> {
	loaded ??= loadBuiltPackage(join(import.meta.dirname, '../..'));
	return await loaded;
}

export interface RunParts {
	account: Account;
	kind: ChaosKind;
	/** What each item asks for; in a loop, in each round. */
	rounds: ReadonlyArray<readonly string[]>;
	node: NodeOverride;
	/** The node's options. */
	options: INodeParameters;
	signal?: AbortSignal;
	onProgress?: (nodeName: string, stored: string) => void;
}

/** What every way of running the node on these questions takes. */
export async function optionsOf(parts: RunParts) {
	const { account, kind, rounds, node: settings, options, signal, onProgress } = parts;
	const [first = []] = rounds;
	const parameters = { ...parametersOf(kind, rounds.length > 1), ...(kind.isJob && { options }) };
	const items = first.map((q, index) => ({ json: { q, rounds: rounds.map((one) => one[index]) } }));
	return {
		package: await builtPackage(),
		workflow: rounds.length > 1 ? loopOf(rounds.length) : WORKFLOW,
		credential: { baseUrl: account.sandbox.baseUrl, apiKey: account.key },
		nodeOverrides: { [NODE]: { ...settings, parameters } },
		otherNodeTypes: flowNodes,
		pinData: { Items: items as Array<{ json: IDataObject }> },
		...(signal && { signal }),
		...(onProgress && { onProgress }),
	};
}

/** In a loop the node is given its own output again, so that it asks the first items. */
function parametersOf({ parameters }: ChaosKind, isLoop: boolean): INodeParameters {
	if (!isLoop) return parameters;
	const asked = '$("Items").all()[$itemIndex].json.rounds[$runIndex]';
	return Object.fromEntries(
		Object.entries(parameters).map(([name, value]) => [
			name,
			typeof value === 'string' ? value.replaceAll('$json.q', asked) : value,
		]),
	);
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
	return typeof details === 'object' && details !== null && !Array.isArray(details) ? (details as IDataObject) : {};
}
