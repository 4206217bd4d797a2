import { z } from 'zod';

const HOOK_EVENTS = ['started', 'page', 'completed', 'failed'] as const;

/** Where a job pushes its events; a bare URL will do (shape webhookConfig). */
export const webhookSchema = z.preprocess(
	(value) => (typeof value === 'string' ? { url: value } : value),
	z
		.object({
			url: z.string().url(),
			headers: z.record(z.string()).default({}),
			metadata: z.record(z.string()).default({}),
			events: z.array(z.enum(HOOK_EVENTS)).default([...HOOK_EVENTS]),
		})
		.strict(),
);

export type Webhook = z.output<typeof webhookSchema>;
