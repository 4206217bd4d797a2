import { z } from 'zod/v4';
import { toolFields } from '../dataTools/catalogue.ts';
import { callerFields } from '../http/bodySchema.ts';
import { formatsSchema } from '../scrape/options/formats.ts';
import { scrapeFields, threatProtectionSchema, waitFits, waitText } from '../scrape/options/scrapeOptions.ts';

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
		z.object({ type: z.literal('alexandria') }).strict(),
	]),
);

const category = z.preprocess(
	asObject,
	z.object({ type: z.enum(['github', 'research', 'pdf', 'developer', 'gov']) }).strict(),
);

const hostname = z
	.string()
	.refine((text) => /^[\p{L}\d.*-]+(?::\d+)?$/u.test(text), 'Domain must be a valid hostname without protocol or path');

/** Page settings of a search: no formats means no scraping, change tracking is refused (shape format). */
const hitScrapeOptions = z
	.object({
		...scrapeFields,
		formats: formatsSchema
			.refine(
				(formats) => !formats.some(({ type }) => type === 'changeTracking'),
				'changeTracking is not supported in search',
			)
			.default([]),
		zeroDataRetention: z.boolean().optional(),
	})
	.strict()
	.refine(waitFits, waitText);

/** The body of a search (operation search.search). */
export const searchRequestSchema = z
	.object({
		query: z.string().max(500),
		...toolFields,
		limit: z.number().int().positive().max(100).default(10),
		sources: z.array(source).prefault(['web']),
		categories: z.array(category).default([]),
		tbs: z.string().optional(),
		location: z.string().optional(),
		country: z.string().optional(),
		lang: z.string().optional(),
		timeout: z.number().int().positive().default(60_000),
		ignoreInvalidURLs: z.boolean().default(false),
		scrapeOptions: hitScrapeOptions.prefault({}),
		includeDomains: z.array(hostname).optional(),
		excludeDomains: z.array(hostname).optional(),
		safe: z.boolean().optional(),
		filter: z.string().optional(),
		asyncScraping: z.boolean().optional(),
		highlights: z.boolean().optional(),
		enterprise: z.array(z.enum(['default', 'anon', 'zdr'])).optional(),
		threatProtection: threatProtectionSchema.optional(),
		...callerFields,
	})
	.strict()
	.refine(
		({ includeDomains, excludeDomains }) => !(includeDomains && excludeDomains),
		'includeDomains and excludeDomains cannot both be specified',
	)
	.refine(
		({ categories }) => categories.length <= 1 || !categories.some(({ type }) => type === 'developer'),
		'the developer category cannot be combined with other categories',
	)
	.refine(
		({ categories }) => categories.length <= 1 || !categories.some(({ type }) => type === 'gov'),
		'the gov category cannot be combined with other categories',
	);

export type SearchRequest = z.output<typeof searchRequestSchema>;
