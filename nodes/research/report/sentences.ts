/** A piece of a line: a sentence with its citations, or what is none (a heading, the head of a table). */
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
	/(?<![ \t])[ \t]*[[\u3010](?:\^|claims?\s*)?\s*\d{1,4}(?:\s*(?:[,;]|and|&|-|\u2013)\s*(?:\^|claims?\s*)?\d{1,4})*\s*[\]\u3011]/giu;

/** Longest range that is believed. */
const MAX_RANGE = 10;

/** The numbers in a text of citations. */
export function citedNumbers(text: string): number[] {
	const found: number[] = [];
	for (const [citation] of text.matchAll(CITATION)) {
		for (const [, from, to] of citation.matchAll(/(\d+)(?:\s*[-\u2013]\s*(\d+))?/g)) {
			const first = Number(from);
			const last = to === undefined ? first : Number(to);
			for (let number = first; number <= Math.min(last, first + MAX_RANGE); number++)
				found.push(number);
		}
	}
	return [...new Set(found)];
}

/** Words before a full stop that ends no sentence. */
const ABBREVIATION =
	/(?:^|[\s(])(?:\p{L}|\d{1,2}|[Dd]r|[Mm]rs?|[Mm]s|[Pp]rof|[Ss]t|[Nn]os?|[Nn]r|[Vv]s|[Cc]a|[Aa]pprox|[Ii]nc|[Ll]td|[Cc]o|[Cc]orp|[Ee]tc|[Ff]ig|[Vv]ol|[Cc]f|[Ee]d|[Bb]zw|[Uu]sw|[Ee]vtl|\p{L}\.\p{L}|(?:\p{L}\.)+\p{L})\.$/u;

/** The sentences of a line, each with the citations that follow its full stop. */
function sentencesOf(line: string): string[] {
	const ends =
		/[.!?…。！？]+["'”’»)*_]*((?:[ \t]*[[\u3010][^[\]\u3010\u3011\n]{1,60}[\]\u3011])*)[.,;]?(?=\s|$|[。！？])\s*|[。！？]\s*/gu;
	const sentences: string[] = [];
	let start = 0;
	for (const match of line.matchAll(ends)) {
		const end = match.index + match[0].length;
		const before = line.slice(start, match.index + 1);
		const next = line.slice(end);
		if (match[1] === '' && ABBREVIATION.test(before)) continue;
		if (match[1] === '' && /^[\p{Ll}]/u.test(next)) continue;
		sentences.push(line.slice(start, end));
		start = end;
	}
	return start < line.length ? [...sentences, line.slice(start)] : sentences;
}

const LEAD = /^(?:[ \t]*(?:>|[-*+](?=\s)|\d{1,3}[.)](?=\s)|\|))*[ \t]*/;

/** A report, line by line and sentence by sentence. */
export function readReport(text: string): ReportLine[] {
	const lines = text.split('\n');
	return lines.map((line, index) => {
		const lead = LEAD.exec(line)?.[0] ?? '';
		const rest = line.slice(lead.length);
		const isRow = lead.includes('|') || /^\|?[\s:|-]+\|[\s:|-]*$/.test(line);
		const isRuler = /^[\s:|>*_=-]*$/.test(line);
		const isHead = isRow && /^[\s|:-]*-{2,}[\s|:-]*$/.test(lines[index + 1] ?? '');
		const isHeading = /^\s{0,3}#{1,6}\s/.test(rest) || /^\*\*[^*]+\*\*:?\s*$/.test(rest);
		const raws = isRow || isHeading ? [rest] : sentencesOf(rest);
		const leadsOn = /:\**\s*$/.test(rest);
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
