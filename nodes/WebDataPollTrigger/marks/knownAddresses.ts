import { createHash } from 'node:crypto';

/** Most addresses that are remembered, 11 bytes each: n8n stores them with the workflow. */
export const MOST_KNOWN = 10_000;

/** What is new of a list, and what is known after it. */
export interface Compared {
	/** Positions in the list of what was not known, each address once, in its order. */
	fresh: number[];
	/** Short hashes, the ones that were not seen for longest first. */
	known: string[];
}

/**
 * Compares a list of addresses with those of all earlier lists. What is not in the list any more stays
 * known, so that a page that is away for a day is not new when it comes back; beyond MOST_KNOWN those go
 * first that were not seen for longest.
 */
export function compareAddresses(earlier: readonly string[], seen: readonly string[]): Compared {
	const before = new Set(earlier);
	const now = new Set<string>();
	const fresh: number[] = [];
	seen.forEach((address, position) => {
		const hash = hashOf(address);
		if (!before.has(hash) && !now.has(hash)) fresh.push(position);
		now.add(hash);
	});
	const away = earlier.filter((hash) => !now.has(hash));
	return { fresh, known: [...away, ...now].slice(-MOST_KNOWN) };
}

/** 48 bits: two of 10,000 addresses share a hash once in six million sites. */
function hashOf(address: string): string {
	return createHash('sha256').update(address).digest('base64url').slice(0, 8);
}
