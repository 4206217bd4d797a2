import type {
	Execution,
	N8nClient,
	StoredCredential,
	StoredWorkflow,
	WorkflowDefinition,
} from '../../../tools/n8n/client.ts';
import { nodeOutput, waitForExecution, waitForExecutions } from './executions.ts';
import { researchNode } from './product.ts';
import { manualTrigger, type TestNode, workflow } from './workflows.ts';

/**
 * A workflow that researches `jobsEach` questions of its own. Its items come from n8n's own nodes, none of
 * which needs a task runner: a worker that is told to end takes its runner with it.
 */
export function manyJobsWorkflow(words: string, credential: StoredCredential, jobsEach: number): WorkflowDefinition {
	const jobs = Array.from({ length: jobsEach }, (_none, index) => index);
	const list: TestNode = {
		name: 'List',
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { mode: 'raw', jsonOutput: JSON.stringify({ job: jobs }) },
	};
	const items: TestNode = {
		name: 'Items',
		type: 'n8n-nodes-base.splitOut',
		typeVersion: 1,
		parameters: { fieldToSplitOut: 'job' },
	};
	const query = `=${words}, execution {{ $execution.id }}, job {{ $json.job }}.`;
	return workflow(words, [manualTrigger, list, items, researchNode(credential, query)]);
}

/** Requests to start an execution that n8n gets at once: more keep its main process from anything else. */
const STARTED_AT_ONCE = 5;

/** Starts so many executions of the workflow, without waiting for their ends. */
export async function startExecutions(client: N8nClient, saved: StoredWorkflow, count: number): Promise<void> {
	let left = count;
	const lanes = Array.from({ length: STARTED_AT_ONCE }, async () => {
		while (left > 0) {
			left -= 1;
			await client.run(saved, 'Start');
		}
	});
	await Promise.all(lanes);
}

/**
 * Waits until all executions of the workflow have ended, by the list, which costs n8n little; gives them
 * with their data.
 */
export async function endOfExecutions(
	client: N8nClient,
	saved: StoredWorkflow,
	count: number,
	timeoutMs: number,
): Promise<Execution[]> {
	const ended = await waitForExecutions(client, saved.id, { count, timeoutMs });
	return await Promise.all(ended.map(({ id }) => waitForExecution(client, id)));
}

/** The questions to which an execution has put out a completed result. */
export function answeredQuestions(execution: Execution): string[] {
	return nodeOutput(execution, 'Research')
		.filter(({ json }) => json.status === 'completed')
		.map(({ json }) => String(json.query));
}
