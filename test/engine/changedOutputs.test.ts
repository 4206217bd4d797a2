import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Execution } from '../../engine/index.ts';
import { speedUpClock } from './fastClock';
import { scraped, startPageService } from './pageService';
import type { PageService } from './pageService';
import { NODE } from './research';
import { batchStart, crawlStart, hintsOf, runPages } from './pagesRun';
import type { PagesRun } from './pagesRun';

const HOME = 'https://site.example/';

let service: PageService;
/** Text by address: what the site shows. */
let site: Map<string, string>;
let statusCodes: Map<string, number>;
let staticData: IDataObject | undefined;

const page = (url: string) => {
	const { metadata } = scraped(url);
	const statusCode = statusCodes.get(url) ?? 200;
	return { markdown: site.get(url), metadata: { ...(metadata as IDataObject), statusCode } };
};

beforeEach(async () => {
	speedUpClock(20);
	site = new Map(['a', 'b', 'c', 'd'].map((name) => [`${HOME}${name}`, `Text of ${name}`]));
	[statusCodes, staticData] = [new Map(), undefined];
	service = await startPageService({
		job: ({ urls }) => ({ pages: (Array.isArray(urls) ? urls : [...site.keys()]).map(page) }),
	});
});
afterEach(async () => {
	jest.restoreAllMocks();
	await service.stop();
});

const crawl = (options: IDataObject = {}, more: INodeParameters = {}) =>
	crawlStart({ options: { onlyChanged: true, ...options }, ...more } as INodeParameters);

/** A run of the active workflow: what n8n stores at its end is there for the next. */
async function run(parameters = crawl(), more: PagesRun = {}): Promise<Execution> {
	const execution = await runPages(service, parameters, {
		mode: 'trigger',
		...(staticData && { staticData }),
		...more,
	});
	staticData = execution.staticData ?? staticData;
	return execution;
}

/** `b changed`, by the last part of the address. */
const told = (execution: Execution): string[] =>
	execution
		.items(NODE)
		.map(({ json }) => `${String(json.url).slice(HOME.length)} ${String(json.change)}`);

describe('Only New and Changed Pages of other outputs', () => {
	it('are the pages in the file and in the list of the job', async () => {
		for (const output of ['file', 'job']) {
			staticData = undefined;
			site.set(`${HOME}b`, 'Text of b');
			const asked = crawl({}, { output });
			await run(asked);
			site.set(`${HOME}b`, `Another text for ${output}`);
			const [item] = (await run(asked)).items(NODE);
			if (output === 'file') expect(item?.json).toMatchObject({ pagesInFile: 1 });
			else expect(item?.json.pages).toMatchObject([{ url: `${HOME}b`, change: 'changed' }]);
		}
	});

	it('of Batch Scrape go to the items that asked for them', async () => {
		const items = ['a', 'b', 'c'].map((name) => ({ url: `${HOME}${name}` }));
		const batch = batchStart({ options: { onlyChanged: true } });
		expect(told(await run(batch, { items }))).toHaveLength(3);
		site.set(`${HOME}b`, 'Another text');
		statusCodes.set(`${HOME}c`, 404);
		const second = await run(batch, { items });
		expect(told(second)).toEqual(['b changed', 'c gone']);
		expect(second.items(NODE).map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 1 },
			{ item: 2 },
		]);
		// What is not asked for is not gone.
		expect(told(await run(batch, { items: items.slice(0, 1) }))).toEqual([]);
		expect(told(await run(batch, { items: items.slice(0, 2) }))).toEqual([]);
	});

	it('of Get are compared with the last job that was collected, without absent ones', async () => {
		const get = (jobId: string) =>
			({
				resource: 'crawl',
				operation: 'get',
				jobId,
				options: { onlyChanged: true },
			}) as INodeParameters;
		await run(crawl());
		expect(told(await run(get('job-0')))).toHaveLength(4);
		site.set(`${HOME}b`, 'Another text');
		site.delete(`${HOME}c`);
		await run(crawl());
		expect(told(await run(get('job-1')))).toEqual(['b changed']);
	});

	it('of two jobs of one run are all remembered', async () => {
		const batch = batchStart({
			urlsFrom: 'list',
			urls: '={{ $json.url }}',
			options: { onlyChanged: true },
		});
		const items = ['a', 'b'].map((name) => ({ url: `${HOME}${name}` }));
		expect(told(await run(batch, { items }))).toEqual(['a new', 'b new']);
		expect(told(await run(batch, { items }))).toEqual([]);
	});

	it('beyond 10,000 are returned in every run, and a hint says so', async () => {
		site = new Map(Array.from({ length: 10_003 }, (_unused, at) => [`${HOME}${at}`, `Text ${at}`]));
		const many = crawl({}, { pageLimit: 20_000 });
		const first = await run(many);
		expect(first.items(NODE)).toHaveLength(10_003);
		expect(Buffer.byteLength(JSON.stringify(staticData))).toBeLessThan(1_000_000);
		for (let at = 0; at < 100; at += 1) site.set(`${HOME}${at * 100}`, 'Another text');
		const second = await run(many);
		const changes = second.items(NODE).map(({ json }) => json.change);
		expect(changes.filter((change) => change === 'changed')).toHaveLength(100);
		expect(changes.filter((change) => change === 'unknown')).toHaveLength(3);
		expect(changes).toHaveLength(103);
		expect(hintsOf(second).join(' ')).toContain('3 pages cannot be compared');
	});

	it('are told by the try that follows one that failed', async () => {
		const items = ['a', 'b'].map((name) => ({ url: `${HOME}${name}` }));
		const batch = batchStart({ options: { onlyChanged: true } });
		service.instead = ({ method, path }, count) =>
			method === 'GET' && path.includes('batch') && count < 4
				? { status: 403, body: { error: 'Forbidden' } }
				: undefined;
		const node = { retryOnFail: true, maxTries: 5, waitBetweenTries: 1 };
		expect(told(await run(batch, { items, node }))).toEqual(['a new', 'b new']);
		expect(service.count('POST')).toBe(1);
		expect(told(await run(batch, { items, node }))).toEqual([]);
	});
});
