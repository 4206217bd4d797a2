import type { IPairedItemData } from 'n8n-workflow';

import { failureOrThrow } from '../../../service/http/failure';
import type { SharedItem } from '../../../service/jobs/ledger';
import { shorten } from '../../../service/http/shortText';
import type { PageError } from '../../../service/results/pageErrors';
import type { JsonObject } from '../../../service/http/transport';
import type { ItemDraft, JobRecord } from '../../operation/operation';
import { isGivenOut } from '../changes/pageChanges';
import { byEntry } from '../jobs/joinItems';
import { count } from '../output/hintText';
import type { ItemFailure } from '../output/itemError';
import { itemsOfDrafts } from '../output/outputItem';
import type { PairedDraft } from '../output/outputItem';
import { matchUrls, type UrlMatch } from './matchUrls';
import { jobDraft } from './pageDrafts';
import type { JobPlan } from '../jobs/jobPlan';
import type { JobEnd, PagesWork, PagesReading } from './pagesWork';

/** The pages of a job that several items share: drafts and, in the same order, their addresses. */
export interface SharedPages extends JobEnd {
	drafts: ItemDraft[];
	urls: string[];
	/** Indices of those that do not say what they were asked for by: their address is where they ended. */
	endedAt: ReadonlySet<number>;
}

/** What came of an address that was sent, and the items that asked for it. */
interface SharedUrl {
	items: SharedItem[];
	match: UrlMatch;
}

/** What a job names as failed; `errors` is undefined where that is not known, and `unread` says why. */
interface ReadErrors {
	errors: PageError[] | undefined;
	unread?: string;
}

/**
 * Gives each item of a joined job the page of its own URL, or the reason why there is none. The list of what
 * failed comes first: of two addresses that hardly differ, the page is that of the one that did not fail.
 */
export async function distributePages(
	work: PagesWork,
	plan: JobPlan,
	record: JobRecord,
	pages: SharedPages,
): Promise<PagesReading> {
	const wanted = byEntry(plan.joined ?? []);
	const sent = wanted.map(([first]) => first?.entry ?? '');
	const read = await errorsOf(work, record, pages, sent);
	const errors = [...(read.errors ?? []), ...refusedUrls(pages.answer)];
	const { completed } = record.body;
	const matches = matchUrls(sent, {
		pages: pages.urls,
		errors: errors.map(({ url }) => url),
		endedAt: pages.endedAt,
		areAll:
			pages.isDone &&
			read.errors?.every(({ url }) => url !== '') === true &&
			!(typeof completed === 'number' && completed > pages.urls.length),
	});
	const urls = wanted.map((items, index) => ({ items, match: matches[index] ?? NO_MATCH }));
	const without = urls.filter(({ match }) => match.kind !== 'page');

	const paired = [
		...itsPages(urls, pages.drafts),
		...otherPages(urls, pages.drafts, plan.item),
	].filter(({ draft }) => isGivenOut(draft.json));
	if (!pages.isDone) {
		// The job is returned as it is: what is not there yet is no error, but must be seen to be missing.
		const { json } = jobDraft(work, record);
		for (const { item, entry } of without.flatMap(({ items }) => items)) {
			paired.push({ draft: { json: { url: entry, ...json } }, item });
		}
		if (pages.hasEnded) work.notes.noteFailures(read.errors);
		return { items: await itemsOfDrafts(work, paired), failures: [] };
	}
	const items = await itemsOfDrafts(work, paired);
	const failures = problemsOf(work, record, plan, without, { ...read, errors });
	const told = new Set(urls.map(({ match }) => (match.kind === 'error' ? match.index : -1)));
	const others = read.errors?.filter((_error, index) => !told.has(index));
	if (others || failures.length === 0) work.notes.noteFailures(others);
	return { items, failures };
}

const NO_MATCH: UrlMatch = { kind: 'none' };

/**
 * What the job has failed on. Where each address has a page of its own that is a courtesy; else it decides
 * what an item gets, and is asked for as often as any other read.
 */
async function errorsOf(
	{ errors: reader }: PagesWork,
	{ id }: JobRecord,
	{ isDone, hasEnded, urls }: SharedPages,
	sent: string[],
): Promise<ReadErrors> {
	if (!hasEnded) return { errors: undefined };
	const matches = matchUrls(sent, { pages: urls, errors: [], areAll: false });
	const isCourtesy = !isDone || matches.every(({ kind }) => kind === 'page');
	if (isCourtesy) return { errors: await reader.readOnce(id) };
	try {
		return { errors: await reader.read(id) };
	} catch (error) {
		const failure = failureOrThrow(error);
		if (failure.kind === 'aborted') throw failure;
		return { errors: undefined, unread: failure.message };
	}
}

function itsPages(urls: SharedUrl[], drafts: ItemDraft[]): PairedDraft[] {
	return urls.flatMap(({ items, match }) => {
		const draft = match.kind === 'page' ? drafts[match.index] : undefined;
		if (!draft) return [];
		// Items that share a page get an object of their own each, since later nodes may change it.
		return items.map(({ item }) => ({ draft: { ...draft, json: { ...draft.json } }, item }));
	});
}

/**
 * Pages that belong to nobody are not thrown away, for they were paid for: such a page goes with all items
 * whose it may be, else with the job's first.
 */
function otherPages(urls: SharedUrl[], drafts: ItemDraft[], firstItem: number): PairedDraft[] {
	const owners = new Map<number, IPairedItemData[]>();
	const taken = new Set<number>();
	for (const { items, match } of urls) {
		if (match.kind === 'page') taken.add(match.index);
		if (match.kind !== 'unclear') continue;
		const these = items.map(({ item }) => ({ item }));
		for (const page of match.pages) owners.set(page, [...(owners.get(page) ?? []), ...these]);
	}
	return drafts.flatMap((draft, index) => {
		if (taken.has(index)) return [];
		const pairedItem = owners.get(index);
		return [{ draft, item: pairedItem?.[0]?.item ?? firstItem, ...(pairedItem && { pairedItem }) }];
	});
}

function problemsOf(
	{ operation, collectWith }: PagesWork,
	{ id, state }: JobRecord,
	{ joined = [] }: JobPlan,
	without: SharedUrl[],
	{ errors = [], unread }: ReadErrors,
): ItemFailure[] {
	const { label } = operation.job;
	const items = without.flatMap(({ items: own, match }) => own.map((one) => ({ ...one, match })));
	const advice = `${items.length} of the ${joined.length} items of this job have no page. To get the pages of the others, set On Error in the node's settings to continue and retry: they are collected from the same job and not paid for again, also with ${collectWith ?? 'Get'} and the ID ${id}.`;
	const why = (match: UrlMatch): string => {
		const error = match.kind === 'error' ? errors[match.index] : undefined;
		if (error) return `${error.message} (${label} ${id})`;
		if (match.kind === 'unclear') {
			return `the ${label} ${id} has ${count(match.pages.length, 'page')} and ${count(match.errors.length, 'error')} for addresses that it writes in the same way, and does not say which is for this one.`;
		}
		const cause = unread === undefined ? '' : ` Its errors could not be read: ${unread}`;
		return `the ${label} ${id} is "${state}" and has neither a page nor an error for it.${cause}`;
	};
	return items
		.sort((left, right) => left.item - right.item)
		.map(({ item, entry, match }) => ({
			item,
			kind: 'job',
			title: `No page for ${shorten(entry, 120)}`,
			message: `No page for ${shorten(entry, 200)}: ${why(match)}`,
			jobId: id,
			state,
			advice,
		}));
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
