import { z } from 'zod/v4';
import { toolFields } from '../../dataTools/catalogue.ts';
import { callerFields, pageUrl } from '../../http/bodySchema.ts';
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

const proxyName = z.enum(['basic', 'stealth', 'enhanced', 'auto']);

const LONGEST_WAIT_MS = 60_000;
const milliseconds = z.number().int().min(0);

/** The fields of a page's settings, for bodies that hold them at their top level. */
export const scrapeFields = {
	formats: formatsSchema.prefault(['markdown']),
	onlyMainContent: z.boolean().default(true),
	includeTags: z.array(z.string()).optional(),
	excludeTags: z.array(z.string()).optional(),
	maxAge: milliseconds.optional(),
	headers: z.record(z.string(), z.string()).optional(),
	waitFor: milliseconds.max(LONGEST_WAIT_MS).default(0),
	mobile: z.boolean().default(false),
	skipTlsVerification: z.boolean().default(true),
	timeout: z.number().int().min(1000).max(300_000).optional(),
	parsers: z.array(parser).optional(),
	actions: actionsSchema.optional(),
	location: locationSchema.optional(),
	removeBase64Images: z.boolean().default(true),
	fastMode: z.boolean().default(false),
	blockAds: z.boolean().default(true),
	proxy: proxyName.default('auto'),
	storeInCache: z.boolean().default(true),
	onlyCleanContent: z.boolean().optional(),
	minAge: milliseconds.optional(),
	lockdown: z.boolean().optional(),
	redactPII: redactPII.optional(),
	checkPromptInjection: z.boolean().optional(),
	profile: z
		.object({ name: z.string().min(1).max(128), saveChanges: z.boolean().optional() })
		.strict()
		.optional(),
	threatProtection: threatProtectionSchema.optional(),
	auditMetadata: auditMetadataSchema.optional(),
};

const DEFAULT_TIMEOUT_MS = 60_000;

/** `waitFor` may take half of the time at most (shape scrapeOptions). */
export function waitFits(options: { waitFor: number; timeout?: number | undefined }): boolean {
	return options.waitFor <= (options.timeout ?? DEFAULT_TIMEOUT_MS) / 2;
}

/** The words for it, and the place (recordings crawl-123, scrape-41). */
export const waitText = { message: 'waitFor must not exceed half of timeout', path: ['waitFor'] };

/** The settings as an object of their own: inside a crawl or a search. */
export const scrapeOptionsSchema = z.object(scrapeFields).strict().refine(waitFits, waitText);

export type ScrapeOptions = z.output<typeof scrapeOptionsSchema>;

/** The body of a scrape. */
export const scrapeRequestSchema = z
	.object({
		url: pageUrl,
		...scrapeFields,
		...callerFields,
		...toolFields,
		zeroDataRetention: z.boolean().optional(),
	})
	.strict()
	.refine(waitFits, waitText);
