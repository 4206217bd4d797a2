/** A text without what typography adds, and where each of its characters stands in the text. */
export interface BareText {
	text: string;
	places: Int32Array;
}

/** Marks of vowels that a text in Arabic or Hebrew has or leaves out, and the line that stretches a word. */
const VOWEL_MARK = /\p{M}/u;
const WITH_VOWEL_MARKS = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const STRETCH = '\u0640';

const DIGIT = /\p{Nd}/u;
const LETTER = /[\p{L}\p{M}]/u;

/**
 * The characters by which a quote is looked up, of a text that is evened out: without spaces, but for one between two
 * figures; without a hyphen between letters, which may be that of a line's end; without marks of vowels. What differs in
 * these only is the same text: `2024 年` and `2024年`, `12 %` and `12%`, `effi- ciency` and `efficiency`.
 */
export function bareText(text: string): BareText {
	const places = new Int32Array(text.length);
	const kept: string[] = [];
	let before = '';
	const keep = (sign: string, at: number) => {
		places[kept.length] = at;
		kept.push(sign);
		before = sign;
	};
	for (let at = 0; at < text.length; at += 1) {
		const sign = text.charAt(at);
		if (sign === ' ') {
			if (DIGIT.test(before) && DIGIT.test(text.charAt(at + 1))) keep(sign, at);
		} else if (sign === '-') {
			const next = text.charAt(text.charAt(at + 1) === ' ' ? at + 2 : at + 1);
			if (!(LETTER.test(before) && LETTER.test(next))) keep(sign, at);
		} else if (!(sign === STRETCH || (VOWEL_MARK.test(sign) && WITH_VOWEL_MARKS.test(before)))) keep(sign, at);
	}
	return { text: kept.join(''), places: places.subarray(0, kept.length) };
}
