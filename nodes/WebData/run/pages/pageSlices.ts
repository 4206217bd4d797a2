import { resultsRequest } from '../../../service/jobs/jobKinds';
import type { PageError } from '../../../service/results/pageErrors';
import { readSlices, type Slice } from '../../../service/results/slices';
import type { JobRecord } from '../../operation/operation';
import type { JobPlan } from '../jobs/jobPlan';
import { missingOfPart, nextPageOf } from './pageParts';
import type { PageSum } from './pageSum';
import type { JobEnd, PagesWork } from './pagesWork';

/** The pages of a job that are asked for, slice by slice. */
export function slicesOf(
	{ client, notes }: PagesWork,
	{ kind, mostPages: most, firstPage, pagesQuery }: JobPlan,
	{ id, body }: JobRecord,
	{ isDone, hasEnded }: JobEnd,
): AsyncGenerator<Slice> {
	const request = resultsRequest(kind, id);
	const asks = { ...kind.pagesQuery, ...pagesQuery };
	// A check asks for the pages as they are.
	const lastCheck = isChosen(pagesQuery) ? undefined : body;
	const { completed } = body;
	// A cancelled job names a next slice for ever (recording crawl-22).
	const onBrokenOff = isDone ? () => notes.noteBrokenOff(`${kind.label} ${id}`) : undefined;
	return readSlices({
		client,
		request,
		at: kind.pagesAt,
		asks,
		lastCheck,
		most,
		skip: (firstPage ?? 1) - 1,
		looksBehind: hasEnded && firstPage !== undefined,
		// What a running job counts may come later.
		counted: hasEnded && lastCheck && typeof completed === 'number' ? completed : undefined,
		onBrokenOff,
	});
}

/** True where only some of a job's pages are asked for. */
function isChosen(pagesQuery: JobPlan['pagesQuery'] = {}): boolean {
	return Object.keys(pagesQuery).length > 0;
}

/** Which pages an ended job failed on, noted for the hint; undefined when that is not known. */
export async function failuresOf(
	{ errors, notes, operation: { job: kind } }: PagesWork,
	{ id }: JobRecord,
	{ hasEnded }: JobEnd,
): Promise<PageError[] | undefined> {
	if (!hasEnded || kind.errorsPath === undefined) return undefined;
	const failures = await errors.readOnce(id);
	notes.noteFailures(failures);
	return failures;
}

/** How the reading of a job, or of a part of it, has ended. */
export interface ReadingEnd {
	/** Where the next part begins (nextPageOf). */
	nextPage: number | null | undefined;
	/** Undefined where that is not known, or told with a later part. */
	failures: PageError[] | undefined;
}

/**
 * To be called when a job, or a part of it, has been read: notes the pages that are missing, and those that
 * the job failed on. These are told once, with the last part: while the job runs there may be more.
 */
export async function endOfReading(
	work: PagesWork,
	plan: JobPlan,
	record: JobRecord,
	end: JobEnd,
	sum: PageSum,
): Promise<ReadingEnd> {
	const nextPage = nextPageOf(plan, record, end, sum);
	const isLast = typeof nextPage !== 'number';
	const failures = isLast ? await failuresOf(work, record, end) : undefined;
	work.notes.noteMissing(missingOf(plan, record, sum, nextPage, failures));
	return { nextPage, failures };
}

/**
 * Pages that should be there but are neither there nor named as failed: of those the service counts, or
 * of the URLs it was given.
 */
function missingOf(
	plan: JobPlan,
	record: JobRecord,
	sum: PageSum,
	nextPage: number | null | undefined,
	failures: PageError[] = [],
): number {
	if (isChosen(plan.pagesQuery)) return 0;
	if (nextPage !== undefined) return missingOfPart(plan, record, sum, nextPage);
	if (plan.mostPages !== undefined) return 0;
	const { body, sent } = record;
	const read = sum.pages;
	const given = Array.isArray(sent?.urls) ? new Set(sent.urls).size : 0;
	const counted = typeof body.completed === 'number' ? body.completed : 0;
	return Math.max(0, given - failures.length - read, counted - read);
}
