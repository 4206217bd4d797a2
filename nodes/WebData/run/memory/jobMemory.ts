import type { INodeExecutionData } from 'n8n-workflow';
import type { KnownJob } from '../../../service/jobs/jobTask';
import { Ledger, wantsFresh } from '../../../service/jobs/ledger';
import type { LedgerEntry } from '../../../service/jobs/ledger';
import { processClock } from '../connection/processClock';
import type { RunContext } from '../connection/runContext';
import { isRetryComing, isToolCall } from '../input/readFields';
import { beginningOf, executionIdOf, isAfterCrash, jobStore, runIndexOf } from './crashRecovery';
import { InFlightStarts } from './inFlightStarts';
import { StartNames, WrittenPlace } from './startNames';
import type { AskedStart } from './startNames';

/** What is remembered of a start besides its place. */
export type StartNote = Pick<
	LedgerEntry,
	'id' | 'shared' | 'started' | 'lostAt' | 'evidence' | 'credits'
> & {
	/** Default: now. */
	startedAt?: number;
};

/**
 * The jobs that this execution has started, kept where Retry On Fail and n8n's Retry of a failed
 * execution find them again: in the execution's own data.
 *
 * Before a Retry the user may have edited what is asked for, which is then another start. While nothing was
 * edited, the job of each place is reused, whatever the expressions give this time.
 *
 * An AI agent's start stands for all that ask for the same, in all executions of the chain of retries: its
 * result is read again, not paid for again. Only a call that asks for a fresh page (Max Age 0), and has been
 * answered in this execution, starts another one: the agent asks again on purpose. A Retry by n8n is no purpose
 * of the agent's: there the newest job is reused once.
 */
export class JobMemory {
	private readonly ledger: Ledger;

	private readonly inFlight: InFlightStarts;

	private readonly run: Run;

	private readonly names: StartNames;

	private readonly written: WrittenPlace;

	/** Keys of the entries that belong to this try. */
	private readonly inUse = new Set<string>();

	/** Those of them that are kept for the next try only. */
	private readonly retired = new Set<string>();

	/** `collectWith` names the operation that collects a result later: `Crawl · Get`. */
	constructor(
		private readonly ctx: RunContext,
		origin: string,
		kind: string,
		private readonly collectWith: string,
	) {
		const store = jobStore(ctx);
		this.ledger = new Ledger(store);
		this.inFlight = new InFlightStarts(store);
		const [execution, runIndex] = [executionIdOf(ctx), runIndexOf(ctx)];
		const isTool = isToolCall(ctx);
		this.run = { execution, kind, runIndex, isTool };
		this.names = new StartNames({ origin, kind, runIndex, isTool });
		this.written = new WrittenPlace(ctx, origin);
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
		const own = this.run.isTool ? this.ledger.all : this.ofRun;
		return own.flatMap(({ entry: { id } }) => (id === undefined ? [] : [id]));
	}

	/**
	 * To be called before find() of all that will be started. An agent's call waits here while another one is
	 * starting the same; for `orStopped` see InFlightStarts.
	 */
	async takeTurn(asked: AskedStart[], orStopped: () => Promise<void>): Promise<void> {
		if (!this.run.isTool) return;
		const names = asked.map((one) => this.names.nameOf(one));
		await this.inFlight.take(names, orStopped);
	}

	/** To be called when nothing more is started, whatever has happened. */
	endTurn(): void {
		this.inFlight.releaseAll();
	}

	/** The start of an earlier try, or of an agent's earlier call, that stands for this one; undefined when it is to be sent. */
	find(asked: AskedStart): LedgerEntry | undefined {
		const key = this.keyOf(asked);
		const earlier = this.run.isTool ? this.findForAgent(asked, key) : this.findInPlace(asked, key);
		return earlier && this.takeUp(key, earlier);
	}

	/**
	 * The job that was started for an item before anything was edited; undefined for an agent, whose calls
	 * share the items.
	 */
	startedFor(item: number): LedgerEntry | undefined {
		if (this.run.isTool) return undefined;
		const entry = this.ledger.find(this.names.slotOf(item));
		return entry && (this.isOwn(entry) || this.isUnedited(entry)) ? entry : undefined;
	}

	/** The jobs of several items each that earlier tries have started before anything was edited. */
	get sharedBefore(): LedgerEntry[] {
		if (this.run.isTool) return [];
		return this.ofRun.flatMap(({ entry }) => {
			const isOpen = entry.shared && !entry.ended;
			return isOpen && (this.isOwn(entry) || this.isUnedited(entry)) ? [entry] : [];
		});
	}

	/** Without an id: the start was sent, and nobody knows whether it arrived. */
	remember(asked: AskedStart, note: StartNote = {}): void {
		const { kind, runIndex, execution } = this.run;
		const { item, part = 0 } = asked;
		const key = this.keyOf(asked);
		const { names } = this;
		const writtenFor = () => this.writtenFor({ item, ...note });
		this.makeRoom(key, note.id);
		this.inUse.add(key);
		this.ledger.remember(key, {
			kind,
			item,
			...(part > 0 && { part }),
			runIndex,
			execution,
			// Made when they are stored or checked: most starts are handed over and forgotten before that.
			get asked() {
				return names.nameOf(asked);
			},
			get written() {
				return writtenFor();
			},
			startedAt: processClock.wallClock(),
			collectWith: this.collectWith,
			...note,
		});
		if (this.run.isTool && note.id !== undefined) this.inFlight.release(names.nameOf(asked));
	}

	/** What Max Credits counts for the start under this key; `id`: of its job, undefined for whichever it is. */
	creditsOf(key: string, id?: string): number | undefined {
		const entry = this.ledger.find(key);
		return id === undefined || entry?.id === id ? entry?.credits : undefined;
	}

	/** The service has reported what the job of a start has cost. */
	noteCost(key: string, id: string, credits: number): void {
		const entry = this.ledger.find(key);
		if (entry?.id === id) this.ledger.remember(key, { ...entry, credits });
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
		const left = keyOfLeft(entry.id);
		this.ledger.remember(left, { ...entry, ended });
		if (this.run.isTool) return;
		this.inUse.add(left);
		this.retired.add(left);
	}

	/**
	 * To be called when the node returns what came of these starts. `answered`: those that have a result. An
	 * agent may ask for the same again; everybody else gets a new job for a new run.
	 */
	handOver(keys: Iterable<string>, answered: Iterable<string>): void {
		if (!this.run.isTool) {
			for (const key of keys) this.ledger.forget(key);
			return;
		}
		for (const key of answered) {
			const entry = this.ledger.find(key);
			if (entry) this.ledger.remember(key, { ...entry, isAnswered: true });
		}
	}

	/** Jobs of an earlier try in this run of the node that this try did not take up. They are named to the user once. */
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

	/** All starts that stand in this run of the node. */
	private get ofRun(): Kept[] {
		const { kind, runIndex } = this.run;
		return this.ledger.all.filter(({ entry }) => {
			return entry.kind === kind && entry.runIndex === runIndex;
		});
	}

	private get unused(): Kept[] {
		if (this.run.isTool) return [];
		return this.ledger.all.filter(({ key, entry }) => {
			return entry.id !== undefined && entry.runIndex === this.run.runIndex && !this.inUse.has(key);
		});
	}

	/** What stands for these items in the node and its input. An agent's parameters do not show what it asks for. */
	private writtenFor({ item, shared }: Pick<LedgerEntry, 'item' | 'shared'>): string | undefined {
		if (this.run.isTool) return undefined;
		return this.written.fingerprintFor(shared?.map((one) => one.item) ?? [item]);
	}

	private isOwn({ execution }: LedgerEntry): boolean {
		return execution === this.run.execution;
	}

	/** True where the parameters and the input items of a start are as they were: only expressions may differ. */
	private isUnedited(entry: LedgerEntry): boolean {
		return entry.written !== undefined && entry.written === this.writtenFor(entry);
	}

	private findInPlace(asked: AskedStart, key: string): Kept | undefined {
		const entry = this.ledger.find(key);
		const isSame = entry && (this.isOwn(entry) || this.isSameOrUnedited(asked, entry));
		return isSame ? { key, entry } : undefined;
	}

	private isSameOrUnedited(asked: AskedStart, entry: LedgerEntry): boolean {
		if (this.names.isSame(asked, entry)) return true;
		// What the input says of a file is no proof that it is the same file.
		if (asked.start.form) return false;
		const isSamePart = (entry.part ?? 0) === (asked.part ?? 0);
		return isSamePart && this.isUnedited(entry);
	}

	/** The newest start that asked for the same, in any execution of the chain of retries. */
	private findForAgent(asked: AskedStart, key: string): Kept | undefined {
		const entry = this.ledger.find(key);
		return entry && !this.mustBeNew(asked, entry) ? { key, entry } : undefined;
	}

	/** An answer that this execution's agent has had is none to a call that asks for a fresh one. */
	private mustBeNew(asked: AskedStart, entry: LedgerEntry): boolean {
		if (!entry.isAnswered || !this.isOwn(entry)) return false;
		const isFresh = wantsFresh(asked.start.body ?? {});
		return isFresh && !this.inFlight.hasWaitedFor(this.names.nameOf(asked));
	}

	/** To be called before `id` is noted under a key: the job there was paid for, and is named. */
	private makeRoom(key: string, id: string | undefined): void {
		const earlier = this.ledger.find(key);
		if (earlier?.id === undefined || earlier.id === id) return;
		this.ledger.remember(keyOfLeft(earlier.id), earlier);
	}

	/** From now on it is of this execution, so that the next try finds it whatever it asks for. */
	private takeUp(key: string, { key: oldKey, entry }: Kept): LedgerEntry {
		this.inUse.add(key);
		const { execution, runIndex } = this.run;
		if (key === oldKey && entry.execution === execution) return entry;
		const { isAnswered, written: before, ...others } = entry;
		const written = this.writtenFor(entry) ?? before;
		const isAnsweredHere = isAnswered === true && entry.execution === execution;
		const taken = {
			...others,
			execution,
			runIndex,
			...(written !== undefined && { written }),
			...(isAnsweredHere && { isAnswered }),
		};
		this.ledger.forget(oldKey);
		this.makeRoom(key, entry.id);
		this.ledger.remember(key, taken);
		return taken;
	}
}

/** The run of the node whose starts are remembered. */
interface Run {
	/** Id of the execution. */
	execution: string;
	kind: string;
	runIndex: number;
	/** The node is an AI agent's tool. */
	isTool: boolean;
}

/** An entry of the ledger, and its key there. */
interface Kept {
	key: string;
	entry: LedgerEntry;
}

/** The key of a job in whose place another one was started. */
function keyOfLeft(id: string): string {
	return `left:${id}`;
}

/** What is known of the job of an entry, for those that take it up. `nowMs`: milliseconds since 1970. */
export function knownJobOf(id: string, entry: LedgerEntry, nowMs: number): KnownJob {
	const { startedAt, evidence } = entry;
	return { id, ageMs: Math.max(0, nowMs - startedAt), ...(evidence && { evidence }) };
}
