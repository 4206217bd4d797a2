import type { Fault, SeenRequest } from './simulatedService.ts';
import { researchTask } from './researchTask.ts';
import { errorOf, Waiting } from './waiting.ts';

const one = [researchTask(0)];

/** Lets the service answer something in this run. */
const answered = async ({ client, time }: Waiting) => {
	const path = '/v1/deep-research/nobody';
	const look = client.send({ method: 'GET', path, bucket: 'crawlStatus' });
	await time.until(look.catch(() => undefined));
};

/** Goes wrong so many times in a row, from the given request of this kind on. */
function failing(kind: SeenRequest['kind'], times: number, fault: Fault, from = 0) {
	return (request: SeenRequest): Fault | undefined =>
		request.kind === kind && request.count >= from && request.count < from + times ? fault : undefined;
}

const transient: Array<[string, Fault]> = [
	['500', { after: 'nothing', status: 500 }],
	['502 with a web page', { after: 'nothing', status: 502, text: '<html>' }],
	['408', { after: 'nothing', status: 408 }],
	['reset', { after: 'nothing', code: 'ECONNRESET' }],
	['refused', { after: 'nothing', code: 'ECONNREFUSED' }],
	['no answer', { after: 'nothing', code: 'ECONNABORTED', delayMs: 60_000 }],
	['web page', { after: 'work', text: '<html>' }],
	['cut off', { after: 'work', text: '{"status":"compl' }],
	['empty', { after: 'work', text: '' }],
];

it.each(transient)('bears five failed looks in a row: %s', async (_name, fault) => {
	const waiting = new Waiting({ fault: failing('poll', 5, fault, 2) });
	expect(await waiting.outcomes(one)).toMatchObject([{ kind: 'done' }]);
	expect(waiting.service.counts.start).toBe(1);
});

it.each(transient)('ends with an error that has the id at the sixth: %s', async (_name, fault) => {
	const waiting = new Waiting({ durationMs: () => 600_000, fault: failing('poll', 6, fault, 2) });
	const [outcome] = await waiting.outcomes(one);
	expect(outcome).toMatchObject({
		kind: 'error',
		id: 'job-0',
		state: 'processing',
		uncertain: false,
	});
	expect(waiting.service.counts).toEqual({ start: 1, poll: 8 });
});

it('counts failures in a row only', async () => {
	const waiting = new Waiting({
		durationMs: () => 120_000,
		fault: ({ kind, count }) => (kind === 'poll' && count % 6 !== 5 ? { after: 'nothing', status: 503 } : undefined),
	});
	expect(await waiting.outcomes(one)).toMatchObject([{ kind: 'done' }]);
});

it.each([401, 402, 403, 400])('does not repeat a check that is answered with %i', async (status) => {
	const waiting = new Waiting({ fault: failing('poll', 1, { after: 'nothing', status }) });
	expect(await waiting.outcomes(one)).toMatchObject([{ kind: 'error', id: 'job-0' }]);
	expect(waiting.service.counts.poll).toBe(1);
});

it('keeps failed looks within the deadline and says what went wrong last', async () => {
	const waiting = new Waiting({ fault: failing('poll', 99, { after: 'nothing', status: 503 }) });
	const [outcome] = await waiting.outcomes([researchTask(0, { maxWaitMs: 10_000 })]);
	expect(outcome).toMatchObject({ kind: 'unfinished', id: 'job-0', state: 'unknown' });
	expect(outcome).toHaveProperty('trouble', expect.stringContaining('The last check failed'));
	expect(waiting.time.now()).toBeLessThan(11_000);
});

const ambiguous: Array<[string, Fault]> = [
	['500 before the work', { after: 'nothing', status: 500 }],
	['500 after the work', { after: 'work', status: 500 }],
	['503', { after: 'work', status: 503 }],
	['408', { after: 'work', status: 408 }],
	['reset', { after: 'work', code: 'ECONNRESET' }],
	['no answer', { after: 'work', code: 'ECONNABORTED', delayMs: 60_000 }],
	['web page', { after: 'work', text: '<html>' }],
	['cut off', { after: 'work', text: '{"id":"job' }],
	['no id', { after: 'work', text: '{"success":true}' }],
	['an id that is none', { after: 'work', text: '{"id":"../../x"}' }],
];

it.each(ambiguous)('never repeats a start that may have arrived: %s', async (_name, fault) => {
	const waiting = new Waiting({ fault: failing('start', 99, fault) });
	const [outcome] = await waiting.outcomes(one);
	expect(outcome).toMatchObject({ kind: 'error', uncertain: true, failure: { reached: 'maybe' } });
	expect(waiting.told).toEqual(['uncertain 0']);
	await waiting.time.pass(3_600_000);
	expect(waiting.service.counts.start).toBe(1);
	expect(waiting.isIdle).toBe(true);
});

it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'CERT_HAS_EXPIRED'])(
	'repeats a start that never arrived five times, where the service has answered before: %s',
	async (code) => {
		const fault: Fault = { after: 'nothing', code };
		const lucky = new Waiting({ fault: failing('start', 5, fault) });
		await answered(lucky);
		expect(await lucky.outcomes(one)).toMatchObject([{ kind: 'done' }]);
		expect([lucky.service.counts.start, lucky.service.jobs.size]).toEqual([6, 1]);

		const unlucky = new Waiting({ fault: failing('start', 99, fault) });
		await answered(unlucky);
		expect(await unlucky.outcomes(one)).toMatchObject([{ kind: 'error', uncertain: false }]);
		expect([unlucky.service.counts.start, unlucky.told]).toEqual([6, []]);
		expect(unlucky.isIdle).toBe(true);
	},
);

it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'CERT_HAS_EXPIRED'])(
	'gives up within five seconds where nobody has answered at all: %s',
	async (code) => {
		const waiting = new Waiting({ fault: failing('start', 99, { after: 'nothing', code }) });
		const tasks = Array.from({ length: 30 }, (_unused, item) => researchTask(item));
		const outcomes = await waiting.outcomes(tasks);
		expect(outcomes.every(({ kind }) => kind === 'error')).toBe(true);
		expect(waiting.time.now()).toBeLessThan(5000);
		expect(waiting.isIdle).toBe(true);

		const lucky = new Waiting({ fault: failing('start', 2, { after: 'nothing', code }) });
		expect(await lucky.outcomes(one)).toMatchObject([{ kind: 'done' }]);
	},
);

it.each([400, 401, 402, 403, 404])('says that a start answered with %i was not started', async (status) => {
	const waiting = new Waiting({ fault: failing('start', 1, { after: 'nothing', status }) });
	expect(await waiting.outcomes(one)).toMatchObject([{ kind: 'error', uncertain: false }]);
	expect([waiting.service.counts.start, waiting.told]).toEqual([1, []]);
});

it('gives the service’s reason for a job that failed', async () => {
	const waiting = new Waiting({ endState: () => 'failed' });
	expect(await waiting.outcomes(one)).toMatchObject([{ kind: 'failed', id: 'job-0', state: 'failed' }]);
});

const attached = (id: string) => researchTask(0, { known: { id, ageMs: 60_000 } });

it('takes up a job that is known instead of starting one', async () => {
	const waiting = new Waiting();
	waiting.service.addJob('old', 'job 0', 5000);
	expect(await waiting.outcomes([attached('old')])).toMatchObject([{ kind: 'done', id: 'old' }]);
	expect([waiting.service.counts.start, waiting.told]).toEqual([0, []]);
	expect(waiting.isIdle).toBe(true);
});

it('starts a known job again, once, when the service does not know it any more', async () => {
	const waiting = new Waiting();
	expect(await waiting.outcomes([attached('old')])).toMatchObject([{ kind: 'done', id: 'job-0' }]);
	expect(waiting.told).toEqual(['gone 0 old', 'started 0 job-0']);
	expect(waiting.isIdle).toBe(true);

	const forgetful = new Waiting({
		fault: ({ kind }) => (kind === 'poll' ? { after: 'nothing', status: 404 } : undefined),
	});
	const [outcome] = await forgetful.outcomes([attached('old')]);
	expect(errorOf(outcome)).toContain('The service does not know it');
	expect(forgetful.told).toEqual(['gone 0 old', 'started 0 job-0']);
});

it('does not start again for a 404 that is no word of the service', async () => {
	const waiting = new Waiting({
		fault: failing('poll', 1, { after: 'nothing', status: 404, text: '<html>' }),
	});
	expect(await waiting.outcomes([attached('old')])).toMatchObject([{ kind: 'error', id: 'old' }]);
	expect(waiting.service.counts.start).toBe(0);
});

it('waits for a job it has just started through many a 404, and starts no other one', async () => {
	const waiting = new Waiting({
		fault: failing('poll', 9, { after: 'nothing', status: 404, text: '{"error":"Job not found"}' }),
	});
	expect(await waiting.outcomes(one)).toMatchObject([{ kind: 'done', id: 'job-0' }]);
	expect(waiting.service.counts.start).toBe(1);
});
