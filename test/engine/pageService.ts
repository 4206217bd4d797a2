import { startScript } from '../helpers/script';
import type { ScriptAnswer, ScriptRequest, ScriptedService } from '../helpers/script';

export type Json = Record<string, unknown>;

export interface PageJob {
	id: string;
	body: Json;
	/** Pages it ends with. */
	pages: Json[];
	errors: Json[];
	state: string;
	/** How many pages it says it has; default: as many. */
	completed?: number;
	/** How many looks see it running. */
	looksLeft: number;
}

export interface PageServiceParts {
	sliceSize?: number;
	/** Makes the job of a start. */
	job?: (body: Json) => Partial<PageJob>;
	/** Answers in place of the service; undefined lets it answer itself. */
	instead?: (request: ScriptRequest, count: number) => ScriptAnswer | undefined;
	/** What the links to the next slices start with; default: the service's own origin. */
	nextOrigin?: (own: string) => string;
	/** Where the list of errors is; the other version gives a web page with 404. */
	errorsVersion?: 'v1' | 'v2';
}

/** A page as servers give it. */
export function scraped(url: string): Json {
	return {
		markdown: `Text of ${url}`,
		metadata: { title: `Title of ${url}`, scrapeId: `scrape ${url}`, sourceURL: url, url },
	};
}

/** A service that gathers pages, for what the sandbox cannot be made to do at will. */
export async function startPageService(parts: PageServiceParts = {}) {
	const jobs = new Map<string, PageJob>();
	const { sliceSize = 100, errorsVersion = 'v2' } = parts;

	const status = (job: PageJob, query: Record<string, string>): ScriptAnswer => {
		const isRunning = job.state === 'scraping' || job.looksLeft > 0;
		if (job.looksLeft > 0) job.looksLeft -= 1;
		const pages = isRunning ? job.pages.slice(0, 1) : job.pages;
		const skip = Number(query.skip ?? 0);
		const data = pages.slice(skip, skip + Math.min(sliceSize, Number(query.limit ?? sliceSize)));
		const end = skip + data.length;
		const origin = parts.nextOrigin?.(server.baseUrl) ?? server.baseUrl;
		return {
			body: {
				success: true,
				status: isRunning ? 'scraping' : job.state,
				completed: job.completed ?? pages.length,
				total: job.pages.length,
				creditsUsed: pages.length * 2,
				expiresAt: '2026-11-22T01:48:17.000Z',
				...((end < pages.length || isRunning) && { next: `${origin}/v2/x/${job.id}?skip=${end}` }),
				data,
			},
		};
	};

	const answer = ({ method, path, query, body }: ScriptRequest): ScriptAnswer => {
		if (method === 'POST') {
			const id = `job-${jobs.size}`;
			const urls = Array.isArray(body.urls) ? (body.urls as string[]) : [String(body.url)];
			const job = {
				id,
				body,
				pages: urls.map(scraped),
				errors: [],
				state: 'completed',
				looksLeft: 0,
			};
			jobs.set(id, { ...job, ...parts.job?.(body) });
			return { body: { success: true, id } };
		}
		const [, version, id = '', errors] = /^\/(v\d)\/(?:crawl|batch\/scrape)\/([^/]+)(\/errors)?$/.exec(path) ?? [];
		const job = jobs.get(id);
		if (errors && version !== errorsVersion) return { status: 404, body: '<html>Cannot GET</html>' };
		if (!job) return { status: 404, body: { success: false, error: 'Job not found' } };
		if (errors) return { body: { errors: job.errors, robotsBlocked: [] } };
		if (method === 'GET') return status(job, query);
		job.state = 'cancelled';
		job.looksLeft = 0;
		return { body: { status: 'cancelled' } };
	};

	const server: ScriptedService = await startScript(
		(request, count) => started.instead?.(request, count) ?? answer(request),
	);
	const started = {
		...server,
		jobs,
		/** As in the parts; may be set again. */
		instead: parts.instead,
		count: (method: string, path = '') =>
			server.requests.filter((one) => one.method === method && one.path.includes(path)).length,
	};
	return started;
}

export type PageService = Awaited<ReturnType<typeof startPageService>>;

/** The one of the test that runs. */
export let service: PageService;

/** Starts the one of the test. */
export async function serve(parts: PageServiceParts = {}): Promise<PageService> {
	service = await startPageService(parts);
	return service;
}
