import { toldCheck, toldPage } from '../monitor/monitorRecord.ts';
import { monitors } from '../monitor/monitors.ts';
import { activityFeed } from '../team/activity.ts';
import type { ActivityEndpoint } from '../team/activity.ts';
import { addressAllowances } from '../account/allowance.ts';
import { credits, readPlan, rateLimits } from '../account/plan.ts';
import { agentThreads } from '../agent/paidCalls.ts';
import { answerJobs } from '../answerJobs/answerJobs.ts';
import { threatProtection } from '../team/team.ts';
import { faultBook } from '../control/faultBook.ts';
import { TRY_FAULTS } from '../control/faultyAnswer.ts';
import { statistics } from '../control/statistics.ts';
import { dataTools } from '../dataTools/runTools.ts';
import type { SandboxStats } from '../control/statistics.ts';
import { browserSessions, standInPage } from '../browserSessions/sessions.ts';
import { FIRM_HOSTS } from '../site/pages.ts';
import { ownSite } from '../web/addresses.ts';
import { unknownError } from '../http/answer.ts';
import type { Answer } from '../http/answer.ts';
import { pageJobs } from '../pageJobs/pageJobs.ts';
import { jobDurationMs } from '../jobs/jobStore.ts';
import { pauses, randomUuid, seededRandom, timedUuid } from '../runtime/runtime.ts';
import { webhooks } from '../webhooks/webhooks.ts';
import { changeHistory } from '../scrape/document/changeHistory.ts';
import { keptScrapes } from '../scrape/keptScrapes.ts';
import { scraper } from '../scrape/scraper.ts';
import { webClient } from '../web/webClient.ts';
import type { ReadOptions } from './options.ts';

const MINUTE_MS = 60_000;
/** How long the check of a monitor takes, and how long it waits before (recording monitor-35). */
const CHECK_SECONDS = 2;
const QUEUE_MS = 50;

/** Older operations, which are to be had on /v1 alone. */
const V1_ENDPOINTS: ReadonlySet<ActivityEndpoint> = new Set(['deep_research', 'llmstxt']);

/** Builds everything the routes work with; the site is what the search knows. */
export function buildService(options: ReadOptions, siteUrl: string) {
	const { now } = options;
	const plan = readPlan(options.plan);
	const random = seededRandom(options.seed);
	const account = credits(plan.credits);
	// A row of its own: otherwise each job started would move which requests a fault's `share` strikes.
	const book = faultBook(seededRandom(options.seed + 1), TRY_FAULTS);
	const allowances = options.keyless && addressAllowances(options.keyless, options.speed);
	const windows = rateLimits(plan.requestsPerMinute, MINUTE_MS / options.speed);
	const counted = statistics();
	// A server without authentication names its only team so (recording crawl-03).
	const teamId = options.keys.size === 0 ? 'bypass' : 'sandbox-team';
	const newId = (): string => timedUuid(random, now());
	const failure = (): Answer => unknownError(randomUuid(random).replaceAll('-', ''), options.keys.size > 0);
	const feed = activityFeed();
	const waits = pauses();
	const later = (ms: number, callBack: () => void): void => void waits.pause(ms).then(callBack);
	const hooks = webhooks({
		now,
		later,
		speed: options.speed,
		isHosted: options.keys.size > 0,
	});
	const own = ownSite(siteUrl, FIRM_HOSTS);
	const web = webClient(own);
	const scrapes = keptScrapes();
	const history = changeHistory();
	// The recorded servers without keys have no browser.
	const scrape = scraper({ now, newId, web, history, hasBrowser: options.keys.size > 0 });
	const { lagMs } = options;
	const crawling = pageJobs({
		now,
		lagMs,
		onPages(count, cost) {
			counted.countPages(count);
			account.charge(cost);
		},
		later,
	});
	const answers = answerJobs({ now, lagMs, onCompleted: (cost) => account.charge(cost), later });
	const sessions = browserSessions({
		now,
		speed: options.speed,
		charge: (cost) => account.charge(cost),
		newPage: () => standInPage(own),
	});
	const threads = agentThreads(newId);
	const tools = dataTools({ newId, now, credits: account });
	const protection = threatProtection();
	const watching = monitors({
		now,
		newId,
		queueMs: QUEUE_MS / options.speed,
		checkMs: (query) =>
			jobDurationMs({ query, timeLimit: CHECK_SECONDS }, counted.startCount(), {
				speed: options.speed,
				random,
				jobDuration: options.jobDuration ?? (CHECK_SECONDS * 1000) / options.speed,
			}),
		charge: (cost) => account.charge(cost),
		later,
		onChecked(monitor, check) {
			const { id } = check;
			for (const page of check.pages) {
				const told = toldPage(page, check);
				hooks.pushMonitor(monitor.webhook, {
					event: 'monitor.page',
					id,
					success: told.error === null,
					data: [told],
					...(told.error !== null && { error: told.error }),
				});
			}
			const state = watching.stateOf(check);
			hooks.pushMonitor(monitor.webhook, {
				event: 'monitor.check.completed',
				id,
				success: state === 'completed',
				data: [toldCheck(check, state)],
			});
		},
	});
	const countRunning = (nowMs: number): number => crawling.countRunning(nowMs) + answers.countRunning(nowMs);

	return {
		web,
		scrape,
		scrapes,
		options,
		plan,
		now,
		random,
		/** A fresh job id: of 2026 with the moment in it. */
		newId,
		/** The answer to what the server did not foresee. */
		unknownError: failure,
		activity: feed,
		/** Puts a start into the feed. */
		noteActivity(endpoint: ActivityEndpoint, id: string, target: string) {
			const apiVersion = V1_ENDPOINTS.has(endpoint) ? 'v1' : 'v2';
			feed.note({ id, endpoint, apiVersion, target, atMs: now() });
		},
		/** How many jobs of any kind are running; settles and bills the ended ones. */
		countRunning,
		/** Crawls and batch scrapes. */
		pageJobs: crawling,
		/** Agents, extracts, llms.txts, deep research. */
		answers,
		/** Browsers that are kept open. */
		sessions,
		/** What providers offer beside the web. */
		dataTools: tools,
		/** Conversations with agents. */
		agentThreads: threads,
		threatProtection: protection,
		monitors: watching,
		teamId,
		webhooks: hooks,
		windows,
		/** What addresses may use without a key; undefined where nobody may. */
		allowances,
		credits: account,
		faults: book,
		statistics: counted,
		waits,
		stats(): SandboxStats {
			const jobsRunning = countRunning(now());
			const left = account.left();
			return {
				...counted.snapshot(),
				jobsRunning,
				creditsUsed: account.used(),
				creditsLeft: Number.isFinite(left) ? left : null,
			};
		},
		/** As freshly started, but with the same ports and a random row that goes on, so that no id comes twice. */
		reset() {
			hooks.control.clear();
			for (const part of [crawling, answers, sessions, protection, watching, book, windows, counted, feed])
				part.clear();
			for (const part of [scrapes, history, tools, threads]) part.clear();
			allowances?.clear();
			account.refill();
		},
		/** Ends everything that is under way. */
		async stop() {
			crawling.clear();
			answers.clear();
			watching.clear();
			waits.endAll();
			await Promise.all([hooks.stop(), web.stop()]);
		},
	};
}

export type Service = ReturnType<typeof buildService>;
