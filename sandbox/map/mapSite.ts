import { z } from 'zod/v4';
import { callerFields, pageUrl } from '../http/bodySchema.ts';
import { auditMetadataSchema, locationSchema, threatProtectionSchema } from '../scrape/options/scrapeOptions.ts';
import { linksIn } from '../html/cleanHtml.ts';
import { isSameSite, looksLikeFile, withoutLastSlash } from '../web/addresses.ts';
import { isHtml, ScrapeFailure, textOf } from '../web/webClient.ts';
import type { WebClient } from '../web/webClient.ts';
import { fetchRobots, fetchSitemap } from '../web/siteFiles.ts';

/** The body of a map (operation map.map). */
export const mapRequestSchema = z
	.object({
		url: pageUrl,
		search: z.string().optional(),
		sitemap: z.enum(['only', 'include', 'skip']).default('include'),
		includeSubdomains: z.boolean().default(true),
		ignoreQueryParameters: z.boolean().default(true),
		limit: z.number().int().min(1).max(100_000).default(5000),
		timeout: z.number().int().positive().optional(),
		location: locationSchema.optional(),
		auditMetadata: auditMetadataSchema.optional(),
		threatProtection: threatProtectionSchema.optional(),
		ignoreCache: z.boolean().optional(),
		// Taken without being documented (recording map-06).
		headers: z.record(z.string(), z.string()).optional(),
		filterByPath: z.boolean().optional(),
		useIndex: z.boolean().optional(),
		...callerFields,
	})
	.strict();

type MapRequest = z.output<typeof mapRequestSchema>;

async function pageLinks(web: WebClient, url: string, signal: AbortSignal | undefined): Promise<string[]> {
	try {
		const page = await web.fetch(url, { signal });
		return isHtml(page.contentType) ? linksIn(textOf(page), page.url) : [];
	} catch {
		signal?.throwIfAborted();
		return [];
	}
}

async function gather(web: WebClient, url: string, signal: AbortSignal | undefined): Promise<string[]> {
	const robots = await fetchRobots(web, url, signal);
	return [url, ...(await fetchSitemap(web, url, robots, signal)), ...(await pageLinks(web, url, signal))];
}

/**
 * The addresses of a site, without slashes at their ends, the start page first (recordings map-01 to map-04). Those
 * with a query are left out (operation map.map), but for the one that is asked for. Rejects with a ScrapeFailure when
 * the time is over (recording map-10).
 */
export async function mapSite({ url, limit, timeout }: MapRequest, web: WebClient): Promise<string[]> {
	const signal = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
	const found = await gather(web, url, signal).catch((error: unknown) => {
		throw signal?.aborted ? new ScrapeFailure(408, 'MAP_TIMEOUT', 'Map timed out') : error;
	});
	const start = new URL(url);
	const inside = found
		.map((one) => new URL(one))
		.filter((one) => isSameSite(one, start) && !looksLikeFile(one) && (one.search === '' || one.href === start.href));
	const urls = inside.map(({ origin, pathname, search }) => withoutLastSlash(`${origin}${pathname}${search}`));
	return [...new Set(urls)].slice(0, limit);
}
