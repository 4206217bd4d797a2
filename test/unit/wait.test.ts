import { researchTask } from './researchTask.ts';
import type { Fault, SeenRequest } from './simulatedService.ts';
import { errorOf, Waiting } from './waiting.ts';

// How jobs are started, waited for and given up, in virtual time: when requests are sent, and how often.

const one = [researchTask(0)];
const tasks = (count: number, maxWaitMs?: number) =>
	Array.from({ length: count }, (_unused, item) => researchTask(item, maxWaitMs === undefined ? {} : { maxWaitMs }));
const allDone = (outcomes: Array<{ kind: string }>) => outcomes.every(({ kind }) => kind === 'done');

/** Goes wrong so many times in a row, from the given request of this kind on. */
function failing(kind: SeenRequest['kind'], times: number, fault: Fault, from = 0) {
	return (request: SeenRequest): Fault | undefined =>
		request.kind === kind && request.count >= from && request.count < from + times ? fault : undefined;
}

const transient: Array<[string, Fault]> = [
	['500', { after: 'nothing', status: 500 }],
	['502 with a web page', { after: 'nothing', status: 502, text: '<html>' }],
	['408', { after: 'nothing', status: 408 }],
	['reset', { after: 'nothing', code: 'ECONNRESET' }],
	['refused', { after: 'nothing', code: 'ECONNREFUSED' }],
	['no answer', { after: 'nothing', code: 'ECONNABORTED', delayMs: 60_000 }],
	['web page', { after: 'work', text: '<html>' }],
	['cut off', { after: 'work', text: '{"status":"compl' }],
	['empty', { after: 'work', text: '' }],
];

it.each(transient)('bears five failed looks in a row: %s', async (_name, fault) => {
	const waiting = new Waiting({ fault: failing('poll', 5, fault, 2) });
	expect(await waiting.outcomes(one)).toMatchObject([{ kind: 'done' }]);
	expect(waiting.service.counts.start).toBe(1);
});

it.each(transient)('ends with an error that has the id at the sixth: %s', async (_name, fault) => {
	const waiting = new Waiting({ durationMs: () => 600_000, fault: failing('poll', 6, fault, 2) });
	const [outcome] = await waiting.outcomes(one);
	expect(outcome).toMatchObject({
		kind: 'error',
		id: 'job-0',
		state: 'processing',
		uncertain: false,
	});
	expect(waiting.service.counts).toEqual({ start: 1, poll: 8 });
});

it.each([401, 402, 403, 400])('does not repeat a check that is answered with %i', async (status) => {
	const waiting = new Waiting({ fault: failing('poll', 1, { after: 'nothing', status }) });
	expect(await waiting.outcomes(one)).toMatchObject([{ kind: 'error', id: 'job-0' }]);
	expect(waiting.service.counts.poll).toBe(1);
});

it('gives a start up that nothing moves for the longest wait, and says it costs nothing', async () => {
	const waiting = new Waiting({ plan: { concurrency: 0 } });
	const outcomes = await waiting.outcomes(tasks(3, 100_000));
	for (const outcome of outcomes) {
		expect(outcome).toMatchObject({ kind: 'error', uncertain: false, failure: { reached: 'no' } });
		expect(errorOf(outcome)).toMatch(/took no new job for 100 seconds.*was not started.*rate limit exceeded/i);
	}
	expect(waiting.time.now()).toBeLessThan(102_000);
	expect(waiting.isIdle).toBe(true);
});

it('never fails a job before its deadline because looks are refused', async () => {
	const waiting = new Waiting({
		fault: ({ kind }) => (kind === 'poll' ? { after: 'nothing', status: 429 } : undefined),
	});
	const outcomes = await waiting.outcomes(tasks(3));
	for (const outcome of outcomes) {
		expect(outcome).toMatchObject({ kind: 'unfinished', state: 'unknown' });
		expect(outcome).toHaveProperty('trouble', expect.stringContaining('refuses more requests'));
	}
	expect(waiting.time.now()).toBeGreaterThanOrEqual(720_000);
	expect(waiting.time.now()).toBeLessThan(723_000);
});

it('learns from the refusals of another execution with the same credential', async () => {
	const waiting = new Waiting({ plan: { startsPerMinute: 3, retryAfter: true } });
	const both = [waiting.outcomes(tasks(4)), waiting.outcomes(tasks(4))];
	expect((await Promise.all(both)).every(allDone)).toBe(true);
	const firstMinute = waiting.timesOf('start').filter((atMs) => atMs < 20_000);
	// Eight that did not know yet; after that nobody runs into the wall before the minute is over.
	expect(firstMinute).toHaveLength(8);
});

const stopsAtFailure = { stopsTheRun: ({ kind }: { kind: string }) => kind !== 'done' };

it('starts nothing more after an outcome that stops the run, and says what became of each', async () => {
	const waiting = new Waiting({
		plan: { concurrency: 3 },
		latencyMs: [50, 50],
		durationMs: (query) => (query === 'job 1' ? 4000 : 60_000),
		endState: (query) => (query === 'job 1' ? 'failed' : 'completed'),
	});
	const outcomes = await waiting.outcomes(tasks(6), { ...stopsAtFailure, concurrency: 4 });
	expect(outcomes).toMatchObject([
		{ kind: 'left', id: 'job-0', state: 'processing' },
		{ kind: 'failed', id: 'job-1', state: 'failed' },
		{ kind: 'left', id: 'job-2', state: 'processing' },
		{ kind: 'notStarted' },
		{ kind: 'notStarted' },
		{ kind: 'notStarted' },
	]);
	await waiting.time.pass(3_600_000);
	expect(waiting.service.jobs.size).toBe(3);
	expect(waiting.isIdle).toBe(true);
});

const NOT_FOUND = {
	after: 'nothing',
	status: 404,
	text: '{"success":false,"error":"Deep research job not found"}',
} as const;

/** A service that denies the jobs of status requests, or fails on them, for so long. */
const denying = (toMs: number, fault: Fault = NOT_FOUND) => ({
	fault: ({ kind, atMs }: SeenRequest): Fault | undefined => (kind === 'poll' && atMs < toMs ? fault : undefined),
});
const attached = (more = {}) => researchTask(0, { known: { id: 'old', ageMs: 60_000 }, ...more });

it('a job that was started just now is given up, and no other one started, when it counts as gone', async () => {
	const waiting = new Waiting(denying(Infinity));
	expect(await waiting.outcomes(one)).toMatchObject([
		{ kind: 'error', id: 'job-0', isGone: true, denied: { httpCode: 404 } },
	]);
	expect(waiting.service.counts.start).toBe(1);
});

it('an ID that somebody has typed is asked for once when the service does not know it', async () => {
	const waiting = new Waiting({ fault: () => NOT_FOUND });
	const get = attached();
	delete get.start;
	const outcomes = await waiting.outcomes([get]);
	expect(outcomes).toMatchObject([{ kind: 'error', id: 'old', failure: { notFound: true } }]);
	expect(outcomes[0]).not.toHaveProperty('denied');
	expect(waiting.service.counts).toEqual({ start: 0, poll: 1 });
});
