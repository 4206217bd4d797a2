import type { ServiceRequest } from '../../../service/http/transport';
import { digest, fingerprint, slotOf } from '../../../service/jobs/ledger';
import type { LedgerEntry } from '../../../service/jobs/ledger';
import type { RunContext } from '../connection/runContext';

/** What was asked for in one place: by one item, or by several that share a job. */
export interface AskedStart {
	item: number;
	/** Which one of the item's, where it has several, from 0. */
	part?: number;
	start: ServiceRequest;
}

/** Whose starts are named: those of one operation, in one run of the node. */
interface Namer {
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
 * An AI agent's start is known by what is asked for: each of its calls is a separate run of the node, and a Retry may
 * number the runs differently.
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

/**
 * What stands in the node and in its input, before any expression is evaluated. While it is the same, nobody
 * has edited what is asked for, whatever the expressions give this time.
 */
export class WrittenPlace {
	/** Of what all items have in common; made when it is first needed. */
	private common: string | undefined;

	/** By item; undefined for what JSON cannot say. */
	private readonly ofItem = new Map<number, string | undefined>();

	private input: ReadonlyArray<{ json: unknown }> | undefined;

	constructor(
		private readonly ctx: RunContext,
		/** Address of the service. */
		private readonly origin: string,
	) {}

	/**
	 * The fingerprint for these input items, in this order; undefined where one of them is not there or cannot
	 * be told from others.
	 */
	fingerprintFor(items: readonly number[]): string | undefined {
		const digests = items.map((item) => this.digestOf(item));
		if (digests.some((one) => one === undefined)) return undefined;
		this.common ??= this.readCommon();
		return digest([this.common, ...digests].join(' '));
	}

	private digestOf(item: number): string | undefined {
		if (!this.ofItem.has(item)) {
			this.input ??= this.ctx.getInputData();
			this.ofItem.set(item, digestOfValue(this.input[item]?.json));
		}
		return this.ofItem.get(item);
	}

	/** n8n's variables are edited elsewhere, but as much by hand as the parameters that name them. */
	private readCommon(): string {
		const { origin } = this;
		const { parameters } = this.ctx.getNode();
		const namesVariables = JSON.stringify(parameters).includes('$vars');
		const variables: unknown = namesVariables ? this.ctx.getWorkflowDataProxy(0).$vars : undefined;
		return fingerprint({ origin, kind: 'written', body: { parameters, variables } });
	}
}

/** n8n keeps the order of keys when it stores an item, and items are large: they are not sorted. */
function digestOfValue(value: unknown): string | undefined {
	try {
		const text: unknown = JSON.stringify(value);
		return typeof text === 'string' ? digest(text) : undefined;
	} catch {
		// A circle, or a number without bounds (BigInt): n8n stores it, JSON does not.
		return undefined;
	}
}
