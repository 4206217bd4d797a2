import type { Received, ServiceClient } from '../client';
import { isJsonObject } from '../http/answer';
import { failureOrThrow } from '../http/failure';
import type { ServiceFailure } from '../http/failure';
import { PATIENCE } from '../http/retry';
import { readHeader } from '../http/transport';
import type { JsonObject, ServiceRequest } from '../http/transport';
import { readJobId } from '../jobs/jobKinds';
import { canonicalTarget } from '../jobs/jobListings';
import type { JobListing, ListRoute } from '../jobs/jobListings';
import type { ListedJob } from './compareCrawlOptions';

/** Most answers that are read of a list at once: 10,000 starts of one kind. */
const MAX_PAGES = 100;

/**
 * How far back the lists go at least: the feed a day, checks of monitors longer
 * (docs/reference/service-notes.md#lists-of-starts).
 */
const WINDOW_MS = 24 * 3_600_000;

/** The content of the lists at one time. */
export interface Listing {
	/** By canonicalTarget, each job once. */
	byTarget: ReadonlyMap<string, ListedJob[]>;
	clock: ClockReading;
	/** The jobs that have ended are there as well, back to this monotonic time; Infinity: they are not. */
	completeSinceMs: number;
}

/** The same while it is read. */
interface ListParts extends Omit<Listing, 'byTarget'> {
	jobs: ListedJob[];
}

/** A reading of the lists; `refused`: there is no use in asking again; `missing`: this server has none. */
export type ListReading = { listing: Listing } | FailedReading;

interface FailedReading {
	failed: 'refused' | 'missing' | 'passing' | 'stopped';
}

/**
 * Reads what the service lists of one kind of job since a monotonic time, -Infinity for all that it has: what
 * was started, page by page, and those that run with their options, where there is such a list. Never throws.
 */
export async function readLists(listed: JobListing, sinceMs: number, client: ServiceClient): Promise<ListReading> {
	const { started: all, running: some } = listed;
	// First, because a job that ends in between is in the other one then.
	const running = some && (await caught(async () => await readRunning(some, client)));
	const started = await caught(async () => await readStarted(all, sinceMs, client));
	if ('parts' in started) {
		const { parts } = started;
		const jobs = running && 'parts' in running ? running.parts.jobs : [];
		return toListing({ ...parts, jobs: [...parts.jobs, ...jobs] });
	}
	if (!running) return started;
	if ('parts' in running) return toListing(running.parts);
	return running.failed === 'refused' ? started : running;
}

async function readRunning(list: ListRoute, client: ServiceClient): Promise<ListParts | undefined> {
	return firstPart(await client.receive(get(list.path), PATIENCE.lookUp), list);
}

function toListing({ jobs, ...listing }: ListParts): ListReading {
	return { listing: { ...listing, byTarget: byTargetOf(jobs) } };
}

async function readStarted(list: ListRoute, sinceMs: number, client: ServiceClient): Promise<ListParts | undefined> {
	const { path, query, next } = list;
	const first = await client.receive(get(path, query), PATIENCE.lookUp);
	const parts = firstPart(first, list);
	if (!parts) return undefined;
	const { clock } = parts;
	const sinceDateMs = serverTimeOf(clock, sinceMs);
	const asked = new Set<string>();
	let page = parts.jobs;
	let more = next?.(first.body, page.length);
	while (more && !page.some(({ beganMs = Infinity }) => beganMs < sinceDateMs)) {
		// The missing part may hold the job that is looked for: an incomplete list proves nothing.
		const asks = JSON.stringify(more);
		if (asked.has(asks) || asked.size + 1 >= MAX_PAGES) return parts;
		asked.add(asks);
		const { body } = await client.receive(get(path, { ...query, ...more }), PATIENCE.lookUp);
		page = readJobs(entriesOf(body, list.entries) ?? [], list);
		if (page.length === 0) return parts;
		for (const job of page) parts.jobs.push(job);
		more = next?.(body, parts.jobs.length);
	}
	return { ...parts, completeSinceMs: clock.receivedMs - WINDOW_MS };
}

function get(path: string, query?: JsonObject): ServiceRequest {
	return { method: 'GET', path, bucket: 'crawlStatus', ...(query && { query }) };
}

/**
 * The objects of a list in an answer, and the service's clock; undefined when the answer is no list, or does
 * not tell the service's time. `field`: where the list stands in it.
 */
function readList(
	{ body, headers, receivedMs }: Received,
	field: string,
): { entries: JsonObject[]; clock: ClockReading } | undefined {
	const entries = entriesOf(body, field);
	const dateMs = readDateMs(headers);
	if (!entries || dateMs === undefined || body.success === false) return undefined;
	return { entries, clock: { dateMs, receivedMs } };
}

function firstPart(received: Received, list: ListRoute): ListParts | undefined {
	const read = readList(received, list.entries);
	if (!read) return undefined;
	const jobs = readJobs(read.entries, list);
	return { jobs, clock: read.clock, completeSinceMs: Infinity };
}

function byTargetOf(jobs: ListedJob[]): Map<string, ListedJob[]> {
	const byTarget = new Map<string, ListedJob[]>();
	// A job stands in two parts when others were started between them.
	for (const job of new Map(jobs.map((one) => [one.id, one])).values()) {
		const target = canonicalTarget(job.target);
		const alike = byTarget.get(target);
		if (alike) alike.push(job);
		else byTarget.set(target, [job]);
	}
	return byTarget;
}

function entriesOf(body: JsonObject, field: string): JsonObject[] | undefined {
	const list = body[field];
	return Array.isArray(list) ? list.filter(isJsonObject) : undefined;
}

function readJobs(entries: JsonObject[], { target: at }: ListRoute): ListedJob[] {
	return entries.flatMap((entry) => {
		const id = readJobId(entry.id);
		if (id === undefined) return [];
		const target = entry[at];
		const beganMs = idTimeMs(id) ?? readTimeMs(entry.created_at ?? entry.createdAt);
		const { options } = entry;
		const shown = isJsonObject(options) ? { options } : {};
		return [{ id, target: typeof target === 'string' ? target : '', beganMs, ...shown }];
	});
}

async function caught(read: () => Promise<ListParts | undefined>): Promise<{ parts: ListParts } | FailedReading> {
	try {
		const parts = await read();
		// A list of another shape is none, but the next answer may be one.
		return parts ? { parts } : { failed: 'passing' };
	} catch (error) {
		return failedReading(failureOrThrow(error));
	}
}

/** Whether there is any use in reading a list again that could not be read. */
function failedReading({ kind, httpCode = 0, isMissingOnServer }: ServiceFailure): FailedReading {
	if (kind === 'aborted') return { failed: 'stopped' };
	if (isMissingOnServer) return { failed: 'missing' };
	// 501 and what a service says of a request itself do not change in seconds.
	const isLasting = httpCode === 501 || (httpCode >= 400 && httpCode < 500 && httpCode !== 408);
	return { failed: isLasting && httpCode !== 429 ? 'refused' : 'passing' };
}

/** The service's clock beside ours: it showed `dateMs` (since 1970) or later at `receivedMs` (monotonic). */
export interface ClockReading {
	dateMs: number;
	receivedMs: number;
}

/** The least that the service's clock may have shown at a monotonic time. A Date has whole seconds. */
export function serverTimeOf({ dateMs, receivedMs }: ClockReading, atMs: number): number {
	return dateMs - (receivedMs - atMs);
}

/** The service's clock by the headers of an answer, in milliseconds since 1970. */
function readDateMs(headers: JsonObject): number | undefined {
	return readTimeMs(readHeader(headers, 'date'));
}

const UUID_V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/**
 * The time when something began by its id: the first 48 bits of a UUID v7
 * (docs/reference/service-notes.md#ids-hold-the-time).
 */
function idTimeMs(id: string): number | undefined {
	const match = UUID_V7.exec(id);
	return match ? Number.parseInt(`${match[1]}${match[2]}`, 16) : undefined;
}

/** `2026-11-21 20:04:16.060777+00`, as the service's database writes it (V8 reads that), or any other date. */
function readTimeMs(value: unknown): number | undefined {
	if (typeof value !== 'string') return undefined;
	const ms = Date.parse(value);
	return Number.isNaN(ms) ? undefined : ms;
}

/**
 * The times at which a list is read for something whose answer was lost, in milliseconds after the loss: lists lag
 * behind what was started, and a request that was on its way when the connection broke may still arrive.
 */
const READ_AT_MS: readonly number[] = [500, 2000, 5000, 10_000, 15_000];

/**
 * The times at which to read a list for what was lost at `lostMs`, monotonic: at once where the last of them is over.
 */
export function readTimes(lostMs: number, nowMs: number): number[] {
	const ahead = READ_AT_MS.map((afterMs) => lostMs + afterMs).filter((atMs) => atMs > nowMs);
	return ahead.length > 0 ? ahead : [nowMs];
}
