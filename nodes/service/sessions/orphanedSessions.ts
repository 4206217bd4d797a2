import { failureOrThrow } from '../http/failure';
import type { JsonObject, ServiceRequest } from '../http/transport';
import { readJobId } from '../jobs/jobKinds';
import type { ServiceClient } from '../limits/client';
import {
	failedReading,
	idTimeMs,
	readList,
	readTimeMs,
	readTimes,
	serverTimeOf,
} from '../startRecovery/listings';
import type { ClockReading, FailedReading } from '../startRecovery/listings';
import type { SessionRegister } from './openSession';

/** An opening of which nobody knows what became. Times are monotonic, in milliseconds. */
export interface LostOpening {
	sentMs: number;
	/** When its answer was given up. */
	lostMs: number;
	/** False where the times were put down by an earlier try: n8n's clock may have been set since. */
	isFresh: boolean;
	/** True where its id was known once, so that something may have been done in its session. */
	mayBeUsed: boolean;
}

/** An open session that may belong to lost openings, or to somebody else of the account. */
export interface PossibleOrphan {
	id: string;
	/** How long ago it was opened, in milliseconds; undefined where the service does not tell. */
	ageMs: number | undefined;
	/** The openings that it may belong to. */
	openings: LostOpening[];
}

/** What the service's list says of lost openings; `unknown`: it could not be read. */
export type OrphanFinding = { kind: 'unknown' } | { kind: 'listed'; orphans: PossibleOrphan[] };

/** How far the clocks of the machines of one service may be apart, in milliseconds. */
const SKEW_MS = 2000;

/** The same for a time that n8n's machine had put down. */
const OWN_SKEW_MS = 60_000;

/** A request that was on its way when the connection broke may open its session this much later. */
const LATE_MS = 5000;

/**
 * Reads which open sessions may be those of lost openings, until each opening may have one or the list has
 * had 15 seconds to show it. None of them is proven ours, so they may be named, and never closed. Throws no ServiceFailure.
 */
export async function findPossibleOrphans(
	openings: readonly LostOpening[],
	register: SessionRegister,
	client: ServiceClient,
): Promise<OrphanFinding> {
	const { time } = client;
	const fresh = openings.filter(({ isFresh }) => isFresh);
	const latestLostMs = Math.max(...fresh.map(({ lostMs }) => lostMs));
	let finding: OrphanFinding = { kind: 'unknown' };
	for (const atMs of readTimes(latestLostMs, time.now())) {
		await client.pause(atMs - time.now());
		if (client.stopped) return finding;
		const reading = await readOpenSessions(client);
		if ('failed' in reading) {
			if (reading.failed === 'refused' || reading.failed === 'missing') return finding;
			continue;
		}
		const orphans = possibleOrphans(reading, openings, (id) => register.isKnown(id), time.now());
		finding = { kind: 'listed', orphans };
		if (isEachListed(openings, orphans)) return finding;
	}
	return finding;
}

/**
 * Decides which open sessions may be those of these openings: opened in the time between their sending and
 * shortly after their loss, belonging to nobody that this process knows, and not in use where nobody can
 * have their id. `nowMs` is monotonic.
 */
function possibleOrphans(
	{ sessions, clock }: SessionReading,
	openings: readonly LostOpening[],
	isKnown: (id: string) => boolean,
	nowMs: number,
): PossibleOrphan[] {
	const isPossible = ({ openedMs, usedMs }: OpenSession, opening: LostOpening) => {
		if (usedMs !== undefined && !opening.mayBeUsed) return false;
		if (openedMs === undefined) return true;
		const skewMs = opening.isFresh ? SKEW_MS : OWN_SKEW_MS;
		const sinceMs = serverTimeOf(clock, opening.sentMs) - skewMs;
		const untilMs = serverTimeOf(clock, opening.lostMs) + LATE_MS + skewMs;
		return openedMs >= sinceMs && openedMs <= untilMs;
	};
	return sessions.flatMap((session) => {
		const { id, openedMs } = session;
		const possible = openings.filter((opening) => isPossible(session, opening));
		if (isKnown(id) || possible.length === 0) return [];
		const ageMs =
			openedMs === undefined ? undefined : Math.max(0, serverTimeOf(clock, nowMs) - openedMs);
		return [{ id, ageMs, openings: possible }];
	});
}

/** True when the list has at least as many sessions as were lost, and one for each. */
function isEachListed(openings: readonly LostOpening[], orphans: PossibleOrphan[]): boolean {
	if (orphans.length < openings.length) return false;
	return openings.every((opening) => orphans.some((one) => one.openings.includes(opening)));
}

/** Where sessions are opened, listed and closed (operations browser.create, list and delete). */
const SESSIONS = '/v2/interact';

/** A session that is open, as the service lists it. Times are the service's, in milliseconds since 1970. */
interface OpenSession {
	id: string;
	openedMs: number | undefined;
	/** When something was done in it the last time; undefined where that was never, or is not told. */
	usedMs: number | undefined;
}

/** The open sessions at one time. */
interface SessionReading {
	sessions: OpenSession[];
	clock: ClockReading;
}

/**
 * Closing and looking are never held back by the pauses of opening, and hold nothing else back: what they
 * end costs by the minute.
 */
const BUCKET = 'other';

/** The request that closes a session; the id must have passed readJobId. Safe to repeat (recording browser-52). */
export function closeRequest(id: string): ServiceRequest {
	return { method: 'DELETE', path: `${SESSIONS}/${id}`, bucket: BUCKET };
}

const LIST: ServiceRequest = {
	method: 'GET',
	path: SESSIONS,
	query: { status: 'active' },
	bucket: BUCKET,
};

/** A look that fails is followed by others. */
const PATIENCE = { retries: 1, timeoutMs: 10_000 };

/** The sessions that are open, or why they could not be read. Throws no ServiceFailure. */
async function readOpenSessions(client: ServiceClient): Promise<SessionReading | FailedReading> {
	const received = await client.receive(LIST, PATIENCE).catch(failureOrThrow);
	if (!('body' in received)) return failedReading(received);
	const list = readList(received, 'sessions');
	if (!list) return { failed: 'passing' };
	return { sessions: list.entries.flatMap(readSession), clock: list.clock };
}

/** Between opening a session and noting that, a server's clock may advance this far. */
const AT_ONCE_MS = 500;

function readSession({ id: given, status, createdAt, lastActivity }: JsonObject): OpenSession[] {
	const id = readJobId(given);
	if (id === undefined || (typeof status === 'string' && status !== 'active')) return [];
	const createdMs = readTimeMs(createdAt);
	const touchedMs = readTimeMs(lastActivity);
	const isUsed = touchedMs !== undefined && touchedMs > (createdMs ?? 0) + AT_ONCE_MS;
	return [{ id, openedMs: idTimeMs(id) ?? createdMs, usedMs: isUsed ? touchedMs : undefined }];
}
