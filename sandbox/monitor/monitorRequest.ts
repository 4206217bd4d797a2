import { z } from 'zod/v4';
import { Cron } from 'croner';
import { pageUrl } from '../http/bodySchema.ts';

/** The bodies of monitors (operations monitor.create, monitor.update; recordings monitor-01 to monitor-14, monitor-64). */

const schedule = z
	.object({
		cron: z.string().min(1).optional(),
		text: z.string().min(1).optional(),
		timezone: z.string().default('UTC'),
	})
	.strict()
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
	.refine((text) => /^[\p{L}\d.*-]+$/u.test(text), 'Domain must be a valid hostname without protocol or path');
const id = z.string().uuid().optional();
// What is in them is not checked (recordings monitor-14-create-14 to 16).
const anyOptions = z.record(z.string(), z.unknown()).default({});

const target = z.discriminatedUnion('type', [
	z
		.object({
			id,
			type: z.literal('scrape'),
			urls: z.array(pageUrl).min(1),
			scrapeOptions: anyOptions,
		})
		.strict(),
	z
		.object({
			id,
			type: z.literal('crawl'),
			url: pageUrl,
			crawlOptions: anyOptions,
			scrapeOptions: anyOptions,
		})
		.strict(),
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
			headers: z.record(z.string(), z.string()).default({}),
			metadata: z.record(z.string(), z.string()).default({}),
			events: z
				.array(z.enum(['monitor.page', 'monitor.check.completed']))
				.default(['monitor.page', 'monitor.check.completed']),
		})
		.strict(),
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
	.strict();

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
	.strict()
	.refine((body) => !lacksGoal(body), goalIssue);

export type MonitorRequest = z.output<typeof monitorRequestSchema>;

export const monitorUpdateSchema = z
	.object({ ...fields, status: z.enum(['active', 'paused']) })
	.partial()
	.strict()
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
		.enum(['queued', 'running', 'completed', 'failed', 'partial', 'skipped_overlap', 'skipped_no_credits'])
		.optional(),
});

/** The query of one check (recordings monitor-39d, monitor-39e). */
export const checkQuerySchema = z.object({
	limit: upTo100.default(25),
	skip: page.min(0).default(0),
	status: z.enum(['same', 'new', 'changed', 'removed', 'error']).optional(),
});

// When a monitor runs: five numeric fields, or words that become such (recordings monitor-11 to monitor-13).

/** A refusal without details comes when the schedule is used, one with details when it is read. */
interface ScheduleFault {
	at: 'reading' | 'using';
	error: string;
}

const MINUTE_MS = 60_000;
const YEAR_MS = 366 * 24 * 60 * MINUTE_MS;
const LEAST_GAP_MS = 5 * MINUTE_MS;
const RUNS_LOOKED_AT = 50;
const UNSUPPORTED = "Unsupported schedule text. Try phrases like 'every 30 minutes', 'hourly', or 'daily at 9:00'";

const reading = (error: string): ScheduleFault => ({ at: 'reading', error });

function minutes(count: number, offset: number): string | ScheduleFault {
	if (count < 1 || 60 % count !== 0) return reading('Minute interval must divide evenly into 60');
	return offset > 0 ? `${offset}-59/${count} * * * *` : `*/${count} * * * *`;
}

function hours(count: number): string | ScheduleFault {
	if (count < 1 || count > 24) return reading('Hour interval must be between 1 and 24');
	return 24 % count === 0 ? `0 */${count} * * *` : reading('Hour interval must divide evenly into 24');
}

function daily(hour: number, minute: number, half: string | undefined): string | ScheduleFault {
	if (half && (hour < 1 || hour > 12)) {
		return reading('Daily schedule hour with am/pm must be between 1 and 12');
	}
	if (hour > 23) return reading('Daily schedule hour must be between 0 and 23');
	const ofDay = half ? (hour % 12) + (half === 'pm' ? 12 : 0) : hour;
	return `${minute} ${ofDay} * * *`;
}

/** The cron expression that the words stand for, or why there is none. */
function cronOfText(given: string): string | ScheduleFault {
	const text = given.trim().toLowerCase().replace(/\.$/, '');
	const every = /^every (\d+) (?:minutes?|mins?)(?: starting at (\d+))?$/.exec(text);
	if (every) return minutes(Number(every[1]), Number(every[2] ?? 0));
	const hourly = /^every (\d+) (?:hours?|hrs?)$/.exec(text);
	if (hourly) return hours(Number(hourly[1]));
	const atMinute = /^(?:hourly|every hour)(?: at (\d+))?$/.exec(text);
	if (atMinute) return `${Number(atMinute[1] ?? 0)} * * * *`;
	const onDay = /^(?:daily|every day)(?: at (\d+)(?::(\d+))? ?(am|pm)?)?$/.exec(text);
	if (onDay) return daily(Number(onDay[1] ?? 0), Number(onDay[2] ?? 0), onDay[3]);
	return /^(?:weekly|every week)$/.test(text) ? '0 0 * * 0' : reading(UNSUPPORTED);
}

const RANGES = [
	[0, 59],
	[0, 23],
	[1, 31],
	[1, 12],
	[0, 7],
] as const;

function fieldFault(field: string, least: number, most: number): string | undefined {
	for (const part of field.split(',')) {
		const [range = '', step] = part.split('/');
		if (step !== undefined && !(Number(step) > 0)) return 'Invalid cron step';
		if (range === '*') continue;
		const ends = range.split('-');
		const fits = ends.every((end) => /^\d+$/.test(end) && +end >= least && +end <= most);
		if (!fits || ends.length > 2) return 'Invalid cron field';
	}
	return undefined;
}

/** The moments after this one at which it runs, at most so many within a year. */
export function runsAfter(cron: string, timezone: string, atMs: number, count: number): number[] {
	const runs = new Cron(cron, { timezone, paused: true }).nextRuns(count, new Date(atMs));
	return runs.map((run) => run.getTime()).filter((runMs) => runMs <= atMs + YEAR_MS);
}

/** Why the schedule cannot be used, if it cannot. */
export function scheduleFault(cron: string, timezone: string, atMs: number): string | undefined {
	const fields = cron.trim().split(/\s+/);
	if (fields.length !== RANGES.length) return 'Cron expression must contain five fields';
	for (const [index, [least, most]] of RANGES.entries()) {
		const fault = fieldFault(fields[index] ?? '', least, most);
		if (fault) return fault;
	}
	try {
		Intl.DateTimeFormat('en', { timeZone: timezone });
	} catch {
		return `Invalid monitor schedule timezone: ${timezone}`;
	}
	const runs = runsAfter(cron, timezone, atMs, RUNS_LOOKED_AT);
	if (runs.length === 0) return 'Cron expression did not produce a run within one year';
	const isTooClose = runs.some((runMs, index) => runMs - (runs[index - 1] ?? 0) < LEAST_GAP_MS);
	return isTooClose ? 'Monitor schedule must not run more often than every 5 minutes' : undefined;
}
