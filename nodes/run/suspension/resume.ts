import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { named } from '../../operation/hint';
import { isJsonObject } from '../../service/http/answer';
import { reasonOf } from '../../service/http/failure';
import type { ServiceFailure } from '../../service/http/failure';
import { POLICIES, nextAttempt, noTries, withTrouble } from '../../service/http/retry';
import { waitAtMost } from '../../service/http/time';
import type { JsonObject } from '../../service/http/transport';
import { JOBS_THAT_CALL } from '../../service/jobs/jobKinds';
import { checkStatuses } from '../../service/results/statusChecks';
import { SECRET_HEADER, dropOldest, isSecret } from '../../service/webhooks';
import { connect } from '../connection/connect';
import { processClock } from '../connection/processClock';
import {
	ALL_ENDED,
	NOT_CHECKED,
	NOT_WAITING,
	OWN_CALL_HEADER,
	RECEIVED,
	WRONG_SECRET,
	checkAgain,
	checkNoMore,
} from './checks';
import { readSuspended, watchedJobs, withoutSuspendedJob } from './suspendedRecord';
import type { SuspendedRecord } from './suspendedRecord';

/** The service is answered within a second, whatever checking the jobs takes. */
const ANSWER_WITHIN_MS = 800;

/** The answer to a call that needs no other: n8n answers nothing more, and the execution waits on without items. */
const ANSWERED: IWebhookResponseData = { noWebhookResponse: true };

/**
 * Receives the calls of jobs that have ended, for an execution that is suspended until all have. Nothing in a call
 * is believed: the jobs are checked with the credential. Never throws, since n8n would lose what the
 * execution holds (docs/reference/n8n-internals.md#errors-in-webhook).
 */
export async function resume(ctx: IWebhookFunctions): Promise<IWebhookResponseData> {
	const answer = answerOnce(ctx);
	try {
		const name = ctx.getNode().name;
		const stored = executionDataOf(ctx);
		const context = contextIn(stored, name);
		const suspended = readSuspended(context);
		if (!suspended) return answer(409, NOT_WAITING);
		const { call, secret } = suspended;
		if (!isSecret(ctx.getHeaderData()[SECRET_HEADER], secret)) return answer(401, WRONG_SECRET);
		const isOwnCall = ctx.getHeaderData()[OWN_CALL_HEADER] !== undefined;
		// Its status may show the end later than its call: what this call does not resume is checked again.
		if (!isOwnCall) checkAgain(ctx, call, secret);
		const checking = mayResume(
			secret,
			async (ended) => await haveEnded(ctx, watchedJobs(context, suspended), call.sinceMs, ended),
		);
		// The node itself waits for what comes of its call.
		if (!isOwnCall && !(await waitAtMost(processClock, ANSWER_WITHIN_MS, checking))) {
			answer(200, RECEIVED);
		}
		const isWoken = await checking;
		answer(200, isWoken ? ALL_ENDED : RECEIVED);
		if (!isWoken) return ANSWERED;
		checkNoMore(secret);
		return { ...ANSWERED, workflowData: [resumeInput(stored, name, suspended)] };
	} catch (error) {
		// The node checks again by itself, and the service calls again where it does that at all.
		ctx.logger.warn(
			`Execution ${ctx.getExecutionId()}, node "${ctx.getNode().name}": its jobs could not be checked. ${reasonOf(error)}`,
		);
		return answer(503, NOT_CHECKED);
	}
}

/** Calls of one suspension, as this process has handled them. */
interface ResumeState {
	isChecking: boolean;
	/** Another call has come since the check began: it may know of what that check could not see. */
	isCalledAgain: boolean;
	/** The times when the latest check began, and when the execution was woken, monotonic. */
	checkedMs: number;
	wokenMs: number;
	/** Ids of jobs that have ended: they need no further check. */
	ended: Set<string>;
}

/** By the secret of the suspension: each has one of its own. */
const resumeStates = new Map<string, ResumeState>();

/** At most one check a second for an execution, however many of its jobs end. */
const BETWEEN_CHECKS_MS = 1000;
/** So long after its end no call wakes an execution again: n8n may still list it as waiting. */
const AWAKE_MS = 10_000;
/** Executions that one process remembers; the one that was called first goes first. */
const MAX_EXECUTIONS = 10_000;

/**
 * True for the one call that wakes the execution. Calls at the same moment make one check, and one that comes
 * during a check makes one more after it. Throws what the check throws: then the next call checks again.
 */
async function mayResume(secret: string, check: (ended: Set<string>) => Promise<boolean>): Promise<boolean> {
	const { now, sleep } = processClock;
	const fresh = { isChecking: false, isCalledAgain: false, checkedMs: -Infinity, wokenMs: -Infinity };
	const state: ResumeState = resumeStates.get(secret) ?? { ...fresh, ended: new Set() };
	resumeStates.set(secret, state);
	dropOldest(resumeStates, MAX_EXECUTIONS);
	if (state.isChecking || now() < state.wokenMs + AWAKE_MS) {
		state.isCalledAgain = true;
		return false;
	}
	state.isChecking = true;
	try {
		do {
			const earlyMs = state.checkedMs + BETWEEN_CHECKS_MS - now();
			if (earlyMs > 0) await sleep(earlyMs);
			state.isCalledAgain = false;
			state.checkedMs = now();
			if (await check(state.ended)) {
				state.wokenMs = now();
				state.ended.clear();
				return true;
			}
		} while (state.isCalledAgain);
		return false;
	} finally {
		state.isChecking = false;
	}
}

/**
 * Whether the node has nothing to wait for any more: all jobs have ended, or those that have not cannot be read
 * and it is to say why. Throws for what a later check may read.
 */
async function haveEnded(
	ctx: IWebhookFunctions,
	{ kind: name, ids }: ReturnType<typeof watchedJobs>,
	sinceMs: number,
	ended: Set<string>,
): Promise<boolean> {
	const kind = JOBS_THAT_CALL.find((one) => one.name === name);
	if (!kind) throw new Error(`Jobs of the kind "${name}" make no calls.`);
	const client = await connect(ctx);
	const left = ids.filter((id) => !ended.has(id));
	const checks = await checkStatuses(left, kind, client);
	for (const id of checks.ended) ended.add(id);
	if (checks.running !== undefined) return false;
	const passing = checks.unread.filter(({ failure }) => mayPass(failure, sinceMs));
	if (passing.length === 0) return true;
	throw new Error(`${named(passing.map(({ id }) => id))} could not be read; the node calls again.`);
}

/** Whether a later check may read what this one could not. `sinceMs`: of the suspension, in milliseconds since 1970. */
function mayPass(failure: ServiceFailure, sinceMs: number): boolean {
	const policy = { ...POLICIES.poll, retries: Infinity };
	const tries = withTrouble(noTries(sinceMs), failure, policy, sinceMs);
	return nextAttempt(failure, tries, policy, { ms: processClock.wallClock(), random: 0 }) !== 'giveUp';
}

/** The execution data that n8n-core has in its contexts (1.123 and 2.41), but its types do not name. */
function executionDataOf(ctx: IWebhookFunctions): unknown {
	const { runExecutionData } = ctx as { runExecutionData?: unknown };
	return isJsonObject(runExecutionData) ? runExecutionData.executionData : undefined;
}

/** Answers a call; only the first answer counts. */
function answerOnce(ctx: IWebhookFunctions) {
	let isAnswered = false;
	return (status: number, message: string): IWebhookResponseData => {
		if (!isAnswered) ctx.getResponseObject().status(status).json({ message });
		isAnswered = true;
		return ANSWERED;
	};
}

/** The node's context in an execution that n8n has stored. */
function contextIn(executionData: unknown, nodeName: string): JsonObject {
	const { contextData } = isJsonObject(executionData) ? executionData : {};
	// The key is n8n's: NodeHelpers.getContext of n8n-workflow 1.120 and 2.41.
	const context = isJsonObject(contextData) ? contextData[`node:${nodeName}`] : undefined;
	return isJsonObject(context) ? context : {};
}

/**
 * The input that the node continues with. n8n has switched the node off for this resume, as if the call brought
 * its output (disableNode in waiting-webhooks.js, n8n 1.123 and 2.40; for forms it does so only at their
 * end). Switched on again, the node runs as if it had held the execution: the same code reads the jobs, which
 * its ledger knows, and what fails fails there. Where n8n has no such switch, its input goes on as at the
 * deadline, with the jobs in it.
 */
function resumeInput(executionData: unknown, nodeName: string, { hidden }: SuspendedRecord): INodeExecutionData[] {
	const { nodeExecutionStack } = isJsonObject(executionData) ? executionData : {};
	const entry: unknown = Array.isArray(nodeExecutionStack) ? nodeExecutionStack[0] : undefined;
	const { node, data } = isJsonObject(entry) ? entry : {};
	const main = isJsonObject(data) ? data.main : undefined;
	const input: unknown = Array.isArray(main) ? main[0] : undefined;
	const items = Array.isArray(input) ? (input as INodeExecutionData[]) : [{ json: {} }];
	if (!isJsonObject(node) || node.name !== nodeName) return items;
	node.disabled = false;
	const own = new Map(hidden);
	return items.map((given, item) => withoutSuspendedJob(given, own.get(item)));
}

const WORD = /webhook/i;

/**
 * Whether a start was refused because the service makes no such calls. A refusal may quote what was asked for,
 * such as an address or a field of a schema with this word in it: what stands in `body`, which has no webhook,
 * is no word of the service.
 */
export function refusesCalls(
	{ httpCode, message }: Pick<ServiceFailure, 'httpCode' | 'message'>,
	body: JsonObject | undefined,
): boolean {
	const quoted = textsIn(body).filter((text) => WORD.test(text));
	const own = quoted.reduce((rest, text) => rest.replaceAll(text, ''), message);
	return httpCode === 400 && WORD.test(own);
}

/** All texts and names in a body, whatever they stand for. */
function textsIn(body: unknown): string[] {
	if (typeof body === 'string') return [body];
	if (typeof body !== 'object' || body === null) return [];
	return Object.entries(body).flatMap(([name, part]) => [name, ...textsIn(part)]);
}
