import { hash } from 'node:crypto';
import { isJsonObject } from '../../service/http/answer';
import type { JsonObject, ServiceRequest } from '../../service/http/transport';
import { readJobId } from '../../service/jobs/jobKinds';
import type { KnownBy } from '../../service/jobs/jobOutcome';
import { textOf } from '../../text/values';
import type { ItemFailure } from '../output/itemError';

/**
 * The state of something that the node has asked for. What was not sent, or provably began nothing, has no entry. -
 * `sent`: it is on its way; where n8n was ended or the execution stopped, nobody knows more. - `unconfirmed`: its
 * answer was lost, so it may have arrived. - `running`: it has an id. A job may have ended since; of a call it is the
 * id that the service keeps its answer by. - `done`: a call was answered, an AI agent was given the result, a session
 * was returned open. - `failed`, `gone`: the job, or the call, has no result, so that another one is started in its place. -
 * `refused`: its start began nothing, in an execution that is suspended for others. The next try knows nothing of it. -
 * `killed`: n8n was killed in a try that may have sent it. The next try that comes so far looks for it.
 */
export type EntryState = (typeof STATES)[number];
const STATES = ['sent', 'unconfirmed', 'running', 'done', 'failed', 'gone', 'refused', 'killed'] as const;

/** An input item that shares a job with others, and what it adds to the list that the job works on. */
export interface SharedItem {
	item: number;
	entry: string;
}

/** One call, job or browser session that was asked for. Times are milliseconds since 1970. */
export interface Entry {
	/** The kind of job, the operation of a call, or SESSION. */
	kind: string;
	state: EntryState;
	/** The input item it was sent for; the first of `shared`. */
	item: number;
	/** The index of the node's run that it belongs to: in a loop each round is one. */
	runIndex: number;
	/** Id of the execution that sent it; a Retry is another one. Empty when n8n gave none. */
	execution: string;
	/** Tells the key that it was sent with from others (ServiceClient.account). */
	account?: string;
	/** The user was told that it was sent with another key than this one, and that one more Retry sends it. */
	toldTo?: string;
	/** The request, as a fingerprint. */
	asked: string;
	/** The node's parameters and its input before expressions were evaluated, as a fingerprint. */
	written?: string;
	id?: string;
	/** 0 where not even the beginning of its execution is known. */
	startedAt: number;
	/** The time when its answer was given up. */
	lostAt?: number;
	/** The way in which its id is known, where no answer gave it. */
	evidence?: KnownBy;
	/** The credits that Max Credits counts for it: its worst case, or its cost where the service has told it. */
	credits?: number;
	/** Of a call that the service knows by an id of ours: the same is sent again, whatever expressions give by then. */
	request?: SentRequest;
	/** The items that share the job; undefined for a job of one item. */
	shared?: SharedItem[];
	/** The output of a start that is not waited for: what was sent and answered, as far as it is shown. */
	started?: JsonObject;
	/** The service's answer to its start. */
	answer?: JsonObject;
	/** It was sent once more, though it may have been paid twice. */
	sentAgain?: true;
	/** The execution was suspended until this one ends. */
	watched?: true;
	/**
	 * The reason why its items have no result: of a job in an execution that is suspended for others, of a call that
	 * failed and was charged all the same.
	 */
	failure?: WhyFailed;
	/** The operation that collects the result later: `Crawl · Get`. */
	collectWith?: string;
}

/** A request that is paid once by its id (ServiceRequest.requestId), and its body. */
export interface SentRequest {
	id: string;
	body: JsonObject;
	/** The number of ids before it: each of a try that failed without a charge. */
	failedTries: number;
}

/** The same for all items that share what failed. */
export type WhyFailed = Omit<ItemFailure, 'item'>;

/** The kind of a browser session. */
export const SESSION = 'session';

/** An entry, and the key that it stands under. */
export interface Kept {
	key: string;
	entry: Entry;
}

/** The entries in the plain object of the node's context that n8n stores and hands back to a retry. */
export class Entries {
	/** What was put here: all else is of an earlier try, and is read and checked. */
	private readonly own = new Map<string, Entry>();

	constructor(private readonly book: JsonObject) {}

	/** The entry, or undefined when there is none or what is stored is not one. */
	find(key: string): Entry | undefined {
		if (!Object.hasOwn(this.book, key)) return undefined;
		const { [key]: stored } = this.book;
		const own = this.own.get(key);
		return own !== undefined && own === stored ? own : readEntry(stored);
	}

	get isEmpty(): boolean {
		return Object.keys(this.book).length === 0;
	}

	/** Everything that is remembered, oldest first. */
	get all(): Kept[] {
		return this.without(new Set());
	}

	/** Everything that is remembered but these, oldest first. */
	without(keys: ReadonlySet<string>): Kept[] {
		return Object.keys(this.book).flatMap((key) => {
			const entry = keys.has(key) ? undefined : this.find(key);
			return entry ? [{ key, entry }] : [];
		});
	}

	put(key: string, entry: Entry): void {
		this.own.set(key, entry);
		this.book[key] = entry;
	}

	/** Changes an entry; does nothing where there is none. */
	change(key: string, change: Partial<Entry>): void {
		const entry = this.find(key);
		if (entry) this.put(key, { ...entry, ...change });
	}

	forget(key: string): void {
		this.own.delete(key);
		Reflect.deleteProperty(this.book, key);
	}
}

function readEntry(stored: unknown): Entry | undefined {
	if (!isJsonObject(stored)) return undefined;
	const { kind, item, runIndex, startedAt, lostAt, credits, request, started, answer, failure } = stored;
	const state = STATES.find((one) => one === stored.state);
	if (typeof kind !== 'string' || typeof item !== 'number' || !state) return undefined;
	const id = readJobId(stored.id);
	const evidence = KNOWN_BY.find((one) => one === stored.evidence);
	const shared = readShared(stored.shared);
	const collectWith = textOf(stored.collectWith);
	const written = textOf(stored.written);
	const account = textOf(stored.account);
	const toldTo = textOf(stored.toldTo);
	return {
		kind,
		state,
		item,
		runIndex: typeof runIndex === 'number' ? runIndex : 0,
		execution: textOf(stored.execution),
		...(account !== '' && { account }),
		...(toldTo !== '' && { toldTo }),
		asked: textOf(stored.asked),
		...(written !== '' && { written }),
		startedAt: typeof startedAt === 'number' ? startedAt : 0,
		...(typeof lostAt === 'number' && { lostAt }),
		...(id !== undefined && { id }),
		...(evidence && { evidence }),
		...(typeof credits === 'number' && { credits }),
		...(isSentRequest(request) && { request }),
		...(shared && { shared }),
		...(isJsonObject(started) && { started }),
		...(isJsonObject(answer) && { answer }),
		...(stored.sentAgain === true && { sentAgain: true }),
		...(stored.watched === true && { watched: true }),
		...(isWhyFailed(failure) && { failure }),
		...(collectWith !== '' && { collectWith }),
	};
}

const KNOWN_BY = ['options', 'addressAndTime', 'joined'] as const;

function isSentRequest(stored: unknown): stored is SentRequest {
	if (!isJsonObject(stored)) return false;
	return typeof stored.id === 'string' && isJsonObject(stored.body) && typeof stored.failedTries === 'number';
}

function isWhyFailed(stored: unknown): stored is WhyFailed {
	return isJsonObject(stored) && typeof stored.message === 'string' && typeof stored.kind === 'string';
}

function readShared(value: unknown): SharedItem[] | undefined {
	if (!Array.isArray(value) || value.length === 0) return undefined;
	return value.every(isSharedItem) ? value : undefined;
}

function isSharedItem(value: unknown): value is SharedItem {
	return isJsonObject(value) && typeof value.item === 'number' && typeof value.entry === 'string';
}

/** The fingerprint of a request of a kind to a service. */
export function nameOfRequest({ path, body = { path }, form }: ServiceRequest, origin: string, kind: string): string {
	return fingerprint({ origin, kind, ...(form && { file: form.file }), body });
}

/** Tells what is asked for, and of whom; `file`: what tells the file that goes along. The order of keys does not matter. */
export function fingerprint(parts: { origin: string; kind: string; body: unknown; file?: unknown }): string {
	return digest(JSON.stringify(withSortedKeys(parts)));
}

/** Tells texts apart, whatever their length. */
export function digest(text: string): string {
	return hash('sha256', text, 'hex').slice(0, 32);
}

/** An object that defines its JSON form itself, such as a date, stays as it is. */
function withSortedKeys(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withSortedKeys);
	if (!isJsonObject(value) || 'toJSON' in value) return value;
	const keys = Object.keys(value).sort();
	return Object.fromEntries(keys.map((key) => [key, withSortedKeys(value[key])]));
}

/** By what n8n holds for the node while the execution runs: what is being started in this moment, and its end. */
const underWay = new WeakMap<object, Map<string, Promise<void>>>();

/**
 * Lets calls of one execution that ask for the same in the same moment, as an AI agent's may, start it one
 * after the other: the second finds the job of the first in the ledger. All calls are in one process, since
 * they share the execution's data.
 */
export class InFlightStarts {
	/** The request that this call is starting, and how it reports the end of the start. */
	private readonly own = new Map<string, () => void>();

	/** The requests that other calls were starting when this one began. */
	private readonly waitedFor = new Set<string>();

	constructor(private readonly book: object) {}

	/**
	 * Waits until nobody else is starting one of these, by the names of what they ask for, and takes them.
	 * `orStopped` ends from time to time, and throws when the execution was stopped.
	 */
	async take(names: readonly string[], orStopped: () => Promise<void>): Promise<void> {
		const others = underWay.get(this.book) ?? new Map<string, Promise<void>>();
		underWay.set(this.book, others);
		for (;;) {
			const busy = names.filter((name) => others.has(name));
			if (busy.length === 0) break;
			for (const name of busy) this.waitedFor.add(name);
			await Promise.race([...busy.map((name) => others.get(name)), orStopped()]);
		}
		for (const name of new Set(names)) {
			const over = new Promise<void>((resolve) => {
				this.own.set(name, () => {
					others.delete(name);
					resolve();
				});
			});
			others.set(name, over);
		}
	}

	/** True for what another call was starting in the same moment: its answer is as new as one of this call's. */
	hasWaitedFor(name: string): boolean {
		return this.waitedFor.has(name);
	}

	/** It is in the ledger, or it comes to nothing. Does nothing for what was not taken. */
	release(name: string): void {
		const tell = this.own.get(name);
		this.own.delete(name);
		tell?.();
	}

	releaseAll(): void {
		for (const name of [...this.own.keys()]) this.release(name);
	}
}

/** Most characters of answers that are kept for a node while its execution runs. */
const MAX_CHARACTERS = 5_000_000;

/** By the same: answers as text, freed together with it. */
const answersOf = new WeakMap<object, Map<string, string>>();

/**
 * Answers that the service does not keep, for the tries of Retry On Fail, which share a process. Nothing of
 * it is stored: n8n's own Retry does not find them.
 */
export class KeptAnswers {
	private readonly texts: Map<string, string>;

	constructor(nodeContext: object) {
		this.texts = answersOf.get(nodeContext) ?? new Map<string, string>();
		answersOf.set(nodeContext, this.texts);
	}

	/** Does nothing where there is no room for it. */
	keep(key: string, answer: JsonObject): void {
		const text = JSON.stringify(answer);
		const kept = [...this.texts.values()].reduce((sum, { length }) => sum + length, 0);
		if (kept + text.length <= MAX_CHARACTERS) this.texts.set(key, text);
	}

	has(key: string): boolean {
		return this.texts.has(key);
	}

	/** A copy of the answer, since later nodes may change what is returned. */
	find(key: string): JsonObject | undefined {
		const text = this.texts.get(key);
		return text === undefined ? undefined : (JSON.parse(text) as JsonObject);
	}

	forget(key: string): void {
		this.texts.delete(key);
	}
}
