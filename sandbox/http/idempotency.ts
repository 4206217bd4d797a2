import { refusal } from './refusals.ts';
import { UUID } from './uuid.ts';
import type { Answer } from './answer.ts';

/** Keys of starts that were seen. */
export interface IdempotencyKeys {
	/** The refusal for this header, if there is one; a key is used up by being checked. */
	refuse(header: string | string[] | undefined): Answer | undefined;
	clear(): void;
}

/**
 * See `IdempotencyKeys`. A second use and what is no UUID are refused alike
 * (docs/service-notes.md#no-duplicate-protection). `hasStore`: false for a self-hosted server without a
 * database, which fails (recording crawl-39).
 */
export function idempotencyKeys(hasStore: boolean, failure: () => Answer): IdempotencyKeys {
	const used = new Set<string>();
	return {
		refuse(header) {
			const key = Array.isArray(header) ? header[0] : header;
			if (key === undefined || key === '') return undefined;
			if (!UUID.test(key)) return refusal(409, 'Idempotency key already used');
			if (!hasStore) return failure();
			if (used.has(key.toLowerCase())) return refusal(409, 'Idempotency key already used');
			used.add(key.toLowerCase());
			return undefined;
		},
		clear: () => used.clear(),
	};
}
