/**
 * Cuts a text into pieces of at most `max` characters, the first of at most `firstMax`: at the end of a line, else of
 * a sentence, else of a word, else anywhere but inside a character. Together the pieces are the text.
 */
export function cutText(text: string, firstMax: number, max: number): string[] {
	const pieces: string[] = [];
	let from = 0;
	while (from < text.length) {
		const room = pieces.length === 0 ? firstMax : max;
		const end = text.length - from <= room ? text.length : from + endOfPiece(text, from, room);
		pieces.push(text.slice(from, end));
		from = end;
	}
	return pieces;
}

function endOfPiece(text: string, from: number, room: number): number {
	const within = text.slice(from, from + room);
	const ends = [
		within.lastIndexOf('\n') + 1,
		lastEnd(within, /[.!?…]["'”’)\]]*\s+(?=\S)|[。！？]/g),
		lastEnd(within, /\s/g),
	];
	// A piece that is nearly empty helps nobody: then the next best place counts.
	const best = ends.find((end) => end > room / 4) ?? Math.max(...ends);
	return best > 0 ? best : wholeCharacters(within);
}

function lastEnd(text: string, pattern: RegExp): number {
	let end = 0;
	for (const match of text.matchAll(pattern)) end = match.index + match[0].length;
	return end;
}

/** Characters beyond the first 65,536 are two for JavaScript. */
function wholeCharacters(text: string): number {
	const last = text.charCodeAt(text.length - 1);
	return last >= 0xd800 && last < 0xdc00 && text.length > 1 ? text.length - 1 : text.length;
}
