import type { CallOperation } from '../../operation/operation';
import type { ServiceClient } from '../../service/client';
import { ServiceFailure, executionStopped, failureOrThrow, isAnswerLost } from '../../service/http/failure';
import { PATIENCE } from '../../service/http/retry';
import { orAborted } from '../../service/http/time';
import { REQUEST_TIMEOUT_MS } from '../../service/http/transport';
import type { JsonObject, ServiceRequest } from '../../service/http/transport';
import { underWay } from '../../service/jobs/jobKinds';
import type { LostStartFinding } from '../../service/jobs/jobOutcome';
import { withoutUsers } from '../../service/secrets';
import { recoverStart } from '../../service/startRecovery/recoverStart';
import { failedCall, lostCallText, notSentAgain, withoutResult } from '../errors/callErrors';
import { readFields, requestOf } from '../input/readFields';
import { withFurtherFormats } from '../input/furtherFormats';
import { resultJson } from '../output/outputItem';
import { foundIn, willBeSentAgain } from '../paid/decide';
import type { Thing } from '../paid/decide';
import { asPaid } from '../paid/runCalls';
import type { Call } from '../paid/runCalls';
import { sendPaid, spanOf } from '../paid/sendPaid';
import type { Earlier, Loss, Paid } from '../paid/sendPaid';

/** How long after its loss a request may still begin its work, in milliseconds. */
const LATE_MS = 5000;

/** How far clocks may be apart: of the service's machines, and of n8n's from one try to the next. */
const SKEW_MS = 2000;
const OWN_SKEW_MS = 60_000;

/**
 * The finding of the service's list about a request whose answer was lost. Address and time are all that it shows of a
 * call, so what is found is read and never changed. Never throws.
 */
export async function findCall(
	{ recall }: CallOperation,
	start: ServiceRequest,
	loss: Loss,
	client: ServiceClient,
): Promise<LostStartFinding> {
	const { kind } = recall ?? {};
	if (!kind) return { kind: 'unknown' };
	const finding = await recoverStart({ kind, start, ...loss, register: client.callRegister }, client);
	const found = foundIn(finding);
	if (!found) return finding;
	const latestMs = loss.lostMs + LATE_MS + (loss.isFresh ? SKEW_MS : OWN_SKEW_MS);
	const isLate = client.time.now() - found.ageMs > latestMs;
	return isLate ? { kind: 'none', isProof: false } : { ...found, evidence: 'addressAndTime' };
}

/** Without a key, the service gives no answer back and lists none. */
export function withKey(operation: CallOperation, client: ServiceClient): CallOperation {
	const { recall, ...others } = operation;
	return recall && !client.isWithoutKey ? operation : others;
}

/** The request for the answer that the service keeps by an id; undefined where it keeps none. */
export function keptRequest({ recall }: CallOperation, id: string): ServiceRequest | undefined {
	return recall && { ...recall.request, path: recall.request.path.replace('{id}', id) };
}

/** That answer; undefined where there is none, or none yet. Never throws. */
export async function collectCall(
	operation: CallOperation,
	id: string,
	client: ServiceClient,
): Promise<JsonObject | undefined> {
	const request = keptRequest(operation, id);
	const received = request && (await client.receive(request, PATIENCE.collect).catch(failureOrThrow));
	return received && 'body' in received ? received.body : undefined;
}

/** What becomes of a call whose answer is lost. */
export function uncertainCall({ worstCase, isPaidOnceById }: CallOperation, sent: JsonObject): Thing {
	if (isPaidOnceById) return { ifUncertain: 'sendWithSameId' };
	return { ifUncertain: 'sendIfCheap', worstCase: worstCase?.(sent).credits ?? 0 };
}

/** A call as something that is sent once: what is said here is the same whoever remembers it. */
export function paidCall(
	operation: CallOperation,
	request: ServiceRequest,
	client: ServiceClient,
): Call & Pick<Paid, 'reads'> {
	const { recall, worstCase } = operation;
	const { idOf, kind } = recall ?? {};
	// Costs something, at once or from then on.
	const isPaid = worstCase !== undefined || recall !== undefined;
	return {
		request,
		reads: { ...(idOf && { idOf }), isLost: (failure) => isPaid && isAnswerLost(failure) },
		...(kind && {
			lists: {
				shownAs: { register: client.callRegister, start: underWay(kind, request.body ?? {}) },
				find: async (loss) => await findCall(operation, request, loss, client),
				collect: async (id) => await collectCall(operation, id, client),
			},
		}),
	};
}

/** The memory of one call until it has an answer, as plain JSON. Milliseconds since 1970. */
interface CallMemory {
	/** It may have been sent in this time, and its answer is lost. */
	startedAt?: number;
	lostAt?: number;
	/** n8n was killed in this time: it may as well not have been sent. */
	isKilled?: boolean;
}

/**
 * One call without an n8n node around it: `values` are what a panel would hold. What `memory` holds of an earlier try
 * is looked for first, and found is read instead of paid for again. Resolves with the json of its first item. Throws a
 * ServiceFailure, whose message is the one that an item would have.
 */
export async function callOnce(
	client: ServiceClient,
	given: CallOperation,
	values: JsonObject,
	memory: JsonObject = {},
): Promise<JsonObject> {
	const operation = withKey(given, client);
	const fields = readFields(operation.fields, (name, fallback) => values[name] ?? fallback);
	const body = withFurtherFormats(operation.fields, fields.body, fields.values);
	const request = requestOf(operation.request, { ...fields, body });
	const asked = { values: fields.values, sent: { ...fields.query, ...body }, request };
	const uncertain = uncertainCall(operation, asked.sent);
	const resultIn = (answer: JsonObject): JsonObject => {
		const result = { ...asked, body: answer, file: undefined, asText: false };
		const failed = operation.failureIn?.(result);
		if (failed)
			throw new ServiceFailure({ kind: 'http', mayHaveExecuted: true, message: withoutUsers(failed.message) });
		const drafts = answer.success === false ? undefined : operation.toItems(result);
		if (!drafts) throw failureOf(withoutResult(answer, client.baseUrl));
		return resultJson(drafts[0]?.json ?? {});
	};
	const failureOf = (failure: ServiceFailure, finding?: LostStartFinding, isKilled = false): ServiceFailure => {
		const isRepeated = finding && willBeSentAgain(uncertain, finding);
		const lost = finding && { message: lostCallText(operation, finding, { isKilled, isRepeated }) };
		const { kind, message } = failedCall(failure, operation, asked, lost);
		const { httpCode, mayHaveExecuted } = failure;
		const facts = { kind: kind === 'job' ? 'http' : kind, mayHaveExecuted, message: withoutUsers(message) } as const;
		return new ServiceFailure({ ...facts, ...(httpCode !== undefined && { httpCode }) });
	};

	const past = pastIn(memory as CallMemory);
	const paid: Paid = {
		...asPaid(paidCall(operation, request, client), client.stopSignal, client.time.now()),
		timeoutMs: operation.timeoutMs?.(asked.sent) ?? REQUEST_TIMEOUT_MS,
		journal: {
			lost: (loss) => {
				const lost: CallMemory = { ...spanOf(loss, client.time), isKilled: false };
				Object.assign(memory, lost);
			},
		},
		past,
		uncertain,
	};
	const sent = await orAborted(sendPaid(paid, client), client.stopSignal);
	if (!sent || client.stopped) throw executionStopped({ mayHaveExecuted: true });
	if (!('failure' in sent)) return resultIn(sent.answer);
	const { how, failure } = sent;
	if (how === 'failed') throw failureOf(failure);
	throw failureOf(failure, sent.finding ?? { kind: 'unknown' }, failure === past?.failure && past.by === 'kill');
}

/** What the memory of an earlier try says of its call. */
function pastIn({ startedAt, lostAt, isKilled = false }: CallMemory): Earlier | undefined {
	if (startedAt === undefined || lostAt === undefined) return undefined;
	const by = isKilled ? 'kill' : 'earlierTry';
	const open = { kind: 'open', by, isTraceable: true, isOfOther: () => false } as const;
	return { ...open, sinceMs: startedAt, lostAt, failure: notSentAgain(by) };
}
