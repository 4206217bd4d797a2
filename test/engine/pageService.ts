import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Json = Record<string, unknown>;

export interface PageAnswer {
	status?: number;
	body: unknown;
	/** Milliseconds until it is sent. */
	delayMs?: number;
}

export interface PageRequest {
	method: string;
	/** Without the query. */
	path: string;
	query: Record<string, string>;
	body: Json;
	authorization: string | undefined;
	atMs: number;
}

export interface PageJob {
	id: string;
	body: Json;
	/** Pages it ends with. */
	pages: Json[];
	errors: Json[];
	state: string;
	/** How many looks see it running. */
	looksLeft: number;
}

export interface PageServiceParts {
	sliceSize?: number;
	/** Makes the job of a start. */
	job?: (body: Json) => Partial<PageJob>;
	/** Answers in place of the service; undefined lets it answer itself. */
	instead?: (request: PageRequest, count: number) => PageAnswer | undefined;
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
	const requests: PageRequest[] = [];
	const jobs = new Map<string, PageJob>();
	const { sliceSize = 100, errorsVersion = 'v2' } = parts;
	let baseUrl = '';

	const status = (job: PageJob, query: Record<string, string>): PageAnswer => {
		const isRunning = job.state === 'scraping' || job.looksLeft > 0;
		if (job.looksLeft > 0) job.looksLeft -= 1;
		const pages = isRunning ? job.pages.slice(0, 1) : job.pages;
		const skip = Number(query.skip ?? 0);
		const data = pages.slice(skip, skip + Math.min(sliceSize, Number(query.limit ?? sliceSize)));
		const end = skip + data.length;
		const origin = parts.nextOrigin?.(baseUrl) ?? baseUrl;
		return {
			body: {
				success: true,
				status: isRunning ? 'scraping' : job.state,
				completed: pages.length,
				total: job.pages.length,
				creditsUsed: pages.length * 2,
				expiresAt: '2026-11-22T01:48:17.000Z',
				...((end < pages.length || isRunning) && { next: `${origin}/v2/x/${job.id}?skip=${end}` }),
				data,
			},
		};
	};

	const answer = ({ method, path, query, body }: PageRequest): PageAnswer => {
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

	const delayed = new Set<NodeJS.Timeout>();
	const server = createServer((message, response) => {
		void readRequest(message).then((request) => {
			requests.push(request);
			const given = service.instead?.(request, requests.length) ?? answer(request);
			const text = typeof given.body === 'string' ? given.body : JSON.stringify(given.body);
			const answering = setTimeout(() => {
				delayed.delete(answering);
				response.writeHead(given.status ?? 200, { 'content-type': 'application/json' });
				response.end(text);
			}, given.delayMs ?? 0);
			delayed.add(answering);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const service = {
		baseUrl,
		requests,
		jobs,
		/** As in the parts; may be set again. */
		instead: parts.instead,
		count: (method: string, path = '') =>
			requests.filter((one) => one.method === method && one.path.includes(path)).length,
		stop: async () => {
			delayed.forEach(clearTimeout);
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	return service;
}

export type PageService = Awaited<ReturnType<typeof startPageService>>;

async function readRequest(message: IncomingMessage): Promise<PageRequest> {
	const chunks: Buffer[] = [];
	for await (const chunk of message) chunks.push(chunk as Buffer);
	const text = Buffer.concat(chunks).toString('utf8');
	const { pathname, searchParams } = new URL(message.url ?? '/', 'http://x');
	return {
		method: message.method ?? '',
		path: pathname,
		query: Object.fromEntries(searchParams),
		body: text.startsWith('{') ? (JSON.parse(text) as Json) : {},
		authorization: message.headers.authorization,
		atMs: Date.now(),
	};
}
