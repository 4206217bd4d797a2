/** Longest piece of the service's own text that is shown. */
const MAX_SHOWN = 500;

/** A text without a blank in the last so many characters is cut where it is too long. */
const LONGEST_WORD = 60;

/** Where a text is cut behind a sentence, at least this share of what there is room for is left of it. */
const SHARE_OF_SENTENCES = 0.5;

/**
 * Text from outside as it may stand in a sentence: without control characters, which would break it in
 * logs and in the panel, and with at most so many characters. It is cut behind a sentence, or between two
 * words where that would leave too little.
 */
export function shorten(text: string, most = MAX_SHOWN): string {
	const clean = text.replace(/[\p{Cc}\p{Surrogate}\u2028\u2029]+/gu, ' ').trim();
	if (clean.length <= most) return clean;
	const cut = clean.slice(0, most + 1);
	const sentences = [...cut.matchAll(/[.!?](?=\s)/g)].map(({ index }) => index + 1);
	const lastSentence = sentences
		.filter((at) => at >= most * SHARE_OF_SENTENCES && at < most - 1)
		.at(-1);
	if (lastSentence !== undefined) return `${cut.slice(0, lastSentence)} …`;
	const lastBlank = cut.lastIndexOf(' ');
	const end = lastBlank > Math.max(0, most - LONGEST_WORD) ? lastBlank : most;
	return `${cut
		.slice(0, end)
		.replace(/\p{Surrogate}/u, '')
		.trimEnd()}…`;
}

/** The text as a sentence: closed, unless it is. */
export function asSentence(text: string): string {
	return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** The first sentence of a text, for where there is room for no more. */
export function firstSentence(text: string, most: number): string {
	const sentence = text.replace(/(?<=\S[.!?])\s[^]*/, '');
	return shorten(sentence.replace(/[.!\s]+$/, ''), most);
}
