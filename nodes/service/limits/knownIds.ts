/** A start that is on its way to the service. */
export interface StartUnderWay {
	/** The address at which its job will be: the path of its status, without the id. */
	place: string;
	/** Its target, as the service lists it (canonicalTarget). Found out when somebody asks. */
	readonly target: string;
}

/**
 * So long an id is kept. The service lists what was started in the last day
 * (docs/reference/service-notes.md#lists-of-starts), and what is no longer listed cannot be taken for a lost one; the
 * second day is for clocks that differ.
 */
const KEPT_MS = 48 * 3_600_000;

/** The facts about an id. */
interface IdFacts {
	/** The time when it was noted the latest time, monotonic. */
	atMs: number;
	/** It belongs to some start or execution. */
	isOwned: boolean;
	/** An answer of the service had it. */
	isStarted: boolean;
}

/**
 * Most ids that are kept. A start with an unclear end is looked for within minutes; of an execution that
 * was killed, the jobs of this process that are older than these may be taken for its own.
 */
const MAX_KNOWN = 50_000;

/**
 * The ids of one credential with their owners, as far as this process knows: those that belong to some start or
 * execution, and the starts that are on their way, to which a new job may belong. Weeks of ids take no more memory
 * than two days.
 */
export class KnownIds {
	/** The one that was noted the longest ago first. */
	private readonly notes = new Map<string, IdFacts>();

	/** The starts that are on their way. */
	private readonly underWay = new Map<symbol, StartUnderWay>();

	/** `most` are kept; beyond that, the oldest go. */
	constructor(private readonly most = MAX_KNOWN) {}

	/** This id belongs to somebody: it is no lost one. `nowMs` is monotonic. */
	own(id: string, nowMs: number): void {
		this.note(id, nowMs, { isOwned: true });
	}

	isOwned(id: string): boolean {
		return this.notes.get(id)?.isOwned === true;
	}

	/** A start was answered with this id. `nowMs` is monotonic. */
	startedAs(id: string, nowMs: number): void {
		this.note(id, nowMs, { isOwned: true, isStarted: true });
	}

	/** The service has told this id, whosever it is: its job exists. `nowMs` is monotonic. */
	noteStarted(id: string, nowMs: number): void {
		this.note(id, nowMs, { isStarted: true });
	}

	/** True for an id that the service has told: its job exists, whoever asks for it. */
	isStarted(id: string): boolean {
		return this.notes.get(id)?.isStarted === true;
	}

	/** Notes a start that is being sent. Call what is returned when its end is known; once more is no harm. */
	begin(start: StartUnderWay): () => void {
		const name = Symbol('start');
		this.underWay.set(name, start);
		return () => void this.underWay.delete(name);
	}

	/** True while a start that asks for this is on its way. */
	isUnderWay({ place, target }: StartUnderWay): boolean {
		const all = [...this.underWay.values()];
		return all.some((start) => start.place === place && start.target === target);
	}

	private note(id: string, nowMs: number, facts: Partial<IdFacts>): void {
		const { isOwned = false, isStarted = false } = this.notes.get(id) ?? {};
		this.notes.delete(id);
		this.notes.set(id, { isOwned, isStarted, ...facts, atMs: nowMs });
		for (const [oldest, { atMs }] of this.notes) {
			if (this.notes.size <= this.most && nowMs < atMs + KEPT_MS) return;
			this.notes.delete(oldest);
		}
	}
}
