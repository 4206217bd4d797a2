/** A start that is on its way to the service. */
export interface StartUnderWay {
	/** Name of the job kind. */
	kind: string;
	/** What it asks for, as the service lists it. */
	target: string;
}

/**
 * Most ids that are kept. A start with an unclear end is looked for within minutes; of an execution that
 * was killed, the jobs of this process that are younger than the oldest of these count as somebody else's.
 */
const MAX_KNOWN = 50_000;

/**
 * Whose the jobs of one credential are, as far as this process knows: those that belong to some start or
 * execution, and the starts that are on their way, to which a new job may belong.
 */
export class StartRegister {
	private readonly ids = new Set<string>();

	private readonly underWay = new Set<StartUnderWay>();

	/** The job belongs to somebody: it is no lost one. */
	know(id: string): void {
		this.ids.add(id);
		for (const oldest of this.ids) {
			if (this.ids.size <= MAX_KNOWN) return;
			this.ids.delete(oldest);
		}
	}

	isKnown(id: string): boolean {
		return this.ids.has(id);
	}

	/** Notes a start that is being sent. Call what is returned when its end is known. */
	begin(start: StartUnderWay): () => void {
		// An object of its own, since two starts may ask for the same.
		const place = { ...start };
		this.underWay.add(place);
		return () => this.underWay.delete(place);
	}

	/** True while a start for one of these targets is on its way. */
	isAnyUnderWay(kind: string, isMeant: (target: string) => boolean): boolean {
		for (const start of this.underWay) {
			if (start.kind === kind && isMeant(start.target)) return true;
		}
		return false;
	}
}
