import { z } from 'zod';

import { UNKNOWN_KEY_TEXT, callerFields, pageUrl } from '../http/bodySchema.ts';
import { extractSchemaField } from '../http/jsonSchemaField.ts';
import { scrapeOptionsSchema, threatProtectionSchema } from '../scrape/options/scrapeOptions.ts';
import { webhookSchema } from '../webhooks/webhookConfig.ts';

const MAX_URLS_TEXT = 'Maximum of 10 URLs allowed per request while in beta.';
const text = z.string().max(10_000);

/** The body of an extract's start (operation extract.start; recordings extract-01, extract-60 to extract-91). */
export const extractRequestSchema = z
	.object({
		urls: z.array(pageUrl(2026)).max(10, MAX_URLS_TEXT).optional(),
		prompt: text.optional(),
		systemPrompt: text.optional(),
		schema: extractSchemaField,
		limit: z.number().int().positive().optional(),
		ignoreSitemap: z.boolean().default(false),
		includeSubdomains: z.boolean().default(true),
		allowExternalLinks: z.boolean().default(false),
		enableWebSearch: z.boolean().default(false),
		showSources: z.boolean().default(false),
		ignoreInvalidURLs: z.boolean().default(true),
		scrapeOptions: scrapeOptionsSchema(2026).optional(),
		timeout: z.number().int().min(1000).optional(),
		urlTrace: z.boolean().default(false),
		agent: z.object({ model: z.string().optional() }).passthrough().optional(),
		webhook: webhookSchema(2026).optional(),
		threatProtection: threatProtectionSchema.optional(),
		__experimental_streamSteps: z.boolean().optional(),
		__experimental_llmUsage: z.boolean().optional(),
		__experimental_showCostTracking: z.boolean().optional(),
		...callerFields(2026),
	})
	.strict(UNKNOWN_KEY_TEXT)
	.refine(
		({ urls, prompt }) => urls !== undefined || prompt !== undefined,
		"Either 'urls' or 'prompt' must be provided.",
	);

export type ExtractRequest = z.output<typeof extractRequestSchema>;
