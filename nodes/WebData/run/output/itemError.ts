import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import type { ServiceFailure } from '../../../service/http/failure';
import type { RunContext } from '../connection/runContext';
import { isToolCall } from '../input/parameters';
import { hideCredentials, hideCredentialsIn } from '../../../service/secrets/credentialText';
import { inTwoParts } from './errorParts';

/** A job that was started or collected in this run, for the error's details. */
export interface JobOnRecord {
	item: number;
	id: string;
	/** Last known state; `unknown` when nobody has looked yet. */
	state: string;
}

/** Why one item has no result. */
export interface ItemFailure {
	item: number;
	/** What happened, in a few words and without ids. Default: the beginning of the message. */
	title?: string;
	/** The whole of it, enough by itself: an AI agent sees nothing else (docs/n8n-internals.md#messages-of-errors). */
	message: string;
	kind: ServiceFailure['kind'] | 'job';
	httpCode?: number | undefined;
	jobId?: string | undefined;
	state?: string | undefined;
	/** True where the job has ended and has nothing to show: no later try finds more. */
	hasEnded?: boolean | undefined;
	/** What the details tell besides, such as what the code that failed had printed. */
	details?: IDataObject | undefined;
	/** Jobs that may be the one of this item. */
	candidates?: string[] | undefined;
	/** What to do besides when it stops the run; not for an item that goes to the error branch. */
	advice?: string | undefined;
}

/** Most jobs in `details.jobs`: enough to act on, and far from what would trouble n8n's database. */
const MAX_JOBS_IN_DETAILS = 200;

function detailsOf(itemFailure: ItemFailure, jobs: JobOnRecord[]) {
	const { jobId, state, httpCode, candidates, details } = itemFailure;
	return {
		...(jobId !== undefined && { jobId }),
		...(state !== undefined && { state }),
		...(httpCode !== undefined && { httpCode }),
		...(candidates && { candidates }),
		...details,
		...jobDetails(jobs),
	};
}

function shownDetails(itemFailure: ItemFailure, jobs: JobOnRecord[]): IDataObject {
	return hideCredentialsIn(detailsOf(itemFailure, jobs)) as IDataObject;
}

/** The jobs of a run for the details of its error. */
export function jobDetails(jobs: JobOnRecord[]): IDataObject {
	const listed = jobs.slice(0, MAX_JOBS_IN_DETAILS).map((job) => ({ ...job }));
	return {
		...(listed.length > 0 && { jobs: listed }),
		...(jobs.length > listed.length && { jobsNotListed: jobs.length - listed.length }),
	};
}

/**
 * The item for "continue on error". `jobs` are those of the whole run, for the first failed item only:
 * repeated in each, they would grow with items times jobs.
 * Exactly these keys go to the error branch and keep their data, since some version of n8n 2
 * (docs/n8n-internals.md#error-branch). n8n 1.123 wants `item.error` for that, and then takes the data away;
 * but it copies the item before, and a property that is not enumerable is not copied. It is set only where
 * there is an error branch: elsewhere nothing is copied.
 */
export function errorItem(
	ctx: RunContext,
	itemFailure: ItemFailure,
	jobs: JobOnRecord[] = [],
): INodeExecutionData {
	const { item } = itemFailure;
	const message = hideCredentials(itemFailure.message);
	const data: INodeExecutionData = {
		json: { error: message, details: shownDetails(itemFailure, jobs) },
		pairedItem: { item },
	};
	if (ctx.getNode().onError !== 'continueErrorOutput') return data;
	return Object.defineProperty(data, 'error', { value: { message }, enumerable: false });
}

/**
 * The error for a run that stops. Its message is set last, because n8n replaces messages that contain
 * the name of a system error (docs/n8n-internals.md#messages-of-errors); its description is HTML there, so it
 * is escaped.
 */
export function runError(
	ctx: RunContext,
	itemFailure: ItemFailure,
	jobs: JobOnRecord[],
): NodeApiError | NodeOperationError {
	const { item: itemIndex, advice } = itemFailure;
	const said = hideCredentials(itemFailure.message);
	const whole = advice === undefined ? said : `${said.replace(/[.\s]*$/, '')}. ${advice}`;
	const shown = inTwoParts(itemFailure, whole);
	// n8n names the item beside the message, by the itemIndex of the error.
	const description = escapeHtml(
		[shown.description, describeJobs(jobs, itemFailure.jobId)]
			.filter((text) => text !== '')
			.join(' '),
	);
	const message = isToolCall(ctx) ? whole : shown.title;
	const error =
		itemFailure.kind === 'badInput'
			? new NodeOperationError(ctx.getNode(), message, { itemIndex, description })
			: new NodeApiError(
					ctx.getNode(),
					{ message },
					{
						message,
						description,
						itemIndex,
						...(itemFailure.httpCode !== undefined && { httpCode: String(itemFailure.httpCode) }),
					},
				);
	error.message = message;
	error.context.details = shownDetails(itemFailure, jobs);
	const { hasEnded, jobId: id, state: status } = itemFailure;
	if (hasEnded) error.context.endedJob = { id, status, reason: said };
	return error;
}

/** A job that has ended with nothing to show, and why. */
export interface EndedJob {
	id: string;
	status: string;
	reason: string;
}

/** The job whose end an error of runError tells; undefined for any other error. */
export function endedJobOf(error: unknown): EndedJob | undefined {
	const { endedJob } = error instanceof NodeApiError ? error.context : {};
	if (!isJsonObject(endedJob)) return undefined;
	const { id, status, reason } = endedJob;
	return { id: String(id), status: String(status), reason: String(reason) };
}

/** Most jobs that are listed in a description; `details.jobs` has more of them. */
const MAX_LISTED = 20;

/** Names the jobs of a run, but for the one that the message is about. Empty when there are no others. */
export function describeJobs(jobs: JobOnRecord[], jobId?: string): string {
	const others = jobs.filter(({ id }) => id !== jobId);
	const lines = others
		.slice(0, MAX_LISTED)
		.map(({ item, id, state }) => `item ${item}: ${id} (${state})`);
	const more = others.length > MAX_LISTED ? [`and ${others.length - MAX_LISTED} more`] : [];
	const which = others.length === jobs.length ? 'Jobs' : 'Other jobs';
	return lines.length === 0 ? '' : `${which} of this run: ${[...lines, ...more].join(', ')}.`;
}

/** n8n shows descriptions as HTML. */
export function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
