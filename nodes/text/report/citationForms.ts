import { trimEnd } from '../ends';

/**
 * Citations in the text of a report, in each form in which it is put out. In Markdown a citation is a number in brackets
 * that links to its place on the page: `[\[1\]](https://…)`, which is shown as [1].
 */

/** The citation of a page by its number. `address`: without blanks and round brackets. */
export const citation = (number: number, address: string): string => `[\\[${number}\\]](${address})`;

const CITATIONS = /\[\\\[(\d{1,4})\\\]\]\(([^()\s]{1,8000})\)/g;

const FULL_STOPS = /[.!?…。！？؟।]/u;
const CLOSINGS = /["”’»*_`)\]]/u;

/** A sentence with its citations, which stand before its full stop. */
export function withCitations(sentence: string, citations: string): string {
	if (citations === '') return sentence;
	const open = trimEnd(sentence, CLOSINGS);
	const bare = trimEnd(trimEnd(open, FULL_STOPS), /\\/);
	const at = FULL_STOPS.test(open.slice(-1)) ? bare.length : sentence.length;
	return `${sentence.slice(0, at)} ${citations}${sentence.slice(at)}`;
}

/** The same Markdown with the addresses of its citations at its end, so that the text can be read as it stands. */
export function withReferences(markdown: string): string {
	const names = new Map<string, string>();
	const places = new Map<string, number>();
	const text = markdown.replace(CITATIONS, (_whole, number: string, address: string) => {
		const place = (places.get(number) ?? 0) + 1;
		const name = names.get(address) ?? (place === 1 ? number : `${number}-${place}`);
		if (!names.has(address)) places.set(number, place);
		names.set(address, name);
		return `[\\[${number}\\]][${name}]`;
	});
	if (names.size === 0) return markdown;
	const sorted = [...names].sort(([, one], [, other]) => Number.parseInt(one, 10) - Number.parseInt(other, 10));
	const lines = sorted.map(([address, name]) => `[${name}]: ${address}`);
	return `${text}\n\n${lines.join('\n')}`;
}

/** The same with the numbers alone: for whoever gets the sources in a list beside it. */
export function withNumbers(markdown: string): string {
	return markdown.replace(CITATIONS, '[$1]');
}

/** The same with other numbers, for reports that are joined. `numbers`: the new one of each. */
export function renumbered(markdown: string, numbers: ReadonlyMap<number, number>): string {
	return markdown.replace(CITATIONS, (_whole, number: string, address: string) =>
		citation(numbers.get(Number(number)) ?? Number(number), address),
	);
}
