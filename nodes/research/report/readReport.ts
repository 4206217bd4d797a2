/** A part of a line: a sentence with its citations, or text that is no sentence (a heading, a table's header row). */
export interface ReportSentence {
	/** As it stands in the line, with its space at the end. */
	raw: string;
	/** Without its citations. */
	text: string;
	/** Numbers that it cites, each once, in their order. */
	cited: number[];
	/** False for headings, lines that lead to a list, the head and rulers of a table. */
	isStatement: boolean;
}

/** A line of a report: what stands before its sentences (list marks, quotation marks) and the sentences. */
export interface ReportLine {
	lead: string;
	sentences: ReportSentence[];
}

/** Citations as models write them: [3], [3, 7], [3-5], [claim 3], [^3], 【3】. */
export const CITATION =
	/(?<![ \t])[ \t]*[[\u3010](?:\^|claims?)?\s{0,3}\d{1,4}(?:\s{0,3}(?:[,;]|and|&|-|\u2013)\s{0,3}(?:\^|claims?\s{0,3})?\d{1,4})*\s{0,3}[\]\u3011]/giu;

/** Longest range that is believed. */
const MAX_RANGE = 10;

/** The numbers in a text of citations. */
export function citedNumbers(text: string): number[] {
	const found: number[] = [];
	for (const [citation] of text.matchAll(CITATION)) {
		for (const [, from, to] of citation.matchAll(/(\d+)(?:\s*[-\u2013]\s*(\d+))?/g)) {
			const first = Number(from);
			const last = to === undefined ? first : Number(to);
			for (let number = first; number <= Math.min(last, first + MAX_RANGE); number++) found.push(number);
		}
	}
	return [...new Set(found)];
}

/** Words before a full stop that ends no sentence. */
const ABBREVIATION =
	/(?:^|[\s(])(?:\p{L}|\d{1,2}|[Dd]r|[Mm]rs?|[Mm]s|[Pp]rof|[Ss]t|[Nn]os?|[Nn]r|[Vv]s|[Cc]a|[Aa]pprox|[Ii]nc|[Ll]td|[Cc]o|[Cc]orp|[Ee]tc|[Ff]ig|[Vv]ol|[Cc]f|[Ee]d|[Bb]zw|[Uu]sw|[Ee]vtl|\p{L}\.\p{L}|(?:\p{L}\.)+\p{L})\.$/u;

const LONGEST_ABBREVIATION = 30;

/** The sentences of a line, each with the citations that follow its full stop. */
function sentencesOf(line: string): string[] {
	const ends =
		/(?<![.!?…。！？])[.!?…。！？]+["'”’»)*_]*((?:[ \t]*[[\u3010][^[\]\u3010\u3011\n]{1,60}[\]\u3011])*)[.,;]?(?=\s|$|[。！？])\s*|[。！？]\s*/gu;
	const sentences: string[] = [];
	let start = 0;
	for (const match of line.matchAll(ends)) {
		const end = match.index + match[0].length;
		// An abbreviation is short: all of a long sentence would be gone through for each of its full stops.
		const before = line.slice(Math.max(start, match.index - LONGEST_ABBREVIATION), match.index + 1);
		const next = line.slice(end);
		if (match[1] === '' && ABBREVIATION.test(before)) continue;
		if (match[1] === '' && /^[\p{Ll}]/u.test(next)) continue;
		sentences.push(line.slice(start, end));
		start = end;
	}
	return start < line.length ? [...sentences, line.slice(start)] : sentences;
}

const LEAD = /^(?:[ \t]*(?:>|[-*+](?=\s)|\d{1,3}[.)](?=\s)|\|))*[ \t]*/;

/** A heading, a line that leads to a list, and a cell of a table's head are no longer than so many words. */
const MAX_TITLE_WORDS = 12;

/** Whether a text is short enough for a title, and is no sentence. */
function isTitle(text: string): boolean {
	const isSentence = /\S{2}[.!][*_'"”’)]*\s*$/.test(text);
	return !isSentence && text.trim().split(/\s+/).length <= MAX_TITLE_WORDS;
}

/** A line that is no plain text: blank, a heading, a row, a ruler, a fence or a title in bold. */
const NOT_PLAIN = /^\s*(?:$|#{1,6}\s|\||```|~~~|[-=*_]{3,}\s*$|\*\*[^*]+\*\*:?\s*$)/;

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
		isOpen = (goesOn || isPlain) && !/(?:[.!?…:。！？\]\u3011|]["'”’»)*_]*\s*|\s{2})$/u.test(line);
	}
	return paragraphs.map((lines) =>
		lines
			.map((line, at) => {
				const begun = at > 0 ? line.trimStart() : line;
				return at < lines.length - 1 ? begun.trimEnd() : begun;
			})
			.join(' '),
	);
}

/** A report, line by line and sentence by sentence. */
export function readReport(text: string): ReportLine[] {
	const lines = wholeLines(text);
	return lines.map((line, index) => {
		const lead = LEAD.exec(line)?.[0] ?? '';
		const rest = line.slice(lead.length);
		const isRow = lead.includes('|') || (/^[\s:|-]+$/.test(line) && line.indexOf('|', 1) > 0);
		const isRuler = /^[\s:|>*_=-]*$/.test(line);
		const below = lines[index + 1] ?? '';
		const isRuled = isRow && /^[\s|:-]+$/.test(below) && below.includes('--');
		const isHead = isRuled && rest.split('|').every(isTitle);
		const isAlone = /^\s{0,3}#{1,6}\s/.test(rest) || /^\*\*[^*]+\*\*:?\s*$/.test(rest);
		const isHeading = isAlone && isTitle(rest);
		const raws = isRow || isAlone ? [rest] : sentencesOf(rest);
		const leadsOn = /:\**\s*$/.test(rest) && isTitle(raws.at(-1) ?? '');
		return {
			lead,
			sentences: raws
				.filter((raw) => raw !== '')
				.map((raw, at) => ({
					raw,
					text: raw.replace(CITATION, '').trim(),
					cited: citedNumbers(raw),
					isStatement: !(isRuler || isHead || isHeading || (leadsOn && at === raws.length - 1)),
				})),
		};
	});
}
