import fc from 'fast-check';

import { FairQueue } from '../../nodes/service/limits/fairQueue';
import type { Place } from '../../nodes/service/limits/fairQueue';

interface Numbered extends Place {
	number: number;
}

/** A queue whose places are numbered in the order in which they joined. */
class Numbers {
	readonly queue = new FairQueue<Numbered>();

	private given = 0;

	add(owner: string, count = 1): void {
		for (let place = 0; place < count; place++) this.queue.add({ owner, number: this.given++ });
	}

	take(count: number): string {
		const owners = Array.from({ length: count }, () => {
			const place = this.queue.take();
			if (place) this.queue.used(place);
			return place?.owner ?? '-';
		});
		return owners.join(' ');
	}
}

it('gives turns in turn, and the order of one owner stays', () => {
	const numbers = new Numbers();
	numbers.add('a', 3);
	numbers.add('b', 3);
	expect(numbers.take(7)).toBe('a b a b a b -');
	expect(numbers.queue.isEmpty).toBe(true);
});

it('gives one that joins late the very next turn, but not more than the others from then on', () => {
	const numbers = new Numbers();
	numbers.add('a', 100);
	numbers.take(50);
	numbers.add('b', 10);
	expect(numbers.take(6)).toBe('b a b a b a');
});

it('lets no stream of newcomers keep the others waiting', () => {
	const numbers = new Numbers();
	numbers.add('a', 100);
	numbers.take(10);
	let turnsOfA = 0;
	numbers.add('b0');
	for (let turn = 1; turn <= 50; turn++) {
		if (numbers.take(1) === 'a') turnsOfA += 1;
		else numbers.add(`b${turn}`);
	}
	expect(turnsOfA).toBeGreaterThanOrEqual(15);
});

it('does not count a turn that came to nothing, however often', () => {
	const queue = new FairQueue<Numbered>();
	for (let number = 0; number < 5; number++) queue.add({ owner: 'a', number });
	for (let turn = 0; turn < 100; turn++) {
		const place = queue.take();
		expect(place?.number).toBe(0);
		if (!place) break;
		queue.giveBack(place);
		queue.add(place);
	}
	const underWay = queue.take();
	queue.add({ owner: 'b', number: 5 });
	if (underWay) {
		queue.giveBack(underWay);
		queue.add(underWay);
	}
	const owners = Array.from({ length: 3 }, () => queue.take()?.owner);
	expect(owners).toEqual(['a', 'b', 'a']);
});

it('counts the turns that are still open, each as one', () => {
	const queue = new FairQueue<Numbered>();
	for (const owner of ['a', 'b', 'c']) {
		for (let number = 0; number < 3; number++) queue.add({ owner, number });
	}
	const taken = Array.from({ length: 9 }, () => queue.take());
	expect(taken.map((place) => place?.owner).join(' ')).toBe('a b c a b c a b c');
});

it('forgets nobody whose turn is open, when a place is taken out meanwhile', () => {
	const queue = new FairQueue<Numbered>();
	queue.add({ owner: 'a', number: 0 });
	const open = queue.take();
	const other = { owner: 'c', number: 1 };
	queue.add(other);
	queue.remove(other);
	for (let number = 2; number < 5; number++) {
		queue.add({ owner: 'a', number });
		queue.add({ owner: 'b', number });
	}
	if (open) queue.used(open);
	const taken = Array.from({ length: 4 }, () => queue.take()?.owner);
	expect(taken).toEqual(['b', 'a', 'b', 'a']);
});

it('forgets nobody whose turn is open, while others take theirs', () => {
	const queue = new FairQueue<Numbered>();
	queue.add({ owner: 'a', number: 0 });
	for (let number = 1; number < 9; number++) queue.add({ owner: 'b', number });
	const open = queue.take();
	const second = queue.take();
	const third = queue.take();
	expect([open?.owner, second?.owner, third?.owner]).toEqual(['a', 'b', 'b']);
	for (let number = 10; number < 14; number++) queue.add({ owner: 'a', number });
	// One turn of a is open, and two of b.
	const taken = Array.from({ length: 3 }, () => queue.take()?.owner);
	expect(taken).toEqual(['a', 'b', 'a']);
});

it('gives one that comes back after a while no turns for the time that it was away', () => {
	const numbers = new Numbers();
	numbers.add('a', 2);
	numbers.add('b', 40);
	numbers.add('c', 40);
	numbers.take(30);
	numbers.add('a', 10);
	const turns = numbers.take(9).split(' ');
	expect(turns.filter((owner) => owner === 'a').length).toBeLessThanOrEqual(4);
});

type Step =
	| { kind: 'add'; owner: number }
	| { kind: 'take'; isRefused: boolean }
	| { kind: 'remove'; pick: number };

const steps = fc.array(
	fc.oneof(
		{ weight: 3, arbitrary: fc.record({ kind: fc.constant('add' as const), owner: fc.nat(4) }) },
		{
			weight: 3,
			arbitrary: fc.record({ kind: fc.constant('take' as const), isRefused: fc.boolean() }),
		},
		{ weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), pick: fc.nat(50) }) },
	),
	{ maxLength: 200 },
);

/** Plays the steps; returns those that should still wait. Throws when the order of one owner is broken. */
function play(queue: FairQueue<Numbered>, all: Step[]): Set<Numbered> {
	const waiting = new Set<Numbered>();
	let given = 0;
	for (const step of all) {
		if (step.kind === 'add') {
			const place = { owner: `owner ${step.owner}`, number: given++ };
			waiting.add(place);
			queue.add(place);
		} else if (step.kind === 'remove') {
			const place = [...waiting][step.pick];
			if (place) queue.remove(place);
			if (place) waiting.delete(place);
		} else {
			const place = queue.take();
			expect(place === undefined).toBe(waiting.size === 0);
			if (!place) continue;
			const own = [...waiting].filter(({ owner }) => owner === place.owner);
			expect(place.number).toBe(Math.min(...own.map(({ number }) => number)));
			if (step.isRefused) {
				queue.giveBack(place);
				queue.add(place);
			} else {
				queue.used(place);
				waiting.delete(place);
			}
		}
	}
	return waiting;
}

it('loses no place and gives none twice, whatever joins, leaves and is refused', () => {
	fc.assert(
		fc.property(steps, (all) => {
			const queue = new FairQueue<Numbered>();
			const waiting = play(queue, all);
			const rest: Numbered[] = [];
			for (let place = queue.take(); place && rest.length < 1000; place = queue.take()) {
				rest.push(place);
			}
			expect(new Set(rest)).toEqual(waiting);
			expect(rest).toHaveLength(waiting.size);
			expect(queue.isEmpty).toBe(true);
		}),
		{ numRuns: 1000 },
	);
});

it('serves owners who all wait equally, whatever happened before: at most two turns apart', () => {
	fc.assert(
		fc.property(steps, fc.integer({ min: 1, max: 60 }), (all, turns) => {
			const queue = new FairQueue<Numbered>();
			play(queue, all);
			const owners = ['owner 0', 'owner 1', 'new 1', 'new 2'];
			for (const owner of owners) {
				for (let number = 1000; number < 1300; number++) queue.add({ owner, number });
			}
			const had = new Map(owners.map((owner) => [owner, 0]));
			for (let turn = 0; turn < turns; turn++) {
				const place = queue.take();
				if (place) queue.used(place);
				const owner = place?.owner;
				if (typeof owner === 'string') had.set(owner, (had.get(owner) ?? 0) + 1);
			}
			const counts = owners.map((owner) => had.get(owner) ?? 0);
			expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(2);
		}),
		{ numRuns: 1000 },
	);
});
