import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { editionPage, publishedBy, renderFirmPage, renderPage, membersPage } from './editions.ts';
import type { Edition } from './editions.ts';
import { FIRM_HOSTS, ownPage, PAGES } from './pages.ts';
import { TRY_PATH, tryPage } from './tryPages.ts';
import type { TryAnswer } from './tryPages.ts';
import { firmPageIn, weekBegunBy, weeklyPage } from './weeks.ts';
import type { Week } from './weeks.ts';

/** The pages the sandbox researches, served on a port of their own. */
interface Site {
	url: string;
	stop(): Promise<void>;
}

interface Resource {
	contentType: string;
	body: string;
}

const ICON =
	'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#1f6f54"/><circle cx="9" cy="22" r="5" fill="none" stroke="#fff" stroke-width="2"/><circle cx="24" cy="22" r="5" fill="none" stroke="#fff" stroke-width="2"/><rect x="11" y="9" width="12" height="9" fill="#fff"/></svg>';

function resources(siteUrl: string): Map<string, Resource> {
	const urls = PAGES.map((page) => `<url><loc>${siteUrl}${page.path}</loc></url>`);
	const all = new Map<string, Resource>([
		['/favicon.svg', { contentType: 'image/svg+xml', body: ICON }],
		[
			'/robots.txt',
			{
				contentType: 'text/plain; charset=utf-8',
				body: `User-agent: *\nAllow: /\nSitemap: ${siteUrl}/sitemap.xml\n`,
			},
		],
		[
			'/sitemap.xml',
			{
				contentType: 'application/xml; charset=utf-8',
				body: `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`,
			},
		],
	]);
	for (const page of PAGES) {
		all.set(page.path, { contentType: 'text/html; charset=utf-8', body: renderPage(page) });
	}
	return all;
}

/** Takes a free port of the loopback address, and returns the address as a URL without a slash at its end. */
export function listen(server: Server): Promise<string> {
	return new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
	});
}

const HTML = { 'content-type': 'text/html; charset=utf-8' };

function sendTryPage(response: ServerResponse, { status, body, delayMs }: TryAnswer): void {
	const send = (): void => {
		if (body === undefined) {
			response.destroy();
			return;
		}
		response.writeHead(status, HTML);
		response.end(body);
	};
	const timer = setTimeout(send, delayMs);
	response.once('close', () => clearTimeout(timer));
}

/** Serves the site on a free port. `speed` divides how long its slow page takes. */
export async function startSite(speed = 1): Promise<Site> {
	const served = new Map<string, Map<string, Resource>>();
	const visits = new Map<string, number>();
	let edition: Edition = 1;
	let week: Week = 1;
	const servedAs = (origin: string): Map<string, Resource> => {
		const found = served.get(origin) ?? resources(origin);
		served.set(origin, found);
		return found;
	};
	const server = createServer((request, response) => {
		const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
		const asked = `https://${request.headers.host ?? ''}${path}`;
		if (URL.canParse(asked) && FIRM_HOSTS.has(new URL(asked).hostname)) {
			const page = ownPage(asked);
			const status = page ? 200 : 404;
			sendTryPage(response, { status, body: page ? firmPageIn(week, renderFirmPage(page)) : 'Not found', delayMs: 0 });
			return;
		}
		if (path === '/members') {
			void text(request).then((sent) => {
				response.writeHead(200, HTML);
				response.end(membersPage(new URLSearchParams(sent)));
			});
			return;
		}
		if (path.startsWith(TRY_PATH)) {
			const visit = (visits.get(path) ?? 0) + 1;
			visits.set(path, visit);
			const name = path.slice(TRY_PATH.length);
			edition = publishedBy(name) ?? edition;
			week = weekBegunBy(name) ?? week;
			const answer = tryPage(name, visit);
			sendTryPage(response, {
				...answer,
				delayMs: answer.isRealTime ? answer.delayMs : answer.delayMs / speed,
			});
			return;
		}
		const inEdition = editionPage(path, edition) ?? weeklyPage(path, week);
		if (inEdition !== undefined) {
			sendTryPage(response, { status: 200, body: inEdition, delayMs: 0 });
			return;
		}
		const { host = '', 'x-forwarded-proto': protocol = 'http' } = request.headers;
		const found = servedAs(`${String(protocol)}://${host}`).get(path);
		const { contentType, body } = found ?? {
			contentType: 'text/plain; charset=utf-8',
			body: 'Not found',
		};
		response.writeHead(found ? 200 : 404, {
			'content-type': contentType,
			'content-length': String(Buffer.byteLength(body)),
		});
		response.end(request.method === 'HEAD' ? undefined : body);
	});
	const url = await listen(server);
	return {
		url,
		stop: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}
