import type { PageJob } from './pageJob.ts';

const IN_NUMBERS = /^(?:\d+(?:\.\d+){3}|\[.*\])$/;

/** The domain that a host belongs to: its last two names, or the host where it is numbers. */
function domainOf(host: string): string {
	return IN_NUMBERS.test(host) ? host : host.split('.').slice(-2).join('.');
}

/**
 * What a server of 2026 says of a crawl that ended with one page or none although there may be more
 * above where it began (recordings crawl-41, crawl-44, crawl-49, crawl-52).
 */
export function fewPagesWarning(job: PageJob, pages: number): string | undefined {
	if (job.kind !== 'crawl' || job.finished?.state !== 'completed' || pages > 1) return undefined;
	if (job.wholeDomain || !URL.canParse(job.query)) return undefined;
	const { hostname, pathname } = new URL(job.query);
	const domain = domainOf(hostname);
	if (pathname === '/' && hostname === domain) return undefined;
	return `Only ${pages} result(s) found. For broader coverage, try crawling with crawlEntireDomain=true or start from a higher-level path like ${domain}`;
}
