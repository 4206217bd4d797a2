/** Only Tell the Price: what is told, that nothing is sent for it, and that it is what Max Credits counts. */
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Estimate } from '../../nodes/cost/estimate';
import { interactPrice, mapPrice, scrapePrice, searchPrice } from '../../nodes/cost/prices';
import { DataTables } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { expectTableOnPage } from '../helpers/goldenFile';
import { inNewSession } from './browserRun';
import { runLoader } from './loaderRun';
import { NODE, builtPackage, callTool, errorText, hintsOf, jsonOf, runNode, startSandbox } from './run';
import type { RunSettings } from './run';
import { binaryOf, itemWith, runParse } from './uploads';
import { RESEARCH, callsOf, runResearch } from './webResearchRun';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ seed: 1 });
});

beforeEach(() => {
	sandbox.reset();
});

const SITE = 'https://example.com';
const PRICE = { onlyPrice: true };

const estimates = (items: IDataObject[]) => items.map(({ estimate }) => estimate as unknown as Estimate);

async function priceOf(parameters: INodeParameters, settings: RunSettings = {}) {
	const execution = await runNode(sandbox, parameters, settings);
	const items = jsonOf(execution.items(NODE));
	return { execution, items, told: estimates(items), hints: hintsOf(execution).join(' ') };
}

const CRAWL = { resource: 'crawl', operation: 'start', url: '={{ $json.url }}', pageLimit: '={{ $json.limit }}' };

it('tells each item what it may cost, with the sum of all, and sends nothing that costs', async () => {
	const items = [
		{ url: SITE, limit: 20 },
		{ url: `${SITE}/costs`, limit: 5 },
	];
	const { items: told, hints } = await priceOf({ ...CRAWL, options: PRICE }, { items });
	const common = { runMaxCredits: 25, isBounded: true, notCounted: [expect.stringContaining('PDF')] };
	const balance = expect.any(Number) as number;
	expect(told).toEqual([
		{
			...items[0],
			estimate: { ...common, maxCredits: 20, likelyCredits: 20, why: [{ what: '20 pages × 1', credits: 20 }], balance },
		},
		{
			...items[1],
			estimate: { ...common, maxCredits: 5, likelyCredits: 5, why: [{ what: '5 pages × 1', credits: 5 }], balance },
		},
	]);
	expect(hints).toContain('This run may cost up to 25 credits, likely about 25 credits.');
	const { creditsUsed, starts } = sandbox.stats();
	expect([creditsUsed, starts.list]).toEqual([0, []]);
});

it('is what Max Credits counts: with that the run is carried out, with a credit less it is refused', async () => {
	const items = [
		{ url: SITE, limit: 3 },
		{ url: `${SITE}/costs`, limit: 4 },
	];
	const { told } = await priceOf({ ...CRAWL, options: PRICE }, { items });
	const agreed = told[0]?.runMaxCredits ?? 0;
	const less = await runNode(sandbox, { ...CRAWL, options: { maxCredits: agreed - 1 } }, { items });
	expect(errorText(less)).toContain(`This run may cost up to ${agreed} credits`);
	// The items have changed since: a person has agreed to less.
	const changed = items.map((item) => ({ ...item, limit: item.limit * 2 }));
	const dearer = await runNode(sandbox, { ...CRAWL, options: { maxCredits: agreed } }, { items: changed });
	expect(errorText(dearer)).toContain('No request was sent.');
	expect(sandbox.stats().creditsUsed).toBe(0);
	const done = await runNode(sandbox, { ...CRAWL, options: { maxCredits: agreed } }, { items });
	expect(errorText(done)).toBe('');
	expect(sandbox.stats().creditsUsed).toBeLessThanOrEqual(agreed);
});

it('charges a page that several items ask for in one batch to the first of them', async () => {
	const items = [`${SITE}/costs`, `${SITE}/batteries`, `${SITE}/costs#again`].map((url) => ({ url }));
	const batch = { resource: 'batchScrape', operation: 'start', url: '={{ $json.url }}', options: PRICE };
	const { told } = await priceOf(batch, { items });
	expect(told.map(({ maxCredits }) => maxCredits)).toEqual([1, 1, 0]);
	expect(told[0]?.runMaxCredits).toBe(2);
});

it('has no number where there is no bound, and no missing cap in its place', async () => {
	const { told, hints } = await priceOf({
		resource: 'page',
		operation: 'scrape',
		url: 'https://www.linkedin.com/in/somebody',
		scrapeOptions: PRICE,
	});
	expect(told).toMatchObject([{ maxCredits: null, likelyCredits: null, runMaxCredits: null, isBounded: false }]);
	expect(hints).toContain('has no bound that could be known before');
	// What a person has agreed to is missing: that is no permission.
	const agreed = { url: `${SITE}/costs`, agreed: '' };
	const run = { resource: 'page', operation: 'scrape', url: '={{ $json.url }}' };
	const capped = { ...run, scrapeOptions: { maxCredits: '={{ $json.agreed }}' } };
	expect(errorText(await runNode(sandbox, capped, { items: [agreed] }))).toMatch(/Max Credits \(This Run\).*required/);
	expect(sandbox.stats().creditsUsed).toBe(0);
});

const TOOL = {
	resource: 'dataTool',
	operation: 'run',
	provider: 'open-registry',
	capability: '={{ $json.tool }}',
	inputsAs: 'json',
	inputsJson: '{ "name": "Kestrel" }',
	options: PRICE,
};

it('asks for prices that only the service knows, and says where it names none', async () => {
	const items = [{ tool: 'company-profile' }, { tool: 'nobody-knows' }];
	const { told } = await priceOf(TOOL, { items });
	expect(told).toMatchObject([
		{ maxCredits: expect.any(Number), isBounded: false },
		{ maxCredits: null, why: [{ what: expect.stringContaining('nobody-knows'), credits: null }] },
	]);
	expect(sandbox.stats().creditsUsed).toBe(0);
});

it('tells the others where the expression of one item fails', async () => {
	const items = [
		{ url: SITE, limit: 3 },
		{ url: 'no address', limit: 3 },
	];
	const { items: told } = await priceOf(
		{ ...CRAWL, options: PRICE },
		{ items, node: { onError: 'continueRegularOutput' } },
	);
	expect(told).toMatchObject([{ estimate: { runMaxCredits: 3 } }, { error: expect.stringContaining('"URL"') }]);
});

it('hands each item on with its files and in its place, and tells equal parts as one', async () => {
	const files = { a: binaryOf('report.pdf'), b: binaryOf('report.pdf'), c: binaryOf('note.html', '<p>x</p>') };
	const items = [
		itemWith({ data: binaryOf('report.pdf') }),
		itemWith(files),
		itemWith({ data: binaryOf('report.pdf') }),
	];
	const fileTimeout = '={{ $itemIndex === 0 ? 5 : 60000 }}';
	const parameters = { filesFrom: 'all', scrapeOptions: { ...PRICE, fileTimeout } };
	const execution = await runParse(sandbox, items, parameters, { node: { onError: 'continueRegularOutput' } });
	const [refused, told, last] = execution.items(NODE);
	expect(refused).toMatchObject({ json: { error: expect.any(String) }, pairedItem: { item: 0 } });
	expect(told).toMatchObject({ binary: files, pairedItem: { item: 1 } });
	expect(told?.json.estimate).toMatchObject({ maxCredits: 3, why: [{ what: '3 × 1 file', credits: 3 }] });
	expect(last).toMatchObject({ binary: items[2]?.binary, pairedItem: { item: 2 } });
	expect(sandbox.stats().creditsUsed).toBe(0);
});

it('tells the price also where nobody says how many credits are left', async () => {
	sandbox.faults.add({ step: 'account', kind: 'status', httpStatus: 500 });
	const { told, hints } = await priceOf({ ...CRAWL, options: PRICE }, { items: [{ url: SITE, limit: 3 }] });
	expect(told[0]).toMatchObject({ runMaxCredits: 3 });
	expect(told[0]).not.toHaveProperty('balance');
	expect(hints).toContain('How many credits the account has left could not be asked for.');
});

it('takes an expression, the same for all items, and never spends where that gives nothing', async () => {
	const asked = { ...CRAWL, pageLimit: 2, options: { onlyPrice: '={{ $json.only }}' } };
	const run = async (...only: Array<boolean | ''>) =>
		await runNode(sandbox, asked, { items: only.map((one) => ({ url: SITE, only: one })) });
	expect(estimates(jsonOf((await run(true, true)).items(NODE)))).toHaveLength(2);
	expect(errorText(await run(true, false))).toContain('"Only Tell the Price" is on for item 0 and off for item 1');
	expect(errorText(await run(''))).toContain('"Only Tell the Price" is required');
	expect(sandbox.stats().creditsUsed).toBe(0);
	expect(errorText(await run(false))).toBe('');
	expect(sandbox.stats().creditsUsed).toBe(2);
});

it('does not count where another operation has left it in the node, hidden', async () => {
	const scrape = { resource: 'page', operation: 'scrape', url: `${SITE}/costs`, scrapeOptions: {}, options: PRICE };
	const [page] = (await priceOf(scrape)).items;
	expect(page).toMatchObject({ url: `${SITE}/costs` });
	expect(page).not.toHaveProperty('estimate');
});

it('tells an agent the price of its tool', async () => {
	const { text } = await callTool(sandbox, {
		parameters: { resource: 'search', operation: 'search', query: 'cargo bikes', maxResults: 20, options: PRICE },
		args: [{}],
	});
	expect(text).toContain('"maxCredits":4');
	expect(sandbox.stats().creditsUsed).toBe(0);
});

it('ends a load before it begins, so that no vector store is emptied for it', async () => {
	const { execution, inserted } = await runLoader(sandbox, {
		source: 'crawl',
		url: SITE,
		pageLimit: 7,
		options: PRICE,
	});
	expect(errorText(execution)).toContain('This load may cost up to 7 credits. Nothing was loaded');
	expect(inserted).toEqual([]);
	expect(sandbox.stats().creditsUsed).toBe(0);
});

it('tells of a browser what its lifetime allows', async () => {
	const { told } = await priceOf(inNewSession(['1 + 1'], { options: { ...PRICE, ttl: 300 } }));
	expect(told).toMatchObject([{ maxCredits: 10, likelyCredits: 2 }]);
	expect(sandbox.stats().calls).not.toHaveProperty('interact');
});

describe('of Web Research', () => {
	const priced = async (parameters: INodeParameters, items?: IDataObject[], tables?: DataTables) => {
		const execution = await runResearch(sandbox, { parameters, ...(items && { items }), ...(tables && { tables }) });
		expect(errorText(execution)).toBe('');
		expect(callsOf(sandbox)).toMatchObject({ search: 0, scrape: 0, model: 0, creditsUsed: 0 });
		return estimates(jsonOf(execution.items(RESEARCH)));
	};

	it('is bounded by its searches and the dearest pages, not by what is likely', async () => {
		const [told] = await priced({ options: PRICE });
		expect(told).toMatchObject({
			maxCredits: 220,
			likelyCredits: 49,
			tokens: null,
			why: [
				{ what: '10 searches', credits: 20 },
				{ what: '20 pages, up to 10 credits each', credits: 200 },
			],
		});
		const [capped] = await priced({ options: { ...PRICE, maxCredits: 60, maxTokens: 9000 } });
		expect(capped).toMatchObject({ maxCredits: 60, runMaxCredits: 60, tokens: 9000 });
	});

	it('is what the panel says above its fields', async () => {
		const { descriptions } = await builtPackage();
		const { properties = [] } = descriptions.find(({ name }) => name === 'webResearch') ?? {};
		const noticeOf = (name: string) => properties.find((property) => property.name === name)?.displayName;
		const [question] = await priced({ options: PRICE });
		const about = Math.round(Number(question?.likelyCredits) / 10) * 10;
		expect(noticeOf('costNotice')).toContain(`Up to about ${about} credits`);
		expect(noticeOf('costNotice')).toContain(`(${question?.maxCredits} with long PDFs)`);
		const columns = {
			subject: 'Velonda',
			website: 'velonda.example',
			columnsFrom: 'json',
			columnsJson: '{ "a": "b" }',
		};
		const [row] = await priced({ operation: 'fillColumns', ...columns, options: PRICE });
		expect(noticeOf('rowNotice')).toContain(`Up to about ${row?.likelyCredits} credits`);
		expect(noticeOf('rowNotice')).toContain(`(${row?.maxCredits} with long PDFs)`);
	});

	it('loads no memory', async () => {
		const tables = new DataTables();
		tables.gate = async () => await Promise.reject(new Error('The memory was asked for.'));
		await priced({ report: 'news', historyName: 'Scooters', options: PRICE }, undefined, tables);
	});

	it('is nothing for a row without a subject, or with all of its cells', async () => {
		const rows = [{ company: 'Velonda' }, { company: '' }, { company: 'Kurvio', price: 19 }];
		const told = await priced(
			{
				operation: 'fillColumns',
				subject: '={{ $json.company }}',
				website: '={{ $json.company.toLowerCase() }}.example',
				columnsFrom: 'json',
				columnsJson: '{ "price": { "description": "Price of the smallest plan", "type": "number" } }',
				options: { ...PRICE, existingCells: 'keep' },
			},
			rows,
		);
		expect(told.map(({ maxCredits, likelyCredits }) => [maxCredits, likelyCredits])).toEqual([
			[73, 12],
			[0, 0],
			[0, 0],
		]);
	});

	it('counts the pages that a text cites', async () => {
		const text =
			'A swap takes 2 minutes [1]. Insurance is dear [2]. Nobody says this.\n\n1. https://example.com/batteries\n2. http://10.0.0.1/x';
		const [told] = await priced({ operation: 'checkText', text, options: PRICE });
		expect(told).toMatchObject({ maxCredits: 10, why: [{ what: '1 page, up to 10 credits each' }] });
		const [searched] = await priced({ operation: 'checkText', text, withoutSource: 'search', options: PRICE });
		expect(searched?.maxCredits).toBe(10 + 2 + 20);
	});
});

const COSTS = join(__dirname, '../../docs/how-to/costs.md');

/** What nothing is known of before, or what no node is asked about. */
const NONE = '–';
const SHOP = 'https://example.com/costs';

/** The rows of the table of prices: what they say, and a new node that does it. */
const ROWS: ReadonlyArray<[what: string, rule: string, node?: INodeParameters]> = [
	[
		'a page or a file: Scrape, Parse',
		`${scrape({})}, also from the cache and with status 404; a PDF ${pdf(2) - pdf(1)} for each of its pages`,
		{ resource: 'page', operation: 'scrape', url: SHOP },
	],
	['JSON, Question, Highlights, Audio, Video', `${more('json')} more per page, each`],
	[
		'pages: Crawl, Batch Scrape',
		'as many pages, at most **Page Limit**',
		{ resource: 'crawl', operation: 'start', url: 'https://example.com' },
	],
	[
		'Search',
		`${searchPrice({ limit: 10 }).credits} for each 10 results, and each page with With Page Content`,
		{ resource: 'search', operation: 'search', query: 'cargo bikes' },
	],
	['Map', String(mapPrice({}).credits), { resource: 'map', operation: 'map', url: 'https://example.com' }],
	[
		'Agent',
		'as much as it needs, at most its **Max Credits**',
		{ resource: 'agent', operation: 'start', prompt: 'Who delivers parcels by bike?' },
	],
	['Data Tool · Run', 'what its catalogue says, for a call or for each record; Data Tool · Find is free'],
	[
		'Browser',
		`${interactPrice({}).likely} a minute with code, ${interactPrice({ prompt: 'x' }).likely} with prompts`,
		inNewSession(['1 + 1']),
	],
	['Web Data Poll Trigger', '1 per poll for pages, as Search for searches, nothing for jobs and credits'],
	[
		'Web Data Trigger, Monitor',
		'1 per page and check; a search 2 for each query and each 10 results of it; with a goal 1 more for each judged page or result',
	],
	['Web Research, a question', '1 for each page that it reads (a PDF 1 a page, up to 10), 2 for each search', {}],
	[
		'Web Research, a row',
		'the same, and a map of the site',
		{
			operation: 'fillColumns',
			subject: 'Velonda',
			website: 'velonda.example',
			columnsFrom: 'json',
			columnsJson: '{ "price": "Price of the smallest plan" }',
		},
	],
	[
		'Deep Research, LLMs.txt',
		'1 for each URL',
		{ resource: 'deepResearch', operation: 'start', query: 'Are cargo bikes fast?' },
	],
	['Extract', '1 for 15 tokens; it has no limit', { resource: 'extract', operation: 'start', urls: SHOP, prompt: 'x' }],
];

function scrape(options: object): number {
	return scrapePrice({ url: SHOP, ...options }).credits;
}

function more(type: string): number {
	return scrape({ formats: [{ type }] }) - scrape({});
}

function pdf(maxPages: number): number {
	return scrape({ parsers: [{ type: 'pdf', maxPages }] });
}

/** `100, likely 20` of a new node. */
async function amountOf(node: INodeParameters): Promise<string> {
	const option = node.resource === 'page' ? { scrapeOptions: PRICE } : { options: PRICE };
	const [told] =
		'resource' in node
			? (await priceOf({ ...node, ...option })).told
			: estimates(jsonOf((await runResearch(sandbox, { parameters: { ...node, ...option } })).items(RESEARCH)));
	if (!told) throw new Error(`No price of ${JSON.stringify(node)}`);
	const { maxCredits, likelyCredits } = told;
	if (maxCredits === null) return 'no bound';
	const most = maxCredits.toLocaleString('en-US');
	return likelyCredits === maxCredits ? most : `${most}, likely ${likelyCredits}`;
}

it('is what the page of costs says', async () => {
	const rows: string[] = [];
	for (const [what, rule, node] of ROWS) rows.push(`| ${what} | ${rule} | ${node ? await amountOf(node) : NONE} |`);
	expectTableOnPage(COSTS, 'prices', '| what | credits on the hosted service | a new node, at most |', rows);
});
