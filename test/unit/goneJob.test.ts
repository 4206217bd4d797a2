import { extractJob } from '../../nodes/service/jobs/jobKinds';
import type { JobTask } from '../../nodes/service/jobs/jobTask';
import { researchTask } from './researchTask.ts';
import { Waiting } from './waiting.ts';
import type { WaitingParts } from './waiting.ts';

const NOT_FOUND = {
	after: 'nothing',
	status: 404,
	text: '{"success":false,"error":"Deep research job not found"}',
} as const;

/** A job of an earlier try that still runs, while status requests from `lost[0]` to `lost[1]` ms are denied. */
async function attached([fromMs, toMs]: [number, number], more: Partial<JobTask> = {}, parts: WaitingParts = {}) {
	const waiting = new Waiting({
		fault: ({ kind, atMs }) => (kind === 'poll' && atMs >= fromMs && atMs < toMs ? NOT_FOUND : undefined),
		...parts,
	});
	waiting.service.addJob('old', 'job 0', 5000);
	const known = { id: 'old', ageMs: 60_000 };
	const outcomes = await waiting.outcomes([researchTask(0, { known, ...more })]);
	return { waiting, outcome: outcomes[0] };
}

describe('a job of an earlier try', () => {
	it.each([1, 6000, 30_000, 59_000])('is not paid for again when the service denies it for %i ms', async (ms) => {
		const { waiting, outcome } = await attached([0, ms]);
		expect(outcome).toMatchObject({ kind: 'done', id: 'old' });
		expect(waiting.told).toEqual([]);
		expect(waiting.service.counts.start).toBe(0);
		const times = waiting.timesOf('poll');
		const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0));
		// Seen soon after it is there again.
		expect(Math.max(...gaps)).toBeLessThan(5500);
	});

	it('is not denied without a break when one answer between two denials knows it', async () => {
		const { outcome, waiting } = await attached(
			[0, 200_000],
			{},
			{
				fault: ({ kind, count }) => (kind === 'poll' && count % 12 !== 11 ? NOT_FOUND : undefined),
			},
		);
		expect(outcome).toMatchObject({ kind: 'done', id: 'old' });
		expect(waiting.service.counts.start).toBe(0);
	});

	it('is started again, once, when it is denied for a minute', async () => {
		const { waiting, outcome } = await attached([0, 66_000]);
		expect(outcome).toMatchObject({ kind: 'done', id: 'job-0-2' });
		expect(waiting.told).toEqual(['gone 0 old', 'started 0 job-0-2']);
		expect(waiting.service.counts.start).toBe(1);
	});

	it('is asked for a minute, however short Max Wait is', async () => {
		const back = await attached([0, 50_000], { maxWaitMs: 20_000 });
		expect(back.outcome).toMatchObject({ kind: 'done', id: 'old' });
		const gone = await attached([0, 66_000], { maxWaitMs: 20_000 });
		expect(gone.outcome).toMatchObject({ kind: 'done', id: 'job-0-2' });
	});

	it('whose start is all that is wanted stays the one that was started until it counts as gone', async () => {
		const denied = await attached([0, 30_000], { watched: false });
		expect(denied.outcome).toEqual({ kind: 'started', id: 'old' });
		const gone = await attached([0, 66_000], { watched: false });
		expect(gone.outcome).toEqual({ kind: 'started', id: 'job-0-2' });
	});
});

describe('a job that was started just now', () => {
	const denied = (toMs: number) => ({
		fault: ({ kind, atMs }: { kind: string; atMs: number }) => (kind === 'poll' && atMs < toMs ? NOT_FOUND : undefined),
	});

	it.each([3000, 30_000])('is waited for when the service denies it for %i ms', async (ms) => {
		const waiting = new Waiting(denied(ms));
		const outcomes = await waiting.outcomes([researchTask(0)]);
		expect(outcomes).toMatchObject([{ kind: 'done', id: 'job-0' }]);
		expect(waiting.service.counts.start).toBe(1);
	});

	it('is given up, and no other one started, when it counts as gone', async () => {
		const waiting = new Waiting(denied(Infinity));
		expect(await waiting.outcomes([researchTask(0)])).toMatchObject([
			{ kind: 'error', id: 'job-0', isGone: true, denied: { httpCode: 404 } },
		]);
		expect(waiting.service.counts.start).toBe(1);
	});

	it('is known to a Get of the same process as one that exists', async () => {
		const waiting = new Waiting({
			fault: ({ kind, atMs }) => (kind === 'poll' && atMs < 40_000 ? NOT_FOUND : undefined),
		});
		await waiting.outcomes([researchTask(0, { watched: false })]);
		const get = researchTask(1, { known: { id: 'job-0', ageMs: 0 } });
		delete get.start;
		expect(await waiting.outcomes([get])).toMatchObject([{ kind: 'done', id: 'job-0' }]);
	});
});

describe('an ID that somebody has typed', () => {
	const get = (more: Partial<JobTask> = {}) => {
		const task = researchTask(0, { known: { id: 'old', ageMs: 0 }, ...more });
		delete task.start;
		return task;
	};

	it('is asked for once when the service does not know it', async () => {
		const waiting = new Waiting({ fault: () => NOT_FOUND });
		const outcomes = await waiting.outcomes([get()]);
		expect(outcomes).toMatchObject([{ kind: 'error', id: 'old', failure: { notFound: true } }]);
		expect(outcomes[0]).not.toHaveProperty('denied');
		expect(waiting.service.counts).toEqual({ start: 0, poll: 1 });
	});

	it('is no mistake once the service has told its state', async () => {
		const waiting = new Waiting({
			fault: ({ kind, count }) => (kind === 'poll' && count > 0 && count < 5 ? NOT_FOUND : undefined),
		});
		waiting.service.addJob('old', 'job 0', 5000);
		expect(await waiting.outcomes([get()])).toMatchObject([{ kind: 'done', id: 'old' }]);
	});
});

describe('a kind that some servers answer 500 for an unknown ID of', () => {
	const kind = extractJob;
	const broken = (toMs: number) => ({
		fault: ({ kind: what, atMs }: { kind: string; atMs: number }) =>
			what === 'poll' && atMs < toMs
				? ({ after: 'nothing', status: 500, text: '{"error":"Oops"}' } as const)
				: undefined,
	});
	const run = async (toMs: number) => {
		const waiting = new Waiting(broken(toMs));
		waiting.service.addJob('old', 'job 0', 5000);
		const task = researchTask(0, { kind, known: { id: 'old', ageMs: 0 } });
		const [outcome] = await waiting.outcomes([task]);
		return { outcome, starts: waiting.service.counts.start };
	};

	it('is waited for like one that answers 404', async () => {
		expect(await run(50_000)).toMatchObject({ outcome: { kind: 'done' }, starts: 0 });
	});

	it('is given up after a minute, and not started again: a failure proves nothing', async () => {
		expect(await run(Infinity)).toMatchObject({
			outcome: { kind: 'error', id: 'old', failure: { httpCode: 500 } },
			starts: 0,
		});
	});
});
