import type { ICredentialDataDecryptedObject, INodeListSearchResult, INodeParameters } from 'n8n-workflow';
import { LoadOptionsContext, NodeHelpers } from './n8n.ts';
import { surroundingsOf } from './additionalData.ts';
import { asWorkflowBase, buildWorkflow, onlyCredentialType } from './execution.ts';
import { nodeTypesOf } from './nodeTypes.ts';
import type { BuiltPackage } from './loadedPackage.ts';

export interface SearchOptions {
	package: BuiltPackage;
	credential: ICredentialDataDecryptedObject;
	/** Short name of a node, for example `webData`. */
	nodeName: string;
	/** What the panel holds at the moment. */
	parameters: INodeParameters;
	/** Name of the field that asks. */
	field: string;
	/** `searchListMethod` of the field's list. */
	method: string;
	filter?: string;
	paginationToken?: string;
	/** Of the workflow: `Europe/Oslo`. */
	timezone?: string;
}

const NODE = 'Temp-Node';

/**
 * Asks a node's list search as n8n's editor does for a resource locator. Source:
 * packages/cli/src/services/dynamic-node-parameters.service.ts, n8n 2.40. Rejects with the node's error.
 */
export async function searchList(options: SearchOptions): Promise<INodeListSearchResult> {
	const { package: builtPackage, credential, parameters, field, method } = options;
	const type = `${builtPackage.name}.${options.nodeName}`;
	const credentialType = onlyCredentialType(builtPackage);
	const { timezone } = options;
	const base = asWorkflowBase({
		name: 'List search',
		...(timezone !== undefined && { settings: { timezone } }),
		nodes: [
			{
				id: 'node',
				name: NODE,
				type,
				typeVersion: 1,
				position: [0, 0],
				parameters,
				credentials: { [credentialType]: { id: '1', name: 'In use' } },
			},
		],
		connections: {},
	});
	const nodeTypes = nodeTypesOf(builtPackage);
	const workflow = buildWorkflow(base, nodeTypes);
	const node = workflow.getNode(NODE);
	const search = NodeHelpers.getVersionedNodeType(nodeTypes.getByName(type)).methods?.listSearch?.[method];
	if (!node || !search) throw new Error(`The node has no list search "${method}".`);
	const { data } = surroundingsOf({
		package: builtPackage,
		credential: { type: credentialType, data: credential },
		workflow: base,
		mode: 'internal',
		executionId: '',
	});
	data.currentNodeParameters = parameters;
	const context = new LoadOptionsContext(workflow, node, data, `parameters.${field}`);
	return await search.call(context, options.filter, options.paginationToken);
}
