import type { JobListing } from '../jobs/jobListings';
import type { ServiceClient } from '../limits/client';
import type { SharedLimits } from '../limits/sharedLimits';
import { readLists } from './listings';
import type { ListReading } from './listings';

/** A kind of job that the service lists. */
export interface ListedKind {
	statusPath: string;
	listed: JobListing;
}

/** Readings of the lists of one kind of job with one credential: one serves all that ask before it begins. */
class SharedReading {
	private latest: Promise<unknown> = Promise.resolve();

	private next: { sinceMs: number; reading: Promise<ListReading> } | undefined;

	constructor(private readonly listed: JobListing) {}

	/** A reading that begins now or later: what was listed before may lack what is looked for. Never throws. */
	async read(sinceMs: number, client: ServiceClient): Promise<ListReading> {
		this.next ??= { sinceMs, reading: this.latest.then(async () => await this.begin(client)) };
		this.next.sinceMs = Math.min(this.next.sinceMs, sinceMs);
		return await this.next.reading;
	}

	private async begin(client: ServiceClient): Promise<ListReading> {
		const reading = readLists(this.listed, this.next?.sinceMs ?? -Infinity, client);
		this.next = undefined;
		this.latest = reading;
		return await reading;
	}
}

const readings = new WeakMap<SharedLimits, Map<string, SharedReading>>();

/**
 * Reads what the service lists of a kind of job back to a monotonic time, -Infinity for all of it. All
 * executions of the process that use a credential share a reading that begins after they asked. Never throws.
 */
export async function readListsTogether(
	{ statusPath, listed }: ListedKind,
	sinceMs: number,
	client: ServiceClient,
): Promise<ListReading> {
	const { limits } = client;
	const byKind = readings.get(limits) ?? new Map<string, SharedReading>();
	readings.set(limits, byKind);
	const shared = byKind.get(statusPath) ?? new SharedReading(listed);
	byKind.set(statusPath, shared);
	return await shared.read(sinceMs, client);
}
