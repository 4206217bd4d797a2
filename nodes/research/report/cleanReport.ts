import { withoutHidden } from '../../text/hiddenHtml';
import { visible } from '../claims/passages';

/** A report without what must not leave the run, and how many pieces were taken out. */
interface CleanReport {
	text: string;
	removed: number;
}

/** Deepest links and tags within one another that are taken out. */
const MAX_ROUNDS = 20;

/** Patterns of things that hold an address, each with what is left of it. */
const ADDRESSES: Array<[RegExp, string]> = [
	// Images, links with their text, definitions of links and of footnotes.
	[/!\[([^[\]]*)\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^[\]]*\])/g, ''],
	[/\[([^[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)/g, '$1'],
	[/^[ \t]*\[\^?[^[\]\n]+\]:.*$/gm, ''],
	[/<(?:https?|ftp|mailto|tel|data|javascript)[^<>]*>/gi, ''],
	[/\b[a-z][a-z\d+.-]{0,30}:\/\/[^\s<>]*/gi, ''],
	[/\b(?:mailto|javascript|data|vbscript|tel|file|xmpp):[^\s<>]+/gi, ''],
	[/(?<![\p{L}\p{N}])www\.[^\s<>]+/giu, ''],
	[/[\w.+-]{1,64}@[a-z\d-]+(?:\.[a-z\d-]+)+/gi, ''],
	// A host with a path or a query: programs that show Markdown make links of them.
	[/(?<![\p{L}\p{N}@-])(?:[\p{L}\p{N}-]{1,63}\.){1,9}\p{L}{2,24}(?::\d+)?[/?#][^\s<>]*/giu, ''],
];

/** Elements that go with all that is in them. */
const ELEMENTS = ['script', 'style', 'iframe', 'object', 'svg'];

const TAG = /<[/!?a-z][^<>]*>/gi;

/**
 * A report of the model without HTML, images, links and addresses. Citations stay: the links to the
 * sources are made from them afterwards.
 */
export function cleanReport(markdown: string): CleanReport {
	let text = unfenced(visible(markdown)).normalize('NFC');
	let removed = 0;
	const take = (pattern: RegExp, left: string) => {
		text = text.replace(pattern, (...match: unknown[]) => {
			removed += 1;
			return left === '$1' ? String(match[1]) : left;
		});
	};
	// The rest of one may be another, so this goes on to an end: what is left then is made harmless below.
	for (let before = -1, round = 0; removed !== before && round < MAX_ROUNDS; round++) {
		before = removed;
		for (const [pattern, left] of ADDRESSES) take(pattern, left);
		const shown = withoutHidden(text, ELEMENTS);
		text = shown.text;
		removed += shown.removed;
		take(TAG, '');
	}
	return { text: harmless(text).trim(), removed };
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

function hexOf(sign: string): string {
	return `%${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** The address of a source as it can stand in a link of Markdown, or undefined where it is none. */
export function linkAddress(url: string): string | undefined {
	if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
	const parsed = new URL(url);
	parsed.username = '';
	parsed.password = '';
	// An address of IPv6 is a host in brackets.
	const { origin } = parsed;
	const path = parsed.href.slice(origin.length);
	return origin + path.replace(/[()<>[\]\\`*_|"'\s]/g, hexOf);
}
