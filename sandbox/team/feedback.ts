import { z } from 'zod';

/** What somebody says of a result (recordings feedback-01 to feedback-23). */

const issueCode = z
	.string()
	.max(64)
	.regex(
		/^[a-z0-9][a-z0-9_-]*$/,
		'Issue codes must use lowercase letters, numbers, underscores, or hyphens',
	);
const source = z.object({ url: z.string(), reason: z.string().optional() }).strict();
const topic = z.object({ topic: z.string(), description: z.string().optional() }).strict();
const rating = z.enum(['good', 'bad', 'partial']);

const shared = {
	rating,
	valuableSources: z.array(source).optional(),
	missingContent: z.array(topic).optional(),
	querySuggestions: z.string().optional(),
	origin: z.string().optional(),
	integration: z.string().optional(),
};

const NO_SIGNAL =
	'Feedback must include at least one substantive signal: issues, note, sources, missingContent, querySuggestions, url, or pageNumbers.';
const NO_SUBSTANCE =
	"Feedback must be substantive. 'good' requires at least one valuableSources entry; 'partial' requires valuableSources or at least one missingContent entry; 'bad' requires at least one missingContent entry or querySuggestions.";

/** Feedback on a job of any kind (operation feedback.submitFeedback). */
export const feedbackSchema = z
	.object({
		endpoint: z.enum(['search', 'scrape', 'parse', 'map']),
		jobId: z.string().uuid(),
		...shared,
		issues: z.array(issueCode).optional(),
		tags: z.array(z.string()).optional(),
		note: z.string().max(4000).optional(),
		url: z.string().optional(),
		pageNumbers: z.array(z.number().int()).optional(),
		metadata: z.record(z.unknown()).optional(),
	})
	.strict()
	.refine(
		(given) =>
			[
				given.issues,
				given.note,
				given.valuableSources,
				given.missingContent,
				given.querySuggestions,
				given.url,
				given.pageNumbers,
			].some((signal) => (signal?.length ?? 0) > 0),
		NO_SIGNAL,
	);

/** Feedback on a search (operation feedback.submitSearchFeedback). */
export const searchFeedbackSchema = z
	.object(shared)
	.strict()
	.refine((given) => {
		const hasSources = (given.valuableSources?.length ?? 0) > 0;
		const hasMissing = (given.missingContent?.length ?? 0) > 0;
		if (given.rating === 'good') return hasSources;
		if (given.rating === 'partial') return hasSources || hasMissing;
		return hasMissing || Boolean(given.querySuggestions);
	}, NO_SUBSTANCE);
