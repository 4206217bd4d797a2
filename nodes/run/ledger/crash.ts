import { isJsonObject } from '../../service/http/answer';
import type { JsonObject } from '../../service/http/transport';
import { processClock } from '../connection/processClock';
import { executionIdOf, nodeContext, runIndexOf } from '../connection/runContext';
import type { RunContext } from '../connection/runContext';
import { isToolCall } from '../input/readFields';

/** Keys in the node's context. Stored with executions: do not rename. */
const JOBS_KEY = 'webDataJobs';
const RESEARCH_KEY = 'webDataResearch';
const CRASH_KEY = 'webDataCrash';
/** Index of the latest run of the node that began, kept from the second on. */
const RUN_KEY = 'webDataRun';
/** Id of the latest execution in which the node began. */
const EXECUTION_KEY = 'webDataExecution';
/** Mark of the key with which the node began the latest time (ServiceClient.account). */
const ACCOUNT_KEY = 'webDataAccount';
/** Ids of the executions that were retried one after the other, the latest last. */
const RETRIED_KEY = 'webDataRetried';

/**
 * The ledger of a node in the execution's own data (docs/reference/n8n-internals.md#node-context), made when it is not
 * there.
 */
export function entryStore(ctx: RunContext): JsonObject {
	return bookOf(ctx, JOBS_KEY);
}

/** The same of an execution that n8n has stored, from the node's context. */
export function storedEntries(context: JsonObject): JsonObject {
	return bookIn(context, JOBS_KEY);
}

/** The same for research: the steps that were paid for. */
export function researchStore(ctx: RunContext): JsonObject {
	return bookOf(ctx, RESEARCH_KEY);
}

function bookOf(ctx: RunContext, key: string): JsonObject {
	const context = nodeContext(ctx);
	const book = bookIn(context, key);
	context[key] = book;
	return book;
}

function bookIn(context: JsonObject, key: string): JsonObject {
	const { [key]: stored } = context;
	return isJsonObject(stored) ? stored : {};
}

/**
 * Notes whether n8n was killed while an earlier execution was in this run of the node. To be called
 * first, since a run that ends in any other way leaves a note that it began.
 */
export function noteCrash(ctx: RunContext): void {
	const context = nodeContext(ctx);
	const run = runIndexOf(ctx);
	const execution = executionIdOf(ctx);
	// Without an id the next retry could not be told from this one, and would be refused as well.
	const mayBeCrash = ctx.getMode() === 'retry' && execution !== '';
	if (mayBeCrash && wasCutOff(ctx, context, run)) context[CRASH_KEY] = { execution, run };
	entryStore(ctx);
	if (ctx.getMode() === 'retry') context[RETRIED_KEY] = retriedExecutions(ctx);
	context[EXECUTION_KEY] = execution;
	if (run > 0 && !hasNote(context, run)) context[RUN_KEY] = run;
}

/**
 * Notes the key that this run has. To be called before anything is sent; after a kill, the key that an earlier try or
 * run had is kept beside the note of the kill.
 */
export function noteAccount(ctx: RunContext, account: string): void {
	const context = nodeContext(ctx);
	const { [ACCOUNT_KEY]: before, [CRASH_KEY]: crash } = context;
	if (isAfterCrash(ctx) && isJsonObject(crash)) context[CRASH_KEY] = { account: before, ...crash };
	context[ACCOUNT_KEY] = account;
}

/** The key of before the kill, as noteAccount() has found it; undefined where nobody knows it. */
export function accountBeforeCrash(ctx: RunContext): string | undefined {
	const { [CRASH_KEY]: crash } = nodeContext(ctx);
	return isAfterCrash(ctx) && isJsonObject(crash) && typeof crash.account === 'string' ? crash.account : undefined;
}

/**
 * Whether n8n was killed while the node ran in an execution that this one retries. n8n stores what a node
 * remembers only when the node has ended, so a kill leaves no note. That it had begun all the same is seen
 * - in the first run of a node by what n8n's recovery puts down (n8n 2.40 and 1.123, amend() in
 *   execution-recovery.service.js). Of a tool nothing is put down that its own call does not put down again,
 *   but its agent has crashed as well, and n8n's Retry drops one of the two;
 * - in later runs by nothing of n8n's, but then the retry begins with this very node;
 * - where the execution retried is itself a Retry: it began with this node, or with the node's agent, and
 *   has left no note. An agent may also have failed before it called its tool: then nothing is found.
 */
function wasCutOff(ctx: RunContext, context: JsonObject, run: number): boolean {
	const { [EXECUTION_KEY]: noted } = context;
	if (noted === executionIdOf(ctx)) return false;
	const isTool = isToolCall(ctx);
	if (!isJsonObject(context[JOBS_KEY])) return isTool ? hasCrashed(ctx) : run === 0 && hasBegun(ctx);
	if (!hasNote(context, run) && isFirstOfExecution(ctx)) return true;
	const retried = retriedBy(ctx);
	const isMissing = noted !== undefined && retried !== undefined && noted !== retried;
	return isMissing && (isTool || isFirstOfExecution(ctx));
}

/**
 * True in the first retry after such a kill, in the run that was cut off. A retry of that retry is the
 * user's word to start anyway; Retry On Fail, in the same execution, is not.
 */
export function isAfterCrash(ctx: RunContext): boolean {
	const crash = nodeContext(ctx)[CRASH_KEY];
	if (!isJsonObject(crash) || crash.execution !== executionIdOf(ctx)) return false;
	// Each call of an agent is a run of its own, and any of them may be the one that was cut off.
	return isToolCall(ctx) || crash.run === runIndexOf(ctx);
}

/** A span of time in which calls of a research may have been sent whose answers are lost, in milliseconds since 1970. */
interface CutOffCalls {
	startedAt: number;
	lostAt: number;
}

/**
 * From the beginning of the execution that n8n was killed in until now; undefined where it was not, or where the
 * beginning is not known.
 */
export function callsBeforeCrash(ctx: RunContext): CutOffCalls | undefined {
	const startedAt = isAfterCrash(ctx) ? beginningOf(ctx) : undefined;
	return startedAt === undefined ? undefined : { startedAt, lostAt: processClock.wallClock() };
}

function hasNote(context: JsonObject, run: number): boolean {
	const latest = context[RUN_KEY];
	return run === 0 ? isJsonObject(context[JOBS_KEY]) : typeof latest === 'number' && latest >= run;
}

/** Id of the execution that this one retries; undefined where n8n does not tell it (1.123). */
export function retriedBy(ctx: RunContext): string | undefined {
	const { additionalData } = ctx as { additionalData?: unknown };
	const hooks = isJsonObject(additionalData) ? additionalData.hooks : undefined;
	const retried = isJsonObject(hooks) ? hooks.retryOf : undefined;
	return typeof retried === 'string' ? retried : undefined;
}

/** Ids of all executions that this one retries: of a Retry of a Retry those of both. */
export function retriedExecutions(ctx: RunContext): string[] {
	const { [RETRIED_KEY]: noted } = nodeContext(ctx);
	const known: unknown[] = Array.isArray(noted) ? noted : [];
	const ids = [...known, retriedBy(ctx)].filter((id): id is string => typeof id === 'string');
	return [...new Set(ids)];
}

/** True where n8n's recovery has put down of any node that n8n was killed while it ran. */
function hasCrashed(ctx: RunContext): boolean {
	return runsOf(ctx).some(({ executionStatus }) => executionStatus === 'crashed');
}

function hasBegun(ctx: RunContext): boolean {
	const node = ctx.getWorkflowDataProxy(0).$ as (name: string) => { isExecuted?: boolean };
	return node(ctx.getNode().name).isExecuted === true;
}

/**
 * True when no node ran before this one in this execution: n8n counts the nodes that it runs, from 0 in each
 * execution, a Retry included (currentNodeExecutionIndex, n8n-core 1.123 and 2.41). Where it did not, a run
 * that may have been cut off is not started again.
 */
function isFirstOfExecution(ctx: RunContext): boolean {
	const { additionalData } = ctx as { additionalData?: unknown };
	const count = isJsonObject(additionalData) ? additionalData.currentNodeExecutionIndex : 1;
	return count === 1 || typeof count !== 'number';
}

/** A smaller number is a time in seconds: that is what n8n's recovery puts down (n8n 2.40, amend()). */
const LEAST_MS = 1e11;

/**
 * The time when the first node of the execution ran, of this one or of the one that it retries, in milliseconds since
 * 1970 by the clock of that time; undefined when that is not known or makes no sense.
 */
export function beginningOf(ctx: RunContext): number | undefined {
	const times = runsOf(ctx).flatMap(({ startTime }) => {
		if (!(startTime > 0)) return [];
		return [startTime < LEAST_MS ? startTime * 1000 : startTime];
	});
	const first = times.reduce((earliest, ms) => Math.min(earliest, ms), Infinity);
	return first < processClock.wallClock() ? first : undefined;
}

interface TimedRun {
	/** Milliseconds since 1970. */
	startTime: number;
	executionTime: number;
	executionStatus?: unknown;
}

/** The times when nodes ran. n8n's context has it (n8n-core 1.123 and 2.41), but its type does not name it. */
function runsOf(ctx: RunContext): TimedRun[] {
	const { runExecutionData } = ctx as { runExecutionData?: unknown };
	const resultData = isJsonObject(runExecutionData) ? runExecutionData.resultData : undefined;
	const runData = isJsonObject(resultData) ? resultData.runData : undefined;
	if (!isJsonObject(runData)) return [];
	return Object.values(runData).flat().filter(isTimedRun);
}

function isTimedRun(value: unknown): value is TimedRun {
	return isJsonObject(value) && typeof value.startTime === 'number' && typeof value.executionTime === 'number';
}
