import { readFileSync } from 'node:fs';
import { z } from 'zod/v4';
import type { N8nClient } from '../../tools/n8n/client.ts';
import { GET, START, USE } from './durable.ts';

const item = z.object({ json: z.record(z.string(), z.unknown()) }).passthrough();
const run = z
	.object({
		executionStatus: z.string().optional(),
		data: z.record(z.string(), z.array(z.array(item).nullable())).optional(),
	})
	.passthrough();
const data = z.object({
	resultData: z.object({
		runData: z.record(z.string(), z.array(run)).default({}),
		error: z.object({ message: z.string() }).passthrough().nullish(),
	}),
});

/** What n8n has stored about one execution, as far as it is asked for here. */
export interface Stored {
	id: string;
	status: string;
	retryOf: string | undefined;
	/** Ids of the jobs in the stored output of the node that starts them. */
	startedIds: string[];
	/** Ids of the jobs that Get has found completed. */
	completed: string[];
	/** Analyses that came out, by job id. */
	results: Map<string, string>;
	error: string | undefined;
}

/** All executions of a workflow, oldest first. */
export async function storedExecutions(client: N8nClient, workflowId: string): Promise<Stored[]> {
	const summaries = await client.executions(workflowId, 250);
	const all = await Promise.all(summaries.map(async ({ id }) => await read(client, id)));
	return all.sort((left, right) => Number(left.id) - Number(right.id));
}

async function read(client: N8nClient, id: string): Promise<Stored> {
	const { status, retryOf, data: raw } = await client.execution(id);
	const parsed = data.safeParse(raw);
	const { runData, error } = parsed.success ? parsed.data.resultData : { runData: {}, error: undefined };
	const outputs = (name: string) =>
		(runData[name] ?? []).flatMap(({ data: out }) => out?.main?.flat() ?? []).flatMap((one) => one ?? []);
	const idOf = ({ json }: z.infer<typeof item>) => (typeof json.id === 'string' ? [json.id] : []);
	return {
		id,
		status,
		retryOf: retryOf ?? undefined,
		startedIds: outputs(START).flatMap(idOf),
		completed: outputs(GET)
			.filter(({ json }) => json.status === 'completed')
			.flatMap(idOf),
		results: new Map(
			outputs(USE).flatMap((one) => idOf(one).map((jobId) => [jobId, String(one.json.finalAnalysis ?? '')] as const)),
		),
		error: error ? `${error.message} ${String(error.description ?? '')}`.trim() : undefined,
	};
}

/** What n8n's log tells of starts: which were sent, and which jobs came of them. */
export interface LogOfStarts {
	sent: Array<{ executionId: string; item: number }>;
	started: Array<{ executionId: string; item: number; jobId: string }>;
}

/** Reads the node's lines in n8n's log. */
export function readLog(logFile: string): LogOfStarts {
	const line = /Execution (\d+), node "[^"]*", item (\d+): (?:starting a )?deep research job(?: (\S+) started)?/g;
	const log: LogOfStarts = { sent: [], started: [] };
	for (const [, executionId = '', item, jobId] of readFileSync(logFile, 'utf8').matchAll(line)) {
		const where = { executionId, item: Number(item) };
		if (jobId === undefined) log.sent.push(where);
		else log.started.push({ ...where, jobId });
	}
	return log;
}
