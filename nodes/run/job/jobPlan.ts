import type { IPairedItemData } from 'n8n-workflow';
import type { GetJobOperation, KnownById, StartJobOperation, ValueCheck } from '../../operation/operation';
import type { PageTextBound } from '../../operation/pageText';
import { ServiceFailure } from '../../service/http/failure';
import type { JsonObject, ServiceRequest } from '../../service/http/transport';
import type { JobKind } from '../../service/jobs/jobKinds';
import type { KnownJob, PollIntervalMs } from '../../service/jobs/jobOutcome';
import { sameAddress } from '../../text/addresses';
import type { ChangesAsked } from '../changes/pageChanges';
import { processClock } from '../connection/processClock';
import type { Charge } from '../ledger/creditAccount';
import type { Entry, SharedItem } from '../ledger/entries';
import type { ItemFailure } from '../output/itemError';
import type { IfUncertain, Past } from '../paid/decide';
import type { Earlier } from '../paid/sendPaid';

type KnownPast = Extract<Past, { kind: 'known' }>;

export type JobOperation = StartJobOperation | GetJobOperation;

/**
 * The plan for one input item, or for several that share a job: then `item` is the first. With `start` its job can be
 * started, with `known` it already was. It is what is asked for, and does not change: where the job is, Job says.
 */
export interface JobPlan {
	/** The kind of its job: each job has its own paths. */
	readonly kind: JobKind;
	readonly item: number;
	readonly start?: ServiceRequest;
	readonly known?: KnownJob;
	/** Longest wait for this job, in milliseconds, counted from its start. */
	readonly maxWaitMs: number;
	/** False: the start is all that is wanted. */
	readonly watched: boolean;
	readonly interval: PollIntervalMs;
	/** True: the job is cancelled when the execution is stopped, if this execution started it. */
	readonly cancelOnStop?: boolean;
	/** What an earlier try has left of its start; of kind `known` where `known` has its ID. */
	readonly past?: Earlier | KnownPast;
	/** What becomes of a start with an unclear end that is not found. */
	readonly ifUncertain: IfUncertain;
	/** The ledger entry of the start that has made it known. */
	readonly entry?: Entry;
	/** The items that share the job; undefined for a job of one item. */
	readonly shared?: SharedItem[];
	/** The execution is to be suspended while the job runs. */
	readonly frees?: boolean;
	/** Name of the start in the ledger; undefined for Get. */
	readonly key: string | undefined;
	/** The body of the start request, and the ids in its path; undefined for Get. */
	readonly sent: JsonObject | undefined;
	/** The thing that its start is about, where an ID in the path says that. */
	readonly about?: KnownById | undefined;
	/** Value of the Output parameter. */
	readonly choice: string;
	readonly failOnTimeout: boolean;
	/** False: the pages of a failed or cancelled job are returned. */
	readonly failOnFailure: boolean;
	/** Whether one that has stopped on its way, and has a part of its result, is an error. */
	readonly failOnPartial: boolean;
	/** Most pages to return; undefined: all. */
	readonly mostPages: number | undefined;
	/** The position of the first page to return among all of them, from 1; undefined: it cannot be chosen. */
	readonly firstPage?: number | undefined;
	/** The query parameters for its pages; those of a start are asked for as they are. */
	readonly pagesQuery?: JsonObject;
	/** Pages that the job failed on are returned as items, too. */
	readonly failedPages: boolean;
	/** The pages to compare with, where only new and changed ones are wanted. */
	readonly changes?: ChangesAsked | undefined;
	/** The parts of each page that become files. */
	readonly storedFiles: string[];
	/** The values of the JSON of each page are looked up on it. */
	readonly check?: ValueCheck | undefined;
	/** The part of the text of each page that is put out; undefined: all of it. */
	readonly bound?: PageTextBound | undefined;
	/** Most jobs of the run at once, as far as this item says: one that is not waited for does not. */
	readonly concurrency?: number;
	/** Most credits that all starts of the run together may cost; undefined: no limit. */
	readonly maxCredits: number | undefined;
}

/** Plans that may be sent, and items that have none. */
export interface Planned {
	plans: JobPlan[];
	failures: ItemFailure[];
	/** Costs that Max Credits does not hold for. */
	notCounted?: string | undefined;
	/** Why Max Credits lets nothing through. */
	overCap?: string | undefined;
}

/** The charge of the start of a plan against Max Credits. */
export function jobCharge(plan: JobPlan): Charge {
	const { item, sent = {}, maxCredits } = plan;
	const isListOfItems = plan.shared !== undefined;
	return { by: plan, item, items: itemsOf(plan).length, isListOfItems, sent, maxCredits };
}

/** True when n8n was killed while an earlier try may have started it. */
export function isAfterKill({ past }: JobPlan): boolean {
	return past?.kind === 'open' && past.by === 'kill';
}

/** The items that get their output from this job. */
export function itemsOf({ item, shared }: JobPlan): number[] {
	return shared?.map((one) => one.item) ?? [item];
}

/** The items that have the same address, together: what the first of them has is sent for all, as it is written. */
export function byEntry(items: readonly SharedItem[]): SharedItem[][] {
	const sameEntry = new Map<string, SharedItem[]>();
	for (const one of items) {
		const same = sameAddress(one.entry);
		const others = sameEntry.get(same);
		if (others) others.push(one);
		else sameEntry.set(same, [one]);
	}
	return [...sameEntry.values()];
}

/** The input items that an output item for the whole job is paired with: every item that shares it. */
export function pairedWith(plan: JobPlan): IPairedItemData | IPairedItemData[] {
	return plan.shared ? itemsOf(plan).map((item) => ({ item })) : { item: plan.item };
}

const DAY_MS = 24 * 3_600_000;

/** From sending a start to noting that its end is unclear: a minute each for headers and body, and more. */
const LONGEST_START_MS = 150_000;

/** A start of an earlier try whose end was unclear: it is looked for again. */
export function unconfirmedStart({ startedAt, lostAt }: Entry, isOfOther: () => boolean): Earlier {
	return {
		kind: 'open',
		by: 'earlierTry',
		isTraceable: true,
		isOfOther,
		sinceMs: startedAt,
		lostAt: lostAt ?? startedAt + LONGEST_START_MS,
		failure: lostFailure('An earlier try sent this start and got no clear answer.'),
	};
}

/** A start that n8n may have died over. */
export function cutOffByCrash({ label }: JobKind, { startedAt, lostAt }: Entry, isOfOther: () => boolean): Earlier {
	const nowMs = processClock.wallClock();
	return {
		kind: 'open',
		by: 'kill',
		isTraceable: startedAt !== 0,
		isOfOther,
		sinceMs: startedAt === 0 ? nowMs - DAY_MS : startedAt,
		// It was sent before the Retry began, and n8n may have been back within a second.
		lostAt: lostAt ?? nowMs,
		failure: lostFailure(
			`n8n was ended while this node ran, so the ${label} of this item may have been started, and may be paid for.`,
		),
	};
}

function lostFailure(message: string): ServiceFailure {
	return new ServiceFailure({ kind: 'connection', mayHaveExecuted: true, message });
}
