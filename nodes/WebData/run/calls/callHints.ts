import type { NodeExecutionHint } from 'n8n-workflow';

import { costText, count, hint, summaryText } from '../output/hintText';

/** What a run of a call operation came to. */
export interface CallTotals {
	/** `page`; undefined for calls that count nothing. */
	unit: string | undefined;
	amount: number;
	/** Undefined when the service told none. */
	credits: number | undefined;
	/** Input items, and those of them without a result. */
	items: number;
	failed: number;
	/** Answers of an earlier try that were collected instead of paid for again. */
	recalled: number;
	/** Why answers of an earlier try could not be collected and were paid for again, one for each. */
	refusedRecalls: string[];
	throttledSeconds: number;
}

/** The hint under the output after calls: how much came out, what it cost, what held it up. */
export function callHints(totals: CallTotals): NodeExecutionHint[] {
	const { unit = 'result', amount, credits, recalled, refusedRecalls } = totals;
	const isCounted = totals.unit !== undefined && amount > 0;
	const text = summaryText(
		[isCounted ? `${count(amount, unit)}${costText(credits)}.` : ''],
		totals,
	);
	const hints = text === '' ? [] : [hint(text)];
	if (recalled > 0) {
		hints.push(
			hint(
				`${count(recalled, unit)} of an earlier try of this execution ${recalled === 1 ? 'was' : 'were'} collected instead of paid for again.`,
			),
		);
	}
	const [firstRefusal] = refusedRecalls;
	if (firstRefusal !== undefined) {
		const were = refusedRecalls.length === 1 ? 'was' : 'were';
		hints.push(
			hint(
				`${count(refusedRecalls.length, unit)} of an earlier try could not be collected, so ${were} asked for and paid for again. ${firstRefusal}`,
				'warning',
			),
		);
	}
	return hints;
}
