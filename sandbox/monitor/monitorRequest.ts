import { z } from 'zod';

import { UNKNOWN_KEY_TEXT, pageUrl } from '../http/bodySchema.ts';
import { cronOfText } from './schedule.ts';

/** The bodies of monitors (operations monitor.create, monitor.update; recordings monitor-01 to monitor-14, monitor-64). */

const schedule = z
	.object({
		cron: z.string().min(1).optional(),
		text: z.string().min(1).optional(),
		timezone: z.string().default('UTC'),
	})
	.strict(UNKNOWN_KEY_TEXT)
	.transform(({ cron, text, timezone }, context) => {
		const refuse = (at: string, message: string) => {
			context.addIssue({ code: 'custom', message, path: [at] });
			return z.NEVER;
		};
		if (cron !== undefined && text !== undefined) {
			return refuse('text', 'Schedule must include either cron or text, not both');
		}
		if (cron !== undefined) return { cron, timezone };
		if (text === undefined) return refuse('cron', 'Schedule must include either cron or text');
		const read = cronOfText(text);
		return typeof read === 'string' ? { cron: read, timezone } : refuse('text', read.error);
	});

const hostname = z
	.string()
	.refine(
		(text) => /^[\p{L}\d.*-]+$/u.test(text),
		'Domain must be a valid hostname without protocol or path',
	);
const id = z.string().uuid().optional();
// What is in them is not checked (recordings monitor-14-create-14 to 16).
const anyOptions = z.record(z.unknown()).default({});

const target = z.discriminatedUnion('type', [
	z
		.object({
			id,
			type: z.literal('scrape'),
			urls: z.array(pageUrl(2026)).min(1),
			scrapeOptions: anyOptions,
		})
		.strict(UNKNOWN_KEY_TEXT),
	z
		.object({
			id,
			type: z.literal('crawl'),
			url: pageUrl(2026),
			crawlOptions: anyOptions,
			scrapeOptions: anyOptions,
		})
		.strict(UNKNOWN_KEY_TEXT),
	z.object({
		id,
		type: z.literal('search'),
		queries: z.array(z.string().min(1)).min(1).max(12),
		maxResults: z.number().int().positive().max(50).default(10),
		searchWindow: z.enum(['5m', '15m', '1h', '6h', '24h', '7d']).default('24h'),
		includeDomains: z.array(hostname).optional(),
		excludeDomains: z.array(hostname).optional(),
	}),
]);

const webhook = z.preprocess(
	(value) => (typeof value === 'string' ? { url: value } : value),
	z
		.object({
			url: z.string().url(),
			headers: z.record(z.string()).default({}),
			metadata: z.record(z.string()).default({}),
			events: z
				.array(z.enum(['monitor.page', 'monitor.check.completed']))
				.default(['monitor.page', 'monitor.check.completed']),
		})
		.strict(UNKNOWN_KEY_TEXT),
);

const notification = z
	.object({
		email: z
			.object({
				enabled: z.boolean().optional(),
				recipients: z.array(z.string().email()).max(25).optional(),
				includeDiffs: z.boolean().optional(),
			})
			.optional(),
		slack: z
			.object({
				enabled: z.boolean().optional(),
				channelId: z.string().optional(),
				channelName: z.string().optional(),
			})
			.refine(({ enabled, channelId }) => !enabled || channelId !== undefined, {
				message: 'A Slack channel is required when Slack notifications are enabled',
				path: ['channelId'],
			})
			.optional(),
	})
	.strict(UNKNOWN_KEY_TEXT);

const fields = {
	name: z.string().min(1).max(256),
	schedule,
	targets: z
		.array(target)
		.min(1)
		.max(50)
		.superRefine((targets, context) => {
			for (const [index, one] of targets.entries()) {
				if (one.type !== 'search' || !one.includeDomains || !one.excludeDomains) continue;
				const message = 'includeDomains and excludeDomains are mutually exclusive';
				context.addIssue({ code: 'custom', message, path: [index, 'excludeDomains'] });
			}
		}),
	webhook: webhook.optional(),
	notification: notification.optional(),
	retentionDays: z.number().int().positive().max(365).optional(),
	goal: z.string().max(2000).nullish(),
	judgeEnabled: z.boolean().optional(),
	origin: z.string().optional(),
};

interface Searching {
	targets?: Array<{ type: string }> | undefined;
	goal?: string | null | undefined;
	judgeEnabled?: boolean | undefined;
}

/** A search needs something to look for, unless nothing is judged (recordings monitor-09, monitor-14-create-17). */
export function lacksGoal({ targets, goal, judgeEnabled }: Searching): boolean {
	return judgeEnabled !== false && !goal && Boolean(targets?.some(({ type }) => type === 'search'));
}

export const GOAL_TEXT = 'A search target requires a non-empty goal';
const goalIssue = { message: GOAL_TEXT, path: ['goal'] };

export const monitorRequestSchema = z
	.object(fields)
	.strict(UNKNOWN_KEY_TEXT)
	.refine((body) => !lacksGoal(body), goalIssue);

export type MonitorRequest = z.output<typeof monitorRequestSchema>;

export const monitorUpdateSchema = z
	.object({ ...fields, status: z.enum(['active', 'paused']) })
	.partial()
	.strict(UNKNOWN_KEY_TEXT)
	.refine((body) => Object.keys(body).length > 0, 'Update body cannot be empty')
	.refine((body) => body.goal !== null || !lacksGoal(body), goalIssue);

export type MonitorUpdate = z.output<typeof monitorUpdateSchema>;

/** The id of a monitor or a check. */
export const idSchema = z.string().uuid();

const page = z.coerce.number().int();
const upTo100 = page.positive().max(100);

/** The query of a list of monitors or checks (recordings monitor-23 to monitor-25, monitor-43). */
export const listQuerySchema = z.object({
	limit: upTo100.default(20),
	offset: page.min(0).default(0),
	status: z
		.enum([
			'queued',
			'running',
			'completed',
			'failed',
			'partial',
			'skipped_overlap',
			'skipped_no_credits',
		])
		.optional(),
});

/** The query of one check (recordings monitor-39d, monitor-39e). */
export const checkQuerySchema = z.object({
	limit: upTo100.default(25),
	skip: page.min(0).default(0),
	status: z.enum(['same', 'new', 'changed', 'removed', 'error']).optional(),
});
