import fc from 'fast-check';

import { maxCredits, onlyPrice } from '../../nodes/fields/basic';
import { checkCap, overCap } from '../../nodes/cost/creditCap';
import type { AskedFor } from '../../nodes/cost/creditCap';
import {
	agentPrice,
	batchPrice,
	crawlPrice,
	dataToolPrice,
	indexSearchPrice,
	isXAddress,
	llmsTxtPrice,
	mapPrice,
	pagePrice,
	researchPrice,
	scrapePrice,
	searchPrice,
} from '../../nodes/cost/prices';
import { resources } from '../../nodes/WebData/resources';
import type { RunContext } from '../../nodes/run/connection/runContext';
import { CreditAccount } from '../../nodes/run/ledger/creditAccount';

/** docs/reference/service-notes.md#prices, row by row. */
describe('a page costs at most', () => {
	const NO_PDF = { parsers: [] };
	const rows: Array<[what: string, credits: number, options: object, address?: string]> = [
		['1', 1, {}],
		['1 as HTML, links, summary, screenshot', 1, { formats: ['html', 'links', { type: 'summary' }] }],
		['4 more as JSON', 5, { formats: ['markdown', { type: 'json', prompt: 'x' }] }],
		['4 more for a question', 5, { formats: [{ type: 'question', question: 'x' }] }],
		['4 more for highlights', 5, { formats: [{ type: 'highlights', query: 'x' }] }],
		['4 more for each of both', 9, { formats: [{ type: 'question' }, { type: 'highlights' }] }],
		['4 more for audio', 5, { formats: ['audio'] }],
		['4 more for video', 5, { formats: ['video'] }],
		['4 more for PII masking', 5, { redactPII: true }],
		['4 more for PII masking with settings', 5, { redactPII: { mode: 'fast' } }],
		['1 more for zero data retention', 2, { zeroDataRetention: true }],
		['5 with change tracking by field', 5, { formats: [{ type: 'changeTracking', modes: ['json'] }] }],
		['1 with change tracking by line', 1, { formats: [{ type: 'changeTracking', modes: ['git-diff'] }] }],
		['1 with change tracking alone', 1, { formats: ['changeTracking'] }],
		['nothing more with a stealth proxy', 1, { proxy: 'stealth' }],
		['nothing more with an enhanced proxy', 1, { proxy: 'enhanced' }],
		['5 in lockdown', 5, { lockdown: true }],
		['4 more in lockdown than its PDF pages', 24, { lockdown: true, parsers: [{ type: 'pdf', maxPages: 20 }] }],
		['4 more for each PDF page that is masked', 100, { redactPII: true, parsers: [{ type: 'pdf', maxPages: 20 }] }],
		['4 more where it is checked for prompt injection', 5, { checkPromptInjection: true }],
		['4 more where its JSON is', 9, { formats: [{ type: 'json', checkPromptInjection: true }] }],
		[
			'4 more once where both are',
			9,
			{ checkPromptInjection: true, formats: [{ type: 'json', checkPromptInjection: true }] },
		],
		['10 where a script makes its JSON', 10, { formats: [{ type: 'deterministicJson' }] }],
		['30 on X', 30, {}, 'https://x.com/someone'],
		['30 on Twitter', 30, {}, 'https://mobile.twitter.com/someone'],
		['34 on X as JSON', 34, { formats: [{ type: 'json' }] }, 'https://x.com/someone'],
		['2 more for a scan', 3, { threatProtection: { mode: 'normal' } }],
		['2 more for a scan in the mode of the account', 3, { threatProtection: {} }],
		['nothing more for lists of your own', 1, { threatProtection: { mode: 'manual-only' } }],
		['1 a PDF page, where their number has an end', 20, { parsers: [{ type: 'pdf', maxPages: 20 }] }],
		['1 where PDF files are not read', 1, NO_PDF],
		['1 where only images are read', 1, { parsers: ['image'] }],
	];
	it.each(rows.map(([what, ...row]) => ({ what, row })))('$what', ({ row }) => {
		const [credits, options, address] = row;
		expect(pagePrice({ ...options }, address).credits).toBe(credits);
	});

	it('what a PDF file costs, where its pages have no end: that is said', () => {
		const said = ['the further pages of PDF files, 1 credit each, unless the PDF parser has Max Pages'];
		expect(pagePrice({}).notCounted).toEqual(said);
		expect(pagePrice({ parsers: ['pdf'] }).notCounted).toEqual(said);
		expect(pagePrice(NO_PDF).notCounted).toEqual([]);
		expect(pagePrice({ parsers: [{ type: 'pdf', maxPages: 3 }] }).notCounted).toEqual([]);
	});

	it('no less for anything that is added', () => {
		const option = fc.record(
			{
				formats: fc.array(fc.constantFrom('json', 'markdown', { type: 'question' }, 'audio')),
				redactPII: fc.boolean(),
				zeroDataRetention: fc.boolean(),
				lockdown: fc.boolean(),
			},
			{ requiredKeys: [] },
		);
		fc.assert(
			fc.property(option, (options) => {
				expect(pagePrice(options).credits).toBeGreaterThanOrEqual(1);
				expect(pagePrice({ ...options, redactPII: true }).credits).toBeGreaterThanOrEqual(pagePrice(options).credits);
			}),
		);
	});
});

it.each([
	['https://x.com/a', true],
	['https://www.twitter.com', true],
	['https://netflix.com', false],
	['HTTPS://X.COM/a', true],
	['https://x%2Ecom', true],
	['https://x\u3002com', true],
	['https://x.\ncom', true],
	['https://example.com/?next=x.com', false],
	['https://x.com.example.com', false],
	['x.com', false],
	['', false],
])('takes %s for a page of X: %s', (address, isOne) => {
	expect(isXAddress(address)).toBe(isOne);
});

describe('a request costs at most', () => {
	const url = 'https://example.com';
	const rows: Array<[what: string, price: (sent: object) => unknown, sent: object, credits: number]> = [
		['a scrape', (sent) => scrapePrice({ ...sent }), { url }, 1],
		['a scrape of X as JSON', (sent) => scrapePrice({ ...sent }), { url: 'https://x.com/a', formats: ['json'] }, 34],
		['a batch', (sent) => batchPrice({ ...sent }), { urls: [url, `${url}/2`, 'https://x.com/a'] }, 32],
		['a batch of one', (sent) => batchPrice({ ...sent }), { urls: url, formats: ['json'] }, 5],
		['a crawl', (sent) => crawlPrice({ ...sent }), { url, limit: 100 }, 100],
		['a crawl without a limit', (sent) => crawlPrice({ ...sent }), { url }, 10_000],
		[
			'a crawl with its zero retention',
			(sent) => crawlPrice({ ...sent }),
			{ url, limit: 10, zeroDataRetention: true },
			20,
		],
		[
			'a crawl as JSON',
			(sent) => crawlPrice({ ...sent }),
			{ url, limit: 10, scrapeOptions: { formats: ['json'] } },
			50,
		],
		['a crawl of X', (sent) => crawlPrice({ ...sent }), { url: 'https://x.com/a', limit: 10 }, 300],
		[
			'a map with lists of your own',
			(sent) => mapPrice({ ...sent }),
			{ url, threatProtection: { mode: 'manual-only' } },
			1,
		],
		['a map', (sent) => mapPrice({ ...sent }), { url, limit: 5000 }, 1],
		[
			'a map with a scan of what it finds',
			(sent) => mapPrice({ ...sent }),
			{ url, limit: 100, threatProtection: { mode: 'normal' } },
			203,
		],
		['a map with a scan, without a limit', (sent) => mapPrice({ ...sent }), { url, threatProtection: {} }, 10_003],
		[
			'a page of a paid provider',
			(sent) => scrapePrice({ ...sent }),
			{ url: 'https://no.linkedin.com/in/a' },
			Infinity,
		],
		[
			'a batch with one',
			(sent) => batchPrice({ ...sent }),
			{ urls: [url, 'https://linkedin.com/company/a'] },
			Infinity,
		],
		[
			'a data tool with a price a record, in any form',
			(sent) => dataToolPrice({ ...sent }),
			{ creditsCost: 3, perRecord: 'true', maxRecords: 4 },
			12,
		],
		[
			'one with a price a record and no bound',
			(sent) => dataToolPrice({ ...sent }),
			{ creditsCost: 3, perRecord: 1 },
			Infinity,
		],
		['one with a price a call', (sent) => dataToolPrice({ ...sent }), { creditsCost: 3, perRecord: false }, 3],
		['a search', (sent) => searchPrice({ ...sent }), { limit: 10 }, 2],
		['a search without a limit', (sent) => searchPrice({ ...sent }), {}, 2],
		['a search, its started ten', (sent) => searchPrice({ ...sent }), { limit: 11 }, 4],
		[
			'a search of three sources',
			(sent) => searchPrice({ ...sent }),
			{ limit: 11, sources: ['web', 'news', 'images'] },
			12,
		],
		['a search with zero retention', (sent) => searchPrice({ ...sent }), { limit: 25, enterprise: ['zdr'] }, 30],
		['an anonymous search', (sent) => searchPrice({ ...sent }), { limit: 25, enterprise: ['anon'] }, 6],
		[
			'a search with pages',
			(sent) => searchPrice({ ...sent }),
			{ limit: 10, scrapeOptions: { formats: ['markdown'] } },
			12,
		],
		[
			'a search with pages as JSON',
			(sent) => searchPrice({ ...sent }),
			{ limit: 10, scrapeOptions: { formats: ['json'] } },
			52,
		],
		[
			'a search with options but no formats',
			(sent) => searchPrice({ ...sent }),
			{ limit: 10, scrapeOptions: { formats: [] } },
			2,
		],
		[
			'a search with scans',
			(sent) => searchPrice({ ...sent }),
			{ limit: 10, threatProtection: { mode: 'normal' } },
			22,
		],
		['a search of an index', (sent) => indexSearchPrice({ ...sent }), { k: 31 }, 8],
		['a search of an index without a number', (sent) => indexSearchPrice({ ...sent }), {}, 2],
		['a research', (sent) => researchPrice({ ...sent }), { query: 'x', maxUrls: 50 }, 50],
		['a llms.txt', (sent) => llmsTxtPrice({ ...sent }), { maxUrls: 50 }, 50],
		['a llms.txt without a limit', (sent) => llmsTxtPrice({ ...sent }), {}, 10],
		['a run of the agent', (sent) => agentPrice({ ...sent }), { maxCredits: 500 }, 500],
		['a run of the agent without a cap', (sent) => agentPrice({ ...sent }), {}, Infinity],
		['a research without a limit', (sent) => researchPrice({ ...sent }), { query: 'x' }, 20],
	];
	it.each(rows)('%s', (_what, price, sent, credits) => {
		expect(price(sent)).toMatchObject({ credits });
	});
});

it('says of typed addresses that they may lead to a page that costs more', () => {
	const said =
		'what addresses cost more that lead to X or Twitter, 30 credits each, or to a paid data provider such as LinkedIn';
	expect(scrapePrice({ url: 'https://t.co/AbCdEf' }).notCounted).toContain(said);
	expect(scrapePrice({ url: 'https://x.com/a' })).toMatchObject({ credits: 30 });
	expect(scrapePrice({ url: 'https://x.com/a' }).notCounted).not.toContain(said);
});

describe('an account', () => {
	it('has room again when the price of what had no bound is known', () => {
		const context = {};
		const ctx = { getContext: () => context } as unknown as RunContext;
		const account = new CreditAccount(ctx, (sent) => agentPrice({ ...sent }));
		const [open, bounded] = [{}, { maxCredits: 100 }].map((sent, item) => ({
			by: {},
			item,
			items: 1,
			sent,
			maxCredits: undefined,
		}));
		if (!open || !bounded) throw new Error('No charges');
		account.send(open);
		expect(account.admit([bounded], [500]).tooMuch).toBeDefined();
		account.settle(open.by, 40);
		expect(account.admit([bounded], [139]).tooMuch).toContain('40 credits are counted already');
		expect(account.admit([bounded], [140]).tooMuch).toBeUndefined();
		// n8n stores it as JSON.
		expect(JSON.parse(JSON.stringify(context))).toEqual({ webDataCredits: { all: 40 } });
	});
});

describe('the cap', () => {
	const crawls = (...limits: number[]) =>
		limits.map((limit, item) => ({
			item,
			items: 1,
			sent: { url: 'https://example.com', limit, scrapeOptions: { parsers: [] } },
			maxCredits: 1000,
		}));

	it('lets through what costs just as much, and stops one credit more', () => {
		expect(checkCap(crawlPrice, crawls(400, 600)).tooMuch).toBeUndefined();
		expect(checkCap(crawlPrice, crawls(400, 601)).tooMuch).toBeDefined();
	});

	it('says the sum, the biggest items, and what to lower', () => {
		expect(checkCap(crawlPrice, crawls(100, 9000, 300, 2000)).tooMuch).toBe(
			'This run may cost up to 11,400 credits, and Max Credits (This Run) allows 1,000. No request was sent. Most of it is for item 1: 9,000 (9,000 pages × 1); item 3: 2,000 (2,000 pages × 1); item 2: 300 (300 pages × 1). To run it, lower Page Limit, send fewer items or raise Max Credits (This Run).',
		);
	});

	it('says of items that cost the same what each costs', () => {
		expect(checkCap(crawlPrice, crawls(...Array<number>(30).fill(100))).tooMuch).toContain(
			'No request was sent. That is 30 items, 100 credits each (100 pages × 1). To run it,',
		);
	});

	it('is the lowest of all items, and none without the option', () => {
		const some = crawls(600, 600).map((one, index) => ({
			...one,
			maxCredits: index === 0 ? undefined : 1000,
		}));
		expect(checkCap(crawlPrice, some).tooMuch).toContain('1,200 credits');
		const none = some.map((one) => ({ ...one, maxCredits: undefined }));
		expect(checkCap(crawlPrice, none)).toEqual({ tooMuch: undefined, notCounted: undefined });
	});

	it('names a job that many items share as one', () => {
		const urls = Array.from({ length: 50 }, (_unused, index) => `https://example.com/${index}`);
		const shared = [{ item: 3, items: 50, sent: { urls }, maxCredits: 10 }];
		expect(checkCap(batchPrice, shared).tooMuch).toContain(
			'the job of 50 items from item 3: 50 (50 pages, up to 1 credit each)',
		);
	});

	it('says what makes the list of a batch shorter: fewer URLs, or fewer items where those make it', () => {
		const urls = ['https://example.com/a', 'https://example.com/b'];
		const typed = { item: 0, items: 1, sent: { urls }, maxCredits: 1 };
		const advice = (one: AskedFor) => checkCap(batchPrice, [one]).tooMuch?.split('To run it, ')[1];
		expect(advice(typed)).toMatch(/^lower URLs or raise Max Credits \(This Run\)\./);
		const joined = { ...typed, items: 2, isListOfItems: true };
		expect(advice(joined)).toMatch(/^send fewer items or raise Max Credits \(This Run\)\./);
		const alone = { ...joined, items: 1, maxCredits: 0 };
		expect(advice(alone)).toMatch(/^raise Max Credits \(This Run\)\./);
	});

	it('says what it does not hold for', () => {
		const [one] = crawls(10);
		const check = checkCap(crawlPrice, one ? [{ ...one, sent: { limit: 10, allowExternalLinks: true } }] : []);
		expect(check.tooMuch).toBeUndefined();
		expect(check.notCounted).toMatch(
			/^Max Credits \(This Run\) does not count the further pages of PDF files.*, nor what pages of X/,
		);
	});

	it('asks for the service’s own cap where there is no worst case', () => {
		expect(overCap([{ item: 2, items: 1, ...agentPrice({}) }], 100)).toBe(
			'The cost of item 2 has no limit, so Max Credits (This Run) cannot be kept: set Max Credits of the agent. No request was sent.',
		);
	});
});

it('every operation that costs has a worst case and the option, and no other has', () => {
	const all = resources.flatMap((resource) =>
		resource.operations.map((one) => ({ name: `${resource.value}.${one.value}`, one })),
	);
	const priced = all.filter(({ one }) => one.worstCase);
	// Extract is priced by tokens, and has no cap of its own, which could not be kept: the panel says so.
	const extract = all.find(({ name }) => name === 'extract.start')?.one;
	expect(extract?.fields[0]?.displayName).toContain('1 credit for 15 tokens without a cap');
	expect(priced.map(({ name }) => name).sort()).toEqual([
		'agent.decide',
		'agent.start',
		'batchScrape.start',
		'browser.createSession',
		'browser.interact',
		'browser.runInNewSession',
		'crawl.start',
		'dataTool.run',
		'deepResearch.start',
		'extract.start',
		'llmsTxt.start',
		'map.map',
		'page.scrape',
		'parse.parseFile',
		'search.search',
		'search.searchDeveloper',
		'search.searchGovernment',
	]);
	for (const { one } of all) {
		// The agent has a cap of the service's own by that name, which is sent.
		const fields = JSON.stringify(one.fields);
		expect(fields.includes(JSON.stringify(maxCredits))).toBe(one.worstCase !== undefined && one !== extract);
		expect(fields.includes(JSON.stringify(onlyPrice))).toBe(one.worstCase !== undefined);
	}
});
