/** Most characters of a passage around a place. */
const AROUND = 300;

function words(text: string): string[] {
	return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])];
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
