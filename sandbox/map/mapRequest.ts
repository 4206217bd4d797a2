import { z } from 'zod';

import { UNKNOWN_KEY_TEXT, callerFields, pageUrl, refusingNewer } from '../http/bodySchema.ts';
import {
	auditMetadataSchema,
	locationSchema,
	threatProtectionSchema,
} from '../scrape/options/scrapeOptions.ts';
import type { Generation } from '../http/bodySchema.ts';

const newerFields = {
	location: locationSchema.optional(),
	auditMetadata: auditMetadataSchema.optional(),
	threatProtection: threatProtectionSchema.optional(),
	ignoreCache: z.boolean().optional(),
	// Taken without being documented (recording map-06).
	headers: z.record(z.string()).optional(),
	filterByPath: z.boolean().optional(),
	useIndex: z.boolean().optional(),
};

/** The body of a map (operation map.map). */
export function mapRequestSchema(generation: Generation) {
	return refusingNewer(
		generation,
		Object.keys(newerFields),
		z
			.object({
				url: pageUrl(generation),
				search: z.string().optional(),
				sitemap: z.enum(['only', 'include', 'skip']).default('include'),
				includeSubdomains: z.boolean().default(true),
				ignoreQueryParameters: z.boolean().default(true),
				// A server of 2025 stops at 30,000 (docs/service-notes.md#where-servers-differ).
				limit: z
					.number()
					.int()
					.min(1)
					.max(generation === 2025 ? 30_000 : 100_000)
					.default(5000),
				timeout: z.number().int().positive().optional(),
				...newerFields,
				...callerFields(generation),
			})
			.strict(UNKNOWN_KEY_TEXT),
	);
}

export type MapRequest = z.output<ReturnType<typeof mapRequestSchema>>;
