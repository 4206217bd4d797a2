import { checkCap } from '../../cost/creditCap';
import type { AskedFor } from '../../cost/creditCap';
import type { ItemFailure } from '../output/itemError';
import { itemsOf } from './jobPlan';
import type { JobOperation, JobPlan } from './jobPlan';

/** Plans that may be sent, and items that have none. */
export interface Planned {
	plans: JobPlan[];
	failures: ItemFailure[];
	/** What Max Credits does not hold for. */
	notCounted?: string | undefined;
}

/**
 * Takes out all starts when together they may cost more than the user allows. Jobs that an earlier try
 * has started are taken up all the same: they are paid for.
 */
export function withinCap({ worstCase }: JobOperation, { plans, failures }: Planned): Planned {
	const starts = plans.filter(({ start, known }) => start && !known);
	const { tooMuch, notCounted } = checkCap(worstCase, starts.map(askedBy));
	if (tooMuch === undefined) {
		return { plans: withinCapAgain(worstCase, plans, starts), failures, notCounted };
	}
	const refused = new Set(starts);
	const reasons = starts.flatMap(itemsOf).map((item): ItemFailure => {
		return { item, kind: 'badInput', message: tooMuch };
	});
	return {
		plans: plans.filter((plan) => !refused.has(plan)),
		failures: [...failures, ...reasons],
		notCounted,
	};
}

/** A start with an unclear end is sent once more only where the user allows what both may cost. */
function withinCapAgain(
	worstCase: JobOperation['worstCase'],
	plans: JobPlan[],
	starts: JobPlan[],
): JobPlan[] {
	const again = new Set(starts.filter(({ startsAgain }) => startsAgain));
	const { tooMuch } = checkCap(worstCase, [...starts, ...again].map(askedBy));
	if (tooMuch === undefined) return plans;
	return plans.map((plan) =>
		again.has(plan) ? { ...plan, startsAgain: false, capBarsAgain: true } : plan,
	);
}

function askedBy(plan: JobPlan): AskedFor {
	const { item, sent = {}, maxCredits } = plan;
	return { item, items: itemsOf(plan).length, sent, maxCredits };
}
