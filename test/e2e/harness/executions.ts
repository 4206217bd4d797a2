import { z } from 'zod/v4';
import type { Execution, ExecutionSummary, N8nClient } from '../../../tools/n8n/client.ts';
import { waitFor } from '../../../tools/n8n/poll.ts';

const output = z.object({ json: z.record(z.string(), z.unknown()) }).passthrough();
const nodeRun = z
	.object({
		executionStatus: z.string().optional(),
		error: z.object({ message: z.string() }).passthrough().nullish(),
		hints: z.array(z.object({ message: z.string() })).default([]),
		data: z.record(z.string(), z.array(z.array(output).nullable())).optional(),
	})
	.passthrough();
const executionData = z.object({
	executionData: z.object({ nodeExecutionStack: z.array(z.unknown()).default([]) }).nullish(),
	resultData: z.object({
		runData: z.record(z.string(), z.array(nodeRun)).default({}),
		error: z.object({ message: z.string() }).passthrough().nullish(),
		lastNodeExecuted: z.string().nullish(),
	}),
});

/** What a node gave out in one of its runs. */
type OutputItem = z.infer<typeof output>;

/** The states an execution does not leave by itself. `waiting` is not one: it goes on when it is due. */
const endStates: readonly string[] = ['success', 'error', 'crashed', 'canceled'];

/** False for data of a time before the end: they still have a node to run, or lack the error. */
function tellOfEnd({ status, data }: Execution): boolean {
	const { executionData: left, resultData } = executionData.parse(data);
	if (status === 'success') return (left?.nodeExecutionStack ?? []).length === 0;
	return status !== 'error' || !!resultData.error;
}

/** Three times a minute, the interval of the slowest trigger: on a busy machine each round of it takes longer. */
export const LONGEST_WAIT_MS = 180_000;

/**
 * Waits until an execution is in one of `states`, and gives it with its data.
 *
 * @throws when it ends in another state, or is none of them in time.
 */
export async function waitForExecution(
	client: N8nClient,
	id: string,
	{ states = endStates, timeoutMs = LONGEST_WAIT_MS }: { states?: readonly string[]; timeoutMs?: number } = {},
): Promise<Execution> {
	let last = 'unknown';
	const probe = async (): Promise<Execution | undefined> => {
		const execution = await client.execution(id);
		last = execution.status;
		// n8n 1.123 writes the status a moment before the data: there are none yet, or those of a wait, or of its end.
		if (execution.data === undefined && last !== 'crashed') return undefined;
		if (execution.data !== undefined && !tellOfEnd(execution)) return undefined;
		return states.includes(last) || endStates.includes(last) ? execution : undefined;
	};
	try {
		const execution = await waitFor(`execution ${id} to be ${states.join(' or ')}`, probe, {
			timeoutMs,
		});
		if (states.includes(execution.status)) return execution;
		throw new Error(`Execution ${id} ended before it was ${states.join(' or ')}: ${failure(execution) ?? 'no error'}.`);
	} catch (error) {
		throw new Error(`${error instanceof Error ? error.message : String(error)} It is ${last}.`);
	}
}

/** Presses Retry; gives the execution that comes of it, with its data, when it is in one of `states`. */
export async function retry(client: N8nClient, id: string, states: readonly string[] = endStates): Promise<Execution> {
	await client.retry(id);
	const again = (await client.executions(undefined, 250)).find(({ retryOf }) => retryOf === id);
	return await waitForExecution(client, again?.id ?? '', { states });
}

/** Waits until a workflow has at least `count` executions in one of `states`. */
export async function waitForExecutions(
	client: N8nClient,
	workflowId: string,
	{
		count = 1,
		states = endStates,
		timeoutMs = LONGEST_WAIT_MS,
	}: { count?: number; states?: readonly string[]; timeoutMs?: number } = {},
): Promise<ExecutionSummary[]> {
	return await waitFor(
		`${count} executions of workflow ${workflowId} to be ${states.join(' or ')}`,
		async () => {
			const found = (await client.executions(workflowId, 250)).filter(({ status }) => states.includes(status));
			return found.length >= count ? found : undefined;
		},
		{ timeoutMs, intervalMs: 500 },
	);
}

/** What node `name` gave out, on output `index`, in its last run. */
export function nodeOutput(execution: Execution, name: string, index = 0, kind = 'main'): OutputItem[] {
	const { runData } = executionData.parse(execution.data).resultData;
	return runData[name]?.at(-1)?.data?.[kind]?.[index] ?? [];
}

/** What the hints of node `name` say, in its last run. */
export function nodeHints(execution: Execution, name: string): string[] {
	const { runData } = executionData.parse(execution.data).resultData;
	return (runData[name]?.at(-1)?.hints ?? []).map(({ message }) => message);
}

/** How often node `name` ran in this execution. */
export function runCount(execution: Execution, name: string): number {
	return executionData.parse(execution.data).resultData.runData[name]?.length ?? 0;
}

/** Why the execution failed, as the executions list shows it; undefined when it did not. */
export function failure(execution: Execution): string | undefined {
	const { error } = executionData.parse(execution.data).resultData;
	if (!error) return undefined;
	const below = typeof error.description === 'string' ? error.description : '';
	return [error.message, below].filter((text) => text !== '').join('. ');
}
