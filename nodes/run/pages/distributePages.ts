import type { ItemDraft, JobRecord } from '../../operation/operation';
import { failureOrThrow, shorten } from '../../service/http/failure';
import type { PageError } from '../../service/results/pageErrors';
import { pageKey, sameAddress } from '../../text/addresses';
import { isGivenOut } from '../changes/pageChanges';
import type { JobPlan } from '../job/jobPlan';
import { byEntry } from '../job/jobPlan';
import type { SharedItem } from '../ledger/entries';
import type { ItemFailure } from '../output/itemError';
import { itemsOfDrafts } from '../output/outputItem';
import type { PairedDraft } from '../output/outputItem';
import { noteFailures } from '../output/pageNotes';
import { jobDraft, refusedUrls } from './pageSlices';
import type { JobEnd, PagesReading, PagesWork } from './pagesWork';

/** The pages of a job that several items share: drafts and, in the same order, their addresses. */
interface SharedPages extends JobEnd {
	drafts: ItemDraft[];
	urls: string[];
	/** Indices of those that do not say what they were asked for by: their address is where they ended. */
	endedAt: ReadonlySet<number>;
}

/** The result for an address that was sent: an index in the list of pages or of errors, or nothing. */
type UrlMatch = { kind: 'page' | 'error'; index: number } | { kind: 'none'; maybe?: string[] };

/** The result for an address that was sent, and the items that asked for it. */
interface SharedUrl {
	items: SharedItem[];
	match: UrlMatch;
}

/** The failures that a job names; `errors` is undefined where that is not known, and `unread` says why. */
interface ReadErrors {
	errors: PageError[] | undefined;
	unread?: string;
}

/**
 * Gives each item of a joined job the page of its own URL, in whatever spelling, or the reason why there is none.
 */
export async function distributePages(
	work: PagesWork,
	plan: JobPlan,
	record: JobRecord,
	pages: SharedPages,
): Promise<PagesReading> {
	const wanted = byEntry(plan.shared ?? []);
	const sent = wanted.map(([first]) => first?.entry ?? '');
	for (const name of wanted.flatMap(otherFragments)) work.notes.add('fragments', { name });
	const read = await errorsOf(work, record, pages, sent);
	const errors = [...(read.errors ?? []), ...refusedUrls(pages.answer)];
	const matches = matchUrls(
		sent,
		pages,
		errors.map(({ url }) => url),
	);
	const urls = wanted.map((items, index) => ({ items, match: matches[index] ?? NO_MATCH }));
	const without = urls.filter(({ match }) => match.kind !== 'page');

	const paired = [...itsPages(urls, pages.drafts), ...otherPages(matches, pages.drafts, plan.item)].filter(
		({ draft }) => isGivenOut(draft.json),
	);
	if (!pages.isDone) {
		// The job is returned as it is: what is not there yet is no error, but must be seen to be missing.
		const { json } = jobDraft(work, record);
		for (const { item, entry } of without.flatMap(({ items }) => items)) {
			paired.push({ draft: { json: { url: entry, ...json } }, item });
		}
		if (pages.hasEnded) noteFailures(work.notes, read.errors);
		return { items: await itemsOfDrafts(work, paired), failures: [] };
	}
	const items = await itemsOfDrafts(work, paired);
	const failures = problemsOf(work, record, plan, without, { ...read, errors });
	const told = new Set(urls.map(({ match }) => (match.kind === 'error' ? match.index : -1)));
	const others = read.errors?.filter((_error, index) => !told.has(index));
	if (others || failures.length === 0) noteFailures(work.notes, others);
	return { items, failures };
}

/** Addresses of one page that a user has told apart by what stands behind `#`, but for the first. */
function otherFragments(items: readonly SharedItem[]): string[] {
	const fragmentOf = (entry: string) => entry.split('#', 2)[1] ?? '';
	const entries = [...new Set(items.map(({ entry }) => entry.trim()))];
	return entries.filter((entry) => fragmentOf(entry) !== fragmentOf(entries[0] ?? ''));
}

const NO_MATCH: UrlMatch = { kind: 'none' };

/**
 * The failures of the job. Where each address has a page of its own that is a courtesy; else it decides what an item
 * gets, and is asked for as often as any other read.
 */
async function errorsOf(
	{ errors: reader }: PagesWork,
	{ id }: JobRecord,
	pages: SharedPages,
	sent: string[],
): Promise<ReadErrors> {
	if (!pages.hasEnded) return { errors: undefined };
	const matches = matchUrls(sent, pages, []);
	const isCourtesy = !pages.isDone || matches.every(({ kind }) => kind === 'page');
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

/** Pages that belong to nobody are not thrown away, for they were paid for: such a page goes with the job's first item. */
function otherPages(matches: readonly UrlMatch[], drafts: ItemDraft[], firstItem: number): PairedDraft[] {
	const taken = new Set(matches.map((match) => (match.kind === 'page' ? match.index : -1)));
	return drafts.filter((_draft, index) => !taken.has(index)).map((draft) => ({ draft, item: firstItem }));
}

/**
 * The result for each URL that was sent: its page or its error. First those under the very address; then, for what is
 * left, the only one that is probably it, where the service writes the address in another spelling. An address that
 * failed has no page: one that names only where it ended was led there from another address.
 */
function matchUrls(sent: readonly string[], { urls, endedAt }: SharedPages, errors: readonly string[]): UrlMatch[] {
	const free = { page: new Set(urls.keys()), error: new Set(errors.keys()) };
	const foundBy = (keyOf: (url: string) => string) => {
		const pages = indicesBy(keyOf, urls, free.page);
		const failed = indicesBy(keyOf, errors, free.error);
		return (url: string) => {
			const key = keyOf(url);
			const error = failed.get(key) ?? [];
			const page = (pages.get(key) ?? []).filter((index) => error.length === 0 || !endedAt.has(index));
			return { page, error };
		};
	};
	const certain = foundBy(sameAddress);
	const matches = sent.map((url): UrlMatch => {
		const { page, error } = certain(url);
		if (page[0] !== undefined) return { kind: 'page', index: page[0] };
		return error[0] === undefined ? NO_MATCH : { kind: 'error', index: error[0] };
	});
	for (const match of matches) if (match.kind !== 'none') free[match.kind].delete(match.index);

	const probable = foundBy(pageKey);
	const left = indicesBy(pageKey, sent, new Set([...sent.keys()].filter((at) => matches[at] === NO_MATCH)));
	return sent.map((url, at): UrlMatch => {
		const match = matches[at] ?? NO_MATCH;
		if (match !== NO_MATCH) return match;
		const { page, error } = probable(url);
		const isOnly = left.get(pageKey(url))?.length === 1;
		if (isOnly && page.length === 1 && page[0] !== undefined) return { kind: 'page', index: page[0] };
		if (isOnly && page.length === 0 && error.length === 1 && error[0] !== undefined) {
			return { kind: 'error', index: error[0] };
		}
		const maybe = [...page.map((index) => urls[index] ?? ''), ...error.map((index) => errors[index] ?? '')];
		return maybe.length === 0 ? NO_MATCH : { kind: 'none', maybe };
	});
}

/** Indices of the addresses that are free, by their key. */
function indicesBy(
	keyOf: (url: string) => string,
	urls: readonly string[],
	free: ReadonlySet<number>,
): Map<string, number[]> {
	const indices = new Map<string, number[]>();
	urls.forEach((url, index) => {
		if (!free.has(index)) return;
		const key = keyOf(url);
		const known = indices.get(key);
		if (known) known.push(index);
		else indices.set(key, [index]);
	});
	return indices;
}

function problemsOf(
	{ operation, collectWith }: PagesWork,
	{ id, state }: JobRecord,
	{ shared = [] }: JobPlan,
	without: SharedUrl[],
	{ errors = [], unread }: ReadErrors,
): ItemFailure[] {
	const { label } = operation.job;
	const items = without.flatMap(({ items: own, match }) => own.map((one) => ({ ...one, match })));
	const advice = `${items.length} of the ${shared.length} items of this job ${items.length === 1 ? 'has' : 'have'} no page. To get the pages of the others, set On Error in the node's settings to continue and retry: they are collected from the same job and not paid for again, also with ${collectWith ?? 'Get'} and the ID ${id}.`;
	const why = (match: UrlMatch): string => {
		const error = match.kind === 'error' ? errors[match.index] : undefined;
		if (error) return `${error.message} (${label} ${id})`;
		const cause = unread === undefined ? '' : ` Its errors could not be read: ${unread}`;
		if (match.kind === 'none' && match.maybe) {
			const few = match.maybe.slice(0, MAX_MAYBE).map((url) => shorten(url, 120));
			return `the ${label} ${id} has no page with this very address, and ${few.join(', ')} may be it in another spelling.${cause}`;
		}
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

/** Most addresses that are named as those which may be meant. */
const MAX_MAYBE = 3;
