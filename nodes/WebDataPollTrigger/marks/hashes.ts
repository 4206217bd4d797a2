import { createHash } from 'node:crypto';
import type { Pause } from '../../service/http/time';

/** Characters of a short hash. */
const LENGTH = 8;

/** Texts that are hashed before others in the process have their turn: some milliseconds. */
const TEXTS_BETWEEN_PAUSES = 1000;

/** 48 bits: two of 50,000 texts share a hash once in 200,000 sites. */
export function shortHash(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, LENGTH);
}

/** The same for many texts, in their order. */
export async function shortHashes(texts: readonly string[], pause: Pause): Promise<string[]> {
	const hashes: string[] = [];
	for (const text of texts) {
		hashes.push(shortHash(text));
		if (hashes.length % TEXTS_BETWEEN_PAUSES === 0) await pause();
	}
	return hashes;
}

/** As one text: n8n stores it with the workflow. */
export function packHashes(hashes: readonly string[]): string {
	return hashes.join('');
}

/** Reads what packHashes made; anything else holds none. */
export function unpackHashes(stored: unknown): string[] {
	return typeof stored === 'string' ? (stored.match(/.{8}/gs) ?? []) : [];
}

/** Most pages, results or jobs that are remembered, 8 bytes each: n8n stores them with the workflow. */
export const MAX_KNOWN = 50_000;

/** The new entries of a list, and all entries that are known after it. */
interface Compared {
	/** Positions in the list of what was not known, each hash once, in its order. */
	fresh: number[];
	/** The ones that were not seen for longest first. */
	known: string[];
}

/**
 * Compares the hashes of a list with those of all earlier lists. What is not in the list any more stays
 * known, so that a page that is away for a day is not new when it comes back. Beyond MAX_KNOWN those go first
 * that were not seen for longest: what is listed now is never forgotten, and what was forgotten is new again.
 */
export function compareHashes(earlier: readonly string[], seen: readonly string[]): Compared {
	const before = new Set(earlier);
	const compared = comparable(seen);
	const now = new Set<string>();
	const fresh: number[] = [];
	seen.forEach((hash, position) => {
		if (!compared(hash)) return;
		if (!before.has(hash) && !now.has(hash)) fresh.push(position);
		now.add(hash);
	});
	const away = earlier.filter((hash) => !now.has(hash));
	return { fresh, known: [...away, ...now].slice(-MAX_KNOWN) };
}

/**
 * The entries of a list that are compared: all, or as many as can be remembered. Then they are chosen by their hashes,
 * so that it is always the same ones, in whatever order they are listed.
 */
function comparable(seen: readonly string[]): (hash: string) => boolean {
	const all = seen.length > MAX_KNOWN ? [...new Set(seen)].sort() : [];
	const last = all[MAX_KNOWN - 1];
	return last === undefined ? () => true : (hash) => hash <= last;
}
