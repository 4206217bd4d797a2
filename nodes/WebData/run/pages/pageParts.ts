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
 * undefined where the job is not read in parts. A job that still runs may have more pages later.
 */
export function nextPageOf(
	{ firstPage, mostPages = Infinity }: JobPlan,
	{ body: { completed } }: JobRecord,
	{ hasEnded }: JobEnd,
	{ pages, lastNumber }: PageSum,
): number | null | undefined {
	if (firstPage === undefined) return undefined;
	const next = (lastNumber ?? firstPage - 1) + 1;
	if (!hasEnded) return next;
	if (pages < mostPages) return null;
	return typeof completed === 'number' && next > completed ? null : next;
}

/** The item, with the beginning of the next part in it where there is such a thing to say. */
export function withNextPage<T extends Pick<ItemDraft, 'json'>>(
	item: T,
	nextPage: number | null | undefined,
): T {
	return nextPage === undefined ? item : { ...item, json: { ...item.json, nextPage } };
}
