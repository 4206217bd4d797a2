import { z } from 'zod';

import { callerFields } from '../http/bodySchema.ts';

/** The bodies of browser sessions; what is not known is dropped (recordings browser-05, browser-18, interact-12). */

/** How to open a session (operation browser.create; recordings browser-60 to browser-71). */
export const sessionRequestSchema = z.object({
	ttl: z.number().min(30).max(3600).default(600),
	activityTtl: z.number().min(10).max(3600).default(300),
	streamWebView: z.boolean().default(true),
	recordSession: z.boolean().default(false),
	profile: z
		.object({ name: z.string().min(1).max(128), saveChanges: z.boolean().default(true) })
		.optional(),
	...callerFields(2026),
});

export type SessionRequest = z.output<typeof sessionRequestSchema>;

const code = z.string().min(1).max(100_000);
const language = z.enum(['python', 'node', 'bash']).default('node');

/** Code to run in a session; `timeout` in seconds (recordings browser-25 to browser-33). */
export const executeRequestSchema = z.object({
	code,
	language,
	timeout: z.number().min(1).max(300).default(30),
	origin: z.string().optional(),
});

export type ExecuteRequest = z.output<typeof executeRequestSchema>;

/** What to do on a scraped page (recordings interact-10 to interact-22). */
export const interactRequestSchema = z
	.object({
		code: code.optional(),
		prompt: z.string().min(1).max(10_000).optional(),
		language,
		timeout: z.number().min(1).max(300).default(30),
		origin: z.string().optional(),
		existingSessionId: z.string().optional(),
	})
	.refine(
		(body) => Boolean(body.code ?? body.prompt),
		"Either 'code' or 'prompt' must be provided.",
	);

export type InteractRequest = z.output<typeof interactRequestSchema>;
