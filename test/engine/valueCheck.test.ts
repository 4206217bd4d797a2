import type { INodeParameters } from 'n8n-workflow';
import { DataTables, binaryText } from '../../tools/n8n-engine/index.ts';
import type { Execution } from '../../tools/n8n-engine/index.ts';
import { NODE, batchStart, crawlStart, hintsOf, jsonOf, runNode } from './run';
import { scraped, startPageService } from './pageService';
import type { PageService } from './pageService';
import { openWaitingSetup, suspendingCrawl } from './suspension';

let service: PageService;

/** The text of the page, which may change. */
let markdown: string;

/** More in the data of the second page. */
let more: object;

const SITE = 'https://shop.example/plans';

const MARKDOWN = `# Plans

| Plan | Price | Founded |
| --- | --- | --- |
| Basic | 19 € | 2019 |
| Pro | 39 € | 2021 |

Head office: Oslo, Norway.`;

/** The price of Pro is that of Basic, and the phone number stands nowhere. */
const JSON_OF_PAGE = {
	company: null,
	city: 'Oslo',
	phone: '+47 22 12 34 56',
	trial: true,
	plans: [
		{ name: 'Basic', price: 19, since: 2019 },
		{ name: 'Pro', price: 19, since: 2021 },
	],
};
const UNPROVEN = ['phone', 'plans[1].price'];

const page = (url: string) => ({
	...scraped(url),
	markdown,
	json: url === SITE ? JSON_OF_PAGE : { ...JSON_OF_PAGE, ...more },
});

/** Gives of each page what was asked for, as the service does. */
const asAsked = (asked: unknown, whole: Record<string, unknown>) => {
	const formats = (Array.isArray(asked) ? asked : []).map((one: unknown) => Object(one).type ?? one);
	const { markdown, json, ...rest } = whole;
	return { ...rest, ...(formats.includes('markdown') && { markdown }), ...(formats.includes('json') && { json }) };
};
const formatsIn = (body: Record<string, unknown>) => Object(body.scrapeOptions).formats ?? body.formats;

async function serve(): Promise<void> {
	markdown = MARKDOWN;
	more = {};
	service = await startPageService({
		job: (body) => ({ pages: [asAsked(formatsIn(body), page(SITE)), asAsked(formatsIn(body), page(`${SITE}/b`))] }),
		instead: ({ path, body }) => {
			const one = asAsked(formatsIn(body), page(SITE));
			if (path === '/v2/scrape') return { body: { success: true, data: one } };
			if (path === '/v2/search') return { body: { success: true, data: { web: [{ ...one, url: SITE }] } } };
			return undefined;
		},
	});
}

const asked = (checkValues?: string, formats = ['json']): INodeParameters => ({
	formats,
	jsonFrom: 'prompt',
	jsonPrompt: 'The plans',
	jsonFormatOptions: checkValues === undefined ? {} : { checkValues },
});

const OPERATIONS: Record<string, INodeParameters> = {
	scrape: { resource: 'page', operation: 'scrape', url: SITE },
	search: { resource: 'search', operation: 'search', query: 'plans', withContent: true },
	crawl: crawlStart(),
	batch: batchStart({ urlsFrom: 'list', urls: `${SITE}, ${SITE}/b` }),
};

const itemsOf = (execution: Execution) => jsonOf(execution.items(NODE));
const fileOf = (execution: Execution, name: string) => binaryText(execution.items(NODE)[0], name);

const run = async (operation: string, more: INodeParameters) => {
	const execution = await runNode(service, { ...OPERATIONS[operation], ...more });
	expect(execution.error).toBeUndefined();
	return execution;
};

describe('Check Values on the Page', () => {
	beforeEach(serve);

	it.each([
		['scrape', 1],
		['search', 1],
		['crawl', 2],
		['batch', 2],
	] as const)('names the values of JSON that do not stand on their page: %s', async (operation, pages) => {
		const execution = await run(operation, asked('list'));
		const items = itemsOf(execution);
		expect(items).toHaveLength(pages);
		for (const item of items) {
			expect(item).toMatchObject({ json: JSON_OF_PAGE, unproven: UNPROVEN, unchecked: ['trial'] });
			expect(item).not.toHaveProperty('markdown');
			expect(item).not.toHaveProperty('proofs');
		}
		const [hint] = hintsOf(execution).filter((text) => text.includes('unproven'));
		expect(hint).toContain(
			`${2 * pages} of ${9 * pages} values do not stand on their page (phone, price): see unproven.`,
		);
		expect(hint).toContain('They may stand in what Only Main Content leaves out.');
		expect(hint).toContain(`${pages} cannot be checked word for word: see unchecked.`);
		expect(hintsOf(execution).join()).not.toContain('has no text');
	});

	it.each(Object.keys(OPERATIONS))('leaves them out where that is wanted: %s', async (operation) => {
		const execution = await run(operation, asked('leaveOut'));
		expect(itemsOf(execution)[0]).toMatchObject({
			json: { ...JSON_OF_PAGE, phone: null, plans: [JSON_OF_PAGE.plans[0], { name: 'Pro', price: null, since: 2021 }] },
			unproven: UNPROVEN,
		});
		expect(hintsOf(execution).join()).toContain('(phone, price), so they are null: see unproven.');
	});

	it('gives the text of the page only to those who have asked for it', async () => {
		const [both] = itemsOf(await run('crawl', asked('list', ['json', 'markdown'])));
		expect(both).toMatchObject({ markdown: MARKDOWN, unproven: UNPROVEN });
		const [whole] = itemsOf(await run('crawl', { ...asked('list'), output: 'job' }));
		expect(whole).toMatchObject({ pages: [{ unproven: UNPROVEN }, { unproven: UNPROVEN }] });
		expect(JSON.stringify(whole)).not.toContain('Head office');
		const inFile = await run('crawl', { ...asked('list'), output: 'file' });
		const file = fileOf(inFile, 'data');
		expect(file).toContain('"unproven":["phone","plans[1].price"]');
		expect(file).not.toContain('Head office');
		const asFile = await run('scrape', { ...asked('list'), scrapeOptions: { storeAsFiles: ['markdown'] } });
		expect(itemsOf(asFile)[0]).toMatchObject({ unproven: UNPROVEN });
		expect(fileOf(asFile, 'markdown')).toBe(MARKDOWN);
	});

	it('asks for nothing more without it', async () => {
		for (const operation of Object.keys(OPERATIONS)) {
			const [item] = itemsOf(await run(operation, asked()));
			expect(item).toMatchObject({ json: JSON_OF_PAGE });
			expect(item).not.toHaveProperty('unproven');
		}
		for (const { body } of service.requests.filter(({ method }) => method === 'POST')) {
			expect(formatsIn(body)).toHaveLength(1);
		}
	});

	it('shows in full outputs where each value stands', async () => {
		const [item] = itemsOf(await run('crawl', { ...asked('list'), output: 'fullPages' }));
		const proofs = item?.proofs as Array<Record<string, unknown>>;
		expect(proofs.find(({ path }) => path === 'plans[0].price')).toEqual({
			path: 'plans[0].price',
			value: 19,
			verified: true,
			by: 'code',
			words: '19',
			quote: 'Basic | 19 € | 2019',
			source: SITE,
			link: SITE,
		});
		expect(proofs.find(({ path }) => path === 'city')).toMatchObject({
			quote: 'Head office: Oslo, Norway.',
			link: `${SITE}#:~:text=Head%20office%3A%20Oslo%2C%20Norway`,
		});
		expect(proofs.find(({ path }) => path === 'plans[1].price')).toMatchObject({
			verified: false,
			reason: 'otherPlace',
		});
		expect(proofs.find(({ path }) => path === 'trial')).toMatchObject({ verified: null, reason: 'yesNo' });
	});

	it('is done by Get for a job that was not waited for', async () => {
		const start = await run('crawl', { ...asked('list', ['json', 'markdown']), waitForCompletion: false });
		const [started] = itemsOf(start);
		const get = { resource: 'crawl', operation: 'get', jobId: String(started?.id) };
		const execution = await runNode(service, { ...get, options: { checkValues: 'leaveOut' } });
		expect(itemsOf(execution)[0]).toMatchObject({ unproven: UNPROVEN, json: { phone: null } });
	});

	it('is done by Get for a page that was scraped before', async () => {
		const { instead } = service;
		service.instead = (request, count) =>
			request.path.startsWith('/v2/scrape/')
				? { body: { success: true, data: page(SITE) } }
				: instead?.(request, count);
		const get = { resource: 'page', operation: 'get', scrapeId: '0198c1f0-0000-7000-8000-000000000001' };
		const [item] = itemsOf(await runNode(service, { ...get, options: { checkValues: 'list' } }));
		expect(item).toMatchObject({ markdown: MARKDOWN, unproven: UNPROVEN });
	});

	it('says of a job without Markdown that nothing was checked', async () => {
		const [started] = itemsOf(await run('crawl', { ...asked(), waitForCompletion: false }));
		const get = { resource: 'crawl', operation: 'get', jobId: String(started?.id) };
		const execution = await runNode(service, { ...get, options: { checkValues: 'leaveOut' } });
		const [item] = itemsOf(execution);
		expect(item).toMatchObject({ json: JSON_OF_PAGE, unproven: [] });
		expect(item?.unchecked).toHaveLength(9);
		expect(hintsOf(execution).join()).toContain(
			'The values of 2 pages were not checked, because they have no Markdown',
		);
	});

	it('is no part of what makes a page a changed one', async () => {
		const tables = new DataTables();
		const weekly = async () => {
			const only = { ...asked('list'), options: { onlyChanged: true } };
			return itemsOf(await runNode(service, { ...OPERATIONS.crawl, ...only }, { mode: 'trigger', tables }));
		};
		expect(await weekly()).toHaveLength(2);
		markdown = `${MARKDOWN} Visitors today: 12.`;
		expect(await weekly()).toEqual([]);
	});

	it('counts the pages that are put out, and no others', async () => {
		const tables = new DataTables();
		const weekly = async () => {
			const only = { ...asked('list'), urlsFrom: 'items', url: '={{ $json.url }}', options: { onlyChanged: true } };
			const items = [{ url: SITE }, { url: `${SITE}/b` }];
			return await runNode(service, { ...OPERATIONS.batch, ...only }, { mode: 'trigger', tables, items });
		};
		expect(hintsOf(await weekly()).join()).toContain('4 of 18 values do not stand');
		more = { country: 'Norway' };
		const second = await weekly();
		expect(itemsOf(second)).toHaveLength(1);
		expect(hintsOf(second).join()).toContain('2 of 10 values do not stand');
	});

	it('is done after a wait in the background', async () => {
		const setup = await openWaitingSetup({ jobDurationMs: 300 });
		const json = {
			...asked('list'),
			jsonFrom: 'schema',
			jsonSchema: '{"properties":{"owner":{"const":"Nobody Atall"}}}',
		};
		const ended = await setup.runToEnd(suspendingCrawl(setup.sandbox, json));
		const items = itemsOf(ended);
		expect(items).toHaveLength(3);
		for (const item of items) {
			expect(item).toMatchObject({ unproven: ['owner'] });
			expect(item).not.toHaveProperty('markdown');
		}
	});
});
