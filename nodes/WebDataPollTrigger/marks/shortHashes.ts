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

/** Reads what packHashes made, or the list of older versions; anything else holds none. */
export function unpackHashes(stored: unknown): string[] {
	if (Array.isArray(stored)) return stored.filter((one) => typeof one === 'string');
	return typeof stored === 'string' ? (stored.match(/.{8}/gs) ?? []) : [];
}
