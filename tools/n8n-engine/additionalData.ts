import type { IDataObject, IWorkflowBase, IWorkflowExecuteAdditionalData, WorkflowExecuteMode } from 'n8n-workflow';
import { ExecutionLifecycleHooks, ExternalSecretsProxy } from './n8n.ts';
import { SingleCredential } from './credentials.ts';
import type { CredentialInUse } from './credentials.ts';
import type { BuiltPackage } from './loadedPackage.ts';
import { nodeTypesOf } from './nodeTypes.ts';
import type { NodeTypesByName } from './nodeTypes.ts';
import { runsCode } from './subWorkflow.ts';

// n8n builds links from this one; nothing listens there.
const INSTANCE_URL = 'http://localhost:5678/';

const refused = async () => {
	throw new Error('This proxy is only available for Data table nodes');
};
const NOT_FOR_OTHERS = { getDataTableProxy: refused, getDataTableAggregateProxy: refused };

/** What surrounds one execution: who it is, its credential, and the hooks n8n calls on its way. */
interface Surroundings {
	data: IWorkflowExecuteAdditionalData;
	hooks: ExecutionLifecycleHooks;
}

interface SurroundingsOptions {
	package: BuiltPackage;
	credential: CredentialInUse | undefined;
	workflow: IWorkflowBase;
	mode: WorkflowExecuteMode;
	executionId: string;
	/** The execution that this one retries. */
	retryOf?: string;
	/** Where n8n is, for the addresses that it makes. Default: where nothing listens. */
	instanceUrl?: string;
	/** n8n's variables, which expressions read as `$vars`. */
	variables?: IDataObject;
	/** The nodes of Data Tables, where the module is on. */
	tableNodes?: NodeTypesByName;
}

/**
 * The part of an execution that n8n's server gives to n8n-core: the same members, without a database, task runners and
 * an editor. Sub-workflows are those in code, where Data Tables are on. Source: packages/cli/src/workflow-execute-additional-data.ts
 * and IWorkflowExecuteAdditionalData of n8n-workflow 2.41.
 */
export function surroundingsOf(options: SurroundingsOptions): Surroundings {
	const { workflow, mode, executionId, retryOf, tableNodes, instanceUrl = INSTANCE_URL } = options;
	const hooks = new ExecutionLifecycleHooks(mode, executionId, workflow, retryOf);
	const unavailable = (what: string) => async () => {
		throw new Error(`${what} is not available in this engine.`);
	};
	return {
		hooks,
		data: {
			hooks,
			credentialsHelper: new SingleCredential(options.package, options.credential),
			externalSecretsProxy: new ExternalSecretsProxy(),
			executionId,
			workflowId: workflow.id,
			currentNodeExecutionIndex: 0,
			variables: options.variables ?? {},
			instanceBaseUrl: instanceUrl,
			restApiUrl: `${instanceUrl}rest`,
			formBaseUrl: `${instanceUrl}form`,
			formWaitingBaseUrl: `${instanceUrl}form-waiting`,
			formTestBaseUrl: `${instanceUrl}form-test`,
			webhookBaseUrl: `${instanceUrl}webhook`,
			webhookWaitingBaseUrl: `${instanceUrl}webhook-waiting`,
			webhookTestBaseUrl: `${instanceUrl}webhook-test`,
			mcpBaseUrl: `${instanceUrl}mcp`,
			mcpTestBaseUrl: `${instanceUrl}mcp-test`,
			setExecutionStatus: () => undefined,
			sendDataToUI: () => undefined,
			logAiEvent: () => undefined,
			getRunExecutionData: async () => undefined,
			getRuntimeCredential: async () => undefined,
			executeWorkflow: tableNodes
				? runsCode(
						nodeTypesOf(options.package, tableNodes),
						(code) => surroundingsOf({ ...options, workflow: code, mode: 'integrated' }).data,
					)
				: unavailable('A sub-workflow'),
			startRunnerTask: unavailable('A task runner'),
			// A node is told by it that the module is on; only n8n's own nodes may use it.
			...(tableNodes && { 'data-table': { dataTableProxyProvider: NOT_FOR_OTHERS } }),
		},
	};
}
