import { z } from 'zod';

import { UNKNOWN_KEY_TEXT, callerFields, pageUrl } from '../http/bodySchema.ts';
import { scrapeOptionsSchema } from '../scrape/options/scrapeOptions.ts';
import { webhookSchema } from '../webhooks/webhookConfig.ts';
import type { Generation } from '../http/bodySchema.ts';

type Schema<Output> = z.ZodType<Output, z.ZodTypeDef, unknown>;
type SitemapUse = 'skip' | 'include' | 'only';

// `only` came later (docs/service-notes.md#where-servers-differ).
const sitemap2026: Schema<SitemapUse> = z.enum(['skip', 'include', 'only']);
const sitemap2025: Schema<SitemapUse> = z.enum(['skip', 'include']);

/** Pages of a crawl that names no limit (docs/service-notes.md#prices). */
export const DEFAULT_CRAWL_LIMIT = 10_000;

const DELAY_TEXT = 'The delay parameter is measured in seconds and cannot exceed 60 seconds.';

/** The body of a crawl's start (shape crawlOptions), with the defaults that recording crawl-03 shows. */
export function crawlRequestSchema(generation: Generation) {
	return z
		.object({
			url: pageUrl(generation),
			prompt: z.string().max(10_000).optional(),
			includePaths: z.array(z.string()).default([]),
			excludePaths: z.array(z.string()).default([]),
			maxDiscoveryDepth: (generation === 2025 ? z.number().int().min(0) : z.number()).optional(),
			limit: (generation === 2025 ? z.number().int().min(1) : z.number()).default(
				DEFAULT_CRAWL_LIMIT,
			),
			crawlEntireDomain: z.boolean().optional(),
			allowExternalLinks: z.boolean().default(false),
			allowSubdomains: z.boolean().default(false),
			ignoreRobotsTxt: z.boolean().default(false),
			robotsUserAgent: z.string().optional(),
			sitemap: (generation === 2025 ? sitemap2025 : sitemap2026).default('include'),
			deduplicateSimilarURLs: z.boolean().default(true),
			ignoreQueryParameters: z.boolean().default(false),
			regexOnFullURL: z.boolean().default(false),
			delay: z
				.number()
				.positive()
				.max(generation === 2025 ? Infinity : 60, DELAY_TEXT)
				.optional(),
			maxConcurrency: z.number().int().positive().optional(),
			scrapeOptions: scrapeOptionsSchema(generation).default({}),
			webhook: webhookSchema(generation).optional(),
			zeroDataRetention: z.boolean().optional(),
			...callerFields(generation),
		})
		.strict(UNKNOWN_KEY_TEXT);
}

/** A crawl request with its defaults filled in. `delay` is in seconds. */
export type CrawlRequest = z.output<ReturnType<typeof crawlRequestSchema>>;

/** The body of a preview of crawl options; one of 2026 drops what it does not know (recording crawl-62). */
export function previewRequestSchema(generation: Generation) {
	const body = z.object({
		url: pageUrl(generation),
		prompt: z.string().max(10_000),
		...callerFields(generation),
	});
	return generation === 2025 ? body.strict(UNKNOWN_KEY_TEXT) : body.strip();
}

/** The message of the first pattern that is no regular expression (recording crawl-34). */
export function patternError(patterns: readonly string[]): string | undefined {
	for (const pattern of patterns) {
		try {
			new RegExp(pattern);
		} catch (error) {
			return error instanceof Error ? error.message : String(error);
		}
	}
	return undefined;
}

const NOT_THE_CRAWLERS = new Set([
	'url',
	'prompt',
	'scrapeOptions',
	'webhook',
	'zeroDataRetention',
	'integration',
	'origin',
]);

/** The crawler's own options, as an answer names them (recordings crawl-03, crawl-37). */
export function crawlerOptions(request: CrawlRequest): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(request).filter(([name]) => !NOT_THE_CRAWLERS.has(name)),
	);
}
