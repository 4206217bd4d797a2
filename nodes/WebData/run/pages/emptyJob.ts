import { failureOrThrow } from '../../../service/http/failure';
import { shorten } from '../../../service/http/shortText';
import type { PageError } from '../../../service/results/pageErrors';
import { readWarnings } from '../../../service/results/warnings';
import type { JobRecord } from '../../operation/operation';
import { itemsOfDrafts } from '../output/outputItem';
import { Named } from '../output/hintText';
import { pageErrorText } from '../output/runNotes';
import { itemsOf } from '../jobs/jobPlan';
import type { JobPlan } from '../jobs/jobPlan';
import { failedPageDrafts } from './pageDrafts';
import type { PagesReading, PagesWork } from './pagesWork';

/**
 * What becomes of a job that ended well without a page: its failed pages where they are wanted as items,
 * else an error of its item that tells why, since nothing would say nothing. Throws only when the
 * execution was stopped.
 */
export async function emptyJob(
	work: PagesWork,
	plan: JobPlan,
	record: JobRecord,
): Promise<PagesReading> {
	const { errors: reader, notes, operation } = work;
	const { item } = plan;
	const { id, state } = record;
	const read = await reader.read(id).catch((error: unknown) => {
		const failure = failureOrThrow(error);
		if (failure.kind === 'aborted') throw failure;
		return undefined;
	});
	const errors = read ?? [];
	const drafts = failedPageDrafts(work, plan, record, errors);
	if (drafts.length > 0) {
		notes.noteFailures(errors);
		const items = await itemsOfDrafts(
			work,
			drafts.map((draft) => ({ draft, item })),
		);
		return { items, failures: [], pages: 0 };
	}
	const message = emptyText(operation.job.label, record, errors);
	const title = `The ${operation.job.label} found no page`;
	const failures = itemsOf(plan).map((failed) => {
		return { item: failed, kind: 'job' as const, title, message, jobId: id, state, hasEnded: true };
	});
	const isUnpaid = countedIn(record) === 0;
	return { items: new Map(), failures, pages: 0, isEmpty: true, isUnpaid };
}

/** Why a job has no page: what failed, and what the service remarks. */
function emptyText(label: string, record: JobRecord, errors: PageError[]): string {
	const { id, sent, body } = record;
	const of = typeof sent?.url === 'string' ? ` of ${shorten(sent.url, 200)}` : '';
	const reasons = new Named();
	for (const error of errors) reasons.add(() => pageErrorText(error));
	const why = reasons.size === 0 ? '' : `: ${reasons.text()}`;
	const [warning] = readWarnings(body);
	const remark = warning === undefined ? '' : ` The service says: ${warning.replace(/\.$/, '')}.`;
	const counted = countedIn(record);
	const although = counted > 0 ? `, although the service counts ${counted}` : '';
	return `The ${label} ${id}${of} ended without a page${although}${why}.${remark}`;
}

/** How many pages the service counts. */
function countedIn({ body: { completed } }: JobRecord): number {
	return typeof completed === 'number' ? completed : 0;
}
