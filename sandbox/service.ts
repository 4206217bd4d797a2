import { crawlList } from './crawls.ts';
import { credits } from './credits.ts';
import { pauses } from './delivery.ts';
import { faultBook } from './faults.ts';
import { minuteWindows } from './minuteWindows.ts';
import { readPlan } from './plan.ts';
import { randomUuid, seededRandom } from './random.ts';
import { researchJobs } from './researchJobs.ts';
import { statistics } from './statistics.ts';
import type { Crawls } from './crawls.ts';
import type { Credits } from './credits.ts';
import type { Pauses } from './delivery.ts';
import type { FaultBook } from './faults.ts';
import type { MinuteWindows } from './minuteWindows.ts';
import type { ReadOptions } from './options.ts';
import type { Plan } from './plan.ts';
import type { Random } from './random.ts';
import type { ResearchJobs, ResearchJobsSetup } from './researchJobs.ts';
import type { SandboxStats, Statistics } from './statistics.ts';

/** Everything the routes work with. */
export interface Service {
	options: ReadOptions;
	plan: Plan;
	now(): number;
	random: Random;
	/** A fresh job id. */
	newId(): string;
	windows: MinuteWindows;
	credits: Credits;
	faults: FaultBook;
	jobs: ResearchJobs;
	crawls: Crawls;
	statistics: Statistics;
	waits: Pauses;
	stats(): SandboxStats;
	/** As freshly started, but with the same ports and a random row that goes on, so that no id comes twice. */
	reset(): void;
}

const MINUTE_MS = 60_000;

/** Builds the service's state. `research` does the jobs' work. */
export function buildService(
	options: ReadOptions,
	research: ResearchJobsSetup['research'],
): Service {
	const { now } = options;
	const plan = readPlan(options.plan);
	const random = seededRandom(options.seed);
	const account = credits(plan.credits);
	// A row of its own: otherwise each job started would move which requests a fault's `share` strikes.
	const book = faultBook(seededRandom(options.seed + 1));
	const windows = minuteWindows(plan.requestsPerMinute, MINUTE_MS / options.speed);
	const counted = statistics();
	// A server without authentication names its only team so (recording crawl-03).
	const crawls = crawlList(now, random, options.keys.size === 0 ? 'bypass' : 'sandbox-team');
	const jobs = researchJobs({
		now,
		research,
		// One credit for each URL analysed (SERVICE.md section 8).
		onCompleted: (job) =>
			account.charge(job.result?.steps.filter((step) => 'source' in step).length ?? 0),
	});

	return {
		options,
		plan,
		now,
		random,
		newId: () => randomUuid(random),
		windows,
		credits: account,
		faults: book,
		jobs,
		crawls,
		statistics: counted,
		waits: pauses(),
		stats() {
			const jobsRunning = jobs.countRunning(now());
			const left = account.left();
			return {
				...counted.snapshot(),
				jobsRunning,
				creditsUsed: account.used(),
				creditsLeft: Number.isFinite(left) ? left : null,
			};
		},
		reset() {
			for (const part of [jobs, crawls, book, windows, counted]) part.clear();
			account.refill();
		},
	};
}
