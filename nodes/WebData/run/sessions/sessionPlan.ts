import { failureOrThrow } from '../../../service/http/failure';
import { isJsonObject } from '../../../service/http/answer';
import type { JsonObject, ServiceRequest } from '../../../service/http/transport';
import { maxCreditsOf } from '../../cost/creditCap';
import type { RunContext } from '../connection/runContext';
import type { Charge, CreditAccount } from '../jobs/creditAccount';
import type { SessionOperation, SessionStep } from '../../operation/operation';
import { requestOf } from '../input/requestOf';
import { readItem } from '../input/parameters';
import type { ItemFailure } from '../output/itemError';

const DEFAULT_SESSIONS_AT_ONCE = 5;
const DEFAULT_MAX_WAIT_SECONDS = 600;

/** What is to be done for one input item. */
export interface SessionPlan {
	item: number;
	/** Opens the session. */
	open: ServiceRequest;
	/** Its body. */
	sent: JsonObject;
	steps: SessionStep[];
	/** Most sessions of the run that are open side by side. */
	atOnce: number;
	/** Longest wait for a free browser, in milliseconds. */
	maxWaitMs: number;
	maxCredits: number | undefined;
}

export interface PlannedSessions {
	plans: SessionPlan[];
	failures: ItemFailure[];
	/** What Max Credits does not hold for. */
	notCounted: string | undefined;
}

/** Reads and checks the parameters of all items, and Max Credits over them. Sends nothing. */
export function planSessions(
	ctx: RunContext,
	operation: SessionOperation,
	account: CreditAccount,
): PlannedSessions {
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
	const { tooMuch, notCounted } = account.admit(
		plans.map(sessionCharge),
		plans.map(({ maxCredits }) => maxCredits),
	);
	if (tooMuch === undefined) return { plans, failures, notCounted };
	const refused = plans.map(({ item }): ItemFailure => ({
		item,
		kind: 'badInput',
		message: tooMuch,
	}));
	return { plans: [], failures: [...failures, ...refused], notCounted };
}

/** What the session of a plan is counted by against Max Credits. */
export function sessionCharge(plan: SessionPlan): Charge {
	const { item, sent, maxCredits } = plan;
	return { by: plan, item, items: 1, sent, maxCredits };
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
