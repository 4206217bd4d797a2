import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Answers /v2/scrape, /v2/parse, /v2/crawl and /v2/batch/scrape at once with made-up pages, in a process of its own
 * so that its work is not measured. As little as the requests need, for the sandbox's own checks would
 * take CPU from what is measured. Tells its address to the process that forked it.
 *
 * A crawl has as many pages as its `limit` says, and fails when its address ends in `fail`.
 */
const SCRAPE_CHARS = 1000;
const PAGE_CHARS = 20_000;
const SLICE_PAGES = 100;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz     ';

/** Text of one byte a letter that no two pages share. */
function pageText(url: string, chars: number): string {
	const head = `# Page ${url}\n\n`;
	const filler = Array.from({ length: 97 }, (_unused, index) => LETTERS[(index * 7) % 31]).join('');
	return (head + filler.repeat(Math.ceil(chars / filler.length))).slice(0, chars);
}

/** Data as a model fills them in from a page, and the table of it that they stand in. */
const PRODUCTS = Array.from({ length: 8 }, (_unused, index) => ({
	name: `Product ${'ABCDEFGH'[index]}`,
	price: 19.5 + 7 * index,
	stock: 40 + index,
	since: `2024-0${index + 1}-15`,
}));
const TABLE = ['| Name | Price | Stock | Since |', '| --- | --- | --- | --- |']
	.concat(PRODUCTS.map((one) => `| ${Object.values(one).join(' | ')} |`))
	.join('\n');

/** A page in the formats that are asked for, as text where none is. */
function page(url: string, chars: number, formats: readonly string[] = ['markdown']): Record<string, unknown> {
	const isData = formats.includes('json');
	return {
		...(formats.includes('markdown') && {
			markdown: isData ? `${TABLE}\n\n${pageText(url, chars)}` : pageText(url, chars),
		}),
		...(isData && { json: { address: url, products: PRODUCTS } }),
		metadata: {
			title: `Page ${url}`,
			language: 'en',
			scrapeId: `scrape-${url}`,
			sourceURL: url,
			url,
			statusCode: 200,
			contentType: 'text/html; charset=utf-8',
			creditsUsed: 1,
		},
	};
}

interface Job {
	pages: string[];
	formats: string[];
}

const jobs = new Map<string, Job>();
const failedJobs = new Set<string>();

function startJob({ url, urls, limit, scrapeOptions }: Record<string, unknown>): unknown {
	const id = `job-${jobs.size}`;
	const pages = Array.isArray(urls)
		? urls.map(String)
		: Array.from({ length: Number(limit ?? 1) }, (_unused, index) => `${String(url)}${index}`);
	const asked: unknown = Object(scrapeOptions).formats;
	const formats = Array.isArray(asked) ? asked.map((one: unknown) => String(Object(one).type ?? one)) : ['markdown'];
	jobs.set(id, { pages, formats });
	if (typeof url === 'string' && url.endsWith('fail')) failedJobs.add(id);
	return { success: true, id };
}

function jobStatus(path: string, query: URLSearchParams, origin: string): unknown {
	const id = path.split('/').at(-1) ?? '';
	if (failedJobs.has(id)) return { success: false, status: 'failed', error: 'Out of reach' };
	const { pages, formats } = jobs.get(id) ?? { pages: [], formats: [] };
	const skip = Number(query.get('skip') ?? 0);
	const end = skip + Math.min(SLICE_PAGES, Number(query.get('limit') ?? SLICE_PAGES));
	return {
		success: true,
		status: 'completed',
		completed: pages.length,
		total: pages.length,
		creditsUsed: pages.length,
		expiresAt: '2099-01-01T00:00:00.000Z',
		...(end < pages.length && { next: `${origin}${path}?skip=${end}` }),
		data: pages.slice(skip, end).map((url) => page(url, PAGE_CHARS, formats)),
	};
}

async function bodyOf(message: IncomingMessage): Promise<Record<string, unknown>> {
	const chunks: Buffer[] = [];
	for await (const chunk of message) chunks.push(chunk as Buffer);
	return chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

/** Keeps nothing of a file, and tells how large it was. */
async function read(message: IncomingMessage): Promise<unknown> {
	let bytes = 0;
	for await (const chunk of message) bytes += chunk.length;
	// What is around the file is less than a kilobyte.
	const markdown = `${bytes - (bytes % 1024)} bytes`;
	return { success: true, data: { markdown, metadata: { statusCode: 200, creditsUsed: 1 } } };
}

async function answerTo(message: IncomingMessage, origin: string): Promise<unknown> {
	const { pathname, searchParams } = new URL(message.url ?? '/', origin);
	if (pathname === '/v2/parse') return await read(message);
	const body = await bodyOf(message);
	if (message.method === 'GET') return jobStatus(pathname, searchParams, origin);
	if (pathname !== '/v2/scrape') return startJob(body);
	return { success: true, data: page(String(body.url), SCRAPE_CHARS) };
}

const server = createServer((message, response) => {
	void answerTo(message, baseUrl).then((answer) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(JSON.stringify(answer));
	});
});
server.keepAliveTimeout = 60_000;
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 2048, resolve));
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
process.send?.(baseUrl);
process.once('disconnect', () => process.exit());
