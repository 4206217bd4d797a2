import { missingFigures } from '../claims/figures';
import { evenOut, visible } from '../claims/passages';
import { judge } from '../claims/verifyClaims';
import type { Pair, Verdict } from '../claims/verifyClaims';
import type { LimitReached } from '../model/budget';
import type { ModelCaller } from '../model/modelCaller';
import type { NumberedClaim } from './numberedClaims';
import { trimEnd } from '../../text/ends';

/** A sentence of the report, and what the check says of it. */
export interface CheckedSentence extends ReportSentence {
	/** The citations that exist. */
	known: number[];
	/** `cited`: its claims support it. `free`: no statement, without figures of its own. */
	verdict: 'cited' | 'free' | 'uncited' | 'unsupported';
	/** Why it is unsupported, as the model is told. */
	why?: string;
}

export interface CheckedReport {
	lines: Array<Omit<ReportLine, 'sentences'> & { sentences: CheckedSentence[] }>;
	uncitedSentences: number;
	unsupportedSentences: number;
	unknownCitations: number;
	removedAddresses: number;
	/** One sentence for each fault, as the model is told. */
	faults: string[];
	/** The limit that came before all sentences were judged. */
	limit?: LimitReached;
}

/** Most faults that the model is told. */
const MAX_FAULTS = 20;

const WHY: Record<Exclude<Verdict, 'supported'>, string> = {
	contradicted: 'The cited claims say otherwise',
	notStated: 'The cited claims do not say this',
	notJudged: 'This was not judged',
};

/** What a report is checked against. */
interface ReportCheck {
	claims: ReadonlyMap<number, NumberedClaim>;
	/** Where figures may stand besides the claims: the question. */
	context: readonly string[];
	/** Undefined: quotes and figures only. */
	judge: ModelCaller | undefined;
}

/**
 * Checks a report against the claims that it may cite: every statement cites a claim that exists, its figures and
 * hosts stand in these claims, and the model finds it supported by them, in calls that see nothing else. A sentence
 * that is the text of its claim needs no judgement. Throws ResearchFailure.
 */
export async function checkReport(markdown: string, check: ReportCheck): Promise<CheckedReport> {
	const { claims } = check;
	const { text, removed } = cleanReport(markdown);
	const lines = readReport(text).map(({ lead, sentences }) => ({
		lead,
		sentences: sentences.map((sentence) => checkByCode(sentence, check)),
	}));
	const all = lines.flatMap(({ sentences }) => sentences);
	const limit = await judgeSentences(all, check);
	const faults = all.flatMap(({ text: said, verdict, why }) => {
		if (verdict === 'uncited') return [`No claim is cited: "${said}"`];
		return verdict === 'unsupported' ? [`${why ?? WHY.notStated}: "${said}"`] : [];
	});
	const unknownCitations = all.reduce((sum, { cited, known }) => sum + cited.length - known.length, 0);
	if (unknownCitations > 0) faults.push(`Some cited numbers are not from 1 to ${claims.size}.`);
	if (removed > 0) faults.push('There are web addresses, links, images or HTML in it.');
	const count = (wanted: CheckedSentence['verdict']) => all.filter(({ verdict }) => verdict === wanted).length;
	return {
		lines,
		uncitedSentences: count('uncited'),
		unsupportedSentences: count('unsupported'),
		unknownCitations,
		removedAddresses: removed,
		faults: faults.slice(0, MAX_FAULTS),
		...(limit && { limit }),
	};
}

function checkByCode(sentence: ReportSentence, { claims, context }: ReportCheck): CheckedSentence {
	const known = sentence.cited.filter((number) => claims.has(number));
	const cited = known.flatMap((number) => claims.get(number) ?? []);
	const checked = (verdict: CheckedSentence['verdict'], why?: string): CheckedSentence => ({
		...sentence,
		known,
		verdict,
		...(why !== undefined && { why }),
	});
	if (!/[\p{L}\p{N}]/u.test(sentence.text)) return checked('free');
	const isCiting = cited.length > 0;
	if (sentence.isStatement && !isCiting) return checked('uncited');
	// A heading may name a year that any of the claims names.
	const support = (isCiting ? cited : [...claims.values()]).map(supportOf);
	const plain = evenOut(sentence.text);
	const missing = missingFigures(plain, [...support, ...context]);
	if (missing.length > 0) return checked('unsupported', `The cited claims do not have ${missing.join(', ')}`);
	const isForeign = (host: string) => !support.some((one) => hasHost(one, host));
	if (hostsIn(plain).some(isForeign)) return checked('unsupported');
	return checked(isCiting ? 'cited' : 'free');
}

/** Judges the cited sentences, and notes in them what is not supported. */
async function judgeSentences(
	all: CheckedSentence[],
	{ claims, judge: model }: ReportCheck,
): Promise<LimitReached | undefined> {
	if (!model) return undefined;
	const pairs: Pair[] = [];
	const judged: CheckedSentence[] = [];
	for (const sentence of all) {
		if (sentence.verdict !== 'cited') continue;
		const cited = sentence.known.flatMap((number) => claims.get(number) ?? []);
		const own = comparable(sentence.text);
		if (cited.some(({ text }) => comparable(text) === own)) continue;
		judged.push(sentence);
		pairs.push({ statement: sentence.text, passage: cited.map(supportOf).join(' / ') });
	}
	const { verdicts, limit } = await judge(pairs, model, { role: 'main', isWriting: true });
	judged.forEach((sentence, index) => {
		const verdict = verdicts[index] ?? 'notJudged';
		if (verdict !== 'supported') Object.assign(sentence, { verdict: 'unsupported', why: WHY[verdict] });
	});
	return limit;
}

function comparable(text: string): string {
	return trimEnd(evenOut(text).toLowerCase(), /[.\s]/);
}

/** What a claim says, with the words of its page where these were found and hold. */
function supportOf({ verified, quote, text }: NumberedClaim): string {
	return verified && comparable(quote) !== comparable(text) ? `${text} ("${quote}")` : text;
}

function hasHost(text: string, host: string): boolean {
	return hostsIn(text).some((one) => one.toLowerCase() === host.toLowerCase());
}

/** A part of a line: a sentence with its citations, or text that is no sentence (a heading, a table's header row). */
interface ReportSentence {
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
interface ReportLine {
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

/** A report without what must not leave the run, and how many pieces were taken out. */
interface CleanReport {
	text: string;
	removed: number;
}

/** Deepest links and tags within one another that are taken out. */
const MAX_ROUNDS = 20;

/** What has an address in it, each with what is left of it. */
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

const HTML = /<!--[^]*?(?:-->|$)|<(script|style|iframe|object|svg)\b[^]*?(?:<\/\1\s*>|$)|<[/!?a-z][^<>]*>/gi;

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
	// What is left of one may be another, to an end: what is left then is made harmless below.
	for (let before = -1, round = 0; removed !== before && round < MAX_ROUNDS; round++) {
		before = removed;
		for (const [pattern, left] of ADDRESSES) take(pattern, left);
		take(HTML, '');
	}
	return { text: harmless(text).trim(), removed };
}

/** Code fences around the whole report. */
function unfenced(text: string): string {
	return /^\s*(```|~~~)(?:markdown|md)?[ \t]*\n([^]*?)\n?\1\s*$/.exec(text)?.[2] ?? text;
}

/** What begins a tag, an image or a link and does not end. */
function harmless(text: string): string {
	return text
		.replace(/<(?=[a-z/!?])/gi, '&lt;')
		.replace(/!(?=\[)/g, '! ')
		.replace(/\](?=[(:])/g, '] ')
		.replace(/(?<![ \t])[ \t]+$/gm, '');
}

/** Hosts in a text: `example.com`. Programs that show Markdown may make links of them. */
function hostsIn(text: string): string[] {
	return [...text.matchAll(/(?<![\p{L}\p{N}@-])(?:[\p{L}\p{N}-]{1,63}\.){1,9}[a-z]{2,24}(?![\p{L}\p{N}-])/giu)].map(
		([host]) => host,
	);
}

/** The address of a source as it can stand in a link of Markdown, or undefined where it is none. */
export function linkAddress(url: string): string | undefined {
	if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
	const parsed = new URL(url);
	parsed.username = '';
	parsed.password = '';
	return parsed.href.replace(
		/[()<>[\]\\`*_|"'\s]/g,
		(sign) => `%${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}`,
	);
}
