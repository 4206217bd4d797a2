import { JobRunner } from '../../nodes/service/jobs/jobRunner';
import { batchScrapeJob, crawlJob, deepResearchJob } from '../../nodes/service/jobs/jobKinds';
import type { JobSettings, JobTask } from '../../nodes/service/jobs/jobTask';
import { noEvents, researchTask } from './researchTask.ts';
import { Waiting } from './waiting.ts';

const settings: JobSettings<JobTask> = {
	concurrency: 10,
	stopsTheRun: () => false,
	events: noEvents,
};
const NOT_FOUND = {
	after: 'nothing',
	status: 404,
	text: '{"success":false,"error":"Deep research job not found"}',
} as const;

describe('a job of an earlier try', () => {
	it('is checked at once, however old it is', async () => {
		const waiting = new Waiting();
		waiting.service.addJob('old', 'job 0', 0);
		const known = { id: 'old', ageMs: 600_000 };
		expect(await waiting.outcomes([researchTask(0, { known })])).toMatchObject([{ kind: 'done' }]);
		expect(waiting.timesOf('poll')).toEqual([0]);
	});

	it.each(['completed', 'failed', 'processing'])(
		'counts as started where only the start is wanted, also when it is %s by now',
		async (state) => {
			const waiting = new Waiting({ endState: () => state });
			waiting.service.addJob('old', 'job 0', 0);
			const task = researchTask(0, { known: { id: 'old', ageMs: 1000 }, watched: false });
			expect(await waiting.outcomes([task])).toEqual([{ kind: 'started', id: 'old' }]);
			expect(waiting.service.counts.start).toBe(0);
			expect(waiting.isIdle).toBe(true);
		},
	);

	it('belongs to this execution as soon as it is taken up', () => {
		const { client, limits } = new Waiting();
		const task = researchTask(0, { known: { id: 'old', ageMs: 0 } });
		expect(new JobRunner(task, settings, client, () => undefined).wakeMs).toBe(0);
		expect(limits.register.isKnown('old')).toBe(true);
	});

	it('says how it stands where there is nothing to start and one check is wanted', async () => {
		const waiting = new Waiting();
		waiting.service.addJob('old', 'job 0', 1e9);
		const task = researchTask(0, { known: { id: 'old', ageMs: 1000 }, watched: false });
		delete task.start;
		expect(await waiting.outcomes([task])).toMatchObject([
			{ kind: 'unfinished', id: 'old', state: 'processing' },
		]);
	});
});

it.each([
	['of a kind that can be cancelled, on the wish of the user', crawlJob, true, true, true],
	['of a kind that can be cancelled', batchScrapeJob, true, true, true],
	['that nobody wants cancelled', crawlJob, undefined, true, false],
	['that is to be kept', crawlJob, false, true, false],
	['that was started elsewhere', crawlJob, true, false, false],
	['of a kind that cannot be cancelled', deepResearchJob, true, true, false],
])('a job %s: cancelled on Stop or not', (_name, kind, cancelOnStop, isOwn, isCancelled) => {
	const { start, ...task } = researchTask(0);
	const own = isOwn ? { start } : { known: { id: 'old', ageMs: 0 } };
	const wish = cancelOnStop === undefined ? {} : { cancelOnStop };
	const job = new JobRunner(
		{ ...task, ...own, ...wish, kind } as JobTask,
		settings,
		new Waiting().client,
		() => undefined,
	);
	expect(job.cancelsOnStop).toBe(isCancelled);
});

describe('a start', () => {
	/** What the run is told of each time a start goes out, in order. */
	async function toldOf(status: number, times: number): Promise<string[]> {
		const told: string[] = [];
		const waiting = new Waiting({
			fault: ({ kind, count }) =>
				kind === 'start' && count < times ? { after: 'nothing', status } : undefined,
		});
		const events = {
			...noEvents,
			onSending: () => told.push('sending'),
			onRefused: () => told.push('refused'),
			onUncertain: () => told.push('uncertain'),
			onStarted: () => told.push('started'),
		};
		await waiting.outcomes([researchTask(0)], { events });
		return told;
	}

	it('that the service refused is told as one that started nothing', async () => {
		expect(await toldOf(429, 1)).toEqual(['sending', 'refused', 'sending', 'started']);
		expect(await toldOf(402, 9)).toEqual(['sending', 'refused']);
	});

	it('that may have arrived is not told as refused', async () => {
		expect(await toldOf(500, 9)).toEqual(['sending', 'uncertain']);
	});

	it('has no time of its own to wake for while it is on its way, nor when all is over', async () => {
		const { client, time } = new Waiting();
		let woken = 0;
		const job = new JobRunner(researchTask(0, { watched: false }), settings, client, () => {
			woken += 1;
		});
		expect(job.wakeMs).toBe(Infinity);
		await time.until(job.sending ?? Promise.resolve());
		expect(job.outcome).toEqual({ kind: 'started', id: 'job-0' });
		expect(woken).toBe(1);
		expect(job.wakeMs).toBe(Infinity);
		job.abandon();
		job.tick();
		expect(job.outcome).toEqual({ kind: 'started', id: 'job-0' });
	});

	it('whose id comes after it was given up is left as it is, with its id', async () => {
		const { client, time } = new Waiting();
		const job = new JobRunner(researchTask(0), settings, client, () => undefined);
		job.tick();
		job.abandon();
		expect(job.outcome).toBeUndefined();
		await time.until(job.sending ?? Promise.resolve());
		expect(job.outcome).toEqual({ kind: 'left', id: 'job-0', state: 'unknown' });
	});
});

it.each(['completed', 'failed'])('makes room for the next at once when it is %s', async (state) => {
	const plan = { concurrency: 1, slotWaitSeconds: 600, retryAfter: true };
	const waiting = new Waiting({ plan, durationMs: () => 20_000, endState: () => state });
	const tasks = [0, 1, 2].map((item) => researchTask(item));
	const outcomes = await waiting.outcomes(tasks);
	expect(outcomes.map(({ kind }) => kind)).toEqual(
		Array(3).fill(state === 'failed' ? state : 'done'),
	);
	// The refusal asked for ten minutes; three jobs of 20 s one after the other, each seen within seconds.
	expect(waiting.time.now()).toBeLessThan(100_000);
});

it('holds no place in the queue any more once it is given up', async () => {
	const waiting = new Waiting({
		fault: ({ kind }) => (kind === 'poll' ? NOT_FOUND : undefined),
	});
	const [outcome] = await waiting.outcomes([researchTask(0)]);
	expect(outcome).toMatchObject({ kind: 'error', id: 'job-0' });
	expect(waiting.isIdle).toBe(true);
});
