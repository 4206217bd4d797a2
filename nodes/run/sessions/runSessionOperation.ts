import type { INodeExecutionData } from 'n8n-workflow';
import type { SessionOperation, SessionStory } from '../../operation/operation';
import type { ServiceClient } from '../../service/client';
import { executionStopped } from '../../service/http/failure';
import { MAX_SLEEP_MS, sleep, waitAtMost } from '../../service/http/time';
import type { RunContext } from '../connection/runContext';
import { stoppedText } from '../errors/sessionErrors';
import { unexpectedError } from '../errors/unexpectedError';
import { isRetryComing, keepsFailedItems } from '../input/readFields';
import { isAfterCrash } from '../ledger/crash';
import { CreditAccount } from '../ledger/creditAccount';
import { errorItem, runError } from '../output/itemError';
import type { ItemFailure } from '../output/itemError';
import { Notes } from '../output/notes';
import { resultJson } from '../output/outputItem';
import { SessionRecords, SessionTotals, closeEarlier } from './sessionRecords';
import type { Session, SessionPlan, SessionRun } from './sessionRecords';
import { closeOnce, liveSession, planSessions } from './sessionSteps';

/**
 * Carries out a session operation: a session for each input item, side by side as the plan allows. However
 * it ends, no session is left open that is not returned; what cannot be closed is kept for a retry.
 */
export async function runSessionOperation(
	ctx: RunContext,
	operation: SessionOperation,
	client: ServiceClient,
): Promise<INodeExecutionData[]> {
	return await new SessionOperationRun(ctx, operation, client).run();
}

/** Longest time that a stopped execution continues to close its sessions, in milliseconds. */
const WIND_DOWN_MS = 4500;

const AFTER_CRASH =
	'n8n was ended while this node ran. A session that was open then ends by itself when its Idle Limit is over; Browser · Get Many Sessions lists what is open.';

class SessionOperationRun {
	private readonly plans: SessionPlan[];

	private readonly shared: SessionRun;

	private readonly notCounted: string | undefined;

	private readonly abandon = new AbortController();

	private readonly sessions: Session[] = [];

	private readonly stories = new Map<number, SessionStory>();

	private readonly failures = new Map<number, ItemFailure>();

	private readonly continues: boolean;

	/** Aborted at the end of the run. */
	private readonly over = new AbortController();

	constructor(
		private readonly ctx: RunContext,
		private readonly operation: SessionOperation,
		private readonly client: ServiceClient,
	) {
		const account = new CreditAccount(ctx, operation.worstCase);
		const { plans, failures, notCounted } = planSessions(ctx, operation, account);
		for (const failure of failures) this.failures.set(failure.item, failure);
		this.plans = plans;
		this.notCounted = notCounted;
		this.shared = {
			operation,
			client,
			records: new SessionRecords(ctx, account, client.account),
			totals: new SessionTotals(operation.usage),
			account,
			abandoned: AbortSignal.any([this.abandon.signal, client.stopSignal]),
		};
		this.continues = keepsFailedItems(ctx);
	}

	async run(): Promise<INodeExecutionData[]> {
		try {
			await this.bringToEnd();
			const output = this.toOutput();
			this.handOver(output);
			this.addHints();
			return output;
		} catch (error) {
			throw await this.crashed(error);
		} finally {
			this.over.abort();
			this.shared.records.endTry();
			this.shared.account.release();
		}
	}

	/** Without "continue on error" one item that failed ends the run. */
	private get isFailed(): boolean {
		return !this.continues && this.failures.size > 0;
	}

	/** Throws when the execution was stopped or an item has failed, when all that can be closed is closed. */
	private async bringToEnd(): Promise<void> {
		const { client } = this;
		await Promise.race([this.work(), this.stopGrace()]);
		if (client.stopped) {
			await this.closeAll();
			throw this.stoppedError();
		}
		this.throwItemFailure();
	}

	private async work(): Promise<void> {
		const { shared, plans } = this;
		// The smallest number that an item allows: an expression may give each another number.
		const atOnce = plans.reduce((least, plan) => Math.min(least, plan.atOnce), plans.length);
		let next = 0;
		const worker = async () => {
			for (let plan = plans[next++]; plan && !shared.abandoned.aborted; plan = plans[next++]) {
				await this.live(plan);
			}
		};
		await closeEarlier(shared);
		// All of them, so that no session is opened any more when the sessions of a failed run are closed.
		const ends = await Promise.allSettled(Array.from({ length: this.isFailed ? 0 : atOnce }, worker));
		for (const end of ends) if (end.status === 'rejected') throw end.reason;
		if (this.isFailed) await this.closeAll();
	}

	private async live(plan: SessionPlan): Promise<void> {
		const session: Session = { plan };
		this.sessions.push(session);
		const outcome = await liveSession(session, this.shared).catch((error: unknown) => {
			this.abandon.abort();
			throw error;
		});
		const { item } = plan;
		if (outcome.kind === 'left') {
			await closeOnce(session, this.shared);
		} else if (outcome.kind === 'failed') {
			this.failures.set(item, { item, ...outcome.failure });
			if (this.isFailed) this.abandon.abort();
		} else {
			this.stories.set(item, outcome.story);
		}
	}

	/** Ends a while after Stop: an opening that is never answered must not hold the execution. */
	private async stopGrace(): Promise<void> {
		const { client, over } = this;
		await sleep(client.time, Infinity, AbortSignal.any([client.stopSignal, over.signal]));
		await sleep(client.time, WIND_DOWN_MS, over.signal);
	}

	private async closeAll(): Promise<void> {
		const closing = Promise.all(this.sessions.map(async (one) => await closeOnce(one, this.shared)));
		const { client } = this;
		if (!client.stopped) await closing;
		else await waitAtMost(client.time, MAX_SLEEP_MS, closing);
	}

	private stoppedError() {
		const { kind, message } = executionStopped({ mayHaveExecuted: true });
		return runError(this.ctx, { item: 0, kind, message: message + this.leftText }, []);
	}

	/** Closes the sessions when something unexpected is thrown. */
	private async crashed(error: unknown): Promise<Error> {
		this.abandon.abort();
		// The first error is reported. The open ids show that it also kept sessions from being closed.
		await this.closeAll().catch(() => undefined);
		return unexpectedError(this.ctx.getNode(), error, { text: this.leftText.trim() });
	}

	private get leftText(): string {
		const { totals, records } = this.shared;
		return stoppedText(totals.closedIds, records.openIds, records.unconfirmedOpenings);
	}

	private throwItemFailure(): void {
		const { firstFailure } = this;
		if (!this.isFailed || !firstFailure) return;
		const text = isAfterCrash(this.ctx) ? ` ${AFTER_CRASH}` : '';
		throw runError(this.ctx, { ...firstFailure, message: firstFailure.message + text }, []);
	}

	private get firstFailure(): ItemFailure | undefined {
		return [...this.failures.values()].sort((left, right) => left.item - right.item)[0];
	}

	private toOutput(): INodeExecutionData[] {
		const output: INodeExecutionData[] = [];
		const planned = new Set(this.plans.map(({ item }) => item));
		for (let item = 0; item < this.ctx.getInputData().length; item++) {
			const story = this.stories.get(item);
			const draft = story && this.operation.toItem(story);
			const failure = this.failures.get(item);
			if (draft) output.push({ json: resultJson(draft.json), pairedItem: { item } });
			else if (failure) output.push(errorItem(this.ctx, failure));
			else if (planned.has(item)) output.push(errorItem(this.ctx, withoutResult(item)));
		}
		return output;
	}

	/** Sessions that are returned open are others' from now on, unless n8n runs the node again all the same. */
	private handOver(output: INodeExecutionData[]): void {
		const { shared, ctx, operation } = this;
		if (operation.steps) return;
		const isRepeated = isRetryComing(ctx, output);
		for (const session of this.sessions) {
			if (!this.stories.has(session.plan.item)) continue;
			shared.totals.putOut += 1;
			shared.records.handedOver(session, isRepeated);
			session.lease?.end('unwatched');
		}
	}

	private addHints(): void {
		const { ctx, notCounted, client, failures, shared, stories } = this;
		const notes = new Notes();
		for (const { opened, answers, closed = {} } of stories.values()) {
			for (const answer of [opened, ...answers, closed]) notes.addRemarks(answer);
		}
		const items = ctx.getInputData().length;
		shared.totals.tell(notes, { items, failed: failures.size, throttledSeconds: client.throttled.seconds });
		notes.say('notCounted', notCounted);
		if (isAfterCrash(ctx)) notes.say('killedRun', AFTER_CRASH);
		ctx.addExecutionHints(...notes.hints());
	}
}

function withoutResult(item: number): ItemFailure {
	const message = 'The service answered without what was asked for.';
	return { item, kind: 'notJson', message };
}
