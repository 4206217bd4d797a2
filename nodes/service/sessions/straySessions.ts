import type { OpenSession } from './sessionList';

/** What is known of sessions that somebody has opened without learning their ids, or before n8n was killed. */
export interface Sought {
	/** They were opened between these times, by the service's clock, in milliseconds since 1970. */
	notBeforeMs: number;
	notAfterMs: number;
	/** How many there are at most. */
	most: number;
	/** True where nobody has their ids, so that nothing can have been done in them. */
	isUnused: boolean;
}

/** What is known of the sessions that belong to somebody. */
export interface Owned {
	isKnown(id: string): boolean;
	/** When openings were sent that are still on their way, by the service's clock. */
	underWayMs: readonly number[];
}

export type Finding =
	| { kind: 'none' }
	/** These are they. */
	| { kind: 'found'; ids: string[] }
	/** More than there can be: nobody knows which of them. */
	| { kind: 'several'; ids: string[] }
	/** One of them may belong to an opening that is on its way. */
	| { kind: 'doubt'; ids: string[] };

/**
 * Decides which open sessions are those that are sought. A session of somebody else must not be closed, so
 * one that this process knows is none of them, nor is one of another time, nor one that is in use where
 * these cannot be. When more are left than there can be, none of them is told from the others.
 */
export function findStrays(
	sessions: readonly OpenSession[],
	{ notBeforeMs, notAfterMs, most, isUnused }: Sought,
	{ isKnown, underWayMs }: Owned,
): Finding {
	const candidates = sessions.filter(({ id, openedMs, usedMs }) => {
		if (isKnown(id) || (isUnused && usedMs !== undefined)) return false;
		return openedMs === undefined || (openedMs >= notBeforeMs && openedMs <= notAfterMs);
	});
	const ids = candidates.map(({ id }) => id);
	if (ids.length === 0) return { kind: 'none' };
	const mayBeAnothers = candidates.some(({ openedMs = Infinity }) =>
		underWayMs.some((sentMs) => sentMs <= openedMs),
	);
	if (mayBeAnothers) return { kind: 'doubt', ids };
	return { kind: ids.length > most ? 'several' : 'found', ids };
}

/** Those of `before` that nothing was done in until `after`: what somebody else uses is none of ours. */
export function idleSince(
	before: readonly OpenSession[],
	after: readonly OpenSession[],
): OpenSession[] {
	const earlier = new Map(before.map(({ id, usedMs }) => [id, usedMs]));
	return after.filter(({ id, usedMs }) => earlier.has(id) && earlier.get(id) === usedMs);
}
