import { count } from '../../text/amounts';
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
}

/**
 * The report of what is new, by code from the claims: New, Changed, No longer on its page, one line for what is as it
 * was, what could not be checked, and what is not answered. Parts that are empty are left out.
 */
export function writeNews({ found, plan, contradictions, unanswered }: NewsParts): {
	text: string;
	sources: SourceNumbers;
} {
	const sources = new SourceNumbers();
	const { news, fresh, changed } = found;
	const section = (label: string, lines: readonly string[]) =>
		lines.length === 0 ? '' : `## ${escaped(label)}\n\n${lines.join('\n')}`;
	const parts = [
		section(
			plan.labels.new,
			fresh.map(({ claim, against }) => {
				const line = claimLine(claim, sources);
				return against ? `${line}\n  - ↔ ${earlierLine(against, sources)}` : line;
			}),
		),
		section(
			plan.labels.changed,
			changed.map(({ claim, before }) => {
				const page = sources.links([pageOf(before)]);
				const old = `~~${escaped(before.text)}~~ ${page} (${dayOf(before.lastSeen)})`;
				return `- ${old} → ${claimLine(claim, sources).slice(2)} (${dayOf(found.history.at)})`;
			}),
		),
		section(
			plan.labels.withdrawn,
			news.withdrawn.map((one) => `- ${earlierLine(one, sources)}`),
		),
		unchangedText(news),
		closingLists(contradictions, unanswered, plan.labels, sources),
	];
	return { text: parts.filter((part) => part !== '').join('\n\n'), sources };
}

/** An earlier statement with its page: the sentence is not looked for there, since it may be gone. */
function earlierLine(earlier: EarlierClaim, sources: SourceNumbers): string {
	return `${escaped(earlier.text)} ${sources.links([pageOf(earlier)])} (${dayOf(earlier.lastSeen)})`;
}

/** A claim that is linked to its page alone. */
function pageOf({ text, quote, source }: EarlierClaim): NumberedClaim {
	return { number: 0, question: 0, text, quote, source, verified: false };
}

function dayOf(timestamp: string): string {
	return timestamp.slice(0, 10);
}

/** The number of statements that are as they were, and of those that could not be checked, as one paragraph. */
function unchangedText({ unchanged, unchecked, since }: ResearchNews): string {
	const day = since === undefined ? '' : ` on ${dayOf(since)}`;
	const open = unchecked.reduce((sum, { statements }) => sum + statements, 0);
	const reasons = unchecked.map(({ reason, statements }) => `${statements}: ${escaped(reason)}`).join('; ');
	const were = (amount: number) => (amount === 1 ? 'is as it was' : 'are as they were');
	return [
		unchanged > 0 ? `${count(unchanged, 'statement')} ${were(unchanged)}${day}.` : '',
		open > 0 ? `${count(open, 'statement')} could not be checked (${reasons}).` : '',
	]
		.filter((part) => part !== '')
		.join(' ');
}
