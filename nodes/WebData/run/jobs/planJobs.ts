import type { StartJobOperation } from '../../operation/operation';
import { processClock } from '../connection/processClock';
import type { RunContext } from '../connection/runContext';
import type { CreditAccount } from '../ledger/creditAccount';
import { planItem } from './planJob';
import { joinPlans, sharedPlan } from './joinItems';
import type { ItemFailure } from '../output/itemError';
import { knownJobOf } from '../ledger/ledger';
import type { Ledger } from '../ledger/ledger';
import { chargeOf, itemsOf } from './jobPlan';
import type { JobOperation, JobPlan, Planned } from './jobPlan';
import { cutOffByCrash, unclearBefore } from './unclearStart';

/**
 * Plans the jobs of all input items. Nothing is sent here: bad input of any item is known before the first
 * job is paid for.
 */
export function planItems(ctx: RunContext, operation: JobOperation, ledger: Ledger): Planned {
	const alone: Planned = { plans: [], failures: [] };
	for (let item = 0; item < ctx.getInputData().length; item++) {
		const planned = planItem(ctx, operation, item);
		if ('itemFailure' in planned) alone.failures.push(planned.itemFailure);
		else alone.plans.push(planned.plan);
	}
	const joinBy = operation.kind === 'startJob' ? operation.joinBy : undefined;
	return joinBy ? join(alone, joinBy, ledger) : alone;
}

/** Takes up the jobs that an earlier try has started, and keeps what is left to start to Max Credits. */
export function takeUpJobs(
	{ plans, failures }: Planned,
	operation: JobOperation,
	ledger: Ledger,
	account: CreditAccount,
): Planned {
	const attached = plans.map((plan) => attach(plan, ledger));
	const named = failures.map((itemFailure) => withItsJob(itemFailure, operation, ledger));
	return keepToCap({ plans: attached, failures: named }, ledger, account);
}

/**
 * Takes out all starts when together, and with what is counted already, they may cost more than the user
 * allows. Jobs that an earlier try has started are reused all the same: they are paid for.
 */
function keepToCap({ plans, failures }: Planned, { startedIds }: Ledger, account: CreditAccount): Planned {
	// A start of an earlier try with an unclear end is counted already.
	const starts = plans.filter(({ start, known, lost, afterCrash }) => start && !known && (!lost || afterCrash));
	const caps = plans.map(({ maxCredits }) => maxCredits);
	const { tooMuch, notCounted } = account.admit(starts.map(chargeOf), caps, startedIds);
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

/** An expression may be empty this time that was not when the item's job was started: nobody loses that. */
function withItsJob(itemFailure: ItemFailure, { job: { label } }: JobOperation, ledger: Ledger): ItemFailure {
	const { id, collectWith } = ledger.startedFor(itemFailure.item) ?? {};
	if (id === undefined) return itemFailure;
	const message = `${itemFailure.message.replace(/ Nothing was sent\.$/, '')} Its ${label} ${id} was started before: ${collectWith} collects it.`;
	return { ...itemFailure, jobId: id, message };
}

/**
 * Joins the items that can share a job. Those that share one since an earlier try, before anything was edited,
 * do so again, with what was sent for them then: where an expression differs each time, other items might
 * be alike this time, and their pages would be looked for at other addresses.
 */
function join({ plans, failures }: Planned, joinBy: NonNullable<StartJobOperation['joinBy']>, ledger: Ledger): Planned {
	const again: JobPlan[] = [];
	const taken = new Set<number>();
	for (const { shared = [] } of ledger.sharedBefore) {
		const items = new Set(shared.map(({ item }) => item));
		const settings = plans.find(({ item }) => items.has(item));
		if (!settings || shared.some(({ item }) => taken.has(item))) continue;
		again.push(sharedPlan(settings, shared, joinBy));
		for (const item of items) taken.add(item);
	}
	const others = plans.filter(({ item }) => !taken.has(item));
	return {
		plans: [...again, ...joinPlans(others, joinBy)].sort((left, right) => left.item - right.item),
		failures: failures.filter(({ item }) => !taken.has(item)),
	};
}

/** Looks the job of a start up in the ledger, to take it up instead of starting and paying again. */
function attach(plan: JobPlan, ledger: Ledger): JobPlan {
	const { kind, start, item } = plan;
	if (!start) return plan;
	const key = ledger.keyOf({ item, start });
	const entry = ledger.find({ item, start });
	if (!entry && ledger.isIncomplete) {
		return { ...plan, key, afterCrash: true, lost: cutOffByCrash(kind, ledger.crashedSinceMs) };
	}
	if (!entry) return { ...plan, key };
	if (entry.id === undefined) return { ...plan, key, lost: unclearBefore(entry) };
	const known = knownJobOf(entry.id, entry, processClock.wallClock());
	const { started } = entry;
	if (!started) return { ...plan, key, known };
	// What comes out is what was asked for then, not what the expressions would ask for now.
	const asked = Object.fromEntries(Object.entries(started).filter(([name]) => name !== 'id'));
	return { ...plan, key, known, started, sent: { ...plan.sent, ...asked } };
}
