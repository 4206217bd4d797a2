import {
	CLOSERS,
	END_MARKS,
	hasNoMarks,
	hasNoSpaces,
	isShortened,
	joinedLines,
	LONGEST_ABBREVIATION,
	wordCount,
} from '../../text/sentences';
import { CITATION, citedNumbers } from './citations';
import { BOLD_LINE, LEAD_LINE } from './titles';

/** A part of a line: a sentence with its citations, or text that is no sentence (a heading, a table's header row). */
export interface ReportSentence {
	/** As it stands in the line, with its space at the end. */
	raw: string;
	/** Without its citations. */
	text: string;
	/** Numbers that it cites, each once, in their order. */
	cited: number[];
	/** False for titles and for the rulers of a table. */
	isStatement: boolean;
	/** Of a title, its level (titles.ts). */
	level?: number;
}

/** A line of a report: what stands before its sentences (list marks, quotation marks) and the sentences. */
export interface ReportLine {
	lead: string;
	sentences: ReportSentence[];
}

/** A line without its citations, and where these stood in it. */
interface UncitedLine {
	text: string;
	/** By the place in the text: how many characters of citations stand there. */
	citations: Map<number, number>;
}

function withoutCitations(line: string): UncitedLine {
	const citations = new Map<number, number>();
	let text = '';
	let from = 0;
	for (const match of line.matchAll(CITATION)) {
		text += line.slice(from, match.index);
		from = match.index + match[0].length;
		citations.set(text.length, (citations.get(text.length) ?? 0) + match[0].length);
	}
	return { text: text + line.slice(from), citations };
}

const ENDS = new RegExp(`(?<![${END_MARKS}])[${END_MARKS}]+[${CLOSERS}]*`, 'gu');

/** Marks that also stand inside of words and numbers: they end a sentence where a space or a citation follows. */
const INNER_MARKS = /^[.!?\u2026]+/;

/** A number before a full stop that ends no sentence. */
const NUMBER_BEFORE_STOP = /(?:^|[\s(])\p{Nd}{1,2}\.$/u;

/** Whether the marks from `start` to `end` end a sentence of the text. */
function isEnd({ text, citations }: UncitedLine, start: number, end: number, begun: number): boolean {
	if (citations.has(start) || citations.has(end)) return true;
	if (!INNER_MARKS.test(text.slice(start, end))) return true;
	const behind = text.slice(end, end + 20);
	// Between two signs of a script without spaces, half-width marks stand as its own ones do.
	if (hasNoSpaces(text.charAt(start - 1)) && hasNoSpaces(behind.charAt(0))) return true;
	if (behind !== '' && !/^\s/.test(behind)) return false;
	if (/^\s*\p{Ll}/u.test(behind)) return false;
	// An abbreviation is short: all of a long sentence would be gone through for each of its full stops.
	const before = text.slice(Math.max(begun, start - LONGEST_ABBREVIATION), start + 1);
	return !(NUMBER_BEFORE_STOP.test(before) || isShortened(before, behind));
}

/** Whether a sentence ends with a citation that no mark stands at. */
function endsThere({ text }: UncitedLine, place: number): boolean {
	const letter =
		text
			.slice(Math.max(0, place - 40), place)
			.match(/\p{L}/gu)
			?.at(-1) ?? '';
	return hasNoMarks(letter) || /^\s+\p{Lu}/u.test(text.slice(place, place + 20));
}

/**
 * The sentences of a line, each with its citations, whether these stand before or behind its mark. In scripts that
 * need no marks, a citation ends a sentence.
 */
function sentencesOf(line: string): string[] {
	const uncited = withoutCitations(line);
	const { text, citations } = uncited;
	const ends = new Set<number>();
	const atMarks = new Set<number>();
	let begun = 0;
	for (const match of text.matchAll(ENDS)) {
		const [start, end] = [match.index, match.index + match[0].length];
		for (let at = start; at <= end; at += 1) if (citations.has(at)) atMarks.add(at);
		if (!isEnd(uncited, start, end, begun)) continue;
		ends.add(end);
		begun = end;
	}
	for (const place of citations.keys()) if (!atMarks.has(place) && endsThere(uncited, place)) ends.add(place);
	const sentences: string[] = [];
	const places = [...citations].sort(([left], [right]) => left - right);
	let [from, taken, at] = [0, 0, 0];
	for (const end of [...ends].sort((left, right) => left - right)) {
		while ((places[at]?.[0] ?? Infinity) <= end) taken += places[at++]?.[1] ?? 0;
		const spaces = /^\s*/.exec(text.slice(end, end + 100))?.[0].length ?? 0;
		const to = end + taken + spaces;
		if (to > from) sentences.push(line.slice(from, to));
		from = Math.max(from, to);
	}
	return from < line.length ? [...sentences, line.slice(from)] : sentences;
}

const LEAD = /^(?:[ \t]*(?:>|[-*+](?=\s)|\d{1,3}[.)](?=\s)|\|))*[ \t]*/;

/** A heading, a line that leads to a list, and a cell of a table's head are no longer than so many words. */
const MAX_TITLE_WORDS = 12;

/** The same in scripts whose sentences need no mark: nothing but its length tells a title from a sentence. */
const MAX_TITLE_WORDS_WITHOUT_MARKS = 6;

/** A mark at the end of a text that is no question. */
const SENTENCE_END = new RegExp(`(?:\\S{2}|\\p{Ll})(?![?\\uff1f\\u061f\\u2026])[${END_MARKS}][${CLOSERS}]*\\s*$`, 'u');

/** Whether a text is short enough for a title, and is no sentence. */
function isTitle(text: string): boolean {
	const most = hasNoMarks(text) ? MAX_TITLE_WORDS_WITHOUT_MARKS : MAX_TITLE_WORDS;
	return !SENTENCE_END.test(text) && wordCount(text, most) <= most;
}

/** A colon at the end of a line that leads on. */
export const LEADS_ON = /[:\uff1a\u17d6]\**\s*$/;

/** A line that is no plain text: blank, a heading, a row, a ruler, a fence or a title in bold. */
const NOT_PLAIN = /^\s*(?:$|#{1,6}\s|\||```|~~~|[-=*_]{3,}\s*$|\*\*[^*]+\*\*[:\uff1a]?\s*$)/;

/** A line that does not go on in the next one. */
const CLOSED = new RegExp(`(?:[${END_MARKS}:\\uff1a\\u17d6\\]\\u3011\\uff3d\\u3015][${CLOSERS}]*\\s*|\\s{2})$`, 'u');

/** Sentences each with its citation before it. */
const CITED_BEFORE = /^\s*(?:\[[\p{Nd}\s,-]{1,40}\]\s{0,3}){1,9}(?=[^\s[])/u;
const BEFORE_SENTENCE = /((?:\[[\p{Nd}\s,-]{1,40}\]\s{0,3}){1,9})([^[\n]{1,2000})/gu;

/** A text in which each sentence follows its citation, with the citations behind their sentences. */
function citedBehind(text: string): string {
	if (!CITED_BEFORE.test(text) || /\][.!?\u3002\s]{0,3}$/u.test(text)) return text;
	return text.replace(BEFORE_SENTENCE, (_whole, cited: string, said: string) => {
		const end = said.trimEnd();
		return `${end} ${cited.trim()}${said.slice(end.length)}`;
	});
}

/** The lines of a text, with sentences that go over several of them on one. */
function wholeLines(text: string): string[] {
	// Each line is looked at once: what a long paragraph has become would be gone through for each of its lines.
	const paragraphs: string[][] = [];
	let isOpen = false;
	for (const line of text.split('\n')) {
		const isPlain = !NOT_PLAIN.test(line);
		const goesOn: boolean = isOpen && isPlain && (LEAD.exec(line)?.[0] ?? '').trim() === '';
		if (goesOn) paragraphs.at(-1)?.push(line);
		else paragraphs.push([line]);
		isOpen = (goesOn || isPlain) && !CLOSED.test(line);
	}
	return paragraphs.map((lines) => {
		const last = lines.length - 1;
		const parts = lines.map((line, at) => {
			const begun = at > 0 ? line.trimStart() : line;
			return at < last ? begun.trimEnd() : begun;
		});
		return joinedLines(parts);
	});
}

/** A report, line by line and sentence by sentence. */
export function readReport(text: string): ReportLine[] {
	const lines = wholeLines(text);
	return lines.map((line, index) => {
		const lead = LEAD.exec(line)?.[0] ?? '';
		const rest = citedBehind(line.slice(lead.length));
		const isRow = lead.includes('|') || (/^[\s:|-]+$/.test(line) && line.indexOf('|', 1) > 0);
		const isRuler = /^[\s:|>*_=-]*$/.test(line);
		const below = lines[index + 1] ?? '';
		const isRuled = isRow && /^[\s|:-]+$/.test(below) && below.includes('--');
		const isHead = isRuled && rest.split('|').every(isTitle);
		const isAlone = /^\s{0,3}#{1,6}\s/.test(rest) || /^\*\*[^*]+\*\*[:\uff1a]?\s*$/.test(rest);
		const isHeading = isAlone && isTitle(rest);
		const raws = isRow || isAlone ? [rest] : sentencesOf(rest);
		const leadsOn = LEADS_ON.test(rest) && isTitle(raws.at(-1) ?? '');
		const hashes = /^\s{0,3}(#{1,6})\s/.exec(rest)?.[1]?.length ?? BOLD_LINE;
		const levelAt = (at: number) => {
			if (isHeading) return hashes;
			return isHead || (leadsOn && at === raws.length - 1) ? LEAD_LINE : undefined;
		};
		return {
			lead,
			sentences: raws
				.filter((raw) => raw !== '')
				.map((raw, at) => {
					const level = isRuler ? undefined : levelAt(at);
					const text = raw.replace(CITATION, '').trim();
					const isStatement = !isRuler && level === undefined;
					return { raw, text, cited: citedNumbers(raw), isStatement, ...(level !== undefined && { level }) };
				}),
		};
	});
}
