import type { Slice } from '../../../service/results/slices';
import type { ItemDraft, JobRecord } from '../../operation/operation';
import type { JobPlan } from '../jobs/jobPlan';
import { pageDraft } from './pageDrafts';
import type { PageSum } from './pageSum';
import type { JobEnd, PagesWork } from './pagesWork';

/** The pages of a slice as items; where a job is read in parts, each says which of its pages it is. */
export function numberedDrafts(
	work: PagesWork,
	plan: JobPlan,
	record: JobRecord,
	{ pages, numbers }: Slice,
): ItemDraft[] {
	const drafts = pages.map((page) => pageDraft(work, plan, record, page));
	if (plan.firstPage === undefined) return drafts;
	return drafts.map((draft, index) => ({
		...draft,
		json: { ...draft.json, pageNumber: numbers[index] },
	}));
}

/** True where a job is read from a later page on. */
export function isLaterPart({ firstPage = 1 }: JobPlan): boolean {
	return firstPage > 1;
}

/**
 * Where the part after this one begins, counted from 1; null after the last page of an ended job, and
 * undefined where the job is not read in parts. A job that still runs may have more pages later. One that
 * has ended is gone through up to the last page that it has, and up to the last that the service counts,
 * also where a reading breaks off before; where there is no page at all, there are none behind it.
 */
export function nextPageOf(
	{ firstPage }: JobPlan,
	{ body: { completed } }: JobRecord,
	{ hasEnded }: JobEnd,
	{ pages, reached, hasMore }: PageSum,
): number | null | undefined {
	if (firstPage === undefined) return undefined;
	const next = (reached ?? firstPage - 1) + 1;
	if (!hasEnded) return next;
	if (pages === 0) return null;
	const isCounted = typeof completed === 'number' && next <= completed;
	return isCounted || hasMore ? next : null;
}

/**
 * How many of the places that a part went over have no page; with the last part, those behind it up to
 * the last page that the service counts.
 */
export function missingOfPart(
	{ firstPage = 1 }: JobPlan,
	{ body: { completed } }: JobRecord,
	{ pages, reached }: PageSum,
	nextPage: number | null,
): number {
	const before = firstPage - 1;
	const counted = nextPage === null && typeof completed === 'number' ? completed : 0;
	return Math.max(0, Math.max(counted, reached ?? before) - before - pages);
}

/**
 * What a job cost by what its pages say; undefined where this reading had not all of them: a part of the
 * pages tells the price of that part only.
 */
export function creditsOfAll(
	plan: JobPlan,
	{ body: { completed } }: JobRecord,
	{ hasEnded }: JobEnd,
	{ pages, credits }: PageSum,
	nextPage: number | null | undefined,
): number | undefined {
	const isCut = typeof nextPage === 'number' || pages >= (plan.mostPages ?? Infinity);
	const isChosen = Object.keys(plan.pagesQuery ?? {}).length > 0;
	const isPart = isChosen || isLaterPart(plan) || (isCut && nextPage !== null);
	const isLacking = typeof completed === 'number' && pages < completed;
	return hasEnded && !isPart && !isLacking ? credits : undefined;
}

/** The item, with the beginning of the next part in it where there is such a thing to say. */
export function withNextPage<T extends Pick<ItemDraft, 'json'>>(
	item: T,
	nextPage: number | null | undefined,
): T {
	return nextPage === undefined ? item : { ...item, json: { ...item.json, nextPage } };
}
