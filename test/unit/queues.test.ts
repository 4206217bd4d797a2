import fc from 'fast-check';

import { ServiceFailure } from '../../nodes/service/http/failure';
import { AdaptiveRateLimiter } from '../../nodes/service/limits/adaptiveRateLimiter';
import type { SentCall } from '../../nodes/service/limits/adaptiveRateLimiter';
import { RequestQueue, Turn } from '../../nodes/service/limits/requestQueue';
import { FairQueue } from '../../nodes/service/limits/fairQueue';
import { BackoffRegistry } from '../../nodes/service/limits/backoffRegistry';
import { Progress } from '../../nodes/service/limits/activityTracker';
import { SharedLimits } from '../../nodes/service/limits/sharedLimits';
import { StartRegister } from '../../nodes/service/limits/startRegister';

const MINUTE_MS = 60_000;

function refusal(retryAfterMs?: number): ServiceFailure {
	return new ServiceFailure({
		kind: 'rateLimited',
		reached: 'no',
		message: 'Too many',
		httpCode: 429,
		...(retryAfterMs !== undefined && { retryAfterMs }),
	});
}

/** A queue of calls, and whose turns have come, in order. */
class Queued {
	readonly pauses = new BackoffRegistry();

	readonly progress = new Progress();

	readonly queue = new RequestQueue(this.pauses, 'scrape', this.progress);

	readonly gone: string[] = [];

	nowMs = 5000;

	add(owner: string, count = 1): Turn[] {
		return Array.from({ length: count }, () => {
			const turn = new Turn(owner);
			turn.wake = () => this.gone.push(owner);
			this.queue.enqueue(turn, this.nowMs);
			return turn;
		});
	}

	/** Tells the queue how a call ended whose turn had come. */
	end(turn: Turn | undefined, how: 'answered' | 'lost'): void {
		if (turn?.call) this.queue[how](turn, turn.call, this.nowMs);
	}

	refuse(turn: Turn | undefined, retryAfterMs?: number): void {
		this.pauses.refused('scrape', this.nowMs, retryAfterMs, 0);
		if (turn?.call) this.queue.refused(turn, turn.call, this.nowMs, refusal(retryAfterMs));
	}
}

describe('the queue of calls', () => {
	it('lets ten go at once, and the next when one is answered', () => {
		const queued = new Queued();
		const turns = queued.add('a', 12);
		expect(turns.filter(({ call }) => call)).toHaveLength(10);
		queued.end(turns[0], 'answered');
		expect(turns.filter(({ call }) => call)).toHaveLength(12);
	});

	it('gives the place of a call that was not sent after all to the next', () => {
		const queued = new Queued();
		const turns = queued.add('a', 11);
		expect(queued.gone).toHaveLength(10);
		queued.end(turns[0], 'lost');
		expect(queued.gone).toHaveLength(11);
	});

	it('forgets who had how many turns when nobody waits any more', () => {
		for (const how of ['answered', 'lost'] as const) {
			const queued = new Queued();
			for (const turn of queued.add('a', 10)) queued.end(turn, how);
			expect(queued.queue.idle).toBe(true);
			queued.pauses.refused('scrape', queued.nowMs, 2000, 0);
			queued.gone.splice(0);
			queued.add('a');
			queued.add('b');
			expect(queued.gone).toEqual([]);
			queued.queue.pump(queued.nowMs + 2000);
			expect(queued.gone).toEqual(['a', 'b']);
		}
	});

	it('counts a turn that came to something, and none that was refused', () => {
		const queued = new Queued();
		const [refused] = queued.add('a');
		queued.refuse(refused);
		const [answered] = [new Turn('b')];
		queued.queue.enqueue(answered as Turn, queued.nowMs);
		queued.nowMs += 1000;
		queued.queue.pump(queued.nowMs);
		queued.end(answered, 'answered');
		queued.gone.splice(0);
		queued.nowMs += MINUTE_MS;
		queued.pauses.refused('scrape', queued.nowMs, 2000, 0);
		queued.add('b');
		queued.add('a');
		queued.queue.pump(queued.nowMs + 2000);
		expect(queued.gone.toSorted()).toEqual(['a', 'b']);
	});

	it('never lets a call go that was taken back', () => {
		const queued = new Queued();
		queued.pauses.refused('scrape', queued.nowMs, 2000, 0);
		const [turn] = queued.add('a');
		expect(queued.queue.idle).toBe(false);
		if (turn) queued.queue.withdraw(turn);
		expect(queued.queue.idle).toBe(true);
		queued.queue.pump(queued.nowMs + 2000);
		expect(turn?.call).toBeUndefined();
	});

	it('is busy while a call is on its way, and while one waits', () => {
		const queued = new Queued();
		expect(queued.queue.idle).toBe(true);
		const [turn] = queued.add('a');
		expect(queued.queue.idle).toBe(false);
		queued.end(turn, 'answered');
		expect(queued.queue.idle).toBe(true);
	});

	it('begins a new minute when the wait is over that the service named', () => {
		const queued = new Queued();
		const [turn] = queued.add('a');
		queued.refuse(turn, 7000);
		expect(queued.queue.wakeMs(queued.nowMs)).toBe(queued.nowMs + 7000);
		expect(queued.queue.wakeMs(queued.nowMs + 7000)).toBe(Infinity);
	});

	it.each([undefined, 0])('keeps to its own minute when the wait that is named is %p', (wait) => {
		const queued = new Queued();
		const [turn] = queued.add('a');
		queued.refuse(turn, wait);
		expect(queued.queue.wakeMs(queued.nowMs)).toBe(queued.nowMs + 1000);
		expect(queued.queue.wakeMs(queued.nowMs + 1000)).toBe(queued.nowMs + 60_500);
	});

	it('is held back by a pause and by a limit that was met, and by nothing else', () => {
		const queued = new Queued();
		expect(queued.queue.isHeldBack(queued.nowMs)).toBe(false);
		const turns = queued.add('a', 11);
		expect(queued.queue.isHeldBack(queued.nowMs)).toBe(false);
		for (const turn of turns.slice(0, 9)) queued.end(turn, 'lost');
		queued.refuse(turns[9]);
		expect(queued.queue.isHeldBack(queued.nowMs)).toBe(true);
		// The pause is over, but as many calls are on their way as may be.
		expect(queued.queue.isHeldBack(queued.nowMs + 1000)).toBe(true);
		queued.end(turns[10], 'answered');
		expect(queued.queue.isHeldBack(queued.nowMs + 1000)).toBe(false);
	});

	it('is exhausted after ten minutes of refusals in which nothing has moved, not before', () => {
		const queued = new Queued();
		const sinceMs = queued.nowMs;
		expect(queued.queue.exhausted(sinceMs, sinceMs + 60 * MINUTE_MS)).toBeUndefined();
		const [turn] = queued.add('a');
		queued.nowMs = sinceMs + 10 * MINUTE_MS - 1;
		queued.refuse(turn);
		expect(queued.queue.exhausted(sinceMs, queued.nowMs)).toBeUndefined();
		queued.nowMs += 1;
		const [again] = queued.add('a');
		queued.queue.pump(queued.nowMs + 30_000);
		queued.refuse(again);
		expect(queued.queue.exhausted(sinceMs, queued.nowMs)).toMatchObject({ message: 'Too many' });
		// One that has just begun to wait waits on.
		expect(queued.queue.exhausted(queued.nowMs, queued.nowMs)).toBeUndefined();
	});

	it('takes an answer for a movement, whatever was refused before', () => {
		const queued = new Queued();
		const sinceMs = queued.nowMs;
		const [refused, answered] = queued.add('a', 2);
		queued.nowMs += 10 * MINUTE_MS;
		queued.refuse(refused);
		expect(queued.queue.exhausted(sinceMs, queued.nowMs)).toBeDefined();
		queued.end(answered, 'answered');
		expect(queued.queue.exhausted(sinceMs, queued.nowMs)).toBeUndefined();
		expect(queued.progress.lastActivityMs(sinceMs, queued.nowMs)).toBe(queued.nowMs);
	});
});

it('takes nobody else out of a queue in the place of one that is not there any more', () => {
	const queue = new FairQueue<{ owner: string }>();
	const [first, second] = [{ owner: 'a' }, { owner: 'a' }];
	queue.add(first);
	queue.add(second);
	queue.take();
	queue.remove(first);
	queue.remove({ owner: 'b' });
	expect(queue.take()).toBe(second);
});

describe('the pace of calls', () => {
	const sendAll = (pace: AdaptiveRateLimiter, nowMs: number): SentCall[] => {
		const calls: SentCall[] = [];
		while (pace.maySend(nowMs) && calls.length < 1000) calls.push(pace.sent(nowMs));
		return calls;
	};

	it('opens one more place at once with as many answers as there are places', () => {
		const pace = new AdaptiveRateLimiter();
		const calls = sendAll(pace, 0);
		for (const call of calls.splice(0, 5)) pace.refused(call, 0, undefined);
		const [first] = calls.splice(0, 1);
		if (first) pace.answered(first);
		const [probe, ...others] = sendAll(pace, 2000);
		expect(others).toEqual([]);
		// It goes through before the minute is over, so the minute was not the cause: five at once is.
		if (probe) pace.answered(probe);
		expect(sendAll(pace, 2000)).toHaveLength(1);
	});

	it('learns nothing of this minute from answers to calls of an earlier one', () => {
		const pace = new AdaptiveRateLimiter();
		const early = sendAll(pace, 0);
		for (const call of early) pace.refused(call, 0, undefined);
		const [second] = sendAll(pace, 70_000);
		if (second) pace.answered(second);
		const late = sendAll(pace, 70_000);
		const inThird = sendAll(pace, 140_000).length;
		for (const call of late) pace.answered(call);
		expect(inThird + sendAll(pace, 140_000).length).toBeLessThanOrEqual(3);
	});
});

describe('whose jobs are whose', () => {
	it('keeps fifty thousand ids, the youngest', () => {
		const register = new StartRegister();
		for (let number = 0; number <= 50_000; number++) register.know(`job-${number}`, 0);
		expect(register.isKnown('job-0')).toBe(false);
		expect(register.isKnown('job-1')).toBe(true);
		expect(register.isKnown('job-50000')).toBe(true);
	});

	it('keeps an id for two days since it was known the latest time', () => {
		const hourMs = 60 * MINUTE_MS;
		const register = new StartRegister();
		register.know('early', 0);
		register.know('again', 0);
		register.know('again', 47 * hourMs);
		register.know('late', 48 * hourMs - 1);
		expect(register.isKnown('early')).toBe(true);
		register.know('later', 48 * hourMs);
		expect(['early', 'again', 'late'].map((id) => register.isKnown(id))).toEqual([
			false,
			true,
			true,
		]);
	});

	it('tells whose an id is from whether its job exists, whatever comes first and how often', () => {
		const noted = fc.array(fc.constantFrom('know', 'noteStarted', 'startedAs' as const));
		fc.assert(
			fc.property(noted, fc.double({ min: 0, max: 1e9, noNaN: true }), (facts, nowMs) => {
				const register = new StartRegister();
				for (const fact of facts) register[fact]('id', nowMs);
				const has = (...some: string[]) => facts.some((fact) => some.includes(fact));
				expect(register.isKnown('id')).toBe(has('know', 'startedAs'));
				expect(register.isStarted('id')).toBe(has('noteStarted', 'startedAs'));
				expect(register.isInUse(nowMs)).toBe(has('know', 'startedAs'));
			}),
		);
	});

	it('counts the starts on their way that ask for the same, each once', () => {
		const register = new StartRegister();
		const start = { place: '/v2/crawl/{jobId}', target: 'https://a.example/' };
		expect(register.isUnderWay(start)).toBe(false);
		const first = register.begin(start);
		const second = register.begin(start);
		first();
		first();
		expect(register.isUnderWay(start)).toBe(true);
		expect(register.isUnderWay({ ...start, place: '/v2/agent/{jobId}' })).toBe(false);
		expect(register.isUnderWay({ ...start, target: 'https://b.example/' })).toBe(false);
		second();
		expect(register.isUnderWay(start)).toBe(false);
		register.begin(start);
		expect(register.isUnderWay(start)).toBe(true);
	});
});

describe('a standstill', () => {
	it('lasts since the last movement, or since somebody began to wait', () => {
		const progress = new Progress();
		expect(progress.lastActivityMs(100, 900)).toBe(100);
		progress.moved(300);
		expect(progress.lastActivityMs(100, 900)).toBe(300);
		expect(progress.lastActivityMs(500, 900)).toBe(500);
	});

	it('is none while a running job is watched, and begins when the last watch ends', () => {
		const progress = new Progress();
		progress.watchBegan();
		progress.watchBegan();
		progress.watchEnded(400);
		expect(progress.lastActivityMs(100, 900)).toBe(900);
		progress.watchEnded(500);
		expect(progress.lastActivityMs(100, 900)).toBe(500);
	});
});

describe('what executions share', () => {
	it('is one queue of starts and one of calls for each column of the plan', () => {
		const limits = new SharedLimits();
		expect(limits.calls('scrape')).toBe(limits.calls('scrape'));
		expect(limits.calls('scrape')).not.toBe(limits.calls('map'));
		expect(limits.starts('crawl')).toBe(limits.starts('crawl'));
		expect(limits.starts('crawl')).not.toBe(limits.starts('agent'));
	});

	it.each([
		['a pause', (limits: SharedLimits) => limits.pauses.refused('map', 0, 60_000, 0)],
		['a job that runs', (limits: SharedLimits) => limits.starts('crawl').joined()],
		['a call on its way', (limits: SharedLimits) => limits.calls('map').enqueue(new Turn('a'), 0)],
	])('is not dropped because of %s', (_name, use) => {
		const limits = new SharedLimits();
		limits.starts('agent');
		limits.calls('scrape');
		expect(limits.isIdle(0)).toBe(true);
		use(limits);
		expect(limits.isIdle(0)).toBe(false);
	});

	it('is dropped only when five hundred credentials are known', async () => {
		vi.resetModules();
		const { sharedLimits } = await import('../../nodes/service/limits/sharedLimits');
		const [first] = Array.from({ length: 500 }, (_unused, index) => sharedLimits(`q${index}`, 0));
		expect(sharedLimits('q0', 0)).toBe(first);
		sharedLimits('one more', 0);
		expect(sharedLimits('q0', 0)).not.toBe(first);
	});
});
