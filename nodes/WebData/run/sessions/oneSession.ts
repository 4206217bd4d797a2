import type { JsonObject } from '../../../service/http/transport';
import { closeSession } from '../../../service/sessions/closeSession';
import type { Closing } from '../../../service/sessions/closeSession';
import { openSession } from '../../../service/sessions/openSession';
import type { SessionStory } from '../../operation/operation';
import type { ItemFailure } from '../output/itemError';
import { sessionCharge } from './sessionPlan';
import type { SessionPlan } from './sessionPlan';
import type { SessionRun } from './sessionRun';
import { doSteps } from './sessionSteps';
import { closedText, openingFailed } from './sessionTexts';

/** `left`: nothing more was wanted before it came to its end. */
export type SessionOutcome =
	| { kind: 'done'; story: SessionStory }
	| { kind: 'failed'; failure: Omit<ItemFailure, 'item'> }
	| { kind: 'left' };

/** The session of one item, from its opening to its closing, which comes whatever happens. */
export class OneSession {
	/** Its name in the memory, from the moment its opening is sent. */
	key: string | undefined;

	private id: string | undefined;

	private closing: Promise<Closing> | undefined;

	constructor(
		private readonly plan: SessionPlan,
		private readonly run: SessionRun,
	) {}

	/** Opens it, does what is to be done in it, closes it. Throws no ServiceFailure. */
	async live(): Promise<SessionOutcome> {
		const { steps } = this.run.operation;
		const opening = await this.open();
		if (opening.kind !== 'open') return opening;
		const { id, opened } = opening;
		const story = { id, opened, answers: [], steps: this.plan.steps, closed: undefined };
		if (!steps) return { kind: 'done', story };
		const answers: JsonObject[] = [];
		const failed = await doSteps(id, this.plan.steps, answers, this.run);
		const closing = await this.close();
		if (failed === 'left') return { kind: 'left' };
		const { idleSeconds } = this.run.operation;
		if (failed) {
			const text = closedText(id, closing, idleSeconds(this.plan.sent));
			return {
				kind: 'failed',
				failure: { ...failed, message: `${failed.message.trimEnd()} ${text}` },
			};
		}
		const closed = closing?.kind === 'closed' ? closing.answer : undefined;
		return { kind: 'done', story: { ...story, answers, closed } };
	}

	/** Closes it, once, when it is open. What an opening on its way brings is closed when it is there. */
	async close(): Promise<Closing | undefined> {
		const { id, run } = this;
		if (id === undefined) return undefined;
		this.closing ??= this.closeOpen(id);
		const closing = await this.closing;
		run.client.limits.starts(this.plan.open.bucket).pump(run.client.time.now());
		return closing;
	}

	/** It belongs to others from now on. `isRepeated`: the next try of the node closes it. */
	handOver(isRepeated: boolean): void {
		const { client, memory } = this.run;
		if (isRepeated && this.key !== undefined) memory.putOut(this.key);
		else this.forget();
		this.id = undefined;
		client.limits.progress.watchEnded(client.time.now());
		client.limits.starts(this.plan.open.bucket).left();
	}

	private async open(): Promise<SessionOutcome | { kind: 'open'; id: string; opened: JsonObject }> {
		const { client, register, memory, operation, abandoned, account } = this.run;
		const { item, open, maxWaitMs } = this.plan;
		let isOverCap = false;
		const opening = await openSession(
			open,
			{
				maxWaitMs,
				isAbandoned: () => abandoned.aborted,
				mayOpenAnother: () => {
					isOverCap = account.refusal(sessionCharge(this.plan)) !== undefined;
					return !isOverCap;
				},
			},
			{
				onSending: () => {
					this.key = memory.sending(item);
					account.send(sessionCharge(this.plan));
				},
				onNothing: () => {
					this.forget();
					account.refund(this.plan);
				},
				onOpened: (id) => {
					this.id = id;
					client.limits.progress.watchBegan();
					if (this.key !== undefined) memory.opened(this.key, item, id);
				},
				onLost: () => {
					if (this.key !== undefined) memory.openingLost(this.key, item);
					this.key = undefined;
				},
			},
			register,
			client,
		);
		if (opening.kind === 'notSent') return { kind: 'left' };
		if (opening.kind === 'opened') {
			return { kind: 'open', id: opening.id, opened: opening.answer };
		}
		const { failure } = opening;
		const explained = operation.explain?.(failure);
		return { kind: 'failed', failure: openingFailed(failure, explained, isOverCap) };
	}

	private forget(): void {
		if (this.key !== undefined) this.run.memory.forget(this.key);
		this.key = undefined;
	}

	private async closeOpen(id: string): Promise<Closing> {
		const { client, totals, account, operation } = this.run;
		const closing = await closeSession(id, client);
		const now = client.time.now();
		client.limits.progress.watchEnded(now);
		const starts = client.limits.starts(this.plan.open.bucket);
		if (closing.kind === 'closed') {
			starts.ended(now);
			totals.noteClosed(id, closing.answer);
			account.settle(this.plan, operation.usage(closing.answer).credits);
			this.forget();
		} else {
			starts.left();
			totals.openIds.push(id);
		}
		return closing;
	}
}
