import { higherDomain } from '../web/addresses.ts';
import type { PageJob } from './pageJob.ts';

/**
 * What a server of 2026 says of a crawl that ended with one page or none although there may be more
 * above where it began (recordings crawl-41, crawl-44, crawl-49, crawl-52).
 */
export function fewPagesWarning(job: PageJob, pages: number): string | undefined {
	if (job.kind !== 'crawl' || job.finished?.state !== 'completed' || pages > 1) return undefined;
	const domain = job.wholeDomain ? undefined : higherDomain(job.query);
	if (domain === undefined) return undefined;
	return `Only ${pages} result(s) found. For broader coverage, try crawling with crawlEntireDomain=true or start from a higher-level path like ${domain}`;
}
