import { checkCap, maxCreditsOf } from '../../cost/creditCap';
import type { CapCheck } from '../../cost/creditCap';
import type { CallOperation } from '../../operation/operation';
import type { PaidCalls } from './paidCalls';
import type { CallPlan } from './planCall';

/**
 * The plans that may be sent: all, or only those that are paid for already, when together the others may
 * cost more than the user allows.
 */
export function withinCap(
	{ worstCase }: CallOperation,
	plans: CallPlan[],
	paidCalls: PaidCalls,
): CapCheck & { plans: CallPlan[] } {
	if (plans.every(({ values }) => maxCreditsOf(values) === undefined)) {
		return { plans, tooMuch: undefined, notCounted: undefined };
	}
	const unpaid = new Set(plans.filter((plan) => !paidCalls.recall(plan)));
	const check = checkCap(
		worstCase,
		[...unpaid].map(({ item, sent, values }) => {
			return { item, items: 1, sent, maxCredits: maxCreditsOf(values) };
		}),
	);
	if (check.tooMuch === undefined) return { plans, ...check };
	return { plans: plans.filter((plan) => !unpaid.has(plan)), ...check };
}
