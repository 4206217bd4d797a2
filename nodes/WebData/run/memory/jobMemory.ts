import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { Ledger } from '../../../service/jobs/ledger';
import type { LedgerEntry } from '../../../service/jobs/ledger';
import type { KnownJob } from '../../../service/jobs/jobTask';
import { wantsFresh } from '../../../service/jobs/sameRequest';
import { isRetryComing, isToolCall } from '../input/parameters';
import { InFlightStarts } from './inFlightStarts';
import { beginningOf, executionIdOf, isAfterCrash, jobStore, runIndexOf } from './crashRecovery';
import { StartNames } from './startNames';
import type { AskedStart } from './startNames';

/** What is remembered of a start besides its place. */
export type StartNote = Pick<LedgerEntry, 'id' | 'shared' | 'started' | 'lostAt' | 'evidence'> & {
	/** Default: now. */
	startedAt?: number;
};

/**
 * The jobs that this execution has started, kept where Retry On Fail and n8n's Retry of a failed
 * execution find them again: in the execution's own data.
 *
 * Of a node's Retry the user may have changed what is asked for, which is then another start. An AI agent's
 * start stands for all that ask for the same, in all executions of the chain of retries: its result is read
 * again, not paid for again. Only a call that asks for a fresh page (Max Age 0), and has been answered in
 * this execution, starts another one: the agent asks again on purpose. A Retry by n8n is no purpose of the
 * agent's: there the newest job is taken up once.
 */
export class JobMemory {
	private readonly ledger: Ledger;

	private readonly inFlight: InFlightStarts;

	private readonly runIndex: number;

	private readonly execution: string;

	private readonly isTool: boolean;

	/** Names of the entries that belong to this try. */
	private readonly inUse = new Set<string>();

	/** Those of them that are kept for the next try only. */
	private readonly retired = new Set<string>();

	private readonly names: StartNames;

	/** The jobs in whose place an earlier try has started others, as they were when this try began. */
	private changedFrom: Array<{ key: string; entry: LedgerEntry }> | undefined;

	/** `collectWith` names the operation that collects a result later: `Crawl · Get`. */
	constructor(
		private readonly ctx: IExecuteFunctions,
		origin: string,
		private readonly kind: string,
		private readonly collectWith: string,
	) {
		const store = jobStore(ctx);
		this.ledger = new Ledger(store);
		this.inFlight = new InFlightStarts(store);
		this.runIndex = runIndexOf(ctx);
		this.execution = executionIdOf(ctx);
		this.isTool = isToolCall(ctx);
		const { runIndex, isTool } = this;
		this.names = new StartNames({ origin, kind, runIndex, isTool });
	}

	/** The key that a start is remembered by. */
	keyOf(asked: AskedStart): string {
		return this.names.keyOf(asked);
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

	/** Of those that stand in this run of the node; for an agent, in any of its calls. */
	get startedIds(): string[] {
		const own = this.isTool ? this.ledger.all : this.own;
		return own.flatMap(({ entry: { id } }) => (id === undefined ? [] : [id]));
	}

	/**
	 * To be called before find() of all that will be started. An agent's call waits here while another one is
	 * starting the same; for `orStopped` see InFlightStarts.
	 */
	async takeTurn(asked: AskedStart[], orStopped: () => Promise<void>): Promise<void> {
		if (!this.isTool) return;
		const names = asked.map((one) => this.names.nameOf(one));
		await this.inFlight.take(names, orStopped);
	}

	/** To be called when nothing more is started, whatever has happened. */
	endTurn(): void {
		this.inFlight.releaseAll();
	}

	/** The start of an earlier try, or of an agent's earlier call, that stands for this one. */
	find(asked: AskedStart): LedgerEntry | undefined {
		const key = this.keyOf(asked);
		if (this.isTool) {
			const earlier = this.findAskedBefore(asked, key);
			const isNew = earlier === undefined || this.mustBeNew(asked, earlier.entry);
			return isNew ? undefined : this.takeUp(key, earlier.key, earlier.entry);
		}
		const entry = this.ledger.find(key);
		const isOwn = entry?.execution === this.execution;
		if (entry && (isOwn || this.names.isSame(asked, entry))) return this.takeUp(key, key, entry);
		const before = this.findChangedBack(asked);
		return before && this.takeUp(key, before.key, before.entry);
	}

	/** The job that this same execution has started for an item; undefined for an agent, whose calls share the items. */
	startedFor(item: number): LedgerEntry | undefined {
		if (this.isTool) return undefined;
		const entry = this.ledger.find(this.names.slotOf(item));
		return entry?.execution === this.execution ? entry : undefined;
	}

	/** The jobs of several items each that an earlier try of this same execution has started. */
	sharedOfThisExecution(): LedgerEntry[] {
		if (this.isTool) return [];
		return this.own.flatMap(({ entry }) =>
			entry.shared && !entry.ended && entry.execution === this.execution ? [entry] : [],
		);
	}

	/** Without an id: the start was sent, and nobody knows whether it arrived. */
	remember(asked: AskedStart, note: StartNote = {}): void {
		const { kind, runIndex, execution, collectWith } = this;
		const { item } = asked;
		const key = this.keyOf(asked);
		this.makeRoom(key, note.id);
		this.inUse.add(key);
		this.ledger.remember(key, {
			kind,
			item,
			runIndex,
			execution,
			asked: this.names.nameOf(asked),
			startedAt: Date.now(),
			collectWith,
			...note,
		});
		if (note.id !== undefined) this.inFlight.release(this.names.nameOf(asked));
	}

	/** What is known of the job of an entry, for those that take it up. */
	knownOf(id: string, entry: LedgerEntry): KnownJob {
		const { startedAt, deniedSince, unchangedSince, evidence } = entry;
		const sinceMs = (at: number) => Math.max(0, Date.now() - at);
		return {
			id,
			ageMs: sinceMs(startedAt),
			...(deniedSince !== undefined && { deniedForMs: sinceMs(deniedSince) }),
			...(unchangedSince !== undefined && { unchangedForMs: sinceMs(unchangedSince) }),
			...(evidence && { evidence }),
		};
	}

	/** What a try has seen of a job that it could not bring to its end, so that the next try counts on. */
	noteSeen(
		key: string,
		{ id, deniedForMs, unchangedForMs }: Omit<KnownJob, 'ageMs' | 'evidence'>,
	): void {
		const entry = this.ledger.find(key);
		if (entry?.id !== id) return;
		const { deniedSince, unchangedSince, ...others } = entry;
		if ((deniedSince ?? unchangedSince ?? deniedForMs ?? unchangedForMs) === undefined) return;
		this.ledger.remember(key, {
			...others,
			...(deniedForMs !== undefined && { deniedSince: Date.now() - deniedForMs }),
			...(unchangedForMs !== undefined && { unchangedSince: Date.now() - unchangedForMs }),
		});
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
		if (entry?.id === undefined) return;
		const left = leftKey(entry.id);
		this.ledger.remember(left, { ...entry, ended });
		if (this.isTool) return;
		this.inUse.add(left);
		this.retired.add(left);
	}

	/**
	 * To be called when the node puts out what came of these starts. `answered`: those that have a result. An
	 * agent may ask for the same again; everybody else gets a new job for a new run.
	 */
	handOver(keys: Iterable<string>, answered: Iterable<string>): void {
		if (!this.isTool) {
			for (const key of keys) this.ledger.forget(key);
			return;
		}
		for (const key of answered) {
			const entry = this.ledger.find(key);
			if (entry) this.ledger.remember(key, { ...entry, isAnswered: true });
		}
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
		const { execution, runIndex } = this;
		if (key === oldKey && entry.execution === execution) return entry;
		const { isAnswered, ...others } = entry;
		const isAnsweredHere = isAnswered === true && entry.execution === execution;
		const taken = { ...others, execution, runIndex, ...(isAnsweredHere && { isAnswered }) };
		this.ledger.forget(oldKey);
		this.makeRoom(key, entry.id);
		this.ledger.remember(key, taken);
		return taken;
	}

	/** What makes room for the job `id` was paid for: somebody has to be told, or may want it back. */
	private makeRoom(key: string, id: string | undefined): void {
		const earlier = this.ledger.find(key);
		if (earlier?.id === undefined || earlier.id === id) return;
		this.ledger.remember(leftKey(earlier.id), earlier);
	}

	/** The job that an earlier try started for this item, before its settings were changed and changed back. */
	private findChangedBack(asked: AskedStart) {
		this.changedFrom ??= this.ledger.all.filter(({ key, entry: { id = '', ended } }) => {
			return key === leftKey(id) && ended === undefined;
		});
		const { kind, runIndex } = this;
		return this.changedFrom.findLast(({ key, entry }) => {
			const isPlace =
				entry.kind === kind && entry.runIndex === runIndex && entry.item === asked.item;
			return isPlace && this.names.isSame(asked, entry) && this.ledger.find(key) !== undefined;
		});
	}

	/** The newest start that asked for the same, in any execution of the chain of retries. */
	private findAskedBefore(asked: AskedStart, key: string) {
		const newest = this.ledger.find(key);
		if (newest) return { key, entry: newest };
		return this.ledger.all.findLast(({ entry }) => {
			return entry.ended === undefined && this.names.isSame(asked, entry);
		});
	}

	/** An answer that this execution's agent has had is none to a call that asks for a fresh one. */
	private mustBeNew(asked: AskedStart, { execution, isAnswered }: LedgerEntry): boolean {
		if (!isAnswered || execution !== this.execution) return false;
		return (
			wantsFresh(asked.start.body ?? {}) && !this.inFlight.hasWaitedFor(this.names.nameOf(asked))
		);
	}
}

/** The name of a job that is kept only to be told of. */
function leftKey(id: string): string {
	return `left:${id}`;
}
