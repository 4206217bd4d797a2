import { FairQueue } from '../../nodes/service/limits/fairQueue';
import { BackoffRegistry } from '../../nodes/service/limits/backoffRegistry';
import { Progress } from '../../nodes/service/limits/activityTracker';
import { StartLimiter } from '../../nodes/service/limits/startLimiter';
import type { Ticket } from '../../nodes/service/limits/startLimiter';
import { ThrottleMeter } from '../../nodes/service/limits/throttleMeter';

interface Place {
	owner: string;
	name: string;
}

/** A queue of places with names: `a1` is the first of the owner a. */
class Names {
	readonly queue = new FairQueue<Place>();

	readonly places = new Map<string, Place>();

	add(...names: string[]): this {
		for (const name of names) {
			const place = this.places.get(name) ?? { owner: name.charAt(0), name };
			this.places.set(name, place);
			this.queue.add(place);
		}
		return this;
	}

	take(): Place {
		const place = this.queue.take();
		if (!place) throw new Error('Nobody waits');
		return place;
	}

	/** The next turns, all of which come to something. */
	used(count: number): string {
		return Array.from({ length: count }, () => {
			const place = this.take();
			this.queue.used(place);
			return place.name;
		}).join(' ');
	}
}

describe('whose turn it is', () => {
	it('is decided by the turns that are under way as well', () => {
		const names = new Names().add('a1', 'a2', 'a3', 'a4', 'a5');
		const underWay = [names.take(), names.take(), names.take()];
		names.add('b1', 'b2');
		expect([names.take().name, names.take().name]).toEqual(['b1', 'b2']);
		for (const place of underWay) names.queue.used(place);
		expect(names.take().name).toBe('a4');
	});

	it('is that of the place which joined first, where all have had the same', () => {
		const names = new Names().add('a1', 'b1', 'c1');
		for (const name of ['a1', 'b1']) {
			const place = names.take();
			expect(place.name).toBe(name);
			names.queue.giveBack(place);
			if (name === 'b1') names.add('b1', 'a1');
		}
		expect(names.used(3)).toBe('a1 b1 c1');
	});

	it('is not that of one who went away and comes back with what he has had', () => {
		const names = new Names().add('a1', 'b1', 'b2', 'c1', 'c2');
		expect(names.used(1)).toBe('a1');
		const next = names.take();
		names.queue.giveBack(next);
		names.add(next.name, 'a2');
		expect(names.used(4)).toBe('b1 c1 b2 c2');
	});

	it.each(['used', 'giveBack', 'remove'] as const)(
		'starts over for all when nobody waits any more: the last one ends by %s',
		(end) => {
			const names = new Names().add('a1', 'a2', 'a3');
			names.used(2);
			if (end === 'remove') names.queue.remove({ owner: 'a', name: 'unknown' });
			const last = names.places.get('a3');
			if (!last) throw new Error('It is there');
			if (end === 'remove') names.queue.remove(last);
			else names.queue[end](names.take());
			names.add('a4', 'b1');
			expect(names.used(2)).toBe('a4 b1');
		},
	);

	it('does not begin again while a turn is under way', () => {
		const names = new Names().add('a1', 'a2', 'a3', 'b1');
		expect(names.used(3)).toBe('a1 b1 a2');
		const underWay = names.take();
		names.add('a4', 'b2');
		names.queue.used(underWay);
		expect(names.used(2)).toBe('b2 a4');
	});

	it('is nobody’s where nobody waits', () => {
		expect(new FairQueue<Place>().take()).toBeUndefined();
	});
});

describe('the queue of starts', () => {
	/** Starts of two executions, and the order in which they go. */
	function starts() {
		const pauses = new BackoffRegistry();
		const progress = new Progress();
		const queue = new StartLimiter(pauses, 'crawl', progress);
		const gone: string[] = [];
		const ticketOf = (owner: string): Ticket => ({ owner, go: () => gone.push(owner) });
		return { pauses, progress, queue, gone, ticketOf };
	}

	it('takes a start that was accepted and a job that has ended for movements', () => {
		const { progress, queue, ticketOf } = starts();
		const ticket = ticketOf('a');
		queue.enqueue(ticket, 100);
		expect(progress.lastActivityMs(0, 900)).toBe(0);
		queue.accepted(ticket, 200);
		expect(progress.lastActivityMs(0, 900)).toBe(200);
		queue.ended(300);
		expect(progress.lastActivityMs(0, 900)).toBe(300);
		queue.joined();
		queue.left();
		expect(progress.lastActivityMs(0, 900)).toBe(300);
	});

	it.each(['accepted', 'refused', 'notStarted'] as const)(
		'has nothing against anybody when all is over: the last start was %s',
		(end) => {
			const { pauses, queue, gone, ticketOf } = starts();
			for (let count = 0; count < 3; count++) {
				const ticket = ticketOf('a');
				queue.enqueue(ticket, 0);
				if (end === 'accepted') queue.accepted(ticket, 0);
				else queue[end](ticket);
				if (end === 'accepted') queue.ended(0);
			}
			expect(queue.idle).toBe(true);
			gone.splice(0);
			pauses.refused('crawl', 0, 5000, 0);
			queue.enqueue(ticketOf('a'), 1);
			queue.enqueue(ticketOf('b'), 1);
			queue.pump(5000);
			queue.pump(5001);
			expect(gone[0]).toBe('a');
		},
	);

	it('gives the next turn to the execution that has had the fewest', () => {
		const { queue, gone, ticketOf } = starts();
		const tickets = Array.from({ length: 12 }, () => ticketOf('a'));
		for (const ticket of tickets) queue.enqueue(ticket, 0);
		queue.enqueue(ticketOf('b'), 0);
		expect(gone).toEqual(Array(10).fill('a'));
		// It came to nothing, so it does not count; but nine are under way.
		if (tickets[0]) queue.notStarted(tickets[0]);
		queue.pump(0);
		expect(gone.at(-1)).toBe('b');
	});

	it('learns nothing of jobs that came one by one: ten go at once after a hundred of them', () => {
		const { queue, gone, ticketOf } = starts();
		for (let count = 0; count < 100; count++) {
			const ticket = ticketOf('a');
			queue.enqueue(ticket, count);
			queue.accepted(ticket, count);
			queue.ended(count);
		}
		gone.splice(0);
		for (let count = 0; count < 20; count++) queue.enqueue(ticketOf('a'), 100);
		expect(gone).toHaveLength(10);
	});

	it('lets one more go when all ten places were used, and no more where nobody waits for them', () => {
		const { queue, gone, ticketOf } = starts();
		const tickets = Array.from({ length: 10 }, () => ticketOf('a'));
		for (const ticket of tickets) queue.enqueue(ticket, 0);
		for (const ticket of tickets) queue.accepted(ticket, 0);
		for (let count = 0; count < 5; count++) queue.enqueue(ticketOf('a'), 0);
		expect(gone).toHaveLength(11);
	});

	it('opens a place with each start that is accepted while others wait', () => {
		const { queue, gone, ticketOf } = starts();
		const tickets = Array.from({ length: 40 }, () => ticketOf('a'));
		for (const ticket of tickets) queue.enqueue(ticket, 0);
		for (const ticket of tickets.slice(0, 10)) queue.accepted(ticket, 0);
		expect(gone).toHaveLength(20);
	});

	it('after a refusal, grows by the end of a job only where all places were used', () => {
		const { pauses, queue, gone, ticketOf } = starts();
		const tickets = Array.from({ length: 5 }, () => ticketOf('a'));
		for (const ticket of tickets) queue.enqueue(ticket, 0);
		for (const ticket of tickets.slice(0, 4)) queue.accepted(ticket, 0);
		const [last = ticketOf('a')] = tickets.slice(4);
		pauses.refused('crawl', 0, 5000, 0);
		queue.refused(last);
		// Four at once; of these three ends the first alone finds all places used.
		for (let count = 0; count < 3; count++) queue.ended(6000);
		gone.splice(0);
		for (let count = 0; count < 9; count++) queue.enqueue(ticketOf('b'), 6000);
		expect(gone).toHaveLength(3);
	});

	it('tries nothing in a pause that somebody else was told to keep', () => {
		const { pauses, queue, gone, ticketOf } = starts();
		pauses.refused('crawl', 0, 5000, 0);
		queue.enqueue(ticketOf('a'), 0);
		queue.pump(4999);
		expect(gone).toEqual([]);
		queue.pump(5000);
		expect(gone).toEqual(['a']);
	});

	it('tries once at its limit when a pause is over, not twice in the same', () => {
		const { pauses, queue, gone, ticketOf } = starts();
		const [first, second] = [ticketOf('a'), ticketOf('a')];
		queue.enqueue(first, 0);
		queue.accepted(first, 0);
		queue.enqueue(second, 0);
		pauses.refused('crawl', 0, 5000, 0);
		queue.refused(second);
		queue.enqueue(second, 0);
		gone.splice(0);
		queue.pump(5000);
		expect(gone).toEqual(['a']);
		pauses.refused('crawl', 5000, 5000, 0);
		queue.refused(second);
		queue.enqueue(second, 5000);
		queue.pump(9999);
		expect(gone).toEqual(['a']);
		queue.pump(10_000);
		expect(gone).toEqual(['a', 'a']);
	});
});

it('counts the time in which anything was held, from whenever that began', () => {
	let nowMs = 100_000;
	const time = {
		now: () => nowMs,
		wallClock: () => 0,
		random: () => 0,
		sleep: async () => undefined,
	};
	const meter = new ThrottleMeter(time);
	const [first, second] = [{}, {}];
	meter.hold(first);
	nowMs += 4000;
	expect(meter.seconds).toBe(4);
	meter.hold(second);
	nowMs += 4000;
	meter.release(second);
	expect(meter.seconds).toBe(8);
	meter.release(first);
	nowMs += 60_000;
	expect(meter.seconds).toBe(8);
	meter.hold(second);
	nowMs += 2000;
	expect(meter.seconds).toBe(10);
});
