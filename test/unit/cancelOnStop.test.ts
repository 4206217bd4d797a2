import { agentJob, crawlJob } from '../../nodes/service/jobs/jobKinds';
import type { JobKind } from '../../nodes/service/jobs/jobKinds';
import type { JobTask } from '../../nodes/service/jobs/jobTask';
import { runJobs } from '../../nodes/service/jobs/runJobs';
import { noEvents, researchTask } from './researchTask.ts';
import { scriptedClient } from './scriptedClient.ts';
import type { ScriptedAnswer } from './scriptedClient.ts';

const RUNS = { body: { success: true, status: 'scraping' } };

interface StopParts {
	/** What DELETE is answered with; the first one has the number 1. */
	cancel: (count: number) => ScriptedAnswer;
	tasks?: JobTask[];
	kind?: JobKind;
	/** How long a start takes, in milliseconds. */
	startMs?: number;
	/** What a start is answered with, instead of an id. */
	start?: ScriptedAnswer;
	/** True: nobody is told what becomes of the jobs. */
	isUntold?: boolean;
	stopAtMs?: number;
	/** True: only the starts are wanted. */
	startsOnly?: boolean;
}

const own = (kind: JobKind, item = 0): JobTask => researchTask(item, { kind, cancelOnStop: true });

/** Stops an execution while its jobs run, and tells what became of them. */
async function stopped({
	cancel,
	kind = crawlJob,
	startMs = 0,
	stopAtMs = 4000,
	startsOnly = false,
	...parts
}: StopParts) {
	const stop = new AbortController();
	let cancels = 0;
	const scripted = scriptedClient(({ method, body }) => {
		if (method === 'DELETE') return cancel((cancels += 1));
		if (method === 'POST' && parts.start) return parts.start;
		return method === 'POST' ? { body: { success: true, id: String(body?.query).replace(' ', '-') } } : RUNS;
	});
	const { time, seen } = scripted;
	const { client } = scriptedClient(() => RUNS, {
		time,
		signal: stop.signal,
		http: async (options) => {
			if (options.method === 'POST') await time.sleep(startMs);
			return await scripted.http(options);
		},
	});
	time.at(stopAtMs, () => stop.abort());
	const told: string[] = [];
	const events = {
		...noEvents,
		onCancelled: (_task: JobTask, id: string) => told.push(`cancelled ${id}`),
		onEndedBefore: (_task: JobTask, id: string) => told.push(`ended ${id}`),
	};
	const settings = {
		concurrency: 5,
		stopsTheRun: () => false,
		events: parts.isUntold ? noEvents : events,
		startsOnly,
	};
	const run = runJobs(parts.tasks ?? [own(kind)], settings, client);
	const error = await time.until(run.then(() => undefined).catch((thrown: unknown) => thrown));
	const endedMs = time.now();
	const cancelled = () => seen.filter(({ method }) => method === 'DELETE');
	return { cancelled, endedMs, error, told, time, stopAtMs };
}

const OK = { body: { success: true } };

it('cancels what the execution started and wants to go with it, and nothing else', async () => {
	const tasks = [own(crawlJob), researchTask(1, { kind: crawlJob }), own(crawlJob, 2)];
	const { cancelled, error, told, endedMs } = await stopped({ cancel: () => OK, tasks });
	expect(error).toMatchObject({ kind: 'aborted' });
	expect(cancelled().map(({ url }) => new URL(url).pathname)).toEqual(['/v2/crawl/job-0', '/v2/crawl/job-2']);
	expect(cancelled()[0]?.timeoutMs).toBe(5000);
	expect(told).toEqual(['cancelled job-0', 'cancelled job-2']);
	expect(endedMs).toBeLessThan(5500);
});

it('leaves a job alone that was at work before its start', async () => {
	const start = { status: 409, body: { success: false, error: 'At work', checkId: 'job-9' } };
	const kind: JobKind = { ...crawlJob, busyId: 'checkId' };
	const { cancelled, told, error } = await stopped({ cancel: () => OK, kind, start });
	expect(error).toMatchObject({ kind: 'aborted' });
	expect([cancelled(), told]).toEqual([[], []]);
});

it('waits for the id of a start that is on its way, and cancels its job', async () => {
	const { cancelled, told } = await stopped({ cancel: () => OK, startMs: 3000, stopAtMs: 1000 });
	expect(cancelled()).toHaveLength(1);
	expect(told).toEqual(['cancelled job-0']);
});

it('cancels what was started where only starts are wanted and the last answer comes just after the stop', async () => {
	const tasks = [own(crawlJob), own(crawlJob, 1)];
	const parts = { startMs: 1200, stopAtMs: 1100, startsOnly: true };
	const { told } = await stopped({ cancel: () => OK, tasks, ...parts });
	expect(told).toEqual(['cancelled job-0', 'cancelled job-1']);
});

it('has nothing to cancel where the start was refused in the end', async () => {
	const start = { status: 402, body: { success: false, error: 'No credits' } };
	const parts = { cancel: () => OK, start, startMs: 1000, stopAtMs: 500 };
	const { cancelled, told, endedMs } = await stopped(parts);
	expect(cancelled()).toEqual([]);
	expect(told).toEqual([]);
	expect(endedMs).toBeLessThan(1600);
});

it.each([OK, { status: 409, body: { success: false, error: 'Agent is completed' } }])(
	'needs nobody who is told: %#',
	async (answer) => {
		const { cancelled, error } = await stopped({ cancel: () => answer, isUntold: true });
		expect(cancelled()).toHaveLength(1);
		expect(error).toMatchObject({ kind: 'aborted' });
	},
);

it('does not wait for an id longer than five seconds', async () => {
	const { cancelled, endedMs, told } = await stopped({
		cancel: () => OK,
		startMs: 60_000,
		stopAtMs: 1000,
	});
	expect(cancelled()).toEqual([]);
	expect(told).toEqual([]);
	expect(endedMs).toBeGreaterThanOrEqual(6000);
	expect(endedMs).toBeLessThan(6600);
});

it('tries a cancel that fails three times, half a second apart', async () => {
	const lucky = await stopped({ cancel: (count) => (count < 3 ? { status: 500 } : OK) });
	expect(lucky.told).toEqual(['cancelled job-0']);
	const times = lucky.cancelled().map(({ atMs }) => atMs);
	expect(times.slice(1).map((ms, index) => ms - (times[index] ?? 0))).toEqual([510, 510]);

	const unlucky = await stopped({ cancel: () => ({ code: 'ECONNRESET' }) });
	expect(unlucky.told).toEqual([]);
	expect(unlucky.cancelled()).toHaveLength(3);
});

it('asks again for a job that the service does not know yet', async () => {
	const unknown = { status: 404, body: { success: false, error: 'Job not found' } };
	const late = await stopped({ cancel: (count) => (count === 1 ? unknown : { body: {} }) });
	expect(late.cancelled()).toHaveLength(2);
	expect(late.told).toEqual(['cancelled job-0']);
	const later = await stopped({ cancel: (count) => (count <= 7 ? unknown : { body: {} }) });
	expect(later.told).toEqual(['cancelled job-0']);
	const never = await stopped({ cancel: () => unknown });
	expect(never.cancelled().length).toBeGreaterThan(7);
	expect(never.told).toEqual([]);
});

it.each([
	['is being cancelled already', 'Agent is already cancelled', ['cancelled job-0']],
	['has ended', 'Agent is completed', ['ended job-0']],
])('asks once for a job that %s, and tells so', async (_name, error, told) => {
	const result = await stopped({
		kind: agentJob,
		cancel: () => ({ status: 409, body: { success: false, error } }),
	});
	expect(result.cancelled()).toHaveLength(1);
	expect(result.told).toEqual(told);
});

it('gives up after five seconds, and does not go on behind the execution’s back', async () => {
	const { cancelled, endedMs, time } = await stopped({
		cancel: () => ({ status: 500 }),
		startMs: 5400,
		stopAtMs: 1000,
	});
	const sent = cancelled().length;
	expect(endedMs).toBeLessThan(6600);
	await time.pass(10_000);
	expect(cancelled().length).toBeLessThanOrEqual(Math.max(sent, 1));
});
