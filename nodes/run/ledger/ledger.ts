import type { INodeExecutionData } from 'n8n-workflow';
import { isJsonObject } from '../../service/http/answer';
import type { ServiceClient } from '../../service/client';
import type { JsonObject, ServiceRequest } from '../../service/http/transport';
import type { KnownJob } from '../../service/jobs/jobOutcome';
import { processClock } from '../connection/processClock';
import type { RunContext } from '../connection/runContext';
import { isRetryComing, isToolCall } from '../input/readFields';
import {
	accountBeforeCrash,
	beginningOf,
	entryStore,
	executionIdOf,
	isAfterCrash,
	retriedBy,
	runIndexOf,
} from './crash';
import { Entries, InFlightStarts, SESSION, digest, fingerprint } from './entries';
import { Writing } from './writing';
import type { Entry, EntryState, Kept, SentRequest, WhyFailed } from './entries';

/** A place, and the request that was made there: by one item, or by several that share a job. */
export interface AskedAt {
	item: number;
	/** The index among the item's requests, from 0. */
	part?: number;
	/** The items that share it. */
	shared?: Entry['shared'];
	start: ServiceRequest;
}

/** The facts that are noted besides the place and the request. */
type EntryNote = Partial<
	Omit<Entry, 'kind' | 'state' | 'item' | 'runIndex' | 'execution' | 'account' | 'asked' | 'written' | 'collectWith'>
>;

/**
 * The calls and jobs that this execution has asked for, kept where Retry On Fail and n8n's Retry of a failed
 * execution find them again: in the execution's own data.
 *
 * A node's entry is known by its place: the item, in this run of the node. Before a Retry the user may have
 * edited what is asked for, which is then something else. While nothing was edited, what stands in the place is
 * taken up, whatever the expressions give this time.
 *
 * An AI agent's entry is known by what is asked for, since each of its calls is a run of the node and a Retry may
 * number the runs differently. It stands for all that ask for the same, in all executions of the chain of retries:
 * its result is read again, not paid for again. Only a call that asks for a fresh page (Max Age 0), and has been
 * answered in this execution, starts another one: the agent asks again on purpose. A Retry by n8n is no purpose
 * of the agent's: there the newest job is taken up once.
 */
export class Ledger {
	private readonly entries: Entries;

	private readonly inFlight: InFlightStarts;

	private readonly execution: string;

	private readonly runIndex: number;

	/** The node is an AI agent's tool. */
	private readonly isTool: boolean;

	/** Keys of the entries that belong to this try. */
	private readonly inUse = new Set<string>();

	/** Those of them that are kept for the next try only. */
	private readonly superseded = new Set<string>();

	/** The fingerprints of requests: an entry is noted before it is sent, and again when it is answered. */
	private readonly names = new WeakMap<ServiceRequest, string>();

	private readonly writing: Writing;

	private readonly origin: string;

	private readonly account: string;

	/** Marks of other keys that are proven to be of the same account. */
	private readonly proven = new Set<string>();

	/**
	 * `kind`: the kind of job or the operation; `collectWith` names the operation that collects a result later:
	 * `Crawl · Get`.
	 */
	constructor(
		private readonly ctx: RunContext,
		{ baseUrl, account }: Pick<ServiceClient, 'baseUrl' | 'account'>,
		private readonly kind: string,
		private readonly collectWith: string,
	) {
		this.origin = baseUrl;
		this.account = account;
		const store = entryStore(ctx);
		this.entries = new Entries(store);
		this.inFlight = new InFlightStarts(store);
		this.execution = executionIdOf(ctx);
		this.runIndex = runIndexOf(ctx);
		this.isTool = isToolCall(ctx);
		this.writing = new Writing(ctx, baseUrl);
	}

	/** The key that it is remembered by. */
	keyOf(asked: AskedAt): string {
		if (this.isTool) return `asked:${this.nameOf(asked)}`;
		const { item, part = 0 } = asked;
		return part === 0 ? this.placeOf(item) : `${this.placeOf(item)}.${part}`;
	}

	/**
	 * The id that this is sent by, so that the service takes it for the same execution however often it is sent: made of
	 * the execution that asked first, the place, and what is asked for. After a kill that is the execution which is
	 * retried; undefined where n8n does not tell it. `failedTries`: of this place, each of which had an id of its own.
	 */
	requestIdOf(asked: AskedAt, failedTries: number): string | undefined {
		const { ctx, execution, runIndex, isTool } = this;
		const first = isAfterCrash(ctx) ? retriedBy(ctx) : execution || String(processClock.wallClock());
		if (first === undefined) return undefined;
		const { item, part = 0 } = asked;
		const place = isTool ? [] : [runIndex, item, part];
		const node = [ctx.getInstanceId?.(), ctx.getWorkflow().id, ctx.getNode().id];
		return digest(JSON.stringify([...node, first, place, this.nameOf(asked), failedTries]));
	}

	/**
	 * It was sent, or may have been, with a key of which nobody knows whether it is of the account of today's: its absence
	 * there proves nothing.
	 */
	isOfOther({ account = this.account, toldTo }: Pick<Entry, 'account' | 'toldTo'>): boolean {
		return account !== this.account && toldTo !== this.account && !this.proven.has(account);
	}

	/**
	 * The user was told that it is not known, and may be there: the next try sends what n8n was killed over, and with
	 * today's key what was sent with another one. Does nothing to the rest.
	 */
	noteTold(key: string): void {
		const entry = this.entries.find(key);
		// One with an ID of its own is sent with that again.
		if (entry?.state === 'killed' && !entry.request) this.forget(key);
		else if (entry && this.isOfOther(entry)) this.entries.change(key, { toldTo: this.account });
	}

	/** What stands under this key was found with today's API key: both are of one account. */
	provesAccount(key: string): void {
		const { account } = this.entries.find(key) ?? {};
		if (account !== undefined) this.proven.add(account);
	}

	/** Looks whether today's key knows the latest that another one has left here. `lookUp` is free. */
	async proveAccount(lookUp: (id: string) => Promise<JsonObject | undefined>): Promise<void> {
		const other = this.entries.all.findLast(({ entry }) => entry.id !== undefined && this.isOfOther(entry));
		if (other?.entry.id !== undefined && (await lookUp(other.entry.id))) this.provesAccount(other.key);
	}

	/** Ids of all jobs that this execution has started, in any run of the node. */
	get allIds(): string[] {
		return idsOf(this.entries.all);
	}

	/** Of those that stand in this run of the node; for an agent, in any of its calls. */
	get startedIds(): string[] {
		return idsOf(this.isTool ? this.entries.all : this.ofRun);
	}

	/**
	 * To be called before find() of all that will be started. An agent's call waits here while another one is
	 * starting the same; for `orStopped` see InFlightStarts.
	 */
	async takeTurn(asked: AskedAt[], orStopped: () => Promise<void>): Promise<void> {
		if (!this.isTool) return;
		const names = asked.map((one) => this.nameOf(one));
		await this.inFlight.take(names, orStopped);
	}

	/** To be called when nothing more is started, whatever has happened. */
	endTurn(): void {
		this.inFlight.releaseAll();
	}

	/** The entry of an earlier try, or of an agent's earlier call, for this place; undefined when it is to be sent. */
	find(asked: AskedAt): Entry | undefined {
		const key = this.keyOf(asked);
		const entry = this.entries.find(key);
		if (!entry || entry.state === 'refused') return undefined;
		const isTaken = this.isTool ? !this.mustBeNew(asked, entry) : this.isFor(asked, entry);
		return isTaken ? this.reuse(key, entry) : undefined;
	}

	/**
	 * Notes a thing that n8n was killed over: it stays until a try has found it, has sent it, or has told the user that it
	 * is not known. Undefined where n8n was not killed.
	 */
	noteKilled(asked: AskedAt): Entry | undefined {
		if (!isAfterCrash(this.ctx)) return undefined;
		const { shared } = asked;
		const times = { startedAt: beginningOf(this.ctx) ?? 0, lostAt: processClock.wallClock() };
		this.note(asked, 'killed', { ...times, ...(shared && { shared }) });
		const key = this.keyOf(asked);
		this.entries.change(key, { account: accountBeforeCrash(this.ctx) });
		return this.entries.find(key);
	}

	/**
	 * The job that was started for an item before anything was edited; undefined for an agent, whose calls
	 * share the items.
	 */
	startedFor(item: number): Entry | undefined {
		if (this.isTool) return undefined;
		const entry = this.entries.find(this.placeOf(item));
		return entry && this.isOwnOrUnedited(entry) ? entry : undefined;
	}

	/** The jobs of several items each that earlier tries have started before anything was edited. */
	get sharedBefore(): Entry[] {
		if (this.isTool) return [];
		const shared = this.ofRun.filter(({ entry }) => entry.shared && !hasNoResult(entry));
		return shared.flatMap(({ entry }) => (this.isOwnOrUnedited(entry) ? [entry] : []));
	}

	/** Notes how far it got. What stood there and has another id was paid for: it is named. */
	note(asked: AskedAt, state: EntryState, note: EntryNote = {}): void {
		const { kind, runIndex, execution, account, collectWith } = this;
		const { item } = asked;
		const key = this.keyOf(asked);
		const name = () => this.nameOf(asked);
		const written = () => this.written({ item, ...note });
		const before = this.entries.find(key);
		if (before?.id !== undefined && before.id !== note.id) {
			this.entries.put(keyOfLeft(before.id), before);
		}
		this.inUse.add(key);
		this.entries.put(key, {
			kind,
			state,
			item,
			runIndex,
			execution,
			account,
			// Made when they are stored or checked: most are handed over and forgotten before that.
			get asked() {
				return name();
			},
			get written() {
				return written();
			},
			startedAt: processClock.wallClock(),
			collectWith,
			...note,
		});
		if (this.isTool && note.id !== undefined) this.inFlight.release(name());
	}

	/**
	 * The credits that Max Credits counts for what stands under this key; `id`: of its job, undefined for whichever it
	 * is.
	 */
	creditsOf(key: string, id?: string): number | undefined {
		const entry = this.entries.find(key);
		return id === undefined || entry?.id === id ? entry?.credits : undefined;
	}

	/** The execution is being suspended until the job under this key has ended. */
	noteWatched(key: string): void {
		this.entries.change(key, { watched: true });
	}

	/** The execution is being suspended for others, and this one's items have no result. */
	noteFailure(asked: AskedAt, failure: WhyFailed, shared?: Entry['shared']): void {
		const key = this.keyOf(asked);
		if (this.entries.find(key)) this.entries.change(key, { failure });
		else this.note(asked, 'refused', { failure, ...(shared && { shared }) });
	}

	/**
	 * The failure that noteFailure() has kept, for the execution that n8n has woken. It is taken out: a further try
	 * starts it again.
	 */
	takeFailure(asked: AskedAt): WhyFailed | undefined {
		const key = this.keyOf(asked);
		const { failure, ...entry } = this.entries.find(key) ?? {};
		if (!failure) return undefined;
		if ('state' in entry && entry.state !== 'refused') this.entries.put(key, entry);
		else this.entries.forget(key);
		return failure;
	}

	/** The request under this key is sent with an ID of its own. */
	noteRequest(key: string, request: SentRequest): void {
		this.entries.change(key, { request });
	}

	/** The service has reported what the job has cost. */
	noteCost(key: string, id: string, credits: number): void {
		if (this.entries.find(key)?.id === id) this.entries.change(key, { credits });
	}

	forget(key: string): void {
		this.entries.forget(key);
	}

	/**
	 * The job has ended without a result, so that the next try starts another one in its place. It may be
	 * paid for: this try tells of it, but n8n shows nothing of a try that Retry On Fail repeats.
	 */
	supersede(key: string, state: 'failed' | 'gone'): void {
		const entry = this.entries.find(key);
		this.entries.forget(key);
		if (entry?.id === undefined) return;
		const left = keyOfLeft(entry.id);
		this.entries.put(left, { ...entry, state });
		if (this.isTool) return;
		this.inUse.add(left);
		this.superseded.add(left);
	}

	/**
	 * To be called when the node returns what came of these. `answered`: those that have a result. An
	 * agent may ask for the same again; everybody else gets a new job for a new run.
	 */
	complete(keys: Iterable<string>, answered: Iterable<string>): void {
		if (this.isTool) for (const key of answered) this.entries.change(key, { state: 'done' });
		else for (const key of keys) this.entries.forget(key);
	}

	/** Jobs of an earlier try in this run of the node that this try did not take up. They are named to the user once. */
	get unclaimed(): Entry[] {
		return this.unused.map(({ entry }) => entry);
	}

	/** To be called when they have been named to the user. */
	forgetUnclaimed(): void {
		for (const { key } of this.unused) this.entries.forget(key);
		for (const key of this.superseded) this.entries.forget(key);
	}

	/** True when n8n will run the node again although it returned. */
	isRetryComing(output: INodeExecutionData[]): boolean {
		return isRetryComing(this.ctx, output);
	}

	/** The key of a node's entry for this item. */
	private placeOf(item: number): string {
		return `${this.kind}:${this.runIndex}:${item}`;
	}

	/** All that stand in this run of the node. */
	private get ofRun(): Kept[] {
		return this.entries.all.filter(({ entry: { kind, runIndex } }) => kind === this.kind && runIndex === this.runIndex);
	}

	private get unused(): Kept[] {
		if (this.isTool) return [];
		return this.entries.all.filter(({ key, entry: { id, kind, runIndex } }) => {
			const isOfRun = kind !== SESSION && runIndex === this.runIndex;
			return isOfRun && id !== undefined && !this.inUse.has(key);
		});
	}

	/** True for what asks for the same, or stands where nothing was edited: there only expressions may differ. */
	private isFor(asked: AskedAt, entry: Entry): boolean {
		if (entry.execution === this.execution || entry.asked === this.nameOf(asked)) return true;
		// The input's words about a file do not prove that it is the same file.
		return !asked.start.form && this.isOwnOrUnedited(entry);
	}

	private isOwnOrUnedited(entry: Entry): boolean {
		if (entry.execution === this.execution) return true;
		return entry.written !== undefined && entry.written === this.written(entry);
	}

	/** An answer that this execution's agent has had is none to a call that asks for a fresh one. */
	private mustBeNew(asked: AskedAt, entry: Entry): boolean {
		if (entry.state !== 'done' || entry.execution !== this.execution) return false;
		return wantsFresh(asked.start.body ?? {}) && !this.inFlight.hasWaitedFor(this.nameOf(asked));
	}

	/** From now on it is of this execution, so that the next try finds it whatever it asks for. */
	private reuse(key: string, entry: Entry): Entry {
		this.inUse.add(key);
		const { execution, runIndex } = this;
		if (entry.execution === execution) return entry;
		const written = this.written(entry) ?? entry.written;
		// This execution's agent was not given it yet.
		const state = entry.id !== undefined && entry.state === 'done' ? 'running' : entry.state;
		const taken = {
			...entry,
			state,
			execution,
			runIndex,
			...(written !== undefined && { written }),
		};
		// Among those of this execution, the last.
		this.entries.forget(key);
		this.entries.put(key, taken);
		return taken;
	}

	/** The fingerprint of a request. */
	private nameOf({ start }: AskedAt): string {
		const known = this.names.get(start);
		if (known !== undefined) return known;
		const { origin, kind } = this;
		const { body = { path: start.path }, form } = start;
		const name = fingerprint({ origin, kind, ...(form && { file: form.file }), body });
		this.names.set(start, name);
		return name;
	}

	/** Undefined for an agent, whose parameters do not show what it asks for. */
	private written({ item, shared }: Pick<Entry, 'item' | 'shared'>): string | undefined {
		if (this.isTool) return undefined;
		return this.writing.of(shared?.map((one) => one.item) ?? [item]);
	}
}

/** The job of an entry came to nothing. */
export function hasNoResult({ state }: Entry): boolean {
	return state === 'failed' || state === 'gone' || state === 'refused';
}

/** The key of a job in whose place another one was started. */
function keyOfLeft(id: string): string {
	return `left:${id}`;
}

function idsOf(kept: Kept[]): string[] {
	return kept.flatMap(({ entry: { id } }) => (id === undefined ? [] : [id]));
}

/**
 * True for a request that wants a page as it is now, not one that is known: Max Age 0. An answer that was
 * given before is none to it.
 */
function wantsFresh({ maxAge, scrapeOptions }: JsonObject): boolean {
	return maxAge === 0 || (isJsonObject(scrapeOptions) && scrapeOptions.maxAge === 0);
}

/** The job of an entry, for those that reuse it. `nowMs`: milliseconds since 1970. */
export function knownJobOf(id: string, entry: Entry, nowMs: number): KnownJob {
	const { startedAt, evidence } = entry;
	return { id, ageMs: Math.max(0, nowMs - startedAt), ...(evidence && { evidence }) };
}
