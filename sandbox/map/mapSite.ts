import { z } from 'zod/v4';
import { callerFields, pageUrl } from '../http/bodySchema.ts';
import { auditMetadataSchema, locationSchema, threatProtectionSchema } from '../scrape/options/scrapeOptions.ts';
import { linksIn } from '../html/cleanHtml.ts';
import { isSameSite, looksLikeFile, withoutLastSlash } from '../web/addresses.ts';
import { isHtml, textOf } from '../web/webClient.ts';
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

async function pageLinks(web: WebClient, url: string): Promise<string[]> {
	try {
		const page = await web.fetch(url);
		return isHtml(page.contentType) ? linksIn(textOf(page), page.url) : [];
	} catch {
		return [];
	}
}

/**
 * The addresses of a site, without slashes at their ends, the start page first (recordings map-01 to map-04). Those
 * with a query are left out (operation map.map), but for the one that is asked for.
 */
export async function mapSite({ url, limit }: MapRequest, web: WebClient): Promise<string[]> {
	const robots = await fetchRobots(web, url);
	const found = [url, ...(await fetchSitemap(web, url, robots)), ...(await pageLinks(web, url))];
	const start = new URL(url);
	const inside = found
		.map((one) => new URL(one))
		.filter((one) => isSameSite(one, start) && !looksLikeFile(one) && (one.search === '' || one.href === start.href));
	const urls = inside.map(({ origin, pathname, search }) => withoutLastSlash(`${origin}${pathname}${search}`));
	return [...new Set(urls)].slice(0, limit);
}
