import { join } from 'node:path';
import type { JsonObject } from '../../nodes/service/http/transport';
import { ServiceFailure } from '../../nodes/service/http/failure';
import {
	agentJob,
	batchScrapeJob,
	cancelRequest,
	crawlJob,
	deepResearchJob,
	extractJob,
	jobBefore,
	kindAt,
	llmsTxtJob,
	mayBeUnknownId,
	monitorCheck,
	readJob,
	readRefusedCancel,
	resultsRequest,
	startFailureOf,
	statusRequest,
} from '../../nodes/service/jobs/jobKinds';
import { readEnd, uncounted } from '../../nodes/service/jobs/readEnd';
import { isGone, pollDelayMs, statusWordOf } from '../../nodes/service/jobs/wait';
import { expectGoldenFile } from '../helpers/goldenFile';

const KINDS = [
	deepResearchJob,
	crawlJob,
	batchScrapeJob,
	agentJob,
	extractJob,
	llmsTxtJob,
	kindAt(monitorCheck, { monitorId: 'm/1' }),
];

/** Answers to the question how a job is. */
const ANSWERS: Record<string, JsonObject> = {
	'no state': { success: true },
	processing: { status: 'processing' },
	'scraping, in data': { data: { status: 'scraping' } },
	completed: { status: 'completed' },
	'3 of 5 completed': { status: 'completed', completed: 3, total: 5 },
	'0 of 0 completed': { status: 'completed', completed: 0, total: 0 },
	partial: { status: 'partial' },
	failed: { status: 'failed' },
	'failed, with a reason': { status: 'failed', error: 'The site is down.' },
	'failed, with what it had': {
		status: 'failed',
		error: 'Credit limit reached',
		data: { a: 1 },
		stopReason: 'credits',
	},
	'failed, as it was cancelled': { status: 'failed', error: 'Agent was cancelled by user', partial: { a: 1 } },
	cancelled: { status: 'cancelled' },
	skipped: { status: 'skipped_no_credits' },
	'a state that nobody knows': { status: 'x'.repeat(150) },
};

const failure = (httpCode: number, message: string, answer?: JsonObject): ServiceFailure =>
	new ServiceFailure({
		kind: 'http',
		httpCode,
		mayHaveExecuted: false,
		message,
		notFound: httpCode === 404,
		...(answer && { answer }),
	});

it('reads how a job is, and asks for it, as it did', () => {
	const lines = KINDS.flatMap((kind) => [
		`# ${kind.name}`,
		...Object.entries(ANSWERS).map(([name, body]) => `${name}: ${JSON.stringify(readJob(kind, body))}`),
		`status: ${JSON.stringify(statusRequest(kind, 'a-1'))}`,
		`results: ${JSON.stringify(resultsRequest(kind, 'a-1'))}`,
		...(kind.cancellable ? [`cancel: ${JSON.stringify(cancelRequest(kind, 'a-1'))}`] : []),
		`500: an id that may be wrong: ${mayBeUnknownId(kind, failure(500, 'x'))}, a start: ${startFailureOf(kind, failure(500, 'Failed to check agent thread.')).message}`,
		`409: waits for ${jobBefore(kind, failure(409, 'busy', { code: 'thread_busy', runId: 'r-1' }))}`,
		`a refused cancel: ${JSON.stringify([404, 409, 400].map((code) => readRefusedCancel(kind, failure(code, code === 409 ? 'Agent is already cancelled' : 'x'))))}`,
		`denied: ${[404, 400, 401, 500, 403].map((code) => `${code} ${statusWordOf(kind, failure(code, 'Job not found'))}`).join(', ')}`,
		'',
	]);
	expectGoldenFile(join(__dirname, '../golden/jobStates.txt'), `${lines.join('\n').trimEnd()}\n`);
});

it('believes that a crawl is done when its numbers agree, or have stood still for 10 seconds and three checks', () => {
	const body = { status: 'completed', completed: 3, total: 5 };
	let before: Parameters<typeof readEnd>[2]['before'];
	const phases = [0, 5000, 9999, 10_000].map((nowMs) => {
		const { phase, unsettled } = readEnd(crawlJob, body, { before, nowMs, ageMs: 90_000 });
		before = unsettled;
		return phase;
	});
	expect(phases).toEqual(['running', 'running', 'running', 'done']);
	const moved = { numbers: '[2,5]', sinceMs: 0, checks: 9 };
	expect(readEnd(crawlJob, body, { before: moved, nowMs: 60_000, ageMs: 90_000 }).phase).toBe('running');
	const two = { numbers: '[3,5]', sinceMs: 0, checks: 1 };
	expect(readEnd(crawlJob, body, { before: two, nowMs: 60_000, ageMs: 90_000 }).phase).toBe('running');
	const none = { status: 'completed', completed: 0, total: 0 };
	expect(readEnd(crawlJob, none, { before: undefined, nowMs: 0, ageMs: 59_999 }).phase).toBe('running');
	expect(readEnd(crawlJob, none, { before: undefined, nowMs: 0, ageMs: 60_000 }).phase).toBe('done');
	expect(readEnd(agentJob, body, { before: undefined, nowMs: 0, ageMs: 0 }).phase).toBe('done');
	expect(readEnd(crawlJob, { status: 'completed' }, { before: undefined, nowMs: 0, ageMs: 0 }).phase).toBe('done');
});

it.each<[JsonObject, number]>([
	[{ completed: 3, total: 5 }, 2],
	[{ completed: 5, total: 5 }, 0],
	[{ completed: 6, total: 5 }, 0],
	[{ completed: 3, total: 5, data: [1, 2, 3, 4, 5] }, 0],
	[{ completed: 3, total: 5, data: [1] }, 2],
	[{ total: 5 }, 0],
	[{ completed: 3 }, 0],
])('counts what is missing of %j: %i', (body, missing) => {
	expect(uncounted(body)).toBe(missing);
});

it('looks often at a young job, and seldom at an old one', () => {
	const ages = [0, 10_000, 20_000, 60_000, 200_000, 240_000, 3_600_000];
	expect(ages.map((ageMs) => pollDelayMs(ageMs, null))).toEqual([1000, 1000, 1000, 3000, 10_000, 12_000, 12_000]);
	expect([500, 1000, 60_000].map((interval) => pollDelayMs(3_600_000, interval))).toEqual([1000, 1000, 60_000]);
});

it('takes a job for gone after a minute without a break', () => {
	expect(isGone('denied', 0, 60_000)).toBe(true);
	expect(isGone('denied', 0, 59_999)).toBe(false);
	expect(isGone('denied', undefined, 60_000)).toBe(false);
	expect(isGone('known', 0, 60_000)).toBe(false);
});
