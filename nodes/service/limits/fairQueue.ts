/** Whose turn it is: an execution, by its id, or by an object of its own where it has none. */
export type Owner = string | object;

/** A place in the queue. One that comes back with its order comes back to its old place. */
export interface Place {
	readonly owner: Owner;
	/** Given by the queue. */
	order?: number;
	/** How far its turn has moved the clock; given by the queue. */
	share?: number;
}

interface Line<T> {
	/** In the order of their places. */
	readonly waiting: T[];
	/** What the owner has used up, in turns, on the queue's clock. */
	tag: number;
	/** Turns that the owner has used. */
	used: number;
	/** Turns of which it is not known yet whether they count. */
	open: number;
}

/** The first place of a line, whose turn it may be. */
interface Turn<T> {
	readonly line: Line<T>;
	readonly place: T;
}

/**
 * A queue that gives the next turn to the owner who has had the fewest; the order of one owner's places
 * stays. One that joins begins at what everybody has had by then, not at nothing, or a stream of
 * newcomers would keep the others waiting for ever: each turn moves the clock on by one share of those
 * who wait (as fair queueing of packets does).
 * Each place that was taken must be told as used or as given back, once.
 */
export class FairQueue<T extends Place> {
	private readonly lines = new Map<Owner, Line<T>>();

	private clock = 0;

	private ordersGiven = 0;

	private count = 0;

	private open = 0;

	get isEmpty(): boolean {
		return this.count === 0;
	}

	/** Queues a place at the end, or where it was before. */
	add(place: T): void {
		const order = (place.order ??= this.ordersGiven++);
		const { waiting } = this.lineOf(place.owner);
		const before = waiting.findLastIndex((other) => (other.order ?? 0) < order);
		waiting.splice(before + 1, 0, place);
		this.count += 1;
	}

	/** Takes a place out that has not had its turn. Does nothing when it is not there. */
	remove(place: T): void {
		const { waiting } = this.lineOf(place.owner);
		const index = waiting.indexOf(place);
		if (index === -1) return;
		waiting.splice(index, 1);
		this.count -= 1;
		this.forgetAll();
	}

	/** The place whose turn it is, which leaves the queue; undefined when nobody waits. */
	take(): T | undefined {
		let next: Turn<T> | undefined;
		let lines = 0;
		for (const [owner, line] of this.lines) {
			const [place] = line.waiting;
			if (place) {
				lines += 1;
				const turn = { line, place };
				if (!next || isBefore(turn, next)) next = turn;
			} else if (line.open === 0 && line.tag <= this.clock) {
				// It has nothing on its account that a newcomer has not.
				this.lines.delete(owner);
			}
		}
		if (!next) return undefined;
		const { line, place } = next;
		line.waiting.shift();
		line.open += 1;
		this.open += 1;
		this.count -= 1;
		place.share = 1 / lines;
		return place;
	}

	/** The turn has come to something, and counts. */
	used(place: T): void {
		const line = this.close(place);
		this.clock += place.share ?? 0;
		line.tag += 1;
		line.used += 1;
		this.forgetAll();
	}

	/** The turn came to nothing, and does not count. */
	giveBack(place: T): void {
		this.close(place);
		this.forgetAll();
	}

	private close({ owner }: T): Line<T> {
		const line = this.lineOf(owner);
		this.open -= 1;
		line.open -= 1;
		return line;
	}

	/** Where nobody waits, nobody has to be made up for anything. */
	private forgetAll(): void {
		if (this.count === 0 && this.open === 0) this.lines.clear();
	}

	private lineOf(owner: Owner): Line<T> {
		const line = this.lines.get(owner) ?? { waiting: [], tag: this.clock, used: 0, open: 0 };
		if (line.waiting.length + line.open === 0) line.tag = Math.max(line.tag, this.clock);
		this.lines.set(owner, line);
		return line;
	}
}

function isBefore<T extends Place>(turn: Turn<T>, than: Turn<T>): boolean {
	const { line } = turn;
	const { line: other } = than;
	// Shares are fractions, whose sum is a hair off.
	const lead = line.tag + line.open - other.tag - other.open;
	const isAhead = Math.abs(lead) > 1e-6;
	const more = line.used + line.open - other.used - other.open;
	const later = (turn.place.order ?? 0) - (than.place.order ?? 0);
	return (isAhead ? lead : more || later) < 0;
}
