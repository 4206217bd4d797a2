import { z } from 'zod';
import { UNKNOWN_KEY_TEXT, callerFields, refusingNewer } from '../http/bodySchema.ts';
import type { Generation } from '../http/bodySchema.ts';
import { formatsSchema } from '../scrape/options/formats.ts';
import {
	NEWER_SCRAPE_FIELDS,
	scrapeFields,
	threatProtectionSchema,
	waitFits,
	waitText,
} from '../scrape/options/scrapeOptions.ts';

const asObject = (value: unknown): unknown => (typeof value === 'string' ? { type: value } : value);

const source = z.preprocess(
	asObject,
	z.union([
		z
			.object({
				type: z.literal('web'),
				tbs: z.string().optional(),
				filter: z.string().optional(),
				lang: z.string().optional(),
				country: z.string().optional(),
				location: z.string().optional(),
			})
			.strict(),
		z.object({ type: z.literal('images') }).strict(),
		z.object({ type: z.literal('news') }).strict(),
	]),
);

const category = (generation: Generation) =>
	z.preprocess(
		asObject,
		z
			.object({ type: z.enum(['github', 'research', 'pdf', 'developer']) })
			.strict()
			.refine(({ type }) => generation === 2026 || type === 'github' || type === 'research', 'Invalid category'),
	);

const hostname = z
	.string()
	.refine((text) => /^[\p{L}\d.*-]+(?::\d+)?$/u.test(text), 'Domain must be a valid hostname without protocol or path');

const newerFields = {
	includeDomains: z.array(hostname).optional(),
	excludeDomains: z.array(hostname).optional(),
	safe: z.boolean().optional(),
	filter: z.string().optional(),
	asyncScraping: z.boolean().optional(),
	highlights: z.boolean().optional(),
	enterprise: z.array(z.enum(['default', 'anon', 'zdr'])).optional(),
	threatProtection: threatProtectionSchema.optional(),
};

/** Page settings of a search: no formats means no scraping, change tracking is refused (shape format). */
function hitScrapeOptions(generation: Generation) {
	return refusingNewer(
		generation,
		NEWER_SCRAPE_FIELDS,
		z
			.object({
				...scrapeFields(generation),
				formats: formatsSchema(generation)
					.refine(
						(formats) => !formats.some(({ type }) => type === 'changeTracking'),
						'changeTracking is not supported in search',
					)
					.default([]),
				zeroDataRetention: z.boolean().optional(),
			})
			.strict(UNKNOWN_KEY_TEXT)
			.refine(waitFits, waitText(generation)),
	);
}

/** The body of a search (operation search.search). */
export function searchRequestSchema(generation: Generation) {
	return refusingNewer(
		generation,
		Object.keys(newerFields),
		z
			.object({
				query: z.string().max(generation === 2025 ? Infinity : 500),
				limit: z
					.number()
					.int()
					.positive()
					.max(100)
					.default(generation === 2025 ? 5 : 10),
				sources: z.array(source).default(['web']),
				categories: z.array(category(generation)).default([]),
				tbs: z.string().optional(),
				location: z.string().optional(),
				country: z.string().optional(),
				lang: z.string().optional(),
				timeout: z.number().int().positive().default(60_000),
				ignoreInvalidURLs: z.boolean().default(false),
				scrapeOptions: hitScrapeOptions(generation).default({}),
				...newerFields,
				...callerFields(generation),
			})
			.strict(UNKNOWN_KEY_TEXT)
			.refine(
				({ includeDomains, excludeDomains }) => !(includeDomains && excludeDomains),
				'includeDomains and excludeDomains cannot both be specified',
			)
			.refine(
				({ categories }) => categories.length <= 1 || !categories.some(({ type }) => type === 'developer'),
				'the developer category cannot be combined with other categories',
			),
	);
}

export type SearchRequest = z.output<ReturnType<typeof searchRequestSchema>>;
