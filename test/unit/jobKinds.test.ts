import {
	agentJob,
	batchScrapeJob,
	cancelRequest,
	crawlJob,
	deepResearchJob,
	extractJob,
	llmsTxtJob,
	readJob,
	resultsRequest,
	statusRequest,
} from '../../nodes/service/jobs/jobKinds';

// Each kind as the contract has it (sections 5 and 7): written down a second time, so that a slip in
// either place shows.
describe.each([
	['deepResearch', deepResearchJob, '/v1/deep-research/x', 'crawlStatus', undefined, false],
	['crawl', crawlJob, '/v2/crawl/x', 'crawlStatus', { limit: 1 }, true],
	['batchScrape', batchScrapeJob, '/v2/batch/scrape/x', 'crawlStatus', { limit: 1 }, true],
	['agent', agentJob, '/v2/agent/x', 'agentStatus', undefined, true],
	['extract', extractJob, '/v2/extract/x', 'agentStatus', undefined, false],
	['llmsTxt', llmsTxtJob, '/v1/llmstxt/x', 'crawlStatus', undefined, false],
] as const)('a job of the kind %s', (name, kind, path, bucket, query, cancellable) => {
	it('keeps its name, by which executions of earlier versions stored it', () => {
		expect(kind.name).toBe(name);
	});

	it('is looked at where it lives, with as little of its results as can be', () => {
		const look = { method: 'GET', path, bucket };
		expect(statusRequest(kind, 'x')).toEqual(query ? { ...look, query } : look);
		expect(resultsRequest(kind, 'x')).toEqual(look);
	});

	it('is cancelled by DELETE of the same path, where the service can do that', () => {
		expect(kind.cancellable).toBe(cancellable);
		expect(cancelRequest(kind, 'x')).toEqual({ method: 'DELETE', path, bucket });
	});

	it.each([
		['completed', 'done'],
		['failed', 'failed'],
		['processing', 'running'],
		['scraping', 'running'],
		['queued', 'running'],
	])('that is %s is %s', (status, phase) => {
		expect(readJob(kind, { status })).toMatchObject({ phase, state: status });
	});

	it('that is cancelled has come to its end', () => {
		// Only of LLMs.txt no server knows that state.
		const phase = kind === llmsTxtJob ? 'running' : 'failed';
		expect(readJob(kind, { status: 'cancelled' }).phase).toBe(phase);
	});
});

it('calls an agent job cancelled that the service calls failed because it was cancelled', () => {
	const failed = (error: string) => readJob(agentJob, { status: 'failed', error });
	expect(failed('Agent was cancelled by user').state).toBe('cancelled');
	expect(failed('Agent ran out of credits').state).toBe('failed');
	expect(readJob(crawlJob, { status: 'failed' }).state).toBe('failed');
});

it('lists what a job failed on where servers of 2026 and of 2025 have it', () => {
	expect(crawlJob.errorsPath).toBe('/v2/crawl/{jobId}/errors');
	expect(batchScrapeJob.errorsPath).toBe('/v2/batch/scrape/{jobId}/errors');
	expect(batchScrapeJob.olderErrorsPath).toBe('/v1/batch/scrape/{jobId}/errors');
});

describe('what the service lists of a start', () => {
	it.each([
		['deep_research', deepResearchJob, { query: 'tides' }, ['tides']],
		['crawl', crawlJob, { url: 'https://a.example/#x' }, ['https://a.example/#x']],
		[
			'batch_scrape',
			batchScrapeJob,
			{ urls: ['https://a', 'https://b'] },
			['https://a', 'https://b'],
		],
		['agent', agentJob, { prompt: 'Find', urls: ['https://a'] }, ['https://a', 'Find']],
		['agent', agentJob, { prompt: 'Find' }, ['Find']],
		['extract', extractJob, { prompt: 'Find', urls: ['https://a'] }, ['https://a']],
		['extract', extractJob, { prompt: 'Find' }, []],
		['llmstxt', llmsTxtJob, { url: 'https://a' }, ['https://a']],
	] as const)('of the kind %s: %#', (endpoint, { listed }, body, targets) => {
		expect(listed?.endpoint).toBe(endpoint);
		expect(listed?.targetsOf(body)).toEqual(targets);
	});

	it('is nothing for URLs that join a batch, which is there already', () => {
		const body = { urls: ['https://a'], appendToId: 'x' };
		expect(batchScrapeJob.listed?.targetsOf(body)).toEqual([]);
	});

	it.each([{}, { query: '' }, { query: 5 }, { query: null }])(
		'is nothing where nothing was asked: %j',
		(body) => {
			expect(deepResearchJob.listed?.targetsOf(body)).toEqual([]);
			expect(batchScrapeJob.listed?.targetsOf(body)).toEqual([]);
		},
	);

	it('is a list of the running ones as well for crawls alone', () => {
		expect(crawlJob.listed?.running).toEqual({ path: '/v2/crawl/active', entries: 'crawls' });
		for (const kind of [deepResearchJob, batchScrapeJob, agentJob, extractJob, llmsTxtJob]) {
			expect(kind.listed?.running).toBeUndefined();
		}
	});
});
