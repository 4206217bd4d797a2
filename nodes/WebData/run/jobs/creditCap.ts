import { checkCap } from '../../cost/creditCap';
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
	const { tooMuch, notCounted } = checkCap(
		worstCase,
		starts.map((plan) => {
			const { item, sent = {}, maxCredits } = plan;
			return { item, items: itemsOf(plan).length, sent, maxCredits };
		}),
	);
	if (tooMuch === undefined) return { plans, failures, notCounted };
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
