import type { INodeExecutionData } from 'n8n-workflow';
import { failureOrThrow, refusedInput } from '../../../service/http/failure';
import type { ServiceFailure } from '../../../service/http/failure';
import { Attempts, POLICIES, SHOWN_WITHIN_MS } from '../../../service/http/retry';
import { REQUEST_TIMEOUT_MS } from '../../../service/http/transport';
import type { JsonObject, ServiceRequest } from '../../../service/http/transport';
import { asksForNoRetention, needsKeyText } from '../../../service/http/withoutKey';
import { callPolicy, runCalls } from '../../../service/jobs/runCalls';
import type { Call } from '../../../service/jobs/runCalls';
import type { ServiceClient } from '../../../service/limits/client';
import { maxCreditsOf } from '../../cost/creditCap';
import type { CallAnswer, CallOperation } from '../../operation/operation';
import type { RunContext } from '../connection/runContext';
import { isToolCall, keepsFailedItems } from '../input/readFields';
import { CreditAccount } from '../ledger/creditAccount';
import { runError } from '../output/itemError';
import { Notes } from '../output/notes';
import { noteOutput } from '../output/pageNotes';
import { withKey } from './callOnce';
import { Outcomes, chargeOf, planCalls } from './callPlans';
import type { CallPlan, Place } from './callPlans';
import {
	CallSums,
	failedCall,
	isLastingRefusal,
	noteCallAnswer,
	noteFiles,
	uploadTimeMs,
	withoutFile,
	withoutResult,
} from './callTexts';
import type { AskedCall } from './callTexts';
import { PaidCalls } from './paidCalls';

/**
 * Carries out a call operation: one request for each input item, or for each file of it, side by side,
 * results in input order.
 * All items' input is checked before the first request.
 */
export async function runCallOperation(
	ctx: RunContext,
	operation: CallOperation,
	client: ServiceClient,
): Promise<INodeExecutionData[]> {
	return await new CallOperationRun(ctx, withKey(operation, client), client).run();
}

/** A plan, and what is sent for it: its own request, or one for an answer that is paid for. */
interface CallToSend {
	plan: CallPlan;
	request: ServiceRequest;
}

/** An answer of an earlier try that cannot be had, and why. */
interface RefusedRecall {
	plan: CallPlan;
	failure: ServiceFailure;
}

const NOT_PLANNED: AskedCall = { values: {}, sent: {} };

class CallOperationRun {
	private plans: CallPlan[] = [];

	private readonly outcomes = new Outcomes();

	private readonly continues: boolean;

	private readonly asText: boolean;

	private readonly notes = new Notes();

	private readonly sums: CallSums;

	private readonly paidCalls: PaidCalls;

	private readonly account: CreditAccount;

	constructor(
		private readonly ctx: RunContext,
		private readonly operation: CallOperation,
		private readonly client: ServiceClient,
	) {
		this.continues = keepsFailedItems(ctx);
		this.asText = isToolCall(ctx);
		this.sums = new CallSums(operation.usage);
		this.paidCalls = new PaidCalls(ctx, operation, client);
		this.account = new CreditAccount(ctx, operation.worstCase);
	}

	async run(): Promise<INodeExecutionData[]> {
		try {
			return await this.carryOut();
		} finally {
			this.account.release();
		}
	}

	private async carryOut(): Promise<INodeExecutionData[]> {
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
		noteOutput(this.notes, output);
		this.addHints();
		this.paidCalls.forget(this.plans, output);
		return output;
	}

	private async plan(item: number): Promise<void> {
		try {
			const { calls, leftOut } = await planCalls(this.ctx, this.operation, item);
			const isKept = this.client.isWithoutKey && calls.some(({ sent }) => asksForNoRetention(sent));
			if (isKept) throw refusedInput(needsKeyText('Zero Data Retention'));
			for (const call of calls) this.plans.push(call);
			if (calls.length === 0 && this.asText) throw withoutFile(item);
			noteFiles(this.notes, item, calls.length, leftOut);
		} catch (error) {
			this.note({ item, part: 0 }, failureOrThrow(error));
		}
	}

	/** Sends nothing when it may cost more than the user allows. */
	private keepToCap(): void {
		const unpaid = new Set(this.plans.filter((plan) => !this.paidCalls.has(plan)));
		const caps = this.plans.map(({ values }) => maxCreditsOf(values));
		const { tooMuch, notCounted } = this.account.admit([...unpaid].map(chargeOf), caps);
		this.notes.say('notCounted', notCounted);
		if (tooMuch === undefined) return;
		for (const plan of unpaid) this.outcomes.fail(plan, { kind: 'badInput', message: tooMuch });
		this.plans = this.plans.filter((plan) => !unpaid.has(plan));
	}

	/** First what an earlier try has paid for; what cannot be had from there is asked for again. */
	private async send(): Promise<void> {
		const { paidCalls, notes } = this;
		const { unit } = this.sums;
		let answeredBefore = 0;
		await paidCalls.searchEarlier(this.plans);
		const paid: CallToSend[] = [];
		const unpaid: CallToSend[] = [];
		for (const plan of this.plans) {
			const request = paidCalls.recall(plan);
			const whyNot = paidCalls.whyNotSent(plan);
			const kept = paidCalls.keptAnswer(plan);
			if (kept && this.accept({ plan, request: { ...plan.request } }, kept)) answeredBefore += 1;
			else if (request) paid.push({ plan, request });
			else if (whyNot) this.note(plan, whyNot, plan);
			else unpaid.push({ plan, request: plan.request });
		}
		for (const { plan, failure } of await this.collect(paid)) {
			const tooMuch = this.account.refusal(chargeOf(plan));
			if (tooMuch !== undefined) {
				this.outcomes.fail(plan, { kind: 'badInput', message: tooMuch });
				continue;
			}
			notes.add('notCollected', { name: failure.message, detail: unit });
			unpaid.push({ plan, request: plan.request });
		}
		notes.add('answeredBefore', { amount: answeredBefore });
		notes.add('collected', { amount: this.outcomes.answered - answeredBefore, detail: unit });
		this.throwItemFailure();
		await this.sendAll(unpaid, () => false);
	}

	/**
	 * Collects what an earlier try has paid for. Gives what cannot be had: what the service denies counts only when
	 * it does so for 15 s, since it shows an answer seconds after it was given.
	 */
	private async collect(paid: CallToSend[]): Promise<RefusedRecall[]> {
		const { client } = this;
		const attempts = new Attempts(POLICIES.collect, client.time);
		const refused: RefusedRecall[] = [];
		let left = paid;
		while (left.length > 0) {
			const denied: Array<CallToSend & RefusedRecall> = [];
			await this.sendAll(left, (call, failure) => {
				if (!isLastingRefusal(failure)) return false;
				if (failure.notFound) denied.push({ ...call, failure });
				else refused.push({ plan: call.plan, failure });
				return true;
			});
			this.throwItemFailure();
			const [first] = denied;
			const next = first && attempts.after(first.failure);
			if (typeof next !== 'object') return [...refused, ...denied];
			await client.pause(next.atMs - client.time.now());
			left = denied;
		}
		return refused;
	}

	/** `isHandled` says of a failure that it does not fail its item. */
	private async sendAll(
		calls: CallToSend[],
		isHandled: (call: CallToSend, failure: ServiceFailure) => boolean,
	): Promise<void> {
		const sent = calls.map((call) => this.callOf(call));
		const failed = (index: number, failure: ServiceFailure) => {
			const call = calls[index];
			if (!call || isHandled(call, failure)) return false;
			this.note(call.plan, failure, call.plan);
			if (failure.reached === 'no') this.account.refund(call.plan);
			return !this.continues;
		};
		const answered = (index: number, body: JsonObject) => {
			const call = calls[index];
			if (!call || this.accept(call, body)) return;
			const failure = withoutResult(body, this.client.baseUrl);
			if (!isHandled(call, failure)) this.note(call.plan, failure, call.plan);
		};
		const events = { answered, failed };
		await runCalls(sent, events, this.client).catch(this.endRun);
	}

	private callOf({ request, plan }: CallToSend): Call {
		const { operation, paidCalls } = this;
		const usualMs = operation.timeoutMs?.(plan.sent) ?? REQUEST_TIMEOUT_MS;
		const timeoutMs = usualMs + uploadTimeMs(request);
		if (request !== plan.request) return { request, timeoutMs, policy: { ...POLICIES.collect, deniedMs: 0 } };
		const sending = () => {
			// What a repeated try asks for has cost nothing yet.
			this.account.refund(plan);
			this.account.send(chargeOf(plan));
		};
		const policy = { ...callPolicy(request), deniedMs: this.deniedMs(plan) };
		return { ...paidCalls.paid(plan, timeoutMs, sending), policy };
	}

	/** So long a 404 is no word on a session that this n8n has opened. */
	private deniedMs({ values: { sessionId } }: CallPlan): number {
		if (typeof sessionId !== 'string') return 0;
		return this.client.register.isKnown(sessionId) ? SHOWN_WITHIN_MS : 0;
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
		// An empty list in it is no result: the service says that it failed.
		const drafts = body.success === false ? undefined : this.operation.toItems(answer);
		if (!drafts) return false;
		this.outcomes.succeed(plan, noteCallAnswer(this.notes, this.operation, answer, drafts));
		const isPaid = request === plan.request;
		this.sums.note(answer, isPaid, isPaid && this.paidCalls.wasAnswered(plan));
		if (isPaid) this.account.settle(plan, this.operation.usage?.read(answer).credits);
		if (isPaid) this.paidCalls.remember(plan, body);
		else this.paidCalls.noteCollected(plan);
		return true;
	}

	/** `asked` is what was asked for, where that could be read. */
	private note(place: Place, failure: ServiceFailure, asked: AskedCall = NOT_PLANNED): void {
		const lost = this.paidCalls.tell(asked);
		this.outcomes.fail(place, failedCall(failure, this.operation, asked, lost));
	}

	/** Without "continue on error" the first item that failed stops the run. */
	private throwItemFailure(): void {
		const { firstFailure } = this.outcomes;
		if (!this.continues && firstFailure) throw runError(this.ctx, firstFailure, []);
	}

	/** What ends the run for all items: it was stopped. */
	private readonly endRun = (error: unknown): never => {
		const { kind, message } = failureOrThrow(error);
		throw runError(this.ctx, { item: 0, kind, message }, []);
	};

	private addHints(): void {
		const { failed, answered } = this.outcomes;
		const throttledSeconds = this.client.throttled.seconds;
		this.sums.tell(this.notes, { items: failed + answered, failed, throttledSeconds });
		this.paidCalls.tellHints(this.notes);
		this.ctx.addExecutionHints(...this.notes.hints());
	}
}
