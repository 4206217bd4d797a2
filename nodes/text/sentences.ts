/**
 * What ends a sentence, and what is a word, in any script. Unicode says which marks end sentences (Sentence_Terminal);
 * some scripts do without them, and without spaces between words.
 */

/** A mark that ends a sentence, as the inside of a class of characters. */
export const END_MARKS = String.raw`\p{Sentence_Terminal}\u2026`;

/** Signs that may stand behind such a mark and belong to the sentence: quotation marks, brackets, signs of Markdown. */
export const CLOSERS = String.raw`"'\p{Pf}\p{Pe}*_`;

/** Thai, Lao, Khmer, Burmese and others: sentences may end with a space, or with nothing. */
const WITHOUT_MARKS =
	/[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Tai_Le}\p{Script=New_Tai_Lue}\p{Script=Tai_Tham}\p{Script=Tai_Viet}\p{Script=Javanese}\p{Script=Balinese}]/u;

/** The same, and Chinese and Japanese, whose sentences end with a mark. */
const WITHOUT_SPACES =
	/[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Tai_Le}\p{Script=New_Tai_Lue}\p{Script=Tai_Tham}\p{Script=Tai_Viet}\p{Script=Javanese}\p{Script=Balinese}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff65]/u;

/** Whether a text has letters of a script whose sentences need no mark. */
export function hasNoMarks(text: string): boolean {
	return WITHOUT_MARKS.test(text);
}

/** Whether a character is of a script that puts no spaces between words. */
export function hasNoSpaces(character: string): boolean {
	return WITHOUT_SPACES.test(character);
}

/** Words that are shortened before anything: titles, amounts, what German, French and Spanish shorten in a sentence. */
const SHORTENED =
	'[Dd]r|[Mm]rs?|[Mm]s|[Pp]rof|[Ss]t|[Nn]os?|[Nn]r|[Vv]s|[Cc]a|[Aa]pprox|[Ii]nc|[Ll]td|[Cc]o|[Cc]orp|[Ee]tc|[Ff]ig|[Vv]ol|[Cc]f|[Ee]d|[Jj]r|Sr|Sen|Gov|Gen|Rep|Lt|Col|Capt|Sgt|Hon|Rev|[Ee]st|al|[Bb]zw|[Uu]sw|[Ee]vtl|[Gg]gf|[Ii]nkl|[Ee]xkl|[Zz]zgl|[Ee]inschl|[Mm]io|[Mm]rd|[Tt]sd|[Ss]td|[Mm]in|[Mm]ax|[Vv]gl|[Tt]el|[Gg]eb|[Gg]est|[Ff]r|Hr|Abs|Art|Str|[Ee]nv|[Aa]v|Mme|Mlle|Sra|[Nn]\u00fam|[Aa]prox|[Pp]\u00e1g|[Pp]p?';

/** Months and parts of a text as they are shortened before a number. */
const SHORTENED_BEFORE_NUMBER =
	'[Jj]an|[Ff]ebr?|[Mm]ar|[Aa]pr|[Jj]une?|[Jj]uly?|[Aa]ug|[Ss]ept?|[Oo][ck]t|[Nn]ov|[Dd]e[cz]|[Jj]anv|[Ff]\u00e9vr|[Aa]vr|[Jj]uil|[Dd]\u00e9c|[Ee]ne|[Aa]br|[Aa]go|[Dd]ic|[Ss]ec|[Cc]h|[Aa]rt|[Aa]bs|[Kk]ap|[Ss]';

/** What is shortened before a full stop, or a letter: an initial, or one of "e.g.". */
const ABBREVIATION = new RegExp(`(?:^|[\\s(])(?:\\p{L}|(?:${SHORTENED})|(?:\\p{L}\\.\\s?){1,4}\\p{L})\\.$`, 'u');
const ABBREVIATION_BEFORE_NUMBER = new RegExp(`(?:^|[\\s(])(?:${SHORTENED_BEFORE_NUMBER})\\.$`, 'u');

/** So many characters before a full stop tell. */
export const LONGEST_ABBREVIATION = 30;

/** Whether a text that ends with a full stop, of which the last characters are enough, ends with an abbreviation before `behind`. */
export function isShortened(before: string, behind: string): boolean {
	return ABBREVIATION.test(before) || (/^\s*\p{Nd}/u.test(behind) && ABBREVIATION_BEFORE_NUMBER.test(before));
}

const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/** The words of a text with their places. */
export function wordSegments(text: string): Intl.SegmentData[] {
	return [...words.segment(text)].filter(({ isWordLike }) => isWordLike);
}

/** The number of words that a text has, up to one more than `most`: the rest is not counted. */
export function wordCount(text: string, most: number): number {
	let count = 0;
	// A word of any script has fewer characters; what is behind is not needed.
	for (const { isWordLike } of words.segment(text.slice(0, (most + 1) * 40))) {
		if (isWordLike === true) count += 1;
		if (count > most) break;
	}
	return count;
}

/** Lines of one paragraph as one: with a space between them, where their script has spaces. */
export function joinedLines(lines: readonly string[]): string {
	return lines
		.map((line, index) => {
			const before = lines[index - 1]?.at(-1);
			const isTight = before === undefined || (hasNoSpaces(before) && hasNoSpaces(line.charAt(0)));
			return isTight ? line : ` ${line}`;
		})
		.join('');
}
