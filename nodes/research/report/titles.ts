import { hasNoSpaces } from '../../text/sentences';
import { evenOut, wordsOf } from '../../text/pageText';
import type { NumberedClaim } from './numberedClaims';

/**
 * Titles of a report, which cite nothing: headings, lines in bold, lines that lead to a list, heads of tables. Each stands
 * for what is below it, and is checked against the claims that are cited there.
 */

/** What a title is: the level of a heading from 1 to 6, of a line in bold, or of what leads to a list or heads a table. */
export const BOLD_LINE = 7;
export const LEAD_LINE = 8;

/** A line of a report with what matters here: its title, if it is one, and the claims that it cites. */
interface TitledLine {
	level: number | undefined;
	/** A row, or an item of a list. */
	isListed: boolean;
	isBlank: boolean;
	cited: readonly number[];
}

/** The claims that are cited below a title, each once, in their order. */
export function claimsBelow(
	lines: readonly TitledLine[],
	at: number,
	claims: ReadonlyMap<number, NumberedClaim>,
): NumberedClaim[] {
	const level = lines[at]?.level ?? 0;
	const found = new Set<number>();
	let hasListed = false;
	// No copy of the rest: a report may be nothing but titles.
	for (let below = at + 1; below < lines.length; below += 1) {
		const line = lines[below];
		if (!line || line.isBlank) continue;
		if (line.level !== undefined && line.level <= level) break;
		if (level === LEAD_LINE && hasListed && !line.isListed) break;
		hasListed ||= line.isListed;
		for (const number of line.cited) found.add(number);
	}
	return [...found].flatMap((number) => claims.get(number) ?? []);
}

/**
 * Whether a title says nothing that is not said anyway: it is a part of the question or of a sub-question, word for word,
 * or all its words stand in the texts of the claims below it.
 */
export function isSaidAnyway(title: string, questions: readonly string[], below: readonly NumberedClaim[]): boolean {
	const own = wordList(title);
	if (own.length === 0) return true;
	const phrase = ` ${own.join(' ')} `;
	if (questions.some((question) => ` ${wordList(question).join(' ')} `.includes(phrase))) return true;
	// Every word counts: "keeps no files" is not "keeps all files". Where no spaces stand between them, each two signs do.
	const all = (text: string) => new Set([...wordList(text).filter((word) => !hasNoSpaces(word)), ...wordsOf(text)]);
	const held = all(below.map(({ text }) => text).join(' '));
	return [...all(title)].every((word) => held.has(word));
}

function wordList(text: string): string[] {
	return (
		evenOut(text)
			.toLowerCase()
			.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
	);
}

/** The sub-question that most of these claims answer; undefined where they name none. */
export function questionOf(below: readonly NumberedClaim[], subQuestions: readonly string[]): string | undefined {
	const votes = new Map<number, number>();
	for (const { question } of below) votes.set(question, (votes.get(question) ?? 0) + 1);
	const [most] = [...votes].filter(([question]) => question > 0).sort(([, left], [, right]) => right - left)[0] ?? [];
	return most === undefined ? undefined : subQuestions[most - 1];
}
