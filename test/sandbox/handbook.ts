import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { z } from 'zod';

import { listen } from '../../sandbox/site/server.ts';

/** Where the recorded server found the handbook. */
export const RECORDED_SITE = 'http://site.example:8897';

const rows = z.array(
	z.object({
		path: z.string(),
		title: z.string(),
		description: z.string(),
		name: z.string(),
		cop: z.string(),
		outdoor: z.string(),
		flow: z.string(),
		status: z.number(),
		related: z.array(z.tuple([z.string(), z.string()])),
	}),
);
type Row = z.output<typeof rows>[number];

/** Delays of the slow page are shorter than they were when it was recorded. */
const HASTE = 20;
const SITEMAP =
	'about basics efficiency installation noise costs refrigerants maintenance grants blog/ blog/first-winter blog/smart-tariffs faq contact'.split(
		' ',
	);

/** The page as it stands in recording scrape-02 (`rawHtml`). */
function render(row: Row, description: string): string {
	const related = row.related.map(([title, to]) => `<li><a href="${to}">${title}</a></li>`).join('');
	return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${row.title}</title>
<meta name="description" content="${description}"><meta property="og:title" content="${row.title}"><meta property="og:site_name" content="Heat Pump Handbook"><link rel="icon" href="/favicon.ico"></head>
<body><header class="header"><nav id="nav"><a href="/">Home</a> <a href="/faq">FAQ</a></nav></header>
<main><h1>${row.title}</h1><p>${description}</p>
<p>This paragraph is part of the page <em>${row.name}</em>. A heat pump with a coefficient of performance of ${row.cop} delivers that many units of heat for one unit of electricity.</p>
<h2>Table</h2><table><thead><tr><th>Quantity</th><th>Value</th></tr></thead><tbody><tr><td>Outdoor temperature</td><td>${row.outdoor} °C</td></tr><tr><td>Flow temperature</td><td>${row.flow} °C</td></tr></tbody></table>
<h2>Related</h2><ul>${related}</ul>
<p><a href="https://example.com/external">External link</a></p></main>
<footer class="footer">Footer text</footer></body></html>`;
}

/** The site that the recorded server scraped, served again. */
export async function startHandbook(): Promise<{ url: string; stop(): Promise<void> }> {
	const file = join(__dirname, '..', 'fixtures', 'handbook.json');
	const pages = new Map(rows.parse(JSON.parse(readFileSync(file, 'utf8'))).map((row) => [row.path, row]));
	let siteUrl = '';
	const server = createServer((request, response) => {
		const { pathname, searchParams } = new URL(request.url ?? '/', siteUrl);
		if (pathname === '/robots.txt') {
			response.end(`User-agent: *\nDisallow: /private/\nSitemap: ${siteUrl}/sitemap.xml\n`);
			return;
		}
		if (pathname === '/sitemap.xml') {
			const urls = SITEMAP.map((path) => `<url><loc>${siteUrl}/${path}</loc></url>`);
			response.end(`<urlset>${urls.join('')}</urlset>`);
			return;
		}
		if (pathname === '/reset') {
			request.socket.destroy();
			return;
		}
		if (pathname === '/hang') return;
		if (pathname === '/moved') {
			response.writeHead(302, { location: '/basics' }).end();
			return;
		}
		const row = pages.get(pathname) ?? pages.get('/missing-page');
		if (!row) throw new Error('The fixture has no page for what is missing');
		const waitMs = pathname.startsWith('/slow') ? Number(searchParams.get('ms') ?? 3000) : 0;
		const description = waitMs > 0 ? `Answered after ${waitMs} ms.` : row.description;
		setTimeout(() => {
			response.writeHead(row.status, { 'content-type': 'text/html; charset=utf-8' });
			response.end(render(row, description));
		}, waitMs / HASTE);
	});
	siteUrl = await listen(server, 0);
	return {
		url: siteUrl,
		stop: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}
