import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { surroundingsOf } from './additionalData.ts';
import type { ExecutionOptions } from './execution.ts';
import { asWorkflowBase, buildWorkflow, onlyCredentialType } from './execution.ts';
import { PollContext } from './n8n.ts';
import { nodeTypesOf } from './nodeTypes.ts';

export interface PollOptions extends Pick<ExecutionOptions, 'package'>, Required<Pick<ExecutionOptions, 'credential'>> {
	/** Short name of a polling node, for example `webDataPollTrigger`. */
	nodeName: string;
	parameters: INodeParameters;
	/** What n8n stores with the workflow from one poll to the next. */
	staticData?: IDataObject;
	/**
	 * Plays N8N_POLLER_DURABLE_CURSORS_ENABLED of n8n 2.40 (packages/cli, trigger-execution-context.factory.ts):
	 * what a poll stores is kept only when it does not throw, and the polls after the activation are updates.
	 */
	durableCursors?: boolean;
}

/** A polling trigger of an active workflow. */
export interface PollingTrigger {
	/** One poll as n8n's clock makes it: what starts the workflow, undefined when nothing does. */
	poll(): Promise<INodeExecutionData[] | undefined>;
	/** One poll as the editor makes it. */
	pollByHand(): Promise<INodeExecutionData[] | undefined>;
	/** What n8n would store. */
	staticData(): IDataObject;
}

/**
 * A polling trigger in n8n-core's own PollContext, as packages/cli of n8n 2.41 makes it for an active
 * workflow: the same Workflow, and with it the same static data, from poll to poll.
 */
export function pollingTrigger(options: PollOptions): PollingTrigger {
	const { package: built, credential, nodeName, parameters, staticData = {} } = options;
	const { durableCursors = false } = options;
	const type = onlyCredentialType(built);
	const node: INode = {
		id: 'trigger',
		name: 'Trigger',
		type: `${built.name}.${nodeName}`,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: { [type]: { id: '', name: 'Web Data' } },
	};
	const base = asWorkflowBase({ name: 'Polling', nodes: [node], connections: {} });
	const nodeTypes = nodeTypesOf(built);
	const workflow = buildWorkflow({ ...base, staticData: { 'node:Trigger': staticData } }, nodeTypes);
	const nodeType = nodeTypes.getByNameAndVersion(node.type);
	const asStored = workflow.getNode(node.name);
	if (!nodeType.poll || !asStored) throw new Error(`${node.type} has no poll.`);
	const { poll } = nodeType;

	const run = async (mode: 'trigger' | 'manual'): Promise<INodeExecutionData[] | undefined> => {
		const { data } = surroundingsOf({
			package: built,
			credential: { type, data: credential },
			workflow: base,
			mode,
			executionId: '',
		});
		if (mode === 'manual' || !durableCursors) {
			const activation = mode === 'manual' ? 'manual' : 'activate';
			const output = await poll.call(new PollContext(workflow, asStored, data, mode, activation));
			return output?.[0];
		}
		const stored: IDataObject = workflow.getStaticData('node', asStored);
		const cursor = structuredClone({ ...stored });
		const activation = Object.keys(cursor).length === 0 ? 'activate' : 'update';
		const none = [undefined, undefined, undefined, undefined] as const;
		const output = await poll.call(new PollContext(workflow, asStored, data, mode, activation, ...none, () => cursor));
		for (const name of Object.keys(stored)) Reflect.deleteProperty(stored, name);
		Object.assign(stored, cursor);
		return output?.[0];
	};
	return {
		poll: async () => await run('trigger'),
		pollByHand: async () => await run('manual'),
		staticData: () => structuredClone({ ...workflow.getStaticData('node', asStored) }),
	};
}
