import type { IExecuteFunctions } from 'n8n-workflow';

import { ServiceFailure } from '../../service/failure';
import { readJobId } from '../../service/jobs';
import type { JobKind } from '../../service/jobs';
import { asFailure } from '../../service/failure';
import type { JobTask } from '../../service/outcome';
import type { JsonObject } from '../../service/transport';
import { filesToStore } from '../resources/files';
import type { GetJobOperation, StartJobOperation } from '../resources/operation';
import type { ItemProblem } from './itemError';
import type { JoinedItem } from './joinItems';
import type { JobMemory } from './memory';
import { deathText, uncertainText } from './outcomeText';
import { readItem } from './parameters';
import type { FieldValues } from './readFields';

export type JobOperation = StartJobOperation | GetJobOperation;

const DEFAULT_JOBS_AT_ONCE = 10;
const DEFAULT_POLL_SECONDS = 5;

/** What is to be done for one input item, or for several that share a job: then `item` is the first. */
export interface JobPlan extends JobTask {
	/** The items that share the job; undefined for a job of one item. */
	joined?: JoinedItem[];
	/** Name of the start in the ledger; undefined for Get. */
	key: string | undefined;
	/** The body of the start request; undefined for Get. */
	sent: JsonObject | undefined;
	/** Value of the Output parameter. */
	choice: string;
	failOnTimeout: boolean;
	/** False: what a failed or cancelled job has is put out. */
	failOnFailure: boolean;
	/** Most pages to put out; undefined: all. */
	mostPages: number | undefined;
	/** What of each page becomes a file. */
	storedFiles: string[];
	jobsAtOnce: number;
}

/** Without a plan: an item that cannot even be tried. */
export type PlanOrProblem = { plan: JobPlan } | { problem: ItemProblem };

/**
 * Reads one item's parameters. Sends nothing, so that bad input of any item is known before the first
 * job is paid for.
 */
export function planItem(
	ctx: IExecuteFunctions,
	operation: JobOperation,
	item: number,
): PlanOrProblem {
	try {
		const fields = readItem(ctx, operation.fields, item);
		const plan =
			operation.kind === 'startJob'
				? planStart(operation, item, fields)
				: planGet(operation, item, fields);
		return { plan };
	} catch (error) {
		const { kind, message } = asFailure(error);
		return { problem: { item, kind, message } };
	}
}

function planStart(operation: StartJobOperation, item: number, fields: FieldValues): JobPlan {
	const { body } = fields;
	const plan = planCommon(item, fields, operation.defaultMaxWaitSeconds(body));
	return { ...plan, sent: body, start: { ...operation.request, body } };
}

/** Looks the job of a start up in the ledger, to take it up instead of starting and paying again. */
export function attach(plan: JobPlan, kind: JobKind, memory: JobMemory): PlanOrProblem {
	const { start, item } = plan;
	if (!start) return { plan };
	const key = memory.keyOf(start, item);
	const entry = memory.find(key);
	if (!entry && memory.isIncomplete) {
		return { problem: { item, kind: 'connection', message: deathText(kind) } };
	}
	if (!entry) return { plan: { ...plan, key } };
	if (entry.id === undefined) {
		const message = `An earlier try sent this start and got no clear answer. ${uncertainText(kind)}`;
		return { problem: { item, kind: 'connection', message } };
	}
	const known = { id: entry.id, ageMs: Math.max(0, Date.now() - entry.startedAt) };
	return { plan: { ...plan, key, known } };
}

function planGet(operation: GetJobOperation, item: number, fields: FieldValues): JobPlan {
	const id = readKnownJobId(fields.values, operation.job);
	const plan = planCommon(item, fields, operation.defaultMaxWaitSeconds({}));
	return { ...plan, known: { id, ageMs: 0 } };
}

/** The id in the parameter Job ID. Throws a ServiceFailure when it cannot be the id of a job. */
export function readKnownJobId({ jobId }: JsonObject, job: JobKind): string {
	const id = readJobId(jobId);
	if (id !== undefined) return id;
	throw new ServiceFailure({
		kind: 'badInput',
		reached: 'no',
		message: `"Job ID" must be the ID of a ${job.label}, made of letters, digits and dashes, but it is ${JSON.stringify(jobId).slice(0, 80)}. Nothing was sent.`,
	});
}

function planCommon(item: number, { values }: FieldValues, defaultMaxWaitSeconds: number): JobPlan {
	const own = (values.options ?? {}) as JsonObject;
	const options: JsonObject = { ...own, ...(own.waitOptions as JsonObject | undefined) };
	const watched = values.waitForCompletion === true;
	const isFixed = options.polling === 'fixed';
	return {
		item,
		key: undefined,
		sent: undefined,
		choice: String(values.output ?? ''),
		failOnTimeout: options.onTimeout !== 'output',
		failOnFailure: options.onFailure !== 'output',
		cancelOnStop: options.cancelOnStop === true,
		mostPages: values.returnAll === false ? Number(values.limit) : undefined,
		storedFiles: filesToStore(values),
		jobsAtOnce: Number(options.maxJobsAtOnce ?? DEFAULT_JOBS_AT_ONCE),
		watched,
		maxWaitMs: Number(options.maxWait ?? defaultMaxWaitSeconds) * 1000,
		interval: isFixed ? Number(options.pollInterval ?? DEFAULT_POLL_SECONDS) * 1000 : null,
	};
}
