import type { SharedItem } from '../ledger/entries';
import { addressKey } from '../../../text/addressKey';
import type { StartJobOperation } from '../../operation/operation';
import type { JobPlan } from './jobPlan';

type JoinBy = NonNullable<StartJobOperation['joinBy']>;

/**
 * Makes one job of the items that ask for the same but for one entry of a list (`joinBy`), up to so many
 * entries a job. A URL that several items have is sent once. What is no such item stays as it is.
 * The same input gives the same jobs again, so that a retry finds them in the ledger.
 */
export function joinPlans(plans: JobPlan[], joinBy: JoinBy): JobPlan[] {
	const groups = new Map<string, JobPlan[]>();
	const others: JobPlan[] = [];
	for (const plan of plans) {
		if (entryOf(plan, joinBy) === undefined) others.push(plan);
		else {
			const likeness = likenessOf(plan, joinBy);
			const group = groups.get(likeness);
			if (group) group.push(plan);
			else groups.set(likeness, [plan]);
		}
	}
	const joined = [...groups.values()].flatMap((group) => joinGroup(group, joinBy));
	return [...others, ...joined].sort((left, right) => left.item - right.item);
}

function entryOf(plan: JobPlan, { property }: JoinBy): string | undefined {
	const entry = plan.start?.body?.[property];
	return typeof entry === 'string' ? entry : undefined;
}

/** Equal for plans that differ in nothing but item and entry. */
function likenessOf(plan: JobPlan, { property }: JoinBy): string {
	const others = { ...plan, item: null, sent: null, start: null };
	return JSON.stringify([others, { ...plan.start?.body, [property]: null }]);
}

function joinGroup(group: JobPlan[], joinBy: JoinBy): JobPlan[] {
	const sameEntry = byEntry(group.map((plan) => ({ item: plan.item, entry: entryOf(plan, joinBy) ?? '' })));
	const [first] = group;
	const jobs: JobPlan[] = [];
	for (let from = 0; first && from < sameEntry.length; from += joinBy.mostInOneJob) {
		const part = sameEntry.slice(from, from + joinBy.mostInOneJob);
		jobs.push(sharedPlan(first, part.flat(), joinBy));
	}
	return jobs;
}

/** The plan of a job that these items share, with the settings of the plan of one of them. */
export function sharedPlan(plan: JobPlan, items: readonly SharedItem[], { property }: JoinBy): JobPlan {
	if (!plan.start) return plan;
	const joined = [...items].sort((left, right) => left.item - right.item);
	const list = byEntry(joined).flatMap(([item]) => (item ? [item.entry] : []));
	const body = { ...plan.start.body, [property]: list };
	const item = joined[0]?.item ?? plan.item;
	return { ...plan, item, joined, sent: body, start: { ...plan.start, body } };
}

/** The items that mean the same page, together: what the first of them has is sent for all. */
export function byEntry(items: readonly SharedItem[]): SharedItem[][] {
	const sameEntry = new Map<string, SharedItem[]>();
	for (const one of items) {
		const same = addressKey(one.entry);
		const others = sameEntry.get(same);
		if (others) others.push(one);
		else sameEntry.set(same, [one]);
	}
	return [...sameEntry.values()];
}
