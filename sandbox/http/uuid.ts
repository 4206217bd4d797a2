import { refusal } from './refusals.ts';
import type { Answer } from './answer.ts';

export const UUID = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;

/** The refusal of an id that is none, as a server of 2026 gives it (recordings crawl-31, batch-51); one of 2025 knows it as little as any other. */
export function refuseMalformedId(id: string, generation: 2025 | 2026): Answer | undefined {
	if (generation === 2025 || UUID.test(id)) return undefined;
	return refusal(400, 'Invalid job ID format. Job ID must be a valid UUID.');
}
