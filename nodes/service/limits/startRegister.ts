/** A start that is on its way to the service. */
export interface StartUnderWay {
	/** Where its job will be: the path of its status, without the id. */
	place: string;
	/** What it asks for, as the service lists it (canonicalTarget). Found out when somebody asks. */
	readonly target: string;
}

/**
 * So long an id is kept. The service lists what was started in the last day
 * (docs/service-notes.md#lists-of-starts), and what is no longer listed cannot be taken for a lost one; the
 * second day is for clocks that differ.
 */
const KEPT_MS = 48 * 3_600_000;

/** Ids that are known to belong to somebody. Weeks of them take no more memory than two days. */
export class KnownIds {
	/** When each was known the latest time, the longest ago first; monotonic. */
	private readonly knownMs = new Map<string, number>();

	private latestMs = -Infinity;

	/** `most` are kept; beyond that, the oldest go. */
	constructor(private readonly most: number) {}

	/** Whether there is an id that something which is found may be mistaken for. `nowMs` is monotonic. */
	isInUse(nowMs: number): boolean {
		return nowMs < this.latestMs + KEPT_MS;
	}

	/** What has this id belongs to somebody: it is no lost one. `nowMs` is monotonic. */
	know(id: string, nowMs: number): void {
		this.knownMs.delete(id);
		this.knownMs.set(id, nowMs);
		this.latestMs = nowMs;
		for (const [oldest, knownMs] of this.knownMs) {
			if (this.knownMs.size <= this.most && nowMs < knownMs + KEPT_MS) return;
			this.knownMs.delete(oldest);
		}
	}

	isKnown(id: string): boolean {
		return this.knownMs.has(id);
	}
}

/**
 * Most ids that are kept. A start with an unclear end is looked for within minutes; of an execution that
 * was killed, the jobs of this process that are older than these may be taken for its own.
 */
const MAX_KNOWN = 50_000;

/**
 * Whose the jobs of one credential are, as far as this process knows: those that belong to some start or
 * execution, and the starts that are on their way, to which a new job may belong.
 */
export class StartRegister extends KnownIds {
	/** The starts that are on their way. */
	private readonly underWay = new Map<symbol, StartUnderWay>();

	/** Those of the ids that came from an answer of the service: their jobs exist, whoever asks for them. */
	readonly started: KnownIds;

	constructor(most = MAX_KNOWN) {
		super(most);
		this.started = new KnownIds(most);
	}

	/** A start was answered with this id. `nowMs` is monotonic. */
	startedAs(id: string, nowMs: number): void {
		this.know(id, nowMs);
		this.started.know(id, nowMs);
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
}
