import type { IExecuteFunctions } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';

/** Keys in the node's context. Stored with executions: do not rename. */
const JOBS_KEY = 'webDataJobs';
const CRASH_KEY = 'webDataDeath';

/** The node's book of jobs in the execution's own data (N8N fact 3), made when it is not there. */
export function jobStore(ctx: IExecuteFunctions): Record<string, unknown> {
	const context = ctx.getContext('node');
	const stored = context[JOBS_KEY];
	const book = isJsonObject(stored) ? stored : {};
	context[JOBS_KEY] = book as typeof stored;
	return book;
}

/**
 * Notes whether n8n was killed while an earlier execution ran this node. To be called first, since a
 * node that ends in any other way leaves its book.
 *
 * n8n stores what a node remembers only when the node has ended. After a kill, its recovery notes that
 * the node had begun (n8n 2.40 and 1.123, amend() in execution-recovery.service.js): a retry that finds
 * this but no book stands where jobs were being started, and does not know which.
 */
export function noteCrash(ctx: IExecuteFunctions): void {
	const context = ctx.getContext('node');
	const isDeath = !isJsonObject(context[JOBS_KEY]) && ctx.getMode() === 'retry' && hasBegun(ctx);
	if (isDeath) context[CRASH_KEY] = ctx.getExecutionId();
	jobStore(ctx);
}

/**
 * True in the first retry after such a death. A retry of that retry is the user's word to start
 * anyway; Retry On Fail, in the same execution, is not.
 */
export function isAfterCrash(ctx: IExecuteFunctions): boolean {
	const noted = ctx.getContext('node')[CRASH_KEY];
	// Where executions have no id, nothing was noted.
	return noted !== undefined && noted === ctx.getExecutionId();
}

function hasBegun(ctx: IExecuteFunctions): boolean {
	const node = ctx.getWorkflowDataProxy(0).$ as (name: string) => { isExecuted?: boolean };
	return node(ctx.getNode().name).isExecuted === true;
}
