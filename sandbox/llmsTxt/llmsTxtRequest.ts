import { z } from 'zod';

import { pageUrl } from '../http/bodySchema.ts';

/** The body of an llms.txt's start; what is not known is dropped (recordings llms-07, llms-30 to llms-41). */
export const llmsTxtRequestSchema = z.object({
	url: pageUrl(2026),
	maxUrls: z.number().min(1).max(5000).default(10),
	showFullText: z.boolean().default(false),
	cache: z.boolean().default(true),
});

export type LlmsTxtRequest = z.output<typeof llmsTxtRequestSchema>;
