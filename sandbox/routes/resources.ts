import type { FastifyInstance } from 'fastify';
import { activityRoutes, teamRoutes } from './account/team.ts';
import { feedbackRoutes } from './account/feedback.ts';
import { agentRoutes } from './answers/agent.ts';
import { extractRoutes } from './answers/extract.ts';
import { llmsTxtRoutes } from './answers/llmsTxt.ts';
import { interactRoutes } from './browser/interact.ts';
import { sessionRoutes } from './browser/sessions.ts';
import { batchScrapeRoutes } from './jobs/batchScrape.ts';
import { crawlRoutes } from './jobs/crawl.ts';
import { deepResearchRoutes } from './answers/deepResearch.ts';
import { mapRoutes } from './pages/map.ts';
import { scrapeRoutes } from './pages/scrape.ts';
import { modelRoutes } from './model/model.ts';
import { monitorRoutes } from './monitor/monitor.ts';
import { parseRoutes } from './parse/parse.ts';
import { indexSearchRoutes } from './search/indexSearches.ts';
import { paperRoutes } from './search/papers.ts';
import { searchRoutes } from './search/search.ts';
import { serve } from '../requests/routes.ts';
import type { Service } from '../service/service.ts';

/** The routes of the service: each resource is a file in a folder next to this one, and a line here. */
const RESOURCES = [
	deepResearchRoutes,
	crawlRoutes,
	scrapeRoutes,
	batchScrapeRoutes,
	mapRoutes,
	searchRoutes,
	indexSearchRoutes,
	paperRoutes,
	teamRoutes,
	activityRoutes,
	feedbackRoutes,
	agentRoutes,
	extractRoutes,
	llmsTxtRoutes,
	sessionRoutes,
	interactRoutes,
	parseRoutes,
	monitorRoutes,
];

/** Serves all of them, and a chat model beside. */
export function addRoutes(app: FastifyInstance, service: Service): void {
	for (const routesOf of RESOURCES) serve(app, service, routesOf(service));
	modelRoutes(app, service);
}
