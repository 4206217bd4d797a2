import { agentJob, crawlJob, deepResearchJob } from '../../nodes/service/jobs/jobKinds';
import type { JobKind } from '../../nodes/service/jobs/jobKinds';
import { ServiceFailure } from '../../nodes/service/http/failure';
import type { FailureFacts } from '../../nodes/service/http/failure';
import type { JobOutcome } from '../../nodes/service/jobs/jobTask';
import { itemFailureOf } from '../../nodes/WebData/run/outcomes/outcomeText';
import type { JobPlan } from '../../nodes/WebData/run/jobs/jobPlan';

const plan: JobPlan = {
	kind: deepResearchJob,
	item: 3,
	key: undefined,
	sent: {},
	start: { method: 'POST', path: '/v1/deep-research', bucket: 'crawl' },
	choice: 'simplified',
	failOnTimeout: true,
	failOnFailure: true,
	mostPages: undefined,
	failedPages: false,
	maxCredits: undefined,
	storedFiles: [],
	concurrency: 10,
	maxWaitMs: 420_000,
	watched: true,
	interval: null,
};
const problem = (outcome: JobOutcome, more: Partial<JobPlan> = {}) =>
	itemFailureOf(outcome, { ...plan, ...more }, 'Deep Research · Get');
const failed = (reason: string, state = 'failed'): JobOutcome => ({
	kind: 'failed',
	id: 'job-1',
	state,
	reason,
	body: {},
});
const unfinished: JobOutcome = {
	kind: 'unfinished',
	id: 'job-1',
	state: 'processing',
	body: undefined,
	trouble: ' The last check failed: X.',
};
const error = (facts: Partial<FailureFacts>, more: { id?: string; uncertain?: boolean } = {}) => {
	const message = 'It broke.';
	const failure = new ServiceFailure({ kind: 'http', reached: 'no', message, ...facts });
	return { kind: 'error', failure, uncertain: false, ...more } satisfies JobOutcome;
};

it('finds no problem in what is a result, or was not checked any more', () => {
	expect(problem({ kind: 'done', id: 'job-1', state: 'completed', body: {} })).toBeUndefined();
	expect(problem({ kind: 'started', id: 'job-1' })).toBeUndefined();
	expect(problem({ kind: 'left', id: 'job-1', state: 'processing' })).toBeUndefined();
});

it('tells why a job failed, with the id and the price of another try', () => {
	expect(problem(failed('No pages found.'))).toEqual({
		item: 3,
		kind: 'job',
		jobId: 'job-1',
		state: 'failed',
		title: 'The deep research job failed',
		message:
			'The deep research job job-1 failed: No pages found. A retry starts a new job, and pays for it.',
	});
	expect(problem(failed(''))?.message).toContain('failed: the service gives no reason.');
	expect(problem(failed('', 'cancelled'))?.message).toContain('job-1 was cancelled: the service');
});

it('offers the pages of a failed job only where pages are gathered', () => {
	const told = (kind: JobKind) =>
		itemFailureOf(failed('No.'), { ...plan, kind }, 'Somewhere · Get')?.message ?? '';
	expect(told(crawlJob)).toContain('The pages it has can be collected with Somewhere · Get');
	expect(told(agentJob)).not.toContain('pages');
	expect(told(deepResearchJob)).not.toContain('pages it has');
});

it('tells how to collect a job that was not finished in time, unless that is wanted', () => {
	expect(problem(unfinished)).toMatchObject({
		jobId: 'job-1',
		state: 'processing',
		message:
			'The deep research job job-1 was still "processing" after 420 seconds (Max Wait). It runs on at the service. Retry in the list of executions waits on for the same job, Deep Research · Get with this ID collects it, and a longer Max Wait prevents this. The last check failed: X.',
	});
	expect(problem(unfinished, { failOnTimeout: false })).toBeUndefined();
	expect(problem(unfinished, { watched: false })).toBeUndefined();
});

it.each([
	[
		'a start that may be paid for',
		error({ reached: 'maybe' }, { uncertain: true }),
		/^It broke\. .*may have been started, and may be paid for/,
	],
	['a start that was refused', error({ httpCode: 402 }), /^It broke\.$/],
	[
		'an id that is unknown',
		error({ notFound: true }, { id: 'job-1' }),
		/does not know the deep research job job-1: the ID is wrong, or its result has expired\. The right one is in the output of Start/,
	],
	[
		'a job that cannot be read',
		error({}, { id: 'job-1' }),
		/job-1 could not be read: It broke\. The job itself is not lost: collect it with Deep Research · Get and this ID\.$/,
	],
])('tells what to do about %s', (_name, outcome, message) => {
	expect(problem(outcome)?.message).toMatch(message);
	expect(problem(outcome)).toMatchObject({ item: 3, kind: 'http' });
	expect(problem(outcome)?.jobId).toBe('id' in outcome ? outcome.id : undefined);
});

it('says that what was not started costs nothing', () => {
	expect(problem({ kind: 'notStarted' })?.message).toContain(
		'Nothing was paid for it; a retry starts it.',
	);
});

describe('a start that nobody knows the end of', () => {
	const outcome = error({ reached: 'maybe' }, { uncertain: true });
	const told = (collectWith: string | undefined, more: Partial<JobPlan> = {}) =>
		itemFailureOf(outcome, { ...plan, ...more }, collectWith)?.message ?? '';

	it('is for a person to look up, and to start again', () => {
		expect(told('Deep Research · Get')).toMatch(
			/look in the account's activity, then change the request or run the workflow again\.$/,
		);
	});

	it.each([
		['after an answer that was lost', {}],
		['after a crash of n8n', { afterCrash: true }],
	])('is for an agent to tell the user, which cannot do any of that (%s)', (_when, more) => {
		const text = told(undefined, more);
		expect(text).toMatch(/ Tell the user: /);
		expect(text).not.toMatch(/change the request|Get collects|retry this execution/);
	});
});
