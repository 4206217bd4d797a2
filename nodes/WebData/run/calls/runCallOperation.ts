import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { runCalls } from '../../../service/limits/runCalls';
import type { ServiceClient } from '../../../service/limits/client';
import { asFailure } from '../../../service/http/failure';
import type { ServiceFailure } from '../../../service/http/failure';
import { REQUEST_TIMEOUT_MS } from '../../../service/http/transport';
import type { JsonObject, ServiceRequest } from '../../../service/http/transport';
import type { CallAnswer, CallOperation } from '../../operation/operation';
import { failedCall, isLastingRefusal, RECALL_RETRIES, withoutResult } from './callFailure';
import type { AskedCall } from './callFailure';
import { withinCap } from './creditCap';
import { noteFiles, uploadTimeMs, withoutFile } from './fileNotes';
import { Outcomes } from './outcomes';
import type { Place } from './outcomes';
import { planCalls } from './planCall';
import type { CallPlan } from './planCall';
import { RunNotes } from '../output/runNotes';
import { addCredits } from '../../operation/webPage';
import { leftHints, plainHints } from '../output/hints';
import { callHints } from './callHints';
import { runError } from '../output/itemError';
import { noteCallAnswer } from './answerNotes';
import { PaidCalls } from './paidCalls';
import { isToolCall, keepsFailedItems } from '../input/parameters';

/**
 * Carries out a call operation: one request for each input item, or for each file of it, side by side,
 * results in input order.
 * All items' input is checked before the first request.
 */
export async function runCallOperation(
	ctx: IExecuteFunctions,
	operation: CallOperation,
	client: ServiceClient,
): Promise<INodeExecutionData[]> {
	return await new CallOperationRun(ctx, operation, client).run();
}

/** A plan, and what is sent for it: its own request, or one for an answer that is paid for. */
interface CallToSend {
	plan: CallPlan;
	request: ServiceRequest;
}

const NOT_PLANNED: AskedCall = { values: {}, sent: {} };

class CallOperationRun {
	private plans: CallPlan[] = [];

	private readonly outcomes = new Outcomes();

	private readonly continues: boolean;

	private readonly asText: boolean;

	private readonly notes = new RunNotes();

	private amount = 0;

	/** Answers of this try, and what the service says that they cost, if it says it of all. */
	private paid = 0;

	private credits: number | undefined = 0;

	private readonly paidCalls: PaidCalls;

	/** How many answers of an earlier try were collected. */
	private recalled = 0;

	/** Why the others were not, one for each. */
	private readonly refusedRecalls: string[] = [];

	/** What Max Credits does not hold for. */
	private notCounted: string | undefined;

	constructor(
		private readonly ctx: IExecuteFunctions,
		private readonly operation: CallOperation,
		private readonly client: ServiceClient,
	) {
		this.continues = keepsFailedItems(ctx);
		this.asText = isToolCall(ctx);
		this.paidCalls = new PaidCalls(ctx, operation, client.baseUrl);
	}

	async run(): Promise<INodeExecutionData[]> {
		const count = this.ctx.getInputData().length;
		for (let item = 0; item < count; item++) await this.plan(item);
		const { paidCalls, plans, client } = this;
		await paidCalls.takeTurn(plans, async () => await client.pauseOrStop()).catch(this.endRun);
		try {
			this.keepToCap();
			this.throwItemFailure();
			await this.send();
		} finally {
			paidCalls.endTurn();
		}
		this.throwItemFailure();
		const output = await this.outcomes.toOutput(this.ctx, this.client).catch(this.endRun);
		this.notes.noteOutput(output);
		this.addHints();
		this.paidCalls.forget(this.plans, output);
		return output;
	}

	private async plan(item: number): Promise<void> {
		try {
			const { calls, leftOut } = await planCalls(this.ctx, this.operation, item);
			this.plans.push(...calls);
			if (calls.length === 0 && this.asText) throw withoutFile(item);
			noteFiles(this.notes, item, calls.length, leftOut);
		} catch (error) {
			this.note({ item, part: 0 }, asFailure(error));
		}
	}

	/** Sends nothing when it may cost more than the user allows. */
	private keepToCap(): void {
		const { plans, tooMuch, notCounted } = withinCap(this.operation, this.plans, this.paidCalls);
		const sent = new Set(plans);
		for (const plan of this.plans.filter((one) => !sent.has(one))) {
			this.outcomes.fail(plan, { kind: 'badInput', message: tooMuch ?? '' });
		}
		this.plans = plans;
		this.notCounted = notCounted;
	}

	/** First what an earlier try has paid for; what cannot be had from there is asked for anew. */
	private async send(): Promise<void> {
		const paid: CallToSend[] = [];
		const unpaid: CallToSend[] = [];
		for (const plan of this.plans) {
			const request = this.paidCalls.recall(plan);
			if (request) paid.push({ plan, request });
			else unpaid.push({ plan, request: plan.request });
		}
		await this.sendAll(paid, ({ plan }, failure) => {
			if (!isLastingRefusal(failure)) return false;
			this.refusedRecalls.push(failure.message);
			unpaid.push({ plan, request: plan.request });
			return true;
		});
		this.recalled = this.outcomes.answered;
		this.throwItemFailure();
		await this.sendAll(unpaid, () => false);
	}

	/** `isHandled` says of a failure that it does not fail its item. */
	private async sendAll(
		calls: CallToSend[],
		isHandled: (call: CallToSend, failure: ServiceFailure) => boolean,
	): Promise<void> {
		const tasks = calls.map(({ request, plan }) => ({
			request,
			timeoutMs:
				(this.operation.timeoutMs?.(plan.sent) ?? REQUEST_TIMEOUT_MS) + uploadTimeMs(request),
			...(request !== plan.request && { retries: RECALL_RETRIES }),
		}));
		const failed = (index: number, failure: ServiceFailure) => {
			const call = calls[index];
			if (!call || isHandled(call, failure)) return false;
			this.note(call.plan, failure, call.plan);
			return !this.continues;
		};
		const answered = (index: number, body: JsonObject) => {
			const call = calls[index];
			if (!call || this.accept(call, body)) return;
			const failure = withoutResult(body, this.client.baseUrl);
			if (!isHandled(call, failure)) this.note(call.plan, failure, call.plan);
		};
		const events = { answered, failed };
		await runCalls(tasks, events, this.client).catch(this.endRun);
	}

	/**
	 * Makes the items at once, so that a thousand answers are not kept beside them. False when the answer
	 * holds no result.
	 */
	private accept({ plan, request }: CallToSend, body: JsonObject): boolean {
		const { sent, values, file } = plan;
		const answer: CallAnswer = { body, sent, values, file, asText: this.asText };
		const failed = this.operation.failureIn?.(answer);
		if (failed) {
			this.outcomes.fail(plan, { kind: 'job', ...failed });
			return true;
		}
		const drafts = this.operation.toItems(answer);
		if (!drafts) return false;
		this.outcomes.succeed(plan, noteCallAnswer(this.notes, this.operation, answer, drafts));
		const used = this.operation.usage?.read(answer);
		this.amount += used?.amount ?? 0;
		if (request !== plan.request) return true;
		this.paidCalls.remember(plan, body);
		this.credits = addCredits(this.credits, used?.credits);
		this.paid += 1;
		return true;
	}

	/** `asked` is what was asked for, where that could be read. */
	private note(place: Place, failure: ServiceFailure, asked: AskedCall = NOT_PLANNED): void {
		this.outcomes.fail(place, failedCall(failure, this.operation, asked));
	}

	/** Without "continue on error" the first item that failed stops the run. */
	private throwItemFailure(): void {
		const { firstFailure } = this.outcomes;
		if (!this.continues && firstFailure) throw runError(this.ctx, firstFailure, []);
	}

	/** What ends the run for all items: it was stopped. */
	private readonly endRun = (error: unknown): never => {
		const { kind, message } = asFailure(error);
		throw runError(this.ctx, { item: 0, kind, message }, []);
	};

	private addHints(): void {
		const { unit } = this.operation.usage ?? {};
		const { amount, recalled, refusedRecalls, notes } = this;
		const credits = this.paid === 0 ? undefined : this.credits;
		const { failed, answered } = this.outcomes;
		const throttledSeconds = this.client.throttled.seconds;
		const counts = { items: failed + answered, failed, recalled, refusedRecalls };
		this.ctx.addExecutionHints(
			...callHints({ unit, amount, credits, throttledSeconds, ...counts }),
			...notes.hints(),
			...plainHints(this.notCounted),
			...leftHints(this.paidCalls.left),
		);
	}
}
