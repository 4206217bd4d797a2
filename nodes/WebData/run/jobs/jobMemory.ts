import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { fingerprint, Ledger, slotOf } from '../../../service/jobs/ledger';
import type { LedgerEntry } from '../../../service/jobs/ledger';
import type { ServiceRequest } from '../../../service/http/transport';
import { isRetryComing, isToolCall } from '../input/parameters';
import { TwinStarts } from './twinStarts';
import { beginningOf, executionIdOf, isAfterCrash, jobStore, runIndexOf } from './crashRecovery';

/** What was asked for in one place: by one item, or by several that share a job. */
export interface AskedStart {
	item: number;
	/** Which one of the item's, where it has several, from 0. */
	part?: number;
	start: ServiceRequest;
}

/** What is remembered of a start besides its place. */
export type StartNote = Pick<LedgerEntry, 'id' | 'shared' | 'started'>;

/**
 * The jobs that this execution has started, kept where Retry On Fail and n8n's Retry of a failed
 * execution find them again: in the execution's own data (N8N fact 3).
 */
export class JobMemory {
	private readonly ledger: Ledger;

	private readonly twins: TwinStarts;

	private readonly runIndex: number;

	private readonly execution: string;

	/** An agent's calls each are a run of their own, but ask again for what they asked before. */
	private readonly isTool: boolean;

	/** Names of the entries that belong to this try. */
	private readonly inUse = new Set<string>();

	/** Those of them that are kept for the next try only. */
	private readonly retired = new Set<string>();

	/** Made once for each: a start is noted before it is sent, and again when it is answered. */
	private readonly fingerprints = new WeakMap<ServiceRequest, string>();

	/** `collectWith` names the operation that collects a result later: `Crawl · Get`. */
	constructor(
		private readonly ctx: IExecuteFunctions,
		private readonly origin: string,
		private readonly kind: string,
		private readonly collectWith: string,
	) {
		const store = jobStore(ctx);
		this.ledger = new Ledger(store);
		this.twins = new TwinStarts(store);
		this.runIndex = runIndexOf(ctx);
		this.execution = executionIdOf(ctx);
		this.isTool = isToolCall(ctx);
	}

	/** The name that a start of this item is remembered by. */
	keyOf(item: number, part = 0): string {
		const slot = slotOf(this.kind, this.runIndex, item);
		return part === 0 ? slot : `${slot}.${part}`;
	}

	/** True when n8n died while jobs were started that are not remembered here. */
	get isIncomplete(): boolean {
		return isAfterCrash(this.ctx);
	}

	/** When the execution began that n8n died in, in milliseconds since 1970; undefined if not known. */
	get crashedSinceMs(): number | undefined {
		return beginningOf(this.ctx);
	}

	/** Ids of all jobs that this execution has started, in any run of the node. */
	get allIds(): string[] {
		return this.ledger.all.flatMap(({ entry: { id } }) => (id === undefined ? [] : [id]));
	}

	/**
	 * To be called before find() of all that will be started. An agent's call waits here while another one is
	 * starting the same; for `orStopped` see TwinStarts.
	 */
	async takeTurn(asked: AskedStart[], orStopped: () => Promise<void>): Promise<void> {
		if (!this.isTool) return;
		const names = asked.map((one) => this.fingerprintOf(one));
		await this.twins.take(names, orStopped);
	}

	/** To be called when nothing more is started, whatever has happened. */
	endTurn(): void {
		this.twins.releaseAll();
	}

	/**
	 * The start of an earlier try that stands for this one. Within an execution that is the one in its
	 * place, whatever it asked for: an expression may differ each time. In a Retry the user may have
	 * changed what is asked for, which is then another start. For an agent it is the start of any call of
	 * this execution that asked for the same.
	 */
	find(asked: AskedStart): LedgerEntry | undefined {
		const key = this.keyOf(asked.item, asked.part);
		const entry = this.ledger.find(key);
		if (entry?.execution === this.execution) return this.takeUp(key, key, entry);
		if (entry?.asked === this.fingerprintOf(asked)) return this.takeUp(key, key, entry);
		const earlier = this.isTool ? this.findAskedBefore(asked) : undefined;
		return earlier && this.takeUp(key, earlier.key, earlier.entry);
	}

	/** The job that this same execution has started for an item; undefined for an agent, whose calls share the items. */
	startedFor(item: number): LedgerEntry | undefined {
		const entry = this.ledger.find(this.keyOf(item));
		return !this.isTool && entry?.execution === this.execution ? entry : undefined;
	}

	/** The jobs of several items each that an earlier try of this same execution has started. */
	sharedOfThisExecution(): LedgerEntry[] {
		return this.own.flatMap(({ entry }) =>
			entry.shared && !entry.ended && entry.execution === this.execution ? [entry] : [],
		);
	}

	/** Without an id: the start was sent, and nobody knows whether it arrived. */
	remember(asked: AskedStart, note: StartNote = {}): void {
		const { kind, runIndex, execution, collectWith } = this;
		const { item, part } = asked;
		const key = this.keyOf(item, part);
		const earlier = this.ledger.find(key);
		// It makes room for another one, but was paid for: somebody has to be told.
		if (earlier?.id !== undefined && earlier.id !== note.id) {
			this.ledger.remember(leftKey(earlier.id), earlier);
		}
		this.inUse.add(key);
		this.ledger.remember(key, {
			kind,
			item,
			runIndex,
			execution,
			asked: this.fingerprintOf(asked),
			startedAt: Date.now(),
			collectWith,
			...note,
		});
		if (note.id !== undefined) this.twins.release(this.fingerprintOf(asked));
	}

	forget(key: string): void {
		this.ledger.forget(key);
	}

	/**
	 * The job has ended without a result, so that the next try starts another one in its place. It may be
	 * paid for: this try tells of it, but n8n shows nothing of a try that Retry On Fail repeats.
	 */
	retire(key: string, ended: 'failed' | 'gone'): void {
		const entry = this.ledger.find(key);
		this.ledger.forget(key);
		if (entry?.id === undefined || this.isTool) return;
		const left = leftKey(entry.id);
		this.ledger.remember(left, { ...entry, ended });
		this.inUse.add(left);
		this.retired.add(left);
	}

	/**
	 * To be called when results are handed over. An agent may ask for the same again; everybody else gets
	 * a new job for a new run.
	 */
	handOver(keys: Iterable<string>): void {
		if (this.isTool) return;
		for (const key of keys) this.ledger.forget(key);
	}

	/** Jobs of an earlier try in this run of the node that this try did not take up. */
	get left(): LedgerEntry[] {
		return this.unused.map(({ entry }) => entry);
	}

	/** To be called when they have been named to the user. */
	forgetLeft(): void {
		for (const { key } of this.unused) this.ledger.forget(key);
		for (const key of this.retired) this.ledger.forget(key);
	}

	/** True when n8n will run the node again although it returned. */
	isRetryComing(output: INodeExecutionData[]): boolean {
		return isRetryComing(this.ctx, output);
	}

	private get own() {
		const { kind, runIndex } = this;
		return this.ledger.all.filter(({ entry }) => {
			return entry.kind === kind && entry.runIndex === runIndex;
		});
	}

	private get unused() {
		if (this.isTool) return [];
		return this.ledger.all.filter(({ key, entry }) => {
			return entry.id !== undefined && entry.runIndex === this.runIndex && !this.inUse.has(key);
		});
	}

	/** From now on it is of this execution, so that the next try finds it whatever it asks for. */
	private takeUp(key: string, oldKey: string, entry: LedgerEntry): LedgerEntry {
		this.inUse.add(key);
		if (key === oldKey && entry.execution === this.execution) return entry;
		const { execution, runIndex } = this;
		const taken = { ...entry, execution, runIndex };
		this.ledger.forget(oldKey);
		this.ledger.remember(key, taken);
		return taken;
	}

	private findAskedBefore(asked: AskedStart) {
		const name = this.fingerprintOf(asked);
		return this.ledger.all.findLast(({ entry }) => {
			return entry.asked === name && entry.execution === this.execution;
		});
	}

	private fingerprintOf({ start }: AskedStart): string {
		const { origin, kind } = this;
		const known = this.fingerprints.get(start);
		const { body = { path: start.path }, form } = start;
		const name = known ?? fingerprint({ origin, kind, body, ...(form && { file: form.file }) });
		this.fingerprints.set(start, name);
		return name;
	}
}

/** The name of a job that is kept only to be told of. */
function leftKey(id: string): string {
	return `left:${id}`;
}
