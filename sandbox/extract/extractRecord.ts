import { z } from 'zod/v4';
import { callerFields, pageUrl, extractSchemaField } from '../http/bodySchema.ts';
import { scrapeOptionsSchema, threatProtectionSchema } from '../scrape/options/scrapeOptions.ts';
import { webhookSchema } from '../webhooks/webhooks.ts';
import { LIFETIME_MS, stateOf } from '../answerJobs/answerJobs.ts';
import type { AnswerJob, AnswerResult } from '../answerJobs/answerJobs.ts';
import { plausibleValues } from '../text/fillSchema.ts';

const MAX_URLS_TEXT = 'Maximum of 10 URLs allowed per request while in beta.';
const text = z.string().max(10_000);

/** The body of an extract's start (operation extract.start; recordings extract-01, extract-60 to extract-91). */
export const extractRequestSchema = z
	.object({
		urls: z.array(pageUrl).max(10, MAX_URLS_TEXT).optional(),
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
		scrapeOptions: scrapeOptionsSchema.optional(),
		timeout: z.number().int().min(1000).optional(),
		urlTrace: z.boolean().default(false),
		agent: z.object({ model: z.string().optional() }).passthrough().optional(),
		webhook: webhookSchema.optional(),
		threatProtection: threatProtectionSchema.optional(),
		__experimental_streamSteps: z.boolean().optional(),
		__experimental_llmUsage: z.boolean().optional(),
		__experimental_showCostTracking: z.boolean().optional(),
		...callerFields,
	})
	.strict()
	.refine(
		({ urls, prompt }) => urls !== undefined || prompt !== undefined,
		"Either 'urls' or 'prompt' must be provided.",
	);

type ExtractRequest = z.output<typeof extractRequestSchema>;

/** What comes of a prompt without a schema. */
const OPEN = {
	answer: 'Runs cargo bikes for deliveries within the city, from three small hubs.',
	title: 'Cargo bikes in city deliveries',
};

const TOKENS = 313;
const TOKENS_PER_CREDIT = 15;

/** What an extract comes to: made-up values (recordings extract-30 to extract-41). */
export function extractResult({ urls, prompt, schema, showSources }: ExtractRequest): AnswerResult {
	const open = prompt === undefined ? {} : OPEN;
	const data = schema === undefined ? open : plausibleValues(schema, `${prompt ?? ''} ${urls ?? ''}`);
	const sources = Object.fromEntries(Object.keys(Object(data)).map((key) => [key, urls ?? []]));
	const credits = Math.ceil(TOKENS / TOKENS_PER_CREDIT);
	return { fields: { data, ...(showSources && { sources }) }, credits };
}

/** The body of a status answer: `data` is a list until there is a result (recordings extract-02, extract-35). */
export function extractRecord(job: AnswerJob, nowMs: number): Record<string, unknown> {
	const { data, ...more } = job.result.fields;
	const { finished } = job;
	const isDone = finished?.state === 'completed';
	const expiresAt = (finished?.atMs ?? nowMs) + LIFETIME_MS.extract;
	return {
		success: finished?.state !== 'failed',
		data: isDone ? data : [],
		status: stateOf(job),
		...(finished?.state === 'failed' && { error: finished.reason }),
		expiresAt: new Date(Math.floor(expiresAt / 1000) * 1000).toISOString(),
		...(isDone && { ...more, tokensUsed: TOKENS, creditsUsed: job.result.credits }),
	};
}
