import fc from 'fast-check';

import { givenUpJobs } from '../../nodes/WebDataPollTrigger/events/jobFinished';
import {
	MAX_CHECKS,
	MAX_RUNNING,
	hasSeenAnyOf,
	jobsToCheck,
	withNewJobs,
	withoutOldest,
} from '../../nodes/WebDataPollTrigger/marks/jobMark';
import type { WaitingJob } from '../../nodes/WebDataPollTrigger/marks/jobMark';

const jobs = (name: string, count: number, more: Partial<WaitingJob> = {}): WaitingJob[] =>
	Array.from({ length: count }, (_, at) => {
		const startedAt = new Date(Date.UTC(2026, 0, 1, 0, 0, at)).toISOString();
		return { id: `${name}-${at}`, endpoint: 'agent', target: '', startedAt, ...more };
	});
const idsOf = (all: readonly WaitingJob[]): string[] => all.map(({ id }) => id);

it('jobs that run for ever leave room for new ones', () => {
	const running = jobs('running', MAX_RUNNING, { isChecked: true });
	const mark = { since: { agent: '' }, known: {}, waiting: running };
	const [job] = jobs('new', 1);
	const { waiting } = withNewJobs(mark, 'agent', job ? [job] : []);
	expect(waiting).toHaveLength(MAX_RUNNING + 1);
});

it('a list has a job that was seen before, or has none', () => {
	const seen = jobs('seen', 3);
	const mark = withNewJobs({ since: { agent: '' }, known: {}, waiting: [] }, 'agent', seen);
	expect(hasSeenAnyOf(mark, 'agent', [...jobs('other', 5), ...seen.slice(2)])).toBe(true);
	expect(hasSeenAnyOf(mark, 'agent', jobs('other', 5))).toBe(false);
	expect(hasSeenAnyOf(mark, 'crawl', seen)).toBe(false);
	expect(hasSeenAnyOf(mark, 'agent', [])).toBe(false);
});

it('each poll checks new jobs, the newest that run, and in turn the others', () => {
	const running = jobs('running', 500, { isChecked: true });
	const checked = idsOf(jobsToCheck([...running, ...jobs('new', 200)]));
	expect(checked).toHaveLength(MAX_CHECKS);
	expect(checked.slice(0, 5)).toEqual(['new-0', 'new-1', 'new-2', 'new-3', 'running-0']);
	for (const name of ['new-79', 'running-9', 'running-490']) expect(checked).toContain(name);
});

it('each poll checks all jobs that were there before the first one, beside the others', () => {
	const old = jobs('old', 600, { isOld: true });
	const checked = idsOf(jobsToCheck([...old, ...jobs('new', 200)]));
	expect(checked).toHaveLength(600 + MAX_CHECKS);
	expect(checked.slice(0, 4)).toEqual(['old-0', 'new-0', 'old-1', 'new-1']);
});

it('checks no job twice, and all where they are few', () => {
	const some = fc.array(fc.record({ isOld: fc.boolean(), isChecked: fc.boolean(), second: fc.nat(9) }), {
		maxLength: MAX_CHECKS,
	});
	fc.assert(
		fc.property(some, (all) => {
			const waiting = all.map(({ isOld, isChecked, second }, at): WaitingJob => {
				const startedAt = `2026-01-01T00:00:0${second}.000Z`;
				const job = { id: `${at}`, endpoint: 'crawl', target: '', startedAt };
				return { ...job, ...(isOld && { isOld }), ...(isChecked && { isChecked }) };
			});
			const checked = idsOf(jobsToCheck(waiting));
			expect(checked.sort()).toEqual(idsOf(waiting).sort());
		}),
	);
});

it('of too many jobs that run the oldest are given up and named, and none that was not checked', () => {
	const running = jobs('running', MAX_RUNNING + 12, { isChecked: true });
	const { kept, givenUp } = withoutOldest([...jobs('new', 500), ...running]);
	expect(kept).toHaveLength(MAX_RUNNING + 500);
	expect(idsOf(givenUp).sort()).toEqual(idsOf(running.slice(0, 12)).sort());
	const { message } = givenUpJobs(idsOf(givenUp)) ?? { message: '' };
	expect(message).toMatch(/1000 jobs .* \(running-\d+, .* and others\)/);
	expect(givenUpJobs([])).toBeUndefined();
});
