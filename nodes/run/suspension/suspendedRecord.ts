import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { isJsonObject } from '../../service/http/answer';
import type { JsonObject } from '../../service/http/transport';
import { storedEntries } from '../ledger/crash';
import { Entries } from '../ledger/entries';

/** Key in the node's context. Stored with executions: do not rename. */
const SUSPENDED_KEY = 'webDataSuspended';

/** The execution and the run of the node that a record belongs to. */
export interface SuspendedRun {
	execution: string;
	run: number;
}

/** The call by which the node makes the execution check its jobs. Times are milliseconds since 1970. */
export interface StoredCall {
	url: string;
	/** The time when the execution was suspended. */
	sinceMs: number;
	/** The time when Max Wait has passed. */
	untilMs: number;
}

/**
 * The record of a suspended execution that it needs when it is woken, besides its ledger, which has its jobs. It
 * stands in the node's context, which n8n stores with the execution
 * (docs/reference/n8n-internals.md#what-webhook-can-reach).
 */
export interface SuspendedRecord extends SuspendedRun {
	isWoken: false;
	/** The secret that the service's calls prove themselves with. */
	secret: string;
	/** The call by which the node calls the execution itself. */
	call: StoredCall;
	/** So long the starts were held up by rate limits. */
	throttledSeconds: number;
	/** The values of the input that the jobs stand in the place of while it is suspended, by item. */
	hidden: Array<[item: number, value: IDataObject[string]]>;
}

/** The record in a node's context; undefined when there is none. */
export function readSuspended(context: unknown): SuspendedRecord | undefined {
	const stored = isJsonObject(context) ? context[SUSPENDED_KEY] : undefined;
	return isSuspended(stored) ? stored : undefined;
}

export function writeSuspended(context: JsonObject, record: SuspendedRecord): void {
	context[SUSPENDED_KEY] = record;
}

/** Keeps the part of the record that is needed when its execution continues: enough to know it by in a further try. */
export function noteWoken(context: JsonObject, { execution, run }: SuspendedRun): void {
	context[SUSPENDED_KEY] = { execution, run, isWoken: true };
}

/** The run that was suspended and has gone on, as a node's context has it; undefined when there is none. */
export function readWoken(context: unknown): SuspendedRun | undefined {
	const stored = isJsonObject(context) ? context[SUSPENDED_KEY] : undefined;
	if (!isJsonObject(stored) || stored.isWoken !== true) return undefined;
	const { execution, run } = stored;
	return typeof execution === 'string' && typeof run === 'number' ? { execution, run } : undefined;
}

export function forgetSuspended(context: JsonObject): void {
	Reflect.deleteProperty(context, SUSPENDED_KEY);
}

/** Written by this package, but n8n's data passes many hands. */
function isSuspended(stored: unknown): stored is SuspendedRecord {
	if (!isJsonObject(stored)) return false;
	const { execution, run, isWoken, secret, hidden, throttledSeconds, call } = stored;
	const texts: unknown[] = [execution, secret];
	const numbers: unknown[] = [run, throttledSeconds];
	return (
		isWoken === false &&
		isStoredCall(call) &&
		texts.every((text) => typeof text === 'string') &&
		Array.isArray(hidden) &&
		numbers.every((number) => typeof number === 'number')
	);
}

/** The jobs that an execution is suspended for, from its ledger: the name of their kind, and their ids. */
export function watchedJobs(context: JsonObject, { execution, run }: SuspendedRun): { kind: string; ids: string[] } {
	const watched = new Entries(storedEntries(context)).all
		.map(({ entry }) => entry)
		.filter((entry) => entry.watched && entry.execution === execution && entry.runIndex === run);
	return { kind: watched[0]?.kind ?? '', ids: watched.flatMap(({ id }) => id ?? []) };
}

function isStoredCall(stored: unknown): stored is StoredCall {
	if (!isJsonObject(stored)) return false;
	const { url, sinceMs, untilMs } = stored;
	return typeof url === 'string' && Number.isFinite(sinceMs) && Number.isFinite(untilMs);
}

/** The field that tells an input item that n8n passes on when nobody has called in time. */
const FIELD = 'suspendedJob';

/** The content of that field: how to collect the job, or why the item has none. */
export type SuspendedJob = { jobId: string; collectWith: string } | { reason: string };

/** A field of that name that a node before this one has made; undefined for nothing. */
export function ownSuspendedJob({ json }: INodeExecutionData): IDataObject[string] | undefined {
	return json[FIELD];
}

/** The item with its job. */
export function withSuspendedJob(item: INodeExecutionData, job: SuspendedJob): INodeExecutionData {
	return { ...item, json: { ...item.json, [FIELD]: { ...job } } };
}

/** The same as it was, with its own value there if it had one. */
export function withoutSuspendedJob(
	item: INodeExecutionData,
	own: IDataObject[string] | undefined,
): INodeExecutionData {
	const json = { ...item.json };
	if (own === undefined) Reflect.deleteProperty(json, FIELD);
	else json[FIELD] = own;
	return { ...item, json };
}
