import { pageKey, webAddress } from '../../text/addresses';
import { trimEnd, trimEnds } from '../../text/ends';
import { wordCount } from '../../text/sentences';
import { citedNumbers, plainCitations } from '../report/citations';
import { readReport } from '../report/readReport';
import { markdownOfHtml } from './markdownOfHtml';
import { isHeadOfSources, readSources } from './sourceList';

/** A sentence of a text that is checked. */
export interface CitedSentence {
	/** Its place in the text, from 1. */
	position: number;
	/** Without its citations, as it stands there. */
	text: string;
	/** Numbers of the sources that it cites, from 1, each once. */
	sources: number[];
	/** Whether these stand at the end of its paragraph alone, so that they may be meant for this sentence, too. */
	isAssumed: boolean;
	/** It cites an address for which there was no room among the sources. */
	hasMore?: true;
	/** False for what says nothing that could be checked: headings, questions, greetings, lines that lead on. */
	isClaim: boolean;
	/** Whether a line of the text begins with it, and what stands before it there: marks of lists, of headings. */
	lead?: string;
	/** An empty line stands before that line. */
	isAfterBlank?: true;
	/** What of the row of a table stands behind it. */
	tail?: string;
}

/** A text with the addresses that it cites. */
export interface CitedText {
	sentences: CitedSentence[];
	/** Addresses, by their numbers less one. Each page once. */
	sources: string[];
}

/** Addresses that are read out of a text at most. */
export const MOST_SOURCES = 200;

/** The number of every address for which there is no room. */
const NO_ROOM = 0;

/** Stands for an address within a sentence; nothing of the text has such a sign. */
const FIRST_SIGN = 0xe000;
const SIGNS = /[\ue000-\uf8ff]/g;

/** The number of a citation that stands for an address: above all that a text gives itself. */
const FIRST_NUMBER = 9000;
const OWN_NUMBER = /\[(9\d{3})\]/g;

/**
 * Cuts a text into sentences, each with the sources that it cites: numbers of a list, footnotes, links in words, bare
 * addresses. HTML is read as what it shows.
 */
export function readCitedText(text: string): CitedText {
	const markdown = (looksLikeHtml(text) ? markdownOfHtml(text) : text).replace(/\r\n?/g, '\n').replace(SIGNS, '');
	const { body, byNumber } = readSources(numberedNotes(markdown.replace(OWN_NUMBER, '($1)')));
	const sources: string[] = [];
	const places = new Map<string, number>();
	const numberOf = (address: string): number | undefined => {
		const url = webAddress(address);
		if (!url) return undefined;
		const key = pageKey(url.href);
		const known = places.get(key);
		if (known !== undefined) return known;
		if (sources.length >= MOST_SOURCES) return NO_ROOM;
		places.set(key, sources.push(url.href));
		return sources.length;
	};
	const marked = markLinks(gluedNumbers(body, byNumber), numberOf);
	const isSource = (number: number) => byNumber.has(number) || number >= FIRST_NUMBER;
	const lines = readReport(plainCitations(marked, isSource));
	const sentences: CitedSentence[] = [];
	let isAfterBlank = false;
	for (const { lead, sentences: own } of lines) {
		if (own.length === 0) isAfterBlank = sentences.length > 0;
		const paragraph = own.map(({ raw, text: said, isStatement }, at): CitedSentence => {
			const numbers = citedNumbers(raw).flatMap((number) => {
				if (number >= FIRST_NUMBER) return [number - FIRST_NUMBER];
				const address = byNumber.get(number);
				return (address === undefined ? undefined : numberOf(address)) ?? [];
			});
			const signs = (raw.match(SIGNS) ?? []).map((sign) => sign.charCodeAt(0) - FIRST_SIGN);
			const whole = said.replace(SIGNS, '').replace(/\s+/g, ' ').trim();
			const plain = (lead.includes('|') && trimEnd(whole, /[\s|]/)) || whole;
			const cited = new Set([...numbers, ...signs]);
			const hasMore = cited.delete(NO_ROOM);
			return {
				position: 0,
				text: plain,
				sources: [...cited],
				isAssumed: false,
				...(hasMore && { hasMore: true as const }),
				isClaim: (isStatement || cited.size > 0 || hasMore) && saysSomething(plain, cited.size > 0 || hasMore),
				...(at === 0 && { lead, ...(isAfterBlank && { isAfterBlank: true as const }) }),
				...(plain !== whole && { tail: whole.slice(plain.length) }),
			};
		});
		if (own.length > 0) isAfterBlank = false;
		shareLastSources(paragraph);
		for (const sentence of paragraph) {
			// A citation that stands alone behind a paragraph is that of its last sentence.
			const last = sentences.at(-1);
			if (sentence.text === '' && last && sentence.sources.length > 0) last.sources.push(...sentence.sources);
			else if (sentence.text !== '') sentences.push({ ...sentence, position: sentences.length + 1 });
		}
	}
	return { sentences, sources };
}

/** The number of a footnote that has a name instead. */
const FIRST_NOTE = 700;
const MOST_NOTES = 200;

/** Gives footnotes with names their numbers: `[^a]`, where the text defines it. */
function numberedNotes(text: string): string {
	const names = [...text.matchAll(/^\s{0,3}\[\^([^\]\s^]{1,60})\]:\s/gm)].map(([, name = '']) => name);
	const named = [...new Set(names)].filter((name) => !/^\d{1,3}$/.test(name)).slice(0, MOST_NOTES);
	const numbers = new Map(named.map((name, at) => [name, FIRST_NOTE + at]));
	return text.replace(/\[\^([^\]\s^]{1,60})\]/g, (whole: string, name: string) => {
		const number = numbers.get(name);
		return number === undefined ? whole : `[^${number}]`;
	});
}

/** Raised numbers that a copy has put behind a full stop: `billion.1 It`. Behind a figure nobody can tell. */
function gluedNumbers(body: string, byNumber: ReadonlyMap<number, string>): string {
	return body.replace(/(?<=\p{Ll}[.!?])(\d{1,2})(?=\s+\p{Lu}|\s*$)/gmu, (whole: string) =>
		byNumber.has(Number(whole)) ? `[${whole}]` : whole,
	);
}

function looksLikeHtml(text: string): boolean {
	return (
		/<(?:!doctype|html|body|p|div|li|h[1-6]|table|a\s)[\s>]/i.test(text) &&
		/<\/(?:p|div|li|h[1-6]|a|body|td)>/i.test(text)
	);
}

/** A link with a label that is no words of the sentence: a number, the host, "source". */
const LABEL =
	/^(?:\d{1,3}|sources?|link|here|ref|quelle|fuente|fonte|bron|来源|出典|[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,6}(?:\/\S{0,200})?(?:\s{0,2}\+\d{1,3})?)$/iu;

function isLabel(words: string): boolean {
	return LABEL.test(trimEnds(words, /[^\p{L}\p{N}]/u));
}

const LINK =
	/!?\[((?:[^[\]\n]|\[[^[\]\n]*\]){0,300})\]\(\s{0,3}<?([^\s()<>]{1,2000}(?:\([^\s()<>]{0,200}\)[^\s()<>]{0,2000})?)>?(?:\s+["'][^"'\n]{0,300}["'])?\s{0,3}\)/g;
const BARE = /<?(?<![\w/@])(https?:\/\/[^\s<>"'\]\u3000-\u303f]{1,2000})>?/gi;

/** Puts a sign or a citation in the place of each link: the words of a sentence stay, labels go. */
function markLinks(body: string, numberOf: (address: string) => number | undefined): string {
	const cite = (number: number) => `[${FIRST_NUMBER + number}]`;
	const linked = body.replace(LINK, (whole: string, label: string, address: string) => {
		if (whole.startsWith('!')) return '';
		const number = numberOf(address);
		if (number === undefined) return label;
		const words = label.replace(/[*_`]/g, '');
		if (isLabel(words) || words.trim() === '') return cite(number);
		const end = trimEnd(label, /[^\p{L}\p{N}]/u).length;
		return `${label.slice(0, end)}${String.fromCharCode(FIRST_SIGN + number)}${label.slice(end)}`;
	});
	const all = linked.replace(BARE, (whole: string, address: string) => {
		const url = trimEnd(address, /[.,;:!?)*_]/);
		const number = numberOf(url);
		return number === undefined ? whole : `${cite(number)}${whole.startsWith('<') ? '' : address.slice(url.length)}`;
	});
	// What is left of brackets around a citation, and of "Source:" before it.
	return all
		.replace(/\(\s{0,3}(?:(?:see|source|via|quelle|vgl\.?):?\s{0,3})?((?:\[9\d{3}\][\s,;]{0,3})+)\)/giu, '$1')
		.replace(/\(\s{0,3}((?:\[9\d{3}\][\s]{0,3})+)[,;]\s{0,3}/gu, '$1(')
		.replace(/(?<=[.!?]\s{0,3})(?:source|quelle|fuente|fonte)s?:\s{0,3}(?=\[9\d{3}\])/giu, '');
}

/** Fewer words say nothing that could be true or not; with a source, two do ("Margins fell"). */
const LEAST_WORDS = 3;
const CITED_WORDS = 2;

const GREETING =
	/^(?:hi|hello|hey|dear|thanks?|thank you|best regards|kind regards|regards|hallo|liebe[rs]?|guten|danke|mit freundlichen|viele grüße|bonjour|bonsoir|merci|cordialement|hola|gracias|saludos|ciao|grazie|let me know|i hope|feel free)(?![\p{L}-])/iu;

/** Words of a greeting at most. */
const MOST_GREETING = 12;

/** A greeting that cites something, has a figure or is long may hide a statement: it is none then. */
function isGreeting(text: string, isCited: boolean): boolean {
	return !isCited && GREETING.test(text) && !/\p{N}/u.test(text) && wordCount(text, MOST_GREETING) <= MOST_GREETING;
}

/** Whether a text says something that a page could say, too. */
function saysSomething(text: string, isCited: boolean): boolean {
	if (!/\p{L}/u.test(text) || /[?\uff1f\u061f]["'”’»)\]]*$/u.test(text) || /[:\uff1a]$/u.test(text)) return false;
	const least = isCited ? CITED_WORDS : LEAST_WORDS;
	return wordCount(text, least) >= least && !isGreeting(text, isCited) && !isHeadOfSources(text);
}

/**
 * Sources that stand at the end of a paragraph alone may be meant for all of it: nobody can tell. They are assumed for
 * sentences without any.
 */
function shareLastSources(paragraph: CitedSentence[]): void {
	const cited = paragraph.filter(({ sources }) => sources.length > 0);
	const last = paragraph.at(-1);
	if (!last || cited.length !== 1 || cited[0] !== last) return;
	for (const sentence of paragraph) {
		if (sentence === last || !sentence.isClaim) continue;
		sentence.sources = [...last.sources];
		sentence.isAssumed = true;
	}
}
