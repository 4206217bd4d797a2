import type { IRunExecutionData } from 'n8n-workflow';
import { execute } from './execution.ts';
import { fromStored } from './stored.ts';
import type { Execution, ExecutionOptions } from './execution.ts';

/**
 * What n8n does on "Retry" of a failed execution (POST /executions/:id/retry): reads the stored data,
 * removes the error and the failed run of the last node, and goes on from the stored stack in mode
 * `retry`. Nodes that had succeeded do not run again; the nodes' own memory is there.
 *
 * As in n8n, the node runs with the settings that were stored with the stack, and is given no static data. With
 * `nodeOverrides` it is n8n's "Retry with currently saved workflow": the stack gets the nodes of the given workflow, and
 * its static data is there.
 * Without an id the node is not told which execution is retried, as by n8n 1.123.
 * Source: packages/cli/src/executions/execution.service.ts, retry(), n8n 2.40.
 */
export async function retryFromStored(
	previous: Pick<Execution, 'stored'> & Partial<Pick<Execution, 'executionId'>>,
	options: ExecutionOptions,
): Promise<Execution> {
	const from = fromStored(previous.stored);
	if (from.executionData === undefined) {
		throw new Error('The stored execution ended before it began: n8n offers no retry for it.');
	}
	dropFailedRun(from);

	const useGivenNodes = options.nodeOverrides !== undefined;
	return await execute({
		...options,
		mode: 'retry',
		from,
		isGivenStaticData: useGivenNodes,
		...(previous.executionId !== undefined && { retryOf: previous.executionId }),
		start: (engine, workflow) => {
			for (const waiting of from.executionData?.nodeExecutionStack ?? []) {
				const given = workflow.getNode(waiting.node.name);
				if (given === null) throw new Error(`The workflow has no node "${waiting.node.name}".`);
				if (useGivenNodes) waiting.node = given;
			}
			return engine.processRunExecutionData(workflow);
		},
	});
}

/**
 * Goes on after a Wait, as n8n does when the time has come: stored data, same execution id, same mode, no static data.
 * n8n-core marks the waiting node disabled, so it passes its input on (handleWaitingState).
 * Source: packages/cli/src/wait-tracker.ts, startExecution(), n8n 2.40.
 */
export async function resumeWaiting(
	previous: Pick<Execution, 'executionId' | 'stored' | 'run'>,
	options: Omit<ExecutionOptions, 'executionId'>,
): Promise<Execution> {
	if (previous.run.status !== 'waiting') throw new Error('The execution does not wait.');
	return await execute({
		...options,
		executionId: previous.executionId,
		mode: previous.run.mode,
		from: fromStored(previous.stored),
		isGivenStaticData: false,
		start: (engine, workflow) => engine.processRunExecutionData(workflow),
	});
}

function dropFailedRun({ resultData }: IRunExecutionData): void {
	const { lastNodeExecuted } = resultData;
	if (lastNodeExecuted === undefined) return;
	delete resultData.error;
	const runs = resultData.runData[lastNodeExecuted];
	if (runs?.at(-1)?.error !== undefined) runs.pop();
}
