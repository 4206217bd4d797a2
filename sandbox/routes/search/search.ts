import type { FastifyRequest } from 'fastify';
import { fittingTools } from '../../dataTools/catalogue.ts';
import { jsonAnswer, badSearch, refusal } from '../../http/answer.ts';
import type { Answer } from '../../http/answer.ts';
import type { ReadBody } from '../../http/requestChecks.ts';
import { acceptBody, queryOf, demandEnterprise, serviceUrlOf } from '../../requests/answerRequest.ts';
import type { Route } from '../../requests/routes.ts';
import { searchRequestSchema } from '../../search/searchRequest.ts';
import type { SearchRequest } from '../../search/searchRequest.ts';
import { webSearch } from '../../search/webSearch.ts';
import type { Hits } from '../../search/webSearch.ts';
import { ScrapeFailure } from '../../web/webClient.ts';
import type { Service } from '../../service/service.ts';

type Hit = NonNullable<Hits['web']>[number];

/** The hit with the content of its page, and what that cost. A page that cannot be had says why. */
async function withContent(
	service: Service,
	hit: Hit,
	search: SearchRequest,
	call: { serviceUrl: string; signal: AbortSignal },
): Promise<{ hit: Hit; credits: number }> {
	try {
		const scraped = await service.scrape(String(hit.url), search.scrapeOptions, call);
		service.statistics.countPages(1);
		const { metadata, ...content } = scraped.document;
		const { creditsUsed } = metadata;
		return {
			hit: { ...content, ...hit, metadata },
			credits: typeof creditsUsed === 'number' ? creditsUsed : 0,
		};
	} catch (error) {
		if (!(error instanceof ScrapeFailure)) throw error;
		const metadata = { statusCode: error.httpStatus, error: error.message, sourceURL: hit.url };
		return { hit: { ...hit, metadata }, credits: error.credits };
	}
}

/** Two credits for ten hits begun (docs/reference/service-notes.md#prices), and what their pages cost. */
function creditsFor(hits: number, scraping: number): number {
	return 2 * Math.ceil(hits / 10) + scraping;
}

/** The data tools beside the hits, where they are asked for. */
function toolsBeside(
	{ query, sources, domainTools, toolDetail = 'compact' }: SearchRequest,
	{ web = [] }: Hits,
): Record<string, unknown> {
	const isSource = sources.some(({ type }) => type === 'alexandria');
	if (!isSource && !domainTools) return {};
	const urls = domainTools ? web.map(({ url }) => String(url)) : [];
	return { tools: fittingTools({ ...(isSource && { query }), urls }, toolDetail) };
}

async function search(service: Service, request: FastifyRequest, body: ReadBody): Promise<Answer> {
	const asked = acceptBody(service, body, searchRequestSchema, badSearch);
	demandEnterprise(service, asked.threatProtection);
	const id = service.newId();
	service.noteActivity('search', id, asked.query);
	const signal = AbortSignal.timeout(asked.timeout);
	const found = webSearch(asked, service.now());
	const data: Hits = { ...found };
	let scraping = 0;
	if (asked.scrapeOptions.formats.length > 0) {
		const call = { serviceUrl: serviceUrlOf(request), signal };
		for (const kind of ['web', 'news'] as const) {
			const hits = found[kind];
			if (!hits) continue;
			try {
				const scraped = await Promise.all(hits.map((hit) => withContent(service, hit, asked, call)));
				data[kind] = scraped.map(({ hit }) => hit);
				scraping += scraped.reduce((sum, { credits }) => sum + credits, 0);
			} catch (error) {
				if (signal.aborted) return refusal(408, 'Request timed out');
				throw error;
			}
		}
	}
	const hits = Object.values(found).reduce((sum, list) => sum + list.length, 0);
	const creditsUsed = creditsFor(hits, scraping);
	service.credits.charge(creditsUsed);
	return jsonAnswer(200, {
		success: true,
		data: { ...data, ...toolsBeside(asked, data) },
		creditsUsed,
		id,
	});
}

/** The search over the sandbox's own site and pages that it has scraped. */
export const searchRoutes = (service: Service): Route[] => [
	{
		on: 'POST /v2/search',
		step: 'search',
		bucket: 'search',
		credits: 1,
		query: ({ body }) => queryOf(body, 'query'),
		work: ({ request, body }) => search(service, request, body),
	},
];
