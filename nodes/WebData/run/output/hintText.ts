import type { NodeExecutionHint } from 'n8n-workflow';

import { hideCredentials } from '../../../service/secrets/credentialText';

/** A hint under the output. It shows nobody's password or token, whatever address it names. */
export function hint(message: string, type: NodeExecutionHint['type'] = 'info'): NodeExecutionHint {
	return { message: hideCredentials(message), type, location: 'outputPane' };
}

/** `1 page`, `2 pages`. */
export function count(amount: number, thing: string, things = `${thing}s`): string {
	return `${amount} ${amount === 1 ? thing : things}`;
}

/** `3 of 5 items failed.`; empty when none did. */
export function failedText(failed: number, items: number): string {
	if (failed === 0) return '';
	return items === 1 ? 'The item failed.' : `${failed} of ${items} items failed.`;
}

/** ` (= 3 credits)`; empty where nobody tells what it cost. */
export function costText(credits: number | undefined): string {
	return credits === undefined ? '' : ` (= ${count(credits, 'credit')})`;
}

/** The texts that say something, one behind the other. */
export function sentences(texts: string[]): string {
	return texts.filter((text) => text !== '').join(' ');
}

/** Most ids that a sentence names; n8n's log has them all. */
export const MAX_NAMED = 20;

/** `a, b and 3 more` */
export function named(all: ReadonlyArray<string | number>): string {
	const more = all.length - MAX_NAMED;
	return all.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** What every run reports at its end: its results, its failures and its delays. */
export function summaryText(
	texts: string[],
	{ failed, items, throttledSeconds }: { failed: number; items: number; throttledSeconds: number },
): string {
	const throttled = throttledSeconds > 0 ? `Rate limits made it wait ${throttledSeconds} s.` : '';
	return sentences([...texts, failedText(failed, items), throttled]);
}

/** `a crawl`, `an agent job`, `an LLMs.txt job`: as it is spoken. */
export function withArticle(label: string): string {
	return `${/^([aeiou]|LLM)/i.test(label) ? 'an' : 'a'} ${label}`;
}

/** Most things that Named names; the rest is counted. */
const MAX_SHOWN = 3;

/** Things of which the first are named and all are counted. */
export class Named {
	size = 0;

	private readonly first: string[] = [];

	add(name: () => string): void {
		this.size += 1;
		if (this.first.length < MAX_SHOWN) this.first.push(name());
	}

	text(between = '; '): string {
		const more = this.size - this.first.length;
		return this.first.join(between) + (more > 0 ? `; and ${more} more` : '');
	}
}
