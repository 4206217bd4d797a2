import { asFailure } from '../../../service/http/failure';
import type { SharedItem } from '../../../service/jobs/ledger';
import { shorten } from '../../../service/http/shortText';
import type { PageError } from '../../../service/results/pageErrors';
import type { JsonObject } from '../../../service/http/transport';
import type { ItemDraft, JobRecord } from '../../operation/operation';
import type { ItemFailure } from '../output/itemError';
import { itemsOfDrafts } from '../output/outputItem';
import type { PairedDraft } from '../output/outputItem';
import { matchUrls } from './matchUrls';
import { jobDraft } from './pageDrafts';
import type { JobPlan } from '../jobs/jobPlan';
import type { JobEnd, PagesWork, PagesReading } from './pagesWork';

/** The pages of a job that several items share: drafts and, in the same order, their addresses. */
export interface SharedPages extends JobEnd {
	drafts: ItemDraft[];
	urls: string[];
}

/**
 * Gives each item of a joined job the page of its own URL, or the reason why there is none. A page that
 * belongs to nobody is not thrown away, for it was paid for: it goes with the job's first item.
 */
export async function distributePages(
	work: PagesWork,
	plan: JobPlan,
	record: JobRecord,
	{ drafts, urls, isDone, hasEnded, answer }: SharedPages,
): Promise<PagesReading> {
	const joined = plan.joined ?? [];
	const entries = [...new Set(joined.map(({ entry }) => entry))];
	const matches = matchUrls(entries, urls);
	const pageOf = new Map(entries.map((entry, index) => [entry, matches[index]]));

	const paired: PairedDraft[] = [];
	const without: SharedItem[] = [];
	for (const { item, entry } of joined) {
		const draft = drafts[pageOf.get(entry) ?? -1];
		if (!draft) {
			without.push({ item, entry });
			continue;
		}
		// Items that share a page get an object of their own each, since later nodes may change it.
		paired.push({ draft: { ...draft, json: { ...draft.json } }, item });
	}
	const taken = new Set(matches);
	for (const draft of drafts.filter((_draft, index) => !taken.has(index))) {
		paired.push({ draft, item: plan.item });
	}
	if (!isDone) {
		// The job is put out as it is: what is not there yet is no error, but must be seen to be missing.
		const { json } = jobDraft(work, record);
		for (const { item, entry } of without) {
			paired.push({ draft: { json: { url: entry, ...json } }, item });
		}
		if (hasEnded) work.notes.noteFailures(await work.errors.readOnce(record.id));
		return { items: await itemsOfDrafts(work, paired), failures: [] };
	}
	const items = await itemsOfDrafts(work, paired);
	if (without.length > 0) {
		return { items, failures: await problemsOf(work, without, record, answer, joined.length) };
	}
	work.notes.noteFailures(await work.errors.readOnce(record.id));
	return { items, failures: [] };
}

async function problemsOf(
	{ errors: reader, operation, collectWith }: PagesWork,
	without: SharedItem[],
	{ id, state }: JobRecord,
	answer: JsonObject,
	count: number,
): Promise<ItemFailure[]> {
	const { label } = operation.job;
	let unknown = `the ${label} ${id} is "${state}" and has neither a page nor an error for it.`;
	const errors = await reader.read(id).catch((error: unknown) => {
		const failure = asFailure(error);
		if (failure.kind === 'aborted') throw failure;
		unknown += ` Its errors could not be read: ${failure.message}`;
		return [];
	});
	const known = [...errors, ...refusedUrls(answer)];
	const entries = without.map(({ entry }) => entry);
	const matches = matchUrls(
		entries,
		known.map(({ url }) => url),
	);
	const advice = `${without.length} of the ${count} items of this job have no page. To get the pages of the others, set On Error in the node's settings to continue and retry: they are collected from the same job and not paid for again, also with ${collectWith ?? 'Get'} and the ID ${id}.`;
	return without.map(({ item, entry }, index) => {
		const error = known[matches[index] ?? -1];
		const why = error ? `${error.message} (${label} ${id})` : unknown;
		return {
			item,
			kind: 'job',
			title: `No page for ${shorten(entry, 120)}`,
			message: `No page for ${shorten(entry, 200)}: ${why}`,
			jobId: id,
			state,
			advice,
		};
	});
}

/** URLs that the service left out when the job was started. */
function refusedUrls({ invalidURLs }: JsonObject): PageError[] {
	const urls = Array.isArray(invalidURLs) ? invalidURLs : [];
	return urls
		.filter((url): url is string => typeof url === 'string')
		.map((url) => ({
			url,
			cause: 'failed',
			code: '',
			message: 'The service does not accept this URL.',
			timestamp: null,
			id: null,
		}));
}
