import robotsParser from 'robots-parser';

/** What a site's robots.txt says to this service. */
export interface Robots {
	allows(url: string): boolean;
	/** Addresses of sitemaps it names. */
	sitemaps: string[];
}

/** The name a site may address the service by; it obeys `*` where it is not named. */
const DEFAULT_AGENT = 'FireCrawlAgent';

/** For a site without a robots.txt, and where it is to be ignored. */
export const NO_ROBOTS: Robots = { allows: () => true, sitemaps: [] };

/** Reads the robots.txt at this address (RFC 9309): groups by agent, `*` and `$`, the longest match decides. */
export function readRobots(robotsUrl: string, text: string, agent: string = DEFAULT_AGENT): Robots {
	const rules = robotsParser(robotsUrl, text);
	return {
		sitemaps: rules.getSitemaps(),
		allows(url) {
			// The site's other names and its http addresses obey the same file.
			const { pathname, search } = new URL(url);
			return rules.isAllowed(new URL(pathname + search, robotsUrl).href, agent) ?? true;
		},
	};
}
