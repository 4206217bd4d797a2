import type { Ledger, LedgerEntry } from '../../../service/jobs/ledger';

/** An entry of the ledger, and its key there. */
export interface Kept {
	key: string;
	entry: LedgerEntry;
}

/**
 * Jobs of earlier tries that are kept besides those that tries work on: others were started in their place.
 * They are named to the user once.
 */
export class LeftJobs {
	/** Keys of the entries that belong to this try. */
	private readonly inUse = new Set<string>();

	/** Those of them that are kept for the next try only. */
	private readonly retired = new Set<string>();

	constructor(
		private readonly ledger: Ledger,
		private readonly runIndex: number,
		private readonly isTool: boolean,
	) {}

	/** To be called for each entry that this try works on. */
	use(key: string): void {
		this.inUse.add(key);
	}

	/** To be called before `id` is noted under a key: the job there was paid for, and is named. */
	makeRoom(key: string, id: string | undefined): void {
		const earlier = this.ledger.find(key);
		if (earlier?.id === undefined || earlier.id === id) return;
		this.ledger.remember(keyOfLeft(earlier.id), earlier);
	}

	/** The job has no result, so that the next try starts another one in its place. */
	retire(key: string, ended: 'failed' | 'gone'): void {
		const entry = this.ledger.find(key);
		this.ledger.forget(key);
		if (entry?.id === undefined) return;
		const left = keyOfLeft(entry.id);
		this.ledger.remember(left, { ...entry, ended });
		if (this.isTool) return;
		this.inUse.add(left);
		this.retired.add(left);
	}

	/** Jobs of an earlier try in this run of the node that this try did not take up. */
	get all(): LedgerEntry[] {
		return this.unused.map(({ entry }) => entry);
	}

	/** To be called when they have been named to the user. */
	forget(): void {
		for (const { key } of this.unused) this.ledger.forget(key);
		for (const key of this.retired) this.ledger.forget(key);
	}

	private get unused(): Kept[] {
		if (this.isTool) return [];
		return this.ledger.all.filter(({ key, entry }) => {
			return entry.id !== undefined && entry.runIndex === this.runIndex && !this.inUse.has(key);
		});
	}
}

function keyOfLeft(id: string): string {
	return `left:${id}`;
}
