import { z } from 'zod';

import { UNKNOWN_KEY_TEXT, callerFields, pageUrl, refusingNewer } from '../http/bodySchema.ts';
import {
	NEWER_SCRAPE_FIELDS,
	WAIT_TEXT,
	scrapeFields,
	waitFits,
} from '../scrape/options/scrapeOptions.ts';
import { webhookSchema } from '../webhooks/webhookConfig.ts';
import type { Generation } from '../http/bodySchema.ts';

/** The body of a batch's start. Its addresses are read by themselves: see `readBatch`. */
export function batchRequestSchema(generation: Generation) {
	return refusingNewer(
		generation,
		NEWER_SCRAPE_FIELDS,
		z
			.object({
				urls: z.array(z.unknown()),
				...scrapeFields(generation),
				webhook: webhookSchema.optional(),
				maxConcurrency: z.number().int().min(1).optional(),
				// The default changed from false (recording batch-05b) to true (CONTRACT section 14).
				ignoreInvalidURLs: z.boolean().default(generation === 2026),
				appendToId: z.string().uuid().optional(),
				zeroDataRetention: z.boolean().optional(),
				...callerFields,
			})
			.strict(UNKNOWN_KEY_TEXT)
			.refine(waitFits, WAIT_TEXT),
	);
}

export type BatchRequest = Omit<z.output<ReturnType<typeof batchRequestSchema>>, 'urls'> & {
	urls: string[];
	/** What was left out because it is no address. */
	invalidUrls: string[];
};

const strictUrls = z.object({ urls: z.array(pageUrl) });

/** Reads the body of a batch's start; bad addresses are left out or refused as it asks for (recordings batch-04, batch-05). */
export function readBatch(
	body: unknown,
	generation: Generation,
): { request: BatchRequest } | { issues: readonly unknown[] } {
	const read = batchRequestSchema(generation).safeParse(body ?? {});
	if (!read.success) return { issues: read.error.issues };
	const { urls: given, ...rest } = read.data;
	if (!rest.ignoreInvalidURLs) {
		const all = strictUrls.safeParse({ urls: given });
		if (!all.success) return { issues: all.error.issues };
		return { request: { ...rest, urls: all.data.urls, invalidUrls: [] } };
	}
	const urls: string[] = [];
	const invalidUrls: string[] = [];
	for (const one of given) {
		const url = pageUrl.safeParse(one);
		if (url.success) urls.push(url.data);
		else invalidUrls.push(typeof one === 'string' ? one : (JSON.stringify(one) ?? ''));
	}
	return { request: { ...rest, urls, invalidUrls } };
}
