import { trimEnd } from '../../text/ends';
import { withoutHidden, withoutTags } from '../../text/hiddenHtml';
import { HOST, addressesIn, spacedWords, visible } from '../../text/pageText';

/** A report without what must not leave the run, and how many pieces were taken out. */
interface CleanReport {
	text: string;
	removed: number;
}

/** Deepest links and tags within one another that are taken out. */
const MAX_ROUNDS = 20;

/** Patterns of things that hold an address; of one with a group, that is left. */
const ADDRESSES = [
	// Images, links with their text, definitions of links and of footnotes.
	/!\[[^[\]]*\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^[\]]*\])/g,
	/\[([^[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)/g,
	/^[ \t]*\[\^?[^[\]\n]+\]:.*$/gm,
	/<(?:https?|ftp|mailto|tel|data|javascript):[^<>]*>/gi,
	/\b[a-z][a-z\d+.-]{0,30}:\/\/[^\s<>]*/gi,
	/\b(?:mailto|javascript|data|vbscript|tel|file|xmpp):[^\s<>]+/gi,
	/(?<![\p{L}\p{N}])www\.[^\s<>]+/giu,
	/[\w.+-]{1,64}@[a-z\d-]+(?:\.[a-z\d-]+)+/gi,
];

/** A host with a path or a query: programs that show Markdown make links of them. */
const HOST_AND_PATH = new RegExp(`${HOST}(?::\\d+)?[/?#][^\\s<>]*`, 'giu');

/** Elements that go with all that is in them. */
const ELEMENTS = ['script', 'style', 'iframe', 'object', 'svg'];

/**
 * A report of the model without HTML, images, links and addresses. Citations stay: the links to the sources are made from
 * them afterwards. `isKept`: addresses that are a part of what is said, and stay as text.
 */
export function cleanReport(markdown: string, isKept: (address: string) => boolean = () => false): CleanReport {
	let text = unfenced(visible(markdown)).normalize('NFC').replace(RAISED, raised);
	let removed = 0;
	const take = (pattern: RegExp) => {
		text = text.replace(pattern, (whole: string, label: unknown) => {
			if (isKept(whole)) return whole;
			removed += 1;
			return typeof label === 'string' ? label : '';
		});
	};
	// The rest of one may be another, so this goes on to an end: what is left then is made harmless below.
	for (let before = -1, round = 0; removed !== before && round < MAX_ROUNDS; round++) {
		before = removed;
		ADDRESSES.forEach(take);
		text = spacedWords(text, isKept);
		take(HOST_AND_PATH);
		for (const without of [(one: string) => withoutHidden(one, ELEMENTS), withoutTags]) {
			const shown = without(text);
			text = shown.text;
			removed += shown.removed;
		}
	}
	return { text: harmless(text).trim(), removed };
}

/** Marks at the end of an address that belong to its sentence. */
const BEHIND_ADDRESS = /[.,;:!?)\]'"*_\u3002\uff0c]/;

/** Addresses that these texts have, where a report has them. */
export function reportAddresses(texts: readonly string[]): (address: string) => boolean {
	return addressesIn(texts, BEHIND_ADDRESS);
}

const ADDRESS = String.raw`\b[a-z][a-z\d+.-]{0,30}:\/\/[^\s<>\x60]+|(?<![\p{L}\p{N}])www\.[^\s<>\x60]+|[\w.+-]{1,64}@[a-z\d-]+(?:\.[a-z\d-]+)+|${HOST}(?::\d+)?[/?#][^\s<>\x60]*`;
const ANY_ADDRESS = new RegExp(ADDRESS, 'giu');
const CODE_OR_ADDRESS = new RegExp(`\x60[^\x60\n]*\x60|${ADDRESS}`, 'giu');

/** Markdown with its addresses as code, so that no program that shows it makes links of them. */
export function unlinked(markdown: string): string {
	return withCode(markdown, CODE_OR_ADDRESS, (part) => part);
}

/** Text as it stands, whatever it looks like in Markdown; addresses as code. */
export function escaped(text: string): string {
	return withCode(text, ANY_ADDRESS, (part) => part.replace(/[\\`*_[\]<>|#~]/g, '\\$&'));
}

function withCode(text: string, pattern: RegExp, others: (part: string) => string): string {
	const parts: string[] = [];
	let from = 0;
	for (const { 0: found, index } of text.matchAll(pattern)) {
		if (found.startsWith('`')) continue;
		const address = trimEnd(found, BEHIND_ADDRESS);
		parts.push(others(text.slice(from, index)), `\`${address}\``);
		from = index + address.length;
	}
	return parts.join('') + others(text.slice(from));
}

/** A raised number would melt into the figure before it: 10² is not 102. */
const RAISED = /<sup>\s{0,3}(\d{1,4})\s{0,3}<\/sup>/gi;

function raised(_whole: string, digits: string): string {
	return digits.replace(/\d/g, (digit) =>
		'\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079'.charAt(Number(digit)),
	);
}

/** Code fences around the whole report. */
function unfenced(text: string): string {
	return /^\s*(```|~~~)(?:markdown|md)?[ \t]*\n([^]*?)\n?\1\s*$/.exec(text)?.[2] ?? text;
}

/** Beginnings of tags, images and links that do not end. */
function harmless(text: string): string {
	return text
		.replace(/<(?=[a-z/!?])/gi, '&lt;')
		.replace(/!(?=\[)/g, '! ')
		.replace(/\](?=[(:])/g, '] ')
		.replace(/(?<![ \t])[ \t]+$/gm, '');
}

/** Hosts in a text: `example.com`. Programs that show Markdown may make links of them. */
export function hostsIn(text: string): string[] {
	return [...text.matchAll(/(?<![\p{L}\p{N}@-])(?:[\p{L}\p{N}-]{1,63}\.){1,9}[a-z]{2,24}(?![\p{L}\p{N}-])/giu)].map(
		([host]) => host,
	);
}
