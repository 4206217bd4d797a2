import type { PageError } from '../../../service/results/pageErrors';
import type { JsonObject } from '../../../service/http/transport';
import type { ItemDraft, JobPages, JobRecord } from '../../operation/operation';
import type { PagesWork } from './pagesWork';
import type { JobPlan } from '../jobs/jobPlan';

/** A page of a job as an item, and what it lacks noted. */
export function pageDraft(
	{ result, asText, notes }: PagesWork,
	{ storedFiles: stored, choice }: JobPlan,
	record: JobRecord,
	page: JsonObject,
): ItemDraft {
	const detail = choice === 'fullPages' ? 'fullDocument' : 'simplified';
	const draft = result.toPageItem(page, record, { stored, detail, asText });
	notes.noteDraft(draft);
	return draft;
}

/** Pages that a job failed on as items, where they are wanted. */
export function failedPageDrafts(
	{ result }: PagesWork,
	{ failedPages, choice }: JobPlan,
	record: JobRecord,
	errors: PageError[] | undefined,
): ItemDraft[] {
	const arePages = choice === 'pages' || choice === 'fullPages';
	if (!failedPages || !arePages || !errors) return [];
	return errors.map((error) => result.toFailedPageItem(error, record));
}

/** The job as an item; without its pages the state alone. */
export function jobDraft(
	{ result, asText }: PagesWork,
	record: JobRecord,
	read: JobPages = {},
): ItemDraft {
	return result.toJobItem(record, read, asText);
}
