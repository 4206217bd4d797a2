import { siteName } from '../../text/addresses';
import { withCitations } from '../../text/report/citationForms';
import { newsCounts } from '../contract/result';
import type { ResearchPlan } from '../contract/history';
import type { EarlierClaim } from '../contract/result';
import { escaped } from '../report/cleanReport';
import type { NumberedClaim, PagesOfClaims } from '../report/numberedClaims';
import { SourceNumbers, claimLine, closingLists } from '../report/showReport';
import { withChangedWords } from './changedWords';
import type { LeadSentence } from './leadSentence';
import { withDetail } from './news';
import type { FoundNews } from './news';

/** The parts of the report. */
interface NewsParts {
	found: FoundNews;
	plan: ResearchPlan;
	contradictions: ReadonlyArray<readonly NumberedClaim[]>;
	pages: PagesOfClaims;
	unanswered: readonly string[];
	lead: LeadSentence | undefined;
	/** The day of a time as it is told. */
	day: (timestamp: string) => string;
}

/**
 * The report of what is new. First the sentence that says what matters. The rest is written by code from the claims: one
 * line with how much has changed; then Changed, New, No longer on its page, and what was there before, each by site; one
 * line for what is as it was and what could not be checked; and what is not answered. Parts that are empty are left out.
 */
export function writeNews({ found, plan, contradictions, pages, unanswered, lead, day }: NewsParts): {
	text: string;
	sources: SourceNumbers;
} {
	const sources = new SourceNumbers();
	const { labels } = plan;
	const { news, fresh, before: thereBefore, changed } = found;
	const counts = newsCounts([news], labels);
	const first = lead?.show(sources) ?? '';
	const isOneKind = thereBefore.length === 0 && counts.length === 1;
	const section = (label: string, lines: readonly SiteLine[]) => {
		const list = bySite(lines).join('\n');
		// The first line names the only kind.
		return lines.length === 0 || isOneKind ? list : `## ${escaped(label)}\n\n${list}`;
	};
	const freshLines = (list: FoundNews['fresh']) =>
		shortened(sameTexts(list), ([first], claims) => {
			const line = claimLine(claims, sources);
			return first?.against ? `${line}\n  - ↔ ${earlierLine(first.against, sources, day)}` : line;
		});
	const changedLines = shortened(
		changed.map((one) => [one]),
		([one], claims) => {
			if (!one) return claimLine(claims, sources);
			const { before, claim } = one;
			const page = sources.links([pageOf(before)]);
			const now = withCitations(withChangedWords(before.text, claim.text), sources.links(claims));
			return `- ~~${escaped(before.text)}~~ ${page} (${day(before.lastSeen)}) → ${now} (${day(found.history.at)})`;
		},
	);
	// In the order in which they are read, so that the sources are numbered in it.
	const newLines = freshLines(fresh);
	const withdrawnLines = news.withdrawn.map(({ why, ...one }): SiteLine => {
		const because = why === undefined ? '' : `: ${escaped(labels.saysOther)}`;
		return { site: one.source, line: `- ${earlierLine(one, sources, day)}${because}` };
	});
	const parts = [
		first,
		headline(counts, news.since === undefined ? [] : [day(news.since), day(found.history.at)]),
		section(labels.changed, changedLines),
		section(labels.new, newLines),
		section(labels.withdrawn, withdrawnLines),
		section(labels.before, freshLines(thereBefore)),
		unchangedText(found, labels, day),
		closingLists({ contradictions, pages, unanswered }, labels, sources),
	];
	return { text: parts.filter((part) => part !== '').join('\n\n'), sources };
}

/** `**Changed: 1 · New: 2** (2026-11-22 – 2026-11-29)`; empty where nothing has moved. */
function headline(counts: ReturnType<typeof newsCounts>, days: readonly string[]): string {
	if (counts.length === 0) return '';
	const told = counts.map(([label, amount]) => `${escaped(label)}: ${amount}`);
	return `**${told.join(' · ')}**${days.length === 0 ? '' : ` (${[...new Set(days)].join(' – ')})`}`;
}

/** A line of a list, and the page that it is of. */
interface SiteLine {
	site: string;
	line: string;
}

/** The lines of each site together, under its name where there are several; in the order in which the sites come. */
function bySite(lines: readonly SiteLine[]): string[] {
	const sites = new Map<string, string[]>();
	for (const { site, line } of lines) {
		const name = siteName(site);
		sites.set(name, [...(sites.get(name) ?? []), line]);
	}
	if (sites.size < 2) return lines.map(({ line }) => line);
	return [...sites].flatMap(([name, own], index) => [
		`${index === 0 ? '' : '\n'}**${escaped(name).replaceAll('`', '')}**\n`,
		...own,
	]);
}

/** Rows of one table that stand in a list one by one. */
const MOST_ROWS = 3;

/** The lines of a list: of many rows of one table the first ones, and their number. */
function shortened<T extends { claim: NumberedClaim }>(
	list: ReadonlyArray<readonly T[]>,
	lineOf: (own: readonly T[], claims: NumberedClaim[]) => string,
): SiteLine[] {
	const tableOf = (own: readonly T[]) => own[0]?.claim.table && `${own[0].claim.source} ${own[0].claim.table}`;
	const counts = new Map<string, number>();
	for (const own of list) {
		const table = tableOf(own);
		if (table !== undefined) counts.set(table, (counts.get(table) ?? 0) + 1);
	}
	const shown = new Map<string, number>();
	return list.flatMap((own) => {
		const table = tableOf(own);
		const all = table === undefined ? 0 : (counts.get(table) ?? 0);
		const claims = own.map(({ claim }) => claim);
		const site = claims[0]?.source ?? '';
		if (table === undefined || all <= MOST_ROWS + 1) return [{ site, line: lineOf(own, claims) }];
		const number = (shown.get(table) ?? 0) + 1;
		shown.set(table, number);
		if (number > MOST_ROWS + 1) return [];
		// In no language: the rest of a table.
		return [{ site, line: number <= MOST_ROWS ? lineOf(own, claims) : `- … (+${all - MOST_ROWS})` }];
	});
}

/** Statements that are the same word for word, on several pages, are one line. */
function sameTexts(list: FoundNews['fresh']): Array<FoundNews['fresh']> {
	const lines = new Map<string, FoundNews['fresh']>();
	for (const one of list) {
		const key = one.claim.text.toLowerCase();
		lines.set(key, [...(lines.get(key) ?? []), one]);
	}
	return [...lines.values()];
}

/** An earlier statement with its page: the sentence is not looked for there, since it may be gone. */
function earlierLine(earlier: EarlierClaim, sources: SourceNumbers, day: (timestamp: string) => string): string {
	return `${withCitations(escaped(earlier.text), sources.links([pageOf(earlier)]))} (${day(earlier.lastSeen)})`;
}

/** A claim that is linked to its page alone. */
function pageOf({ text, quote, source }: EarlierClaim): NumberedClaim {
	return { number: 0, question: 0, text, quote, source, verified: false };
}

/** The number of statements that are as they were, and of those that could not be checked, as one line. */
function unchangedText(
	{ news: { unchanged, since }, unchecked }: FoundNews,
	labels: ResearchPlan['labels'],
	day: (timestamp: string) => string,
): string {
	const on = since === undefined ? '' : ` (${day(since)})`;
	const open = unchecked.reduce((sum, { statements }) => sum + statements, 0);
	const reasons = unchecked
		.map(({ why, said, statements }) => `${statements}: ${escaped(withDetail(labels[why], said))}`)
		.join('; ');
	const parts = [
		unchanged > 0 ? `${escaped(labels.unchanged)}: ${unchanged}${on}` : '',
		open > 0 ? `${escaped(labels.unchecked)}: ${open} (${reasons})` : '',
	];
	return parts.filter((part) => part !== '').join(' · ');
}
