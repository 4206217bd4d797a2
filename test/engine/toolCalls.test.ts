import type { INodeParameters, WorkflowExecuteMode } from 'n8n-workflow';

import { callTool } from './run';
import { scraped, serve, service } from './pageService';
import type { PageServiceParts } from './pageService';

const PATHS = ['invoke', 'request'] as const;
const URL = "={{ $fromAI('url', 'where to start', 'string') }}";
const CRAWL: INodeParameters = { resource: 'crawl', operation: 'start', url: URL };

const one = { url: 'https://site.example/one' };
const two = { url: 'https://site.example/two' };

async function call(
	path: (typeof PATHS)[number],
	args: Array<Record<string, string>>,
	more: INodeParameters = {},
	parts: PageServiceParts = {},
	mode: WorkflowExecuteMode = 'manual',
) {
	await serve(parts);
	return await callTool(service, {
		mode,
		parameters: { ...CRAWL, ...more },
		args,
		path,
	});
}

describe.each(PATHS)('an agent that calls again in the same execution (%s)', (path) => {
	it('gets the job of the earlier call when it asks for the same, and a new one otherwise', async () => {
		const tool = await call(path, [one, two, one]);
		expect(tool.texts).toHaveLength(3);
		expect(tool.texts[2]).toBe(tool.texts[0]);
		expect(tool.texts[1]).toContain('Text of https://site.example/two');
		expect(service.count('POST')).toBe(2);
	});

	it('is not told to use another tool when a job or its pages cannot be read', async () => {
		let isClosed = false;
		const tool = await call(
			path,
			[one, two],
			{},
			{
				job: ({ url }) => ({ pages: [1, 2].map((number) => scraped(`${String(url)}/${number}`)) }),
				instead: ({ method, query }) => {
					if (method !== 'GET' || (query.limit === '1' && !isClosed)) return undefined;
					isClosed = true;
					return { status: 403, body: { error: 'Forbidden' } };
				},
			},
		);
		for (const text of tool.texts) {
			expect(text).toContain('call this tool again with the same input');
			expect(text).not.toContain('Get');
		}
		expect(tool.texts[0]).toContain('pages could not be read');
		expect(tool.texts[1]).toContain('could not be read');
	});
});

describe('an agent that calls twice in the same moment', () => {
	const callAtOnce = async (
		args: Array<Record<string, string>>,
		parts: PageServiceParts = {},
		parameters: INodeParameters = CRAWL,
	) => {
		await serve(parts);
		return await callTool(service, {
			parameters,
			args,
			atOnce: args.length,
		});
	};

	it('gets one job for both when they ask for the same', async () => {
		const tool = await callAtOnce([one, one, two]);
		expect(tool.texts[0]).toContain('Text of https://site.example/one');
		expect(tool.texts[1]).toBe(tool.texts[0]);
		expect(tool.texts[2]).toContain('Text of https://site.example/two');
		expect(service.count('POST')).toBe(2);
	});

	it.each([
		['a crawl', { ...CRAWL, scrapeOptions: { maxAge: 0 } }],
		['a crawl that nobody waits for', { ...CRAWL, waitForCompletion: false, scrapeOptions: { maxAge: 0 } }],
		['a page', { resource: 'page', operation: 'scrape', url: URL, scrapeOptions: { maxAge: 0 } }],
	])('gets %s once for all when they ask for the same fresh page', async (_what, parameters) => {
		const document = { ...scraped(one.url), metadata: { scrapeId: 'scrape-1', url: one.url } };
		const instead = ({ path }: { path: string }) =>
			path.includes('/scrape') ? { body: { success: true, data: document }, delayMs: 100 } : undefined;
		await callAtOnce([one, one, one], { instead }, parameters);
		expect(service.count('POST')).toBe(1);
	});

	it('starts nothing for the second call when nobody knows what became of the first', async () => {
		let starts = 0;
		const tool = await callAtOnce([one, one], {
			instead: ({ method, path }) =>
				method === 'POST' && path.endsWith('crawl') && starts++ === 0
					? { status: 502, body: { error: 'Bad gateway' } }
					: undefined,
		});
		for (const text of tool.texts) expect(text).toContain('may have been started');
		expect(service.count('POST')).toBe(1);
	});

	it('scrapes a page once for both', async () => {
		const page = { resource: 'page', operation: 'scrape', url: URL };
		const document = { ...scraped(one.url), metadata: { scrapeId: 'scrape-1', url: one.url } };
		const instead = () => ({ body: { success: true, data: document }, delayMs: 100 });
		const tool = await callAtOnce([one, one], { instead }, page);
		expect(tool.texts[0]).toContain('Text of https://site.example/one');
		expect(tool.texts[1]).toBe(tool.texts[0]);
		expect(service.count('POST')).toBe(1);
	});
});
