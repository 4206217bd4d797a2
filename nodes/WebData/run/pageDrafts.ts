import type { JsonObject } from '../../service/transport';
import type { ItemDraft, JobRecord } from '../resources/operation';
import type { JobPlan } from './jobPlan';
import { isToolCall } from './parameters';
import type { PagesWork } from './readPages';

/** A page of a job as an item. */
export function pageDraft(
	{ ctx, result }: PagesWork,
	{ storedFiles: stored }: JobPlan,
	record: JobRecord,
	page: JsonObject,
): ItemDraft {
	return result.toPageItem(page, record, { stored, asText: isToolCall(ctx) });
}

/** The job as an item; without `pages` its state alone. */
export function jobDraft(
	{ ctx, result }: PagesWork,
	record: JobRecord,
	pages?: JsonObject[],
): ItemDraft {
	return result.toJobItem(record, pages, isToolCall(ctx));
}
