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
