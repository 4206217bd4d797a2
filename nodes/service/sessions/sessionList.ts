import { failureOrThrow } from '../http/failure';
import type { JsonObject, ServiceRequest } from '../http/transport';
import { readJobId } from '../jobs/jobKinds';
import type { ServiceClient } from '../limits/client';
import { failedReading, readList } from '../startRecovery/listings';
import type { FailedReading } from '../startRecovery/listings';
import { idTimeMs, readTimeMs } from '../startRecovery/serverClock';
import type { ClockReading } from '../startRecovery/serverClock';

/** Where sessions are opened, listed and closed (operations browser.create, list and delete). */
const SESSIONS = '/v2/interact';

/** A session that is open, as the service lists it. Times are the service's, in milliseconds since 1970. */
export interface OpenSession {
	id: string;
	openedMs: number | undefined;
	/** When something was done in it the last time; undefined where that was never, or is not told. */
	usedMs: number | undefined;
}

/** The open sessions at one time. */
export interface SessionReading {
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
export async function readOpenSessions(
	client: ServiceClient,
): Promise<SessionReading | FailedReading> {
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
