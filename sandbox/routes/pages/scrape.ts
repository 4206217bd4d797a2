import type { FastifyRequest } from 'fastify';
import { jsonAnswer, noZeroDataRetention, refusal } from '../../http/answer.ts';
import type { Answer } from '../../http/answer.ts';
import { demandId } from '../../http/requestChecks.ts';
import type { ReadBody } from '../../http/requestChecks.ts';
import {
	acceptBody,
	fieldOf,
	queryOf,
	demandEnterprise,
	scrapeRefusal,
	serviceUrlOf,
} from '../../requests/answerRequest.ts';
import type { Route } from '../../requests/routes.ts';
import { scrapeRequestSchema } from '../../scrape/options/scrapeOptions.ts';
import { fittingTools } from '../../dataTools/catalogue.ts';
import { dataToolsSchema } from '../../dataTools/runTools.ts';
import type { Service } from '../../service/service.ts';
import { ScrapeFailure } from '../../web/webClient.ts';

const PATH = '/v2/scrape';

/** The name of what a body runs instead of a scrape: a data tool, or the catalogue of them. */
function toolOf(body: ReadBody): string | undefined {
	const [first] = [fieldOf(body, 'alexandria')].flat();
	if (typeof first !== 'object' || first === null) return undefined;
	return 'capability' in first ? String(first.capability) : '';
}

const FIND = 'find-tools';

async function scrape(service: Service, request: FastifyRequest, body: ReadBody): Promise<Answer> {
	if (toolOf(body) !== undefined) {
		const { 'x-request-id': requestId } = request.headers;
		return service.dataTools.run(acceptBody(service, body, dataToolsSchema), [requestId].flat()[0]);
	}
	const asked = acceptBody(service, body, scrapeRequestSchema);
	const { url, zeroDataRetention, domainTools, toolDetail = 'summary', ...options } = asked;
	if (zeroDataRetention) return noZeroDataRetention();
	demandEnterprise(service, options.threatProtection);
	const scrapeId = service.newId();
	service.noteActivity('scrape', scrapeId, url);
	try {
		const scraped = await service.scrape(url, options, {
			serviceUrl: serviceUrlOf(request),
			scrapeId,
		});
		service.credits.charge(scraped.credits);
		service.statistics.countScrape({ scrapeId, url });
		service.scrapes.keep(scraped.document);
		const tools = domainTools ? { tools: fittingTools({ urls: [url] }, toolDetail) } : {};
		return jsonAnswer(200, { success: true, data: { ...scraped.document, ...tools } });
	} catch (error) {
		const refused = scrapeRefusal(error);
		if (error instanceof ScrapeFailure) service.credits.charge(error.credits);
		// Looking into the cache in vain costs one credit (docs/reference/service-notes.md#prices).
		if (options.lockdown && refused.status === 404) service.credits.charge(1);
		return refused;
	}
}

function stored(service: Service, id: string): Answer {
	const { hasDatabase } = service.options;
	demandId(id);
	const document = hasDatabase ? service.scrapes.find(id) : undefined;
	return document ? jsonAnswer(200, { success: true, data: document }) : refusal(404, 'Job not found.');
}

/** Single pages: scrape counts as such, its stored result as crawl status (docs/reference/service-notes.md#requests-a-minute). */
export const scrapeRoutes = (service: Service): Route[] => [
	{
		on: `POST ${PATH}`,
		step: ({ body }) => {
			const tool = toolOf(body);
			return tool === undefined ? 'scrape' : tool === FIND ? 'findTools' : 'dataTool';
		},
		bucket: 'scrape',
		credits: ({ body }) => (toolOf(body) === undefined ? 1 : 0),
		query: ({ body }) => toolOf(body) ?? queryOf(body, 'url'),
		work: ({ request, body }) => scrape(service, request, body),
	},
	{
		on: `GET ${PATH}/:id`,
		step: 'scrapeStatus',
		bucket: 'crawlStatus',
		work: ({ id }) => stored(service, id),
	},
];
