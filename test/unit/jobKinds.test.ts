import { ServiceFailure } from '../../nodes/service/http/failure';
import {
	agentJob,
	batchScrapeJob,
	cancelRequest,
	crawlJob,
	deepResearchJob,
	extractJob,
	JOBS_THAT_CALL,
	kindAt,
	llmsTxtJob,
	mayBeUnknownId,
	monitorCheck,
	readJob,
	readRefusedCancel,
	resultsRequest,
	statusRequest,
} from '../../nodes/service/jobs/jobKinds';

// Each kind as in docs/service-notes.md#job-states: written down a second time, so that a slip in
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

	it('is checked where it lives, with as little of its results as can be', () => {
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
		expect(readJob(kind, { status: 'cancelled' }).phase).toBe('failed');
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

describe('a check of a monitor', () => {
	const kind = kindAt(monitorCheck, { monitorId: 'm/1' });

	it('is checked, and listed, below its own monitor', () => {
		const path = '/v2/monitor/m%2F1/checks/x';
		expect(statusRequest(kind, 'x')).toEqual({
			method: 'GET',
			path,
			bucket: 'crawlStatus',
			query: { limit: 1 },
		});
		expect(kind.listed?.started).toMatchObject({
			path: '/v2/monitor/m%2F1/checks',
			query: { limit: 100 },
			entries: 'data',
			target: 'trigger',
		});
		expect(kind.listed?.targetsOf({})).toEqual(['manual']);
		expect(kind.name).toBe('monitorCheck');
		expect(kind.cancellable).toBe(false);
	});

	it('has its pages, and the job that is in the way of a start, where the service puts them', () => {
		expect(kind.pagesAt).toEqual(['data', 'pages']);
		expect(kind.pagesQuery).toEqual({ limit: 100 });
		expect(kind.busyId).toBe('checkId');
	});

	it.each([
		['completed', 'done'],
		['partial', 'done'],
		['failed', 'failed'],
		['skipped_overlap', 'failed'],
		['skipped_no_credits', 'failed'],
		['running', 'running'],
	])('that is %s is %s', (status, phase) => {
		expect(readJob(kind, { data: { status } })).toMatchObject({ phase, state: status });
	});

	it('says by its state why it was skipped, unless the service says it', () => {
		const reasonOf = (body: object) => readJob(kind, { ...body }).reason;
		expect(reasonOf({ status: 'skipped_overlap' })).toContain('the check before it still ran');
		expect(reasonOf({ status: 'skipped_no_credits' })).toContain('enough credits');
		expect(reasonOf({ status: 'skipped_overlap', error: 'Told why' })).toBe('Told why');
		expect(reasonOf({ status: 'failed' })).toBe('');
		expect(reasonOf({})).toBe('');
	});
});

it('is the same kind for every job where the paths hold nothing but its id', () => {
	expect(kindAt(crawlJob, { monitorId: 'm' })).toBe(crawlJob);
	const { listed, ...unlisted } = monitorCheck;
	expect(listed).toBeDefined();
	expect(kindAt(unlisted, { monitorId: 'm' })).not.toHaveProperty('listed');
});

describe('a cancel that is refused', () => {
	const refused = (httpCode: number, message: string) =>
		new ServiceFailure({ kind: 'http', reached: 'no', httpCode, message });

	it.each([
		[agentJob, 409, 'The service refused: Agent is already cancelled.', 'cancelled'],
		[agentJob, 409, 'The service refused: Agent has completed.', 'ended'],
		[crawlJob, 409, 'The service refused: Agent is already cancelled.', 'ended'],
		[agentJob, 404, 'Agent is already cancelled', undefined],
	] as const)('says what has become of the job: %#', (kind, status, message, outcome) => {
		expect(readRefusedCancel(kind, refused(status, message))).toBe(outcome);
	});
});

describe('the next part of a list', () => {
	it('of what a team has started is asked for by a cursor, as long as there is one', () => {
		const next = crawlJob.listed?.started.next;
		expect(next?.({ cursor: 'c', has_more: true }, 100)).toEqual({ cursor: 'c' });
		expect(next?.({ cursor: 'c' }, 100)).toEqual({ cursor: 'c' });
		expect(next?.({ cursor: 'c', has_more: false }, 100)).toBeUndefined();
		for (const cursor of [undefined, null, '', 5]) {
			expect(next?.({ cursor, has_more: true }, 100)).toBeUndefined();
		}
	});

	it('of the checks of a monitor is asked for by how many are there, after a full one', () => {
		const next = monitorCheck.listed?.started.next;
		expect(next?.({ data: Array(100).fill({}) }, 300)).toEqual({ offset: 300 });
		expect(next?.({ data: Array(99).fill({}) }, 99)).toBeUndefined();
		expect(next?.({ data: 'x'.repeat(200) }, 0)).toBeUndefined();
	});
});

describe('what the service lists of a start', () => {
	it.each([
		['deep_research', deepResearchJob, { query: 'tides' }, ['tides']],
		['crawl', crawlJob, { url: 'https://a.example/#x' }, ['https://a.example/#x']],
		['batch_scrape', batchScrapeJob, { urls: ['https://a', 'https://b'] }, ['https://a', 'https://b']],
		['agent', agentJob, { prompt: 'Find', urls: ['https://a'] }, ['https://a', 'Find']],
		['agent', agentJob, { prompt: 'Find' }, ['Find']],
		['extract', extractJob, { prompt: 'Find', urls: ['https://a'] }, ['https://a']],
		['extract', extractJob, { prompt: 'Find' }, []],
		['llmstxt', llmsTxtJob, { url: 'https://a' }, ['https://a']],
	] as const)('of the kind %s: %#', (endpoint, { listed }, body, targets) => {
		expect(listed?.started).toMatchObject({
			path: '/v2/team/activity',
			query: { endpoint, limit: 100 },
			entries: 'data',
			target: 'target',
		});
		expect(listed?.targetsOf(body)).toEqual(targets);
	});

	it('is nothing for URLs that join a batch, which is there already', () => {
		const body = { urls: ['https://a'], appendToId: 'x' };
		expect(batchScrapeJob.listed?.targetsOf(body)).toEqual([]);
	});

	it.each([{}, { query: '' }, { query: 5 }, { query: null }])('is nothing where nothing was asked: %j', (body) => {
		expect(deepResearchJob.listed?.targetsOf(body)).toEqual([]);
		expect(batchScrapeJob.listed?.targetsOf(body)).toEqual([]);
	});

	it('is a list of the running ones as well for crawls alone', () => {
		expect(crawlJob.listed?.running).toEqual({
			path: '/v2/crawl/active',
			entries: 'crawls',
			target: 'url',
		});
		for (const kind of [deepResearchJob, batchScrapeJob, agentJob, extractJob, llmsTxtJob]) {
			expect(kind.listed?.running).toBeUndefined();
		}
	});
});

it('tells which jobs call when they have ended, and with which events', () => {
	expect(JOBS_THAT_CALL.map(({ name, endEvents }) => [name, endEvents])).toStrictEqual([
		['crawl', ['completed', 'failed']],
		['batchScrape', ['completed', 'failed']],
		['agent', ['completed', 'failed', 'cancelled']],
		['extract', ['completed', 'failed']],
	]);
});

it('takes a 500 for a word about the ID only of jobs whose servers answer so', () => {
	const failed = (httpCode: number) =>
		new ServiceFailure({ kind: 'http', reached: 'maybe', message: 'An error', httpCode });
	expect(mayBeUnknownId(extractJob, failed(500))).toBe(true);
	expect(mayBeUnknownId(extractJob, failed(502))).toBe(false);
	expect(mayBeUnknownId(crawlJob, failed(500))).toBe(false);
});
