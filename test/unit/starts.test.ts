import fc from 'fast-check';

import { StartsModel } from './startsModel.ts';
import type { Step } from './startsModel.ts';

const pick = fc.nat(20);
const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 4, arbitrary: fc.record({ kind: fc.constant('enqueue' as const) }) },
	{ weight: 4, arbitrary: fc.record({ kind: fc.constant('accept' as const), pick }) },
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant('refuse' as const),
			pick,
			retryAfterMs: fc.option(fc.constantFrom(0, 500, 5000, 60_000), { nil: undefined }),
		}),
	},
	{ weight: 3, arbitrary: fc.record({ kind: fc.constant('end' as const) }) },
	{ weight: 3, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.nat(40_000) }) },
	{
		weight: 1,
		arbitrary: fc.record({ kind: fc.constantFrom('leave' as const, 'join' as const) }),
	},
	{
		weight: 1,
		arbitrary: fc.record({ kind: fc.constant('fail' as const), pick }),
	},
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('withdraw' as const), pick }) },
);
const steps = fc.array(step, { maxLength: 120 });

function played(all: Step[]): StartsModel {
	const model = new StartsModel();
	for (const one of all) model.step(one);
	return model;
}

it('keeps the order of tickets, also of refused ones, and tries one at a time in a pause', () => {
	fc.assert(
		fc.property(steps, (all) => {
			expect(played(all).broken).toEqual([]);
		}),
		{ numRuns: 1000 },
	);
});

it('always moves on: with nothing in flight and no pause, what waits is sent', () => {
	fc.assert(
		fc.property(steps, (all) => {
			const model = played(all);
			for (let turn = 0; model.trying.length > 0 && turn < 1000; turn++) {
				model.step({ kind: 'fail', pick: 0 });
			}
			for (let turn = 0; model.running > 0 && turn < 1000; turn++) model.step({ kind: 'end' });
			if (model.waiting.length === 0) return;
			model.step({ kind: 'pass', ms: 1_000_000 });
			expect(model.trying.length).toBeGreaterThan(0);
		}),
		{ numRuns: 1000 },
	);
});

it('counts right: after everything has ended nothing is in flight', () => {
	fc.assert(
		fc.property(steps, (all) => {
			const model = played(all);
			const isEmpty = () => model.waiting.length + model.trying.length + model.running === 0;
			expect(model.queue.idle).toBe(isEmpty());
			for (let turn = 0; !isEmpty() && turn < 1000; turn++) {
				model.step({ kind: 'pass', ms: 1_000_000 });
				model.step({ kind: 'accept', pick: 0 });
				model.step({ kind: 'end' });
			}
			expect([isEmpty(), model.queue.idle]).toEqual([true, true]);
		}),
	);
});

/** Lets a service with room for so many jobs answer everything that is on its way. */
function answerAll(model: StartsModel, room: number): void {
	// A plan of 60 and a few hundred starts need no more; for ever is too much.
	for (let answers = 0; model.trying.length > 0 && answers < 1000; answers++) {
		if (model.running < room) model.step({ kind: 'accept', pick: 0 });
		else model.step({ kind: 'refuse', pick: 0, retryAfterMs: undefined });
	}
}

it('finds the room that a plan has, whatever happened before, and keeps it filled', () => {
	fc.assert(
		fc.property(steps, fc.integer({ min: 1, max: 60 }), (all, room) => {
			const model = played(all);
			for (let count = 0; count < 200; count++) model.enqueue();
			for (let turn = 0; turn < 200; turn++) {
				if (model.running > room) model.step({ kind: 'end' });
				answerAll(model, room);
				model.step({ kind: 'pass', ms: 31_000 });
			}
			answerAll(model, room);
			expect(model.running).toBe(room);
			model.step({ kind: 'end' });
			answerAll(model, room);
			expect(model.running).toBe(room);
		}),
		{ numRuns: 200 },
	);
});

function withWaiting(count: number): StartsModel {
	const model = new StartsModel();
	for (let number = 0; number < count; number++) model.enqueue();
	return model;
}

it('starts with ten at once, and one more with each that is accepted', () => {
	const model = withWaiting(50);
	expect(model.trying).toHaveLength(10);
	model.step({ kind: 'accept', pick: 0 });
	expect([model.running, model.trying.length]).toEqual([1, 10]);
	for (let count = 0; count < 9; count++) model.step({ kind: 'accept', pick: 0 });
	expect([model.running, model.trying.length]).toEqual([10, 10]);
});

it.each([0, 1, 3, 9])('takes what is in flight for the limit after a refusal: %i', (room) => {
	const model = withWaiting(50);
	answerAll(model, room);
	model.step({ kind: 'pass', ms: 999 });
	expect(model.trying).toHaveLength(0);
	model.step({ kind: 'pass', ms: 1 });
	expect(model.trying.map(({ number }) => number)).toEqual([room]);
	// One job of many that ends is not yet room for a second try beside the first.
	if (room > 1) model.step({ kind: 'end' });
	expect(model.trying).toHaveLength(1);
});

it('tries the next when a job ends, also in a pause, and one more while they are accepted', () => {
	const model = withWaiting(50);
	answerAll(model, 3);
	model.step({ kind: 'end' });
	expect([model.isPaused, model.trying.length]).toEqual([true, 1]);
	model.step({ kind: 'accept', pick: 0 });
	expect([model.running, model.trying.length]).toEqual([3, 1]);
	model.step({ kind: 'refuse', pick: 0, retryAfterMs: undefined });
	expect(model.trying).toHaveLength(0);
});

it('does not forget that a job ended while a start was on its way that is then refused', () => {
	const model = withWaiting(50);
	answerAll(model, 3);
	model.step({ kind: 'pass', ms: 1000 });
	expect(model.trying).toHaveLength(1);
	model.step({ kind: 'end' });
	model.step({ kind: 'refuse', pick: 0, retryAfterMs: 60_000 });
	expect([model.isPaused, model.trying.length]).toEqual([true, 1]);
});

it('tries again beyond the limit when the try broke off and so proved nothing', () => {
	const model = withWaiting(50);
	answerAll(model, 3);
	model.step({ kind: 'pass', ms: 1000 });
	model.step({ kind: 'fail', pick: 0 });
	model.step({ kind: 'pass', ms: 1000 });
	expect(model.trying).toHaveLength(1);
	answerAll(model, 7);
	expect(model.running).toBe(7);
});

it('grows by one with as many ends as the limit is', () => {
	const model = withWaiting(5);
	for (let count = 0; count < 4; count++) model.step({ kind: 'accept', pick: 0 });
	model.step({ kind: 'refuse', pick: 0, retryAfterMs: 60_000 });
	model.step({ kind: 'withdraw', pick: 0 });
	for (let count = 0; count < 5; count++) {
		model.step({ kind: 'end' });
		model.step({ kind: 'join' });
	}
	for (let count = 0; count < 4; count++) model.step({ kind: 'leave' });
	model.step({ kind: 'pass', ms: 61_000 });
	for (let count = 0; count < 20; count++) model.enqueue();
	expect(model.trying).toHaveLength(5);
});

it('waits for answers alone before the first refusal, however many jobs of earlier tries run', () => {
	const joins = fc.array(fc.record({ kind: fc.constant('join' as const) }), { maxLength: 30 });
	fc.assert(
		fc.property(joins, steps, (joined, all) => {
			const model = played([...joined, ...all.filter(({ kind }) => kind !== 'refuse')]);
			if (model.waiting.length > 0) expect(model.trying.length).toBeGreaterThan(0);
		}),
		{ numRuns: 1000 },
	);
});
