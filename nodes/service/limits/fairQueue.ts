/** The owner of a turn: an execution, by its id, or by an object of its own where it has none. */
export type Owner = string | object;

/** A place in the queue. One that comes back with its order comes back to its old place. */
export interface QueueEntry {
	readonly owner: Owner;
	/** Given by the queue. */
	order?: number;
}

interface OwnerQueue<T> {
	/** In the order of their places. */
	readonly waiting: T[];
	/** The number among all of the latest turn of its owner that came to something. */
	served: number;
	/** Turns of which it is not known yet what has come of them. */
	open: number;
}

/**
 * A queue that gives the next turn to the owner who has had none for longest; the order of one owner's places
 * stays. One that joins comes before those who have just had theirs, and after all who wait already: a stream of
 * newcomers keeps nobody waiting for ever.
 * Each place that was taken must be told as used or as given back, once.
 */
export class FairQueue<T extends QueueEntry> {
	private readonly lines = new Map<Owner, OwnerQueue<T>>();

	private ordersGiven = 0;

	private turnsUsed = 0;

	/** All that wait. */
	get all(): T[] {
		return [...this.lines.values()].flatMap(({ waiting }) => waiting);
	}

	get isEmpty(): boolean {
		return [...this.lines.values()].every(({ waiting }) => waiting.length === 0);
	}

	/** Queues a place at the end, or where it was before. */
	add(place: T): void {
		const order = (place.order ??= this.ordersGiven++);
		const { waiting } = this.lineOf(place.owner);
		const before = waiting.findLastIndex((other) => (other.order ?? 0) < order);
		waiting.splice(before + 1, 0, place);
	}

	/** Takes a place out that has not had its turn. Does nothing when it is not there. */
	remove(place: T): void {
		const { waiting } = this.lineOf(place.owner);
		const index = waiting.indexOf(place);
		if (index !== -1) waiting.splice(index, 1);
		this.forget(place.owner);
	}

	/** The place whose turn it is, which leaves the queue; undefined when nobody waits. */
	take(): T | undefined {
		let next: OwnerQueue<T> | undefined;
		for (const line of this.lines.values()) {
			if (line.waiting.length > 0 && (!next || this.rank(line) < this.rank(next))) next = line;
		}
		if (next) next.open += 1;
		return next?.waiting.shift();
	}

	/** The turn has come to something, and counts. */
	used({ owner }: T): void {
		this.lineOf(owner).served = ++this.turnsUsed;
		this.close(owner);
	}

	/** The turn came to nothing, and does not count. */
	giveBack({ owner }: T): void {
		this.close(owner);
	}

	private close(owner: Owner): void {
		this.lineOf(owner).open -= 1;
		this.forget(owner);
	}

	/** The lower, the sooner. A turn that is open is as good as one that is used up now. */
	private rank({ served, open }: OwnerQueue<T>): number {
		return open > 0 ? this.turnsUsed + open : served;
	}

	/** An owner that has nothing to wait for is forgotten. */
	private forget(owner: Owner): void {
		const line = this.lines.get(owner);
		if (line && line.open === 0 && line.waiting.length === 0) this.lines.delete(owner);
	}

	private lineOf(owner: Owner): OwnerQueue<T> {
		const line = this.lines.get(owner) ?? { waiting: [], served: this.turnsUsed - 0.5, open: 0 };
		this.lines.set(owner, line);
		return line;
	}
}
