import { seededRandom } from '../../sandbox/runtime/runtime.ts';
import type { CustomPlan } from '../../sandbox/account/plan.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { lengthsMs, oracleMs } from '../helpers/oracle.ts';
import {
	after,
	crawlStart,
	errorText,
	jsonOf,
	KEY,
	NODE,
	questions,
	runNode,
	startParameters,
	startSandbox,
} from './run';

/**
 * How long many jobs and calls take on plans that the node is not told of, against a scheduler that knows the plan,
 * sees each end at once and needs no time on the way. At night LIMITS_SCALE has more and longer jobs.
 */
const SCALE = Number(process.env.LIMITS_SCALE ?? 1);
const SECONDS = [30, SCALE > 1 ? 600 : 120] as const;

/** The pauses that the node draws are the same in each run. */
beforeEach(() => {
	jest.spyOn(Math, 'random').mockImplementation(seededRandom(1));
});

const MINUTE_MS = 60_000;
/** When a plan changes. */
const CHANGE_MS = 3 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** Processes know nothing of each other; in one process, another key is another process. */
const KEYS = [KEY, 'fc-2', 'fc-3', 'fc-4'];

async function serve(lengths: readonly number[], plan: CustomPlan): Promise<Sandbox> {
	return await startSandbox({
		lightWork: true,
		seed: 1,
		keys: KEYS,
		plan: { retryAfter: 'none', ...plan },
		jobDurationMs: ({ query }) => lengths[Number(query.split(' ')[1])] ?? 0,
	});
}

const WAITS = { options: { waitOptions: { maxJobsAtOnce: 1000, maxWait: 86_400 } } };

/** Runs these jobs in one execution; when it was done, in milliseconds from now. */
async function research(sandbox: Sandbox, jobs: readonly number[], apiKey = KEY): Promise<number> {
	const beganMs = Date.now();
	const credential = { baseUrl: sandbox.baseUrl, apiKey };
	const items = jobs.map((job) => ({ q: `job ${job}` }));
	const execution = await runNode(sandbox, startParameters(WAITS), { items, credential });
	expect(errorText(execution)).toBe('');
	expect(execution.items(NODE)).toHaveLength(jobs.length);
	return Date.now() - beganMs;
}

const all = (lengths: readonly number[]) => [...lengths.keys()];
const starts = (perMinute: number) => ({ requestsPerMinute: { crawl: perMinute } });

describe('many jobs', () => {
	it.each<[string, number, CustomPlan, number]>([
		['2 at once', 10, { jobsAtOnce: 2 }, 1.06],
		['10 at once, Retry-After', 40, { jobsAtOnce: 10, retryAfter: 'seconds' }, 1.06],
		['10 starts a minute', 40, starts(10), 1.06],
		['Free', 10, { jobsAtOnce: 2, ...starts(2), retryAfter: 'seconds' }, 1.15],
	])('take little longer than the oracle: %s', async (_name, jobs, plan, most) => {
		const lengths = lengthsMs(jobs * SCALE, plan.jobsAtOnce === 2 ? [30, 600] : SECONDS);
		const sandbox = await serve(lengths, plan);
		const tookMs = await research(sandbox, all(lengths));
		expect(sandbox.stats().starts.total).toBe(lengths.length);
		const ratio = tookMs / oracleMs(lengths, () => plan.jobsAtOnce ?? Infinity, plan.requestsPerMinute?.crawl);
		// What is learned costs the less the more jobs there are.
		expect(ratio).toBeLessThanOrEqual(SCALE > 1 ? Math.min(most, 1.08) : most);
	});

	it.each([
		['lowered from 10 to 3', 10, 3],
		['raised from 3 to 10', 3, 10],
	])('follow a plan that is %s at once while they wait', async (_name, before, afterwards) => {
		const lengths = lengthsMs(40, SECONDS);
		const sandbox = await serve(lengths, { jobsAtOnce: before });
		const running = research(sandbox, all(lengths));
		await after(CHANGE_MS);
		sandbox.plan.jobsAtOnce = afterwards;
		const best = oracleMs(lengths, (ms) => (ms < CHANGE_MS ? before : afterwards), Infinity, CHANGE_MS);
		const tookMs = await running;
		expect(tookMs / best).toBeLessThanOrEqual(1.1);
	});

	it('are seen soon after they end, with few checks', async () => {
		const lengths = lengthsMs(20, [20, 300]);
		const sandbox = await serve(lengths, {});
		const beganMs = Date.now();
		const seenMs: number[] = [];
		await Promise.all(
			lengths.map(async (_length, job) => {
				await research(sandbox, [job]);
				seenMs[job] = Date.now() - beganMs;
			}),
		);
		const shares = lengths.map((length, job) => ((seenMs[job] ?? Infinity) - length) / length);
		expect(Math.max(...shares)).toBeLessThanOrEqual(0.056);
		expect(sandbox.stats().polls.total / lengths.length).toBeLessThanOrEqual(75);
	});
});

describe('several executions at once', () => {
	it('share the plan of their credential, and none is starved', async () => {
		const plan = { jobsAtOnce: 5, ...starts(20) };
		const lengths = lengthsMs(40 * SCALE, SECONDS);
		const sandbox = await serve(lengths, { ...plan, retryAfter: 'seconds' });
		const shares = Array.from({ length: 8 }, (_none, execution) => all(lengths).filter((job) => job % 8 === execution));
		const ends = (await Promise.all(shares.map((jobs) => research(sandbox, jobs)))).sort((one, other) => one - other);
		const lastMs = ends.at(-1) ?? 0;
		expect(lastMs / oracleMs(lengths, () => plan.jobsAtOnce, 20)).toBeLessThanOrEqual(1.15);
		expect(lastMs).toBeLessThanOrEqual((ends[3] ?? 0) + (ends[4] ?? 0));
	});

	it('of processes that know nothing of each other share 10 at once', async () => {
		const lengths = lengthsMs(40, [20, 40]);
		const sandbox = await serve(lengths, { jobsAtOnce: 10 });
		const ends = await Promise.all(
			KEYS.map((key, process) =>
				research(
					sandbox,
					all(lengths).filter((job) => job % 4 === process),
					key,
				),
			),
		);
		// With pauses that were drawn anew each time: 1.04 to 1.14 in ten runs.
		expect(Math.max(...ends) / oracleMs(lengths, () => 10)).toBeLessThanOrEqual(1.25);
	});

	it('let a single job have the next place, before 30 of another', async () => {
		const lengths = lengthsMs(31, [30, 120]);
		const sandbox = await serve(lengths, { jobsAtOnce: 2 });
		const many = research(sandbox, all(lengths).slice(0, 30));
		await after(2 * MINUTE_MS);
		// One of the two places is free within half of the longest job.
		expect(await research(sandbox, [30])).toBeLessThanOrEqual(1.1 * ((lengths[30] ?? 0) + 60_000));
		await many;
	});
});

describe('single calls', () => {
	const scrape = { resource: 'page', operation: 'scrape', url: '={{ $json.url }}' };
	const calls = async (sandbox: Sandbox, count: number): Promise<void> => {
		const items = Array.from({ length: count }, (_unused, page) => ({ url: `${sandbox.siteUrl}/?page=${page}` }));
		const execution = await runNode(sandbox, scrape, { items });
		expect(jsonOf(execution.items(NODE)).map(({ url }) => url)).toEqual(items.map(({ url }) => url));
	};

	it.each(['none', 'seconds'] as const)(
		'of 60 executions get through 10 a minute (Retry-After: %s)',
		async (retryAfter) => {
			const sandbox = await serve([], { requestsPerMinute: { scrape: 10 }, retryAfter });
			const beganMs = Date.now();
			await Promise.all(Array.from({ length: 60 }, async () => await calls(sandbox, 1)));
			expect(Date.now() - beganMs).toBeLessThanOrEqual(1.1 * 5 * MINUTE_MS);
			expect(sandbox.requests().length).toBeLessThanOrEqual(165);
		},
	);

	it('of one execution get the next turn, beside 60 of another', async () => {
		const sandbox = await serve([], { requestsPerMinute: { scrape: 10 } });
		const many = calls(sandbox, 60);
		await after(150_000);
		const beganMs = Date.now();
		await calls(sandbox, 1);
		// The minute that is open is used up; the next one begins with it.
		expect(Date.now() - beganMs).toBeLessThan(65_000);
		await many;
	});

	it('notice when another process no longer uses the minute', async () => {
		const sandbox = await serve([], { requestsPerMinute: { scrape: 1 } });
		const many = calls(sandbox, 40);
		await after(5 * MINUTE_MS);
		sandbox.plan.requestsPerMinute.scrape = 10;
		const beganMs = Date.now();
		await many;
		expect(Date.now() - beganMs).toBeLessThanOrEqual(1.25 * 4 * MINUTE_MS);
	});
});

it('what was learned does not grow with time: a burst is refused as often after a day of single jobs', async () => {
	const lengths = lengthsMs(60, [5, 5]);
	const refusalsAfter = async (executions: number): Promise<number> => {
		const sandbox = await serve(lengths, { jobsAtOnce: 10 });
		for (let execution = 0; execution < executions; execution++) {
			await research(sandbox, [0]);
			await after(5 * MINUTE_MS);
		}
		await research(sandbox, all(lengths));
		return sandbox.stats().refusals.jobsAtOnce;
	};
	const fresh = await refusalsAfter(1);
	expect(fresh).toBeGreaterThan(0);
	expect(await refusalsAfter(288 * SCALE)).toBeLessThanOrEqual(fresh + 10);
});

describe('what a job bears', () => {
	it.each([
		['502', { kind: 'status', httpStatus: 502 }],
		['a reset connection', { kind: 'reset' }],
		['a web page', { kind: 'html' }],
		['half an answer', { kind: 'truncated' }],
	] as const)('%s in five checks in a row, and not in six', async (_what, fault) => {
		for (const [times, said] of [
			[5, ''],
			[6, 'could not be read'],
		] as const) {
			const sandbox = await serve([600_000], {});
			sandbox.faults.add({ step: 'status', skip: 2, times, ...fault });
			const execution = await runNode(sandbox, startParameters(WAITS), { items: [{ q: 'job 0' }] });
			expect(errorText(execution)).toContain(said);
		}
	});

	it('checks that are refused until Max Wait: then it is said, and the job is left running', async () => {
		const sandbox = await serve([HOUR_MS], {});
		sandbox.faults.add({ step: 'status', kind: 'rateLimit' });
		const beganMs = Date.now();
		const execution = await runNode(sandbox, startParameters({ options: { waitOptions: { maxWait: 720 } } }), {
			items: [{ q: 'job 0' }],
		});
		expect(errorText(execution)).toMatch(
			/still "unknown" after 720 seconds.*The last check failed: The service refuses more/,
		);
		expect(Date.now() - beganMs).toBeGreaterThanOrEqual(720_000);
		expect(Date.now() - beganMs).toBeLessThan(723_000);
	});

	it('a pause of a quarter of an hour: it is checked once more at Max Wait', async () => {
		const sandbox = await serve([30_000], {});
		sandbox.faults.add({ step: 'status', kind: 'rateLimit', retryAfter: 900, skip: 2, times: 1 });
		const beganMs = Date.now();
		const execution = await runNode(sandbox, startParameters({ options: { waitOptions: { maxWait: 120 } } }), {
			items: [{ q: 'job 0' }],
		});
		expect(errorText(execution)).toBe('');
		expect(Date.now() - beganMs).toBeLessThan(121_000);
	});

	it('no start that nothing moves for the longest wait: it says that it costs nothing', async () => {
		const sandbox = await serve([], { jobsAtOnce: 0 });
		const beganMs = Date.now();
		const execution = await runNode(sandbox, startParameters({ options: { waitOptions: { maxWait: 100 } } }), {
			items: [{ q: 'job 0' }],
		});
		expect(errorText(execution)).toMatch(/took no new job for 100 seconds.*was not started.*rate limit exceeded/i);
		expect(Date.now() - beganMs).toBeLessThan(102_000);
	});

	it('no start where nothing answers, and says so', async () => {
		const parameters = startParameters({ options: { waitOptions: { maxWait: 5 } } });
		const execution = await runNode({ baseUrl: 'http://127.0.0.1:1' }, parameters, { items: [{ q: 'job 0' }] });
		expect(errorText(execution)).toContain('Nothing answers there');
		expect(errorText(execution)).not.toContain('limits');
	});

	it.each([400, 401, 402, 403])('no check that is refused with %i', async (httpStatus) => {
		const sandbox = await serve([HOUR_MS], {});
		sandbox.faults.add({ step: 'status', kind: 'status', httpStatus, times: 1 });
		const execution = await runNode(sandbox, startParameters(), { items: [{ q: 'job 0' }] });
		expect(errorText(execution)).toContain(sandbox.stats().starts.list[0]?.id);
		expect(sandbox.stats().polls.total).toBe(1);
	});
});

it('pages that are refused for the limit are read when the minute is over, however often', async () => {
	const sandbox = await startSandbox({
		lightWork: true,
		sliceSize: 10,
		plan: { requestsPerMinute: { crawlStatus: 2 }, retryAfter: 'none' },
	});
	const parameters = crawlStart({ pageLimit: 50, output: 'pages' });
	const beganMs = Date.now();
	const execution = await runNode(sandbox, parameters);
	expect(execution.items(NODE)).toHaveLength(50);
	expect(Date.now() - beganMs).toBeLessThan(6 * MINUTE_MS);
});

it('nothing more is started after an error that stops the run', async () => {
	const sandbox = await startSandbox({
		lightWork: true,
		jobDurationMs: ({ index }) => (index === 1 ? 4000 : 60_000),
	});
	sandbox.faults.add({ step: 'start', kind: 'failJob', error: 'No luck', skip: 1, times: 1 });
	const parameters = startParameters({ options: { waitOptions: { maxJobsAtOnce: 3 } } });
	const execution = await runNode(sandbox, parameters, { items: questions(6) });
	expect(errorText(execution)).toContain('failed: No luck');
	await after(HOUR_MS);
	expect(sandbox.stats().starts.total).toBe(3);
});
