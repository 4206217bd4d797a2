import type { INodeExecutionData } from 'n8n-workflow';
import type { ServiceFailure } from '../../../service/http/failure';
import type { JsonObject, ServiceRequest } from '../../../service/http/transport';
import { readJobId } from '../../../service/jobs/jobKinds';
import type { LostStartFinding } from '../../../service/jobs/jobTask';
import type { Call } from '../../../service/jobs/runCalls';
import { lossBefore, spanOf } from '../../../service/jobs/sendPaid';
import type { Loss } from '../../../service/jobs/sendPaid';
import type { ServiceClient } from '../../../service/limits/client';
import type { CallOperation } from '../../operation/operation';
import type { RunContext } from '../connection/runContext';
import { isToolCall } from '../input/readFields';
import { callsBeforeCrash, nodeContext } from '../ledger/crash';
import { KeptAnswers } from '../ledger/entries';
import type { Entry } from '../ledger/entries';
import { Ledger } from '../ledger/ledger';
import type { Asked } from '../ledger/ledger';
import { noteLeft } from '../ledger/namedJobs';
import type { ItemFailure } from '../output/itemError';
import type { Notes } from '../output/notes';
import { findCall, keptRequest, lostBefore, paidCall } from './callOnce';
import type { CallPlan } from './callPlans';
import { askedFor, candidatesOf, isSentAgain, lostCallText, shownBy } from './callTexts';
import type { AskedCall } from './callTexts';

/**
 * What the calls of an execution have paid for, or may have. A retry collects the answers that the service keeps by
 * their id instead of paying for them again, and Retry On Fail does not repeat what changes something either.
 *
 * An answer that was lost is found again where the service lists and keeps it, by address and time, as a job is:
 * that is no proof of whose it is, so it is only read, and the hint says so. The hint for all others says that
 * they may have been paid for.
 */
export class PaidCalls {
	/** Undefined for operations that cost nothing and change nothing. */
	private readonly ledger: Ledger | undefined;

	/** Undefined for an AI agent, which may want the same again. */
	private readonly answers: KeptAnswers | undefined;

	/** Set where n8n was killed after any of the calls may have been sent: nothing else is known of them. */
	private readonly beforeCrash: Partial<Entry> | undefined;

	/** Without Retry On Fail nobody would ask for what is kept. */
	private readonly isRepeated: boolean;

	/** The plans' own requests whose answers were lost. */
	private readonly losses = new Set<ServiceRequest>();

	private readonly findings = new Map<ServiceRequest, LostStartFinding>();

	/** Whose answer was found, with its id. */
	private readonly found = new Map<CallPlan, string>();

	/** Those of an earlier try that were not found, and were sent again. */
	private readonly sentAgain: CallPlan[] = [];

	/** Those that n8n was killed after, or before: nobody knows, and they were not found. */
	private readonly sentAfterKill: CallPlan[] = [];

	/** Those of an earlier try that are not sent again: one of several listed ones may be it, or it may cost much. */
	private readonly undecided = new Set<ServiceRequest>();

	constructor(
		ctx: RunContext,
		private readonly operation: CallOperation,
		private readonly client: ServiceClient,
	) {
		const { recall, value, worstCase, request } = operation;
		this.isRepeated = ctx.getNode().retryOnFail === true;
		const isKept = worstCase !== undefined || (this.isRepeated && request.method !== 'GET');
		if (recall || isKept) this.ledger = new Ledger(ctx, client.baseUrl, value, recall?.collectWith ?? '');
		if (this.ledger) this.beforeCrash = callsBeforeCrash(ctx);
		if (isKept && !isToolCall(ctx)) this.answers = new KeptAnswers(nodeContext(ctx));
	}

	/** To be called before any recall(); see Ledger. */
	async takeTurn(plans: CallPlan[], orStopped: () => Promise<void>): Promise<void> {
		if (this.operation.recall) await this.ledger?.takeTurn(plans.map(askedBy), orStopped);
	}

	/** To be called when nothing more is sent, whatever has happened. */
	endTurn(): void {
		this.ledger?.endTurn();
	}

	/** The request for the answer that an earlier try paid for; undefined when there is none. */
	recall(plan: CallPlan): ServiceRequest | undefined {
		const id = this.entryOf(plan)?.id;
		return id === undefined ? undefined : keptRequest(this.operation, id);
	}

	/** True for a call that an earlier try was answered, and whose answer the service does not keep. */
	wasAnswered(plan: CallPlan): boolean {
		const entry = this.answers && this.entryOf(plan);
		return entry?.state === 'done' && entry.id === undefined;
	}

	/** Its answer, where it is kept here. */
	keptAnswer(plan: CallPlan): JsonObject | undefined {
		const { ledger, answers } = this;
		return ledger && this.wasAnswered(plan) ? answers?.find(ledger.keyOf(askedBy(plan))) : undefined;
	}

	/** True where an earlier try has paid for the answer, and it can be had from there. */
	has(plan: CallPlan): boolean {
		return this.recall(plan) !== undefined || this.keptAnswer(plan) !== undefined;
	}

	/** A call was answered. */
	remember(plan: CallPlan, answer: JsonObject): void {
		const { ledger } = this;
		if (!ledger) return;
		const asked = askedBy(plan);
		const id = readJobId(this.operation.recall?.idOf(answer));
		const earlier = ledger.find(asked);
		// It could not be collected, which has a message of its own: it was not left for another request.
		if (earlier && earlier.id !== id) ledger.forget(ledger.keyOf(asked));
		if (id !== undefined) {
			if (earlier?.id !== id) ledger.note(asked, 'running', { id });
		} else if (this.answers) {
			ledger.note(asked, 'done');
			if (this.isRepeated) this.answers.keep(ledger.keyOf(asked), answer);
		}
	}

	/** Answers that an earlier try paid for and that this one did not collect. */
	get left(): Entry[] {
		return this.ledger?.left ?? [];
	}

	/** To be called when the results are handed over, unless n8n runs the node again all the same. */
	forget(plans: CallPlan[], output: INodeExecutionData[]): void {
		const { ledger } = this;
		if (!ledger || ledger.isRetryComing(output)) return;
		const keys = plans.map((plan) => ledger.keyOf(askedBy(plan)));
		ledger.handOver(keys, keys);
		for (const key of keys) this.answers?.forget(key);
		ledger.forgetLeft();
	}

	/** What is sent of a plan, and what is noted of it. */
	paid(plan: CallPlan, timeoutMs: number, sending: () => void): Call {
		const { client, operation } = this;
		const { request } = plan;
		const call = paidCall(operation, request, client);
		return {
			...call,
			timeoutMs,
			...(call.find && { find: async (loss) => await this.search(plan, loss) }),
			journal: {
				sending,
				lost: (loss) => {
					this.losses.add(request);
					this.noteLost(plan, loss);
				},
				started: (id, _answer, how) => {
					if (id !== undefined && how === 'addressAndTime') this.found.set(plan, id);
				},
			},
		};
	}

	/**
	 * Looks for what an earlier try has lost. To be called before it is sent again; whyNotSent() then tells
	 * what must not be. Never throws.
	 */
	async searchEarlier(plans: readonly CallPlan[]): Promise<void> {
		await Promise.all(
			plans.map(async (plan) => {
				const entry = this.entryOf(plan);
				const { id: known, startedAt: sinceMs, lostAt } = entry ?? this.beforeCrash ?? {};
				if (known !== undefined || sinceMs === undefined || lostAt === undefined) return;
				const finding = await this.search(plan, lossBefore({ sinceMs, lostAt }, this.client.time));
				if (finding.kind === 'found') return;
				if (!entry) return void this.sentAfterKill.push(plan);
				if (isSentAgain(this.operation, plan.sent, finding)) this.sentAgain.push(plan);
				else this.undecided.add(plan.request);
			}),
		);
	}

	/** Why a call must not be sent, because an earlier try may have paid for it. */
	whyNotSent({ request }: CallPlan): ServiceFailure | undefined {
		if (!this.undecided.has(request)) return undefined;
		return lostBefore();
	}

	/** What an answer that is asked for by its id is known by. */
	noteCollected(plan: CallPlan): void {
		const id = this.uncertainId(plan);
		if (id !== undefined) this.found.set(plan, id);
	}

	/** What to say of a call that has failed because its answer was lost; undefined of any other. */
	tell({ request, sent }: AskedCall): Pick<ItemFailure, 'message' | 'candidates'> | undefined {
		if (!request) return undefined;
		if (!this.losses.has(request) && !this.undecided.has(request)) return undefined;
		const finding = this.findings.get(request);
		const candidates = candidatesOf(finding);
		const isSecond = this.sentAgain.some((plan) => plan.request === request);
		const text = lostCallText(this.operation, sent, finding);
		return {
			message: isSecond ? `${text} The request of an earlier try may have been done, too.` : text,
			...(candidates.length > 0 && { candidates }),
		};
	}

	tellHints(notes: Notes): void {
		for (const [plan, id] of this.found) {
			notes.add('foundAnswers', { name: `${askedFor(plan)} (${id})`, detail: shownBy(this.operation) });
		}
		for (const plan of this.sentAgain) notes.add('sentAgain', { name: askedFor(plan) });
		for (const plan of this.sentAfterKill) notes.add('sentAfterKill', { name: askedFor(plan) });
		noteLeft(notes, this.left);
	}

	private entryOf(plan: CallPlan): Entry | undefined {
		return this.ledger?.find(askedBy(plan));
	}

	/** The id of its answer, where nothing but address and time tell that it is this one's. */
	private uncertainId(plan: CallPlan): string | undefined {
		const { id, evidence } = this.entryOf(plan) ?? {};
		return evidence ? id : undefined;
	}

	/** Its answer was lost: it may be paid for. */
	private noteLost(plan: CallPlan, loss: Loss): void {
		this.ledger?.note(askedBy(plan), 'unconfirmed', spanOf(loss, this.client.time));
	}

	/** What the service's list says of a request whose answer was lost. Never throws. */
	private async search(plan: CallPlan, loss: Loss): Promise<LostStartFinding> {
		const finding = await findCall(this.operation, plan.request, loss, this.client);
		this.findings.set(plan.request, finding);
		if (finding.kind !== 'found') return finding;
		const { id, evidence } = finding;
		this.ledger?.note(askedBy(plan), 'running', { id, evidence });
		return finding;
	}
}

function askedBy({ item, part, request }: CallPlan): Asked {
	return { item, part, start: request };
}
