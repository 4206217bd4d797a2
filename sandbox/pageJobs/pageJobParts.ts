import type { Statistics } from '../control/statistics.ts';
import type { JobDuration } from '../jobs/jobDuration.ts';
import type { Scrape } from '../scrape/scraper.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { PageJobs } from './pageJobs.ts';

/** What the start of a crawl or a batch needs. */
export interface PageJobParts {
	options: {
		speed: number;
		jobDuration: JobDuration | undefined;
		generation: 2025 | 2026;
		/** Pages are made up, nothing is fetched. */
		lightWork: boolean;
	};
	now(): number;
	/** A fresh id of a job or an error. */
	newId(): string;
	scrape: Scrape;
	pageJobs: PageJobs;
	webhooks: Webhooks;
	statistics: Statistics;
	/** How many jobs of any kind are running; settles and bills the ended ones. */
	countRunning(nowMs: number): number;
}
