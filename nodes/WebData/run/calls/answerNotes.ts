import { shorten } from '../../../service/http/shortText';
import type { CallAnswer, CallOperation, ItemDraft } from '../../operation/operation';
import { askedFormats } from '../../operation/askedFormats';
import { filesToStore } from '../../operation/pages';
import { sampleText } from '../output/sampleLeft';
import { nothingText } from '../output/runNotes';
import type { RunNotes } from '../output/runNotes';

/**
 * Notes what a person should know of an answer. Returns what the node returns of it: for an AI agent, which
 * sees no hints, an answer without any result is an item that says so.
 */
export function noteCallAnswer(
	notes: RunNotes,
	{ usage, pagesOf }: CallOperation,
	answer: CallAnswer,
	drafts: ItemDraft[],
): ItemDraft[] {
	const { body, sent, values, asText } = answer;
	notes.noteAnswer(body);
	notes.noteText(sampleText(sent));
	const formats = pagesOf && askedFormats(sent, filesToStore(values));
	for (const page of pagesOf?.(answer) ?? []) notes.notePage(page, formats);
	for (const draft of drafts) notes.noteDraft(draft);
	if (!usage || usage.mayBeZero || usage.read(answer).amount !== 0) return drafts;
	const asked = [sent.url, sent.query, sent.intent].find((value) => typeof value === 'string');
	const of = typeof asked === 'string' ? ` for ${shorten(asked, 120)}` : '';
	const what = `${usage.unit}s${of}`;
	notes.noteEmpty(what);
	return drafts.length === 0 && asText ? [{ json: { message: nothingText(what, body) } }] : drafts;
}
