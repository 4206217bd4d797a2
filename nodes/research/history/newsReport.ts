import { count } from '../../text/amounts';
import { dayIn } from '../../text/values';
import type { EarlierClaim, ResearchNews, ResearchPlan } from '../contract';
import { escaped } from '../report/cleanReport';
import type { NumberedClaim } from '../report/numberedClaims';
import { SourceNumbers, claimLine, closingLists } from '../report/showReport';
import type { FoundNews } from './news';

/** The parts of the report. */
interface NewsParts {
	found: FoundNews;
	plan: ResearchPlan;
	contradictions: ReadonlyArray<readonly NumberedClaim[]>;
	unanswered: readonly string[];
	/** In which days are told. */
	timeZone: string;
}

/**
 * The report of what is new, by code from the claims: New, Changed, No longer on its page, what was there before, one line
 * for what is as it was, what could not be checked, and what is not answered. Parts that are empty are left out.
 */
export function writeNews({ found, plan, contradictions, unanswered, timeZone }: NewsParts): {
	text: string;
	sources: SourceNumbers;
} {
	const sources = new SourceNumbers();
	const { news, fresh, before: thereBefore, changed } = found;
	const day = (timestamp: string) => dayIn(Date.parse(timestamp), timeZone);
	const section = (label: string, lines: readonly string[]) =>
		lines.length === 0 ? '' : `## ${escaped(label)}\n\n${lines.join('\n')}`;
	const freshLines = (list: FoundNews['fresh']) =>
		shortened(sameTexts(list), ([first], claims) => {
			const line = claimLine(claims, sources);
			return first?.against ? `${line}\n  - ↔ ${earlierLine(first.against, sources, day)}` : line;
		});
	const parts = [
		section(plan.labels.new, freshLines(fresh)),
		section(
			plan.labels.changed,
			shortened(
				changed.map((one) => [one]),
				([one], claims) => {
					const now = `${claimLine(claims, sources).slice(2)} (${day(found.history.at)})`;
					if (!one) return `- ${now}`;
					const page = sources.links([pageOf(one.before)]);
					return `- ~~${escaped(one.before.text)}~~ ${page} (${day(one.before.lastSeen)}) → ${now}`;
				},
			),
		),
		section(
			plan.labels.withdrawn,
			news.withdrawn.map(({ why, ...one }) => {
				return `- ${earlierLine(one, sources, day)}${why === undefined ? '' : `: ${why}`}`;
			}),
		),
		section(plan.labels.before, freshLines(thereBefore)),
		unchangedText(news, day),
		closingLists(contradictions, unanswered, plan.labels, sources),
	];
	return { text: parts.filter((part) => part !== '').join('\n\n'), sources };
}

/** Rows of one table that stand in a list one by one. */
const MOST_ROWS = 3;

/** The lines of a list: of many rows of one table the first ones, and their number. */
function shortened<T extends { claim: NumberedClaim }>(
	list: ReadonlyArray<readonly T[]>,
	lineOf: (own: readonly T[], claims: NumberedClaim[]) => string,
): string[] {
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
		if (table === undefined || all <= MOST_ROWS + 1) return [lineOf(own, claims)];
		const number = (shown.get(table) ?? 0) + 1;
		shown.set(table, number);
		if (number > MOST_ROWS + 1) return [];
		return [number <= MOST_ROWS ? lineOf(own, claims) : `- … ${count(all - MOST_ROWS, 'more row')} of this table`];
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
	return `${escaped(earlier.text)} ${sources.links([pageOf(earlier)])} (${day(earlier.lastSeen)})`;
}

/** A claim that is linked to its page alone. */
function pageOf({ text, quote, source }: EarlierClaim): NumberedClaim {
	return { number: 0, question: 0, text, quote, source, verified: false };
}

/** The number of statements that are as they were, and of those that could not be checked, as one paragraph. */
function unchangedText({ unchanged, unchecked, since }: ResearchNews, day: (timestamp: string) => string): string {
	const on = since === undefined ? '' : ` on ${day(since)}`;
	const open = unchecked.reduce((sum, { statements }) => sum + statements, 0);
	const reasons = unchecked.map(({ reason, statements }) => `${statements}: ${escaped(reason)}`).join('; ');
	const were = (amount: number) => (amount === 1 ? 'is as it was' : 'are as they were');
	return [
		unchanged > 0 ? `${count(unchanged, 'statement')} ${were(unchanged)}${on}.` : '',
		open > 0 ? `${count(open, 'statement')} could not be checked (${reasons}).` : '',
	]
		.filter((part) => part !== '')
		.join(' ');
}
