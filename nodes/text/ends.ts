/**
 * Texts without some characters at their ends, in one pass over those characters. A pattern such as `/x+$/` does the
 * same in a time that grows with the square of the text's length: at each `x` in the text it tries again.
 */

/** `cut` matches the characters that go, one at a time; it has no flag `g` or `y`. */
export function trimEnd(text: string, cut: RegExp): string {
	let to = text.length;
	while (to > 0 && cut.test(text.charAt(to - 1))) to -= 1;
	return text.slice(0, to);
}

/** As `trimEnd`, at both ends. */
export function trimEnds(text: string, cut: RegExp): string {
	const kept = trimEnd(text, cut);
	let from = 0;
	while (from < kept.length && cut.test(kept.charAt(from))) from += 1;
	return kept.slice(from);
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Longest thing that is seen as one character, for a cut: joined emoji have about 30. */
const MAX_CHARACTER = 64;

/** The beginning of a text of at most so many UTF-16 units, cut between what is seen as characters. */
export function cutAt(text: string, most: number): string {
	if (text.length <= most) return text;
	const before = Math.min(most, MAX_CHARACTER);
	const around = text.slice(most - before, most + MAX_CHARACTER);
	const start = graphemes.segment(around).containing(before)?.index ?? before;
	return text.slice(0, most - before + start);
}
