import { fromStored, toStored } from './stored.ts';

/**
 * What n8n has in its database when it was killed while `nodeName` ran, and was started again: its
 * recovery reads in the event log that the node had begun, and puts down that the node crashed. What the
 * node had put into its memory is gone. `stored` is what was stored last before, see `onProgress`.
 * An agent and its tool run at the same time: for several nodes, call it once for each, in the order of
 * the workflow.
 *
 * Source: packages/cli/src/executions/execution-recovery.service.ts, amend(), n8n 2.40.
 */
export function recoveredFromCrash(stored: string, nodeName: string): string {
	const data = fromStored(stored);
	const { resultData } = data;
	const message = 'Workflow did not finish, possible out-of-memory issue';
	const crash = { name: 'WorkflowOperationError', message } as typeof resultData.error & object;
	// n8n leaves a node alone that had ended before, in a loop.
	if (resultData.runData[nodeName] === undefined) {
		resultData.runData[nodeName] = [
			{
				startTime: 0,
				executionIndex: 0,
				executionTime: 0,
				source: [null],
				executionStatus: 'crashed',
				error: crash,
			},
		];
		resultData.error = crash;
		resultData.lastNodeExecuted = nodeName;
	}
	return toStored(data);
}
