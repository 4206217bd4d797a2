import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeExecutionData,
	INodeTypes,
	IRun,
	IRunExecutionData,
	IWorkflowBase,
	NodeExecutionHint,
	Workflow as N8nWorkflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { Workflow, WorkflowExecute } from './n8n.ts';
import { removeUserFolder } from './environment.ts';
import { surroundingsOf } from './additionalData.ts';
import type { CredentialInUse } from './credentials.ts';
import { tableNodes } from './dataTables.ts';
import type { DataTables } from './dataTables.ts';
import { refuseMistakes } from './mistakes.ts';
import { nodeTypesOf } from './nodeTypes.ts';
import { keepProcessed } from './processedItems.ts';
import type { ProcessedItems } from './processedItems.ts';
import { toStored } from './stored.ts';
import { withOverrides } from './workflowFile.ts';
import type { NodeTypesByName } from './nodeTypes.ts';
import type { BuiltPackage } from './loadedPackage.ts';
import type { NodeOverride, WorkflowFile } from './workflowFile.ts';

/** What every way of running a workflow takes. */
export interface ExecutionOptions {
	package: BuiltPackage;
	/** As exported from n8n. It is copied, never changed. */
	workflow: WorkflowFile;
	/**
	 * Used for every credential reference of the package's only credential type, whatever its id. Left out where no
	 * node has one.
	 */
	credential?: ICredentialDataDecryptedObject;
	/** Cancels the execution the way n8n's Stop does. */
	signal?: AbortSignal;
	/** By node name: retryOnFail, maxTries, waitBetweenTries, onError, parameters and the like. */
	nodeOverrides?: Readonly<Record<string, NodeOverride>>;
	/** Node types besides the package's, by full name; see flowNodes.ts. */
	otherNodeTypes?: NodeTypesByName;
	/** Called when the execution starts, with the data it lives in: n8n changes it in place. */
	onStarted?: (live: IRunExecutionData) => void;
	/**
	 * Called after each node with what n8n stores of the execution at that moment when "Save execution
	 * progress" is on. Source: packages/cli save-execution-progress.ts, n8n 2.40.
	 */
	onProgress?: (nodeName: string, stored: string) => void;
	/** Default: one for each execution. */
	executionId?: string;
	/** Where n8n is, with a slash at its end. Default: where nothing listens. */
	instanceUrl?: string;
	/** What n8n has stored with the workflow: the `staticData` of an earlier execution. Not every execution is given it. */
	staticData?: IDataObject;
	/** n8n's variables, which expressions read as `$vars`. */
	variables?: IDataObject;
	/** Runs as on a worker of queue mode: without the workflow's static data. What a node changes is stored all the same. */
	onWorker?: boolean;
	/** The Data Tables of n8n. Left out: its module is off. */
	tables?: DataTables;
	/** What nodes have recorded as processed. Left out: nobody may ask. */
	processed?: ProcessedItems;
	/** Default: the same for all. */
	workflowId?: string;
}

/** The outcome of an execution. A failed node is an outcome too: nothing here throws for it. */
export interface Execution {
	executionId: string;
	run: IRun;
	/** The error that stopped the execution, if one did. */
	error: IRun['data']['resultData']['error'];
	/**
	 * The execution's data as n8n would have stored it when it ended (for a cancelled one: at the moment
	 * of the cancel). Input of retryFromStored and resumeWaiting.
	 */
	stored: string;
	/**
	 * What n8n would store with the workflow at its end; undefined where it stores nothing, as after a manual run.
	 * Source: packages/cli execution-lifecycle-hooks.ts (hookFunctionsSave), n8n 2.41.
	 */
	staticData: IDataObject | undefined;
	/** What a node put out, in its latest run unless told otherwise. Empty when it put out nothing. */
	items(nodeName: string, output?: number, runIndex?: number): INodeExecutionData[];
	/** The hints a node left for the output pane. */
	hints(nodeName: string, runIndex?: number): NodeExecutionHint[];
	/** The node's own memory in the execution, `getContext('node')`. */
	context(nodeName: string): IDataObject;
}

/** A cancellable run of n8n-core; p-cancelable is a dependency of n8n-core, not of this package. */
type Running = ReturnType<WorkflowExecute['run']>;

interface StartOptions extends ExecutionOptions {
	mode: WorkflowExecuteMode;
	/** Data to continue from, as n8n read it from its database. */
	from?: IRunExecutionData;
	retryOf?: string;
	/** False where n8n gives no static data: on a worker, after a long Wait, to a Retry with the original workflow. */
	isGivenStaticData?: boolean;
	start: (engine: WorkflowExecute, workflow: N8nWorkflow) => Running;
}

let executionCount = 0;

/**
 * Runs one execution in n8n's own engine, WorkflowExecute of n8n-core 2.41.
 *
 * Rejects with n8n's error when the workflow cannot start at all: no such node, missing parameters; in tests also
 * where the package has made a mistake (mistakes.ts).
 */
export async function execute(options: StartOptions): Promise<Execution> {
	const executionId = options.executionId ?? String(++executionCount);
	const file = withOverrides(options.workflow, options.nodeOverrides ?? {});
	// As seen in n8n 2.41 (docs/reference/n8n-internals.md#static-data-of-a-node).
	const isGiven = options.isGivenStaticData !== false && options.onWorker !== true;
	const before = isGiven ? options.staticData : undefined;
	const base = {
		...asWorkflowBase(file),
		...(options.workflowId !== undefined && { id: options.workflowId }),
		...(before !== undefined && { staticData: structuredClone(before) }),
	};
	const { tables, processed } = options;
	const workflow = buildWorkflow(base, nodeTypesOf(options.package, options.otherNodeTypes));
	if (processed) await keepProcessed(workflow, processed);

	const { data, hooks } = surroundingsOf({
		package: options.package,
		credential: credentialInUse(options.package, options.credential),
		workflow: base,
		mode: options.mode,
		executionId,
		...(tables && { tableNodes: tableNodes(tables) }),
		...(options.variables && { variables: options.variables }),
		...(options.retryOf !== undefined && { retryOf: options.retryOf }),
		...(options.instanceUrl !== undefined && { instanceUrl: options.instanceUrl }),
	});
	hooks.addHandler('workflowExecuteBefore', (_workflow, live) => {
		if (live !== undefined) options.onStarted?.(live);
	});
	hooks.addHandler('nodeExecuteAfter', (nodeName, _task, live) => {
		if (options.onProgress === undefined) return;
		live.resultData.lastNodeExecuted = nodeName;
		options.onProgress(nodeName, toStored(live));
	});
	let stored: string | undefined;
	// n8n saves an execution in this hook; the first call counts, a cancelled one gets no second.
	let staticData: IDataObject | undefined;
	hooks.addHandler('workflowExecuteAfter', (run, changed) => {
		stored ??= toStored(run.data);
		const isKept = changed !== undefined && options.mode !== 'manual';
		if (isKept) staticData ??= JSON.parse(JSON.stringify(changed)) as IDataObject;
	});

	const engine = new WorkflowExecute(data, options.mode, options.from);
	const running = options.start(engine, workflow);
	const run = await untilEndOrCancel(running, options.signal);
	stored ??= toStored(run.data);
	refuseMistakes(stored, run);
	return { ...outcomeOf(executionId, run, stored), staticData };
}

async function untilEndOrCancel(running: Running, signal?: AbortSignal): Promise<IRun> {
	const cancel = (): void => running.cancel();
	if (signal?.aborted) cancel();
	signal?.addEventListener('abort', cancel, { once: true });
	try {
		return await running;
	} finally {
		signal?.removeEventListener('abort', cancel);
		removeUserFolder();
	}
}

/** n8n's own object for a workflow. */
export function buildWorkflow(base: IWorkflowBase, nodeTypes: INodeTypes): N8nWorkflow {
	return new Workflow({
		id: base.id,
		name: base.name,
		nodes: base.nodes,
		connections: base.connections,
		active: base.active,
		nodeTypes,
		...(base.settings !== undefined && { settings: base.settings }),
		...(base.staticData !== undefined && { staticData: base.staticData }),
	});
}

/** A workflow file as n8n has it in its database. */
export function asWorkflowBase({ name, nodes, connections, settings }: WorkflowFile): IWorkflowBase {
	return {
		id: 'engine',
		name,
		nodes,
		connections,
		settings: { ...settings, executionOrder: 'v1' },
		active: false,
		isArchived: false,
		createdAt: new Date(),
		updatedAt: new Date(),
		activeVersionId: null,
	};
}

/** The credential of the package's only type with this data; undefined without data. */
export function credentialInUse(
	built: BuiltPackage,
	data: ICredentialDataDecryptedObject | undefined,
): CredentialInUse | undefined {
	return data && { type: onlyCredentialType(built), data };
}

/** The credential type of a package. Throws when there is none, or several. */
export function onlyCredentialType({ name, credentialTypes }: BuiltPackage): string {
	const [type, ...others] = credentialTypes.keys();
	if (type === undefined || others.length > 0) {
		throw new Error(`${name} must have exactly one credential type to run in this engine.`);
	}
	return type;
}

function outcomeOf(executionId: string, run: IRun, stored: string): Omit<Execution, 'staticData'> {
	const { resultData, executionData } = run.data;
	const taskOf = (nodeName: string, runIndex = -1) => resultData.runData[nodeName]?.at(runIndex);
	return {
		executionId,
		run,
		stored,
		error: resultData.error,
		items: (nodeName, output = 0, runIndex = -1) => taskOf(nodeName, runIndex)?.data?.main?.[output] ?? [],
		hints: (nodeName, runIndex = -1) => taskOf(nodeName, runIndex)?.hints ?? [],
		// The key is n8n's: NodeHelpers.getContext of n8n-workflow 2.41.
		context: (nodeName) => executionData?.contextData[`node:${nodeName}`] ?? {},
	};
}
