import type { ServiceClient } from '../limits/client';
import { serverTimeOf } from '../lostStarts/serverClock';
import { readOpenSessions } from './sessionList';
import type { SessionReading } from './sessionList';
import type { SentOpening, SessionRegister } from './sessionRegister';
import { findStrays, idleSince } from './straySessions';
import type { Finding } from './straySessions';

/** What the service's list says; `unknown`: it could not be had. */
export type StrayFinding = Finding | { kind: 'unknown' };

/** How far the clocks of the machines of one service may be apart, in milliseconds. */
const SKEW_MS = 2000;

/** The same for a time that n8n had put down: its machine may have been set since. */
const OWN_SKEW_MS = 5000;

/** From sending an opening to its session: longer than anybody waits for the answer. */
const LONGEST_OPENING_MS = 150_000;

/**
 * When the list is looked at, in milliseconds after the answer was lost. A session is listed before its
 * opening is answered; the later looks are for a request that was on its way when the connection broke.
 */
const LOOKS_MS = [500, 2000, 5000];
const DOUBT_LOOK_MS = 1000;
const LONGEST_DOUBT_MS = 90_000;

/**
 * Looks for the session of an opening whose answer was just lost. What is found is the finder's alone. Ends
 * soon when stopped. Never throws.
 */
export async function findLostSession(
	opening: SentOpening,
	register: SessionRegister,
	client: ServiceClient,
): Promise<StrayFinding> {
	const { time } = client;
	const beganMs = time.now();
	const looks = [...LOOKS_MS];
	let latest: StrayFinding = { kind: 'unknown' };
	for (let atMs = looks.shift(); atMs !== undefined; atMs = looks.shift()) {
		await client.pause(beganMs + atMs - time.now());
		// None is to be had of an execution that is stopped, and no pause is kept.
		const reading = await readOpenSessions(client);
		if (!reading) continue;
		const since = serverTimeOf(reading.clock, opening.sentMs) - SKEW_MS;
		const until = serverTimeOf(reading.clock, time.now()) + SKEW_MS;
		latest = findStrays(
			reading.sessions,
			{
				notBeforeMs: since,
				notAfterMs: until,
				most: Math.max(1, register.lost.size),
				isUnused: true,
			},
			ownedBy(register, reading),
		);
		if (latest.kind === 'found') {
			// At once: another one that looks at the same moment must not close them as well.
			for (const id of latest.ids) register.know(id, time.now());
			return latest;
		}
		if (latest.kind !== 'doubt') continue;
		const nextMs = time.now() - beganMs + DOUBT_LOOK_MS;
		if (nextMs <= LONGEST_DOUBT_MS) looks.unshift(nextMs);
	}
	return latest;
}

/** The same once more for one of an earlier try, in this execution or one that it retries. */
export async function findEarlierSession(
	sentAgoMs: number,
	register: SessionRegister,
	client: ServiceClient,
): Promise<StrayFinding> {
	const reading = await readOpenSessions(client);
	if (!reading) return { kind: 'unknown' };
	const sentMs = serverTimeOf(reading.clock, client.time.now() - sentAgoMs);
	return findStrays(
		reading.sessions,
		{
			notBeforeMs: sentMs - SKEW_MS,
			notAfterMs: sentMs + LONGEST_OPENING_MS,
			most: 1,
			isUnused: true,
		},
		ownedBy(register, reading),
	);
}

/** What is done in a session that somebody uses shows within this time, in milliseconds. */
const IN_USE_MS = 3000;

/**
 * The sessions that n8n left open when it was killed: opened since its execution began and before now, and
 * not in use. `most`: how many it can have been. Never throws.
 */
export async function findKilledSessions(
	{ sinceAgoMs, most }: { sinceAgoMs: number; most: number },
	register: SessionRegister,
	client: ServiceClient,
): Promise<StrayFinding> {
	const { time } = client;
	const beganMs = time.now();
	const first = await readOpenSessions(client);
	if (!first || first.sessions.length === 0) return { kind: first ? 'none' : 'unknown' };
	await client.pause(IN_USE_MS);
	const second = client.stopped ? undefined : await readOpenSessions(client);
	if (!second) return { kind: 'unknown' };
	return findStrays(
		idleSince(first.sessions, second.sessions),
		{
			notBeforeMs: serverTimeOf(second.clock, beganMs - sinceAgoMs) - OWN_SKEW_MS,
			notAfterMs: serverTimeOf(second.clock, beganMs) + SKEW_MS,
			most,
			isUnused: false,
		},
		ownedBy(register, second),
	);
}

function ownedBy(register: SessionRegister, { clock }: SessionReading) {
	return {
		isKnown: (id: string) => register.isKnown(id),
		underWayMs: [...register.underWay].map(({ sentMs }) => serverTimeOf(clock, sentMs) - SKEW_MS),
	};
}
