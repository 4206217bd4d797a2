import fc from 'fast-check';

import { MAX_CHECKS, MAX_RUNNING, jobsToCheck, withoutOldest } from '../../nodes/WebDataPollTrigger/marks/jobMark';
import type { WaitingJob } from '../../nodes/WebDataPollTrigger/marks/jobMark';

const jobs = (name: string, count: number, more: Partial<WaitingJob> = {}): WaitingJob[] =>
	Array.from({ length: count }, (_, at) => {
		const startedAt = new Date(Date.UTC(2026, 0, 1, 0, 0, at)).toISOString();
		return { id: `${name}-${at}`, endpoint: 'agent', target: '', startedAt, ...more };
	});
const idsOf = (all: readonly WaitingJob[]): string[] => all.map(({ id }) => id);

it('each poll checks new jobs, those that were checked longest ago, and all that were there before', () => {
	const running = jobs('running', 500, { isChecked: true });
	const old = jobs('old', 600, { isOld: true });
	const checked = idsOf(jobsToCheck([...running, ...old, ...jobs('new', 200)]));
	expect(checked).toHaveLength(MAX_CHECKS + 600);
	expect([checked[0], checked[79], checked[80], checked[99]]).toEqual(['new-0', 'new-79', 'running-0', 'running-19']);
	expect(checked.slice(100)).toEqual(idsOf(old));
});

it('checks no job twice, and all where they are few', () => {
	const some = fc.array(fc.record({ isOld: fc.boolean(), isChecked: fc.boolean() }), { maxLength: MAX_CHECKS });
	fc.assert(
		fc.property(some, (all) => {
			const waiting = all.map(({ isOld, isChecked }, at): WaitingJob => {
				const job = { id: `${at}`, endpoint: 'crawl', target: '', startedAt: '' };
				return { ...job, ...(isOld && { isOld }), ...(isChecked && { isChecked }) };
			});
			expect(idsOf(jobsToCheck(waiting)).sort()).toEqual(idsOf(waiting).sort());
		}),
	);
});

it('of too many jobs that run the oldest are given up, and none that was not checked', () => {
	const running = jobs('running', MAX_RUNNING + 12, { isChecked: true });
	const { kept, givenUp } = withoutOldest([...jobs('new', 500), ...running]);
	expect(kept).toHaveLength(MAX_RUNNING + 500);
	expect(idsOf(givenUp)).toEqual(idsOf(running.slice(0, 12)));
});
