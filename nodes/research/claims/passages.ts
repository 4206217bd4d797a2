/** Most characters of a passage around a place. */
const AROUND = 300;

function words(text: string): string[] {
	return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])];
}

/** Scripts without spaces between words. */
const UNSPACED =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

/** Letters with which a word begins whatever its ending. */
const STEM = 4;

/** Beginnings of the longer words of a text, its numbers, and pairs of letters where words have no spaces. */
function stems(text: string): Set<string> {
	const even = text.normalize('NFKC').toLowerCase();
	const pairs = (even.match(UNSPACED) ?? []).flatMap((run) => {
		const signs = [...run];
		return signs.slice(1).map((sign, at) => `${signs[at] ?? ''}${sign}`);
	});
	const longer = even.replace(UNSPACED, ' ').match(/[\p{L}\p{M}]{4,}|\p{N}+/gu) ?? [];
	return new Set([...pairs, ...longer.map((word) => [...word].slice(0, STEM).join(''))]);
}

/** True when a text has a word in common with one of the others, or has no word that could be compared. */
export function sharesWord(text: string, others: readonly string[]): boolean {
	const wanted = stems(text);
	if (wanted.size === 0) return true;
	return others.some((other) => [...stems(other)].some((stem) => wanted.has(stem)));
}

/** A line or sentence of a page, and where it is. */
interface Place {
	text: string;
	start: number;
}

function placesOf(text: string): Place[] {
	return [...text.matchAll(/[^\n.!?。！？]+[.!?。！？]*/g)]
		.filter(([found]) => found.trim().length > 10)
		.map((match) => ({ text: match[0].toLowerCase(), start: match.index }));
}

/**
 * The passage of a page that has most words of a text in common with it, with what stands around. Empty
 * where there is none: so that a page need not be sent again to correct a quote.
 */
export function nearestPassage(page: string, text: string): string {
	const wanted = words(text);
	let best: Place | undefined;
	let most = 0;
	for (const place of placesOf(page)) {
		const shared = wanted.filter((word) => place.text.includes(word)).length;
		if (shared <= most) continue;
		most = shared;
		best = place;
	}
	if (!best || most < Math.min(2, wanted.length)) return '';
	return page.slice(Math.max(0, best.start - AROUND / 2), best.start + best.text.length + AROUND);
}
