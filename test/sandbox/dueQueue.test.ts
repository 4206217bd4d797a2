import fc from 'fast-check';

import { dueQueue } from '../../sandbox/jobs/dueQueue.ts';

it('gives out what is due, earliest first, and nothing that is not', () => {
	fc.assert(
		fc.property(
			fc.array(fc.integer({ min: 0, max: 100 })),
			fc.integer({ min: 0, max: 100 }),
			(times, nowMs) => {
				const due = dueQueue<number>();
				for (const [index, dueAtMs] of times.entries()) due.add(dueAtMs, index);
				const taken: number[] = [];
				for (let next = due.takeDue(nowMs); next; next = due.takeDue(nowMs)) {
					expect(times[next.entry]).toBe(next.dueAtMs);
					taken.push(next.dueAtMs);
				}
				expect(taken).toEqual(
					times.filter((time) => time <= nowMs).sort((left, right) => left - right),
				);
			},
		),
	);
});
