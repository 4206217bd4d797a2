import { z } from 'zod';

import { UNKNOWN_KEY_TEXT } from '../http/bodySchema.ts';

const HOOK_EVENTS = ['completed', 'failed', 'page', 'started'] as const;

/** The events of an agent's hook (recording agent-70). */
export const AGENT_EVENTS = ['started', 'action', 'completed', 'failed', 'cancelled'] as const;

export type HookEvent = (typeof HOOK_EVENTS)[number] | (typeof AGENT_EVENTS)[number];

const OWN_SIGNATURE_TEXT = 'The following headers are not allowed: x-firecrawl-signature';

const isSignature = (name: string): boolean => /^x-firecrawl-signature$/i.test(name);

/**
 * Where a job pushes its events (shape webhookConfig); a bare URL will do. An empty list of events means
 * all on a server of 2026, and the header of the signature is refused (recording agent-73).
 */
export function hookSchema<const Event extends HookEvent>(
	events: readonly [Event, ...Event[]],
	generation: 2025 | 2026,
) {
	const all: Event[] = [...events];
	return z.preprocess(
		(value) => (typeof value === 'string' ? { url: value } : value),
		z
			.object({
				url: z.string().url(),
				headers: z.record(z.string()).default({}),
				metadata: z.record(z.string()).default({}),
				events: z.array(z.enum(events)).default(all),
			})
			.strict(UNKNOWN_KEY_TEXT)
			.refine(
				({ headers }) => generation === 2025 || !Object.keys(headers).some(isSignature),
				OWN_SIGNATURE_TEXT,
			)
			.transform((hook): Webhook => {
				const isAll = generation === 2026 && hook.events.length === 0;
				return { ...hook, events: isAll ? all : hook.events };
			}),
	);
}

/** The hook of a crawl, a batch or an extract. */
export function webhookSchema(generation: 2025 | 2026) {
	return hookSchema(HOOK_EVENTS, generation);
}

/** A hook as it was read. */
export interface Webhook {
	url: string;
	headers: Record<string, string>;
	metadata: Record<string, string>;
	events: HookEvent[];
}
