import fc from 'fast-check';

import type { INodeParameters } from 'n8n-workflow';

import { expectPlain, json, KEY, measured, runAgainst, startHostileService, text } from './hostileService';
import type { Answering, HostileService } from './hostileService';
import { errorText, NODE } from './run';

const jobId = 'b37fb0dd-9aa8-4a0b-8b5a-2c8f6a4e9d11';
const MEGABYTE = 1024 * 1024;

let service: HostileService;
let elsewhere: HostileService;
beforeAll(async () => {
	service = await startHostileService();
	elsewhere = await startHostileService();
});

const url = 'https://site.example/';
const waitForCompletion = false;
const START = { resource: 'deepResearch', operation: 'start', query: 'q', waitForCompletion };
const GET = { resource: 'deepResearch', operation: 'get', jobId };

/**
 * Fields that answers are read by, at any level (docs/reference/service-notes.md#envelope,
 * docs/reference/service-notes.md#deep-research).
 */
const FIELDS = [
	...['success', 'id', 'status', 'error', 'message', 'details', 'path', 'keys', 'code', 'data'],
	...['finalAnalysis', 'json', 'sources', 'activities', 'currentDepth', 'maxDepth', 'totalUrls'],
	...['expiresAt', 'title', 'url', 'description', 'icon', 'type', 'depth', 'timestamp', 'crawls'],
	...['completed', 'total', 'creditsUsed', 'metadata', 'scrapeId', 'sourceURL', 'statusCode'],
	...['markdown', 'html', 'links', 'screenshot', 'images', 'errors', 'robotsBlocked', 'invalidURLs'],
	...['web', 'news', 'warning', 'state', 'retryAfterSeconds', '__proto__', 'constructor', 'toJSON'],
];

const ODD_TEXTS = ['completed', 'failed', '__proto__', '\u0000\r\nX-Key: y', '\ud800', '<b>', '-5'];

/** Known fields that hold other known fields, wrong types, or anything. */
const { body } = fc.letrec<{ value: unknown; body: Record<string, unknown> }>((tie) => ({
	value: fc.oneof(
		{ depthSize: 'small' },
		fc.constantFrom<unknown>(...ODD_TEXTS, null, 0, -1, 1e308, true, '', [], {}),
		fc.jsonValue({ maxDepth: 2 }),
		tie('body'),
		fc.array(tie('value'), { maxLength: 3 }),
	),
	body: fc.dictionary(fc.constantFrom(...FIELDS), tie('value'), { maxKeys: 8 }),
}));

/** The service has no lists of jobs, in which an unclear start would be looked for again and again. */
function withoutLists(answer: Answering): Answering {
	return (request, response) => {
		if (!/^\/v2\/(team\/activity|crawl\/active)/.test(request.url ?? '')) return answer(request, response);
		return text('<h1>Not found</h1>', 404)(request, response);
	};
}

describe('wrong types in every known field', () => {
	it.each<[string, INodeParameters]>([
		['a research start', START],
		['a research job, simplified', GET],
		['a research job as full record', { ...GET, output: 'fullRecord' }],
		['a research job as sources', { ...GET, output: 'sources' }],
		['a research job as report file', { ...GET, output: 'reportFile' }],
		['the active crawls', { resource: 'crawl', operation: 'getActive', returnAll: true }],
		['a crawl start', { resource: 'crawl', operation: 'start', url, waitForCompletion }],
		['a crawl', { resource: 'crawl', operation: 'get', jobId }],
		['the errors of a crawl', { resource: 'crawl', operation: 'getErrors', jobId }],
		['a batch', { resource: 'batchScrape', operation: 'get', jobId }],
		['a page', { resource: 'page', operation: 'scrape', url }],
		['a search', { resource: 'search', operation: 'search', query: 'q' }],
		['a map', { resource: 'map', operation: 'map', url }],
	])('of %s: items that n8n can store, or a plain error', async (_name, parameters) => {
		await fc.assert(
			fc.asyncProperty(body, fc.constantFrom(200, 200, 200, 400, 404), async (answer, status) => {
				const asIs = json(answer, status);
				service.answer = parameters.operation === 'getActive' ? asIs : withoutLists(asIs);
				const execution = await runAgainst(service, parameters);
				if (execution.error) expectPlain(errorText(execution));
				for (const item of execution.items(NODE)) {
					expect(Object.getPrototypeOf(item.json)).toBe(Object.prototype);
				}
				expect(execution.stored).not.toContain(KEY);
			}),
			{ numRuns: 25 },
		);
		expect(Object.keys(Object.prototype)).toEqual([]);
	});
});

describe('an id that is none', () => {
	it.each([
		'../../v2/team/credit-usage',
		'a/b',
		'a\\b',
		'..',
		'%2e%2e',
		'a?b=c',
		'a#b',
		'a\r\nX-Key: b',
		'a\u0000b',
		'a'.repeat(129),
		'',
		{ toString: 'a' },
		[jobId],
		5,
	])('as %j is never put into a path, and the start is told to be possibly paid for', async (id) => {
		service.answer = withoutLists(json({ success: true, id }));
		service.seen.length = 0;
		const execution = await runAgainst(service, { ...START, waitForCompletion: true });
		expectPlain(errorText(execution));
		expect(errorText(execution)).toMatch(/no usable job ID .*may have been started/);
		// Only a start has a body; a lost one is looked for, but never sent again.
		const starts = service.seen.filter((headers) => 'content-length' in headers);
		expect(starts).toHaveLength(1);
	});

	it.each(['../x', 'a b', 'a\nb', '{{ $json }}', ''])('as %j in the panel is refused unsent', async (typed) => {
		service.seen.length = 0;
		const execution = await runAgainst(service, { ...GET, jobId: '={{ $json.id }}' }, [{ id: typed }]);
		expectPlain(errorText(execution));
		expect(errorText(execution)).toMatch(/Nothing was sent\.$/);
		expect(service.seen).toEqual([]);
	});
});

describe('a way elsewhere', () => {
	const targets = () => [
		elsewhere.baseUrl,
		`//${new URL(elsewhere.baseUrl).host}/`,
		`${elsewhere.baseUrl}@${new URL(service.baseUrl).host}/`,
		'file:///etc/passwd',
		'javascript:alert(1)',
		`${service.baseUrl}/other`,
	];

	it('by redirect is not taken, at a start or a check', async () => {
		for (const location of targets()) {
			for (const status of [301, 302, 303, 307, 308, 300, 304, 399]) {
				service.answer = (_request, response) => {
					// As bytes: Node's own server would not write some of them.
					const head = `HTTP/1.1 ${status} Go\r\nLocation: ${location}\r\nRefresh: 0;url=${location}`;
					response.socket?.end(`${head}\r\nContent-Length: 0\r\n\r\n`, 'latin1');
				};
				for (const parameters of [START, GET]) {
					service.seen.length = 0;
					const execution = await runAgainst(service, parameters);
					expectPlain(errorText(execution));
					// What stands before the @ of an address may be a password.
					const shown = location.replace(/\/\/[^/@]*@/, '//***@');
					expect(errorText(execution)).toContain(`redirects to ${shown}`);
					expect(service.seen).toHaveLength(1);
				}
			}
		}
		expect(elsewhere.seen).toEqual([]);
	});

	it('as the place of the next pages is not taken', async () => {
		for (const next of [...targets().slice(3, 5), 'x:y', 5, { a: 1 }, [1]]) {
			service.answer = json({ status: 'completed', total: 2, completed: 2, data: [{}], next });
			service.seen.length = 0;
			const execution = await runAgainst(service, { resource: 'crawl', operation: 'get', jobId });
			expectPlain(errorText(execution));
			expect(errorText(execution)).toMatch(/next pages/);
		}
		expect(elsewhere.seen).toEqual([]);
	});
});

describe('50 MB', () => {
	const long = 'x'.repeat(50 * MEGABYTE);

	it('of analysis are taken whole', async () => {
		service.answer = text(`{"status":"completed","data":{"finalAnalysis":"${long}"}}`);
		const { value, costs } = await measured(async () => await runAgainst(service, GET));
		expect(String(value.items(NODE)[0]?.json.finalAnalysis)).toHaveLength(long.length);
		expect(costs.seconds).toBeLessThan(20);
		expect(costs.megabytes).toBeLessThan(1000);
	});

	it.each(['error', 'message'])('of "%s" are told in a sentence', async (field) => {
		service.answer = text(`{"${field}":"${long}"}`, 400);
		const { value, costs } = await measured(async () => await runAgainst(service, START));
		expectPlain(errorText(value));
		expect(costs.seconds).toBeLessThan(20);
		expect(costs.megabytes).toBeLessThan(500);
	});
});
