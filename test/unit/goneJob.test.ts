import { researchTask } from './researchTask.ts';
import { Waiting } from './waiting.ts';
import type { WaitingParts } from './waiting.ts';

const NOT_FOUND = {
	after: 'nothing',
	status: 404,
	text: '{"success":false,"error":"Deep research job not found"}',
} as const;

/** A job of an earlier try that still runs, while looks of these numbers are told that it is gone. */
async function noteAttached(lost: (look: number) => boolean, more: WaitingParts = {}) {
	const waiting = new Waiting({
		fault: ({ kind, count }) => (kind === 'poll' && lost(count) ? NOT_FOUND : undefined),
		...more,
	});
	waiting.service.addJob('old', 'job 0', 5000);
	const known = { id: 'old', ageMs: 60_000 };
	const outcomes = await waiting.outcomes([researchTask(0, { known })]);
	return { waiting, outcome: outcomes[0] };
}

it('does not pay again for a job of an earlier try that is unknown for one look only', async () => {
	const { waiting, outcome } = await noteAttached((look) => look === 0);
	expect(outcome).toMatchObject({ kind: 'done', id: 'old' });
	expect(waiting.told).toEqual([]);
	expect(waiting.service.counts.start).toBe(0);
	const [first = 0, second = 0] = waiting.timesOf('poll');
	expect(second - first).toBeGreaterThanOrEqual(1000);
	expect(second - first).toBeLessThan(1500);
});

it('asks twice each time: a look that finds the job between two that do not ends the doubt', async () => {
	const { waiting, outcome } = await noteAttached((look) => look % 2 === 0);
	expect(outcome).toMatchObject({ kind: 'done', id: 'old' });
	expect(waiting.service.counts.start).toBe(0);
});

it('starts it anew, once, when two looks in a row do not find it', async () => {
	const { waiting, outcome } = await noteAttached((look) => look < 2);
	expect(outcome).toMatchObject({ kind: 'done', id: 'job-0-2' });
	expect(waiting.told).toEqual(['gone 0 old', 'started 0 job-0-2']);
	expect(waiting.service.counts.start).toBe(1);
});

it('waits for a job that was started just now when one look does not find it', async () => {
	const waiting = new Waiting({
		fault: ({ kind, count }) => (kind === 'poll' && count === 0 ? NOT_FOUND : undefined),
	});
	expect(await waiting.outcomes([researchTask(0)])).toMatchObject([{ kind: 'done', id: 'job-0' }]);
	expect(waiting.service.counts.start).toBe(1);
});

it('gives a job that was started just now up when two looks in a row do not find it', async () => {
	const waiting = new Waiting({ fault: ({ kind }) => (kind === 'poll' ? NOT_FOUND : undefined) });
	expect(await waiting.outcomes([researchTask(0)])).toMatchObject([
		{ kind: 'error', id: 'job-0', failure: { notFound: true } },
	]);
	expect(waiting.service.counts).toEqual({ start: 1, poll: 2 });
});

it('asks once for a job that it would not start anew', async () => {
	const waiting = new Waiting({ fault: () => NOT_FOUND });
	const look = researchTask(0, { known: { id: 'old', ageMs: 0 } });
	delete look.start;
	expect(await waiting.outcomes([look])).toMatchObject([
		{ kind: 'error', id: 'old', failure: { notFound: true } },
	]);
	expect(waiting.service.counts).toEqual({ start: 0, poll: 1 });
});
