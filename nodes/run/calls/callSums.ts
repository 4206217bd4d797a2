import { askedFormats } from '../../operation/askedFormats';
import type { CallAnswer, CallOperation, CallUsage, ItemDraft } from '../../operation/operation';
import { filesToStore } from '../../operation/pages';
import { valueCheckOf } from '../../operation/valueCheck';
import { addCredits } from '../../operation/webPage';
import { shorten } from '../../service/http/failure';
import type { ServiceRequest } from '../../service/http/transport';
import { count } from '../../text/amounts';
import { costText, summaryText } from '../output/hints';
import type { Notes } from '../output/notes';
import { noteDraft, notePage, nothingText, sampleText } from '../output/pageNotes';

/** The sums over the answers of a run of calls, noted as they come. */
export class CallSums {
	private amount = 0;

	/** Answers of this try, and what the service says that they cost, if it says it of all. */
	private paid = 0;

	private credits: number | undefined = 0;

	/** Calls that an earlier try was answered and that were sent again, and their credits, if known of all. */
	private again = { calls: 0, credits: 0 as number | undefined };

	/** `usage` is undefined for calls that count nothing. */
	constructor(private readonly usage: CallUsage | undefined) {}

	/** The noun for one result. */
	get unit(): string {
		return this.usage?.unit ?? 'result';
	}

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

	/** A call without a result was charged all the same. */
	failed(credits: number): void {
		this.credits = addCredits(this.credits, credits);
	}

	/** `counts`: input items, those of them without a result, and what held the run up. */
	tell(notes: Notes, counts: { items: number; failed: number; throttledSeconds: number }): void {
		const { amount, again, unit } = this;
		const credits = this.paid === 0 ? undefined : this.credits;
		notes.say('summary', summaryText([amount > 0 ? `${count(amount, unit)}${costText(credits)}.` : ''], counts));
		const cost = again.credits === undefined ? '' : ` (about ${count(again.credits, 'credit')})`;
		notes.add('paidAgain', { amount: again.calls, detail: cost });
	}
}

/**
 * Notes what a person should know of an answer. Returns what the node returns of it: for an AI agent, which
 * sees no hints, an answer without any result is an item that says so.
 */
export function noteCallAnswer(
	notes: Notes,
	{ usage, pagesOf, notShown }: CallOperation,
	answer: CallAnswer,
	drafts: ItemDraft[],
): ItemDraft[] {
	const { body, sent, values, asText } = answer;
	notes.addRemarks(body);
	notes.say('remark', sampleText(sent));
	for (const name of notShown?.(answer) ?? []) notes.add('notShown', { name: shorten(name, 120) });
	const formats = pagesOf && askedFormats(sent, filesToStore(values), valueCheckOf(values));
	for (const page of pagesOf?.(answer) ?? []) notePage(notes, page, formats);
	for (const draft of drafts) noteDraft(notes, draft);
	if (!usage || usage.mayBeZero || usage.read(answer).amount !== 0) return drafts;
	const asked = [sent.url, sent.query, sent.intent].find((value) => typeof value === 'string');
	const of = typeof asked === 'string' ? ` for ${shorten(asked, 120)}` : '';
	const what = `${usage.unit}s${of}`;
	notes.add('nothingFound', { name: what });
	return drafts.length === 0 && asText ? [{ json: { message: nothingText(what, body) } }] : drafts;
}

/** Slowest line that a file is waited for on, in bytes a millisecond: 100 KB a second. */
const SLOWEST_LINE = 100;

/** The additional time for the file that a request sends, in milliseconds. */
export function uploadTimeMs({ form }: ServiceRequest): number {
	return form ? Math.ceil(form.file.bytes / SLOWEST_LINE) : 0;
}

/** Notes the files of an item that are not sent, and that it has none at all. */
export function noteFiles(notes: Notes, item: number, sent: number, leftOut: string[]): void {
	for (const name of leftOut) notes.add('filesLeftOut', { name });
	if (sent === 0) notes.add('nothingFound', { name: `file to read in item ${item}` });
}
