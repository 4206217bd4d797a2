import { z } from 'zod/v4';
import type { Credits } from '../account/plan.ts';
import { databaseTime } from './activity.ts';

/** What a server without limits says is left (recording other-01). */
const WITHOUT_LIMIT = 99_999_999;
const TOKENS_PER_CREDIT = 15;

/** The month of the moment, from its first day to the next one's. */
function monthOf(nowMs: number): { start: string; end: string; before: string } {
	const now = new Date(nowMs);
	const first = (offset: number): string =>
		new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1)).toISOString();
	return { start: first(0), end: first(1), before: first(-1) };
}

/** The balance and the plan's share (recordings team-01, team-07), in credits or tokens. */
export function balance(
	credits: Credits,
	planCredits: number,
	unit: 'credits' | 'tokens',
	nowMs: number,
): Record<string, unknown> {
	const factor = unit === 'tokens' ? TOKENS_PER_CREDIT : 1;
	const name = unit === 'tokens' ? 'Tokens' : 'Credits';
	const { start, end } = monthOf(nowMs);
	return {
		[`remaining${name}`]: Math.min(WITHOUT_LIMIT, credits.left() * factor),
		[`plan${name}`]: Math.min(WITHOUT_LIMIT, planCredits * factor),
		billingPeriodStart: start,
		billingPeriodEnd: end,
	};
}

/** What was used month by month; by key only where asked for (recordings team-03 to team-05, team-09). */
export function history(
	credits: Credits,
	unit: 'credits' | 'tokens',
	byApiKey: boolean,
	nowMs: number,
): Array<Record<string, unknown>> {
	const factor = unit === 'tokens' ? TOKENS_PER_CREDIT : 1;
	const field = unit === 'tokens' ? 'tokensUsed' : 'creditsUsed';
	const { start, before } = monthOf(nowMs);
	const period = (startDate: string, endDate: string | null, used: number) => ({
		startDate,
		endDate,
		...(byApiKey && { apiKey: 'Default' }),
		[field]: used * factor,
	});
	return [period(before, start, 0), period(start, null, credits.used())];
}

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
		zscaler: z.record(z.string(), z.unknown()).nullable().default(null),
	})
	.strict();

type ThreatPolicy = z.output<typeof threatPolicySchema>;

/** The account's protection as it was last set. It is only kept: the sandbox blocks no page by it. */
export function threatProtection() {
	let policy: ThreatPolicy | undefined;
	let updatedAtMs = 0;
	return {
		read: () => ({
			...(policy ?? threatPolicySchema.parse({ mode: 'off' })),
			configured: policy !== undefined,
			updatedAt: policy === undefined ? null : databaseTime(updatedAtMs),
		}),
		set(next: ThreatPolicy, atMs: number) {
			policy = next;
			updatedAtMs = atMs;
		},
		clear: () => void (policy = undefined),
	};
}

// What somebody says of a result (recordings feedback-01 to feedback-23).
const issueCode = z
	.string()
	.max(64)
	.regex(/^[a-z0-9][a-z0-9_-]*$/, 'Issue codes must use lowercase letters, numbers, underscores, or hyphens');
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
		metadata: z.record(z.string(), z.unknown()).optional(),
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

const text = (most: number) => z.string().min(1).max(most);

const capabilityFeedback = z
	.object({
		name: text(200),
		provider: text(200),
		issue: z.enum([
			'new_capability_request',
			'missing_capability',
			'insufficient_functionality',
			'incorrect_result',
			'execution_error',
			'other',
		]),
		why: z.string().min(1),
		requestedFunctionality: z.string().min(1).optional(),
	})
	.strict()
	.refine(
		({ issue, requestedFunctionality }) => issue !== 'new_capability_request' || requestedFunctionality !== undefined,
		'requestedFunctionality is required for new_capability_request',
	);

/** Feedback on data tools, which have no job. No recordings: docs/reference/service-notes.md#data-tools. */
export const toolFeedbackSchema = z
	.object({
		endpoint: z.literal('alexandria'),
		rating,
		rationale: text(2000),
		objective: text(2000).optional(),
		requestedWebsite: z.object({ url: z.url().max(2048), requestedFunctionality: text(2000) }).strict(),
		providerFeedback: z
			.array(
				z
					.object({
						name: text(200),
						issue: z.enum(['missing_provider', 'insufficient_coverage', 'provider_unavailable', 'other']),
						why: z.string().min(1),
					})
					.strict(),
			)
			.max(20)
			.optional(),
		capabilityFeedback: z.array(capabilityFeedback).max(20).optional(),
		origin: z.string().optional(),
		integration: z.string().optional(),
	})
	.strict();

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
