import type { StartJobOperation } from '../../operation/operation';
import type { JobPlan, JoinedItem } from './jobPlan';

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
	const { property, mostInOneJob } = joinBy;
	const sameEntry = new Map<string, JoinedItem[]>();
	for (const plan of group) {
		const entry = entryOf(plan, joinBy) ?? '';
		const same = URL.canParse(entry) ? new URL(entry).href : entry;
		const items = sameEntry.get(same) ?? [];
		items.push({ item: plan.item, entry });
		sameEntry.set(same, items);
	}
	const entries = [...sameEntry.values()];
	const [first] = group;
	const jobs: JobPlan[] = [];
	for (let from = 0; first?.start && from < entries.length; from += mostInOneJob) {
		const part = entries.slice(from, from + mostInOneJob);
		const joined = part.flat().sort((left, right) => left.item - right.item);
		const list = part.flatMap(([item]) => (item ? [item.entry] : []));
		const body = { ...first.start.body, [property]: list };
		const item = joined[0]?.item ?? first.item;
		jobs.push({ ...first, item, joined, sent: body, start: { ...first.start, body } });
	}
	return jobs;
}
