import type { Execution } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { jobEnded, startedJob, until } from '../sandbox/client';
import { outcomeOf, pollingOn, startHostile } from './hostilePolls';
import { scraped, serve, service } from './pageService';
import { errorText, hintsIn, jsonOf, NODE, RETRY, runNode, startSandbox } from './run';
import { openWaitingSetup, suspendingCrawl } from './suspension';
import { forgedCall, jsonOf as called, onJobs, trigger } from './triggerHost';

// A server answers "completed" for a moment before it is: its numbers tell. No page is lost for it, and nothing
// is paid twice.

const early = (completed = 0, total = 1) => ({
	success: true,
	status: 'completed',
	completed,
	total,
	creditsUsed: completed,
	expiresAt: '2027-01-01T00:00:00.000Z',
	next: 'http://127.0.0.1:3002/v2/crawl/x?skip=0',
	data: [],
});

/** The first answers to status requests say what is not so yet. */
const tooEarly = ({ faults }: Sandbox, body: object, times = 2) => {
	faults.add({ kind: 'body', step: 'status', times, body });
};

/** Answers of a server of today to `limit=1` while its start waits for room. */
const TOO_EARLY: Array<[string, object]> = [
	['0 of 1', early()],
	['0 of 0', { ...early(0, 0), next: undefined }],
	['0 of 1 with that page', { ...early(0, 1), data: [scraped('https://site.example/a')] }],
];

const RUN = { jobDurationMs: 20 };
const expectAll = (sandbox: Sandbox, execution: Execution, pages: number) => {
	expect(errorText(execution)).toBe('');
	expect(execution.items(NODE)).toHaveLength(pages);
	expect(sandbox.stats().starts.total).toBe(1);
	expect(hintsIn(execution)).not.toContain('did not come');
};

describe.each(TOO_EARLY)('a job that is called completed while its numbers say that it runs: %s', (_what, body) => {
	it('is waited for by a crawl and a batch scrape', async () => {
		for (const parameters of [
			{ resource: 'crawl', operation: 'start', pageLimit: 3 },
			{ resource: 'batchScrape', operation: 'start' },
		]) {
			const sandbox = await startSandbox(RUN);
			tooEarly(sandbox, body);
			const execution = await runNode(sandbox, { ...parameters, url: sandbox.siteUrl }, { node: RETRY });
			expectAll(sandbox, execution, parameters.resource === 'crawl' ? 3 : 1);
		}
	});

	it.each([true, false])('is waited for by Get, with Wait for Completion %s', async (waitForCompletion) => {
		const sandbox = await startSandbox(RUN);
		const jobId = await startedJob(sandbox, '/v2/crawl', { url: sandbox.siteUrl, limit: 3 });
		await jobEnded(sandbox, '/v2/crawl', jobId);
		tooEarly(sandbox, body);
		const parameters = { resource: 'crawl', operation: 'get', jobId, waitForCompletion };
		expectAll(sandbox, await runNode(sandbox, parameters), 3);
	});

	it('is waited for by a suspended execution', async () => {
		const { sandbox, host, run } = await openWaitingSetup({ jobDurationMs: 700 });
		tooEarly(sandbox, body, 4);
		const { executionId, run: suspended } = await run(suspendingCrawl(sandbox));
		expect(suspended.status).toBe('waiting');
		expectAll(sandbox, await host.ended(executionId), 3);
	});

	it('is waited for by a trigger that is called', async () => {
		const sandbox = await startSandbox(RUN);
		const host = await trigger(sandbox, onJobs());
		await host.activate();
		const id = await startedJob(sandbox, '/v2/crawl', { url: sandbox.siteUrl, limit: 3 });
		await jobEnded(sandbox, '/v2/crawl', id);
		tooEarly(sandbox, body);
		expect(await forgedCall(sandbox, host, { type: 'crawl.completed', id })).toBe(200);
		await until('its result', () => host.executions.length > 0);
		expect(host.executions.flatMap((_execution, at) => called(host, at))).toHaveLength(3);
	});
});

describe('a job that is called completed while its numbers grow', () => {
	it('is waited for by a trigger that polls, as long as its numbers grow', async () => {
		const polled = await startHostile();
		const bodies = [early(0, 1), early(0, 1), early(1, 4), early(2, 4)];
		let asked = 0;
		const page = { markdown: 'x', metadata: { sourceURL: 'https://a.test/', statusCode: 200 } };
		const whole = { success: true, status: 'completed', completed: 1, total: 1, data: [page] };
		polled.answering = () => ({ body: bodies[asked++] ?? whole });
		const ids = '0197a0a0-0000-4000-8000-000000000001';
		const polling = await pollingOn(polled, 'jobFinished', { which: 'ids', kind: 'crawl', ids, output: 'result' });
		const outcomes = [];
		for (let polls = 0; polls < 4; polls += 1) outcomes.push(await outcomeOf(polling));
		expect(outcomes.flat()).toEqual([expect.objectContaining({ markdown: 'x' })]);
	});

	it('runs on for a Get that does not wait, where its numbers grow', async () => {
		let done = 0;
		await serve({ instead: ({ method }) => (method === 'GET' ? { body: early(++done, 9) } : undefined) });
		const parameters = { resource: 'crawl', operation: 'get', jobId: 'job-0', waitForCompletion: false };
		const execution = await runNode(service, { ...parameters, output: 'status' });
		expect(jsonOf(execution.items(NODE))).toEqual([expect.objectContaining({ id: 'job-0', status: 'scraping' })]);
	});
});

describe('a job whose numbers stand still below what it counts', () => {
	const urls = ['a', 'b'].map((name) => `https://site.example/${name}`);
	const body = { ...early(2, 7), next: undefined, data: urls.map((url) => scraped(url)) };
	const short = async () => {
		await serve({
			instead: ({ method, path }) => {
				if (method === 'POST') return undefined;
				return { body: path.endsWith('/errors') ? { errors: [], robotsBlocked: [] } : body };
			},
		});
		return { resource: 'crawl', operation: 'get', jobId: 'job-0' };
	};

	it.each(['pages', 'job', 'file', 'status'])(
		'comes with what it has, and says what is missing: %s',
		async (output) => {
			const parameters = await short();
			const execution = await runNode(service, { ...parameters, output });
			expect(errorText(execution)).toBe('');
			expect(hintsIn(execution)).toContain('5 pages that the service counts did not come');
			expect(jsonOf(execution.items(NODE)).at(-1)).toMatchObject({ missingPages: 5 });
		},
	);

	it('ends in ten seconds, not at Max Wait', async () => {
		const parameters = await short();
		const beganMs = performance.now();
		await runNode(service, { ...parameters, waitForCompletion: true });
		expect(performance.now() - beganMs).toBeLessThan(15_000);
	});

	it('without a page is an error that a retry does not pay for', async () => {
		let starts = 0;
		await serve({
			instead: ({ method, path }) => {
				if (method === 'POST') starts += 1;
				if (method === 'POST') return undefined;
				return { body: path.endsWith('/errors') ? { errors: [], robotsBlocked: [] } : early(0, 1) };
			},
		});
		const parameters = { resource: 'crawl', operation: 'start', url: 'https://site.example/' };
		const execution = await runNode(service, parameters, { node: RETRY });
		expect(errorText(execution)).toContain('the service counts 1');
		expect(starts).toBe(1);
	});
});
