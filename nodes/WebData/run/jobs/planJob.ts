import { isJsonObject } from '../../../service/http/answer';
import { failureOrThrow, refusedInput } from '../../../service/http/failure';
import type { ServiceFailure } from '../../../service/http/failure';
import { kindAt, readJobId } from '../../../service/jobs/jobKinds';
import type { JobKind } from '../../../service/jobs/jobKinds';
import type { JsonObject } from '../../../service/http/transport';
import { maxCreditsOf } from '../../cost/creditCap';
import { FREE, WAITS } from '../../fields/job/wait';
import { filesToStore } from '../../operation/pages';
import type { GetJobOperation, StartJobOperation } from '../../operation/operation';
import { asksForChanges, changesAsked, withFreshPages } from '../changes/pageChanges';
import type { RunContext } from '../connection/runContext';
import { withArticle } from '../output/hints';
import type { ItemFailure } from '../output/itemError';
import { isToolCall, readItem, requestOf, valuesInPath } from '../input/readFields';
import type { FieldValues } from '../input/readFields';
import type { JobPlan, JobOperation } from './jobPlan';

const DEFAULT_POLL_SECONDS = 5;

/** Without a plan: an item that cannot even be tried. */
export type PlanOrFailure = { plan: JobPlan } | { itemFailure: ItemFailure };

/**
 * Reads one item's parameters. Sends nothing, so that bad input of any item is known before the first
 * job is paid for.
 */
export function planItem(ctx: RunContext, operation: JobOperation, item: number): PlanOrFailure {
	try {
		const fields = readItem(ctx, operation.fields, item);
		const plan = operation.kind === 'startJob' ? planStart(operation, item, fields) : planGet(operation, item, fields);
		if (plan.choice === 'file' && isToolCall(ctx)) throw fileForAgent();
		return { plan };
	} catch (error) {
		const { kind, message } = failureOrThrow(error);
		return { itemFailure: { item, kind, message } };
	}
}

/** n8n hands no files to an AI agent (docs/n8n-internals.md#tools-of-an-agent). */
function fileForAgent(): ServiceFailure {
	return refusedInput('"Output" is One File, which an AI agent cannot read: choose One Item per Page.');
}

function planStart(operation: StartJobOperation, item: number, fields: FieldValues): JobPlan {
	const { values } = fields;
	const { request, addsTo, job, about } = operation;
	const body = asksForChanges(changeOptions(values)) ? withFreshPages(fields.body) : fields.body;
	const fault = operation.faultIn?.(body);
	if (fault !== undefined) throw refusedInput(fault);
	const plan = planCommon(item, fields, kindAt(job, values), operation.defaultMaxWaitSeconds(body));
	if (plan.frees && body.webhook !== undefined) throw twoWebhooks();
	// A job that others have started is not this execution's to cancel.
	const cancelOnStop = plan.cancelOnStop && (addsTo === undefined || body[addsTo] === undefined);
	// What a start without a body is about stands in its path.
	const sent = { ...valuesInPath(request.path, (name) => values[name]), ...body };
	const changes = changesAsked(job.label, changeOptions(values), body);
	return {
		...plan,
		about,
		cancelOnStop,
		sent,
		changes,
		start: requestOf(request, { ...fields, body }),
	};
}

function planGet(operation: GetJobOperation, item: number, fields: FieldValues): JobPlan {
	const { values, query } = fields;
	const id = readKnownJobId(values, operation.job);
	const kind = kindAt(operation.job, values);
	const plan = planCommon(item, fields, kind, operation.defaultMaxWaitSeconds({}));
	const changes = changesAsked(operation.job.label, changeOptions(values), undefined);
	return { ...plan, known: { id, ageMs: 0 }, pagesQuery: query, changes };
}

/** The options of changesAsked, with the output that they are for. */
function changeOptions({ options, output }: JsonObject): JsonObject {
	return { ...(isJsonObject(options) ? options : {}), output };
}

/** The id in the parameter Job ID. Throws a ServiceFailure when it cannot be the id of a job. */
export function readKnownJobId({ jobId }: JsonObject, job: JobKind): string {
	const id = readJobId(jobId);
	if (id !== undefined) return id;
	throw refusedInput(
		`"Job ID" must be the ID of ${withArticle(job.label)}, made of letters, digits and dashes, but it is ${JSON.stringify(jobId).slice(0, 80)}.`,
	);
}

/** A job has one webhook. Throws before anything is paid. */
function twoWebhooks(): ServiceFailure {
	return refusedInput(
		'"Webhook" cannot be set together with "Wait in the Background" in "Wait for Completion", which has the service call n8n instead: remove one of them.',
	);
}

/** Who asks for the state alone wants to know it whatever it is, unless they say otherwise. */
function failsOnFailure({ onFailure }: JsonObject, { output }: JsonObject): boolean {
	return onFailure === 'fail' || (onFailure !== 'output' && output !== 'status');
}

function planCommon(item: number, { values }: FieldValues, kind: JobKind, defaultMaxWaitSeconds: number): JobPlan {
	const own = (values.options ?? {}) as JsonObject;
	const options: JsonObject = { ...own, ...(own.waitOptions as JsonObject | undefined) };
	const { waitForCompletion } = values;
	const isFixed = options.polling === 'fixed';
	const watched = WAITS.some((value) => value === waitForCompletion);
	return {
		kind,
		item,
		key: undefined,
		sent: undefined,
		choice: String(values.output ?? ''),
		failOnTimeout: options.onTimeout !== 'output',
		failOnFailure: failsOnFailure(options, values),
		startsAgain: options.onUnclearStart === 'startAgain',
		// Whoever does not wait wants the job to outlive the execution.
		cancelOnStop: watched && options.cancelOnStop !== false,
		firstPage: values.fromPage === undefined ? undefined : Number(values.fromPage),
		mostPages: values.returnAll === false ? Number(values.limit) : undefined,
		failedPages: options.failedPages === true,
		storedFiles: filesToStore(values),
		...(options.maxJobsAtOnce !== undefined && { concurrency: Number(options.maxJobsAtOnce) }),
		maxCredits: maxCreditsOf(values),
		watched,
		frees: waitForCompletion === FREE,
		maxWaitMs: Number(options.maxWait ?? defaultMaxWaitSeconds) * 1000,
		interval: isFixed ? Number(options.pollInterval ?? DEFAULT_POLL_SECONDS) * 1000 : null,
	};
}
