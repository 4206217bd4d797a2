import { z } from 'zod';

import { UNKNOWN_KEY_TEXT } from '../http/bodySchema.ts';

const HOOK_EVENTS = ['completed', 'failed', 'page', 'started'] as const;

const OWN_SIGNATURE_TEXT = 'X-Firecrawl-Signature header cannot be set';
const allEvents = [...HOOK_EVENTS];

/** Where a job pushes its events; a bare URL will do (shape webhookConfig). An empty list of events means all, on a server of 2026. */
export function webhookSchema(generation: 2025 | 2026) {
	return z.preprocess(
		(value) => (typeof value === 'string' ? { url: value } : value),
		z
			.object({
				url: z.string().url(),
				headers: z
					.record(z.string())
					.default({})
					.refine(
						(headers) =>
							!Object.keys(headers).some((name) => /^x-firecrawl-signature$/i.test(name)),
						OWN_SIGNATURE_TEXT,
					),
				metadata: z.record(z.string()).default({}),
				events: z
					.array(z.enum(HOOK_EVENTS))
					.default(allEvents)
					.transform((events) => (generation === 2026 && events.length === 0 ? allEvents : events)),
			})
			.strict(UNKNOWN_KEY_TEXT),
	);
}

export type Webhook = z.output<ReturnType<typeof webhookSchema>>;
