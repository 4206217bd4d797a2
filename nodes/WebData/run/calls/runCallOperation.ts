import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { runCalls } from '../../../service/limits/runCalls';
import type { ServiceClient } from '../../../service/limits/client';
import { asFailure } from '../../../service/http/failure';
import type { ServiceFailure } from '../../../service/http/failure';
import { REQUEST_TIMEOUT_MS } from '../../../service/http/transport';
import type { JsonObject, ServiceRequest } from '../../../service/http/transport';
import type { CallAnswer, CallOperation, ItemDraft } from '../../operation/operation';
import { failedCall, isLastingRefusal, RECALL_RETRIES, withoutResult } from './callFailure';
import type { AskedCall } from './callFailure';
import { withinCap } from './creditCap';
import { planCall } from './planCall';
import type { CallPlan } from './planCall';
import { RunNotes } from '../output/runNotes';
import { addCredits } from '../../operation/webPage';
import { leftHints, plainHints } from '../output/hints';
import { callHints } from './callHints';
import { errorItem, runError } from '../output/itemError';
import type { ItemFailure } from '../output/itemError';
import { LinkedFiles } from '../output/linkedFiles';
import { itemsOfDrafts } from '../output/outputItem';
import { noteCallAnswer } from './answerNotes';
import { PaidCalls } from './paidCalls';
import { isToolCall, keepsFailedItems } from '../input/parameters';

/**
 * Carries out a call operation: one request for each input item, side by side, results in input order.
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

	private readonly drafts = new Map<number, ItemDraft[]>();

	private readonly failures = new Map<number, ItemFailure>();

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
		for (let item = 0; item < count; item++) this.plan(item);
		this.keepToCap();
		this.throwItemFailure();
		await this.send();
		this.throwItemFailure();
		const output = await this.toOutput(count);
		this.addHints();
		this.paidCalls.forget(this.plans, output);
		return output;
	}

	private plan(item: number): void {
		try {
			this.plans.push(planCall(this.ctx, this.operation, item));
		} catch (error) {
			this.note(item, asFailure(error));
		}
	}

	/** Sends nothing when it may cost more than the user allows. */
	private keepToCap(): void {
		const { plans, tooMuch, notCounted } = withinCap(this.operation, this.plans, this.paidCalls);
		const sent = new Set(plans);
		for (const plan of this.plans.filter((one) => !sent.has(one))) {
			this.failures.set(plan.item, { item: plan.item, kind: 'badInput', message: tooMuch ?? '' });
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
		this.recalled = this.drafts.size;
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
			timeoutMs: this.operation.timeoutMs?.(plan.sent) ?? REQUEST_TIMEOUT_MS,
			...(request !== plan.request && { retries: RECALL_RETRIES }),
		}));
		const failed = (index: number, failure: ServiceFailure) => {
			const call = calls[index];
			if (!call || isHandled(call, failure)) return false;
			this.note(call.plan.item, failure, call.plan);
			return !this.continues;
		};
		const answered = (index: number, body: JsonObject) => {
			const call = calls[index];
			if (!call || this.accept(call, body)) return;
			const failure = withoutResult(body, this.client.baseUrl);
			if (!isHandled(call, failure)) this.note(call.plan.item, failure, call.plan);
		};
		const events = { answered, failed };
		await runCalls(tasks, events, this.client).catch(this.endRun);
	}

	/**
	 * Makes the items at once, so that a thousand answers are not kept beside them. False when the answer
	 * holds no result.
	 */
	private accept({ plan, request }: CallToSend, body: JsonObject): boolean {
		const { item, sent, values } = plan;
		const answer: CallAnswer = { body, sent, values, asText: this.asText };
		const failed = this.operation.failureIn?.(answer);
		if (failed) {
			this.failures.set(item, { item, kind: 'job', ...failed });
			return true;
		}
		const drafts = this.operation.toItems(answer);
		if (!drafts) return false;
		this.drafts.set(item, noteCallAnswer(this.notes, this.operation, answer, drafts));
		const used = this.operation.usage?.read(answer);
		this.amount += used?.amount ?? 0;
		if (request !== plan.request) return true;
		this.paidCalls.remember(plan, body);
		this.credits = addCredits(this.credits, used?.credits);
		this.paid += 1;
		return true;
	}

	/** `plan` is what was asked for, where that could be read. */
	private note(item: number, failure: ServiceFailure, plan = NOT_PLANNED): void {
		this.failures.set(item, { item, ...failedCall(failure, this.operation, plan) });
	}

	/** Without "continue on error" the first item that failed stops the run. */
	private throwItemFailure(): void {
		if (this.continues || this.failures.size === 0) return;
		const [first] = [...this.failures.values()].sort((left, right) => left.item - right.item);
		if (first) throw runError(this.ctx, first, []);
	}

	private async toOutput(count: number): Promise<INodeExecutionData[]> {
		const drafts = [...this.drafts].flatMap(([item, own]) => own.map((draft) => ({ draft, item })));
		const { ctx, client } = this;
		const files = new LinkedFiles(ctx, client);
		const made = await itemsOfDrafts({ ctx, client, files }, drafts).catch(this.endRun);
		return Array.from({ length: count }, (_unused, item) => {
			const itemFailure = this.failures.get(item);
			return itemFailure ? [errorItem(ctx, itemFailure)] : (made.get(item) ?? []);
		}).flat();
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
		const items = this.ctx.getInputData().length;
		const throttledSeconds = this.client.throttled.seconds;
		const failed = this.failures.size;
		const counts = { items, failed, recalled, refusedRecalls };
		this.ctx.addExecutionHints(
			...callHints({ unit, amount, credits, throttledSeconds, ...counts }),
			...notes.hints(),
			...plainHints(this.notCounted),
			...leftHints(this.paidCalls.left),
		);
	}
}
