import type { IExecuteFunctions } from 'n8n-workflow';

import { ServiceFailure } from '../../service/failure';
import { readJobId } from '../../service/jobs';
import { asFailure } from '../../service/failure';
import type { JobTask } from '../../service/outcome';
import type { JsonObject } from '../../service/transport';
import type { GetJobOperation, StartJobOperation } from '../resources/operation';
import type { ItemProblem } from './itemError';
import type { JobMemory } from './memory';
import { uncertainText } from './outcomeText';
import { readItem } from './parameters';
import type { FieldValues } from './readFields';

export type JobOperation = StartJobOperation | GetJobOperation;

const DEFAULT_JOBS_AT_ONCE = 10;
const DEFAULT_POLL_SECONDS = 5;

/** What is to be done for one input item. */
export interface JobPlan extends JobTask {
	/** Name of the start in the ledger; undefined for Get. */
	key: string | undefined;
	/** The body of the start request; undefined for Get. */
	sent: JsonObject | undefined;
	/** Value of the Output parameter. */
	choice: string;
	failOnTimeout: boolean;
	jobsAtOnce: number;
}

/** An item that cannot even be tried. */
export type PlanOrProblem = { plan: JobPlan } | { problem: ItemProblem };

/**
 * Reads one item's parameters and looks its job up in the ledger. Sends nothing, so that bad input of
 * any item is known before the first job is paid for.
 */
export function planItem(
	ctx: IExecuteFunctions,
	operation: JobOperation,
	item: number,
	memory: JobMemory,
): PlanOrProblem {
	try {
		const fields = readItem(ctx, operation.fields, item);
		return operation.kind === 'startJob'
			? planStart(operation, item, fields, memory)
			: { plan: planGet(operation, item, fields) };
	} catch (error) {
		const { kind, message } = asFailure(error);
		return { problem: { item, kind, message } };
	}
}

function planStart(
	operation: StartJobOperation,
	item: number,
	fields: FieldValues,
	memory: JobMemory,
): PlanOrProblem {
	const { body } = fields;
	const start = { ...operation.request, body };
	const key = memory.keyOf(start, item);
	const entry = memory.find(key);
	if (entry && entry.id === undefined) {
		const message = `An earlier try sent this start and got no clear answer. ${uncertainText(operation.job)}`;
		return { problem: { item, kind: 'connection', message } };
	}
	const known = entry?.id !== undefined && {
		known: { id: entry.id, ageMs: Math.max(0, Date.now() - entry.startedAt) },
	};
	const plan = planCommon(item, fields, operation.defaultMaxWaitSeconds(body));
	return { plan: { ...plan, key, sent: body, start, ...known } };
}

function planGet(operation: GetJobOperation, item: number, fields: FieldValues): JobPlan {
	const id = readJobId(fields.values.jobId);
	if (id === undefined) {
		throw new ServiceFailure({
			kind: 'badInput',
			reached: 'no',
			message: `"Job ID" must be the ID of a ${operation.job.label}, made of letters, digits and dashes, but it is ${JSON.stringify(fields.values.jobId).slice(0, 80)}. Nothing was sent.`,
		});
	}
	const plan = planCommon(item, fields, operation.defaultMaxWaitSeconds({}));
	return { ...plan, known: { id, ageMs: 0 } };
}

function planCommon(item: number, { values }: FieldValues, defaultMaxWaitSeconds: number): JobPlan {
	const options = (values.waitOptions ?? {}) as JsonObject;
	const watched = values.waitForCompletion === true;
	const isFixed = options.polling === 'fixed';
	return {
		item,
		key: undefined,
		sent: undefined,
		choice: String(values.output ?? ''),
		failOnTimeout: options.onTimeout !== 'output',
		jobsAtOnce: Number(options.maxJobsAtOnce ?? DEFAULT_JOBS_AT_ONCE),
		watched,
		maxWaitMs: Number(options.maxWait ?? defaultMaxWaitSeconds) * 1000,
		interval: isFixed ? Number(options.pollInterval ?? DEFAULT_POLL_SECONDS) * 1000 : null,
	};
}
