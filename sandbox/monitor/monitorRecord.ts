import { ownPage } from '../site/pages.ts';
import { runsAfter } from './monitorRequest.ts';
import { databaseTime } from '../team/activity.ts';
import type { Check, CheckPage, Monitor, PageStatus } from './monitors.ts';

/** What every changed page here has changed in. */
const CHANGE = '-before\n+after';
/** Why every failed page here has failed. */
const FAILURE = 'All scraping engines failed to retrieve content from this URL.';

const STATUSES: readonly PageStatus[] = ['same', 'changed', 'new', 'removed', 'error'];

/** How many pages of each state there are. */
function summaryOf(pages: readonly CheckPage[]): Record<string, number> {
	const count = (wanted: PageStatus): number => pages.filter(({ status }) => status === wanted).length;
	const counts = Object.fromEntries(STATUSES.map((status) => [status, count(status)]));
	return { totalPages: pages.length, ...counts };
}

/** A monitor as it is answered (recordings monitor-01 to monitor-10, monitor-36). */
export function monitorRecord(monitor: Monitor, nowMs: number): Record<string, unknown> {
	const done = monitor.checks.filter(({ endsAtMs }) => endsAtMs <= nowMs);
	const last = done.at(-1);
	const current = monitor.checks.find((check) => check.startsAtMs <= nowMs && nowMs < check.endsAtMs);
	const { schedule } = monitor;
	const recipients = monitor.notification?.email?.recipients ?? [];
	return {
		id: monitor.id,
		name: monitor.name,
		status: monitor.status,
		schedule,
		nextRunAt: databaseTime(runsAfter(schedule.cron, schedule.timezone, nowMs, 1)[0] ?? nowMs),
		lastRunAt: last ? databaseTime(last.endsAtMs) : null,
		currentCheckId: current?.id ?? null,
		targets: monitor.targets,
		webhook: monitor.webhook ?? null,
		notification: monitor.notification ?? {},
		emailRecipientSubscriptions: recipients.map((email) => ({
			email,
			status: 'pending',
			source: 'opt_in',
			confirmationEmailSent: true,
		})),
		retentionDays: monitor.retentionDays ?? 30,
		estimatedCreditsPerMonth: 720,
		lastCheckSummary: last ? summaryOf(last.pages) : null,
		goal: monitor.goal ?? null,
		judgeEnabled: monitor.judgeEnabled ?? Boolean(monitor.goal),
		createdAt: databaseTime(monitor.createdAtMs),
		updatedAt: databaseTime(monitor.updatedAtMs),
	};
}

/** A check without its pages (recordings monitor-30, monitor-40). */
export function checkRecord(check: Check, status: string, nowMs: number): Record<string, unknown> {
	const isDone = check.endsAtMs <= nowMs;
	return {
		id: check.id,
		monitorId: check.monitorId,
		status,
		trigger: 'manual',
		scheduledFor: null,
		startedAt: status === 'queued' ? null : databaseTime(check.startsAtMs),
		finishedAt: isDone ? databaseTime(check.endsAtMs) : null,
		estimatedCredits: check.pages.length,
		reservedCredits: null,
		actualCredits: isDone ? check.pages.length : null,
		billingStatus: 'not_applicable',
		summary: summaryOf(isDone ? check.pages : []),
		targetResults: null,
		notificationStatus: null,
		error: isDone ? (check.failed?.reason ?? null) : null,
		createdAt: databaseTime(check.createdAtMs),
		updatedAt: databaseTime(Math.min(nowMs, check.endsAtMs)),
	};
}

/** A page of a check (recording monitor-35). */
export function checkPageRecord(page: CheckPage, check: Check): Record<string, unknown> {
	const isChanged = page.status === 'changed';
	const failed = page.status === 'error';
	return {
		id: page.id,
		targetId: page.targetId,
		url: page.url,
		status: page.status,
		previousScrapeId: null,
		currentScrapeId: failed ? null : page.id,
		statusCode: failed ? null : 200,
		error: failed ? FAILURE : null,
		metadata: failed ? null : { title: ownPage(page.url)?.title ?? 'Page' },
		judgment: isChanged ? { meaningful: true, confidence: 'low', reason: 'Nobody judges here.' } : null,
		createdAt: databaseTime(check.endsAtMs),
		diff: isChanged ? { text: CHANGE, json: { files: [] } } : null,
	};
}

/** A page of a check as it is told to a webhook (recordings hook-monitor-01, hook-monitor-05). */
export function toldPage({ id, url, status }: CheckPage, check: Check) {
	const isChanged = status === 'changed';
	return {
		monitorId: check.monitorId,
		checkId: check.id,
		url,
		status,
		previousScrapeId: null,
		currentScrapeId: id,
		error: status === 'error' ? FAILURE : null,
		isMeaningful: isChanged ? true : null,
		judgment: isChanged
			? {
					meaningful: true,
					confidence: 'low',
					reason: 'Nobody judges here.',
					meaningfulChanges: [],
				}
			: null,
		diff: isChanged ? { text: CHANGE } : null,
	};
}

/** The end of a check as it is told (recordings hook-monitor-01, hook-monitor-02). */
export function toldCheck({ monitorId, id, pages }: Check, status: string) {
	return { monitorId, checkId: id, status, summary: summaryOf(pages) };
}
