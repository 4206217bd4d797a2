import { ALL_ENDED, NOT_CHECKED, RECEIVED, checkSuspended } from '../../nodes/run/suspension/checks';
import { n8nLog } from '../../tools/n8n-engine/index.ts';
import { until } from '../sandbox/client';
import { errorText, KEY, NODE, startedIds } from './run';
import { resumeCallOf, suspendingCrawl, openWaitingSetup } from './suspension';
import type { WaitingSetup } from './suspension';

// The checks that the node makes by itself while its execution is suspended.

let setup: WaitingSetup;

describe('a webhook that comes before the status shows the end', () => {
	it('costs a second, not Max Wait: the jobs are checked again after it', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 3000, lagMs: 200 });
		const { executionId, run } = await setup.run(suspendingCrawl(setup.sandbox));
		expect(run.status).toBe('waiting');
		const ended = await setup.host.ended(executionId);
		expect(ended.items(NODE)).toHaveLength(3);
		expect(setup.sandbox.webhooks.sent()).toMatchObject([{ status: 200 }]);
		expect(setup.sandbox.stats().starts.total).toBe(1);
	});
});

describe('a webhook that never comes', () => {
	it('costs seconds, not Max Wait: the jobs are checked without it', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 4000 });
		setup.sandbox.webhooks.add({ kind: 'lose' });
		const { executionId } = await setup.run(suspendingCrawl(setup.sandbox));
		await until('the first check', () => setup.host.calls.some(({ status }) => status === 200));
		await until('the end', () => setup.sandbox.stats().jobsRunning === 0);
		const ended = await setup.host.ended(executionId);
		expect(ended.items(NODE)).toHaveLength(3);
	});
});

describe('Stop while the execution is suspended', () => {
	it('ends the checks: one more is refused, and no status is asked for any more', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 3_600_000 });
		const { executionId } = await setup.run(suspendingCrawl(setup.sandbox));
		const other = await setup.run(suspendingCrawl(setup.sandbox));
		const statusesOf = (id: string) =>
			setup.host.calls.filter((call) => call.executionId === id && call.status > 0).map(({ status }) => status);
		const [stoppedJob = ''] = startedIds(setup.sandbox);
		await until('the first check', () => statusesOf(executionId).length === 1);
		setup.host.stopWaiting(executionId);
		await until('later checks', () => statusesOf(other.executionId).length === 5);
		expect(statusesOf(executionId)).toEqual([200, 409]);
		expect(setup.sandbox.stats().polls.byJob[stoppedJob]).toBe(1);
	});
});

describe('a job that the service does not know any more', () => {
	it('is checked for a minute, then left to the node, which names it', async () => {
		setup = await openWaitingSetup({ jobDurationMs: 3_600_000 });
		const warnings: string[] = [];
		jest.spyOn(n8nLog(), 'warn').mockImplementation((text) => void warnings.push(text));
		const suspended = await setup.run(suspendingCrawl(setup.sandbox));
		const { secret } = resumeCallOf(suspended, setup);
		const fault = { kind: 'status', httpStatus: 404, error: 'Job not found' } as const;
		setup.sandbox.faults.add({ ...fault, step: 'crawlStatus' });
		setup.sandbox.faults.add({ ...fault, step: 'activity' });
		setup.sandbox.faults.add({ ...fault, step: 'active' });
		await until('the first check', () => setup.host.calls.some(({ status }) => status === 503));
		const ended = await setup.host.ended(suspended.executionId);
		const [id = ''] = startedIds(setup.sandbox);
		expect(errorText(ended)).toContain(id);
		expect(setup.host.calls.filter(({ status }) => status === 503).length).toBeGreaterThan(1);
		expect(setup.sandbox.stats().starts.total).toBe(1);
		expect(warnings.join(' ')).toContain(id);
		for (const hidden of [KEY, secret]) expect(warnings.join(' ')).not.toContain(hidden);
		setup.sandbox.faults.clear();
		const retried = await setup.host.retry(ended);
		expect(setup.sandbox.stats().starts.total).toBe(1);
		expect(errorText(retried)).toBe('');
	});

	it('is waited for when the service answers 404 for 8 s at the call, and nothing is started again', async () => {
		let lagMs = 0;
		setup = await openWaitingSetup({ jobDurationMs: 700, lagMs: () => lagMs });
		const { executionId, run } = await setup.run(suspendingCrawl(setup.sandbox), {
			node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
		});
		expect(run.status).toBe('waiting');
		// As if the machines that answer knew nothing of the last minute.
		lagMs = 60_000;
		await until('its call', () => setup.sandbox.webhooks.sent().length > 0);
		setTimeout(() => (lagMs = 0), 8000);
		const ended = await setup.host.ended(executionId);
		expect(errorText(ended)).toBe('');
		expect(ended.items(NODE)).toHaveLength(3);
		expect(setup.sandbox.stats().starts.total).toBe(1);
	});
});

describe('a job whose status', () => {
	const ended = async (executionId: string) => await setup.host.ended(executionId);
	const suspendWith = async (httpStatus: number) => {
		setup = await openWaitingSetup({ jobDurationMs: 300_000 });
		const { executionId } = await setup.run(suspendingCrawl(setup.sandbox));
		const fault = { kind: 'status', httpStatus, error: 'Not for you' } as const;
		setup.sandbox.faults.add({ ...fault, step: 'crawlStatus' });
		return executionId;
	};

	it.each([401, 403])('is refused (%i) ends the wait at once with that sentence', async (httpStatus) => {
		const execution = await ended(await suspendWith(httpStatus));
		expect(errorText(execution)).toContain('Not for you');
		expect(setup.sandbox.stats().jobsRunning).toBe(1);
	});

	it('cannot be read in an outage of minutes is waited for', async () => {
		const executionId = await suspendWith(502);
		const refused = () => setup.host.calls.filter(({ status }) => status === 503);
		await until('checks of two minutes', () => refused().length >= 6);
		expect(setup.host.calls.some(({ woke }) => woke)).toBe(false);
		setup.sandbox.faults.clear();
		expect((await ended(executionId)).items(NODE)).toHaveLength(3);
	});
});

describe('what answers the calls of the node itself', () => {
	const say = (statusCode: number, message: string) => ({ statusCode, body: { message } });
	const runs = say(200, RECEIVED);
	const notStored = say(409, 'The execution "7" is running already.');
	const stopped = say(409, 'The execution "7" has finished with error.');

	/** Seconds after which n8n was called, and what was logged, when it answers like this; the last answer lasts. */
	async function checksWith(answers: unknown[], forMs = 1_800_000) {
		const beganMs = performance.now();
		const seconds: number[] = [];
		const warnings: string[] = [];
		const ctx: object = {
			getExecutionId: () => '7',
			getNode: () => ({ name: NODE }),
			logger: { warn: (text: string) => warnings.push(text) },
			helpers: {
				async httpRequest() {
					const answer = answers[Math.min(seconds.length, answers.length - 1)];
					seconds.push((performance.now() - beganMs) / 1000);
					if (answer === undefined) throw new Error('socket hang up');
					return answer;
				},
			},
		};
		const sinceMs = Date.now();
		const call = { url: 'http://localhost:5678/webhook-waiting/7', sinceMs, untilMs: sinceMs + forMs };
		checkSuspended(ctx as Parameters<typeof checkSuspended>[0], call, 's');
		await new Promise((resolve) => setTimeout(resolve, 2 * forMs));
		return { seconds, warnings };
	}

	it('makes them come after 2 s, then in pauses of twice the length up to 5 min, until Max Wait', async () => {
		const { seconds } = await checksWith([runs]);
		const pauses = seconds.map((second, nth) => second - (seconds[nth - 1] ?? 0));
		const least = [2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300];
		pauses.forEach((pause, nth) => {
			expect(pause).toBeGreaterThanOrEqual(least[nth] ?? 300);
			expect(pause).toBeLessThan((least[nth] ?? 300) * 1.26);
		});
		expect(seconds.length).toBeGreaterThan(8);
		expect(seconds.at(-1)).toBeLessThan(1800);
	});

	it.each([
		['all jobs have ended', [say(200, ALL_ENDED)], 1],
		['it was stopped', [stopped], 1],
		['the node waits for other jobs by now', [say(401, 'The header x-web-data-secret is missing or wrong.')], 1],
		['it runs again, woken elsewhere', [runs, notStored], 2],
		['it was deleted', [runs, say(404, 'The execution "7" does not exist.')], 2],
		['n8n has stored it late, and its jobs could not be read', [notStored, say(503, NOT_CHECKED), notStored], 3],
	])('ends them when %s', async (_why, answers, calls) => {
		const { seconds, warnings } = await checksWith(answers);
		expect(seconds).toHaveLength(calls);
		expect(warnings).toEqual([]);
	});

	it('breaks the connection once: they go on, and nothing is told of it', async () => {
		const { seconds, warnings } = await checksWith([undefined, notStored, undefined, notStored]);
		expect(seconds.length).toBeGreaterThan(8);
		expect(warnings).toEqual([]);
	});

	it.each([
		['nobody', undefined],
		['another n8n', say(404, 'The execution "7" does not exist.')],
		['something else', { statusCode: 200, body: '<html>' }],
	])('is %s: that is told once, and they go on', async (_who, answer) => {
		const { seconds, warnings } = await checksWith([answer]);
		expect(seconds.length).toBeGreaterThan(8);
		expect(warnings).toMatchObject([expect.stringContaining('does not answer at http://localhost:5678')]);
	});
});
