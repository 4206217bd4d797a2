import { z } from 'zod/v4';
import { callerFields, pageUrl } from '../http/bodySchema.ts';
import { auditMetadataSchema, locationSchema, threatProtectionSchema } from '../scrape/options/scrapeOptions.ts';
import { linksIn } from '../html/cleanHtml.ts';
import { termsOf } from '../text/rankSentences.ts';
import { isSameSite, isSubdomainOf, looksLikeFile, withoutLastSlash } from '../web/addresses.ts';
import { ScrapeFailure, isHtml, textOf } from '../web/webClient.ts';
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

interface MapParts {
	web: WebClient;
}

/** The request's `timeout` has passed (shape errorCode; wording the sandbox's own). */
function mapTimedOut(): ScrapeFailure {
	return new ScrapeFailure(408, 'MAP_TIMEOUT', 'Map timed out');
}

async function pageLinks(web: WebClient, url: string, signal: AbortSignal | undefined): Promise<string[]> {
	try {
		const page = await web.fetch(url, { signal });
		return isHtml(page.contentType) ? linksIn(textOf(page), page.url) : [];
	} catch {
		signal?.throwIfAborted();
		return [];
	}
}

/** Addresses that hold more of the words wanted go first; the others keep their order. */
function byRelevance(urls: readonly string[], search: string | undefined): string[] {
	const wanted = termsOf(search ?? '');
	if (wanted.length === 0) return [...urls];
	const hits = (url: string): number => {
		const text = decodeURIComponent(url.replace(/%(?![\da-f]{2})/gi, '%25')).toLowerCase();
		return wanted.filter((term) => text.includes(term)).length;
	};
	return urls
		.map((url) => ({ url, score: hits(url) }))
		.sort((left, right) => right.score - left.score)
		.map(({ url }) => url);
}

async function gather(request: MapRequest, parts: MapParts, signal: AbortSignal | undefined): Promise<string[]> {
	const { url, sitemap } = request;
	const robots = await fetchRobots(parts.web, url, undefined, signal);
	const listed = sitemap === 'skip' ? [] : await fetchSitemap(parts.web, url, robots, signal);
	// Order of the start page: recordings map-01 and map-04.
	if (sitemap === 'only') return [...listed, url];
	const linked = await pageLinks(parts.web, url, signal);
	return [url, ...listed, ...linked];
}

/** The addresses of a site, without slashes at their ends (recordings map-01 to map-04). Rejects with a ScrapeFailure. */
export async function mapSite(request: MapRequest, parts: MapParts): Promise<string[]> {
	const signal = request.timeout === undefined ? undefined : AbortSignal.timeout(request.timeout);
	const found = await gather(request, parts, signal).catch((error: unknown) => {
		if (signal?.aborted) throw mapTimedOut();
		throw error;
	});
	const start = new URL(request.url);
	const urls = new Set<string>();
	for (const one of found) {
		const url = new URL(one);
		const isInside = isSameSite(url, start) || (request.includeSubdomains && isSubdomainOf(url, start));
		if (!isInside || looksLikeFile(url)) continue;
		url.hash = '';
		// Addresses with a query are left out (operation map.map), but for the one asked for.
		if (request.ignoreQueryParameters && url.search !== '') {
			if (url.href !== start.href) continue;
		}
		urls.add(withoutLastSlash(url.href));
	}
	return byRelevance([...urls], request.search).slice(0, request.limit);
}
