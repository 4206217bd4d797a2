import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Execution } from '../../engine/index.ts';
import { speedUpClock } from './fastClock';
import { scraped, startPageService } from './pageService';
import type { PageJob, PageService } from './pageService';
import { NODE } from './research';
import { crawlStart, hintsOf, runPages } from './pagesRun';
import type { PagesRun } from './pagesRun';

const HOME = 'https://site.example/';

let service: PageService;
/** Text by address: what the site shows. */
let site: Map<string, string>;
let errors: PageJob['errors'];
let statusCodes: Map<string, number>;
let state: string;
let staticData: IDataObject | undefined;

const page = (url: string) => {
	const { metadata } = scraped(url);
	const statusCode = statusCodes.get(url) ?? 200;
	return { markdown: site.get(url), metadata: { ...(metadata as IDataObject), statusCode } };
};

beforeEach(async () => {
	speedUpClock(20);
	site = new Map(['a', 'b', 'c', 'd'].map((name) => [`${HOME}${name}`, `Text of ${name}`]));
	[errors, statusCodes, state, staticData] = [[], new Map(), 'completed', undefined];
	service = await startPageService({
		job: ({ urls }) => {
			const asked = Array.isArray(urls) ? (urls as string[]) : [...site.keys()];
			const failed = new Set(errors.map(({ url }) => url));
			return { pages: asked.filter((url) => !failed.has(url)).map(page), errors, state };
		},
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

const fail = (name: string) => ({
	url: `${HOME}${name}`,
	error: 'Timeout',
	code: 'SCRAPE_TIMEOUT',
});

describe('Only New and Changed Pages', () => {
	it('returns every page in the first run, and later what is new, changed or gone', async () => {
		const first = await run();
		expect(told(first)).toEqual(['a new', 'b new', 'c new', 'd new']);
		expect(first.items(NODE)[0]?.json.contentHash).toMatch(/^[0-9a-f]{32}$/);
		expect(hintsOf(first)).toContain(
			'There is no earlier run to compare with, so all pages are new.',
		);
		expect(told(await run())).toEqual([]);
		site.set(`${HOME}b`, 'Another text');
		site.delete(`${HOME}c`);
		site.set(`${HOME}e`, 'Text of e');
		const third = await run();
		expect(told(third)).toEqual(['b changed', 'e new', 'c gone']);
		expect(third.items(NODE)[2]?.json).toMatchObject({ url: `${HOME}c`, title: null });
		expect(third.items(NODE)[2]?.json.markdown).toBeUndefined();
		expect(hintsOf(third).join(' ')).toContain(
			'1 new, 1 changed, 1 gone. 2 unchanged pages left out, which saves the next nodes',
		);
		expect(told(await run())).toEqual([]);
		site.set(`${HOME}c`, 'Text of c');
		expect(told(await run())).toEqual(['c new']);
	});

	it('takes whitespace, tracking parameters and ignored lines for no change', async () => {
		const ignoring = crawl({ ignoredLines: '^\\d+ views$' });
		site.set(`${HOME}a`, 'See [b](/b?utm_source=x)\n10 views');
		await run(ignoring);
		site.set(`${HOME}a`, 'See  [b](/b)\n\n11 views');
		expect(told(await run(ignoring))).toEqual([]);
		site.set(`${HOME}a`, 'See [c](/c)\n11 views');
		expect(told(await run(ignoring))).toEqual(['a changed']);
	});

	it('refuses a pattern that is none before anything is paid for', async () => {
		const { error } = await run(crawl({ ignoredLines: '(' }));
		expect(error?.message).toContain('"Ignore Lines Matching" holds a line that');
		expect(service.requests).toEqual([]);
	});

	it('does not call a page gone that fails in one run and is back in the next', async () => {
		await run();
		errors = [fail('b')];
		expect(told(await run())).toEqual([]);
		errors = [];
		expect(told(await run())).toEqual([]);
	});

	it('does not call pages gone that only a failed page links to', async () => {
		await run();
		errors = [fail('b')];
		site.delete(`${HOME}c`);
		const down = await run();
		expect(told(down)).toEqual([]);
		expect(hintsOf(down)).toContain(
			'Pages that were not found are not reported as gone, because failed pages may link to them.',
		);
		errors = [];
		expect(told(await run())).toEqual(['c gone']);
	});

	it('returns nothing and forgets nothing while the site is down for a day', async () => {
		await run();
		statusCodes = new Map([...site.keys()].map((url) => [url, 503]));
		for (const url of site.keys()) site.set(url, 'Service unavailable');
		const down = await run();
		expect(told(down)).toEqual([]);
		expect(hintsOf(down).join(' ')).toContain('4 pages with an error left out');
		statusCodes.clear();
		for (const name of 'abcd') site.set(`${HOME}${name}`, `Text of ${name}`);
		expect(told(await run())).toEqual([]);
	});

	it('calls a page gone that the site answers with 404 or 410', async () => {
		await run();
		statusCodes.set(`${HOME}a`, 404);
		statusCodes.set(`${HOME}b`, 410);
		expect(told(await run())).toEqual(['a gone', 'b gone']);
		expect(told(await run())).toEqual([]);
		statusCodes.clear();
		expect(told(await run())).toEqual(['a new', 'b new']);
	});

	it('calls no page gone when the crawl reached its Page Limit', async () => {
		await run();
		site.delete(`${HOME}c`);
		const limited = await run(crawl({}, { pageLimit: 3 }));
		expect(told(limited)).toEqual([]);
		expect(hintsOf(limited)).toContain(
			'Pages that were not found are not reported as gone, because the crawl reached its Page Limit.',
		);
		expect(told(await run())).toEqual(['c gone']);
	});

	it('calls no page gone when there were fewer credits than Page Limit', async () => {
		await run();
		site.delete(`${HOME}c`);
		const balance = (remainingCredits: number) => {
			service.instead = ({ path }) =>
				path.includes('credit-usage')
					? { body: { success: true, data: { remainingCredits } } }
					: undefined;
		};
		balance(20);
		const poor = await run();
		expect(told(poor)).toEqual([]);
		expect(hintsOf(poor).join(' ')).toContain('fewer credits were left than Page Limit');
		balance(1000);
		expect(told(await run())).toEqual(['c gone']);
	});

	it('moves no mark in a run that fails, or that returns what a failed job has', async () => {
		await run();
		site.set(`${HOME}b`, 'Another text');
		state = 'failed';
		expect((await run()).error).toBeDefined();
		expect(told(await run(crawl({ waitOptions: { onFailure: 'output' } })))).toEqual(['b changed']);
		state = 'completed';
		expect(told(await run())).toEqual(['b changed']);
		expect(told(await run())).toEqual([]);
	});

	it('stores nothing in a manual run, and says so', async () => {
		await run();
		site.set(`${HOME}b`, 'Another text');
		const manual = await run(crawl(), { mode: 'manual' });
		expect(told(manual)).toEqual(['b changed']);
		expect(manual.staticData).toBeUndefined();
		expect(hintsOf(manual).join(' ')).toContain('n8n stores nothing in manual runs');
		expect(told(await run())).toEqual(['b changed']);
	});

	it('returns all pages as new where the settings have changed, and says so', async () => {
		await run();
		const other = await run(crawl({ ignoredLines: 'Text' }));
		expect(told(other)).toHaveLength(4);
		expect(hintsOf(other)).toContain(
			'The settings have changed since the last run, so all pages are returned as new.',
		);
		expect(told(await run(crawl({ ignoredLines: 'Text' })))).toEqual([]);
	});

	it('loses no change where two runs overlap, whichever ends first', async () => {
		await run();
		const before = staticData;
		site.set(`${HOME}a`, 'Later text');
		expect(told(await run())).toEqual(['a changed']);
		// The second run began before the first ended, and saw the page as it was before.
		site.set(`${HOME}a`, 'Text of a');
		site.set(`${HOME}b`, 'Other text');
		staticData = before;
		expect(told(await run())).toEqual(['b changed']);
		// What the reader has of a is the later text.
		expect(told(await run())).toEqual(['a changed']);
		expect(told(await run())).toEqual([]);
	});

	it('compares each site with its own last run where items or a loop crawl several', async () => {
		const both = crawl({}, { url: '={{ $json.url }}' });
		const items = [{ url: HOME }, { url: 'https://site.example/docs' }];
		expect(told(await run(both, { items }))).toHaveLength(8);
		expect(told(await run(both, { items }))).toEqual([]);
		expect(told(await run(both, { items: items.slice(1) }))).toEqual([]);
		site.set(`${HOME}b`, 'Another text');
		expect(told(await run(both, { items }))).toEqual(['b changed', 'b changed']);
	});

	it('keeps what n8n or somebody else has stored there apart, and reads nonsense as nothing', async () => {
		staticData = { 'node:Web Data': { other: 1, webDataPages: { 'crawl site.example': 7 } } };
		expect(told(await run())).toHaveLength(4);
		expect(staticData?.['node:Web Data']).toMatchObject({ other: 1 });
		expect(told(await run())).toEqual([]);
	});
});
