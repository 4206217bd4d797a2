import type { INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/server.ts';
import {
	batchStart,
	callTool,
	crawlStart,
	errorText,
	hintsIn,
	hintsOf,
	jsonOf,
	NODE,
	questions,
	runNode,
	startParameters,
	startSandbox,
} from './run';
import { scraped, serve, service } from './pageService';
import type { Json } from './pageService';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ lightWork: true, jobDurationMs: 300 });
});

describe('bad input gets an error before any request', () => {
	const cases: Array<[string, INodeParameters, string]> = [
		['an empty query', { query: '={{ "" }}' }, '"Query" is required'],
		[
			'a depth from an expression beyond the limit',
			{ options: { maxDepth: '={{ 13 }}' } },
			'"Max Depth" must be a whole number from 1 to 12, but it is 13',
		],
		[
			'a fraction of a URL',
			{ options: { maxUrls: '={{ 1.5 }}' } },
			'"Max URLs" must be a whole number from 1 to 1000, but it is 1.5',
		],
		[
			'a time limit that is no number',
			{ options: { timeLimit: '={{ "soon" }}' } },
			'"Time Limit (Seconds)" must be a whole number from 30 to 600, but it is "soon"',
		],
		[
			'a format that does not exist',
			{ analysisFormats: '={{ ["pdf"] }}' },
			'"Formats" must be a list made of json, markdown, but it is ["pdf"]',
		],
		[
			'a schema that is not JSON',
			{ analysisFormats: ['json'], jsonOptions: { schema: '{"type": ' } },
			'"Schema" needs JSON such as {',
		],
		[
			'a schema that is a list',
			{ analysisFormats: ['json'], jsonOptions: { schema: '[1]' } },
			'"Schema" must be a JSON object',
		],
		['no wait at all', { options: { waitOptions: { maxWait: 0 } } }, '"Max Wait (Seconds)" must be a whole number'],
		[
			'polling like mad',
			{ options: { waitOptions: { polling: 'fixed', pollInterval: 0.1 } } },
			'"Poll Interval (Seconds)" must be a number from 1 to 3600, but it is 0.1',
		],
		['an expression that breaks', { query: "={{ $('Nowhere').item.json.q }}" }, 'could not be read'],
	];

	it.each(cases)('%s', async (_what, parameters, message) => {
		const execution = await runNode(sandbox, startParameters(parameters), { items: questions(2) });
		expect(errorText(execution)).toContain(message);
		expect(sandbox.stats().requests).toBe(0);
	});

	it.each(['../../v2/crawl/active', 'a/b', 'a%2Fb', 'x\ny', '', 'a b', '.'])('the job ID %j', async (jobId) => {
		const parameters = { resource: 'deepResearch', operation: 'get', jobId: '={{ $json.id }}' };
		const execution = await runNode(sandbox, parameters, { items: [{ id: jobId }] });
		expect(errorText(execution)).toContain('"Job ID"');
		expect(sandbox.stats().requests).toBe(0);
	});

	it.each(['x/../../team/credit-usage', '..', 'doi:10.1/..', String.raw`a\..\b`, './x'])(
		'the paper ID %j, which would climb out of its path',
		async (paperId) => {
			const parameters = { resource: 'search', operation: 'getPaper', paperId: '={{ $json.id }}' };
			const execution = await runNode(sandbox, parameters, { items: [{ id: paperId }] });
			expect(errorText(execution)).toContain('must be an ID');
			expect(sandbox.stats().requests).toBe(0);
		},
	);

	it('of one item, before the jobs of the others are paid for', async () => {
		const items = [...questions(3), { q: '' }];
		const execution = await runNode(sandbox, startParameters(), { items });
		expect(errorText(execution)).toContain('"Query" is required');
		expect(sandbox.stats().starts.total).toBe(0);
	});
});

describe('values from expressions and agents', () => {
	it('are taken as they are meant: numbers as text, lists as text', async () => {
		const execution = await runNode(
			sandbox,
			startParameters({
				analysisFormats: '={{ "json, markdown" }}',
				options: { maxDepth: '={{ "3" }}', maxUrls: '={{ 5 }}' },
			}),
			{ items: questions(1) },
		);
		expect(execution.error).toBeUndefined();
		expect(execution.items(NODE)[0]?.json.status).toBe('completed');
	});
});

describe('the base URL', () => {
	const credentialWith = (baseUrl: string) => ({ credential: { baseUrl, apiKey: 'fc-sandbox' } });
	const getActive = { resource: 'crawl', operation: 'getActive' };

	it.each(['/', '//', '/v1', '/v2/', ' '])('may end in %j', async (ending) => {
		const execution = await runNode(sandbox, getActive, credentialWith(sandbox.baseUrl + ending));
		expect(execution.error).toBeUndefined();
		expect(sandbox.stats().requests).toBe(1);
	});

	it.each(['', 'api.firecrawl.dev', 'ftp://example.com', 'file:///etc/passwd', 'http://'])(
		'must be an address, not %j',
		async (baseUrl) => {
			const execution = await runNode(sandbox, getActive, credentialWith(baseUrl));
			expect(errorText(execution)).toContain('base URL in the Web Data API (Firecrawl) credential must be');
		},
	);
});

describe('an expression that gives nothing stands for the default', () => {
	const nothing = '={{ $json.none }}';

	it('of Wait for Completion: the job is waited for', async () => {
		const execution = await runNode(sandbox, startParameters({ waitForCompletion: nothing }), {
			items: questions(1),
		});
		expect(execution.items(NODE)[0]?.json.status).toBe('completed');
	});
});

const scrape = (more: INodeParameters): INodeParameters => ({
	resource: 'page',
	operation: 'scrape',
	...more,
});

/** A service that gives this page, whatever is scraped. */
const servePage = async (page: Json) =>
	await serve({
		job: () => ({ pages: [page] }),
		instead: ({ path }) => (path === '/v2/scrape' ? { body: { success: true, data: page } } : undefined),
	});

const json = (format: INodeParameters) => ({
	formats: ['json'],
	...format,
});

it.each(['page', 'crawl', 'map'])('costs nothing in a new node of %s where no address is typed', async (resource) => {
	await serve();
	const operation = { page: 'scrape', crawl: 'start', map: 'map' }[resource] ?? '';
	await expect(runNode(service, { resource, operation })).rejects.toThrow('Parameter "URL" is required');
	expect(service.requests).toHaveLength(0);
});

describe('what is no address is refused before anything is sent', () => {
	const list = 'holds more than one URL. Use Batch Scrape for a list.';
	it.each<[string, unknown, string]>([
		['two addresses with a comma', 'https://a.example/1,https://a.example/2', list],
		['two lines', 'https://a.example/1\nhttps://a.example/2', list],
		['two domains', 'a.example, b.example', list],
		['a comma of Chinese', 'https://a.example/1，https://a.example/2', list],
		['a semicolon of Chinese', 'https://a.example/1；https://a.example/2', list],
		['a comma of Arabic', 'https://a.example/1،https://a.example/2', list],
		['a line break of HTML', 'https://a.example/1<br>https://a.example/2', list],
		['an array', ['https://a.example/1', 'https://a.example/2'], list],
		['an expression as text', '{{ $json.url }}', 'switch the field from Fixed to Expression'],
		['a scheme twice', 'https://https://a.example/', 'one address inside another'],
		['an address typed behind another', 'https://a.examplehttps://b.example/x', 'one address inside another'],
		['a host twice', 'https://shop.exampleshop.example/x', 'one address inside another'],
		['a character that is not seen', 'https://a.ex\u200bample/', '(U+200B) after "https://a.ex"'],
	])('%s', async (_what, url, message) => {
		await serve();
		const execution = await runNode(service, scrape({ url: '={{ $json.url }}' }), {
			items: [{ url }] as never,
		});
		expect(errorText(execution)).toContain(message);
		expect(service.requests).toHaveLength(0);
	});

	it.each([
		['spaces in the path', 'https://a.example/my file.pdf', 'https://a.example/my%20file.pdf'],
		['a character that is not seen at its end', '\ufeffhttps://a.example/x\u200b ', 'https://a.example/x'],
		['a list of one', ['https://a.example/x'], 'https://a.example/x'],
		['a comma in the path', 'https://a.example/1,2', 'https://a.example/1,2'],
		['a full stop of Chinese behind it', 'https://a.example/x。', 'https://a.example/x'],
		[
			'an address in its path',
			'https://archive.example/2024/https://x.example/a',
			'https://archive.example/2024/https://x.example/a',
		],
		['an address in its query', 'https://a.example/?u=https://x.example/a', 'https://a.example/?u=https://x.example/a'],
		['half a character', 'https://a.example/\ud83d', 'https://a.example/\ufffd'],
	])('what a browser would open is sent: %s', async (_what, url, sent) => {
		await servePage(scraped('https://a.example/'));
		const execution = await runNode(service, scrape({ url: '={{ $json.url }}' }), {
			items: [{ url }] as never,
		});
		expect(execution.error).toBeUndefined();
		expect(service.requests[0]?.body.url).toBe(sent);
	});
});

describe('a list of URLs', () => {
	const list = (urls: string, options = {}) => batchStart({ urlsFrom: 'list', urls, options });
	const three = ['https://a.example/1', 'https://a.example/2', 'https://a.example/3,4'];

	it.each([
		...['\n', ', ', ',', '; ', ';', '，', '； ', '،', '、', '<br>', '<br />\n', ' '].map((mark) => [
			mark,
			three.join(mark),
		]),
		['marks behind it', `${three[0]}，\n${three[1]}。\n${three[2]}；`],
	])('is split at %j', async (_mark, urls) => {
		await serve();
		const execution = await runNode(service, list(urls));
		expect(execution.error).toBeUndefined();
		expect(service.requests[0]?.body.urls).toEqual(three);
	});

	it('leaves out what is no web address, and names it', async () => {
		await serve();
		const execution = await runNode(service, list(`${three[0]}\nmailto:a@b.example\n${three[1]}\nftp://x.example`));
		expect(execution.error).toBeUndefined();
		expect(service.requests[0]?.body.urls).toEqual([three[0], three[1]]);
		expect(hintsIn(execution)).toContain(
			'Left out, because they are no web addresses: "mailto:a@b.example", "ftp://x.example".',
		);
	});

	it('is refused with all that is no web address where Skip Invalid URLs is off', async () => {
		await serve();
		const urls = `${three[0]}\nmailto:a@b.example\nftp://x.example`;
		const execution = await runNode(service, list(urls, { ignoreInvalidURLs: false }));
		expect(errorText(execution)).toContain(
			'"URLs" must be made of web addresses such as https://example.com/page, but these are none: "mailto:a@b.example", "ftp://x.example".',
		);
		expect(service.requests).toHaveLength(0);
	});
});

it('an expression in a list of URLs is no address either', async () => {
	await serve();
	const execution = await runNode(service, batchStart({ url: '{{ $json.url }}' }));
	expect(errorText(execution)).toContain('switch the field from Fixed to Expression');
});

it.each<[string, INodeParameters, string]>([
	[
		'a schema where an example belongs',
		{ jsonExample: '{"type":"object","properties":{"a":{"type":"string"}}}' },
		'This looks like a JSON Schema: put it into JSON Schema',
	],
	[
		'the properties of a schema',
		{ jsonFrom: 'schema', jsonSchema: '{"name":{"type":"string"},"price":{"type":"number"}}' },
		'These are the properties of one: write { "type": "object", "properties": … } around them',
	],
	[
		'a schema as an API takes it',
		{
			jsonFrom: 'schema',
			jsonSchema: '{"name":"shop","schema":{"type":"object","properties":{}}}',
		},
		'leave out what stands around it, and write what "schema" holds',
	],
	[
		'a schema in two things around it',
		{
			jsonFrom: 'schema',
			jsonSchema: '{"type":"json_schema","json_schema":{"name":"shop","schema":{"type":"object","properties":{}}}}',
		},
		'write what "json_schema.schema" holds',
	],
	[
		'the same where an example belongs',
		{ jsonExample: '{"type":"json_schema","json_schema":{"name":"shop","schema":{"type":"object"}}}' },
		'What "json_schema.schema" holds looks like a JSON Schema',
	],
	[
		'the properties of a schema where an example belongs',
		{ jsonExample: '{"name":{"type":"string"}}' },
		'This looks like a JSON Schema',
	],
	[
		'a map of fields and types',
		{ jsonFrom: 'schema', jsonSchema: '{"name":"string","price":"number"}' },
		'write { "type": "object", "properties": {"name":{"type":"string"}} }, and so on',
	],
	[
		'an example where a schema belongs',
		{ jsonFrom: 'schema', jsonSchema: '{"name":"Blue bicycle"}' },
		'This looks like an example: set "JSON From" to Example',
	],
])('says what to change of %s', async (_what, format, message) => {
	await serve();
	const execution = await runNode(service, scrape({ url: 'a.example', ...json(format) }));
	expect(errorText(execution)).toContain(message);
	expect(service.requests).toHaveLength(0);
});

it.each([
	['**/docs/**', 'write .*/docs/.*'],
	['*.pdf', String.raw`write .*\.pdf`],
	['https://a.example/blog/*', 'without the host: write /blog/.*'],
])('shows the regular expression that the path pattern %s was meant to be', async (pattern, message) => {
	await serve();
	const execution = await runNode(service, crawlStart({ options: { includePaths: pattern } }));
	expect(errorText(execution)).toContain(`"Include Paths" is made of regular expressions`);
	expect(errorText(execution)).toContain(message);
	expect(service.requests).toHaveLength(0);
});

it.each(['(?i)^/docs/.*', String.raw`(?P<year>\d+)/.*`, '/blog/*\n^/?$'])(
	'sends the path pattern %s as it is: its language is the service’s',
	async (pattern) => {
		await serve({
			job: () => ({ pages: [scraped('https://site.example/docs/1'), scraped('https://site.example/docs/2')] }),
		});
		const execution = await runNode(service, crawlStart({ options: { includePaths: pattern } }));
		expect(execution.error).toBeUndefined();
		expect(service.requests[0]?.body.includePaths).toEqual(pattern.split('\n'));
	},
);

it('refuses patterns as for a shell that do not match the start page, and says what to write', async () => {
	await serve();
	const execution = await runNode(service, crawlStart({ options: { includePaths: '/blog/*' } }));
	expect(errorText(execution)).toContain(
		'none of them matches the start page /, so the crawl would end without a page: for everything below /blog write blog/.* and add a second line ^/?$, or start at the address of the section itself.',
	);
	expect(service.requests).toHaveLength(0);
});

it.each([
	['case-.*', 0, 'The start page / does not match Include Paths: add a second line ^/?$, or start at the address'],
	['blog/.*', 1, 'The start page / does not match Include Paths: add a second line ^/?$, or start at the address'],
	['blog/.*, docs/.*', 0, '"blog/.*, docs/.*" is one pattern: write each on a line of its own.'],
	['.*', 1, 'Include Paths are regular expressions, and the start page must match one of them, too.'],
])('says of a crawl with Include Paths %s and %i pages why, and what to do', async (includePaths, pages, said) => {
	await serve({ job: () => ({ pages: [scraped('https://site.example/')].slice(0, pages) }) });
	const execution = await runNode(service, crawlStart({ options: { includePaths } }));
	expect(`${errorText(execution)} ${hintsIn(execution)}`).toContain(said);
	expect(`${errorText(execution)} ${hintsIn(execution)}`).not.toContain('/blog write');
});

it('takes whole addresses as patterns where they are matched', async () => {
	await servePage(scraped('https://a.example/'));
	const options = {
		includePaths: 'https://a.example/blog/.*',
		rareOptions: { regexOnFullURL: true },
	};
	expect((await runNode(service, crawlStart({ options }))).error).toBeUndefined();
});

it('says what to do where the credits are not enough', async () => {
	await serve({ instead: () => ({ status: 402, body: { error: 'Insufficient credits' } }) });
	const execution = await runNode(service, scrape({ url: 'a.example' }));
	expect(errorText(execution)).toContain('Insufficient credits. Buy credits or a larger plan');
	expect(errorText(execution)).toContain('Get Credit Usage shows what is left');
});

it('gives every page of a crawl a file name of its own', async () => {
	const addresses = ['/a-b', '/a/b', '/%E3%81%93%E3%82%8C', `/${'x'.repeat(80)}1`, `/${'x'.repeat(80)}2`];
	const pages = addresses.map((path) => scraped(`https://site.example${path}`));
	await serve({ job: () => ({ pages }) });
	const execution = await runNode(service, crawlStart({ scrapeOptions: { storeAsFiles: ['markdown'] } }));
	const names = execution.items(NODE).map(({ binary }) => binary?.markdown?.fileName);
	expect(names.slice(0, 3)).toEqual(['site.example_a-b.md', 'site.example_a_b.md', 'site.example_これ.md']);
	expect(new Set(names).size).toBe(addresses.length);
});

it('gives texts without NUL and half characters, which stores and models refuse', async () => {
	await servePage({ ...scraped('https://a.example/'), markdown: 'A\u0000B \ud83d C \ud83d\ude00' });
	const execution = await runNode(service, scrape({ url: 'a.example' }));
	expect(jsonOf(execution.items(NODE))[0]?.markdown).toBe('A B \ufffd C \ud83d\ude00');
});

it('gives no bytes of a PDF file as text, and says so', async () => {
	await servePage({ ...scraped('https://a.example/a.pdf'), markdown: '%PDF-1.7\n%\ufffd\ufffd' });
	const execution = await runNode(service, scrape({ url: 'a.example/a.pdf' }));
	const [item] = jsonOf(execution.items(NODE));
	expect(item).not.toHaveProperty('markdown');
	expect(item?.pageError).toContain('read it with Parse · Parse File');
	expect(hintsOf(execution).join(' ')).toContain('1 page could not be read');
});

it.each([
	['<?xml version="1.0"?><rss></rss>', 'a.example_feed.xml', 'application/xml'],
	['{"a": 1}', 'a.example_feed.json', 'application/json'],
	['User-agent: *', 'a.example_feed.txt', 'text/plain'],
	['<!doctype html><p>Hi', 'a.example_feed.raw.html', 'text/html'],
])('names a file by what it is: %s', async (rawHtml, fileName, mimeType) => {
	await servePage({ ...scraped('https://a.example/feed'), rawHtml });
	const execution = await runNode(
		service,
		scrape({
			url: 'a.example/feed',
			formats: ['rawHtml'],
			scrapeOptions: { storeAsFiles: ['rawHtml'] },
		}),
	);
	expect(execution.items(NODE)[0]?.binary?.rawHtml).toMatchObject({ fileName, mimeType });
});

it('tells the error that stands in the metadata of a page', async () => {
	const page = scraped('https://a.example/');
	await servePage({
		...page,
		metadata: { ...(page.metadata as Json), error: 'The page broke off' },
	});
	const execution = await runNode(service, scrape({ url: 'a.example' }));
	expect(jsonOf(execution.items(NODE))[0]?.pageError).toBe('The page broke off');
	expect(hintsOf(execution).join(' ')).toContain('1 page could not be read: https://a.example/: The page broke off.');
});

describe('an AI agent', () => {
	const call = async (parameters: INodeParameters) =>
		await callTool(service, {
			mode: 'manual',
			parameters,
			args: [{ url: 'https://a.example/' }],
			path: 'invoke',
		});
	const url = "={{ $fromAI('url', 'page', 'string') }}";

	it('gets a bounded part of JSON of three million characters', async () => {
		await servePage({ ...scraped('https://a.example/'), json: { text: 'word '.repeat(600_000) } });
		const { texts } = await call(scrape({ url }));
		expect(texts[0]?.length).toBeGreaterThan(90_000);
		expect(texts[0]?.length).toBeLessThan(110_000);
		expect(texts[0]).toContain('of 3000000 characters left out');
		expect(texts[0]).toContain('Ask for less');
	});

	it.each(['links', 'list'])('gets a bounded part of 20,000 links (%s)', async (output) => {
		const links = Array.from({ length: 20_000 }, (_unused, at) => ({
			url: `https://a.example/some/page/number/${at}`,
		}));
		await serve({ instead: () => ({ body: { success: true, links } }) });
		const { texts } = await call({ resource: 'map', operation: 'map', url, output });
		expect(texts[0]?.length).toBeLessThan(110_000);
		expect(texts[0]).toContain('https://a.example/some/page/number/1000"');
		expect(texts[0]).toMatch(/of 20000 (items are|entries) left out/);
		expect(texts[0]).toContain('Ask for less');
	});
});
