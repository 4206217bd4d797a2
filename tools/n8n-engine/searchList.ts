import type {
	ICredentialDataDecryptedObject,
	INodeListSearchResult,
	INodeParameters,
	ResourceMapperFields,
} from 'n8n-workflow';
import { LoadOptionsContext, NodeHelpers } from './n8n.ts';
import { surroundingsOf } from './additionalData.ts';
import { asWorkflowBase, buildWorkflow, onlyCredentialType } from './execution.ts';
import { nodeTypesOf } from './nodeTypes.ts';
import type { BuiltPackage } from './loadedPackage.ts';

/** What the editor asks a node about, and what its panel holds then. */
interface EditorOptions {
	package: BuiltPackage;
	credential: ICredentialDataDecryptedObject;
	/** Short name of a node, for example `webData`. */
	nodeName: string;
	/** What the panel holds at the moment. */
	parameters: INodeParameters;
	/** Name of the field that asks. */
	field: string;
	/** `searchListMethod` of the field's list, or `resourceMapperMethod`. */
	method: string;
	/** Of the workflow: `Europe/Oslo`. */
	timezone?: string;
}

export interface SearchOptions extends EditorOptions {
	filter?: string;
	paginationToken?: string;
}

const NODE = 'Temp-Node';

/** The node's methods, and what n8n calls them with (dynamic-node-parameters.service.ts, n8n 2.40). */
function askedBy(options: EditorOptions) {
	const { package: builtPackage, credential, parameters, field } = options;
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
	const { methods } = NodeHelpers.getVersionedNodeType(nodeTypes.getByName(type));
	if (!node) throw new Error('The workflow has no node.');
	const { data } = surroundingsOf({
		package: builtPackage,
		credential: { type: credentialType, data: credential },
		workflow: base,
		mode: 'internal',
		executionId: '',
	});
	data.currentNodeParameters = parameters;
	return { methods, context: new LoadOptionsContext(workflow, node, data, `parameters.${field}`) };
}

/** Asks a node's list search as n8n's editor does for a resource locator. Rejects with the node's error. */
export async function searchList(options: SearchOptions): Promise<INodeListSearchResult> {
	const { methods, context } = askedBy(options);
	const search = methods?.listSearch?.[options.method];
	if (!search) throw new Error(`The node has no list search "${options.method}".`);
	return await search.call(context, options.filter, options.paginationToken);
}

/** Asks for the fields of a resource mapper in the same way. */
export async function mappedFields(options: EditorOptions): Promise<ResourceMapperFields> {
	const { methods, context } = askedBy(options);
	const fieldsOf = methods?.resourceMapping?.[options.method];
	if (!fieldsOf) throw new Error(`The node has no fields "${options.method}".`);
	return await fieldsOf.call(context);
}
