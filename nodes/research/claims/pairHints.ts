import { wordsOf } from '../../text/pageText';

/** Words that say no, in sixteen languages. */
const NEGATION =
	/(?<![\p{L}\p{M}'\u2019-])(?:not|no(?!\.)|never|none|neither|nor|cannot|without|nicht|kein(?:e[mnrs]?)?|niemals|ohne|pas|jamais|aucune?|sans|nunca|ning\u00fan|sin|n\u00e3o|sem|non(?!-)|senza|niet|geen|zonder|inte|ikke|nie|bez|\u043d\u0435|\u043d\u0435\u0442|\u043d\u0456|\u0431\u0435\u0437|\u043d\u0438\u043a\u043e\u0433\u0434\u0430|de\u011fil|\u0644\u0627|\u0644\u0645|\u0644\u0646|\u0644\u064a\u0633\u062a?|\u05dc\u05d0|\u05d0\u05d9\u05df|\u0928\u0939\u0940\u0902)(?![\p{L}\p{M}])|\p{L}n['\u2019]t(?!\p{L})|[\u4e0d\u6ca1\u6c92\u672a\u65e0\u7121\u975e]|\u306a\u3044|\u307e\u305b\u3093|[\uc54a\uc5c6]|\uc544\ub2c8/iu;

/** A longer passage has a negation of something else in it. */
const LONGEST_PASSAGE = 400;

/** From so many shared words on, of those of the statement, both are in one language. */
const SHARED_WORDS = 0.4;

/** A language that writes so many words with a capital letter does so with all nouns. */
const MOST_NAMES = 0.3;

/** Letters of a name that must stand in the passage: the rest may be the ending of a case. */
const STEM = 4;

const MAX_NAMES = 3;

/** What code sees of a statement beside its passage and cannot judge, for the model that judges. */
export function pairHints(statement: string, passage: string): string[] {
	const names = missingNames(statement, passage);
	const [inStatement, inPassage] = [NEGATION.exec(statement), NEGATION.exec(passage)];
	const isShort = passage.length <= LONGEST_PASSAGE;
	return [
		...(names.length === 0 ? [] : [`not in the passage in these letters: ${names.join(', ')}`]),
		...(inStatement && !inPassage ? [`only the statement has a negation: ${inStatement[0]}`] : []),
		...(inPassage && !inStatement && isShort ? [`only the passage has a negation: ${inPassage[0]}`] : []),
	];
}

/** Words with a capital letter within a statement that its passage, in the same language, does not have. */
function missingNames(statement: string, passage: string): string[] {
	const [own, held] = [wordsOf(statement), wordsOf(passage)];
	if ([...own].filter((word) => held.has(word)).length < own.size * SHARED_WORDS) return [];
	const names = statement.match(/(?<=[\p{Ll}\p{N},;:)] )\p{Lu}[\p{L}\p{M}]{2,}/gu) ?? [];
	if (names.length > own.size * MOST_NAMES) return [];
	const shown = passage.toLowerCase();
	const isMissing = (name: string) => !shown.includes(name.toLowerCase().slice(0, Math.max(STEM, name.length - 3)));
	return [...new Set(names)].filter(isMissing).slice(0, MAX_NAMES);
}
