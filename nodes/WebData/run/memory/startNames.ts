import type { ServiceRequest } from '../../../service/http/transport';
import { fingerprint, slotOf } from '../../../service/jobs/ledger';
import type { LedgerEntry } from '../../../service/jobs/ledger';

/** What was asked for in one place: by one item, or by several that share a job. */
export interface AskedStart {
	item: number;
	/** Which one of the item's, where it has several, from 0. */
	part?: number;
	start: ServiceRequest;
}

/** Whose starts are named: those of one operation, in one run of the node. */
export interface Namer {
	/** Address of the service. */
	origin: string;
	kind: string;
	runIndex: number;
	/** The node is an AI agent's tool. */
	isTool: boolean;
}

/**
 * What the starts of one run of the node are known by.
 *
 * A node's start is known by its place: the item, in this run of the node. An expression may give something
 * else each time.
 *
 * An AI agent's start is known by what is asked for: each of its calls is a run of its own, and a Retry counts on
 * where it likes.
 */
export class StartNames {
	/** Made once for each: a start is noted before it is sent, and again when it is answered. */
	private readonly made = new WeakMap<ServiceRequest, string>();

	constructor(private readonly namer: Namer) {}

	/** The key of a start in the ledger. */
	keyOf(asked: AskedStart): string {
		if (this.namer.isTool) return `asked:${this.nameOf(asked)}`;
		const slot = this.slotOf(asked.item);
		const { part = 0 } = asked;
		return part === 0 ? slot : `${slot}.${part}`;
	}

	/** The key of a node's start for this item. */
	slotOf(item: number): string {
		return slotOf(this.namer.kind, this.namer.runIndex, item);
	}

	/** What is asked for, as it is noted with a start. */
	nameOf({ start }: AskedStart): string {
		const known = this.made.get(start);
		if (known !== undefined) return known;
		const { origin, kind } = this.namer;
		const { body = { path: start.path }, form } = start;
		const name = fingerprint({ origin, kind, ...(form && { file: form.file }), body });
		this.made.set(start, name);
		return name;
	}

	/** Whether an entry is of a start that asked for the same. */
	isSame(asked: AskedStart, entry: LedgerEntry): boolean {
		return entry.asked === this.nameOf(asked);
	}
}
