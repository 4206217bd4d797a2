import type { IExecuteFunctions } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import type { JsonObject } from '../../../service/http/transport';
import { checkCap, lowestCap } from '../../cost/creditCap';
import type { AskedFor, CapCheck } from '../../cost/creditCap';
import type { OperationBase } from '../../operation/operation';
import { isToolCall } from '../input/parameters';
import { nodeContext, runIndexOf } from './crashRecovery';

/** Key in the node's context. Stored with executions: do not rename. */
const CREDITS_KEY = 'webDataCredits';

/** A paid request, and what stands for it in the run: its plan. */
export interface Charge extends AskedFor {
	by: object;
}

/**
 * What a run of the node may cost, and has cost, against Max Credits. It is kept with the execution, so that
 * the cap holds for all its tries and retries: whatever was sent counts with its worst case, also when its job
 * has failed or is gone, until the service has told its cost. Each round of a loop has its own account; all
 * calls of an AI agent's tool share one, since n8n counts them again in each retry.
 */
export class CreditAccount {
	private cap: number | undefined;

	/** The worst case of what may be sent and was not yet. */
	private readonly reserved = new Map<object, number>();

	/** What this try has sent. */
	private readonly sent = new Map<object, number>();

	private readonly scope: string;

	private readonly isTool: boolean;

	/** What n8n keeps for the node, with the account in it. */
	private readonly context: JsonObject;

	constructor(
		ctx: IExecuteFunctions,
		private readonly worstCase: OperationBase['worstCase'],
	) {
		this.isTool = isToolCall(ctx);
		this.scope = this.isTool ? 'tool' : String(runIndexOf(ctx));
		this.context = nodeContext(ctx);
	}

	/**
	 * Whether all of these may be sent together; then they are reserved. `caps`: what any item of the run asks
	 * for, `before`: ids of what was started before, for the message.
	 */
	admit(
		charges: Charge[],
		caps: Array<number | undefined>,
		before: readonly string[] = [],
	): CapCheck {
		this.cap = lowestCap(caps);
		const check = this.check(charges, before);
		if (check.tooMuch === undefined) for (const charge of charges) this.reserve(charge);
		return check;
	}

	/** Why this may not be sent besides all that is admitted; undefined when it may: then it is reserved. */
	refusal(charge: Charge, before: readonly string[] = []): string | undefined {
		const { tooMuch } = this.check([charge], before);
		if (tooMuch === undefined) this.reserve(charge);
		return tooMuch;
	}

	/** To be called before each sending. */
	send(charge: Charge): void {
		if (!this.worstCase) return;
		const credits = this.priceOf(charge);
		this.reserved.delete(charge.by);
		this.sent.set(charge.by, credits);
		this.write(this.spent + credits);
	}

	/** What was sent has provably cost nothing, and may be sent again. */
	refund(by: object): void {
		const credits = this.sent.get(by);
		if (credits === undefined || !Number.isFinite(credits)) return;
		this.settle(by, 0);
		this.sent.delete(by);
		this.reserved.set(by, credits);
	}

	/** The service has told what it has cost. Does nothing where it has not. */
	settle(by: object, credits: number | undefined): void {
		const counted = this.sent.get(by);
		if (counted === undefined || credits === undefined || !Number.isFinite(counted)) return;
		this.sent.set(by, credits);
		this.write(this.spent - counted + credits);
	}

	/** To be called when all is handed over: the next run of the node has its own account. */
	close(): void {
		if (!this.isTool) this.write(0);
	}

	private check(charges: Charge[], ids: readonly string[]): CapCheck {
		const others = [...this.reserved.values()].reduce((sum, one) => sum + one, 0);
		const before = { credits: this.spent + others, ids };
		return checkCap(this.worstCase, charges, this.cap, before);
	}

	private reserve(charge: Charge): void {
		if (this.worstCase) this.reserved.set(charge.by, this.priceOf(charge));
	}

	private priceOf({ sent }: Charge): number {
		return this.worstCase?.(sent).credits ?? 0;
	}

	/** JSON writes null for a sum without a bound. */
	private get spent(): number {
		const { [this.scope]: stored = 0 } = this.book;
		if (stored === null) return Infinity;
		return typeof stored === 'number' && stored > 0 ? stored : 0;
	}

	/** Leaves nothing behind where nothing is counted. */
	private write(credits: number): void {
		const { book, context } = this;
		if (credits === 0) Reflect.deleteProperty(book, this.scope);
		else book[this.scope] = credits;
		if (Object.keys(book).length > 0) context[CREDITS_KEY] = book;
		else Reflect.deleteProperty(context, CREDITS_KEY);
	}

	private get book(): JsonObject {
		const { [CREDITS_KEY]: stored } = this.context;
		return isJsonObject(stored) ? stored : {};
	}
}
