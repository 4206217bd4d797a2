import { processClock } from '../connection/processClock';
import type { RunContext } from '../connection/runContext';
import { executionIdOf, runIndexOf } from '../connection/runContext';
import { isToolCall } from '../input/readFields';
import { isAfterCrash, retriedBy } from '../ledger/crash';
import { digest, nameOfRequest } from '../ledger/entries';
import type { Entry, EntryState, SentRequest } from '../ledger/entries';
import type { Ledger, Taken } from '../ledger/ledger';
import type { Past } from '../paid/decide';
import { askedBy } from './callPlans';
import type { CallPlan, PlannedCall } from './callPlans';

/** The service's cap of the work of one call, and how long after that it may say that it runs, in milliseconds. */
const WORK_MS = 50_000;
const SPARE_MS = 30_000;

/**
 * Calls that the service pays once by an id that is sent with them (ServiceRequest.requestId). The id and the body are
 * in the ledger before they are sent. While nothing was edited, each further try sends both again, whatever its
 * expressions give by then: the service gives the answer that it has, or does now what it has never seen.
 *
 * A try that failed without a charge would be answered with the same failure again: the next one has another id. One
 * that failed and was charged is never sent again.
 */
export class OnceById {
	constructor(
		private readonly ctx: RunContext,
		private readonly origin: string,
		/** The operation. */
		private readonly kind: string,
		private readonly ledger: Ledger,
	) {}

	/** A call with its id; `entry`: what an earlier try has of it, `isKept`: and its answer. */
	planned(plan: CallPlan, { key, entry }: Taken, isKept: boolean): Omit<PlannedCall, 'next'> {
		const { request: known, state, failure } = entry ?? {};
		const hasFailed = state === 'failed' && !failure;
		if (entry && known && !hasFailed) {
			return { plan: sentAs(plan, known), key, entry, once: known, past: this.pastOf(entry, isKept) };
		}
		const failedTries = known && hasFailed ? known.failedTries + 1 : 0;
		const id = this.idOf(plan, failedTries);
		// An execution that this n8n does not name may have sent it: its id is not known.
		if (id === undefined) {
			const past = { kind: 'open', by: 'kill', isTraceable: false, isOfOther: () => false } as const;
			return { plan, key, past };
		}
		const once = { id, body: plan.request.body ?? {}, failedTries };
		const call = { plan: sentAs(plan, once), key, once };
		if (state !== 'killed' || !entry) return { ...call, past: { kind: 'none' }, isNew: true };
		this.ledger.change(key, { kind: 'withId', request: once });
		const asked = { ...entry, request: once };
		return { ...call, entry: asked, past: this.pastOf(asked, isKept) };
	}

	/**
	 * The id that this is sent by, so that the service takes it for the same execution however often it is sent: made of
	 * the execution that asked first, the place, and what is asked for. After a kill that is the execution which is
	 * retried; undefined where n8n does not tell it. `failedTries`: of this place, each of which had an id of its own.
	 */
	private idOf({ item, part, request }: CallPlan, failedTries: number): string | undefined {
		const { ctx, origin, kind } = this;
		const first = isAfterCrash(ctx) ? retriedBy(ctx) : executionIdOf(ctx) || String(processClock.wallClock());
		if (first === undefined) return undefined;
		const place = isToolCall(ctx) ? [] : [runIndexOf(ctx), item, part];
		const node = [ctx.getInstanceId?.(), ctx.getWorkflow().id, ctx.getNode().id];
		return digest(JSON.stringify([...node, first, place, nameOfRequest(request, origin, kind), failedTries]));
	}

	/** Of one that an earlier try has sent, or may have. Another account would be charged for the same id once more. */
	private pastOf(entry: Entry, isKept: boolean): Past {
		const { state, failure } = entry;
		const isOfOther = () => this.ledger.isOfOther(entry);
		if (failure) return { kind: 'failed' };
		if (state === 'done') return { kind: 'answered', isKept, isOfOther };
		return { kind: 'open', by: state === 'killed' ? 'kill' : 'earlierTry', isTraceable: true, isOfOther };
	}

	/** It is sent next, which may be the second time in this try. `count`: for Max Credits, where no try has. */
	sending(call: PlannedCall, count: () => number | undefined): void {
		if (call.entry && call.entry.state !== 'killed') return;
		const credits = count();
		this.note(call, 'sent', { ...(credits !== undefined && { credits }) });
	}

	/** Notes how far it got. `credits`: what is counted for it now; undefined where that stays. */
	note(call: PlannedCall, state: EntryState, { credits = call.entry?.credits, ...change }: Partial<Entry> = {}): void {
		const { once, plan } = call;
		if (!once) return;
		const noted = { ...change, ...(credits !== undefined && { credits }), request: once };
		call.entry = this.ledger.note(askedBy(plan), state, noted);
	}

	/**
	 * How long the service may still be at work on it: until the time limit of the try that was sent first is over, and
	 * half a minute more (docs/reference/service-notes.md#data-tools). In milliseconds.
	 */
	runsForMs({ plan, entry }: PlannedCall): number {
		const { timeout } = plan.request.body ?? {};
		const limitMs = Math.min(typeof timeout === 'number' ? timeout : WORK_MS, WORK_MS) + SPARE_MS;
		const sinceMs = entry?.startedAt === undefined ? 0 : processClock.wallClock() - entry.startedAt;
		return Math.max(0, limitMs - Math.max(0, sinceMs));
	}

	/** Nothing of it has arrived, in no try. */
	forget({ key }: PlannedCall): void {
		this.ledger.change(key, { kind: 'forgotten' });
	}
}

/** The same call, with the id and the body of a try. */
function sentAs(plan: CallPlan, { id: requestId, body }: SentRequest): CallPlan {
	return { ...plan, request: { ...plan.request, requestId, body }, sent: { ...plan.request.query, ...body } };
}
