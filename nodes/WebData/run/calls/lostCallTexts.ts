import type { NodeExecutionHint } from 'n8n-workflow';

import type { LostStartFinding } from '../../../service/jobs/jobTask';
import { hint, MAX_NAMED, named } from '../output/hintText';

/** Ids of what may be the result of a lost call. */
export function candidatesOf(finding: LostStartFinding | undefined): string[] {
	if (finding?.kind === 'found') return [finding.id];
	return finding?.kind === 'several' ? finding.ids.slice(0, MAX_NAMED) : [];
}

/**
 * What to say of a call whose answer was lost. `collectWith` is the operation that collects an answer by its
 * id, `shows` what the service lists of it; undefined where the service keeps none.
 */
export function lostCallText(
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
			return `${begin}. The service's list of what was done could not be read: a retry looks for it before it sends it again.`;
	}
}

/** The hints of a run. `found`: what was found again; `again`: what was sent again because it was not. */
export function lostCallHints(
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
