import { isJsonObject } from '../../service/http/answer';
import type { ServiceClient } from '../../service/client';
import type { JsonObject, ServiceRequest } from '../../service/http/transport';
import type { KnownJob } from '../../service/jobs/jobOutcome';
import { processClock } from '../connection/processClock';
import type { RunContext } from '../connection/runContext';
import { executionIdOf, runIndexOf } from '../connection/runContext';
import { isToolCall } from '../input/readFields';
import { accountBeforeCrash, beginningOf, entryStore, isAfterCrash } from './crash';
import { Entries, InFlightStarts, SESSION, nameOfRequest } from './entries';
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

/** A place that was asked for: the key that it is remembered by, and what an earlier try has left there. */
export interface Taken {
	readonly key: string;
	/** Undefined when it is to be sent. */
	readonly entry: Entry | undefined;
}

/** The facts that are noted besides the place and the request. */
type EntryNote = Partial<
	Omit<Entry, 'kind' | 'state' | 'item' | 'runIndex' | 'execution' | 'account' | 'asked' | 'written' | 'collectWith'>
>;

/** What has become of the thing that stands under a key. */
type LedgerEvent =
	/**
	 * The user was told that it is not known, and may be there: the next try sends what n8n was killed over, and with
	 * today's key what was sent with another one. Does nothing to the rest.
	 */
	| { kind: 'told' }
	/** It was found with today's API key: the key that it was sent with is of the same account. */
	| { kind: 'accountProven' }
	/** The execution is being suspended until it has ended. */
	| { kind: 'watched' }
	/** The execution is being suspended for others, and the items of this one have no result. */
	| { kind: 'withoutResult'; failure: WhyFailed }
	/** It is sent with an ID of its own. */
	| { kind: 'withId'; request: SentRequest }
	/** The service has reported what the job has cost. */
	| { kind: 'cost'; id: string; credits: number | undefined }
	/**
	 * The job has ended without a result, so that the next try starts another one in its place. It may be
	 * paid for: this try tells of it, but n8n shows nothing of a try that Retry On Fail repeats.
	 */
	| { kind: 'superseded'; state: 'failed' | 'gone' }
	/** It has provably begun nothing, or is to be asked for again. */
	| { kind: 'forgotten' };

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
 *
 *     await ledger.inTurn(async () => {
 *       const [{ key, entry }] = await ledger.take([asked], borders); // the key that all else is told by
 *       if (!entry) ledger.note(asked, 'sent');
 *       …
 *     });
 *     ledger.complete([key], [key]); // the node returns what came of it
 */
export class Ledger {
	private readonly entries: Entries;

	private readonly inFlight: InFlightStarts;

	private readonly execution: string;

	private readonly runIndex: number;

	/** The node is an AI agent's tool. */
	private readonly isTool: boolean;

	private isInTurn = false;

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

	/**
	 * Does what takes and sends. What an agent's call takes is its own until this has ended, whatever happens: another call
	 * that asks for the same waits until then.
	 */
	async inTurn<T>(work: () => Promise<T>): Promise<T> {
		this.isInTurn = true;
		try {
			return await work();
		} finally {
			this.isInTurn = false;
			this.inFlight.releaseAll();
		}
	}

	/**
	 * Takes all that will be started, before anything is sent: the entry of an earlier try, or of an agent's earlier call,
	 * for each of these places. Looks first whether today's key knows the latest job that another key has left here:
	 * `lookUp` is free. An agent's call waits here while another one is starting the same. `orStopped` ends from time to
	 * time, and throws when the execution was stopped; undefined for what has nothing to take up.
	 */
	async take(
		asked: readonly AskedAt[],
		{ lookUp, orStopped }: { lookUp: (id: string) => Promise<JsonObject | undefined>; orStopped?: () => Promise<void> },
	): Promise<Taken[]> {
		if (!this.isInTurn) throw new Error('Nothing is taken outside a turn.');
		if (!this.entries.isEmpty) await this.proveAccount(lookUp);
		if (this.isTool && orStopped) {
			const names = asked.map((one) => this.nameOf(one));
			await this.inFlight.take(names, orStopped);
		}
		const isAfterKill = isAfterCrash(this.ctx);
		const earlier = (one: AskedAt) => this.find(one) ?? (isAfterKill ? this.noteKilled(one) : undefined);
		// Most runs are the first try.
		const hasPast = isAfterKill || !this.entries.isEmpty;
		return asked.map((one) => ({ key: this.keyOf(one), entry: hasPast ? earlier(one) : undefined }));
	}

	/**
	 * It was sent, or may have been, with a key of which nobody knows whether it is of the account of today's: its absence
	 * there proves nothing.
	 */
	isOfOther({ account = this.account, toldTo }: Pick<Entry, 'account' | 'toldTo'>): boolean {
		return account !== this.account && toldTo !== this.account && !this.proven.has(account);
	}

	/** Ids of the jobs that were started in this execution; `run`: in this run of the node, for an agent in any of its calls. */
	idsOf(what: 'execution' | 'run'): string[] {
		const kept = what === 'execution' || this.isTool ? this.entries.all : this.ofRun;
		return kept.flatMap(({ entry: { id } }) => id ?? []);
	}

	/**
	 * The jobs that earlier tries have started before anything was edited, each at the first of its items; none for an
	 * agent, whose calls share the items.
	 */
	get startedBefore(): Entry[] {
		if (this.isTool) return [];
		const standing = this.ofRun.filter(({ key, entry }) => !isOfLeft(key) && !hasNoResult(entry));
		return standing.flatMap(({ entry }) => (this.isOwnOrUnedited(entry) ? [entry] : []));
	}

	/**
	 * Notes how far it got, and returns the entry. What stood there and has another id was paid for: it is named. The
	 * credits that are counted for it stay, where the note has none.
	 */
	note(asked: AskedAt, state: EntryState, note: EntryNote = {}): Entry {
		const { kind, runIndex, execution, account, collectWith } = this;
		const { item } = asked;
		const key = this.keyOf(asked);
		const standing = this.entries.find(key);
		const { credits = standing?.credits, ...facts } = note;
		const name = () => this.nameOf(asked);
		const written = () => this.written({ item, ...note });
		if (standing?.id !== undefined && standing.id !== note.id) {
			this.entries.put(keyOfLeft(standing.id), standing);
		}
		this.inUse.add(key);
		const entry = {
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
			...facts,
			...(credits !== undefined && Number.isFinite(credits) && { credits }),
		};
		this.entries.put(key, entry);
		if (this.isTool && note.id !== undefined) this.inFlight.release(name());
		return entry;
	}

	/**
	 * Notes what has become of what stands under this key, and returns it as it stood; undefined where nothing does. `key`:
	 * as take() has given it; undefined for what was never started here.
	 */
	change(key: string | undefined, event: LedgerEvent): Entry | undefined {
		const entry = key === undefined ? undefined : this.entries.find(key);
		if (key === undefined || !entry) return undefined;
		switch (event.kind) {
			case 'told':
				// One with an ID of its own is sent with that again.
				if (entry.state === 'killed' && !entry.request) this.entries.forget(key);
				else if (this.isOfOther(entry)) this.entries.change(key, { toldTo: this.account });
				break;
			case 'accountProven':
				if (entry.account !== undefined) this.proven.add(entry.account);
				break;
			case 'watched':
				this.entries.change(key, { watched: true });
				break;
			case 'withoutResult':
				this.entries.change(key, { failure: event.failure });
				break;
			case 'withId':
				this.entries.change(key, { request: event.request });
				break;
			case 'cost':
				if (entry.id === event.id && entry.credits !== undefined && event.credits !== undefined) {
					this.entries.change(key, { credits: event.credits });
				}
				break;
			case 'superseded':
				this.supersede(key, entry, event.state);
				break;
			case 'forgotten':
				this.entries.forget(key);
		}
		return entry;
	}

	/**
	 * Why the items of this have no result, for the execution that n8n has woken. It is taken out: a further try
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

	/** Jobs of an earlier try in this run of the node that this try did not take up. They are named to the user once. */
	get unclaimed(): Entry[] {
		return this.unused.map(({ entry }) => entry);
	}

	/**
	 * To be called when the node returns what came of these, and the user was told of what is unclaimed. `answered`: those
	 * that have a result. An agent may ask for the same again; everybody else gets a new job for a new run.
	 */
	complete(keys: Iterable<string>, answered: Iterable<string>): void {
		const { unused } = this;
		if (this.isTool) for (const key of answered) this.entries.change(key, { state: 'done' });
		else for (const key of keys) this.entries.forget(key);
		for (const { key } of unused) this.entries.forget(key);
		for (const key of this.superseded) this.entries.forget(key);
	}

	/** The key that it is remembered by. */
	private keyOf(asked: AskedAt): string {
		if (this.isTool) return `asked:${this.nameOf(asked)}`;
		const { item, part = 0 } = asked;
		const place = `${this.kind}:${this.runIndex}:${item}`;
		return part === 0 ? place : `${place}.${part}`;
	}

	private async proveAccount(lookUp: (id: string) => Promise<JsonObject | undefined>): Promise<void> {
		const other = this.entries.all.findLast(({ entry }) => entry.id !== undefined && this.isOfOther(entry));
		if (other?.entry.id !== undefined && (await lookUp(other.entry.id))) {
			this.change(other.key, { kind: 'accountProven' });
		}
	}

	private find(asked: AskedAt): Entry | undefined {
		const key = this.keyOf(asked);
		const entry = this.entries.find(key);
		if (!entry || entry.state === 'refused') return undefined;
		const isTaken = this.isTool ? !this.mustBeNew(asked, entry) : this.isFor(asked, entry);
		return isTaken ? this.reuse(key, entry) : undefined;
	}

	/**
	 * Notes a thing that n8n was killed over: it stays until a try has found it, has sent it, or has told the user that it
	 * is not known.
	 */
	private noteKilled(asked: AskedAt): Entry | undefined {
		const { shared } = asked;
		const times = { startedAt: beginningOf(this.ctx) ?? 0, lostAt: processClock.wallClock() };
		this.note(asked, 'killed', { ...times, ...(shared && { shared }) });
		const key = this.keyOf(asked);
		this.entries.change(key, { account: accountBeforeCrash(this.ctx) });
		return this.entries.find(key);
	}

	private supersede(key: string, entry: Entry, state: 'failed' | 'gone'): void {
		this.entries.forget(key);
		if (entry.id === undefined) return;
		const left = keyOfLeft(entry.id);
		this.entries.put(left, { ...entry, state });
		if (this.isTool) return;
		this.inUse.add(left);
		this.superseded.add(left);
	}

	/** All that stand in this run of the node. */
	private get ofRun(): Kept[] {
		return this.entries.all.filter(({ entry: { kind, runIndex } }) => kind === this.kind && runIndex === this.runIndex);
	}

	private get unused(): Kept[] {
		if (this.isTool) return [];
		return this.entries.without(this.inUse).filter(({ entry: { id, kind, runIndex } }) => {
			return kind !== SESSION && runIndex === this.runIndex && id !== undefined;
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
		const name = nameOfRequest(start, this.origin, this.kind);
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
	return `${LEFT}${id}`;
}

function isOfLeft(key: string): boolean {
	return key.startsWith(LEFT);
}

const LEFT = 'left:';

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
