import type { ScriptRequest } from '../helpers/script';
import { batchStart, callTool, crawlStart, errorText, hintsOf, jsonOf, NODE, runNode } from './run';
import recorded from '../fixtures/recorded/2026/crawl.json';
import { runRecorded } from './recordedService';
import { scraped, serve, service } from './pageService';
import type { PageServiceParts } from './pageService';

const SITE = 'http://site.fixture.test:8897';
const UUID = '01a1ffbd-bb89-72e9-b60a-777e4baf264f';
const crawlGet = (more = {}) => ({ resource: 'crawl', operation: 'get', jobId: UUID, ...more });
const scrape = (more = {}) => ({ resource: 'page', operation: 'scrape', url: SITE, ...more });

/** A service that answers everything so. */
const always = (body: object, status = 200): PageServiceParts => ({
	instead: () => ({ status, body }),
});

/** A service whose one job is in this state, with no pages that failed. */
const oneJob = (body: object): PageServiceParts => ({
	instead: ({ method, path }: ScriptRequest) => {
		if (method === 'POST') return { body: { success: true, id: UUID } };
		return { body: path.endsWith('/errors') ? { errors: [], robotsBlocked: [] } : body };
	},
});

describe('a job that ends well without a page', () => {
	const empty = { success: true, status: 'completed', completed: 0, total: 0, creditsUsed: -1 };

	it('is an error of every item of a batch in one list', async () => {
		await serve(oneJob({ ...empty, data: [] }));
		const execution = await runNode(service, batchStart({ output: 'job' }), {
			items: [{ url: `${SITE}/a` }, { url: `${SITE}/b` }],
			node: { onError: 'continueErrorOutput' },
		});
		expect(execution.items(NODE, 0)).toEqual([]);
		expect(execution.items(NODE, 1)).toHaveLength(2);
		// Nobody says what it cost.
		expect(hintsOf(execution)[0]).toBe('1 job finished, 0 pages. 2 of 2 items failed.');
	});
});

describe('pages that break off', () => {
	const parts = (more: object): PageServiceParts => ({
		instead: ({ method, path, query }: ScriptRequest) => {
			if (method === 'POST') return undefined;
			if (path.endsWith('/errors')) return { body: { errors: [], robotsBlocked: [] } };
			const skip = Number(query.skip ?? 0);
			const data = skip > 0 ? [] : [scraped(`${SITE}/a`), scraped(`${SITE}/b`)];
			const next = `http://x/v2/crawl/job-0?skip=${skip + 2}`;
			return { body: { success: true, status: 'completed', data, next, ...more } };
		},
	});
	const TEXT = 'Pages may be missing: the service named more pages and then returned none';

	it('are said to, where nothing else tells it', async () => {
		await serve(parts({}));
		const execution = await runNode(service, crawlStart());
		expect(execution.items(NODE)).toHaveLength(2);
		expect(hintsOf(execution).join(' ')).toContain(`${TEXT}, for the crawl job-0.`);
	});

	it('are counted, where the service counts them, and are no matter where it has all', async () => {
		await serve(parts({ completed: 3, total: 3 }));
		const missing = hintsOf(await runNode(service, crawlStart())).join(' ');
		expect(missing).toContain('1 page that the service counts did not come');
		expect(missing).not.toContain(TEXT);
		await serve(parts({ completed: 2, total: 2 }));
		const whole = hintsOf(await runNode(service, crawlStart())).join(' ');
		expect(whole).not.toMatch(/missing|did not come/);
	});
});

describe('a job that still runs', () => {
	it.each([
		['deepResearch', 'deep research job'],
		['agent', 'agent job'],
		['extract', 'extract job'],
		['llmsTxt', 'LLMs.txt job'],
	])('%s: Get without waiting says that it is not finished', async (resource, label) => {
		await serve(oneJob({ success: true, status: 'processing', data: {} }));
		const execution = await runNode(service, { resource, operation: 'get', jobId: UUID });
		expect(hintsOf(execution)).toContain(`The output is incomplete: the ${label} ${UUID} is "processing".`);
	});
});

describe('remarks of the service', () => {
	const REMARKS = {
		warning: 'It is old.',
		warnings: ['It is slow.', 'It is old.'],
		replacement: '/v9/new',
	};
	const HINT = 'The service says: It is old. It is slow. Use /v9/new instead.';
	const research = { status: 'completed', data: { finalAnalysis: 'A', sources: [{ url: SITE }] } };

	it.each<[string, PageServiceParts, Record<string, string>]>([
		[
			'a map',
			always({ success: true, links: [SITE], ...REMARKS }),
			{ resource: 'map', operation: 'map', url: SITE, output: 'list' },
		],
		[
			'a search',
			always({ success: true, data: { web: [{ url: SITE }] }, ...REMARKS }),
			{ resource: 'search', operation: 'search', query: 'x', output: 'list' },
		],
		['a page', always({ success: true, data: scraped(SITE), ...REMARKS }), scrape({ output: 'fullDocument' }) as never],
		[
			'research',
			oneJob({ success: true, ...research, ...REMARKS }),
			{ resource: 'deepResearch', operation: 'start', query: 'x', output: 'fullRecord' },
		],
		[
			'a browser session',
			always({ success: true, id: 's-1', ...REMARKS }),
			{ resource: 'browser', operation: 'createSession' },
		],
	])('on %s stand in its hint, each once, and in its full output', async (_name, parts, node) => {
		await serve(parts);
		const execution = await runNode(service, node);
		expect(hintsOf(execution)).toContain(HINT);
		expect(jsonOf(execution.items(NODE))[0]).toMatchObject(REMARKS);
	});

	it('on a list stand in its hint', async () => {
		await serve(always({ success: true, data: [{ id: 'm-1' }], ...REMARKS }));
		const execution = await runNode(service, { resource: 'monitor', operation: 'getMany' });
		expect(hintsOf(execution)).toContain(HINT);
	});

	it('are told once in the item of a job', async () => {
		const data = [scraped(SITE)];
		await serve(oneJob({ success: true, status: 'completed', completed: 1, data, ...REMARKS }));
		const execution = await runNode(service, crawlStart({ output: 'job' }));
		expect(jsonOf(execution.items(NODE))[0]).toMatchObject({
			warnings: ['It is old.', 'It is slow.', 'Use /v9/new instead.'],
		});
	});
});

describe('Store as Files', () => {
	it('says of how many pages there is none of a kind', async () => {
		await serve({
			job: () => ({ pages: [scraped(`${SITE}/a`), { ...scraped(`${SITE}/b`), html: '<p>' }] }),
		});
		const scrapeOptions = { storeAsFiles: ['html', 'screenshot', 'markdown', 'pdf'] };
		const hints = hintsOf(await runNode(service, crawlStart({ scrapeOptions }))).join(' ');
		expect(hints).toContain(
			'Pages without what Store as Files asks for: html (1), screenshot (2). The service returned none for them.',
		);
	});

	it('says it of an earlier scrape, which cannot ask for more', async () => {
		await serve(always({ success: true, data: scraped(SITE) }));
		const options = { storeAsFiles: ['html'] };
		const node = { resource: 'page', operation: 'get', scrapeId: UUID, options };
		expect(hintsOf(await runNode(service, node)).join(' ')).toContain('asks for: html (1)');
	});

	it('counts files that could not be fetched, and does not blame the credential', async () => {
		const screenshot = 'http://127.0.0.1:1/shot.png';
		await serve(always({ success: true, data: { ...scraped(SITE), screenshot } }));
		const scrapeOptions = { storeAsFiles: ['screenshot'] };
		const execution = await runNode(service, scrape({ scrapeOptions }));
		expect(hintsOf(execution).join(' ')).toContain('1 file could not be stored: filesNotStored');
		expect(jsonOf(execution.items(NODE))[0]).toMatchObject({
			filesNotStored: [{ reason: 'The file could not be fetched from http://127.0.0.1:1: nothing answers there.' }],
		});
	});
});

it.each(['agent', 'extract'])('the sample structure of %s, left as it is, is said', async (kind) => {
	await serve(oneJob({ success: true, status: 'completed', data: { title: 'A' } }));
	const node = { resource: kind, operation: 'start', prompt: 'What?', structure: 'example' };
	const SAMPLE = 'The structure still has the fields of the sample in the panel';
	expect(hintsOf(await runNode(service, node)).join(' ')).toContain(SAMPLE);
	const own = { ...node, example: '{ "name": "A" }' };
	expect(hintsOf(await runNode(service, own)).join(' ')).not.toContain(SAMPLE);
});

describe('an ID that the service does not know', () => {
	it.each<[string, Record<string, string>, string]>([
		['scrape', { resource: 'page', operation: 'get', scrapeId: UUID }, 'Scrape, Crawl and Batch Scrape'],
		['monitor', { resource: 'monitor', operation: 'get', monitorId: UUID }, 'Create and Get Many'],
		['monitor', { resource: 'monitor', operation: 'delete', monitorId: UUID }, 'Create and Get Many'],
		['monitor', { resource: 'monitor', operation: 'getChecks', monitorId: UUID }, 'Create and Get Many'],
		['monitor', { resource: 'monitor', operation: 'run', monitorId: UUID }, 'Create and Get Many'],
		[
			'monitor check',
			{ resource: 'monitor', operation: 'getCheck', monitorId: UUID, jobId: UUID },
			'Run and Get Checks',
		],
		['agent job', { resource: 'agent', operation: 'getTrace', jobId: UUID }, 'Start'],
		['crawl', { resource: 'crawl', operation: 'getErrors', jobId: UUID }, 'Start'],
		['crawl', { resource: 'crawl', operation: 'cancel', jobId: UUID }, 'Start'],
	])('of a %s is said once, with what to do: %j', async (what, node, from) => {
		const malformed = 'Invalid job ID format. Job ID must be a valid UUID.';
		for (const [status, error] of [
			[404, 'Not found here'],
			[400, malformed],
		] as const) {
			await serve(always({ success: false, error }, status));
			const execution = await runNode(service, node);
			const text = errorText(execution);
			expect(execution.error?.message).toBe(`The service does not know this ${what}`);
			expect(text).toContain(`The service does not know the ${what} ${UUID}: the ID is wrong, or `);
			expect(text).toContain(`The right one is in the output of ${from}`);
			expect(text).not.toContain(error);
		}
		// Any other refusal has its own reason, which is told.
		await serve(always({ success: false, error: 'Not today' }, 400));
		expect(errorText(await runNode(service, node))).toContain('Not today');
	});

	it('of a browser session, too', async () => {
		await serve(always({ success: false, error: 'Not found' }, 404));
		const node = { resource: 'browser', operation: 'closeSession', sessionId: UUID };
		const text = errorText(await runNode(service, node));
		expect(text).toContain(`The service does not know the session ${UUID}.`);
		expect(text).not.toContain('Not found');
	});

	it('of an extract job is not asked for half a minute where servers fail on it', async () => {
		const body = {
			success: false,
			code: 'UNKNOWN_ERROR',
			error: 'An error occurred. Please check your logs for more details.',
		};
		await serve(always(body, 500));
		const began = performance.now();
		const execution = await runNode(service, {
			resource: 'extract',
			operation: 'get',
			jobId: UUID,
		});
		expect(performance.now() - began).toBeLessThan(15_000);
		expect(service.requests.length).toBe(3);
		expect(errorText(execution)).toContain('Some servers answer so to an ID that they do not know.');
	});
});

it('a reason that names the job does not name it twice', async () => {
	await serve(oneJob({ success: false, status: 'failed', error: `Job ${UUID} timed out` }));
	expect(errorText(await runNode(service, crawlGet())).split(UUID)).toHaveLength(2);
});

it.each(['status', 'pages'])('a check that is none is an error, as %s', async (output) => {
	for (const data of ['text', [], 7]) {
		await serve(always({ success: true, data }));
		const ids = { monitorId: UUID, jobId: UUID };
		const node = { resource: 'monitor', operation: 'getCheck', output, ...ids };
		const text = errorText(await runNode(service, node));
		expect(text).toContain('answered without the state of the monitor check');
	}
});

describe('a DELETE that is answered without a word', () => {
	it.each([
		['204', 204, ''],
		['an empty body', 200, ''],
		['a word', 200, 'OK'],
	])('%s: is done', async (_name, status, body) => {
		await serve({
			instead: ({ method, path }) => {
				if (method === 'DELETE') return { status, body };
				if (path.endsWith('/execute')) {
					return { body: { success: true, result: '1', stdout: '', stderr: '', exitCode: 0 } };
				}
				return { body: { success: true, id: UUID } };
			},
		});
		const code = [{ language: 'node', code: '1' }];
		const run = await runNode(service, {
			resource: 'browser',
			operation: 'runInNewSession',
			steps: { step: code },
		});
		expect(run.error).toBeUndefined();
		expect(service.count('DELETE')).toBe(1);
		expect(hintsOf(run).join(' ')).not.toContain('could not be closed');
		const close = { resource: 'browser', operation: 'closeSession', sessionId: UUID };
		expect(jsonOf((await runNode(service, close)).items(NODE))).toEqual([{ closed: true, id: UUID }]);
		const cancel = crawlGet({ operation: 'cancel' });
		expect(jsonOf((await runNode(service, cancel)).items(NODE))).toEqual([{ cancelled: true, id: UUID }]);
	});
});

describe('the format Raw File', () => {
	it('is refused beside others before anything is sent', async () => {
		await serve({});
		const execution = await runNode(service, scrape({ formats: ['markdown', 'rawBase64'] }));
		expect(errorText(execution)).toContain('"Formats" takes rawBase64 alone, without any other');
		expect(service.requests).toEqual([]);
	});

	it('is not read out to an AI agent', async () => {
		const data = { ...scraped(SITE), rawBase64: 'SGVsbG8='.repeat(1000) };
		await serve(always({ success: true, data }));
		const { text } = await callTool(service, {
			parameters: scrape({ url: "={{ $fromAI('url') }}", formats: ['rawBase64'] }),
			args: { url: SITE },
			path: 'invoke',
		});
		expect(text).toContain('(Base64 data, left out)');
		expect(text).not.toContain('SGVsbG8');
	});
});

/** What the recorded server said of a crawl. */
const crawlAnswer = (name: string): unknown => recorded.find((one) => one.name === name)?.response.body;

describe('what differs from the contract at a server of August 2026', () => {
	it('a crawl from a prompt tells what the service made of it (point 5)', async () => {
		const { execution } = await runRecorded(
			[{ name: 'crawl-55', response: { status: 200, body: crawlAnswer('crawl-55-start-prompt') } }],
			crawlStart({ url: SITE, waitForCompletion: false, options: { prompt: 'only blog' } }),
		);
		expect(jsonOf(execution.items(NODE))[0]).toMatchObject({
			promptGeneratedOptions: { limit: 10, includePaths: ['blog/.*'] },
			finalCrawlerOptions: { limit: 3 },
		});
	});

	it('pages that a cancel has cut off are told as such, not as failed (point 9)', async () => {
		const errors = crawlAnswer('crawl-27-errors-cancelled');
		await serve({
			instead: ({ path }) => ({
				body: path.endsWith('/errors')
					? errors
					: { success: true, status: 'cancelled', completed: 1, total: 2, data: [scraped(SITE)] },
			}),
		});
		const execution = await runNode(service, crawlGet({ options: { onFailure: 'output' } }));
		const hints = hintsOf(execution).join(' ');
		expect(hints).toContain(`the crawl ${UUID} is "cancelled", 1 of 2 pages`);
		expect(hints).toContain('1 page was not scraped, because the job was cancelled');
		expect(hints).not.toMatch(/unexpected internal error|page failed/);
	});
});

it('a start that is refused is not looked for, although the feed has it', async () => {
	const feed = { success: true, data: [{ id: UUID, endpoint: 'agent', target: 'What?' }] };
	await serve({
		instead: ({ method }) =>
			method === 'POST' ? { status: 402, body: { success: false, error: 'Insufficient credits' } } : { body: feed },
	});
	const execution = await runNode(service, {
		resource: 'agent',
		operation: 'start',
		prompt: 'What?',
	});
	expect(errorText(execution)).toContain('The account does not have enough credits');
	expect(service.requests.map(({ method }) => method)).toEqual(['POST']);
});
