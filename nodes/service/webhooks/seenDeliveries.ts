/** Events that one receiver remembers: days of most workflows, and 15 KB of what n8n stores with them. */
const MAX_SEEN = 500;
/** Receivers that one process remembers; the one that was called longest ago goes first. */
const MAX_RECEIVERS = 1000;

/**
 * Which events have come already, in bounds. What is stored with a workflow survives a restart, but calls
 * at the same moment overwrite each other's there (docs/n8n-internals.md#static-data-of-a-trigger): this is the
 * set in the process beside it.
 */
export class SeenDeliveries {
	private readonly receivers = new Map<string, Set<string>>();

	constructor(
		private readonly mostSeen = MAX_SEEN,
		private readonly mostReceivers = MAX_RECEIVERS,
	) {}

	/**
	 * Notes an event. True when it is new, also to what was `stored`: the caller alone may act on it then.
	 * `receiver` names who was called.
	 */
	isNew(receiver: string, key: string, stored: unknown): boolean {
		const seen = this.receivers.get(receiver) ?? new Set<string>();
		this.receivers.delete(receiver);
		this.receivers.set(receiver, seen);
		dropOldest(this.receivers, this.mostReceivers);
		if (seen.has(key) || storedKeys(stored).includes(key)) return false;
		seen.add(key);
		dropOldest(seen, this.mostSeen);
		return true;
	}

	/** What is to be stored: what was, and what this process has seen, the newest at the end. */
	toStore(receiver: string, stored: unknown): string[] {
		const all = new Set([...storedKeys(stored), ...(this.receivers.get(receiver) ?? [])]);
		return [...all].slice(-this.mostSeen);
	}

	/** Takes an event back that could not be acted on, so that a repetition is not refused. */
	forget(receiver: string, key: string): void {
		this.receivers.get(receiver)?.delete(key);
	}
}

/** Whatever was stored: other than a list of texts counts as nothing. */
function storedKeys(stored: unknown): string[] {
	return Array.isArray(stored) ? stored.filter((key) => typeof key === 'string') : [];
}

function dropOldest(row: Map<string, unknown> | Set<string>, most: number): void {
	for (const oldest of row.keys()) {
		if (row.size <= most) return;
		row.delete(oldest);
	}
}
