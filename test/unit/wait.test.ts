import { extractJob } from '../../nodes/service/jobs/jobKinds';
import { failureOf } from './caught.ts';
import { researchTask } from './researchTask.ts';
import type { Fault, SeenRequest } from './simulatedService.ts';
import { errorOf, Waiting } from './waiting.ts';

// How jobs are started, waited for and given up, in virtual time: when requests are sent, and how often.

const one = [researchTask(0)];
const tasks = (count: number, maxWaitMs?: number) =>
	Array.from({ length: count }, (_unused, item) => researchTask(item, maxWaitMs === undefined ? {} : { maxWaitMs }));
const allDone = (outcomes: Array<{ kind: string }>) => outcomes.every(({ kind }) => kind === 'done');

/** Lets the service answer something in this run. */
const answered = async ({ client, time }: Waiting) => {
	const path = '/v1/deep-research/nobody';
	const look = client.send({ method: 'GET', path, bucket: 'crawlStatus' });
	await time.until(look.catch(() => undefined));
};

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

it('keeps failed looks within the deadline and says what went wrong last', async () => {
	const waiting = new Waiting({ fault: failing('poll', 99, { after: 'nothing', status: 503 }) });
	const [outcome] = await waiting.outcomes([researchTask(0, { maxWaitMs: 10_000 })]);
	expect(outcome).toMatchObject({ kind: 'unfinished', id: 'job-0', state: 'unknown' });
	expect(outcome).toHaveProperty('trouble', expect.stringContaining('The last check failed'));
	expect(waiting.time.now()).toBeLessThan(11_000);
});

const ambiguous: Array<[string, Fault]> = [
	['500 before the work', { after: 'nothing', status: 500 }],
	['500 after the work', { after: 'work', status: 500 }],
	['503', { after: 'work', status: 503 }],
	['408', { after: 'work', status: 408 }],
	['reset', { after: 'work', code: 'ECONNRESET' }],
	['no answer', { after: 'work', code: 'ECONNABORTED', delayMs: 60_000 }],
	['web page', { after: 'work', text: '<html>' }],
	['cut off', { after: 'work', text: '{"id":"job' }],
	['no id', { after: 'work', text: '{"success":true}' }],
	['an id that is none', { after: 'work', text: '{"id":"../../x"}' }],
];

it.each(ambiguous)('never repeats a start that may have arrived: %s', async (_name, fault) => {
	const waiting = new Waiting({ fault: failing('start', 99, fault) });
	const [outcome] = await waiting.outcomes(one);
	expect(outcome).toMatchObject({ kind: 'error', uncertain: true, failure: { reached: 'maybe' } });
	expect(waiting.told).toEqual(['uncertain 0']);
	await waiting.time.pass(3_600_000);
	expect(waiting.service.counts.start).toBe(1);
	expect(waiting.isIdle).toBe(true);
});

it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'CERT_HAS_EXPIRED'])(
	'repeats a start that never arrived five times, where the service has answered before: %s',
	async (code) => {
		const fault: Fault = { after: 'nothing', code };
		const lucky = new Waiting({ fault: failing('start', 5, fault) });
		await answered(lucky);
		expect(await lucky.outcomes(one)).toMatchObject([{ kind: 'done' }]);
		expect([lucky.service.counts.start, lucky.service.jobs.size]).toEqual([6, 1]);

		const unlucky = new Waiting({ fault: failing('start', 99, fault) });
		await answered(unlucky);
		expect(await unlucky.outcomes(one)).toMatchObject([{ kind: 'error', uncertain: false }]);
		expect([unlucky.service.counts.start, unlucky.told]).toEqual([6, []]);
		expect(unlucky.isIdle).toBe(true);
	},
);

it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'CERT_HAS_EXPIRED'])(
	'gives up within five seconds where nobody has answered at all: %s',
	async (code) => {
		const waiting = new Waiting({ fault: failing('start', 99, { after: 'nothing', code }) });
		const tasks = Array.from({ length: 30 }, (_unused, item) => researchTask(item));
		const outcomes = await waiting.outcomes(tasks);
		expect(outcomes.every(({ kind }) => kind === 'error')).toBe(true);
		expect(waiting.time.now()).toBeLessThan(5000);
		expect(waiting.isIdle).toBe(true);

		const lucky = new Waiting({ fault: failing('start', 2, { after: 'nothing', code }) });
		expect(await lucky.outcomes(one)).toMatchObject([{ kind: 'done' }]);
	},
);

it.each([400, 401, 402, 403, 404])('says that a start answered with %i was not started', async (status) => {
	const waiting = new Waiting({ fault: failing('start', 1, { after: 'nothing', status }) });
	expect(await waiting.outcomes(one)).toMatchObject([{ kind: 'error', uncertain: false }]);
	expect([waiting.service.counts.start, waiting.told]).toEqual([1, []]);
});

it('looks a last time at the deadline and gives up with what there is', async () => {
	const waiting = new Waiting({ durationMs: () => 600_000 });
	const [outcome] = await waiting.outcomes(tasks(1, 30_000));
	expect(outcome).toMatchObject({
		kind: 'unfinished',
		id: 'job-0',
		state: 'processing',
		trouble: '',
	});
	const startedMs = waiting.timesOf('poll')[0] ?? 0;
	const lastMs = waiting.timesOf('poll').at(-1) ?? 0;
	expect(lastMs - startedMs + 1000).toBeCloseTo(30_000, -2);
	expect(waiting.time.now() - lastMs).toBeLessThan(500);
});

it('counts the deadline of each job from its own start', async () => {
	const waiting = new Waiting({ plan: { concurrency: 1 }, durationMs: () => 25_000 });
	const outcomes = await waiting.outcomes(tasks(5, 30_000));
	expect(outcomes.map(({ kind }) => kind)).toEqual(Array(5).fill('done'));
	expect(waiting.time.now()).toBeGreaterThan(125_000);
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

it.each([3_600_000, -3_600_000])('holds all times when somebody sets the clock by %i ms', async (jumpMs) => {
	const run = async (jump: number) => {
		const waiting = new Waiting({
			plan: { concurrency: 2, retryAfter: true },
			durationMs: (query) => (query === 'job 3' ? 600_000 : 40_000),
		});
		waiting.time.at(25_000, () => (waiting.time.wallClockOffsetMs += jump));
		const outcomes = await waiting.outcomes(tasks(5, 90_000));
		return { outcomes, seen: waiting.service.seen, endMs: waiting.time.now() };
	};
	expect(await run(jumpMs)).toEqual(await run(0));
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

it('pauses the checks of all jobs, but no start, when a check is refused', async () => {
	let refusedMs: number | undefined;
	const waiting = new Waiting({
		durationMs: () => 10_000,
		plan: { concurrency: 2 },
		fault: ({ kind, atMs }) => {
			if (kind !== 'poll' || atMs < 3000 || refusedMs !== undefined) return undefined;
			refusedMs = atMs;
			return { after: 'nothing', status: 429, headers: { 'retry-after': '30' } };
		},
	});
	expect(allDone(await waiting.outcomes(tasks(5)))).toBe(true);
	const begin = (refusedMs ?? 0) + 160;
	const within = (atMs: number) => atMs > begin && atMs < begin - 160 + 30_000;
	expect(waiting.timesOf('poll').filter(within)).toEqual([]);
	expect(waiting.timesOf('start').filter(within).length).toBeGreaterThan(0);
});

it('learns from the refusals of another execution with the same credential', async () => {
	const waiting = new Waiting({ plan: { startsPerMinute: 3, retryAfter: true } });
	const both = [waiting.outcomes(tasks(4)), waiting.outcomes(tasks(4))];
	expect((await Promise.all(both)).every(allDone)).toBe(true);
	const firstMinute = waiting.timesOf('start').filter((atMs) => atMs < 20_000);
	// Eight that did not know yet; after that nobody runs into the wall before the minute is over.
	expect(firstMinute).toHaveLength(8);
});

it.each([
	['while jobs are watched', {}, 5300],
	['while a check is under way', {}, 1040],
	['while starts are on their way', {}, 30],
	['in a pause of a minute', { plan: { concurrency: 1, retryAfter: true, slotWaitSeconds: 60 } }, 30_100],
	['while the service cannot be reached', { fault: () => ({ after: 'nothing', code: 'ECONNREFUSED' }) as const }, 4000],
])('ends within a second of Stop and sends nothing more: %s', async (_name, parts, stopAtMs) => {
	const waiting = new Waiting({ ...parts, stopAtMs });
	const failure = await failureOf(() => waiting.outcomes(tasks(5)));
	expect(failure.kind).toBe('aborted');
	expect(waiting.time.now()).toBeLessThanOrEqual(stopAtMs + 1000);
	await waiting.time.pass(3_600_000);
	expect(waiting.service.seen.filter(({ atMs }) => atMs > stopAtMs)).toEqual([]);
});

it.each([
	['at once', [100, 100]],
	['after the execution has ended', [2000, 2000]],
] as Array<[string, [number, number]]>)(
	'reports a start whose answer still comes, %s, and leaves the queue as it was',
	async (_name, latencyMs) => {
		const waiting = new Waiting({ stopAtMs: 30, isDeaf: true, latencyMs });
		await failureOf(() => waiting.outcomes(tasks(2)));
		await waiting.time.pass(10_000);
		expect(waiting.told).toEqual(['started 0 job-0', 'started 1 job-1']);
		expect(waiting.isIdle).toBe(true);
	},
);

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

it('a job of an earlier try is started again, once, when it is denied for a minute, and not before', async () => {
	const denied = new Waiting(denying(59_000));
	denied.service.addJob('old', 'job 0', 5000);
	expect(await denied.outcomes([attached()])).toMatchObject([{ kind: 'done', id: 'old' }]);
	expect(denied.service.counts.start).toBe(0);
	const gone = new Waiting(denying(66_000));
	expect(await gone.outcomes([attached({ maxWaitMs: 20_000 })])).toMatchObject([{ kind: 'done', id: 'job-0' }]);
	expect(gone.told).toEqual(['gone 0 old', 'started 0 job-0']);
});

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

it('a kind that some servers answer 500 for an unknown ID of is not started again for that', async () => {
	const broken: Fault = { after: 'nothing', status: 500, text: '{"error":"Oops"}' };
	const waiting = new Waiting(denying(Infinity, broken));
	expect(await waiting.outcomes([attached({ kind: extractJob })])).toMatchObject([
		{ kind: 'error', id: 'old', failure: { httpCode: 500 } },
	]);
	expect(waiting.service.counts.start).toBe(0);
});
