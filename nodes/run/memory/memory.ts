import { isJsonObject } from '../../service/http/answer';
import { executionStopped, refusedInput } from '../../service/http/failure';
import { sleep } from '../../service/http/time';
import type { Time } from '../../service/http/time';
import type { JsonObject } from '../../service/http/transport';
import type { RunContext } from '../connection/runContext';
import { executionIdOf, nodeContext, runIndexOf } from '../connection/runContext';
import { retriedExecutions } from '../ledger/crash';
import { loadStatic, saveStatic } from './staticMemory';
import { findTable, findsByName, insertRow, makeTable, readRow, saidBy, tableCaller, updateRow } from './tableRows';
import type { StoredRow, TableCaller } from './tableRows';

/** Name of the table where nobody has chosen another one. */
const MEMORY_TABLE = 'web_data_memory';

/** Where a node's memory is. `not given`: n8n gave none, or it could not be read. */
export type MemoryPlace = 'table' | 'static data' | 'not given';

/** What a node remembers from one execution to the next, as one run of it has found it. */
export interface NodeMemory {
	readonly place: MemoryPlace;
	/** What earlier runs have left. Nothing about it is believed: users can edit a table. */
	readonly value: JsonObject;
	/** Counts how often it was stored; 0 where it was not yet, or where nothing counts it. */
	readonly version: number;
	/** Why it is not known what earlier runs have left, in one sentence: all is told then, and nothing is stored. */
	readonly lost?: string | undefined;
	/** Why it starts empty although something was stored, in one sentence. */
	readonly damaged?: string | undefined;
	/** Why nothing is stored, in one sentence, where all else is as usual. */
	readonly notStored?: string | undefined;
	/** Stores what `change` makes of the memory as it is then. Says in one sentence why it could not. */
	store(change: (value: JsonObject) => JsonObject): Promise<string | undefined>;
}

/** Longest waits for n8n's tables, in milliseconds. */
const LOAD_MS = 15_000;
const SAVE_MS = 30_000;

/** A memory that is longer than this is none of ours. */
const MAX_CHARACTERS = 2_000_000;

/** Saves that a row names, so that a Retry knows whether its output was lost after one. */
const SAVES_NAMED = 10;

/** Key in the node's context. Stored with executions: do not rename. */
const TEST_KEY = 'webDataTestRun';

/** Key in the memory. Stored in tables: do not rename. */
const SAVES_KEY = 'saves';

const TEST_RUN = 'Test runs are not remembered. Publish the workflow (n8n 1: activate it) to compare from run to run.';
const NOT_GIVEN =
	'n8n gave this execution none of what earlier runs have stored, as it does in queue mode, in a Retry and after a long Wait: everything is told, and nothing of it is remembered.';
const RETRY_NOT_STORED = 'Without a Data Table a Retry remembers nothing: the next run tells the same again.';

const IN_STATIC_DATA =
	'This n8n has no Data Table for the memory, so it is stored with the workflow: queue mode, a Retry and an execution after a long Wait have none of it. Turn on Data Tables; on n8n 1.123 make one, and choose its ID under Memory Table.';

/** Nothing else is put into the code of a table's call. */
const TABLE_NAME = /^[\w-]{1,128}$/;

/** The value of the field Memory Table. Throws a ServiceFailure of kind badInput. */
export function memoryTableOf(value: unknown): string {
	const name = typeof value === 'string' ? value.trim() : '';
	if (name === '') return MEMORY_TABLE;
	if (TABLE_NAME.test(name)) return name;
	throw refusedInput(
		`"Memory Table" must be the name of a Data Table, up to 128 letters, digits, _ or -, but it is ${JSON.stringify(name).slice(0, 80)}. On n8n 1.123 it is the ID of one.`,
	);
}

/** What loading and storing need. */
interface Access {
	ctx: RunContext;
	time: Time;
	/** The option Memory Table. */
	tableName: string;
}

/**
 * Reads the memory of a node: from its row in a Data Table, or where n8n has none, from the static data of the workflow.
 * To be called before anything is paid for. What goes wrong is told in `lost`. Throws a ServiceFailure only when the
 * execution was stopped.
 */
export async function loadMemory(access: Access): Promise<NodeMemory> {
	const { ctx } = access;
	if (ctx.getMode() === 'manual') nodeContext(ctx)[TEST_KEY] = true;
	const call = tableOf(access);
	const load = async () => await within(access, LOAD_MS, call ? fromTable(access, call) : fromStaticData(access));
	try {
		return await load().catch(async () => {
			throwIfStopped(ctx);
			return await load();
		});
	} catch (error) {
		throwIfStopped(ctx);
		return nothingKnown(unreadText(error));
	}
}

/** The way to the table; undefined where this n8n has none for it. n8n 1.123 finds tables by their ID only. */
function tableOf({ ctx, tableName }: Access): TableCaller | undefined {
	const needsId = !findsByName(ctx) && tableName === MEMORY_TABLE;
	return needsId ? undefined : tableCaller(ctx);
}

async function fromTable(access: Access, call: TableCaller): Promise<NodeMemory> {
	const { ctx, tableName } = access;
	const table = findsByName(ctx) ? await findTable(call, tableName) : tableName;
	const row = table === undefined ? undefined : await readRow(call, table, rowKey(ctx));
	const { value, damaged } = row ? readValue(row) : { value: await ofStaticData(ctx), damaged: undefined };
	const lost = row && lostOutput(ctx, value);
	if (lost !== undefined) return nothingKnown(lost);
	const place = 'table' as const;
	const isTest = isTestRun(ctx);
	return {
		place,
		value,
		version: row?.version ?? 0,
		damaged,
		...(isTest && { notStored: TEST_RUN }),
		async store(change) {
			if (isTest) return undefined;
			try {
				return await within(access, SAVE_MS, storeInTable({ ...access, call, table, row, value }, change));
			} catch (error) {
				throwIfStopped(ctx);
				return error instanceof TooLate ? `n8n's Data Table took more than ${SAVE_MS / 1000} s` : saidBy(error);
			}
		},
	};
}

/** Before the first row there may be what an earlier version of this node has stored with the workflow: it is taken once. */
async function ofStaticData(ctx: RunContext): Promise<JsonObject> {
	if (Object.keys(ctx.getWorkflowStaticData('node')).length === 0) return {};
	const { value, isGiven } = await loadStatic(ctx);
	return isGiven ? value : {};
}

interface InTable extends Access {
	call: TableCaller;
	table: string | undefined;
	row: StoredRow | undefined;
	value: JsonObject;
}

/**
 * Writes the row where it is as it was read. Where another run has stored in the meantime, what that run has left is
 * changed, once.
 */
async function storeInTable(
	{ ctx, tableName, call, table, row, value }: InTable,
	change: (value: JsonObject) => JsonObject,
): Promise<string | undefined> {
	const key = rowKey(ctx);
	const place = table ?? (findsByName(ctx) ? await makeTable(call, tableName) : tableName);
	let before: StoredRow | undefined = row;
	let known = value;
	for (let tries = 0; tries < 2; tries += 1) {
		const text = JSON.stringify(withSave(ctx, change(known)));
		const version = (before?.version ?? 0) + 1;
		const written = { key, value: text, version };
		const stored = before ? await updateRow(call, place, written) : await insertRow(call, place, written);
		const kept = stored.find((one) => one.version === version);
		if (kept && kept.value.length !== text.length) {
			return `the table holds ${kept.value.length} of its ${text.length} characters`;
		}
		const latest = kept && before ? kept : await readRow(call, place, key);
		// Two runs may have made a row each: that of the other one counts for both.
		if (kept && latest?.id === kept.id) return undefined;
		before = latest;
		known = latest ? readValue(latest).value : {};
	}
	return 'other executions of this node stored at the same time';
}

async function fromStaticData({ ctx }: Access): Promise<NodeMemory> {
	const { value, isGiven } = await loadStatic(ctx);
	if (!isGiven) return nothingKnown(NOT_GIVEN);
	// n8n writes the static data of the whole workflow back, and may have given a Retry an old copy of it.
	const isRetry = ctx.getMode() === 'retry';
	const notStored = isTestRun(ctx) ? TEST_RUN : isRetry ? RETRY_NOT_STORED : undefined;
	return {
		place: 'static data',
		value,
		version: 0,
		notStored,
		async store(change) {
			if (notStored !== undefined) return undefined;
			try {
				await saveStatic(ctx, change(value));
				return undefined;
			} catch (error) {
				throwIfStopped(ctx);
				return saidBy(error);
			}
		},
	};
}

function nothingKnown(lost: string): NodeMemory {
	return { place: 'not given', value: {}, version: 0, lost, store: async () => await Promise.resolve(undefined) };
}

/** Names the node, whatever it is called, also after a rename. */
function rowKey(ctx: RunContext): string {
	return `${ctx.getWorkflow().id ?? ''}/${ctx.getNode().id}`;
}

/** Whether the execution is one by hand, or the Retry of one. */
function isTestRun(ctx: RunContext): boolean {
	const mode = ctx.getMode();
	return mode === 'manual' || (mode === 'retry' && nodeContext(ctx)[TEST_KEY] === true);
}

function readValue({ value }: StoredRow): { value: JsonObject; damaged: string | undefined } {
	try {
		const read: unknown = value.length > MAX_CHARACTERS ? undefined : JSON.parse(value);
		if (isJsonObject(read)) return { value: read, damaged: undefined };
	} catch {
		// Said below.
	}
	return {
		value: {},
		damaged: 'The row of this node in the Data Table cannot be read, so its memory starts empty.',
	};
}

interface Save extends JsonObject {
	execution: string;
	run: number;
}

function savesOf({ [SAVES_KEY]: saves }: JsonObject): Save[] {
	const list: unknown[] = Array.isArray(saves) ? saves : [];
	return list.filter(
		(one): one is Save => isJsonObject(one) && typeof one.execution === 'string' && typeof one.run === 'number',
	);
}

function withSave(ctx: RunContext, value: JsonObject): JsonObject {
	const own: Save = { execution: executionIdOf(ctx), run: runIndexOf(ctx) };
	return { ...value, [SAVES_KEY]: [...savesOf(value), own].slice(-SAVES_NAMED) };
}

/** A Retry that does a run again whose memory was stored: n8n was killed after that, and what the run has told is gone. */
function lostOutput(ctx: RunContext, value: JsonObject): string | undefined {
	if (ctx.getMode() !== 'retry') return undefined;
	const [retried, run] = [retriedExecutions(ctx), runIndexOf(ctx)];
	const stored = savesOf(value).find((save) => retried.includes(save.execution) && save.run === run);
	if (!stored) return undefined;
	return `n8n was killed after this node had remembered what it told (execution ${stored.execution}): everything is told, and nothing of it is remembered.`;
}

class TooLate extends Error {}

/** The work, if it ends within so long. Throws TooLate, and when the execution is stopped, at once. */
async function within<T>({ ctx, time }: Access, ms: number, work: Promise<T>): Promise<T> {
	const over = new AbortController();
	const stop = ctx.getExecutionCancelSignal();
	const late = sleep(time, ms, stop ? AbortSignal.any([stop, over.signal]) : over.signal);
	const done = work.then((value) => ({ value }));
	try {
		const first = await Promise.race([done, late]);
		if (!first) throw new TooLate(`no answer of n8n's Data Table within ${ms / 1000} s`);
		return first.value;
	} finally {
		over.abort();
		// Nobody waits for it any more.
		done.catch(() => undefined);
	}
}

function throwIfStopped(ctx: RunContext): void {
	if (ctx.getExecutionCancelSignal()?.aborted) throw executionStopped({ mayHaveExecuted: false });
}

function unreadText(error: unknown): string {
	return `What earlier runs have remembered could not be read (${saidBy(error)}): everything is told, and nothing of it is remembered.`;
}

/**
 * What a person should know of the memory of a run, in sentences. `notStored`: why it could not be stored. What is `lost`
 * or `damaged` is not among them: the run says it with its result.
 */
export function memoryTexts(memory: NodeMemory, notStored: string | undefined): string[] {
	return [
		...(memory.place === 'static data' ? [IN_STATIC_DATA] : []),
		...(memory.notStored === undefined ? [] : [memory.notStored]),
		...(notStored === undefined
			? []
			: [`What this run told may not be remembered: ${notStored}. The next run may tell it again.`]),
	];
}
