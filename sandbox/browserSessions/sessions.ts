import type { SessionRequest } from './sessionRequest.ts';
import type { StandInPage } from './standInPage.ts';

/** A browser that is kept open for somebody. */
export interface Session {
	id: string;
	createdAtMs: number;
	lastActivityMs: number;
	/** How long it lives, and how long when nothing is done in it. */
	ttlMs: number;
	idleMs: number;
	streamWebView: boolean;
	/** What it shows; it stays from one run of code to the next. */
	page: StandInPage;
	/** The higher rate is billed once a prompt was used (recording interact-31). */
	usedPrompt: boolean;
	destroyedAtMs?: number;
}

/** What the end of a session says (recordings browser-50, browser-52). */
export interface SessionEnd {
	sessionDurationMs: number;
	/** Missing where it had ended before. */
	creditsBilled?: number;
}

export interface Sessions {
	open(id: string, asked: Pick<SessionRequest, 'ttl' | 'activityTtl' | 'streamWebView'>): Session;
	find(id: string): Session | undefined;
	/** Newest first; of one state, or all. */
	list(status?: string): Session[];
	countActive(): number;
	/** Notes that something is done in it. */
	touch(session: Session, byPrompt: boolean): void;
	close(session: Session): SessionEnd;
	/** The session on a scraped page. */
	onScrape(scrapeId: string): Session | undefined;
	bindScrape(scrapeId: string, session: Session): void;
	clear(): void;
}

export interface SessionsSetup {
	now(): number;
	/** Divides how long sessions live. */
	speed: number;
	charge(credits: number): void;
	newPage(): StandInPage;
}

const MINUTE_MS = 60_000;
const CODE_RATE = 2;
const PROMPT_RATE = 7;

/** Credits by the minute, one minute at least (docs/service-notes.md#prices). */
function sessionCredits(durationMs: number, usedPrompt: boolean): number {
	return Math.ceil((usedPrompt ? PROMPT_RATE : CODE_RATE) * Math.max(1, durationMs / MINUTE_MS));
}

export function statusOf(session: Session): 'active' | 'destroyed' {
	return session.destroyedAtMs === undefined ? 'active' : 'destroyed';
}

/** See `Sessions`. A session ends by itself when its time is over, and is billed then. */
export function browserSessions({ now, speed, charge, newPage }: SessionsSetup): Sessions {
	const all = new Map<string, Session>();
	const byScrape = new Map<string, Session>();

	const destroy = (session: Session, atMs: number): number => {
		session.destroyedAtMs = atMs;
		const credits = sessionCredits((atMs - session.createdAtMs) * speed, session.usedPrompt);
		charge(credits);
		return credits;
	};

	const settle = (): void => {
		for (const session of all.values()) {
			const { createdAtMs, lastActivityMs, ttlMs, idleMs } = session;
			const endsAtMs = Math.min(createdAtMs + ttlMs, lastActivityMs + idleMs);
			if (session.destroyedAtMs === undefined && endsAtMs <= now()) destroy(session, endsAtMs);
		}
	};

	return {
		open(id, { ttl, activityTtl, streamWebView }) {
			const nowMs = now();
			const session: Session = {
				id,
				createdAtMs: nowMs,
				lastActivityMs: nowMs,
				ttlMs: (ttl * 1000) / speed,
				idleMs: (activityTtl * 1000) / speed,
				streamWebView,
				page: newPage(),
				usedPrompt: false,
			};
			all.set(id, session);
			return session;
		},
		find(id) {
			settle();
			return all.get(id);
		},
		list(status) {
			settle();
			return [...all.values()]
				.filter((session) => status === undefined || statusOf(session) === status)
				.reverse();
		},
		countActive() {
			settle();
			return [...all.values()].filter((session) => statusOf(session) === 'active').length;
		},
		touch(session, byPrompt) {
			session.lastActivityMs = now();
			session.usedPrompt ||= byPrompt;
		},
		close(session) {
			settle();
			if (session.destroyedAtMs !== undefined) return { sessionDurationMs: 0 };
			const nowMs = now();
			const creditsBilled = destroy(session, nowMs);
			return { sessionDurationMs: Math.max(1, nowMs - session.createdAtMs), creditsBilled };
		},
		onScrape(scrapeId) {
			settle();
			return byScrape.get(scrapeId);
		},
		bindScrape: (scrapeId, session) => void byScrape.set(scrapeId, session),
		clear() {
			all.clear();
			byScrape.clear();
		},
	};
}
