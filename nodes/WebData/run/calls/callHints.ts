import type { NodeExecutionHint } from 'n8n-workflow';

import { addCredits } from '../../operation/operation';
import type { CallUsage } from '../../operation/operation';
import { costText, count, hint, summaryText } from '../output/hintText';

/** How a run of calls went, beside what its answers came to. */
export interface CallCounts {
	/** Input items, and those of them without a result. */
	items: number;
	failed: number;
	throttledSeconds: number;
}

/** What the answers of a run of calls come to, noted as they come, and the hints about it. */
export class CallSums {
	private amount = 0;

	/** Answers of this try, and what the service says that they cost, if it says it of all. */
	private paid = 0;

	private credits: number | undefined = 0;

	/** How many answers of an earlier try were collected instead of paid for again. */
	recalled = 0;

	/** How many answers of an earlier try were returned again, since Retry On Fail repeats the node at once. */
	kept = 0;

	/** Calls that an earlier try was answered and that were sent again, and their credits, if known of all. */
	private again = { calls: 0, credits: 0 as number | undefined };

	/** Why the others could not be collected and were paid for again, one for each. */
	readonly refusedRecalls: string[] = [];

	/** `usage` is undefined for calls that count nothing; `isPaid` is false for calls that cost nothing by themselves. */
	constructor(
		private readonly usage: CallUsage | undefined,
		private readonly isPaid: boolean,
	) {}

	/** `isPaid`: by this try. `isAgain`: also by an earlier one. */
	note(answer: Parameters<CallUsage['read']>[0], isPaid: boolean, isAgain: boolean): void {
		const used = this.usage?.read(answer);
		this.amount += used?.amount ?? 0;
		if (!isPaid) return;
		this.credits = addCredits(this.credits, used?.credits);
		this.paid += 1;
		if (!isAgain) return;
		this.again.calls += 1;
		this.again.credits = addCredits(this.again.credits, used?.credits);
	}

	/** How much came out, what it cost, what held it up; what was collected of an earlier try. */
	hints(counts: CallCounts): NodeExecutionHint[] {
		const { amount, recalled, usage } = this;
		const unit = usage?.unit ?? 'result';
		const credits = this.paid === 0 ? undefined : this.credits;
		const isCounted = usage !== undefined && amount > 0;
		const text = summaryText(
			[isCounted ? `${count(amount, unit)}${costText(credits)}.` : ''],
			counts,
		);
		const were = recalled === 1 ? 'was' : 'were';
		return [
			...(text === '' ? [] : [hint(text)]),
			...(recalled > 0
				? [
						hint(
							`${count(recalled, unit)} of an earlier try of this execution ${were} collected instead of paid for again.`,
						),
					]
				: []),
			...this.refusedHints(unit),
			...this.againHints(),
		];
	}

	private againHints(): NodeExecutionHint[] {
		const { kept, again } = this;
		const were = (amount: number) => (amount === 1 ? 'was' : 'were');
		const keptText = `${count(kept, 'answer')} of an earlier try of this execution ${were(kept)} put out instead of ${this.isPaid ? 'paid for' : 'asked for'} again.`;
		const cost = again.credits === undefined ? '' : ` (about ${count(again.credits, 'credit')})`;
		const againText = `${count(again.calls, 'request')} that an earlier try of this execution had sent ${were(again.calls)} sent and paid for again${cost}: the service keeps no results of such requests.`;
		return [
			...(kept > 0 ? [hint(keptText)] : []),
			...(again.calls > 0 ? [hint(againText, 'warning')] : []),
		];
	}

	private refusedHints(unit: string): NodeExecutionHint[] {
		const { length } = this.refusedRecalls;
		const [first] = this.refusedRecalls;
		if (first === undefined) return [];
		return [
			hint(
				`${count(length, unit)} of an earlier try could not be collected, so ${length === 1 ? 'was' : 'were'} asked for and paid for again. ${first}`,
				'warning',
			),
		];
	}
}
