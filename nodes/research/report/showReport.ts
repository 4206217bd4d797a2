import { citation, withCitations } from '../../text/report/citationForms';
import { supportOf } from './checkReport';
import type { CheckedReport, CheckedSentence } from './checkReport';
import { citedAddress } from '../../text/textJump';
import { reportAddresses, cleanReport, escaped, unlinked } from './cleanReport';
import { siteName } from '../../text/addresses';
import { dayOfPage } from './numberedClaims';
import type { NumberedClaim, PagesOfClaims } from './numberedClaims';
import { CITATION } from './citations';
import { LEADS_ON } from './readReport';
import { BOLD_LINE, LEAD_LINE } from './titles';

/** Numbers the pages that a report cites, in the order in which it does. */
export class SourceNumbers {
	private readonly numbers = new Map<string, number>();

	/** The addresses, in the order of their numbers. */
	get urls(): string[] {
		return [...this.numbers.keys()];
	}

	/** The links to the pages of these claims, each page once: they jump to the quotes that hold. */
	links(claims: readonly NumberedClaim[]): string {
		const links = [...new Set(claims.map(({ source }) => source))].flatMap((source) => {
			const jumps = claims.flatMap(({ source: of, verified, jump }) =>
				of === source && verified && jump !== undefined ? [jump] : [],
			);
			const address = citedAddress(source, jumps);
			if (address === undefined) return [];
			const number = this.numbers.get(source) ?? this.numbers.size + 1;
			this.numbers.set(source, number);
			return [citation(number, address)];
		});
		return links.join(' ');
	}
}

/** The treatment of sentences that no quote supports. */
export type UnsupportedChoice = 'leaveOut' | 'mark';

const MARKS: Partial<Record<CheckedSentence['verdict'], string>> = {
	uncited: ' *(no source)*',
	unsupported: ' *(not verified)*',
};

/** The report as the user gets it: numbered links instead of claims, unsupported sentences left out or marked. */
export function showReport(
	report: CheckedReport,
	claims: ReadonlyMap<number, NumberedClaim>,
	sources: SourceNumbers,
	choice: UnsupportedChoice,
): string {
	let latest: string | undefined;
	const lines = report.lines.map(({ lead, sentences }) => {
		if (sentences.length === 0) return lead.trimEnd();
		const shown = sentences.flatMap((sentence) => {
			const { verdict, known } = sentence;
			// Two titles in a row may stand for one sub-question.
			const isTold = verdict === 'unjudged' && sentence.instead === latest;
			if (sentence.level !== undefined && sentence.level < LEAD_LINE) latest = sentence.instead;
			if (verdict === 'unjudged') return isTold ? [] : insteadOf(sentence);
			const isLeftOut = choice === 'leaveOut' && (verdict === 'uncited' || verdict === 'unsupported');
			// Without its head, a table is none.
			if (isLeftOut) return sentence.level === LEAD_LINE ? insteadOf(sentence) : [];
			const cited = known.flatMap((number) => claims.get(number) ?? []);
			return [showSentence(sentence, cited, sources)];
		});
		return shown.length === 0 ? undefined : (lead + shown.join(' ')).trimEnd();
	});
	return tidy(lines.filter((line) => line !== undefined).join('\n'));
}

/** In place of a title that nobody has judged: the sub-question; nothing where there is none, and above a list. */
function insteadOf({ raw, level = 0, instead = '' }: CheckedSentence): string[] {
	if (level === LEAD_LINE) return raw.includes('|') ? [raw.replace(/[^|\s]/g, '').trimEnd()] : [];
	if (instead === '') return [];
	return [level === BOLD_LINE ? `**${escaped(instead)}**` : `${'#'.repeat(level)} ${escaped(instead)}`];
}

function showSentence({ raw, verdict }: CheckedSentence, cited: NumberedClaim[], sources: SourceNumbers): string {
	const isRow = /\|\s*$/.test(raw);
	// Without its citations, what stood around them may be a tag or an address.
	const { text: clean } = cleanReport(raw.replace(CITATION, ''), reportAddresses(cited.map(supportOf)));
	const text = unlinked(clean);
	const body = isRow ? text.replace(/\|\s*$/, '').trimEnd() : text;
	const unverified = verdict === 'cited' && cited.some(({ verified }) => !verified);
	const mark = unverified ? ' *(not verified)*' : (MARKS[verdict] ?? '');
	const shown = withCitations(body, sources.links(cited)) + mark;
	return isRow ? `${shown} |` : shown;
}

const ROW = /^\s*\|/;

/** Headings, lines that lead on and heads of tables under which nothing is left are left out, too. */
function tidy(markdown: string): string {
	const lines = markdown.split('\n');
	const levelOf = (line: string) => /^\s{0,3}(#{1,6})\s/.exec(line)?.[1]?.length ?? 0;
	const kept: string[] = [];
	/** What is left below, from the end: the next line with text, and the line directly below. */
	let next: string | undefined;
	let below = '';
	const isRuler = (line: string) => /^[\s|:-]*$/.test(line) && line.includes('|') && line.includes('--');
	for (const line of lines.reverse()) {
		const level = levelOf(line);
		const leadsOn = level === 0 && LEADS_ON.test(line);
		const nextLevel = next === undefined ? 0 : levelOf(next);
		const isLost =
			(level > 0 && (next === undefined || (nextLevel > 0 && nextLevel <= level))) ||
			(leadsOn && (next === undefined || nextLevel > 0)) ||
			(isRuler(line) && !(ROW.test(below) && !isRuler(below)));
		if (isLost) {
			// The head of a table goes with its ruler.
			below = isRuler(line) ? EMPTY_TABLE : below;
			continue;
		}
		if (below === EMPTY_TABLE && ROW.test(line)) {
			below = '';
			continue;
		}
		kept.push(line);
		below = line;
		if (line.trim() !== '') next = line;
	}
	return kept
		.reverse()
		.join('\n')
		.replace(/\n{3,}/g, '\n\n')
		.trim();
}

/** In place of the line below, where that was the ruler of a table without rows. */
const EMPTY_TABLE = '\u0000';

/** Claims with the same text as a line of a list. */
export function claimLine(claims: readonly NumberedClaim[], sources: SourceNumbers): string {
	const mark = claims.every(({ verified }) => verified) ? '' : ' *(not verified)*';
	return `- ${withCitations(escaped(claims[0]?.text ?? ''), sources.links(claims))}${mark}`;
}

/** What stands below a report: claims that cannot all be true, with their pages, and questions without an answer. */
interface OpenEnds {
	contradictions: ReadonlyArray<readonly NumberedClaim[]>;
	pages: PagesOfClaims;
	unanswered: readonly string[];
}

/** The part of a report that code writes: contradictions that the text does not name, each with its site and day. */
export function closingLists(
	{ contradictions, pages, unanswered }: OpenEnds,
	labels: { notFound: string; contradictions: string },
	sources: SourceNumbers,
): string {
	const parts: string[] = [];
	if (contradictions.length > 0) {
		const lineOf = (claim: NumberedClaim) => {
			const day = dayOfPage(claim.source, pages);
			const who = [siteName(claim.source), ...(day === undefined ? [] : [day])].join(', ');
			return `${claimLine([claim], sources)} (${escaped(who)})`;
		};
		const groups = contradictions.map((group) => group.map(lineOf).join('\n'));
		parts.push(`## ${escaped(labels.contradictions)}\n\n${groups.join('\n\n')}`);
	}
	if (unanswered.length > 0) {
		const lines = unanswered.map((question) => `- ${escaped(question)}`);
		parts.push(`## ${escaped(labels.notFound)}\n\n${lines.join('\n')}`);
	}
	return parts.join('\n\n');
}
