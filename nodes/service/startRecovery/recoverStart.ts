import type { ServiceClient } from '../client';
import type { JsonObject } from '../http/transport';
import { canonicalTarget } from '../jobs/jobListings';
import type { JobListing } from '../jobs/jobListings';
import type { LostStart, LostStartFinding } from '../jobs/jobOutcome';
import type { KnownIds } from '../limits/knownIds';
import type { Limits } from '../limits/limits';
import { fitOf, isHiddenTarget } from './compareCrawlOptions';
import type { ListedJob } from './compareCrawlOptions';
import { readLists, readTimes, serverTimeOf } from './listings';
import type { ClockReading, ListReading, Listing } from './listings';

/**
 * How much the clock of the machine that names a job may be behind that of the machine that answered, in
 * milliseconds. Machines of one service keep the time to well within a second.
 */
const SKEW_MS = 2000;

/** The same for the time that n8n had put down: its machine may have been set since. */
const OWN_SKEW_MS = 60_000;

/** Records that are read for one start at most. */
const MAX_RECORDS = 5;

/** Clocks may differ more: a job that began so long before the start was sent may be its own all the same. */
const MAX_SKEW_MS = 5000;
const MAX_OWN_SKEW_MS = 1_800_000;

/**
 * Looks for the job of a start whose end is not known where the service lists jobs. A job that is found
 * belongs to this start from then on. Ends within about fifteen seconds after the loss, unless limits or failures of the
 * service hold it up or another start for the same is under way. Never throws.
 */
export async function recoverStart(lost: LostStart, client: ServiceClient): Promise<LostStartFinding> {
	const { kind } = lost;
	const { listed } = kind;
	const targets = (listed?.targetsOf(lost.start.body ?? {}) ?? []).map(canonicalTarget);
	if (!listed || targets.length === 0) return { kind: 'unknown' };
	const { register = client.register } = lost;
	const search = searchOf(client.limits, { statusPath: kind.statusPath, listed }, register);
	return await search.find(lost, targets, client);
}

const searches = new WeakMap<Limits, Map<string, LostStartSearch>>();

/** All executions of the process that use a credential search together. */
function searchOf(limits: Limits, kind: ListedKind, register: KnownIds): LostStartSearch {
	const byPlace = searches.get(limits) ?? new Map<string, LostStartSearch>();
	searches.set(limits, byPlace);
	const search = byPlace.get(kind.statusPath) ?? new LostStartSearch(kind, register);
	byPlace.set(kind.statusPath, search);
	return search;
}

/** The lost starts of one kind and one credential. */
class LostStartSearch {
	private readonly lost = new Set<Searched>();

	constructor(
		private readonly kind: ListedKind,
		readonly register: KnownIds,
	) {}

	async find(
		{ start, sentMs, lostMs, isFresh, isOther }: LostStart,
		[target = '', ...otherTargets]: string[],
		client: ServiceClient,
	): Promise<LostStartFinding> {
		const skewMs = isFresh ? SKEW_MS : OWN_SKEW_MS;
		const { body = {} } = start;
		const asked = JSON.stringify(start.body);
		const maxSkewMs = isFresh ? MAX_SKEW_MS : MAX_OWN_SKEW_MS;
		const searched = { target, otherTargets, asked, body, sentMs, skewMs, maxSkewMs, isOther, others: new Map() };
		this.lost.add(searched);
		try {
			return await this.look(searched, readTimes(lostMs, client.time.now()), client);
		} finally {
			this.lost.delete(searched);
		}
	}

	private async look(searched: Searched, looks: number[], client: ServiceClient): Promise<LostStartFinding> {
		const { time } = client;
		const place = { place: this.kind.statusPath, target: searched.target };
		let latest: LostStartFinding = { kind: 'unknown' };
		let unproven: FoundJob | undefined;
		let near: string[] = [];
		for (let atMs = looks.shift(); atMs !== undefined; atMs = looks.shift()) {
			await client.pause(atMs - time.now());
			const sinceMs = searched.sentMs - searched.maxSkewMs;
			const reading = await readListsTogether(this.kind, sinceMs, client);
			// A run may be over while this goes on, as after a limit of time: nothing is read any more.
			if (client.isOver) return latest;
			if ('failed' in reading) {
				latest = withoutProof(latest);
				if (reading.failed === 'missing' && latest.kind === 'unknown') return { kind: 'unknown', hasNoList: true };
				if (reading.failed === 'refused') return latest;
				// It was the reading of an execution that was stopped: this one reads for itself.
				if (reading.failed === 'stopped') looks.unshift(time.now());
				continue;
			}
			await this.readRecords(searched, reading.listing);
			// From here to the decision nothing else happens: another start may be about to take the same job.
			const shown = this.match(searched, reading.listing);
			// A list of what runs has no more what has ended meanwhile. Another lost start may have taken it by now.
			if (unproven && this.register.isOwned(unproven.job.id)) unproven = undefined;
			const match = shown.kind === 'none' && unproven ? unproven : shown;
			// While another start for the same is on its way, a job may be that one's.
			if (match.kind !== 'none' && this.register.isUnderWay(place)) {
				latest = severalOf(match);
				continue;
			}
			if (match.kind === 'found' && looks.length > 0 && !isProven(searched, match)) {
				// Its own may still be behind on the list, so one more look, the last, decides.
				[unproven, latest] = [match, severalOf(match)];
				looks.splice(0, looks.length - 1);
				continue;
			}
			latest = this.settle(match, searched, reading.listing, time.now());
			if (latest.kind !== 'none') return latest;
			near = this.nearly(searched, reading.listing);
		}
		// A job whose times differ by seconds may be it: it is named, and nothing is sent in its place.
		return latest.kind === 'none' && near.length > 0 ? { kind: 'several', ids: near } : latest;
	}

	/** Ids of jobs that would fit, had the clocks of two machines of the service differed by some seconds more. */
	private nearly(searched: Searched, { byTarget, clock }: Listing): string[] {
		const { sentMs, skewMs, body, target } = searched;
		const sinceMs = notBeforeMs({ sentMs, skewMs: Math.max(skewMs, MAX_SKEW_MS) }, clock);
		return (byTarget.get(target) ?? [])
			.filter(({ id }) => isFree(id, searched, this.register))
			.filter(({ beganMs = -Infinity, options }) => beganMs >= sinceMs && fitOf(body, options) !== 'other')
			.map(({ id }) => id);
	}

	/**
	 * A listed job fits a start when it asks for the same and did not begin before the start was sent. It is taken
	 * when no other job fits, and when it fits no other start that is looked for. Starts that ask for exactly the
	 * same may take each other's jobs, the oldest first, as long as there are no more jobs than starts.
	 */
	private match(searched: Searched, { byTarget, clock }: Listing): Match {
		const { target, asked } = searched;
		const mayBe = (one: Searched, { id, beganMs = -Infinity, options }: ListedJob) =>
			beganMs >= notBeforeMs(one, clock) && fitOf(one.body, options) !== 'other' && one.others.get(id) !== true;
		const free = (byTarget.get(target) ?? []).filter(({ id }) => !this.register.isOwned(id));
		const jobs = free.filter((job) => mayBe(searched, job)).sort((one, other) => began(one) - began(other));
		const rivals = [...this.lost].filter(
			(one) => one !== searched && one.target === target && jobs.some((job) => mayBe(one, job)),
		);
		const [job] = jobs;
		if (!job) return { kind: 'none' };
		const isOne = jobs.length <= rivals.length + 1 && rivals.every((one) => one.asked === asked);
		return isOne ? { kind: 'found', job } : { kind: 'several', jobs };
	}

	/** Reads which of the jobs that may be it are others' by their own records, where these say so. */
	private async readRecords(searched: Searched, listing: Listing): Promise<void> {
		const { isOther, others } = searched;
		if (!isOther) return;
		for (;;) {
			const match = this.match(searched, listing);
			const jobs = match.kind === 'none' ? [] : match.kind === 'found' ? [match.job] : match.jobs;
			const unread = jobs.filter(({ id }) => !others.has(id)).slice(0, MAX_RECORDS - others.size);
			if (unread.length === 0) return;
			for (const { id } of unread) others.set(id, await isOther(id));
		}
	}

	private settle(match: Match, searched: Searched, listing: Listing, nowMs: number): LostStartFinding {
		if (match.kind === 'several') return severalOf(match);
		const { clock, completeSinceMs } = listing;
		if (match.kind === 'none') {
			const { sentMs, maxSkewMs } = searched;
			const isComplete = sentMs - maxSkewMs >= completeSinceMs;
			return { kind: 'none', isProof: isComplete && !mayBeHidden(searched, listing, this) };
		}
		const { id, beganMs } = match.job;
		this.register.own(id, nowMs);
		// At once: the next one to decide must not leave a job for it.
		this.lost.delete(searched);
		const ageMs = serverTimeOf(clock, nowMs) - (beganMs ?? clock.dateMs);
		const evidence = isProven(searched, match) ? 'options' : 'addressAndTime';
		return { kind: 'found', id, ageMs: Math.max(0, ageMs), evidence };
	}
}

interface FoundJob {
	kind: 'found';
	job: ListedJob;
}
type Match = FoundJob | { kind: 'several'; jobs: ListedJob[] } | { kind: 'none' };

const began = ({ beganMs = -Infinity }: ListedJob): number => beganMs;

/** Whether the list shows all that was asked for, so that a later reading cannot show a better one. */
function isProven({ body }: Searched, { job }: { job: ListedJob }): boolean {
	return fitOf(body, job.options) === 'same';
}

/** A reading that failed was to show what those before it could not. */
function withoutProof(finding: LostStartFinding): LostStartFinding {
	return finding.kind === 'none' ? { ...finding, isProof: false } : finding;
}

function severalOf(match: Match): LostStartFinding {
	if (match.kind === 'found') return { kind: 'several', ids: [match.job.id] };
	return { kind: 'several', ids: match.kind === 'several' ? match.jobs.map(({ id }) => id) : [] };
}

/** A start that is looked for. */
interface Searched {
	/** The targets that the lists should show, and what they might show instead, as canonicalTarget has it. */
	target: string;
	otherTargets: string[];
	asked: string;
	body: JsonObject;
	sentMs: number;
	skewMs: number;
	/** By how much the clocks may differ at the very most. */
	maxSkewMs: number;
	isOther: LostStart['isOther'];
	/** Listed jobs whose records were read: true for those of others. */
	others: Map<string, boolean>;
}

/** True for a job that belongs to nobody, as far as this process and the job's own record say. */
function isFree(id: string, { others }: Searched, register: KnownIds): boolean {
	return !register.isOwned(id) && others.get(id) !== true;
}

/** The least that the service's clock may have shown when the start was sent. */
function notBeforeMs({ sentMs, skewMs }: Pick<Searched, 'sentMs' | 'skewMs'>, clock: ClockReading): number {
	return serverTimeOf(clock, sentMs) - skewMs;
}

/** True when some job may be this start's although it does not show what it should, or when the clocks differ much. */
function mayBeHidden(searched: Searched, { byTarget, clock }: Listing, { register }: { register: KnownIds }): boolean {
	const { maxSkewMs: skewMs } = searched;
	const sinceMs = notBeforeMs({ ...searched, skewMs }, clock);
	const isYoung = ({ id, beganMs = Infinity }: ListedJob) => beganMs >= sinceMs && isFree(id, searched, register);
	const mayFit = (job: ListedJob) => isYoung(job) && fitOf(searched.body, job.options) !== 'other';
	if (byTarget.get(searched.target)?.some(mayFit)) return true;
	if (searched.otherTargets.some((target) => byTarget.get(target)?.some(isYoung))) return true;
	return [...byTarget].some(([target, jobs]) => isHiddenTarget(target) && jobs.some(isYoung));
}

/** A kind of job that the service lists. */
interface ListedKind {
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

const readings = new WeakMap<Limits, Map<string, SharedReading>>();

/**
 * Reads what the service lists of a kind of job back to a monotonic time, -Infinity for all of it. All
 * executions of the process that use a credential share a reading that begins after they asked. Never throws.
 */
async function readListsTogether(
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
