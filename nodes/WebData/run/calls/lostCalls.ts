import type { NodeExecutionHint } from 'n8n-workflow';
import { ServiceFailure, failureOrThrow, isAnswerLost } from '../../../service/http/failure';
import { PATIENCE, UNTIL_SHOWN_MS } from '../../../service/http/retry';
import type { JsonObject, ServiceRequest } from '../../../service/http/transport';
import { readJobId, underWay } from '../../../service/jobs/jobKinds';
import type { LostStartFinding } from '../../../service/jobs/jobTask';
import type { ServiceClient } from '../../../service/limits/client';
import { recoverStart } from '../../../service/startRecovery/recoverStart';
import { fitOfPage } from '../../operation/askedFormats';
import type { CallOperation } from '../../operation/operation';
import { MAX_NAMED, hint, named } from '../output/hints';
import type { ItemFailure } from '../output/itemError';
import { askedFor } from './callTexts';
import type { CallPlan, LostBefore, PaidCalls } from './paidCalls';

/** How long after its loss a request may still begin its work, in milliseconds. */
const LATE_MS = 5000;

/** How far clocks may be apart: of the service's machines, and of n8n's from one try to the next. */
const SKEW_MS = 2000;
const OWN_SKEW_MS = 60_000;

const EARLIER_LOST = 'The answer to an earlier try was lost.';

/** When a request was sent, and its answer lost. Monotonic. */
interface Loss {
	sentMs: number;
	lostMs: number;
	/** False for one of an earlier try. */
	isFresh: boolean;
}

/**
 * The calls of a run whose answers were lost, although they may have been carried out and paid for. What the
 * service lists and keeps is found again by address and time, as a job is: that is no proof of whose it is,
 * so it is only read, and the hint says so. The hint for all others says that they may have been paid for.
 */
export class LostCalls {
	/** By the plans' own requests. */
	private readonly losses = new Map<ServiceRequest, Loss>();

	private readonly findings = new Map<ServiceRequest, LostStartFinding>();

	/** Whose answer was found, with its id. */
	private readonly found = new Map<CallPlan, string>();

	/** Those of an earlier try that were not found, and were sent again. */
	private readonly sentAgain: CallPlan[] = [];

	/** Those of an earlier try that one of several listed ones may be: they are not sent again. */
	private readonly undecided = new Set<ServiceRequest>();

	constructor(
		private readonly operation: CallOperation,
		private readonly paidCalls: PaidCalls,
		private readonly client: ServiceClient,
	) {}

	/** Sends a plan's own request, once, so that other searches of the credential know whose it is. Throws ServiceFailure. */
	async send(plan: CallPlan, timeoutMs: number): Promise<JsonObject> {
		const { client, operation } = this;
		const { time } = client;
		const { idOf, kind } = operation.recall ?? {};
		const { callRegister } = client.limits;
		const arrived = kind && callRegister.begin(underWay(kind, plan.request.body ?? {}));
		const sentMs = time.now();
		const answer = client.send(plan.request, timeoutMs);
		const ended = await answer.catch(failureOrThrow).finally(() => arrived?.());
		if (ended instanceof ServiceFailure) {
			if (isPaid(operation) && isAnswerLost(ended)) this.noteLoss(plan, sentMs);
			return await answer;
		}
		const id = kind && readJobId(idOf?.(ended));
		if (id !== undefined) callRegister.know(id, time.now());
		return ended;
	}

	/** The answer of a call that has failed, where it was lost and is found again; else the failure. Never throws. */
	async recover(plan: CallPlan, failure: ServiceFailure): Promise<JsonObject | ServiceFailure> {
		const loss = this.losses.get(plan.request);
		if (!loss) return failure;
		const id = await this.search(plan, loss);
		const body = id === undefined ? undefined : await this.collect(id);
		if (id === undefined || !body) return failure;
		const { isForeign } = this.signatureProblem(plan, body) ?? { isForeign: undefined };
		if (isForeign) this.paidCalls.noteForeign(plan, this.onWallClock(loss));
		if (isForeign !== undefined) return failure;
		this.found.set(plan, id);
		return body;
	}

	/**
	 * Why the page that was found by address and time is not returned: by its formats it is the page of another
	 * request, or may be. Undefined where it is.
	 */
	signatureProblem(
		plan: CallPlan,
		body: JsonObject,
	): { isForeign: boolean; why: ServiceFailure } | undefined {
		const id = this.paidCalls.uncertainId(plan);
		const { sent, values, file } = plan;
		const [page] = this.operation.pagesOf?.({ body, sent, values, file, asText: false }) ?? [];
		const fit = page ? fitOfPage(page, sent) : 'fits';
		if (id === undefined || fit === 'fits') return undefined;
		const isForeign = fit === 'foreign';
		const { request } = plan;
		this.findings.set(
			request,
			isForeign ? { kind: 'none', isProof: false } : { kind: 'several', ids: [id] },
		);
		if (!isForeign) this.undecided.add(request);
		const message = isForeign
			? `The scrape ${id} has other formats than were asked for, so it is not this one.`
			: EARLIER_LOST;
		return { isForeign, why: new ServiceFailure({ kind: 'notJson', reached: 'maybe', message }) };
	}

	/**
	 * Looks for what an earlier try has lost. To be called before it is sent again; isUndecided() then tells
	 * what must not be. Never throws.
	 */
	async searchEarlier(plans: readonly CallPlan[]): Promise<void> {
		const { time } = this.client;
		const monotonic = (at: number) => Math.min(time.now(), time.now() - (time.wallClock() - at));
		await Promise.all(
			plans.map(async (plan) => {
				const before = this.paidCalls.lostBefore(plan);
				if (!before) return;
				const { startedAt, lostAt } = before;
				const times = { sentMs: monotonic(startedAt), lostMs: monotonic(lostAt) };
				const id = await this.search(plan, { ...times, isFresh: false });
				if (id !== undefined) return;
				// The service has it, although nobody knows which one it is: another one would be paid for twice.
				const isListed = this.findings.get(plan.request)?.kind === 'several';
				if (isListed) this.undecided.add(plan.request);
				else this.sentAgain.push(plan);
			}),
		);
	}

	/** Why a call must not be sent, because the service lists what an earlier try may have paid for. */
	whyNotSent({ request }: CallPlan): ServiceFailure | undefined {
		if (!this.undecided.has(request)) return undefined;
		return new ServiceFailure({ kind: 'notJson', reached: 'maybe', message: EARLIER_LOST });
	}

	/** What an answer that is asked for by its id is known by. */
	noteCollected(plan: CallPlan): void {
		const id = this.paidCalls.uncertainId(plan);
		if (id !== undefined) this.found.set(plan, id);
	}

	/** What to say of a call that has failed because its answer was lost; undefined of any other. */
	tell(request: ServiceRequest): Pick<ItemFailure, 'message' | 'candidates'> | undefined {
		if (!this.losses.has(request) && !this.undecided.has(request)) return undefined;
		const { recall } = this.operation;
		const finding = this.findings.get(request);
		const candidates = candidatesOf(finding);
		const isSecond = this.sentAgain.some((plan) => plan.request === request);
		const text = lostCallText(finding, recall?.kind && { ...recall, shows: this.shows });
		return {
			message: isSecond ? `${text} So may the request of an earlier try.` : text,
			...(candidates.length > 0 && { candidates }),
		};
	}

	hints(): NodeExecutionHint[] {
		return lostCallHints(
			[...this.found].map(([plan, id]) => ({ asked: askedFor(plan), id })),
			this.sentAgain.map(askedFor),
			this.shows,
		);
	}

	/** What the service's list shows of a request, by which it is found. */
	private get shows(): string {
		return this.operation.recall?.kind?.listed?.shows ?? 'address';
	}

	private noteLoss(plan: CallPlan, sentMs: number): void {
		const { time } = this.client;
		const loss = { sentMs, lostMs: time.now(), isFresh: true };
		this.losses.set(plan.request, loss);
		this.paidCalls.noteLost(plan, this.onWallClock(loss));
	}

	private onWallClock({ sentMs, lostMs }: Loss): LostBefore {
		const { time } = this.client;
		const lostAt = time.wallClock() - (time.now() - lostMs);
		return { startedAt: lostAt - (lostMs - sentMs), lostAt };
	}

	/** The id of its answer, as far as address and time tell. */
	private async search(plan: CallPlan, loss: Loss): Promise<string | undefined> {
		const { kind } = this.operation.recall ?? {};
		const { client } = this;
		if (!kind) return undefined;
		const { sentMs, lostMs, isFresh } = loss;
		const { callRegister: register } = client.limits;
		const finding = await recoverStart(
			{ kind, start: plan.request, sentMs, lostMs, isFresh, register },
			client,
		);
		const skewMs = isFresh ? SKEW_MS : OWN_SKEW_MS;
		const isLate =
			finding.kind === 'found' && client.time.now() - finding.ageMs > lostMs + LATE_MS + skewMs;
		this.findings.set(plan.request, isLate ? { kind: 'none', isProof: false } : finding);
		if (finding.kind !== 'found' || isLate) return undefined;
		this.paidCalls.noteFound(plan, finding.id);
		return finding.id;
	}

	/** A kept answer; undefined where there is none, or none yet. Never throws. */
	private async collect(id: string): Promise<JsonObject | undefined> {
		const { client } = this;
		const request = this.paidCalls.requestFor(id);
		if (!request) return undefined;
		for (const pauseMs of UNTIL_SHOWN_MS) {
			await client.pause(pauseMs);
			if (client.stopped) return undefined;
			const received = await client.receive(request, PATIENCE.collect).catch(failureOrThrow);
			if ('body' in received) return received.body;
			if (!received.notFound) return undefined;
		}
		return undefined;
	}
}

/** Whether a call costs something, at once or from then on. */
function isPaid({ worstCase, recall }: CallOperation): boolean {
	return worstCase !== undefined || recall !== undefined;
}

/** Ids of what may be the result of a lost call. */
function candidatesOf(finding: LostStartFinding | undefined): string[] {
	if (finding?.kind === 'found') return [finding.id];
	return finding?.kind === 'several' ? finding.ids.slice(0, MAX_NAMED) : [];
}

/**
 * What to say of a call whose answer was lost. `collectWith` is the operation that collects an answer by its
 * id, `shows` what the service lists of it; undefined where the service keeps none.
 */
function lostCallText(
	finding: LostStartFinding | undefined,
	kept: { collectWith: string; shows: string } | undefined,
): string {
	const begin = 'It may have been done and paid for';
	if (!kept) return `${begin}. A retry sends it again.`;
	const { collectWith, shows } = kept;
	switch (finding?.kind) {
		case 'found':
			return `${begin}: the service lists one that may be it by its ${shows} and time only, ${finding.id}, but gives no result of it yet. ${collectWith} collects it, and a retry asks for it again.`;
		case 'several':
			return `${begin}: the service lists ${finding.ids.length === 1 ? "one that may be it, or somebody else's" : 'more than one that may be it'}: ${named(finding.ids)}. ${collectWith} collects the right one. A retry of this execution does not send it again, a new execution does.`;
		case 'none':
			return `${begin}, but the service does not list it. A retry looks for it once more before it sends it again.`;
		default:
			if (finding?.hasNoList)
				return `${begin}. This server keeps no list of what was done: a retry sends it again.`;
			return `${begin}. The service's list of what was done could not be read: a retry looks for it before it sends it again.`;
	}
}

/** The hints of a run. `found`: what was found again; `again`: what was sent again because it was not. */
function lostCallHints(
	found: Array<{ asked: string; id: string }>,
	again: string[],
	shows: string,
): NodeExecutionHint[] {
	const ids = named(found.map(({ asked, id }) => `${asked} (${id})`));
	const isOne = found.length === 1;
	const foundText = `${isOne ? 'The answer to a request was' : `The answers to ${found.length} requests were`} lost, and found again by ${isOne ? 'its' : 'their'} ${shows} and time only, so check that ${isOne ? 'it is' : 'they are'} what you asked for: ${ids}.`;
	const againText = `An earlier try of this execution lost the ${again.length === 1 ? 'answer' : 'answers'} to what was asked for ${named(again)}. ${again.length === 1 ? 'It was' : 'They were'} not found, so ${again.length === 1 ? 'it was' : 'they were'} sent again and may be paid for twice.`;
	return [
		...(found.length > 0 ? [hint(foundText, 'warning')] : []),
		...(again.length > 0 ? [hint(againText, 'warning')] : []),
	];
}
