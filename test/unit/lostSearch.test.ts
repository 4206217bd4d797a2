import { ServiceFailure } from '../../nodes/service/http/failure';
import type { JobTask, LostStart, LostStartFinding } from '../../nodes/service/jobs/jobTask';
import { StartRecovery } from '../../nodes/service/jobs/startRequest';
import { noEvents, researchTask } from './researchTask.ts';

const failure = new ServiceFailure({ kind: 'connection', reached: 'maybe', message: 'Unclear.' });
const lost = (startsWhenMissing: boolean) => ({
	sinceMs: 0,
	lostAt: 0,
	startsWhenMissing,
	failure,
});
const LOSS = { sentMs: 500, lostMs: 900, isFresh: true };
const MISSING: LostStartFinding = { kind: 'none', isProof: true };
const found: LostStartFinding = { kind: 'found', id: 'its', ageMs: 0, evidence: 'options' };

function searchOf(more: Partial<JobTask>) {
	const told: number[] = [];
	const events = { ...noEvents, onStartedAgain: ({ item }: JobTask) => told.push(item) };
	const asked: LostStart[] = [];
	const findLost = async (start: LostStart) => {
		asked.push(start);
		return await Promise.resolve(found);
	};
	const task = researchTask(7, more);
	return { search: new StartRecovery(task, { events, findLost }), told, asked, task };
}

it('asks the lists for what was sent, and has their word', async () => {
	const { search, asked, task } = searchOf({});
	expect(await search.find(LOSS)).toBe(found);
	expect(asked).toEqual([{ kind: task.kind, start: task.start, ...LOSS }]);
});

it('knows nothing of what was not sent, or where there is nobody to ask', async () => {
	const { search, asked, task } = searchOf({});
	const unasked = new StartRecovery(task, { events: noEvents });
	expect(await unasked.find(LOSS)).toEqual({ kind: 'unknown' });
	const { start, ...rest } = task;
	expect(start).toBeDefined();
	const findLost = () => Promise.resolve(found);
	const unsent = new StartRecovery<JobTask>(rest, { events: noEvents, findLost });
	expect(await unsent.find(LOSS)).toEqual({ kind: 'unknown' });
	expect(search.mayStartAgain).toBe(false);
	expect(asked).toEqual([]);
});

it.each([
	['nobody wants that', {}, false],
	['the job is known', { known: { id: 'x', ageMs: 0 }, lost: lost(true) }, false],
	['it is to be started when it is missing', { lost: lost(true) }, true],
	['it is not, even when it is missing', { lost: lost(false) }, false],
	['the user wants it', { startsAgain: true }, true],
	[
		'the user wants it, though the job is known',
		{ startsAgain: true, known: { id: 'x', ageMs: 0 } },
		true,
	],
] as Array<[string, Partial<JobTask>, boolean]>)(
	'where %s, a start that was not found is sent again or not',
	(_what, more, isSent) => {
		const { search } = searchOf(more);
		expect(search.mayStartAgain).toBe(isSent);
		expect(search.startsAgain(MISSING)).toBe(isSent);
		expect(search.startsAgain(MISSING)).toBe(false);
	},
);

it('sends nothing again where one of those that are listed may be it', () => {
	const { search } = searchOf({ startsAgain: true });
	expect(search.startsAgain({ kind: 'several', ids: ['x'] })).toBe(false);
	expect(search.startsAgain(MISSING)).toBe(true);
});

it('tells of a start that may be paid twice, and of no other', () => {
	const proven = searchOf({ lost: lost(true) });
	expect(proven.search.startsAgain(MISSING)).toBe(true);
	expect(proven.told).toEqual([]);
	const wished = searchOf({ startsAgain: true });
	expect(wished.search.startsAgain({ kind: 'unknown' })).toBe(true);
	expect(wished.told).toEqual([7]);
	const unproven = searchOf({ lost: lost(true) });
	expect(unproven.search.startsAgain({ kind: 'none', isProof: false })).toBe(false);
	const untold = new StartRecovery(researchTask(0, { startsAgain: true }), { events: noEvents });
	expect(untold.startsAgain(MISSING)).toBe(true);
});
