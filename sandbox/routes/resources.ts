import { activityRoutes, teamRoutes } from './account/team.ts';
import { feedbackRoutes } from './account/feedback.ts';
import { agentRoutes } from './answers/agent.ts';
import { extractRoutes } from './answers/extract.ts';
import { llmsTxtRoutes } from './answers/llmsTxt.ts';
import { interactRoutes } from './browser/interact.ts';
import { sessionRoutes } from './browser/sessions.ts';
import { batchScrapeRoutes } from './jobs/batchScrape.ts';
import { crawlRoutes } from './jobs/crawl.ts';
import { deepResearchRoutes } from './jobs/deepResearch.ts';
import { chatRoutes, embeddingRoutes } from './model/model.ts';
import { mapRoutes } from './pages/map.ts';
import { scrapeRoutes } from './pages/scrape.ts';
import { monitorRoutes } from './monitor/monitor.ts';
import { parseRoutes } from './parse/parse.ts';
import { developerSearchRoutes } from './search/developerSearch.ts';
import { paperRoutes } from './search/papers.ts';
import { searchRoutes } from './search/search.ts';

/** The resources of the service: each is a file in a folder next to this one, and a line here. */
export const RESOURCES = [
	deepResearchRoutes,
	crawlRoutes,
	scrapeRoutes,
	batchScrapeRoutes,
	mapRoutes,
	searchRoutes,
	developerSearchRoutes,
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
	chatRoutes,
	embeddingRoutes,
];
