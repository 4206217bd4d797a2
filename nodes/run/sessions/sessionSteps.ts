import { maxCreditsOf } from '../../cost/creditCap';
import type { SessionOperation, SessionStep, SessionStory } from '../../operation/operation';
import { isJsonObject } from '../../service/http/answer';
import { ServiceFailure, executionStopped, failureOrThrow } from '../../service/http/failure';
import { POLICIES, SHOWN_WITHIN_MS } from '../../service/http/retry';
import type { JsonObject } from '../../service/http/transport';
import { closeSession } from '../../service/sessions';
import type { Closing } from '../../service/sessions';
import type { RunContext } from '../connection/runContext';
import { atStep, closedText, openingFailed } from '../errors/sessionErrors';
import { readItem, requestOf } from '../input/readFields';
import { keepToCap, overCapText } from '../ledger/creditAccount';
import type { CreditAccount } from '../ledger/creditAccount';
import type { ItemFailure } from '../output/itemError';
import { runCalls } from '../paid/runCalls';
import { sendPaid } from '../paid/sendPaid';
import { sessionCharge } from './sessionRecords';
import type { Session, SessionPlan, SessionRun } from './sessionRecords';

/**
 * Does one step after the other in an open session. Adds the answers as they come. Undefined when all went
 * well. Throws no ServiceFailure.
 */
async function doSteps(
	id: string,
	steps: SessionStep[],
	answers: JsonObject[],
	run: SessionRun,
): Promise<Omit<ItemFailure, 'item'> | 'left' | undefined> {
	const { operation, abandoned } = run;
	for (const [index, step] of steps.entries()) {
		const answer = await doStep(id, step, run);
		if (abandoned.aborted) return 'left';
		const failed = failureOf(answer, step, id, operation);
		if (failed) {
			const done = answers.map((one) => operation.steps?.toOutput(one) ?? {});
			const { details } = failed;
			return {
				...failed,
				...atStep(index, steps.length, { title: failed.title ?? '', message: failed.message }),
				details: {
					sessionId: id,
					...(steps.length > 1 && { step: index + 1, stepsBefore: done }),
					...details,
				},
			};
		}
		if (!(answer instanceof ServiceFailure)) answers.push(answer);
	}
	return undefined;
}

function failureOf(
	answer: JsonObject | ServiceFailure,
	step: SessionStep,
	id: string,
	{ steps }: SessionOperation,
): Omit<ItemFailure, 'item'> | undefined {
	if (answer instanceof ServiceFailure) {
		const { kind, httpCode, message } = answer;
		const explained = steps?.explain(answer, id) ?? { title: 'The step has no result', message };
		return { kind, httpCode, ...explained };
	}
	const failed = steps?.failureIn(answer, step, id);
	if (failed) return { kind: 'job', ...failed };
	if (steps?.toOutput(answer)) return undefined;
	return {
		kind: 'notJson',
		title: 'The service answered without a result',
		message: `The service answered without a result of the code, in session ${id}.`,
	};
}

/** A step is sent again while machines of the service do not know its session yet. */
const STEP = { ...POLICIES.call, deniedMs: SHOWN_WITHIN_MS };

/**
 * One request, when it is its turn among all of the credential, and again while machines of the service do not
 * know the session yet. Ends when nothing more is wanted.
 */
async function doStep(
	id: string,
	step: SessionStep,
	{ client, operation, abandoned }: SessionRun,
): Promise<JsonObject | ServiceFailure> {
	const { request: line = operation.request } = operation.steps ?? {};
	const request = requestOf(line, {
		values: { sessionId: id },
		body: step.body,
		query: {},
	});
	let result: JsonObject | ServiceFailure = executionStopped({ mayHaveExecuted: true });
	await runCalls(
		[{ request, timeoutMs: step.timeoutMs, policy: STEP }],
		{
			answered: (_index, body) => void (result = body),
			failed: (_index, failure) => {
				result = failure;
				return true;
			},
			over: abandoned,
		},
		client,
	).catch((error: unknown) => void (result = failureOrThrow(error)));
	return result;
}

/** `left`: nothing more was wanted before it came to its end. */
type SessionOutcome =
	{ kind: 'done'; story: SessionStory } | { kind: 'failed'; failure: Omit<ItemFailure, 'item'> } | { kind: 'left' };

/** Opens a session, does what is to be done in it, closes it, whatever happens. Throws no ServiceFailure. */
export async function liveSession(session: Session, run: SessionRun): Promise<SessionOutcome> {
	const { plan } = session;
	const { steps, idleSeconds } = run.operation;
	const opening = await openSession(session, run);
	if (opening.kind !== 'open') return opening;
	const { id, opened } = opening;
	const story = { id, opened, answers: [], steps: plan.steps, closed: undefined };
	if (!steps) return { kind: 'done', story };
	const answers: JsonObject[] = [];
	const failed = await doSteps(id, plan.steps, answers, run);
	const closing = await closeOnce(session, run);
	if (failed === 'left') return { kind: 'left' };
	if (failed) {
		const text = closedText(id, closing, idleSeconds(plan.sent));
		return { kind: 'failed', failure: { ...failed, message: `${failed.message.trimEnd()} ${text}` } };
	}
	const closed = closing?.kind === 'closed' ? closing.answer : undefined;
	return { kind: 'done', story: { ...story, answers, closed } };
}

/**
 * Opens it when it is its turn and the plan has room. Where the answer is lost, another one is opened, once: the
 * first cannot be told from those of other people, so nobody looks for it, and failing would not make it cheaper.
 * Nothing is done in it, so that it ends by itself when its idle limit is over.
 */
async function openSession(
	session: Session,
	run: SessionRun,
): Promise<SessionOutcome | { kind: 'open'; id: string; opened: JsonObject }> {
	const { client, abandoned: over, account, totals, operation, records } = run;
	const { sent, open: request, maxWaitMs: standstillMs } = session.plan;
	let isOverCap = false;
	let isSecond = false;
	const opening = await sendPaid(
		{
			request,
			laneOf: 'starts',
			over,
			sinceMs: client.time.now(),
			standstillMs,
			policy: POLICIES.start,
			onStop: 'finish',
			reads: { idOf: ({ id }) => id, isLost: ({ mayHaveExecuted }) => mayHaveExecuted },
			journal: {
				sending: () => records.sending(session),
				refused: () => records.refused(session),
				started: (id = '') => {
					records.opened(session, id);
					client.register.own(id, client.time.now());
				},
				lost: () => records.unconfirmed(session),
				repeated: () => (isSecond = true),
			},
			uncertain: {
				ifUncertain: 'sendOnceMore',
				refuses: () => (isOverCap = account.refusal(sessionCharge(session.plan)) !== undefined),
			},
		},
		client,
	);
	if (opening.how !== 'failed' && opening.how !== 'unconfirmed') {
		if (isSecond) totals.replaced += 1;
		session.lease = opening.lease;
		return { kind: 'open', id: opening.id ?? '', opened: opening.answer };
	}
	const { failure } = opening;
	if (over.aborted && opening.how === 'failed' && !failure.mayHaveExecuted) return { kind: 'left' };
	const explained = operation.explain?.(failure);
	return { kind: 'failed', failure: openingFailed(failure, explained, isOverCap, operation.idleSeconds(sent)) };
}

/** Closes it, once, when it is open. What an opening on its way brings is closed when it is there. */
export async function closeOnce(session: Session, run: SessionRun): Promise<Closing | undefined> {
	const { id } = session;
	if (id === undefined) return undefined;
	session.closing ??= closeOpen(session, id, run);
	return await session.closing;
}

async function closeOpen(session: Session, id: string, run: SessionRun): Promise<Closing> {
	const { client, totals, account, operation, records } = run;
	const closing = await closeSession(id, client);
	session.lease?.end(closing.kind === 'closed' ? 'ended' : 'unwatched');
	if (closing.kind === 'closed') {
		totals.noteClosed(id, closing.answer);
		account.settle(session.plan, operation.usage(closing.answer).credits);
		records.forget(session);
	} else {
		totals.openIds.push(id);
	}
	return closing;
}

const DEFAULT_SESSIONS_AT_ONCE = 5;
const DEFAULT_MAX_WAIT_SECONDS = 600;

interface PlannedSessions {
	plans: SessionPlan[];
	failures: ItemFailure[];
	/** Costs that Max Credits does not hold for. */
	notCounted: string | undefined;
}

/** Reads and checks the parameters of all items, and Max Credits over them. Sends nothing. */
export function planSessions(ctx: RunContext, operation: SessionOperation, account: CreditAccount): PlannedSessions {
	const { plans, failures } = readSessions(ctx, operation);
	const { refused, tooMuch: message, notCounted } = keepToCap(plans.map(sessionCharge), account);
	const reasons = plans
		.filter((plan) => refused.has(plan))
		.map(({ item }, at): ItemFailure => ({ item, kind: 'badInput', message: overCapText(message, at) }));
	return { plans: plans.filter((plan) => !refused.has(plan)), failures: [...failures, ...reasons], notCounted };
}

/** Reads and checks the sessions of all input items. Sends nothing. */
export function readSessions(
	ctx: RunContext,
	operation: SessionOperation,
): { plans: SessionPlan[]; failures: ItemFailure[] } {
	const plans: SessionPlan[] = [];
	const failures: ItemFailure[] = [];
	for (let item = 0; item < ctx.getInputData().length; item++) {
		try {
			plans.push(planSession(ctx, operation, item));
		} catch (error) {
			const { kind, message } = failureOrThrow(error);
			failures.push({ item, kind, message });
		}
	}
	return { plans, failures };
}

function planSession(ctx: RunContext, operation: SessionOperation, item: number): SessionPlan {
	const fields = readItem(ctx, operation.fields, item);
	const { values, body: sent } = fields;
	const options = isJsonObject(values.options) ? values.options : {};
	return {
		item,
		open: requestOf(operation.request, fields),
		sent,
		steps: operation.steps?.of(values) ?? [],
		atOnce: Number(options.maxSessionsAtOnce ?? DEFAULT_SESSIONS_AT_ONCE),
		maxWaitMs: Number(options.maxWait ?? DEFAULT_MAX_WAIT_SECONDS) * 1000,
		maxCredits: maxCreditsOf(values),
	};
}
