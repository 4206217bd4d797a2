import { crawlJob } from '../../nodes/service/jobs/jobKinds';
import { runJobs } from '../../nodes/service/jobs/runJobs';
import { runCalls } from '../../nodes/service/limits/runCalls';
import { sharedLimits } from '../../nodes/service/limits/limits';
import { noEvents, researchTask } from './researchTask.ts';
import { scriptedClient } from './scriptedClient.ts';
import { Waiting } from './waiting.ts';

// What becomes of jobs and calls when something is thrown that is no word of the service's.

const MISTAKE = new TypeError('x is undefined');
const fail = () => {
	throw MISTAKE;
};
const thrownBy = async (work: Promise<unknown>) =>
	await work.then(
		() => undefined,
		(error: unknown) => error,
	);

describe('many calls', () => {
	const tasks = Array.from({ length: 500 }, () => ({
		request: { method: 'POST', path: '/v2/scrape', bucket: 'scrape' } as const,
		timeoutMs: 60_000,
	}));

	it('of which an answer cannot be used: nothing more is sent, and what is on its way is waited for', async () => {
		const { client, seen, time } = scriptedClient(() => ({ body: { success: true } }));
		let answers = 0;
		const answered = () => {
			answers += 1;
			if (answers === 3) fail();
		};
		const error = await time.until(thrownBy(runCalls(tasks, { answered, failed: () => false }, client)));
		expect(error).toBe(MISTAKE);
		const sent = seen.length;
		expect(answers).toBe(sent);
		await time.until(time.sleep(600_000));
		expect(seen).toHaveLength(sent);
		expect(sent).toBeLessThan(100);
		expect(client.limits.isIdle(time.now())).toBe(true);
	});

	it('of which a failure cannot be told: the same', async () => {
		const { client, seen, time } = scriptedClient(() => ({ status: 400 }));
		const events = { answered: () => undefined, failed: fail };
		expect(await time.until(thrownBy(runCalls(tasks, events, client)))).toBe(MISTAKE);
		await time.until(time.sleep(600_000));
		expect(seen.length).toBeLessThan(100);
	});

	it('that n8n cannot send: the same, and the queue is free again', async () => {
		let sent = 0;
		const http = async () => {
			sent += 1;
			return await Promise.reject(MISTAKE);
		};
		const { client, time } = scriptedClient(() => ({}), { http });
		const events = { answered: () => undefined, failed: () => false };
		expect(await time.until(thrownBy(runCalls(tasks, events, client)))).toBe(MISTAKE);
		expect(sent).toBeLessThan(100);
		expect(client.limits.isIdle(time.now())).toBe(true);
	});
});

describe('many jobs', () => {
	const settings = { concurrency: 2, stopsTheRun: () => false, events: noEvents };
	const tasks = [0, 1, 2, 3, 4].map((item) => researchTask(item));

	it('of which a status cannot be read: the run ends, and leaves nothing in work', async () => {
		const { client, time, service } = new Waiting();
		vi.spyOn(client, 'send').mockImplementation(async (request) => {
			if (request.method === 'GET') fail();
			return await client.sendThroughStop(request);
		});
		expect(await time.until(thrownBy(runJobs(tasks, settings, client)))).toBe(MISTAKE);
		expect(service.counts.start).toBe(2);
		expect(client.limits.isIdle(time.now())).toBe(true);
	});

	it('of which a start cannot be noted: no other is started', async () => {
		const { client, time, service } = new Waiting();
		const events = { ...noEvents, onStarted: fail };
		const run = runJobs(tasks, { ...settings, concurrency: 1, events }, client);
		expect(await time.until(thrownBy(run))).toBe(MISTAKE);
		expect(service.counts.start).toBe(1);
		expect(client.limits.isIdle(time.now())).toBe(true);
	});

	it('of which one that is lost cannot be looked for: the run ends', async () => {
		const { client, time } = scriptedClient(() => ({ code: 'ECONNRESET' }));
		const crawls = tasks.map((task) => ({ ...task, kind: crawlJob }));
		const findLost = async () => await Promise.reject<never>(MISTAKE);
		const run = runJobs(crawls, { ...settings, findLost }, client);
		expect(await time.until(thrownBy(run))).toBe(MISTAKE);
		expect(client.limits.register.isUnderWay({ place: crawlJob.statusPath, target: '' })).toBe(false);
	});
});

describe('five hundred other credentials', () => {
	const DAY_MS = 24 * 3_600_000;
	const useOthers = (name: string, nowMs: number) => {
		for (let count = 0; count < 600; count++) sharedLimits(`${name} ${count}`, nowMs);
	};

	it('do not make it forgotten whose a job or a session is', () => {
		sharedLimits('owner', 0).register.know('job', 0);
		useOthers('a', 1);
		expect(sharedLimits('owner', 2).register.isKnown('job')).toBe(true);
	});

	it('replace one that owns nothing, or nothing that is listed any more', () => {
		const idle = sharedLimits('idle', 0);
		const old = sharedLimits('old', 0);
		old.register.know('job', 0);
		useOthers('b', 3 * DAY_MS);
		expect(sharedLimits('idle', 3 * DAY_MS)).not.toBe(idle);
		expect(sharedLimits('old', 3 * DAY_MS)).not.toBe(old);
	});

	it('are kept in thousands, but not without end: the longest unused goes first', () => {
		const nowMs = 10 * DAY_MS;
		const own = (name: string) => sharedLimits(name, nowMs).register.know('job', nowMs);
		own('first');
		own('second');
		for (let count = 0; count < 4000; count++) own(`owning ${count}`);
		expect(sharedLimits('first', nowMs).register.isKnown('job')).toBe(true);
		for (let count = 4000; count < 6000; count++) own(`owning ${count}`);
		expect(sharedLimits('second', nowMs).register.isKnown('job')).toBe(false);
		expect(sharedLimits('first', nowMs).register.isKnown('job')).toBe(true);
	});
});
