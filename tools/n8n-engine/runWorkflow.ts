import type { INode, IPinData, WorkflowExecuteMode } from 'n8n-workflow';
import { execute } from './execution.ts';
import { triggersOf } from './workflowFile.ts';
import type { Execution, ExecutionOptions } from './execution.ts';
import type { WorkflowFile } from './workflowFile.ts';

export interface RunOptions extends ExecutionOptions {
	/** By node name: what it puts out instead of being run, as data pinned in the editor. */
	pinData?: IPinData;
	/** Default: the only trigger. */
	startNode?: string;
	/** Runs up to and with this node, as "Execute step" does. Default: to the end. */
	destinationNode?: string;
	/** Default `manual`, which is also what n8n needs to honour pinned data. */
	mode?: WorkflowExecuteMode;
}

/**
 * Runs a workflow in n8n's own engine and returns what came out, also when it failed or was cancelled.
 *
 * Triggers that are not pinned put out one empty item, as n8n's Manual Trigger does. Rejects with an
 * Error when there is no such node, or no or several triggers and no startNode.
 */
export async function runWorkflow(options: RunOptions): Promise<Execution> {
	const { workflow, destinationNode, mode = 'manual' } = options;
	const start = startNodeOf(workflow, options.startNode);
	const pinData: IPinData = {
		...Object.fromEntries(triggersOf(workflow).map(({ name }) => [name, [{ json: {} }]])),
		...structuredClone(options.pinData),
	};

	return await execute({
		...options,
		mode,
		start: (engine, built) => {
			const startNode = built.getNode(start.name);
			if (startNode === null) throw new Error(`The workflow has no node "${start.name}".`);
			return engine.run({
				workflow: built,
				startNode,
				pinData,
				...(destinationNode !== undefined && {
					destinationNode: { nodeName: destinationNode, mode: 'inclusive' },
				}),
			});
		},
	});
}

function startNodeOf(workflow: WorkflowFile, name?: string): INode {
	if (name !== undefined) {
		const named = workflow.nodes.find((node) => node.name === name);
		if (named === undefined) throw new Error(`The workflow has no node "${name}".`);
		return named;
	}
	const [trigger, ...others] = triggersOf(workflow);
	if (trigger === undefined || others.length > 0) {
		throw new Error('Name the startNode: the workflow has no trigger, or several.');
	}
	return trigger;
}
