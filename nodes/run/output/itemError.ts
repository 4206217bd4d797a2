import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { escapeHtml } from '../../operation/hint';
import type { KnownById } from '../../operation/operation';
import { isJsonObject } from '../../service/http/answer';
import type { ServiceFailure } from '../../service/http/failure';
import type { JsonObject, ServiceRequest } from '../../service/http/transport';
import { withoutUsers } from '../../service/secrets';
import { trimEnd } from '../../text/ends';
import type { RunContext } from '../connection/runContext';
import { isToolCall } from '../input/readFields';

/** A job that was started or collected in this run, for the error's details. */
export interface JobOnRecord {
	item: number;
	id: string;
	/** Last known state; `unknown` when nobody has looked yet. */
	state: string;
}

/** The reason why one item has no result. */
export interface ItemFailure {
	item: number;
	/** The event in a few words, without ids. Default: the beginning of the message. */
	title?: string;
	/** The whole of it, enough by itself: an AI agent sees nothing else (docs/reference/n8n-internals.md#messages-of-errors). */
	message: string;
	kind: ServiceFailure['kind'] | 'job';
	httpCode?: number | undefined;
	jobId?: string | undefined;
	state?: string | undefined;
	/** True where the job has ended and has nothing to show: no later try finds more. */
	hasEnded?: boolean | undefined;
	/** Further details, such as what the code that failed had printed. */
	details?: IDataObject | undefined;
	/** Jobs that may be the one of this item. */
	candidates?: string[] | undefined;
	/** Further advice when it stops the run; not for an item that goes to the error branch. */
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
 * (docs/reference/n8n-internals.md#error-branch). n8n 1.123 wants `item.error` for that, and then takes the data away;
 * but it copies the item before, and a property that is not enumerable is not copied. It is set only where
 * there is an error branch: elsewhere nothing is copied.
 */
export function errorItem(ctx: RunContext, itemFailure: ItemFailure, jobs: JobOnRecord[] = []): INodeExecutionData {
	const { item } = itemFailure;
	const message = withoutUsers(itemFailure.message);
	const data: INodeExecutionData = {
		json: { error: message, details: detailsOf(itemFailure, jobs) },
		pairedItem: { item },
	};
	if (ctx.getNode().onError !== 'continueErrorOutput') return data;
	return Object.defineProperty(data, 'error', { value: { message }, enumerable: false });
}

/** Items that are named. */
const MAX_REFUSED = 3;

/** The first failure of a run with how many items are refused like it, and the setting that lets the others go. */
export function withRefused(first: ItemFailure, failures: readonly ItemFailure[], items: number): ItemFailure {
	const refused = new Set(failures.flatMap(({ kind, item }) => (kind === 'badInput' ? [item] : [])));
	// Where all are refused, as by a cap, the message says it.
	if (first.kind !== 'badInput' || items < 2 || refused.size >= items) return first;
	const named = [...refused].slice(0, MAX_REFUSED).join(', ');
	const more = refused.size > MAX_REFUSED ? ` and ${refused.size - MAX_REFUSED} more` : '';
	const which = refused.size === 1 ? `item ${named} is refused` : `items ${named}${more} are refused (counted from 0)`;
	const advice = `Of ${items} items, ${which}: to let the others go, set On Error in the node's settings to continue.`;
	return { ...first, advice: first.advice === undefined ? advice : `${advice} ${first.advice}` };
}

/**
 * The error for a run that stops. Its message is set last, because n8n replaces messages that contain
 * the name of a system error (docs/reference/n8n-internals.md#messages-of-errors); its description is HTML there, so it
 * is escaped.
 */
export function runError(
	ctx: RunContext,
	itemFailure: ItemFailure,
	jobs: JobOnRecord[],
): NodeApiError | NodeOperationError {
	const { item: itemIndex, advice } = itemFailure;
	const said = withoutUsers(itemFailure.message);
	const whole = advice === undefined ? said : `${trimEnd(said, /[.\s]/)}. ${advice}`;
	const shown = inTwoParts(itemFailure, whole);
	// n8n names the item beside the message, by the itemIndex of the error.
	const description = escapeHtml(
		[shown.description, describeJobs(jobs, itemFailure.jobId)].filter((text) => text !== '').join(' '),
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
	error.context.details = detailsOf(itemFailure, jobs) as IDataObject;
	const { hasEnded, jobId: id, state: status } = itemFailure;
	if (hasEnded) error.context.endedJob = { id, status, reason: said };
	return error;
}

/** A job that has ended with nothing to show, and why. */
interface JobWithoutResult {
	id: string;
	status: string;
	reason: string;
}

/** The job whose end an error of runError tells; undefined for any other error. */
export function endedJobOf(error: unknown): JobWithoutResult | undefined {
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
	const lines = others.slice(0, MAX_LISTED).map(({ item, id, state }) => `item ${item}: ${id} (${state})`);
	const more = others.length > MAX_LISTED ? [`and ${others.length - MAX_LISTED} more`] : [];
	const which = others.length === jobs.length ? 'Jobs' : 'Other jobs';
	return lines.length === 0 ? '' : `${which} of this run: ${[...lines, ...more].join(', ')}.`;
}

/** Longest title: n8n shows it in one or two lines. */
const MAX_CHARACTERS = 140;

/**
 * A message as n8n shows an error: a short title, which says what happened, and a description with all
 * the rest. A failure with a title of its own has its whole message below it; of any other, the title is
 * the beginning of the message, up to the reason that follows a colon, or its first sentence where the
 * colon is part of what went wrong (`badInput` names fields in quotes).
 */
function inTwoParts(
	{ title, kind }: { title?: string; kind: string },
	message: string,
): { title: string; description: string } {
	if (title !== undefined) {
		const isRepeated = message.startsWith(title);
		const rest = isRepeated ? message.slice(title.length).replace(/^[:.\s]+/, '') : message;
		return { title, description: capitalized(rest) };
	}
	const end = kind === 'badInput' ? /[.!?](?=\s)/ : /[.!?:](?=\s)/;
	const at = end.exec(message)?.index ?? message.length;
	const first = message.slice(0, at);
	const rest = message.slice(at + 1).trim();
	if (first.length > MAX_CHARACTERS || rest === '') return { title: message, description: '' };
	return { title: first, description: capitalized(rest) };
}

/** With a capital, where it begins with a word: codes, names of options and addresses stay as they are. */
function capitalized(text: string): string {
	const isWord = /^\p{Ll}[\p{Ll}'’-]*[,;.!?]?(\s|$)/u.test(text);
	if (!isWord) return text;
	return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * True for the refusal of an ID that cannot be one: 400, in words about the ID (recordings crawl-31 and
 * monitor-28 of 2026). Another 400 has a reason of its own.
 */
export function saysNoId({ httpCode, message }: ServiceFailure): boolean {
	return httpCode === 400 && /\buuid\b|\bid format\b/i.test(message);
}

/**
 * The message about an ID that the service does not know, with what to do; undefined for any other failure. A request
 * that says something else may be refused for that.
 */
export function unknownThing(
	about: KnownById | undefined,
	values: JsonObject,
	failure: ServiceFailure,
	{ method, body, query }: Pick<ServiceRequest, 'method' | 'body' | 'query'>,
): { title: string; message: string } | undefined {
	if (!about) return undefined;
	const { id, what, orElse, from } = about;
	const saysNothingElse = !body && !query && method !== 'PATCH';
	if (!failure.notFound && !(saysNothingElse && saysNoId(failure))) return undefined;
	return {
		title: `The service does not know this ${what}`,
		message: `The service does not know the ${what} ${String(values[id])}: the ID is wrong, or ${orElse}. The right one is in the output of ${from}.`,
	};
}
