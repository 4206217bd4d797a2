import { z } from 'zod';

import { UNKNOWN_KEY_TEXT } from '../http/bodySchema.ts';
import { databaseTime } from './activity.ts';

const isDomain = (text: string): boolean => /^(?:\*\.)?[a-z\d-]+(?:\.[a-z\d-]+)+$/i.test(text);
const domain = z.string().superRefine((text, context) => {
	if (isDomain(text)) return;
	context.addIssue({
		code: 'custom',
		message: `Invalid domain entry "${text}": must be a plain domain like "example.com" or a wildcard glob like "*.example.com" (no protocol, path, or port)`,
	});
});
const topLevelDomain = z.string().superRefine((text, context) => {
	if (/^[a-z\d]+$/.test(text)) return;
	context.addIssue({
		code: 'custom',
		message: `Invalid TLD "${text}": must be a lowercase alphanumeric TLD without the leading dot, e.g. "zip"`,
	});
});

/** The account's protection; what is left out takes its default again (recordings auth26-60 to auth26-71). */
export const threatPolicySchema = z
	.object({
		mode: z.enum(['off', 'normal', 'zscaler']),
		riskScoreThreshold: z.number().int().min(0).max(100).default(75),
		blacklist: z.array(domain).max(1000).default([]),
		whitelist: z.array(domain).max(1000).default([]),
		blockedTlds: z.array(topLevelDomain).max(1000).default([]),
		failurePolicy: z.enum(['open', 'closed']).default('closed'),
		allowRequestOverrides: z.boolean().default(true),
		zscaler: z.record(z.unknown()).nullable().default(null),
	})
	.strict(UNKNOWN_KEY_TEXT);

export type ThreatPolicy = z.output<typeof threatPolicySchema>;

/** The account's protection as it was last set. */
export interface ThreatProtection {
	read(): Record<string, unknown>;
	set(policy: ThreatPolicy, atMs: number): void;
	clear(): void;
}

/** See `ThreatProtection`. It is only kept: the sandbox blocks no page by it. */
export function threatProtection(): ThreatProtection {
	let policy: ThreatPolicy | undefined;
	let updatedAtMs = 0;
	return {
		read: () => ({
			...(policy ?? threatPolicySchema.parse({ mode: 'off' })),
			configured: policy !== undefined,
			updatedAt: policy === undefined ? null : databaseTime(updatedAtMs),
		}),
		set(next, atMs) {
			policy = next;
			updatedAtMs = atMs;
		},
		clear: () => void (policy = undefined),
	};
}
