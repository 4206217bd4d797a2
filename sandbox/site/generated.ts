import { createServer } from 'node:http';
import { seededRandom } from '../runtime/runtime.ts';
import { listen } from './server.ts';

/** How a made-up site is to be. */
export interface GeneratedSiteOptions {
	/** Pages, the start page included. */
	pages: number;
	/** Rough size of a page. Default 2000. */
	bytesPerPage?: number;
	/** Links of a page, each to one of the pages that come next. Default 10. */
	linksPerPage?: number;
	/** Share of the pages whose connection breaks instead of an answer; never the start page. Default 0. */
	brokenShare?: number;
	/** Decides which pages are broken. Default 1. */
	seed?: number;
	/** Lines for robots.txt. Default: everything is allowed. */
	robots?: string;
	/** Port; 0 (default) takes a free one. */
	port?: number;
}

/** A made-up site, being served. */
export interface GeneratedSite {
	/** Without a slash at its end. */
	url: string;
	/** All pages, the start page first; with a slash only where the path is nothing else. */
	pageUrls: string[];
	/** Those of them that break. */
	brokenUrls: string[];
	/** Requests for pages so far. */
	requests(): number;
	stop(): Promise<void>;
}

const SENTENCES = [
	'This page was made up by a generator, and so was all that it says.',
	'Its text is long enough to weigh something and plain enough to be read by nobody.',
	'Numbers such as 42 and 17.5 are here so that figures can be found.',
	'A page links to the pages that come after it, and the last ones to the first.',
];

function pathOf(index: number): string {
	return index === 0 ? '/' : `/page/${index}`;
}

function filler(bytes: number): string {
	const paragraphs: string[] = [];
	for (let length = 0; length < bytes;) {
		const text = SENTENCES.join(' ');
		paragraphs.push(`<p>${text}</p>`);
		length += text.length + 7;
	}
	return paragraphs.join('\n').slice(0, Math.max(0, bytes));
}

function render(index: number, all: number, linksPerPage: number, text: string): string {
	const links = Array.from({ length: Math.min(linksPerPage, all - 1) }, (_, step) => {
		const to = (index + step + 1) % all;
		return `<li><a href="${pathOf(to)}">Page ${to}</a></li>`;
	});
	return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Page ${index}</title>
<meta name="description" content="Made-up page ${index} of ${all}."></head>
<body><main><h1>Page ${index}</h1>
${text}
<ul>${links.join('')}</ul></main></body></html>
`;
}

/** Serves a site of so many linked pages with a sitemap: cheap, nothing is kept. Rejects when the port is taken. */
export async function startGeneratedSite(options: GeneratedSiteOptions): Promise<GeneratedSite> {
	const { pages, bytesPerPage = 2000, linksPerPage = 10, brokenShare = 0, seed = 1 } = options;
	const random = seededRandom(seed);
	const isBroken = Array.from({ length: pages }, (_, index) => random() < brokenShare && index > 0);
	const text = filler(bytesPerPage);
	let requests = 0;
	let siteUrl = '';

	const special = (path: string): string | undefined => {
		if (path === '/robots.txt') {
			return options.robots ?? `User-agent: *\nAllow: /\nSitemap: ${siteUrl}/sitemap.xml\n`;
		}
		if (path !== '/sitemap.xml') return undefined;
		const urls = isBroken.map((_, index) => `<url><loc>${siteUrl}${pathOf(index)}</loc></url>`);
		return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset>${urls.join('\n')}</urlset>\n`;
	};

	const server = createServer((request, response) => {
		const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
		const plain = special(path);
		if (plain !== undefined) {
			response.end(plain);
			return;
		}
		requests += 1;
		const index = path === '/' ? 0 : Number(/^\/page\/(\d+)$/.exec(path)?.[1] ?? NaN);
		if (isBroken[index]) {
			request.socket.destroy();
			return;
		}
		const isThere = index < pages;
		response.writeHead(isThere ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
		response.end(isThere ? render(index, pages, linksPerPage, text) : '<h1>Not found</h1>');
	});
	siteUrl = await listen(server, options.port ?? 0);
	const pageUrls = isBroken.map((_, index) => siteUrl + pathOf(index));
	return {
		url: siteUrl,
		pageUrls,
		brokenUrls: pageUrls.filter((_, index) => isBroken[index]),
		requests: () => requests,
		stop: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}
