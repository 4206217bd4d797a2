import { readFile } from 'node:fs/promises';
import type { IConnections, INode, INodeParameters, IWorkflowSettings } from 'n8n-workflow';
import { isTriggerType } from './nodeTypes.ts';

/** A workflow as n8n exports and imports it. */
export interface WorkflowFile {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
}

/** Changes to a node for one run. Parameters are replaced one by one, the other settings as a whole. */
export type NodeOverride = Partial<Omit<INode, 'id' | 'name' | 'parameters'>> & {
	parameters?: INodeParameters;
};

/** Reads a workflow that was exported from n8n. Rejects when the file is missing or holds no nodes. */
export async function readWorkflowFile(file: string): Promise<WorkflowFile> {
	const content = JSON.parse(await readFile(file, 'utf8')) as Partial<WorkflowFile>;
	const { name, nodes, connections, settings } = content;
	if (name === undefined || nodes === undefined || connections === undefined) {
		throw new Error(`${file} is not a workflow: it needs a name, nodes and connections.`);
	}
	return { name, nodes, connections, ...(settings !== undefined && { settings }) };
}

/** A copy of the workflow with the overrides put in. Throws an Error for a name that no node has. */
export function withOverrides(workflow: WorkflowFile, overrides: Readonly<Record<string, NodeOverride>>): WorkflowFile {
	const copy = structuredClone(workflow);
	for (const [name, { parameters, ...settings }] of Object.entries(overrides)) {
		const node = copy.nodes.find((candidate) => candidate.name === name);
		if (node === undefined) throw new Error(`The workflow has no node "${name}".`);
		Object.assign(node, settings);
		node.parameters = { ...node.parameters, ...structuredClone(parameters) };
	}
	return copy;
}

/** The nodes at which n8n would start this workflow. */
export function triggersOf(workflow: WorkflowFile): INode[] {
	return workflow.nodes.filter(({ type, disabled }) => isTriggerType(type) && disabled !== true);
}
