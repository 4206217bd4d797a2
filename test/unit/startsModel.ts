import { BackoffRegistry } from '../../nodes/service/limits/backoffRegistry';
import { Progress } from '../../nodes/service/limits/activityTracker';
import { StartLimiter } from '../../nodes/service/limits/startLimiter';
import type { Ticket } from '../../nodes/service/limits/startLimiter';

export type Step =
	| { kind: 'enqueue' | 'end' | 'leave' | 'join' }
	| { kind: 'accept'; pick: number }
	| { kind: 'fail'; pick: number }
	| { kind: 'withdraw'; pick: number }
	| { kind: 'refuse'; pick: number; retryAfterMs: number | undefined }
	| { kind: 'pass'; ms: number };

type Answer = Extract<Step, { kind: 'accept' } | { kind: 'fail' } | { kind: 'refuse' }>;

interface Place {
	ticket: Ticket;
	number: number;
}

/** A start queue under test, beside plain lists of what should be waiting, on its way and running. */
export class StartsModel {
	readonly pauses = new BackoffRegistry();

	readonly queue = new StartLimiter(this.pauses, 'crawl', new Progress());

	nowMs = 1;

	waiting: Place[] = [];

	trying: Place[] = [];

	running = 0;

	refusedOnce = false;

	/** What a rule of the queue was broken by, in words. */
	readonly broken: string[] = [];

	private numbers = 0;

	get isPaused(): boolean {
		return this.nowMs < this.pauses.untilMs('crawl');
	}

	enqueue(): void {
		const number = this.numbers++;
		const place: Place = { number, ticket: { owner: 'one', go: () => this.went(place) } };
		this.put(place);
	}

	private put(place: Place): void {
		this.waiting.push(place);
		this.waiting.sort((left, right) => left.number - right.number);
		this.queue.enqueue(place.ticket, this.nowMs);
	}

	private went(place: Place): void {
		if (this.waiting[0] !== place) this.broken.push(`${place.number} went before its turn`);
		if (this.isPaused && this.trying.length > 0) this.broken.push('two on their way in a pause');
		if (this.isPaused && !this.refusedOnce) this.broken.push('a try in a pause of others');
		this.waiting = this.waiting.filter((other) => other !== place);
		this.trying.push(place);
	}

	step(step: Step): void {
		switch (step.kind) {
			case 'enqueue':
				return this.enqueue();
			case 'pass':
				this.nowMs += step.ms;
				return this.queue.pump(this.nowMs);
			case 'join':
				this.running += 1;
				return this.queue.joined();
			case 'end':
			case 'leave':
				if (this.running === 0) return;
				this.running -= 1;
				if (step.kind === 'end') this.queue.ended(this.nowMs);
				else this.queue.left();
				return this.queue.pump(this.nowMs);
			case 'withdraw': {
				const place = this.waiting[step.pick % this.waiting.length];
				if (!place) return;
				this.waiting = this.waiting.filter((other) => other !== place);
				return this.queue.withdraw(place.ticket);
			}
			default:
				return this.answer(step);
		}
	}

	private answer(step: Answer): void {
		const place = this.trying[step.pick % this.trying.length];
		if (!place) return;
		this.trying = this.trying.filter((other) => other !== place);
		if (step.kind === 'accept') {
			this.running += 1;
			this.pauses.accepted('crawl', this.nowMs);
			return this.queue.accepted(place.ticket, this.nowMs);
		}
		if (step.kind === 'fail') {
			this.queue.notStarted(place.ticket);
			return this.queue.pump(this.nowMs);
		}
		this.refusedOnce = true;
		this.pauses.refused('crawl', this.nowMs, step.retryAfterMs, 0);
		this.queue.refused(place.ticket);
		this.put(place);
	}
}
