import type { IDataObject, INodeType, INodeTypeDescription, INodeTypes, IVersionedNodeType } from 'n8n-workflow';
import { NodeHelpers } from './n8n.ts';
import { asToolType } from './toolType.ts';
import type { BuiltPackage } from './loadedPackage.ts';

/** Node types by full name, to be known besides those of the package. */
export type NodeTypesByName = Readonly<Record<string, INodeType>>;

/**
 * The registry of node types that a workflow asks: the package's own, their tool forms
 * (`...webDataTool`, where a node is usable as a tool) and `others`.
 *
 * Any other type exists by description only. n8n-core 2.41 refuses to start a workflow with an unknown
 * type, even where the node is pinned (WorkflowExecute.checkReadyForExecution), but it never runs a
 * pinned node (getPinnedOutput). So a node of n8n-nodes-base can stand in a workflow as long as it is
 * pinned; reached without a pin, it fails and says so.
 */
export function nodeTypesOf(builtPackage: BuiltPackage, others: NodeTypesByName = {}): INodeTypes {
	const known = new Map<string, INodeType | IVersionedNodeType>([...builtPackage.nodeTypes, ...Object.entries(others)]);

	function typeNamed(name: string): INodeType | IVersionedNodeType {
		const type = known.get(name) ?? toolForm(name) ?? pinnedOnly(name);
		known.set(name, type);
		return type;
	}

	function toolForm(name: string): INodeType | undefined {
		if (!name.endsWith('Tool')) return undefined;
		const plain = builtPackage.nodeTypes.get(name.slice(0, -'Tool'.length));
		if (plain === undefined) return undefined;
		const type = NodeHelpers.getVersionedNodeType(plain);
		return type.description.usableAsTool ? asToolType(type) : undefined;
	}

	return {
		getByName: typeNamed,
		getByNameAndVersion: (name, version) => NodeHelpers.getVersionedNodeType(typeNamed(name), version),
		getKnownTypes: (): IDataObject => Object.fromEntries([...known.keys()].map((name) => [name, { className: name }])),
	};
}

/** Whether n8n would start a workflow at a node of this type. By name: the type may be unknown here. */
export function isTriggerType(name: string): boolean {
	return /trigger$/i.test(name);
}

function pinnedOnly(name: string): INodeType {
	const description: INodeTypeDescription = {
		displayName: name,
		name,
		group: [],
		version: 1,
		description: '',
		defaults: {},
		inputs: isTriggerType(name) ? [] : ['main'],
		outputs: ['main'],
		properties: [],
	};
	return {
		description,
		async execute() {
			throw new Error(`${name} is not installed in this engine: pin data for "${this.getNode().name}".`);
		},
	};
}
