import type { INodeExecutionData } from 'n8n-workflow';

import { Ledger } from '../../../service/jobs/ledger';
import type { LedgerEntry } from '../../../service/jobs/ledger';
import { processClock } from '../connection/processClock';
import type { RunContext } from '../connection/runContext';
import { isRetryComing, isToolCall } from '../input/readFields';
import { EarlierStarts } from './earlierStarts';
import type { Run } from './earlierStarts';
import { InFlightStarts } from './inFlightStarts';
import { beginningOf, executionIdOf, isAfterCrash, jobStore, runIndexOf } from './crashRecovery';
import { LeftJobs } from './leftJobs';
import type { Kept } from './leftJobs';
import { withSeen } from './seenJob';
import type { SeenJob } from './seenJob';
import { StartNames } from './startNames';
import type { AskedStart } from './startNames';
import { WrittenPlace } from './writtenPlace';

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

	private readonly leftJobs: LeftJobs;

	private readonly earlier: EarlierStarts;

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
		this.leftJobs = new LeftJobs(this.ledger, runIndex, isTool);
		const written = new WrittenPlace(ctx, origin);
		const { ledger, names, inFlight } = this;
		this.earlier = new EarlierStarts(this.run, { ledger, names, written, inFlight });
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
		const own = this.run.isTool ? this.ledger.all : this.earlier.ofRun;
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

	/** The start of an earlier try, or of an agent's earlier call, that stands for this one. */
	find(asked: AskedStart): LedgerEntry | undefined {
		const earlier = this.earlier.find(asked);
		return earlier && this.takeUp(this.keyOf(asked), earlier);
	}

	/** See EarlierStarts. */
	startedFor(item: number): LedgerEntry | undefined {
		return this.earlier.startedFor(item);
	}

	/** See EarlierStarts. */
	get sharedBefore(): LedgerEntry[] {
		return this.earlier.shared;
	}

	/** Without an id: the start was sent, and nobody knows whether it arrived. */
	remember(asked: AskedStart, note: StartNote = {}): void {
		const { kind, runIndex, execution } = this.run;
		const { item, part = 0 } = asked;
		const key = this.keyOf(asked);
		const { names, earlier } = this;
		this.leftJobs.makeRoom(key, note.id);
		this.leftJobs.use(key);
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
				return earlier.writtenFor({ item, ...note });
			},
			startedAt: processClock.wallClock(),
			collectWith: this.collectWith,
			...note,
		});
		if (this.run.isTool && note.id !== undefined) this.inFlight.release(names.nameOf(asked));
	}

	/** What a try has seen of a job that it could not bring to its end, so that the next try counts on. */
	noteSeen(key: string, seen: SeenJob): void {
		const entry = this.ledger.find(key);
		const changed = entry && withSeen(entry, seen, processClock.wallClock());
		if (changed) this.ledger.remember(key, changed);
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
		this.leftJobs.retire(key, ended);
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

	/** Jobs of an earlier try in this run of the node that this try did not take up. */
	get left(): LedgerEntry[] {
		return this.leftJobs.all;
	}

	/** To be called when they have been named to the user. */
	forgetLeft(): void {
		this.leftJobs.forget();
	}

	/** True when n8n will run the node again although it returned. */
	isRetryComing(output: INodeExecutionData[]): boolean {
		return isRetryComing(this.ctx, output);
	}

	/** From now on it is of this execution, so that the next try finds it whatever it asks for. */
	private takeUp(key: string, { key: oldKey, entry }: Kept): LedgerEntry {
		this.leftJobs.use(key);
		const { execution, runIndex } = this.run;
		if (key === oldKey && entry.execution === execution) return entry;
		const { isAnswered, written: before, ...others } = entry;
		const written = this.earlier.writtenFor(entry) ?? before;
		const isAnsweredHere = isAnswered === true && entry.execution === execution;
		const taken = {
			...others,
			execution,
			runIndex,
			...(written !== undefined && { written }),
			...(isAnsweredHere && { isAnswered }),
		};
		this.ledger.forget(oldKey);
		this.leftJobs.makeRoom(key, entry.id);
		this.ledger.remember(key, taken);
		return taken;
	}
}
