import { z } from 'zod';
import { UNKNOWN_KEY_TEXT, callerFields, pageUrl, refusingNewer } from '../../http/bodySchema.ts';
import type { Generation } from '../../http/bodySchema.ts';
import { actionsSchema } from './actions.ts';
import { formatsSchema } from './formats.ts';

/** Settings of a page (shape scrapeOptions), with the defaults that recording crawl-03 shows. */

const COUNTRY_TEXT = 'Invalid country code. Use a valid ISO 3166-1 alpha-2 country code.';

/** Of a place that the request should seem to come from (shape location). */
export const locationSchema = z
	.object({
		country: z
			.string()
			.refine((code) => /^[A-Za-z]{2}$/.test(code), COUNTRY_TEXT)
			.transform((code) => code.toUpperCase())
			.optional(),
		languages: z.array(z.string()).optional(),
	})
	.strict();

export const auditMetadataSchema = z.object({ username: z.string().max(1024) }).strict();

const domains = z.array(z.string()).max(1000).optional();
export const threatProtectionSchema = z
	.object({
		mode: z.enum(['off', 'normal', 'manual-only', 'zscaler']).optional(),
		riskScoreThreshold: z.number().int().min(0).max(100).optional(),
		blacklist: domains,
		whitelist: domains,
		blockedTlds: domains,
		failurePolicy: z.enum(['open', 'closed']).optional(),
	})
	.strict();

const PII_KINDS = ['PERSON', 'EMAIL', 'PHONE', 'LOCATION', 'FINANCIAL', 'SECRET'] as const;
const redactPII = z.union([
	z.boolean(),
	z
		.object({
			mode: z.enum(['accurate', 'aggressive', 'fast']).default('accurate'),
			entities: z.array(z.enum(PII_KINDS)).optional(),
			replaceStyle: z.enum(['tag', 'mask', 'remove']).default('tag'),
		})
		.strict(),
]);

const asObject = (parser: unknown): unknown => (typeof parser === 'string' ? { type: parser } : parser);
const pdfParser = z
	.object({
		type: z.literal('pdf'),
		mode: z.enum(['fast', 'auto', 'ocr']).default('auto'),
		maxPages: z.number().int().min(1).max(10_000).optional(),
		pages: z.boolean().optional(),
		blocks: z.boolean().optional(),
		pageMarkers: z.boolean().optional(),
		pageMarkdown: z.boolean().optional(),
	})
	.strict();
const parser = z.preprocess(asObject, z.union([pdfParser, z.object({ type: z.literal('image') }).strict()]));
type Parser = z.output<typeof parser>;
type Schema<Output> = z.ZodType<Output, z.ZodTypeDef, unknown>;

// A server of 2025 knows nothing but the name.
const parser2025: Schema<Parser> = z.literal('pdf').transform(() => pdfParser.parse({ type: 'pdf' }));

// The name of the better proxy changed (docs/service-notes.md#where-servers-differ).
type ProxyName = 'basic' | 'stealth' | 'enhanced' | 'auto';
const proxy2026: Schema<ProxyName> = z.enum(['basic', 'stealth', 'enhanced', 'auto']);
const proxy2025: Schema<ProxyName> = z.enum(['basic', 'stealth', 'auto']);

const LONGEST_WAIT_MS = 60_000;
const milliseconds = z.number().int().min(0);

/** Not known to a server of 2025 (docs/service-notes.md#servers-of-your-own). */
const newerFields = {
	onlyCleanContent: z.boolean().optional(),
	minAge: milliseconds.optional(),
	lockdown: z.boolean().optional(),
	redactPII: redactPII.optional(),
	profile: z
		.object({ name: z.string().min(1).max(128), saveChanges: z.boolean().optional() })
		.strict()
		.optional(),
	threatProtection: threatProtectionSchema.optional(),
	auditMetadata: auditMetadataSchema.optional(),
};

export const NEWER_SCRAPE_FIELDS: readonly string[] = Object.keys(newerFields);

/** The fields of a page's settings, for bodies that hold them at their top level. */
export function scrapeFields(generation: Generation) {
	return {
		formats: formatsSchema(generation).default(['markdown']),
		onlyMainContent: z.boolean().default(true),
		includeTags: z.array(z.string()).optional(),
		excludeTags: z.array(z.string()).optional(),
		maxAge: milliseconds.optional(),
		headers: z.record(z.string()).optional(),
		waitFor: milliseconds.max(LONGEST_WAIT_MS).default(0),
		mobile: z.boolean().default(false),
		skipTlsVerification: z.boolean().default(true),
		timeout: z.number().int().min(1000).max(300_000).optional(),
		parsers: z.array(generation === 2025 ? parser2025 : parser).optional(),
		actions: actionsSchema.optional(),
		location: locationSchema.optional(),
		removeBase64Images: z.boolean().default(true),
		fastMode: z.boolean().default(false),
		blockAds: z.boolean().default(true),
		proxy: (generation === 2025 ? proxy2025 : proxy2026).default('auto'),
		storeInCache: z.boolean().default(true),
		...newerFields,
	};
}

const DEFAULT_TIMEOUT_MS = 60_000;

/** `waitFor` may take half of the time at most (shape scrapeOptions). */
export function waitFits(options: { waitFor: number; timeout?: number | undefined }): boolean {
	return options.waitFor <= (options.timeout ?? DEFAULT_TIMEOUT_MS) / 2;
}

/** The words for it, and the place that one of 2026 names (recordings crawl-123, scrape-41). */
export function waitText(generation: Generation): { message: string; path: string[] } {
	const message = 'waitFor must not exceed half of timeout';
	return { message, path: generation === 2025 ? [] : ['waitFor'] };
}

/** The settings as an object of their own: inside a crawl or a search. */
export function scrapeOptionsSchema(generation: Generation) {
	return refusingNewer(
		generation,
		NEWER_SCRAPE_FIELDS,
		z.object(scrapeFields(generation)).strict(UNKNOWN_KEY_TEXT).refine(waitFits, waitText(generation)),
	);
}

export type ScrapeOptions = z.output<ReturnType<typeof scrapeOptionsSchema>>;

/** The body of a scrape. */
export function scrapeRequestSchema(generation: Generation) {
	return refusingNewer(
		generation,
		NEWER_SCRAPE_FIELDS,
		z
			.object({
				url: pageUrl(generation),
				...scrapeFields(generation),
				...callerFields(generation),
				zeroDataRetention: z.boolean().optional(),
			})
			.strict(UNKNOWN_KEY_TEXT)
			.refine(waitFits, waitText(generation)),
	);
}
