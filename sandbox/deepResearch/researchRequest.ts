import { z } from 'zod';

// Limits and defaults: docs/service-notes.md#deep-research. What is refused and in which words: recordings
// dr-20 to dr-33. Unknown fields are dropped (dr-34), but not in jsonOptions; fractions pass (dr-35).
const bodySchema = z
	.object({
		query: z.string().optional(),
		topic: z.string().optional(),
		maxDepth: z.number().min(1).max(12).default(7),
		timeLimit: z.number().min(30).max(600).default(300),
		maxUrls: z.number().min(1).max(1000).default(20),
		analysisPrompt: z.string().optional(),
		systemPrompt: z.string().optional(),
		formats: z.array(z.enum(['markdown', 'json'])).default(['markdown']),
		jsonOptions: z
			.object({
				schema: z.unknown(),
				systemPrompt: z.string().optional(),
				prompt: z.string().optional(),
			})
			.strict(
				'Unrecognized key in body -- please review the v1 API documentation for request body changes',
			)
			.optional(),
	})
	.refine((body) => body.query || body.topic, 'Either query or topic must be provided')
	.refine(
		(body) => body.formats.includes('json') === (body.jsonOptions !== undefined),
		"When 'json' format is specified, jsonOptions must be provided, and vice versa",
	)
	// `topic` is the old name of `query` and wins where both are sent (recording dr-05).
	.transform(({ topic, query, ...rest }) => ({ ...rest, query: topic ?? query ?? '' }));

/** A deep research request with its defaults filled in. `timeLimit` is in seconds. */
export type ResearchRequest = z.output<typeof bodySchema>;

/** The request, or zod's issues as the service gives them in `details`. No body counts as an empty one (dr-21). */
export function readResearchRequest(
	body: unknown,
): { request: ResearchRequest } | { issues: readonly z.ZodIssue[] } {
	const read = bodySchema.safeParse(body ?? {});
	return read.success ? { request: read.data } : { issues: read.error.issues };
}

/** The text faults are matched against, also where the body as a whole is refused. */
export function queryOf(body: unknown): string | undefined {
	const read = z
		.object({ query: z.string().optional(), topic: z.string().optional() })
		.safeParse(body);
	return read.success ? (read.data.topic ?? read.data.query) : undefined;
}
