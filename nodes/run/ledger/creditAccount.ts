import { checkCap, lowestCap } from '../../cost/creditCap';
import type { AskedFor, CapCheck } from '../../cost/creditCap';
import type { OperationBase } from '../../operation/operation';
import { isJsonObject } from '../../service/http/answer';
import type { JsonObject } from '../../service/http/transport';
import type { RunContext } from '../connection/runContext';
import { nodeContext } from '../connection/runContext';

/** Key in the node's context. Stored with executions: do not rename. */
const CREDITS_KEY = 'webDataCredits';
/** Keys in it: what all runs of the node have cost together, and how much of it has no bound until its price is known. */
const SUM_KEY = 'all';
const UNBOUNDED_KEY = 'unbounded';

/**
 * By the node's context in an execution, which all its runs and tool calls share: the worst case of what may
 * be sent and was not yet. All of them are in one process.
 */
const reservedIn = new WeakMap<object, Map<object, number>>();

/** A paid request, and what stands for it in the run: its plan. */
export interface Charge extends AskedFor {
	by: object;
}

/**
 * The costs of a node in an execution, against Max Credits. It is kept with the execution, so that one cap holds for
 * all rounds of a loop, all calls of an AI agent's tool, and all tries and retries: whatever was sent counts with its
 * worst case, also when its job has failed or is gone, until the service has told its cost.
 */
export class CreditAccount {
	private cap: number | undefined;

	/** The worst case of what may be sent and was not yet, of all that run at the moment. */
	private readonly reserved: Map<object, number>;

	/** Of those, what this run has reserved. */
	private readonly own = new Set<object>();

	/** The charges that this try has sent. */
	private readonly sent = new Map<object, number>();

	private isOver = false;

	/** The node's context of n8n, with the account in it. */
	private readonly context: JsonObject;

	constructor(
		ctx: RunContext,
		private readonly worstCase: OperationBase['worstCase'],
	) {
		this.context = nodeContext(ctx);
		this.reserved = reservedIn.get(this.context) ?? new Map<object, number>();
		reservedIn.set(this.context, this.reserved);
	}

	/**
	 * Whether all of these may be sent together; then they are reserved. `caps`: what any item of the run asks
	 * for, `before`: ids of what was started before, for the message.
	 */
	admit(charges: Charge[], caps: Array<number | undefined>, startedIds: readonly string[] = []): CapCheck {
		this.cap = lowestCap(caps);
		const check = this.check(charges, startedIds);
		if (check.tooMuch === undefined) for (const charge of charges) this.reserve(charge);
		return check;
	}

	/** Costs of these that Max Credits does not hold for, where any of them has one. */
	notCounted(charges: Charge[]): string | undefined {
		return checkCap(this.worstCase, charges).notCounted;
	}

	/** The reason why this may not be sent besides all that is admitted; undefined when it may: then it is reserved. */
	refusal(charge: Charge, startedIds: readonly string[] = []): string | undefined {
		const { tooMuch } = this.check([charge], startedIds);
		if (tooMuch === undefined) this.reserve(charge);
		return tooMuch;
	}

	/** The credits that may still be spent under the cap of the run; undefined without a cap. */
	get remaining(): number | undefined {
		if (this.cap === undefined) return undefined;
		const reserved = [...this.reserved.values()].reduce((sum, one) => sum + one, 0);
		return Math.max(0, this.cap - this.spent - reserved);
	}

	/** To be called before each sending. */
	send(charge: Charge): void {
		if (!this.worstCase) return;
		const credits = this.reserved.get(charge.by) ?? this.priceOf(charge);
		this.giveBack(charge.by);
		this.sent.set(charge.by, credits);
		this.change(0, credits);
	}

	/** This request has provably cost nothing, and may be sent again. */
	refund(by: object): void {
		const credits = this.sent.get(by);
		if (credits === undefined) return;
		this.settle(by, 0);
		this.sent.delete(by);
		this.hold(by, credits);
	}

	/**
	 * The credits that are counted for what this try has sent, Infinity where it has no bound; undefined for anything
	 * else.
	 */
	countedFor(by: object): number | undefined {
		return this.sent.get(by);
	}

	/**
	 * The service has told what it has cost. Does nothing where it has not. `counted`: what is counted for it
	 * by now, where another try may have sent it.
	 */
	settle(by: object, credits: number | undefined, counted = this.countedFor(by)): void {
		if (counted === undefined || credits === undefined) return;
		if (this.sent.has(by)) this.sent.set(by, credits);
		if (counted === credits) return;
		this.change(counted, credits);
	}

	/** To be called when nothing more is sent: what was reserved is free for others. What was sent stays counted. */
	release(): void {
		this.isOver = true;
		for (const by of [...this.own]) this.giveBack(by);
	}

	private check(charges: Charge[], ids: readonly string[]): CapCheck {
		const others = [...this.reserved.values()].reduce((sum, one) => sum + one, 0);
		const before = { credits: this.spent + others, ids };
		return checkCap(this.worstCase, charges, this.cap, before);
	}

	private reserve(charge: Charge): void {
		if (this.worstCase) this.hold(charge.by, this.priceOf(charge));
	}

	private hold(by: object, credits: number): void {
		if (this.isOver) return;
		this.own.add(by);
		this.reserved.set(by, credits);
	}

	private giveBack(by: object): void {
		this.own.delete(by);
		this.reserved.delete(by);
	}

	private priceOf({ sent }: Charge): number {
		return this.worstCase?.(sent).credits ?? 0;
	}

	/** All that stands in the book; Infinity where a part of it has no bound. */
	private get spent(): number {
		const { sum, unbounded } = this.book;
		return unbounded > 0 ? Infinity : sum;
	}

	private get book(): { sum: number; unbounded: number } {
		const { [CREDITS_KEY]: stored } = this.context;
		const { [SUM_KEY]: sum, [UNBOUNDED_KEY]: unbounded } = isJsonObject(stored) ? stored : {};
		return { sum: readNumber(sum), unbounded: readNumber(unbounded) };
	}

	/** Puts one amount in the place of another. Leaves nothing behind where nothing is counted. */
	private change(before: number, now: number): void {
		const { sum, unbounded } = this.book;
		const finite = (credits: number) => (Number.isFinite(credits) ? credits : 0);
		const open = (credits: number) => (Number.isFinite(credits) ? 0 : 1);
		const left = Math.max(0, sum - finite(before) + finite(now));
		const without = Math.max(0, unbounded - open(before) + open(now));
		if (left + without === 0) Reflect.deleteProperty(this.context, CREDITS_KEY);
		else this.context[CREDITS_KEY] = { [SUM_KEY]: left, ...(without > 0 && { [UNBOUNDED_KEY]: without }) };
	}
}

function readNumber(stored: unknown): number {
	return typeof stored === 'number' && stored > 0 ? stored : 0;
}

/** The charge of one of them. `isPaid`: by an earlier try, so that it is had whatever the cap is. */
interface CapCandidate extends Charge {
	isPaid?: boolean;
}

/**
 * Caps, all or none, for all input items together, before anything is sent: what is not paid yet is `refused` when all of it together, with what is counted already,
 * may cost more than the user allows; `tooMuch` says it. `notCounted`: what Max Credits does not hold for.
 * `startedIds`: of what was started before, for the message.
 */
export function keepToCap(
	all: CapCandidate[],
	account: CreditAccount,
	startedIds: readonly string[] = [],
): { refused: ReadonlySet<object>; tooMuch: string; notCounted: string | undefined } {
	const unpaid = all.filter(({ isPaid }) => !isPaid);
	const caps = all.map(({ maxCredits }) => maxCredits);
	const { tooMuch, notCounted } = account.admit(unpaid, caps, startedIds);
	const refused = new Set(tooMuch === undefined ? [] : unpaid.map(({ by }) => by));
	return { refused, tooMuch: tooMuch ?? '', notCounted };
}

/** What the items say that a cap refuses together: the first the whole, the others where that stands. */
export function overCapText(tooMuch: string, at: number): string {
	return at === 0
		? tooMuch
		: 'Not sent: this run may cost more than Max Credits (This Run) allows, as the first of these items says.';
}
