import { isJsonObject } from '../http/answer';
import type { JsonObject } from '../http/transport';
import { readJobId } from '../jobs/jobKinds';

/** A session that was opened, or with no id: one that may have been. */
export interface SessionEntry {
	id?: string;
	/** Which run of the node it belongs to: in a loop each round is one. */
	runIndex: number;
	/** When its opening was sent, in milliseconds since 1970. */
	sentAt: number;
	/** True for one that was returned open: it is of use to others as long as its run is not repeated. */
	isPutOut?: boolean;
}

export interface NamedEntry {
	key: string;
	entry: SessionEntry;
}

/**
 * The sessions that are not closed yet, in the plain object in the execution's own data that n8n stores
 * and hands back to a retry.
 */
export class SessionLedger {
	constructor(private readonly book: JsonObject) {}

	remember(key: string, entry: SessionEntry): void {
		this.book[key] = entry;
	}

	forget(key: string): void {
		Reflect.deleteProperty(this.book, key);
	}

	find(key: string): SessionEntry | undefined {
		return Object.hasOwn(this.book, key) ? readEntry(this.book[key]) : undefined;
	}

	/** Everything that is remembered, oldest first; what is stored and is no entry is left out. */
	get all(): NamedEntry[] {
		return Object.keys(this.book).flatMap((key) => {
			const entry = this.find(key);
			return entry ? [{ key, entry }] : [];
		});
	}
}

/**
 * What an earlier try has left open and has to be closed before this one opens others. Not what is in
 * work: an agent may call a tool twice at the same moment. Nor what an earlier round of a loop has returned,
 * which others may still use.
 */
export function leftOpen(
	all: readonly NamedEntry[],
	runIndex: number,
	isInWork: (key: string) => boolean,
): NamedEntry[] {
	return all.filter(({ key, entry }) => {
		if (isInWork(key)) return false;
		return entry.isPutOut !== true || entry.runIndex === runIndex;
	});
}

function readEntry(stored: unknown): SessionEntry | undefined {
	if (!isJsonObject(stored)) return undefined;
	const { runIndex, sentAt, isPutOut } = stored;
	if (typeof sentAt !== 'number') return undefined;
	const id = readJobId(stored.id);
	return {
		sentAt,
		runIndex: typeof runIndex === 'number' ? runIndex : 0,
		...(id !== undefined && { id }),
		...(isPutOut === true && { isPutOut }),
	};
}
