import { ServiceFailure } from '../../nodes/service/http/failure';
import { monitorCheck } from '../../nodes/service/jobs/jobKinds';
import type { JobTask, LostStart, LostStartFinding } from '../../nodes/service/jobs/jobTask';
import { runJobs } from '../../nodes/service/jobs/runJobs';
import { noEvents, researchTask } from './researchTask.ts';
import { scriptedClient } from './scriptedClient.ts';
import type { Script } from './scriptedClient.ts';

const BROKEN = { code: 'ECONNRESET' };
const DONE = { body: { success: true, status: 'completed' } };
const STARTED = { body: { success: true, id: 'new' } };
const unclear = new ServiceFailure({ kind: 'connection', reached: 'maybe', message: 'Unclear.' });

/** Runs one task, and tells all that happened, in order. */
async function bring(
	task: JobTask,
	script: Script,
	findings: LostStartFinding[],
	{ stopAtMs, delayMs = 0 }: { stopAtMs?: number; delayMs?: number } = {},
) {
	const stop = new AbortController();
	const { client, limits, seen, time } = scriptedClient(script, { signal: stop.signal });
	await time.pass(5000);
	if (stopAtMs !== undefined) time.at(stopAtMs, () => stop.abort());
	const told: string[] = [];
	const asked: LostStart[] = [];
	const events = {
		...noEvents,
		onSending: () => told.push('sending'),
		onRefused: () => told.push('refused'),
		onStarted: (_task: JobTask, id: string, answer: object) =>
			told.push(`started ${id} ${JSON.stringify(answer)}`),
		onUncertain: () => told.push('uncertain'),
		onFound: (_task: JobTask, id: string) => told.push(`found ${id}`),
		onStartedAgain: () => told.push('again'),
		onJoined: (_task: JobTask, id: string) => told.push(`joined ${id}`),
		onGone: (_task: JobTask, id: string) => told.push(`gone ${id}`),
	};
	const findLost = async (lost: LostStart) => {
		asked.push(lost);
		await time.sleep(delayMs);
		return findings[asked.length - 1] ?? { kind: 'unknown' as const };
	};
	const settings = { concurrency: 5, stopsTheRun: () => false, events, findLost };
	const run = runJobs([task], settings, client);
	const outcomes = await time.until(run.catch((error: unknown) => [error]));
	return { outcome: outcomes[0], told, asked, seen, limits, time };
}

const posts = (seen: Array<{ method: string }>) => seen.filter(({ method }) => method === 'POST');
const breaking =
	(times: number): Script =>
	({ method }, count) =>
		method === 'GET' ? DONE : count <= times ? BROKEN : STARTED;

describe('a start whose end is not known', () => {
	it('is looked for by when it was sent, and goes on as the job that is found', async () => {
		const found: LostStartFinding = { kind: 'found', id: 'its', ageMs: 700, evidence: 'options' };
		const task = researchTask(0);
		const { outcome, told, asked, seen, limits } = await bring(task, breaking(1), [found]);
		expect(outcome).toMatchObject({ kind: 'done', id: 'its' });
		expect(told).toEqual([
			'sending',
			'uncertain',
			'found its',
			'started its {"success":true,"id":"its"}',
		]);
		expect(asked).toEqual([
			{ kind: task.kind, start: task.start, sentMs: 5000, lostMs: 5010, isFresh: true },
		]);
		// It has run for a while, so it is checked at once.
		expect(seen[1]).toMatchObject({ method: 'GET', atMs: 5010 });
		expect(limits.isIdle(Infinity)).toBe(true);
	});

	it.each([
		[{ kind: 'none', isProof: true }],
		[{ kind: 'several', ids: ['x', 'y'] }],
		[{ kind: 'unknown' }],
	] as LostStartFinding[][])('ends with what the lists say: %j', async (finding) => {
		const { outcome, told, seen, limits } = await bring(
			researchTask(0),
			breaking(9),
			finding ? [finding] : [],
		);
		expect(outcome).toMatchObject({ kind: 'error', uncertain: true, finding });
		expect(told).toEqual(['sending', 'uncertain']);
		expect(posts(seen)).toHaveLength(1);
		expect(limits.isIdle(Infinity)).toBe(true);
	});

	it('is sent once more, and not twice, where the user wants that', async () => {
		const task = researchTask(0, { startsAgain: true });
		const lucky = await bring(task, breaking(1), []);
		expect(lucky.outcome).toMatchObject({ kind: 'done', id: 'new' });
		expect(lucky.told.slice(0, 4)).toEqual(['sending', 'uncertain', 'again', 'sending']);
		const unlucky = await bring(task, breaking(9), []);
		expect(unlucky.outcome).toMatchObject({ kind: 'error', uncertain: true });
		expect(posts(unlucky.seen)).toHaveLength(2);
		expect(unlucky.asked).toHaveLength(2);
	});

	it('is not sent once more when it is found', async () => {
		const task = researchTask(0, { startsAgain: true });
		const { seen } = await bring(task, breaking(1), [
			{ kind: 'found', id: 'its', ageMs: 0, evidence: 'options' },
		]);
		expect(posts(seen)).toHaveLength(1);
	});

	it('is not sent once more after Stop', async () => {
		const task = researchTask(0, { startsAgain: true });
		const { outcome, seen } = await bring(task, breaking(9), [], {
			stopAtMs: 5300,
			delayMs: 400,
		});
		expect(outcome).toMatchObject({ kind: 'aborted' });
		expect(posts(seen)).toHaveLength(1);
	});
});

describe('a start that an earlier execution may have sent', () => {
	const lostTask = (startsWhenMissing: boolean, more: Partial<JobTask> = {}) =>
		researchTask(0, {
			lost: { sinceMs: 0, lostAt: 0, startsWhenMissing, failure: unclear },
			...more,
		});

	it('is looked for before anything is sent, by the time that was put down', async () => {
		const sinceMs = Date.UTC(2026, 0, 1) + 2000;
		const lostAt = sinceMs + 1500;
		const task = lostTask(true, {
			lost: { sinceMs, lostAt, startsWhenMissing: true, failure: unclear },
		});
		const { asked, told, outcome } = await bring(task, breaking(0), [
			{ kind: 'found', id: 'its', ageMs: 5, evidence: 'options' },
		]);
		expect(asked).toMatchObject([{ sentMs: 2000, lostMs: 3500, isFresh: false }]);
		expect(told[0]).toBe('found its');
		expect(outcome).toMatchObject({ kind: 'done', id: 'its' });
	});

	it('is sent when the lists prove that there is none', async () => {
		const { outcome, told } = await bring(lostTask(true), breaking(0), [
			{ kind: 'none', isProof: true },
		]);
		expect(outcome).toMatchObject({ kind: 'done', id: 'new' });
		expect(told).toEqual(['sending', 'started new {"success":true,"id":"new"}']);
	});

	it.each([
		['proves nothing', true, { kind: 'none', isProof: false }],
		['finds several', true, { kind: 'several', ids: ['x'] }],
		['is not to be had', true, { kind: 'unknown' }],
		['proves it, but nothing is to be started', false, { kind: 'none', isProof: true }],
	] as Array<[string, boolean, LostStartFinding]>)(
		'ends as it did where the list %s',
		async (_name, startsWhenMissing, finding) => {
			const { outcome, seen } = await bring(lostTask(startsWhenMissing), breaking(0), [finding]);
			expect(outcome).toEqual({ kind: 'error', failure: unclear, uncertain: true, finding });
			expect(seen).toEqual([]);
		},
	);

	it('is not sent a third time when the second one is lost, too', async () => {
		const none: LostStartFinding = { kind: 'none', isProof: true };
		const { outcome, seen } = await bring(lostTask(true), breaking(9), [none, none, none]);
		expect(outcome).toMatchObject({ kind: 'error', uncertain: true });
		expect(posts(seen)).toHaveLength(1);
	});

	it('is sent with the wish of the user, although nothing is proven', async () => {
		const { told } = await bring(lostTask(false, { startsAgain: true }), breaking(0), []);
		expect(told.slice(0, 2)).toEqual(['again', 'sending']);
	});
});

describe('a start that is refused because a job is at work that is as good', () => {
	const task = researchTask(0, { kind: monitorCheck, cancelOnStop: true });
	const busy =
		(body: object, status = 409): Script =>
		({ method }) =>
			method === 'GET' ? DONE : { status, body: { success: false, error: 'Busy', ...body } };

	it('goes on as that job', async () => {
		const { outcome, told } = await bring(task, busy({ checkId: 'other' }), []);
		expect(outcome).toMatchObject({ kind: 'done', id: 'other' });
		expect(told).toEqual([
			'sending',
			'joined other',
			'started other {"success":true,"id":"other"}',
		]);
	});

	it.each([
		[{ checkId: '../x' }, 409],
		[{}, 409],
		[{ checkId: 'other' }, 400],
	])('fails where the answer does not name it: %j, HTTP %i', async (body, status) => {
		const { outcome, told, limits } = await bring(task, busy(body, status), []);
		const place = { place: monitorCheck.statusPath, target: 'manual' };
		expect(limits.register.isUnderWay(place)).toBe(false);
		expect(outcome).toMatchObject({ kind: 'error', uncertain: false });
		expect(told).toEqual(['sending', 'refused']);
	});

	it('goes on as that job also where nobody is told, and fails where nobody says which', async () => {
		const outcomeOf = async (script: Script) => {
			const { client, time } = scriptedClient(script);
			const settings = { concurrency: 1, stopsTheRun: () => false, events: noEvents };
			return (await time.until(runJobs([task], settings, client)))[0];
		};
		expect(await outcomeOf(busy({ checkId: 'other' }))).toMatchObject({ kind: 'done' });
		const unreadable = await outcomeOf(() => ({ status: 409, body: '<html>' }));
		expect(unreadable).toMatchObject({ kind: 'error', failure: { httpCode: 409 } });
	});

	it('is no other kind’s', async () => {
		const { outcome } = await bring(researchTask(0), busy({ checkId: 'other', id: 'x' }), []);
		expect(outcome).toMatchObject({ kind: 'error' });
	});
});

it('is on its way no more while it waits for its turn again, or when nobody lists its kind', async () => {
	const place = { place: '/v1/deep-research/{jobId}', target: 'job 0' };
	const refused = { status: 429, body: { error: 'Too many' }, headers: { 'retry-after': '9' } };
	const { client, limits, time } = scriptedClient(({ method }, count) => {
		if (method === 'GET') return DONE;
		return count === 1 ? refused : STARTED;
	});
	const isUnderWay: boolean[] = [];
	time.at(5000, () => isUnderWay.push(limits.register.isUnderWay(place)));
	const settings = { concurrency: 1, stopsTheRun: () => false, events: noEvents };
	await time.until(runJobs([researchTask(0)], settings, client));
	expect(isUnderWay).toEqual([false]);
	expect(limits.register.isUnderWay(place)).toBe(false);

	const { listed, ...kind } = researchTask(0).kind;
	expect(listed).toBeDefined();
	const run = runJobs([researchTask(0, { kind })], settings, client);
	expect(await time.until(run)).toMatchObject([{ kind: 'done' }]);
});

it('is on its way, for all others to see, until its end is known', async () => {
	const isUnderWay: boolean[] = [];
	const scripted = scriptedClient(({ method }) => {
		isUnderWay.push(
			scripted.limits.register.isUnderWay({
				place: '/v1/deep-research/{jobId}',
				target: 'job 0',
			}),
		);
		return method === 'GET' ? DONE : STARTED;
	});
	const settings = { concurrency: 1, stopsTheRun: () => false, events: noEvents };
	await scripted.time.until(runJobs([researchTask(0)], settings, scripted.client));
	expect(isUnderWay).toEqual([true, false]);
	expect(scripted.limits.register.isKnown('new')).toBe(true);
});
