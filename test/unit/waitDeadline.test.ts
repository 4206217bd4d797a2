import { deepResearchJob } from '../../nodes/service/jobs/jobKinds';
import { researchTask } from './researchTask.ts';
import { errorOf, Waiting } from './waiting.ts';

const tasks = (count: number, maxWaitMs: number) =>
	Array.from({ length: count }, (_unused, item) => researchTask(item, { maxWaitMs }));

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

it('still takes a result that is there at the deadline', async () => {
	const waiting = new Waiting({ durationMs: () => 29_900 });
	expect(await waiting.outcomes(tasks(1, 30_000))).toMatchObject([{ kind: 'done' }]);
});

it('counts the deadline of each job from its own start', async () => {
	const waiting = new Waiting({ plan: { concurrency: 1 }, durationMs: () => 25_000 });
	const outcomes = await waiting.outcomes(tasks(5, 30_000));
	expect(outcomes.map(({ kind }) => kind)).toEqual(Array(5).fill('done'));
	expect(waiting.time.now()).toBeGreaterThan(125_000);
});

it('waits in a long queue as long as others make progress', async () => {
	const waiting = new Waiting({ plan: { concurrency: 2 }, durationMs: () => 50_000 });
	const outcomes = await waiting.outcomes(tasks(20, 60_000), { concurrency: 20 });
	expect(outcomes.every(({ kind }) => kind === 'done')).toBe(true);
	expect(waiting.time.now()).toBeGreaterThan(8 * 60_000);
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

it('says within half a second that a start is given up', async () => {
	const waiting = new Waiting({ plan: { concurrency: 0 }, latencyMs: [0, 0] });
	const [outcome] = await waiting.outcomes(tasks(1, 400));
	expect(errorOf(outcome)).toContain('took no new job');
	expect(waiting.time.now()).toBe(500);
});

it('waits on for a state that it does not know, until the deadline', async () => {
	const waiting = new Waiting({ endState: () => 'marinating' });
	const [outcome] = await waiting.outcomes(tasks(1, 60_000));
	expect(outcome).toMatchObject({ kind: 'unfinished', state: 'marinating' });
});

it('keeps a fixed interval between checks', async () => {
	const waiting = new Waiting({ durationMs: () => 60_000, latencyMs: [0, 0] });
	await waiting.outcomes([researchTask(0, { interval: 7000 })]);
	expect(waiting.timesOf('poll')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9].map((look) => look * 7000));
});

it('looks once, at once, and says how it is when the job is not waited for', async () => {
	const waiting = new Waiting();
	waiting.service.addJob('old', 'other', 60_000);
	const known = { id: 'old', ageMs: 0 };
	const look = {
		kind: deepResearchJob,
		item: 0,
		known,
		watched: false,
		maxWaitMs: 720_000,
		interval: null,
	};
	expect(await waiting.outcomes([look])).toMatchObject([{ kind: 'unfinished', state: 'processing' }]);
	expect(waiting.service.counts).toEqual({ start: 0, poll: 1 });
});

it('does not wait for a job whose start is all that is wanted', async () => {
	const waiting = new Waiting({ plan: { concurrency: 5 } });
	const starts = tasks(5, 60_000).map((task) => ({ ...task, watched: false }));
	expect(await waiting.outcomes(starts)).toMatchObject(
		[0, 1, 2, 3, 4].map((item) => ({ kind: 'started', id: `job-${item}` })),
	);
	expect(waiting.service.counts).toEqual({ start: 5, poll: 0 });
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
