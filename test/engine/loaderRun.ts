import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { retryFromStored, runWorkflow, VECTOR_STORE_TYPE, vectorStoreNode } from '../../tools/n8n-engine/index.ts';
import type { Execution, NodeOverride, RunOptions, WorkflowFile } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { builtPackage, ITEMS_NODE, KEY, withoutCredentials } from './run';

export const LOADER = 'Web Data Loader';
export const STORE = 'Vector Store';

interface LoaderDocument {
	pageContent: string;
	metadata: IDataObject;
}

interface LoaderSettings {
	items?: INodeExecutionData[];
	/** The loader has no credential. */
	hasNoCredential?: true;
	/** Of the vector store. */
	store?: NodeOverride;
	signal?: AbortSignal;
	/** Default: by hand. */
	mode?: NonNullable<RunOptions['mode']>;
	/** What the vector store does with what it inserts, such as throw. */
	onInsert?: (documents: LoaderDocument[]) => void;
	otherNodes?: WorkflowFile['nodes'];
	otherConnections?: WorkflowFile['connections'];
	otherNodeTypes?: NonNullable<RunOptions['otherNodeTypes']>;
}

export interface Loaded {
	execution: Execution;
	/** What went into the vector store. */
	inserted: LoaderDocument[];
}

function workflowOf(parameters: INodeParameters, settings: LoaderSettings): WorkflowFile {
	return {
		name: 'Load',
		nodes: [
			ITEMS_NODE,
			{
				id: 'store',
				name: STORE,
				type: VECTOR_STORE_TYPE,
				typeVersion: 1.3,
				position: [200, 0],
				parameters: { mode: 'insert' },
			},
			{
				id: 'loader',
				name: LOADER,
				type: 'n8n-nodes-web-data.webDataLoader',
				typeVersion: 1,
				position: [200, 200],
				parameters,
				credentials: { webDataApi: { id: '1', name: 'Web Data API' } },
			},
			...(settings.otherNodes ?? []),
		],
		connections: {
			Items: { main: [[{ node: STORE, type: 'main', index: 0 }]] },
			[LOADER]: { ai_document: [[{ node: STORE, type: 'ai_document', index: 0 }]] },
			...settings.otherConnections,
		},
	};
}

async function optionsOf(
	sandbox: Pick<Sandbox, 'baseUrl'>,
	parameters: INodeParameters,
	settings: LoaderSettings,
	inserted: LoaderDocument[],
) {
	const store = vectorStoreNode((documents) => {
		settings.onInsert?.(documents);
		inserted.push(...documents);
	});
	return {
		package: await builtPackage(),
		...(settings.hasNoCredential
			? { workflow: withoutCredentials(workflowOf(parameters, settings)) }
			: { workflow: workflowOf(parameters, settings), credential: { baseUrl: sandbox.baseUrl, apiKey: KEY } }),
		otherNodeTypes: { [VECTOR_STORE_TYPE]: store, ...settings.otherNodeTypes },
		nodeOverrides: { [STORE]: settings.store ?? {} },
		...(settings.signal && { signal: settings.signal }),
	};
}

/** Runs a vector store with the loader on it in n8n's own engine, against the sandbox. */
export async function runLoader(
	sandbox: Pick<Sandbox, 'baseUrl'>,
	parameters: INodeParameters,
	settings: LoaderSettings = {},
): Promise<Loaded> {
	const inserted: LoaderDocument[] = [];
	const execution = await runWorkflow({
		...(await optionsOf(sandbox, parameters, settings, inserted)),
		pinData: { Items: settings.items ?? [{ json: {} }] },
		...(settings.mode && { mode: settings.mode }),
	});
	return { execution, inserted };
}

/** n8n's Retry of a failed execution. */
export async function retryLoader(
	sandbox: Pick<Sandbox, 'baseUrl'>,
	failed: Execution,
	parameters: INodeParameters,
	settings: LoaderSettings = {},
): Promise<Loaded> {
	const inserted: LoaderDocument[] = [];
	const options = await optionsOf(sandbox, parameters, settings, inserted);
	return { execution: await retryFromStored(failed, options), inserted };
}

/** The output of the loader itself: one item for each page. */
export function shownPages({ run }: Execution): IDataObject[] {
	const [latest] = (run.data.resultData.runData[LOADER] ?? []).slice(-1);
	return (latest?.data?.ai_document?.[0] ?? []).map(({ json }) => json);
}
