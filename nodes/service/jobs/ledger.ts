import { createHash } from 'node:crypto';

import { isJsonObject } from '../http/answer';
import { readJobId } from './jobKinds';

/** A start that was sent. With `id`: accepted. Without: nobody knows whether it was. */
export interface LedgerEntry {
	kind: string;
	item: number;
	id?: string;
	/** Milliseconds since 1970. */
	startedAt: number;
}

/** The plain object in the execution's own data that n8n stores and hands back to a retry. */
export type LedgerStore = Record<string, unknown>;

export interface FingerprintParts {
	origin: string;
	kind: string;
	body: unknown;
	item: number;
	runIndex: number;
}

/**
 * Names one start by what is sent, where, for which item and which run of the node. Two items that ask
 * the same are two jobs; the same item tried again is the same job. The order of keys does not matter.
 */
export function fingerprint(parts: FingerprintParts): string {
	return createHash('sha256').update(canonicalJson(parts)).digest('hex').slice(0, 32);
}

/** JSON with sorted keys. Values that JSON does not know (undefined, functions) are left out. */
function canonicalJson(value: unknown): string {
	return JSON.stringify(value, (_key, part: unknown) => {
		if (!isJsonObject(part)) return part;
		const keys = Object.keys(part).sort();
		return Object.fromEntries(keys.map((key) => [key, part[key]]));
	});
}

/** Jobs already started in this execution, by fingerprint (N8N fact 3: it survives both retries). */
export class Ledger {
	constructor(private readonly book: LedgerStore) {}

	/** The entry, or undefined when there is none or what is stored is not one. */
	find(key: string): LedgerEntry | undefined {
		const stored = Object.hasOwn(this.book, key) ? this.book[key] : undefined;
		if (typeof stored !== 'object' || stored === null) return undefined;
		const {
			kind,
			item,
			id: storedId,
			startedAt,
		} = stored as Partial<Record<keyof LedgerEntry, unknown>>;
		if (typeof kind !== 'string' || typeof item !== 'number') return undefined;
		const id = readJobId(storedId);
		return {
			kind,
			item,
			startedAt: typeof startedAt === 'number' ? startedAt : 0,
			...(id !== undefined && { id }),
		};
	}

	remember(key: string, entry: LedgerEntry): void {
		this.book[key] = entry;
	}

	forget(key: string): void {
		Reflect.deleteProperty(this.book, key);
	}
}
