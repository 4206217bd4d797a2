import { failureOf } from './caught.ts';
import { researchTask } from './researchTask.ts';
import { Waiting } from './waiting.ts';

const tasks = (count: number) => Array.from({ length: count }, (_unused, item) => researchTask(item));

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

it('sends nothing at all when it was stopped before', async () => {
	const waiting = new Waiting({ stopAtMs: 0 });
	await waiting.time.pass(1);
	expect((await failureOf(() => waiting.outcomes(tasks(3)))).kind).toBe('aborted');
	expect(waiting.service.seen).toEqual([]);
});

it('reports a start that Stop cut off, for it may have been accepted', async () => {
	const waiting = new Waiting({ stopAtMs: 30, latencyMs: [100, 100] });
	await failureOf(() => waiting.outcomes(tasks(2)));
	expect(waiting.told).toEqual(['uncertain 0', 'uncertain 1']);
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

it('does not end before an id has come that is on its way, so that a retry finds the job', async () => {
	// The answers are there at 700 ms.
	const waiting = new Waiting({ stopAtMs: 30, isDeaf: true, latencyMs: [350, 350] });
	await failureOf(() => waiting.outcomes(tasks(2)));
	expect(waiting.told).toEqual(['started 0 job-0', 'started 1 job-1']);
});

it('does not send a start again whose refusal comes after Stop', async () => {
	const plan = { concurrency: 0 };
	const waiting = new Waiting({ stopAtMs: 30, isDeaf: true, latencyMs: [2000, 2000], plan });
	await failureOf(() => waiting.outcomes(tasks(2)));
	await waiting.time.pass(3_600_000);
	expect(waiting.service.counts.start).toBe(2);
	expect(waiting.isIdle).toBe(true);
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

it('starts nothing more after a start that fails and so stops the run', async () => {
	const waiting = new Waiting({
		plan: { concurrency: 1 },
		latencyMs: [50, 50],
		durationMs: () => 4000,
		fault: ({ query }) => (query === 'job 1' ? { after: 'nothing', status: 402 } : undefined),
	});
	const outcomes = await waiting.outcomes(tasks(12), { ...stopsAtFailure, concurrency: 12 });
	const kinds = outcomes.map(({ kind }) => kind);
	expect(kinds).toEqual(['left', 'error', ...Array<string>(10).fill('notStarted')]);
	expect(waiting.service.jobs.size).toBe(1);
});

it('sends no start that waits in the queue when one on its way is accepted while the run stops', async () => {
	const waiting = new Waiting({
		fault: ({ query }) => (query === 'job 0' ? { after: 'nothing', status: 400 } : { after: 'work', delayMs: 30_000 }),
	});
	const outcomes = await waiting.outcomes(tasks(12), { ...stopsAtFailure, concurrency: 12 });
	expect(outcomes.slice(10)).toEqual([{ kind: 'notStarted' }, { kind: 'notStarted' }]);
	await waiting.time.pass(3_600_000);
	expect(waiting.service.counts.start).toBe(10);
	expect(waiting.isIdle).toBe(true);
});

it('waits for a start that is on its way when the run stops, since its answer holds an id', async () => {
	const waiting = new Waiting({
		fault: ({ query }) => (query === 'job 0' ? { after: 'nothing', status: 400 } : { after: 'work', delayMs: 30_000 }),
	});
	const outcomes = await waiting.outcomes(tasks(2), stopsAtFailure);
	expect(outcomes).toMatchObject([{ kind: 'error' }, { kind: 'left', id: 'job-1' }]);
	expect(waiting.told).toEqual(['started 1 job-1']);
	expect(waiting.isIdle).toBe(true);
});

it('does not send a start again that fails or is refused while the run stops', async () => {
	for (const fault of [{ status: 429, headers: { 'retry-after': '0' } }, { code: 'ECONNREFUSED' }]) {
		const waiting = new Waiting({
			fault: ({ query }) =>
				query === 'job 0' ? { after: 'nothing', status: 400 } : { after: 'nothing', delayMs: 5000, ...fault },
		});
		const [, second] = await waiting.outcomes(tasks(2), stopsAtFailure);
		expect(second?.kind).toBe('notStarted');
		await waiting.time.pass(3_600_000);
		expect(waiting.service.counts.start).toBe(2);
		expect(waiting.isIdle).toBe(true);
	}
});
