import type { INodeExecutionData } from 'n8n-workflow';
import { maxCreditsOf, refuseUnpriced } from '../../cost/creditCap';
import type { CallAnswer, CallOperation } from '../../operation/operation';
import type { ServiceClient } from '../../service/client';
import { ServiceFailure, failureOrThrow, refusedInput } from '../../service/http/failure';
import { Attempts, POLICIES, SHOWN_WITHIN_MS } from '../../service/http/retry';
import { REQUEST_TIMEOUT_MS } from '../../service/http/transport';
import type { JsonObject, ServiceRequest } from '../../service/http/transport';
import { needsKeyFor, needsKeyText } from '../../service/http/withoutKey';
import { isText } from '../../text/values';
import type { RunContext } from '../connection/runContext';
import { askedFor, failedCall, isLastingRefusal, notSentAgain, withoutFile, withoutResult } from '../errors/callErrors';
import type { AskedCall } from '../errors/callErrors';
import { isToolCall, keepsFailedItems } from '../input/readFields';
import { CreditAccount, overCapText } from '../ledger/creditAccount';
import { runError, withRefused } from '../output/itemError';
import { Notes } from '../output/notes';
import { noteOutput } from '../output/pageNotes';
import { runCalls } from '../paid/runCalls';
import type { Call } from '../paid/runCalls';
import { withKey } from './callOnce';
import {
	Outcomes,
	askingPrices,
	askingTypes,
	callCharge,
	countedBefore,
	isPaidAgain,
	mayHaveArrived,
	planCalls,
} from './callPlans';
import type { CallPlan, PlannedCall } from './callPlans';
import { CallRecords } from './callRecords';
import { CallSums, noteCallAnswer, noteFiles, uploadTimeMs } from './callSums';

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

/** A call, and what is sent for it: its own request, or one for an answer that is paid for. */
interface CallToSend {
	call: PlannedCall;
	request: ServiceRequest;
}

/** An answer of an earlier try that cannot be had, and why. */
interface RefusedRecall {
	call: PlannedCall;
	failure: ServiceFailure;
}

const NOT_PLANNED: AskedCall = { values: {}, sent: {} };

class CallOperationRun {
	private readonly plans: CallPlan[] = [];

	private calls: PlannedCall[] = [];

	private readonly outcomes = new Outcomes();

	private readonly continues: boolean;

	private readonly asText: boolean;

	private readonly notes = new Notes();

	private readonly sums: CallSums;

	private readonly records: CallRecords;

	private readonly account: CreditAccount;

	private readonly newerTypes: ReturnType<typeof askingTypes>;

	constructor(
		private readonly ctx: RunContext,
		private readonly operation: CallOperation,
		private readonly client: ServiceClient,
	) {
		this.continues = keepsFailedItems(ctx);
		this.asText = isToolCall(ctx);
		this.sums = new CallSums(operation.usage);
		this.records = new CallRecords(ctx, operation, client);
		this.account = new CreditAccount(ctx, operation.worstCase);
		this.newerTypes = askingTypes(operation, client);
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
		await this.records.inTurn(async () => {
			await this.prepare();
			this.throwItemFailure();
			await this.send();
		});
		this.throwItemFailure();
		const output = await this.outcomes.toOutput(this.ctx, this.client).catch(this.endRun);
		noteOutput(this.notes, output);
		this.addHints(output);
		return output;
	}

	private async plan(item: number): Promise<void> {
		try {
			const { calls, leftOut } = await planCalls(this.ctx, this.operation, item, this.newerTypes);
			const needed = this.client.isWithoutKey ? calls.map(({ sent }) => needsKeyFor(sent)).find(isText) : undefined;
			if (needed !== undefined) throw refusedInput(needsKeyText(needed));
			for (const { sent, values } of calls) refuseUnpriced(this.operation.worstCase, sent, maxCreditsOf(values));
			for (const call of calls) this.plans.push(call);
			if (calls.length === 0 && this.asText) throw withoutFile(item);
			noteFiles(this.notes, item, calls.length, leftOut);
		} catch (error) {
			const failed = failedCall(failureOrThrow(error), this.operation, NOT_PLANNED);
			this.outcomes.fail({ item, part: 0 }, failed);
		}
	}

	/** Sends nothing when it may cost more than the user allows. */
	private async prepare(): Promise<void> {
		const { records, plans, account } = this;
		const all = await records.take(plans).catch(this.endRun);
		const { calls, refused, tooMuch: message, notCounted } = records.admit(await this.withPrices(all), account);
		this.calls = calls;
		this.notes.say('notCounted', notCounted);
		if (refused.length > 0) this.notes.say('overCap', message);
		for (const [at, { plan }] of refused.entries()) {
			this.outcomes.fail(plan, { kind: 'badInput', message: overCapText(message, at) });
		}
	}

	/** Under Max Credits, prices that are not fixed are asked for; what has none is not sent. */
	private async withPrices(calls: PlannedCall[]): Promise<PlannedCall[]> {
		const { operation, client } = this;
		if (!operation.price || calls.every(({ plan }) => maxCreditsOf(plan.values) === undefined)) return calls;
		const priceOf = askingPrices(operation, client);
		const priced: PlannedCall[] = [];
		for (const call of calls) {
			const price = await priceOf(call.plan).catch(failureOrThrow);
			if (price instanceof ServiceFailure) this.fail(call, price);
			else priced.push({ ...call, plan: { ...call.plan, price } });
		}
		client.throwIfStopped();
		return priced;
	}

	/** First what an earlier try has paid for; what cannot be had from there is asked for again. */
	private async send(): Promise<void> {
		const { calls } = this;
		const isFirstTry = calls.every(({ past }) => past.kind === 'none');
		const left = isFirstTry ? calls : await this.takeEarlier();
		await this.sendAll(
			left.map((call) => ({ call, request: call.plan.request })),
			() => false,
		);
	}

	/** Takes what earlier tries have paid for, and gives what is to be sent. */
	private async takeEarlier(): Promise<PlannedCall[]> {
		const { records, notes } = this;
		const { unit } = this.sums;
		let answeredBefore = 0;
		await records.searchLost();
		const paid: CallToSend[] = [];
		const unpaid: PlannedCall[] = [];
		for (const call of this.calls) {
			const { plan, past, next, entry } = call;
			const { kept, request } = records.earlierAnswer(call);
			if (kept && this.accept({ call, request: { ...plan.request } }, kept)) answeredBefore += 1;
			else if (request) paid.push({ call, request });
			else if (next.do !== 'tell') unpaid.push(call);
			else if (entry?.failure) this.outcomes.fail(plan, entry.failure);
			else this.fail(call, notSentAgain(past.kind === 'open' ? past.by : 'earlierTry'));
		}
		for (const { call, failure } of await this.collect(paid)) {
			const { plan } = call;
			const absent = records.absentInOther(call);
			if (absent !== undefined) {
				const { kind, httpCode, message } = failure;
				this.outcomes.fail(plan, { kind, httpCode, message: `No result for ${askedFor(plan)}: ${message} ${absent}` });
				continue;
			}
			const tooMuch = this.account.refusal(callCharge(plan));
			if (tooMuch !== undefined) {
				this.outcomes.fail(plan, { kind: 'badInput', message: tooMuch });
				continue;
			}
			notes.add('notCollected', { name: failure.message, detail: unit });
			unpaid.push(call);
		}
		notes.add('answeredBefore', { amount: answeredBefore });
		notes.add('collected', { amount: this.outcomes.answered - answeredBefore, detail: unit });
		this.throwItemFailure();
		return unpaid;
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
			await this.sendAll(left, (sent, failure) => {
				if (!isLastingRefusal(failure)) return false;
				if (failure.notFound) denied.push({ ...sent, failure });
				else refused.push({ call: sent.call, failure });
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
		all: CallToSend[],
		isHandled: (sent: CallToSend, failure: ServiceFailure) => boolean,
	): Promise<void> {
		const failed = (index: number, failure: ServiceFailure) => {
			const sent = all[index];
			if (!sent || isHandled(sent, failure)) return false;
			this.fail(sent.call, failure);
			if (!failure.mayHaveExecuted && !mayHaveArrived(sent.call)) {
				this.records.ended(sent.call, { how: 'notArrived' });
				this.account.refund(sent.call.plan);
			}
			return !this.continues;
		};
		const answered = (index: number, body: JsonObject) => {
			const sent = all[index];
			if (!sent || this.accept(sent, body)) return;
			const failure = withoutResult(body, this.client.baseUrl);
			if (!isHandled(sent, failure)) this.fail(sent.call, failure);
		};
		const calls = all.map((one) => this.callOf(one));
		await runCalls(calls, { answered, failed }, this.client).catch(this.endRun);
	}

	private callOf({ request, call }: CallToSend): Call {
		const { operation, records } = this;
		const { plan } = call;
		const usualMs = operation.timeoutMs?.(plan.sent) ?? REQUEST_TIMEOUT_MS;
		const timeoutMs = usualMs + uploadTimeMs(request);
		if (request !== plan.request) return { request, timeoutMs, policy: { ...POLICIES.collect, deniedMs: 0 } };
		const count = () => {
			// A repeated try has cost nothing yet.
			this.account.refund(plan);
			this.account.send(callCharge(plan));
			return this.account.countedFor(plan);
		};
		return records.paid(call, { timeoutMs, deniedMs: this.deniedMs(plan), count });
	}

	/** So long a 404 is no word on a session that this n8n has opened. */
	private deniedMs({ values: { sessionId } }: CallPlan): number {
		if (typeof sessionId !== 'string') return 0;
		return this.client.register.isOwned(sessionId) ? SHOWN_WITHIN_MS : 0;
	}

	/**
	 * Makes the items at once, so that a thousand answers are not kept beside them. False when the answer
	 * holds no result.
	 */
	private accept({ call, request }: CallToSend, body: JsonObject): boolean {
		const { plan } = call;
		const { sent, values, file } = plan;
		const answer: CallAnswer = { body, sent, values, file, asText: this.asText };
		const failed = this.operation.failureIn?.(answer);
		if (failed) {
			const { isPaid: isCharged = false, ...explained } = failed;
			const failure = { kind: 'job', ...explained } as const;
			this.settle(call, answer);
			this.records.ended(call, { how: 'failed', failure, isPaid: isCharged });
			this.outcomes.fail(plan, failure);
			return true;
		}
		// An empty list in it is no result: the service says that it failed.
		const drafts = body.success === false ? undefined : this.operation.toItems(answer);
		if (!drafts) return false;
		this.outcomes.succeed(plan, noteCallAnswer(this.notes, this.operation, answer, drafts));
		const isPaid = request === plan.request;
		this.sums.note(answer, isPaid, isPaid && isPaidAgain(call));
		if (isPaid) this.records.ended(call, { how: 'answered', answer: body, credits: this.settle(call, answer) });
		else this.records.ended(call, { how: 'collected' });
		return true;
	}

	/** Counts what the service tells that it has cost; returns that, undefined where it does not. */
	private settle(call: PlannedCall, answer: CallAnswer): number | undefined {
		const { credits } = this.operation.usage?.read(answer) ?? {};
		this.account.settle(call.plan, credits, countedBefore(call));
		return credits;
	}

	private fail(call: PlannedCall, failure: ServiceFailure): void {
		const { plan } = call;
		const { chargedCredits } = failure;
		const failed = failedCall(failure, this.operation, plan, this.records.tell(call));
		this.outcomes.fail(plan, failed);
		if (chargedCredits === undefined) return;
		this.account.settle(plan, chargedCredits, countedBefore(call));
		this.sums.failed(chargedCredits);
		this.records.ended(call, { how: 'failed', failure: failed, isPaid: true });
	}

	/** Without "continue on error" the first item that failed stops the run. */
	private throwItemFailure(): void {
		const { firstFailure, failures } = this.outcomes;
		if (this.continues || !firstFailure) return;
		throw runError(this.ctx, withRefused(firstFailure, failures, this.ctx.getInputData().length), []);
	}

	/** Ends the run for all items: it was stopped. */
	private readonly endRun = (error: unknown): never => {
		const { kind, message } = failureOrThrow(error);
		throw runError(this.ctx, { item: 0, kind, message }, []);
	};

	private addHints(output: INodeExecutionData[]): void {
		const { failed, answered } = this.outcomes;
		const throttledSeconds = this.client.throttled.seconds;
		this.sums.tell(this.notes, { items: failed + answered, failed, throttledSeconds });
		this.records.handOver(output, this.notes);
		this.ctx.addExecutionHints(...this.notes.hints());
	}
}
