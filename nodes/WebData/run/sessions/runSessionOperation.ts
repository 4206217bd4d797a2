import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { executionStopped } from '../../../service/http/failure';
import { MAX_SLEEP_MS } from '../../../service/limits/client';
import type { ServiceClient } from '../../../service/limits/client';
import { sessionRegister } from '../../../service/sessions/sessionRegister';
import type { SessionOperation, SessionStory } from '../../operation/operation';
import { isRetryComing, keepsFailedItems } from '../input/parameters';
import { plainHints } from '../output/hints';
import { errorItem, runError } from '../output/itemError';
import type { ItemFailure } from '../output/itemError';
import { resultJson } from '../output/outputItem';
import { RunNotes } from '../output/runNotes';
import { closeEarlier, closeLeft } from './earlierSessions';
import { OneSession } from './oneSession';
import type { SessionRun } from './sessionRun';
import { SessionMemory } from './sessionMemory';
import { planSessions } from './sessionPlan';
import type { SessionPlan } from './sessionPlan';
import { stoppedText } from './sessionTexts';
import { SessionTotals } from './sessionTotals';

/**
 * Carries out a session operation: a session for each input item, side by side as the plan allows. However
 * it ends, no session is left open that is not put out; what cannot be closed is kept for a retry.
 */
export async function runSessionOperation(
	ctx: IExecuteFunctions,
	operation: SessionOperation,
	client: ServiceClient,
): Promise<INodeExecutionData[]> {
	return await new SessionOperationRun(ctx, operation, client).run();
}

/** Longest time that a stopped execution goes on to close its sessions, in milliseconds. */
const WIND_DOWN_MS = 4500;

class SessionOperationRun {
	private readonly shared: SessionRun;

	private readonly abandon = new AbortController();

	private readonly sessions = new Map<SessionPlan, OneSession>();

	private readonly stories = new Map<number, SessionStory>();

	private readonly failures = new Map<number, ItemFailure>();

	private readonly continues: boolean;

	private isOver = false;

	constructor(
		private readonly ctx: IExecuteFunctions,
		private readonly operation: SessionOperation,
		private readonly client: ServiceClient,
	) {
		const register = sessionRegister(client.limits);
		this.shared = {
			operation,
			client,
			register,
			memory: new SessionMemory(ctx, register),
			totals: new SessionTotals(operation.usage),
			abandoned: this.abandon.signal,
		};
		this.continues = keepsFailedItems(ctx);
	}

	async run(): Promise<INodeExecutionData[]> {
		const { plans, failures, notCounted } = planSessions(this.ctx, this.operation);
		for (const failure of failures) this.failures.set(failure.item, failure);
		try {
			void this.watchStop();
			await this.bringToEnd(plans);
			const output = this.toOutput(plans);
			this.handOver(output);
			this.addHints(notCounted);
			return output;
		} finally {
			this.isOver = true;
			this.shared.memory.endTry();
		}
	}

	/** Without "continue on error" one item that failed ends the run. */
	private get isFailed(): boolean {
		return !this.continues && this.failures.size > 0;
	}

	/** Nothing more is wanted as soon as the execution is stopped, whatever is waited for. */
	private async watchStop(): Promise<void> {
		const { client } = this;
		while (!this.isOver && !client.stopped) await client.time.sleep(MAX_SLEEP_MS / 2);
		this.abandon.abort();
	}

	/** Throws when the execution was stopped or an item has failed, when all that can be closed is closed. */
	private async bringToEnd(plans: SessionPlan[]): Promise<void> {
		const { shared, client } = this;
		const atOnce = Math.min(plans.length, plans[0]?.atOnce ?? 1);
		let next = 0;
		const lane = async () => {
			for (let plan = plans[next++]; plan && !shared.abandoned.aborted; plan = plans[next++]) {
				await this.live(plan);
			}
		};
		const work = async () => {
			await closeEarlier(this.ctx, this.ctx.getInputData().length, shared);
			if (this.isFailed) return;
			await Promise.all(Array.from({ length: atOnce }, lane));
			if (!client.stopped) await closeLeft(shared.memory.unclear, shared);
		};
		await Promise.race([work(), this.stopGrace()]);
		if (client.stopped || this.isFailed) await this.closeAll();
		if (client.stopped) throw this.stoppedError();
		this.throwItemFailure();
	}

	private async live(plan: SessionPlan): Promise<void> {
		const session = new OneSession(plan, this.shared);
		this.sessions.set(plan, session);
		const outcome = await session.live();
		const { item } = plan;
		if (outcome.kind === 'left') {
			await session.close();
		} else if (outcome.kind === 'failed') {
			this.failures.set(item, { item, ...outcome.failure });
			if (this.isFailed) this.abandon.abort();
		} else {
			this.stories.set(item, outcome.story);
		}
	}

	/** Ends a while after Stop: an opening that is never answered must not hold the execution. */
	private async stopGrace(): Promise<void> {
		const { client } = this;
		while (!this.isOver && !client.stopped) await client.time.sleep(MAX_SLEEP_MS);
		if (!this.isOver) await client.time.sleep(WIND_DOWN_MS - MAX_SLEEP_MS);
	}

	private async closeAll(): Promise<void> {
		const closing = Promise.all([...this.sessions.values()].map(async (one) => await one.close()));
		const { client } = this;
		if (!client.stopped) await closing;
		else await Promise.race([closing, client.time.sleep(MAX_SLEEP_MS)]);
	}

	private stoppedError() {
		const { kind, message } = executionStopped('maybe');
		const { totals, memory } = this.shared;
		const text = stoppedText(totals.closedIds, memory.openIds, memory.unclear.length);
		return runError(this.ctx, { item: 0, kind, message: message + text }, []);
	}

	private throwItemFailure(): void {
		if (!this.isFailed) return;
		const [first] = [...this.failures.values()].sort((left, right) => left.item - right.item);
		if (first) throw runError(this.ctx, first, []);
	}

	private toOutput(plans: SessionPlan[]): INodeExecutionData[] {
		const output: INodeExecutionData[] = [];
		const planned = new Set(plans.map(({ item }) => item));
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

	/** Sessions that are put out open are others' from now on, unless n8n runs the node again all the same. */
	private handOver(output: INodeExecutionData[]): void {
		const { shared, ctx, operation } = this;
		if (operation.steps) return;
		const isRepeated = isRetryComing(ctx, output);
		for (const [{ item }, session] of this.sessions) {
			if (!this.stories.has(item)) continue;
			shared.totals.putOut += 1;
			session.handOver(isRepeated);
		}
	}

	private addHints(notCounted: string | undefined): void {
		const { ctx, client, failures, shared, stories } = this;
		const notes = new RunNotes();
		for (const { opened, answers, closed = {} } of stories.values()) {
			for (const answer of [opened, ...answers, closed]) notes.noteAnswer(answer);
		}
		ctx.addExecutionHints(
			...shared.totals.hints(ctx, failures.size, client.throttled.seconds),
			...notes.hints(),
			...plainHints(notCounted),
		);
	}
}

function withoutResult(item: number): ItemFailure {
	const message = 'The service answered without what was asked for.';
	return { item, kind: 'notJson', message };
}
