import type { IDataObject } from 'n8n-workflow';
import { listen } from '../helpers/script';
import type { Sandbox } from '../../sandbox/server.ts';
import { answer2026 } from './recorded2026';
import { callTool, crawlStart, errorText, hintsOf, NODE, runNode, startSandbox } from './run';
import { scraped, serve, service, startPageService } from './pageService';
import { binaryOf, itemWith, runParse } from './uploads';

const URL = 'http://site.fixture.test:8897/reset';
const UUID = '01a1ffbd-bb89-72e9-b60a-777e4baf264f';
const SCRAPE = { resource: 'page', operation: 'scrape', url: URL };

const partsOf = ({ error }: { error?: { message: string; description?: unknown } | undefined }) => ({
	title: error?.message ?? '',
	description: String(error?.description ?? ''),
});

describe('an error as n8n shows it', () => {
	it('has a short title without ids, and all the rest below it', async () => {
		await serve({
			instead: ({ method }) => ({
				body: method === 'POST' ? { id: UUID } : { status: 'failed', error: 'No pages.' },
			}),
		});
		const execution = await runNode(service, crawlStart());
		const { title, description } = partsOf(execution);
		expect(title).toBe('The crawl failed');
		expect(description).toContain(`The crawl ${UUID} failed: No pages.`);
		expect(description.split(UUID)).toHaveLength(2);
		expect(description).not.toContain('Item 0');
	});

	it('is whole in the message that an AI agent gets', async () => {
		await serve({ job: () => ({ state: 'failed' }) });
		const { text } = await callTool(service, {
			parameters: crawlStart({ url: "={{ $fromAI('url') }}" }),
			args: { url: URL },
			path: 'invoke',
		});
		expect(text).toContain('The crawl job-0 failed: the service gives no reason');
	});

	it('of Get does not say that running it again starts something', async () => {
		await serve({ instead: () => ({ body: { status: 'cancelled' } }) });
		const text = errorText(await runNode(service, { resource: 'crawl', operation: 'get', jobId: UUID }));
		expect(text).toContain(`The crawl ${UUID} was cancelled`);
		expect(text).not.toContain('starts a new job');
	});
});

describe('a credential', () => {
	it('without a key is named where the service wants one', async () => {
		await serve({ instead: () => ({ status: 401, body: { error: 'Unauthorized' } }) });
		const credential = { baseUrl: service.baseUrl, apiKey: '' };
		const execution = await runNode(service, SCRAPE, { credential });
		expect(partsOf(execution).title).toMatch(/^The Web Data API \(Firecrawl\) credential has no API key/);
	});

	it.each([
		['scrapes', SCRAPE],
		['a crawl', crawlStart()],
		['a list', { resource: 'crawl', operation: 'getActive' }],
	])('with an address where nobody is ends %s within five seconds', async (_name, parameters) => {
		await serve({});
		const { baseUrl, stop } = await listen();
		await stop();
		const began = performance.now();
		const execution = await runNode({ baseUrl }, parameters, { items: Array.from({ length: 5 }, () => ({})) });
		expect(partsOf(execution).title).toBe(`Cannot reach ${baseUrl}`);
		// Two more tries after 1 and 2 seconds; five would take 31.
		expect(performance.now() - began).toBeLessThan(12_000);
	});
});

describe('said before or after, never silent', () => {
	const research = { resource: 'deepResearch', operation: 'start', query: 'tides' };
	const ends = (body: object) => ({
		instead: ({ method }: { method: string }) => ({
			body: method === 'POST' ? { success: true, id: UUID } : body,
		}),
	});

	it.each([
		['dr26-17-status-no-results', 'found no sources: its analysis rests on none'],
		['dr26-13-status-empty', 'wrote no analysis'],
	] as const)('research that found nothing: %s', async (name, says) => {
		await serve(ends(answer2026(name)));
		const execution = await runNode(service, research);
		expect(execution.error).toBeUndefined();
		expect(hintsOf(execution)).toContain(`The deep research job ${UUID} ${says}.`);
	});

	it('the JSON format with the sample of the panel', async () => {
		const body = answer2026('scrape-01-default');
		await serve({ instead: () => ({ body }) });
		const withExample = (example: object) => ({
			...SCRAPE,
			formats: ['json'],
			jsonExample: JSON.stringify(example),
		});
		const left = await runNode(service, withExample({ title: 'A', price: 1, inStock: false }));
		expect(hintsOf(left).join(' ')).toContain('still has the fields of the sample');
		const own = await runNode(service, withExample({ name: 'A' }));
		expect(hintsOf(own).join(' ')).not.toContain('sample');
	});

	it.each([
		['a screenshot', {}, ['screenshot'], { formats: ['markdown', 'screenshot'] }],
		['HTML beside links', { formats: ['links'] }, ['html'], { formats: ['links', 'html'] }],
		['Markdown, which is chosen anyway', {}, ['markdown'], { formats: ['markdown'] }],
		['PDF files as they are', {}, ['pdf'], { formats: ['markdown'], parsers: [] }],
	])('asks by itself for what Store as Files needs: %s', async (_name, more, storeAsFiles, sent) => {
		await serve({
			instead: ({ path }) => (path === '/v2/scrape' ? { body: { success: true, data: scraped(URL) } } : undefined),
		});
		await runNode(service, { ...SCRAPE, ...more, scrapeOptions: { storeAsFiles } });
		expect(service.requests[0]?.body).toEqual({ url: URL, ...sent });
		service.requests.length = 0;
		await runNode(service, crawlStart({ ...more, scrapeOptions: { storeAsFiles } }));
		const { scrapeOptions = {} } = service.requests[0]?.body ?? {};
		expect(scrapeOptions).toEqual(sent);
	});
});

const ITEMS = 230;

const detailsOf = ({ details }: IDataObject) => details as IDataObject;
const wait = { waitOptions: { maxJobsAtOnce: 100 } };

describe('the list of all jobs of a run', () => {
	beforeEach(async () => {
		await serve({ job: () => ({ state: 'failed' }) });
	});

	it('stands once when many items fail, not in each of them, and has an end', async () => {
		const execution = await runNode(service, crawlStart({ options: wait }), {
			node: { onError: 'continueRegularOutput' },
			items: Array.from({ length: ITEMS }, () => ({})),
		});
		const [first, ...others] = execution.items(NODE).map(({ json }) => detailsOf(json));
		expect(others).toHaveLength(ITEMS - 1);
		expect(first?.jobs).toHaveLength(200);
		expect(first?.jobsNotListed).toBe(ITEMS - 200);
		for (const details of others) {
			expect(details).toEqual({ jobId: expect.stringMatching(/^job-/), state: 'failed' });
		}
	});

	it('stands beside the HTTP status of what the service refused', async () => {
		await serve({
			instead: ({ method }) => (method === 'POST' ? { status: 402, body: { error: 'Paid up' } } : undefined),
		});
		const execution = await runNode(service, crawlStart(), { node: { onError: 'continueRegularOutput' } });
		expect(detailsOf(execution.items(NODE)[0]?.json ?? {})).toMatchObject({ httpCode: 402 });
	});

	it('stands in the error that ends a run, and has an end there too', async () => {
		const execution = await runNode(
			service,
			{ resource: 'crawl', operation: 'get', jobId: '={{ $json.id }}' },
			{ items: Array.from({ length: ITEMS }, (_unused, item) => ({ id: `job-${item}` })) },
		);
		const { jobs, jobsNotListed } = execution.error?.context?.details as IDataObject;
		expect(jobs).toHaveLength(200);
		expect(jobsNotListed).toBe(ITEMS - 200);
	});
});

it('does not blame the file where the server may lack what the PDF Options ask for', async () => {
	const sandbox: Sandbox = await startSandbox({ enterprise: false });
	const pdfOptions = { pages: true, blocks: true, maxPages: 3 };
	const parser = [{ type: 'pdf', pdfOptions }];
	const execution = await runParse(sandbox, [itemWith({ data: binaryOf('report.pdf', 'no such thing') })], {
		scrapeOptions: { parsers: { parser } },
	});
	expect(errorText(execution)).toContain(
		'This server may not be able to do Markdown by Page and Layout Blocks of PDF Options: remove them and run it again. If that does not help, the file may be broken',
	);
});

const refused = (...details: unknown[]) => ({
	status: 400,
	body: { success: false, code: 'BAD_REQUEST', error: 'Bad Request', details },
});

const tooBig = 'Too big: expected number to be <=60000';

it.each([
	['of a job', crawlStart(), ['scrapeOptions', 'waitFor']],
	['of a call', { resource: 'page', operation: 'scrape', url: 'https://a.example' }, ['waitFor']],
] as const)('names the refused field as the panel does: %s', async (_what, parameters, path) => {
	const service = await startPageService({
		instead: () => refused({ code: 'too_big', path, message: tooBig }),
	});
	const execution = await runNode(service, parameters);
	expect(errorText(execution)).toContain(
		`${path.join('.')}: ${tooBig}). In the panel: "Page Options > Extra Wait (Milliseconds)".`,
	);
});
