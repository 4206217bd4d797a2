import type { NodeExecutionHint } from 'n8n-workflow';

import { shorten } from '../../../service/http/shortText';
import type { JsonObject } from '../../../service/http/transport';
import { addCredits } from '../../operation/operation';
import type { SessionOperation } from '../../operation/operation';
import type { RunContext } from '../connection/runContext';
import { costText, count, hint, named, summaryText } from '../output/hintText';

/** What the sessions of a run came to, noted as it happens. */
export class SessionTotals {
	/** Ids of those that this run has opened and closed. */
	readonly closedIds: string[] = [];

	/** Of those that could not be closed. */
	readonly openIds: string[] = [];

	/** Of those that an earlier try had left open and this one has closed. */
	readonly earlierIds: string[] = [];

	/** Sessions that are returned open. */
	putOut = 0;

	/** What else a person should know, each once. */
	readonly remarks = new Set<string>();

	private seconds = 0;

	private credits: number | undefined = 0;

	constructor(private readonly usage: SessionOperation['usage']) {}

	/** `answer` is what the service said to the closing. */
	noteClosed(id: string, answer: JsonObject, ids: string[] = this.closedIds): void {
		ids.push(id);
		const { seconds, credits } = this.usage(answer);
		this.seconds += seconds;
		this.credits = addCredits(this.credits, credits);
	}

	hints(ctx: RunContext, failed: number, throttledSeconds: number): NodeExecutionHint[] {
		const { closedIds, openIds, earlierIds, putOut, remarks } = this;
		const ended = closedIds.length + earlierIds.length;
		const opened =
			putOut > 0
				? `${count(putOut, 'session')} opened. ${putOut === 1 ? 'It costs' : 'They cost'} until Browser · Close Session ends ${putOut === 1 ? 'it' : 'them'}.`
				: '';
		const closed =
			ended > 0 && this.seconds > 0
				? `${count(ended, 'session')} closed, ${count(this.seconds, 'browser second')}${costText(this.credits)}.`
				: '';
		const items = ctx.getInputData().length;
		const summary = summaryText([opened, closed], { failed, items, throttledSeconds });
		const warnings = [
			earlierIds.length > 0
				? `Closed what an earlier try of this execution had left open: ${count(earlierIds.length, 'session')} (${named(earlierIds)}).`
				: '',
			openIds.length > 0
				? `${count(openIds.length, 'session')} could not be closed: ${named(openIds)}. They cost until their Idle Limit is over; Browser · Close Session closes them.`
				: '',
			...[...remarks].map((remark) => shorten(remark, 1000)),
		];
		return [
			...(summary === '' ? [] : [hint(summary)]),
			...warnings.filter((text) => text !== '').map((text) => hint(text, 'warning')),
		];
	}
}
