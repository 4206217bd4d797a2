import { JobRunner } from '../../nodes/service/jobs/jobRunner';
import { deepResearchJob } from '../../nodes/service/jobs/jobKinds';
import type { JobSettings, JobTask } from '../../nodes/service/jobs/jobTask';
import { noEvents, researchTask } from './researchTask.ts';
import { Waiting } from './waiting.ts';

const settings: JobSettings<JobTask> = {
	concurrency: 10,
	stopsTheRun: () => false,
	events: noEvents,
};

describe('a start whose answer is lost', () => {
	const lost = (stopAtMs?: number) =>
		new Waiting({
			...(stopAtMs !== undefined && { stopAtMs }),
			fault: ({ kind }) => (kind === 'start' ? { after: 'nothing', status: 500 } : undefined),
		});
	const place = { place: deepResearchJob.statusPath, target: 'job 0' };

	it('is not known about where there are no lists, and holds up nobody who looks', async () => {
		const waiting = lost();
		const outcomes = await waiting.outcomes([researchTask(0)]);
		expect(outcomes).toMatchObject([{ kind: 'error', uncertain: true }]);
		expect(outcomes[0]).not.toHaveProperty('finding');
		expect(waiting.limits.register.isUnderWay(place)).toBe(false);
		expect(waiting.isIdle).toBe(true);
	});

	it('is under way until the lists have told what became of it', async () => {
		const { client, time } = lost();
		const told: string[] = [];
		const findLost = async () => {
			await time.sleep(5000);
			told.push('looked');
			return { kind: 'none' as const, isProof: true };
		};
		let woken = 0;
		const job = new JobRunner(researchTask(0), { ...settings, findLost }, client, () => {
			woken += 1;
		});
		await time.until((job.sending ?? Promise.resolve()).then(() => told.push('settled')));
		expect(told).toEqual(['looked', 'settled']);
		expect(job.outcome).toMatchObject({ kind: 'error', finding: { kind: 'none' } });
		expect(woken).toBeGreaterThan(0);
		expect(job.sending).toBeUndefined();
	});

	it.each(['stopped', 'given up'])('is not looked for when the run is %s', async (how) => {
		const { client, time } = lost(how === 'stopped' ? 1 : undefined);
		let looks = 0;
		const findLost = () => {
			looks += 1;
			return Promise.resolve({ kind: 'unknown' as const });
		};
		const job = new JobRunner(researchTask(0), { ...settings, findLost }, client, () => undefined);
		if (how === 'given up') job.abandon();
		await time.until((job.sending ?? Promise.resolve()).catch(() => undefined));
		expect(job.outcome).toMatchObject({ kind: 'error' });
		expect(looks).toBe(0);
	});

	it('is not sent again when it is given up meanwhile, whatever the user wished', async () => {
		const { client, time, service } = lost();
		const task = researchTask(0, { startsAgain: true });
		const findLost = async () => {
			await time.sleep(5000);
			return { kind: 'none' as const, isProof: true };
		};
		const job = new JobRunner(task, { ...settings, findLost }, client, () => undefined);
		await time.pass(1000);
		job.abandon();
		await time.until(job.sending ?? Promise.resolve());
		expect(job.outcome).toMatchObject({ kind: 'error', uncertain: true });
		expect(service.counts.start).toBe(1);
	});
});
