import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import { reasonOf } from '../../../service/http/failure';
import { waitAtMost } from '../../../service/http/time';
import { checkStatuses } from '../../../service/results/checkStatuses';
import { areUnreadable } from '../../../service/results/unreadJobs';
import { JOBS_THAT_CALL } from '../../../service/jobs/jobKinds';
import { listWordOf } from '../../../service/startRecovery/listWord';
import { WakeUpCalls } from '../../../service/webhooks/wakeUpCalls';
import type { WakeUpResult } from '../../../service/webhooks/wakeUpCalls';
import { SECRET_HEADER } from '../../../service/webhooks/signatureCheck';
import { isSecret } from '../../../service/webhooks/signature';
import { connect } from '../connection/connect';
import { processClock } from '../connection/processClock';
import { named } from '../output/hintText';
import {
	ALL_ENDED,
	NOT_CHECKED,
	NOT_WAITING,
	OWN_CALL_HEADER,
	RECEIVED,
	WRONG_SECRET,
} from './answers';
import { checkAgain, checkNoMore } from './checks/ownChecks';
import { resumeInput, suspendedIn } from './resumeInput';
import type { SuspendedRecord } from './suspendedRecord';

/** The service is answered within a second, whatever checking the jobs takes. */
const ANSWER_WITHIN_MS = 800;

const wakeUpCalls = new WakeUpCalls(processClock);

/** What was answered to a call: n8n answers nothing more, and the execution waits on without items. */
const ANSWERED: IWebhookResponseData = { noWebhookResponse: true };

/**
 * Receives the calls of jobs that have ended, for an execution that is suspended until all have. Nothing in a call
 * is believed: the jobs are checked with the credential. Never throws, since n8n would lose what the
 * execution holds (docs/n8n-internals.md#errors-in-webhook).
 */
export async function resume(ctx: IWebhookFunctions): Promise<IWebhookResponseData> {
	const answer = answerOnce(ctx);
	try {
		const name = ctx.getNode().name;
		const stored = executionDataOf(ctx);
		const suspended = suspendedIn(stored, name);
		if (!suspended) return answer(409, NOT_WAITING);
		if (!isSecret(ctx.getHeaderData()[SECRET_HEADER], suspended.secret)) {
			return answer(401, WRONG_SECRET);
		}
		const isOwnCall = ctx.getHeaderData()[OWN_CALL_HEADER] !== undefined;
		// Its status may show the end later than its call: what this call does not resume is checked again.
		if (!isOwnCall && suspended.call) checkAgain(ctx, suspended.call, suspended.secret);
		const checking = notify(ctx, suspended, isOwnCall);
		// The node itself waits for what comes of its call.
		if (!isOwnCall && !(await waitAtMost(processClock, ANSWER_WITHIN_MS, checking))) {
			answer(200, RECEIVED);
		}
		const result = await checking;
		// Another call is being handled, with an unknown result: the service is asked to call again.
		if (isOwnCall && result === 'alreadyHandled') return answer(503, NOT_CHECKED);
		answer(200, result === 'wake' ? ALL_ENDED : RECEIVED);
		if (result !== 'wake') return ANSWERED;
		checkNoMore(suspended.secret);
		return { ...ANSWERED, workflowData: [resumeInput(stored, name, suspended)] };
	} catch (error) {
		// The node checks again by itself, and the service calls again where it does that at all.
		ctx.logger.warn(
			`Execution ${ctx.getExecutionId()}, node "${ctx.getNode().name}": its jobs could not be checked. ${reasonOf(error)}`,
		);
		return answer(503, NOT_CHECKED);
	}
}

/** Throws when no job can be checked, and for a call that will be repeated as soon as one cannot. */
async function notify(
	ctx: IWebhookFunctions,
	suspended: SuspendedRecord,
	isOwnCall: boolean,
): Promise<WakeUpResult> {
	const { secret, kind: name, ids, call } = suspended;
	const kind = JOBS_THAT_CALL.find((one) => one.name === name);
	if (!kind) throw new Error(`Jobs of the kind "${name}" make no calls.`);
	const check: Parameters<typeof wakeUpCalls.notify>[1] = async (ended, canWait, since) => {
		const client = await connect(ctx);
		const left = ids.filter((id) => !ended.has(id));
		const checks = await checkStatuses(left, kind, client);
		for (const id of checks.ended) ended.add(id);
		if (checks.running !== undefined) {
			// Not all were asked, so a row of denials may have been broken.
			since.clear();
			return false;
		}
		// What cannot be checked now is left to the node, which tries longer and says what is wrong.
		if (checks.unread.length === 0 || !canWait()) return true;
		const { time } = client;
		const ageMs = call ? time.wallClock() - call.suspendedMs : Infinity;
		const askList = async (id: string) => await listWordOf(kind, { id, ageMs }, client);
		const parts = { kind, since, nowMs: time.now(), askList };
		if (await areUnreadable(checks.unread, parts)) return true;
		const unread = named(checks.unread.map(({ id }) => id));
		throw new Error(`${unread} could not be read; the node calls again.`);
	};
	// Each suspension has a secret of its own.
	return await wakeUpCalls.notify(secret, check, isOwnCall);
}

/** What n8n-core has in its contexts (1.123 and 2.41), but its types do not name. */
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
