import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ServiceFailure } from '../../service/failure';

/** A job that was started or collected in this run, for the error's details. */
export interface JobOnRecord {
	item: number;
	id: string;
	/** Last known state; `unknown` when nobody has looked yet. */
	state: string;
}

/** Why one item has no result. */
export interface ItemProblem {
	item: number;
	/** One sentence, enough by itself: an AI agent sees nothing else (N8N fact 19). */
	message: string;
	kind: ServiceFailure['kind'] | 'job';
	httpCode?: number | undefined;
	jobId?: string | undefined;
	state?: string | undefined;
	/** What to do besides when it stops the run; not for an item that goes to the error branch. */
	advice?: string | undefined;
}

function details(problem: ItemProblem, jobs: JobOnRecord[]) {
	const { jobId, state, httpCode } = problem;
	return {
		...(jobId !== undefined && { jobId }),
		...(state !== undefined && { state }),
		...(httpCode !== undefined && { httpCode }),
		...(jobs.length > 0 && { jobs: jobs.map((job) => ({ ...job })) }),
	};
}

/**
 * The item for "continue on error". Exactly these keys and no `item.error`: the one shape that goes to
 * the error branch and keeps its data (N8N fact 5).
 */
export function errorItem(problem: ItemProblem, jobs: JobOnRecord[]): INodeExecutionData {
	return {
		json: { error: problem.message, details: details(problem, jobs) },
		pairedItem: { item: problem.item },
	};
}

/**
 * The error for a run that stops. Its message is set last, because n8n replaces messages that contain
 * the name of a system error (N8N fact 18); its description is HTML there, so it is escaped.
 */
export function runError(
	ctx: IExecuteFunctions,
	problem: ItemProblem,
	jobs: JobOnRecord[],
): NodeApiError | NodeOperationError {
	const { item: itemIndex, advice } = problem;
	const message = advice === undefined ? problem.message : `${problem.message} ${advice}`;
	const description = describeJobs(problem, jobs);
	const error =
		problem.kind === 'badInput'
			? new NodeOperationError(ctx.getNode(), message, { itemIndex, description })
			: new NodeApiError(
					ctx.getNode(),
					{ message },
					{
						message,
						description,
						itemIndex,
						...(problem.httpCode !== undefined && { httpCode: String(problem.httpCode) }),
					},
				);
	error.message = message;
	error.context.details = details(problem, jobs);
	return error;
}

/** Most jobs that are listed in a description; `details.jobs` always has all of them. */
const MAX_LISTED = 20;

function describeJobs(problem: ItemProblem, jobs: JobOnRecord[]): string {
	const lines = jobs
		.slice(0, MAX_LISTED)
		.map(({ item, id, state }) => `item ${item}: ${id} (${state})`);
	const more = jobs.length > MAX_LISTED ? [`and ${jobs.length - MAX_LISTED} more`] : [];
	const list = lines.length === 0 ? '' : ` Jobs of this run: ${[...lines, ...more].join(', ')}.`;
	return escapeHtml(`Item ${problem.item}.${list}`);
}

function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
