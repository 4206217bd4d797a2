/** A start that is on its way to the service. */
export interface StartUnderWay {
	/** Where its job will be: the path of its status, without the id. */
	place: string;
	/** What it asks for, as the service lists it (canonicalTarget). */
	target: string;
}

/** Ids that are known to belong to somebody. */
export class KnownIds {
	private readonly ids = new Set<string>();

	/** `most` are kept; beyond that, the oldest go. */
	constructor(private readonly most: number) {}

	/** What has this id belongs to somebody: it is no lost one. */
	know(id: string): void {
		this.ids.add(id);
		for (const oldest of this.ids) {
			if (this.ids.size <= this.most) return;
			this.ids.delete(oldest);
		}
	}

	isKnown(id: string): boolean {
		return this.ids.has(id);
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
	/** How many starts are on their way, by what they ask for. */
	private readonly underWay = new Map<string, number>();

	constructor() {
		super(MAX_KNOWN);
	}

	/** Notes a start that is being sent. Call what is returned when its end is known; once more is no harm. */
	begin(start: StartUnderWay): () => void {
		const name = nameOf(start);
		this.underWay.set(name, (this.underWay.get(name) ?? 0) + 1);
		let isOver = false;
		return () => {
			if (isOver) return;
			isOver = true;
			const left = (this.underWay.get(name) ?? 1) - 1;
			if (left > 0) this.underWay.set(name, left);
			else this.underWay.delete(name);
		};
	}

	/** True while a start that asks for this is on its way. */
	isUnderWay(start: StartUnderWay): boolean {
		return this.underWay.has(nameOf(start));
	}
}

function nameOf({ place, target }: StartUnderWay): string {
	return `${place} ${target}`;
}
