import { hash } from 'node:crypto';
import { isJsonObject } from '../http/answer';
import type { JsonObject } from '../http/transport';
import { readJobId } from './jobKinds';

/** An input item that shares a job with others, and what it adds to the list that the job works on. */
export interface SharedItem {
	item: number;
	entry: string;
}

/**
 * What shows that a job which the service lists belongs to a start: all its options, or what it is about and
 * when it began. By the latter alone it may be somebody else's, so it is read and never changed.
 */
export type Evidence = 'options' | 'addressAndTime';

/** A start that was sent. With `id`: accepted. Without: nobody knows whether it was. */
export interface LedgerEntry {
	kind: string;
	/** The input item it was sent for; the first of `shared`. */
	item: number;
	/** Which one of the item's, where it has several; undefined for the first. */
	part?: number;
	/** Which run of the node it belongs to: in a loop each round is one. */
	runIndex: number;
	/** Id of the execution that sent it; a Retry is another one. Empty when n8n gave none. */
	execution: string;
	/** What was asked for, as a fingerprint. */
	asked: string;
	/** What stood in the node and in its input, before expressions were evaluated, as a fingerprint. */
	written?: string;
	id?: string;
	/** Milliseconds since 1970. */
	startedAt: number;
	/** When its answer was given up, of a request that nobody knows the end of; milliseconds since 1970. */
	lostAt?: number;
	/** How its id is known, where no answer gave it. */
	evidence?: Evidence;
	/** What Max Credits counts for it: its worst case, or its cost where the service has told it. */
	credits?: number;
	/** The items that share the job; undefined for a job of one item. */
	shared?: SharedItem[];
	/** What a start that is not waited for returns: what was sent and answered, as far as it is shown. */
	started?: JsonObject;
	/** The operation that collects the result later: `Crawl · Get`. */
	collectWith?: string;
	/** Why the job has no result, so that another one was started in its place. */
	ended?: 'failed' | 'gone';
	/** A call of an AI agent, in this execution, was given its result. */
	isAnswered?: boolean;
}

/** The plain object in the execution's own data that n8n stores and hands back to a retry. */
type LedgerStore = Record<string, unknown>;

/**
 * Names the place of a start: which kind, in which run of the node, for which item. What is asked for is
 * no part of it, because an expression may differ each time it is evaluated.
 */
export function slotOf(kind: string, runIndex: number, item: number): string {
	return `${kind}:${runIndex}:${item}`;
}

interface FingerprintParts {
	origin: string;
	kind: string;
	body: unknown;
	/** What tells the file that goes along from others. */
	file?: unknown;
}

/** Tells what is asked for, and of whom. The order of keys does not matter. */
export function fingerprint(parts: FingerprintParts): string {
	return digest(JSON.stringify(withSortedKeys(parts)));
}

/** Tells texts apart, whatever their length. */
export function digest(text: string): string {
	return hash('sha256', text, 'hex').slice(0, 32);
}

/** What says itself how it is written, such as a date, stays as it is. */
function withSortedKeys(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withSortedKeys);
	if (!isJsonObject(value) || 'toJSON' in value) return value;
	const keys = Object.keys(value).sort();
	return Object.fromEntries(keys.map((key) => [key, withSortedKeys(value[key])]));
}

/**
 * The starts of this execution and of those that it retries (docs/n8n-internals.md#node-context: it survives
 * both retries).
 */
export class Ledger {
	constructor(private readonly book: LedgerStore) {}

	/** The entry, or undefined when there is none or what is stored is not one. */
	find(key: string): LedgerEntry | undefined {
		return Object.hasOwn(this.book, key) ? readEntry(this.book[key]) : undefined;
	}

	/** Everything that is remembered, oldest first. */
	get all(): Array<{ key: string; entry: LedgerEntry }> {
		return Object.keys(this.book).flatMap((key) => {
			const entry = this.find(key);
			return entry ? [{ key, entry }] : [];
		});
	}

	remember(key: string, entry: LedgerEntry): void {
		this.book[key] = entry;
	}

	forget(key: string): void {
		Reflect.deleteProperty(this.book, key);
	}
}

function readEntry(stored: unknown): LedgerEntry | undefined {
	if (!isJsonObject(stored)) return undefined;
	const { kind, item, runIndex, startedAt, lostAt } = stored;
	const { part, evidence, credits, started, ended, isAnswered } = stored;
	if (typeof kind !== 'string' || typeof item !== 'number') return undefined;
	const id = readJobId(stored.id);
	const shared = readShared(stored.shared);
	const collectWith = readText(stored.collectWith);
	const written = readText(stored.written);
	return {
		kind,
		item,
		...(typeof part === 'number' && { part }),
		runIndex: typeof runIndex === 'number' ? runIndex : 0,
		execution: readText(stored.execution),
		asked: readText(stored.asked),
		...(written !== '' && { written }),
		startedAt: typeof startedAt === 'number' ? startedAt : 0,
		...(typeof lostAt === 'number' && { lostAt }),
		...(id !== undefined && { id }),
		...((evidence === 'options' || evidence === 'addressAndTime') && { evidence }),
		...(typeof credits === 'number' && { credits }),
		...(shared && { shared }),
		...(isJsonObject(started) && { started }),
		...(collectWith !== '' && { collectWith }),
		...((ended === 'failed' || ended === 'gone') && { ended }),
		...(isAnswered === true && { isAnswered }),
	};
}

function readText(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

function readShared(value: unknown): SharedItem[] | undefined {
	if (!Array.isArray(value) || value.length === 0) return undefined;
	return value.every(isSharedItem) ? value : undefined;
}

function isSharedItem(value: unknown): value is SharedItem {
	return isJsonObject(value) && typeof value.item === 'number' && typeof value.entry === 'string';
}

/**
 * True for a request that wants a page as it is now, not one that is known: Max Age 0. An answer that was
 * given before is none to it.
 */
export function wantsFresh({ maxAge, scrapeOptions }: JsonObject): boolean {
	return maxAge === 0 || (isJsonObject(scrapeOptions) && scrapeOptions.maxAge === 0);
}
