import type { INodeExecutionData } from 'n8n-workflow';
import type { CallOperation } from '../../operation/operation';
import type { ServiceClient } from '../../service/client';
import type { ServiceFailure } from '../../service/http/failure';
import type { RetryPolicy } from '../../service/http/retry';
import type { JsonObject, ServiceRequest } from '../../service/http/transport';
import { readJobId } from '../../service/jobs/jobKinds';
import type { LostStartFinding } from '../../service/jobs/jobOutcome';
import type { RunContext } from '../connection/runContext';
import { nodeContext } from '../connection/runContext';
import { askedFor, candidatesOf, keptByOtherText, lostCallText, shownBy } from '../errors/callErrors';
import { isRetryComing, isToolCall } from '../input/readFields';
import { keepToCap } from '../ledger/creditAccount';
import type { CreditAccount } from '../ledger/creditAccount';
import { KeptAnswers } from '../ledger/entries';
import type { Entry, WhyFailed } from '../ledger/entries';
import { Ledger } from '../ledger/ledger';
import { noteUnclaimed } from '../ledger/namedJobs';
import { logForExecution } from '../output/hints';
import type { ItemFailure } from '../output/itemError';
import type { Notes } from '../output/notes';
import { decide, foundIn, willBeSentAgain } from '../paid/decide';
import type { Next, Past } from '../paid/decide';
import { callPolicy } from '../paid/runCalls';
import type { Call } from '../paid/runCalls';
import { lookFor, lossBefore, spanOf } from '../paid/sendPaid';
import type { Loss } from '../paid/sendPaid';
import { findCall, keptRequest, paidCall, uncertainCall } from './callOnce';
import { askedBy, callCharge, leftOpen } from './callPlans';
import type { CallPlan, PlannedCall } from './callPlans';
import { OnceById } from './onceById';

const EARLIER_TRY = 'The request of an earlier try may have been done, and charged for, too.';

/** The end of a call. */
type CallEnd =
	/** `credits`: its cost, where the service tells it. */
	| { how: 'answered'; answer: JsonObject; credits: number | undefined }
	/** `isPaid`: and was charged, so that no later try of it is sent. */
	| { how: 'failed'; failure: WhyFailed; isPaid: boolean }
	/** By its id. */
	| { how: 'collected' }
	/** Nothing of it has arrived, and of no earlier try: the next one is the first. */
	| { how: 'notArrived' };

/**
 * What is known of the calls of a run. A retry collects the answers that the service keeps by their id instead of
 * paying for them again, and Retry On Fail does not repeat what changes something either.
 *
 * An answer that was lost is found again where the service lists and keeps it, by address and time, as a job is:
 * that is no proof of whose it is, so it is only read, and the hint says so. The hint for all others says that
 * they may have been paid for.
 */
export class CallRecords {
	/** Undefined for operations that cost nothing and change nothing. */
	private readonly ledger: Ledger | undefined;

	/** Undefined for an AI agent, which may want the same again. */
	private readonly answers: KeptAnswers | undefined;

	/** Without Retry On Fail nobody would ask for what is kept. */
	private readonly isRepeated: boolean;

	/** Set for an operation whose calls are paid once by an id that is sent with them. */
	private readonly onceById: OnceById | undefined;

	private calls: PlannedCall[] = [];

	constructor(
		private readonly ctx: RunContext,
		private readonly operation: CallOperation,
		private readonly client: ServiceClient,
	) {
		const { recall, value, worstCase, request } = operation;
		this.isRepeated = ctx.getNode().retryOnFail === true;
		const isKept = worstCase !== undefined || (this.isRepeated && request.method !== 'GET');
		if (recall || isKept) this.ledger = new Ledger(ctx, client, value, recall?.collectWith ?? '');
		if (this.ledger && operation.isPaidOnceById) this.onceById = new OnceById(ctx, client.baseUrl, value, this.ledger);
		if (isKept && !isToolCall(ctx)) this.answers = new KeptAnswers(nodeContext(ctx));
	}

	/**
	 * The calls with what earlier tries have of each, in an agent's turn. To be called before anything is asked for. Throws
	 * a ServiceFailure when the execution was stopped.
	 */
	async take(plans: readonly CallPlan[]): Promise<PlannedCall[]> {
		const { ledger, client, operation } = this;
		// Without something to take up, an agent's second call has nothing to wait for.
		const isTurn = operation.recall !== undefined || this.onceById !== undefined;
		const taken = await ledger?.take(plans.map(askedBy), {
			lookUp: async (id) => {
				const request = keptRequest(operation, id);
				return request && (await client.lookUp(request));
			},
			...(isTurn && { orStopped: async () => await client.pauseOrStop() }),
		});
		return plans.map((plan, index): PlannedCall => {
			const { key, entry } = taken?.[index] ?? {};
			const isKept = entry?.state === 'done' && key !== undefined && this.answers?.has(key) === true;
			const once = key === undefined ? undefined : this.onceById?.planned(plan, { key, entry }, isKept);
			const call = once ?? { plan, key, entry, past: this.pastOf(entry, isKept) };
			return { ...call, next: this.decided(call) };
		});
	}

	private decided({ plan, key, past }: Pick<PlannedCall, 'plan' | 'key' | 'past'>): Next {
		// Most calls have none: their price is not asked for.
		if (past.kind === 'none') return { do: 'send' };
		return this.noted(key, past, decide(uncertainCall(this.operation, plan.sent), past));
	}

	/** What the user is told now is sent by one more retry. */
	private noted(key: string | undefined, past: Past, next: Next): Next {
		if (next.do === 'tell' && past.kind !== 'failed') this.ledger?.change(key, { kind: 'told' });
		return next;
	}

	/** What an earlier try has left of a call without an ID of its own. */
	private pastOf(entry: Entry | undefined, isKept: boolean): Past {
		const { ledger, operation } = this;
		if (!entry || !ledger) return { kind: 'none' };
		const { id, state, lostAt, failure } = entry;
		const isOfOther = () => ledger.isOfOther(entry);
		if (failure) return { kind: 'failed' };
		if (id !== undefined) return operation.recall ? { kind: 'known', isGone: false, isOfOther } : { kind: 'none' };
		if (state === 'done') return { kind: 'answered', isKept, isOfOther };
		if (lostAt === undefined) return { kind: 'none' };
		return { kind: 'open', by: state === 'killed' ? 'kill' : 'earlierTry', isTraceable: true, isOfOther };
	}

	/** Decides which of these may be sent, under the caps of all. `refused`: what must not be sent together. */
	admit(all: PlannedCall[], account: CreditAccount) {
		const charges = all.map((call) => ({ ...callCharge(call.plan), isPaid: this.isPaid(call) }));
		const { refused, ...said } = keepToCap(charges, account);
		this.calls = all.filter(({ plan }) => !refused.has(plan));
		return { calls: this.calls, refused: all.filter(({ plan }) => refused.has(plan)), ...said };
	}

	/** Does what takes and sends, in an agent's turn (Ledger.inTurn). */
	async inTurn(work: () => Promise<void>): Promise<void> {
		await (this.ledger ? this.ledger.inTurn(work) : work());
	}

	/**
	 * The answer that an earlier try has paid for: `kept` here, or the `request` for it. Throws where it was not looked for
	 * (searchLost).
	 */
	earlierAnswer({ key = '', next, entry }: PlannedCall): {
		kept?: JsonObject | undefined;
		request?: ServiceRequest | undefined;
	} {
		if (next.do === 'search') throw new Error('What was lost is looked for first.');
		if (next.do === 'takeKept') return { kept: this.answers?.find(key) };
		const isThere = next.do === 'reuse' || next.do === 'take';
		return isThere && entry?.id !== undefined ? { request: keptRequest(this.operation, entry.id) } : {};
	}

	/** It has come to its end. */
	ended(call: PlannedCall, end: CallEnd): void {
		const { id, evidence } = call.entry ?? {};
		switch (end.how) {
			case 'answered':
				return this.answered(call, end.answer, end.credits);
			case 'failed':
				return this.failed(call, end.failure, end.isPaid);
			case 'collected':
				if (id !== undefined && evidence) call.unprovenId = id;
				return;
			case 'notArrived':
				return this.onceById?.forget(call);
		}
	}

	private answered(call: PlannedCall, answer: JsonObject, credits: number | undefined): void {
		const { ledger } = this;
		if (!ledger) return;
		const { plan, key = '', entry } = call;
		const asked = askedBy(plan);
		if (this.onceById) {
			this.onceById.note(call, 'done', { ...(credits !== undefined && { credits }) });
			if (this.isRepeated) this.answers?.keep(key, answer);
			return;
		}
		const id = readJobId(this.operation.recall?.idOf(answer));
		// It could not be collected, which has a message of its own: it was not left for another request.
		if (entry && entry.id !== id) ledger.change(key, { kind: 'forgotten' });
		if (id !== undefined) {
			if (entry?.id !== id) ledger.note(asked, 'running', { id });
		} else if (this.answers) {
			ledger.note(asked, 'done');
			if (this.isRepeated) this.answers.keep(key, answer);
		}
	}

	private failed(call: PlannedCall, failure: WhyFailed, isPaid: boolean): void {
		const { ledger, onceById } = this;
		if (onceById) onceById.note(call, 'failed', isPaid ? { failure } : {});
		else if (isPaid && ledger) call.entry = ledger.note(askedBy(call.plan), 'failed', { failure });
	}

	/** The results are handed over: tells the hints, and forgets all, unless n8n runs the node again all the same. */
	handOver(output: INodeExecutionData[], notes: Notes): void {
		const { ledger, calls } = this;
		this.tellHints(notes);
		if (!ledger || isRetryComing(this.ctx, output)) return;
		const keys = keysOf(calls);
		ledger.complete(keys, keysOf(calls.filter(({ entry }) => entry?.state !== 'failed')));
		for (const key of keys) this.answers?.forget(key);
	}

	/**
	 * The call as something that is sent once, and what is noted of it. `count`: for Max Credits, each time that it is sent.
	 * Throws for one that must not be sent.
	 */
	paid(
		call: PlannedCall,
		{ timeoutMs, deniedMs, count }: { timeoutMs: number; deniedMs: number; count: () => number | undefined },
	): Call {
		const { client, operation, onceById } = this;
		const { request } = call.plan;
		if (call.next.do === 'tell' || call.next.do === 'search') throw new Error('This call must not be sent.');
		const paid = paidCall(operation, request, client);
		// So long one that the service is still at work on is asked for again.
		const withinMs = onceById?.runsForMs(call);
		const atWork: Partial<RetryPolicy> = withinMs === undefined ? {} : { atWork: { most: Infinity, withinMs } };
		return {
			...paid,
			timeoutMs,
			policy: { ...callPolicy(request), ...atWork, deniedMs },
			...(paid.lists && { lists: { ...paid.lists, find: async (loss) => await this.search(call, loss) } }),
			...(onceById && { reads: { ...paid.reads, readFailure: (failure) => this.logWork(call, failure) } }),
			journal: {
				sending: () => {
					if (onceById) onceById.sending(call, count);
					else count();
				},
				lost: (loss) => {
					call.isLost = true;
					const span = spanOf(loss, client.time);
					if (onceById) onceById.note(call, 'unconfirmed', span);
					else this.ledger?.note(askedBy(call.plan), 'unconfirmed', span);
				},
				started: (id, _answer, how) => {
					if (id !== undefined && how === 'addressAndTime') call.unprovenId = id;
				},
			},
		};
	}

	/** A wait for one that runs under its id is in n8n's log. */
	private logWork({ plan, once }: PlannedCall, failure: ServiceFailure): ServiceFailure {
		if (failure.isOpen && failure.retryInMs !== undefined) {
			logForExecution(
				this.ctx,
				`item ${plan.item}: ${askedFor(plan)} still runs under request ID ${once?.id ?? ''}, asked again in ${failure.retryInMs / 1000} s`,
			);
		}
		return failure;
	}

	/** Looks for what earlier tries have lost, all together. To be called before any of it is sent again. Never throws. */
	async searchLost(): Promise<void> {
		await Promise.all(
			this.calls.map(async (call) => {
				const { entry: { startedAt = 0, lostAt = 0 } = {}, plan, key, past, next } = call;
				if (next.do !== 'search' || past.kind !== 'open') return;
				const loss = lossBefore({ sinceMs: startedAt, lostAt }, this.client.time);
				// Where nobody knows since when, any request of its kind might be it.
				const lists = startedAt === 0 ? undefined : { find: async () => await this.search(call, loss) };
				const uncertain = uncertainCall(this.operation, plan.sent);
				call.next = this.noted(key, past, (await lookFor({ uncertain, lists }, past, loss)).next);
			}),
		);
	}

	/** Its kept answer is not to be had, maybe because today's key is another account's: undefined where it is not. */
	absentInOther({ plan, key, entry }: PlannedCall): ItemFailure['message'] | undefined {
		const isOfOther = () => entry !== undefined && this.ledger?.isOfOther(entry) === true;
		const next = this.decided({ plan, key, past: { kind: 'known', isGone: true, isOfOther } });
		return next.do === 'tell' ? keptByOtherText(entry?.id ?? '') : undefined;
	}

	/** The error of a call that has failed because its answer was lost; undefined of any other. */
	tell(call: PlannedCall): Pick<ItemFailure, 'message' | 'candidates'> | undefined {
		const { plan, past, finding = { kind: 'unknown' }, isLost, next, once } = call;
		const before = leftOpen(call);
		// One that is sent again with its ID is as open as before.
		const isOpenById = once !== undefined && past.kind === 'open';
		if (!isLost && !before && !isOpenById) return undefined;
		if (!isLost && before && next.do !== 'tell') return { message: EARLIER_TRY };
		const candidates = candidatesOf(finding);
		const isKilled = !isLost && before?.by === 'kill';
		const isOfOther = !isLost && before?.isOfOther() === true;
		const isRepeated = willBeSentAgain(uncertainCall(this.operation, plan.sent), finding);
		const facts = { isKilled, isOfOther, isRepeated, requestId: once?.id };
		const text = lostCallText(this.operation, finding, facts);
		return {
			message: isLost && before ? `${text} ${EARLIER_TRY}` : text,
			...(candidates.length > 0 && { candidates }),
		};
	}

	private tellHints(notes: Notes): void {
		for (const call of this.calls) {
			const { plan, unprovenId: id, past, next } = call;
			const name = askedFor(plan);
			const before = leftOpen(call);
			const isAfterKill = next.do === 'sendWithSameId' && past.kind === 'open' && past.by === 'kill';
			if (id !== undefined) notes.add('foundAnswers', { name: `${name} (${id})`, detail: shownBy(this.operation) });
			if (isAfterKill) notes.add('sameIdAfterKill', { name });
			if (before && next.do !== 'tell') notes.add(before.by === 'kill' ? 'sentAfterKill' : 'sentAgain', { name });
		}
		noteUnclaimed(notes, this.ledger?.unclaimed ?? []);
	}

	/** An earlier try has paid for its answer, and it can be had from there. */
	private isPaid(call: PlannedCall): boolean {
		const { entry, past, next } = call;
		if (this.onceById && entry && entry.state !== 'killed') return true;
		return next.do === 'reuse' || next.do === 'takeKept' || past.kind === 'failed';
	}

	/** Searches the service's list for a request whose answer was lost. Never throws. */
	private async search(call: PlannedCall, loss: Loss): Promise<LostStartFinding> {
		const { plan } = call;
		const finding = await findCall(this.operation, plan.request, loss, this.client);
		call.finding = finding;
		const { id, evidence } = foundIn(finding) ?? {};
		if (id === undefined) return finding;
		call.entry = this.ledger?.note(askedBy(plan), 'running', { id, evidence });
		return finding;
	}
}

function keysOf(calls: readonly PlannedCall[]): string[] {
	return calls.flatMap(({ key }) => key ?? []);
}
