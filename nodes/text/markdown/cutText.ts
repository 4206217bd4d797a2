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
	return best > 0 ? best : wholeCharacters(text, from, room);
}

function lastEnd(text: string, pattern: RegExp): number {
	let end = 0;
	for (const match of text.matchAll(pattern)) end = match.index + match[0].length;
	return end;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Longest thing that is seen as one character, for the cut: joined emoji have about 30. */
const MAX_CHARACTER = 64;

/** The last place at or before `room` that is in no character, where one may have several codes, as joined emoji have. */
function wholeCharacters(text: string, from: number, room: number): number {
	const before = Math.min(room, MAX_CHARACTER);
	const at = from + room;
	const around = text.slice(at - before, at + MAX_CHARACTER);
	const start = graphemes.segment(around).containing(before)?.index ?? before;
	if (start > 0) return room - before + start;
	// One that is longer than a piece is cut, but not inside of a code.
	const last = text.charCodeAt(at - 1);
	return last >= 0xd800 && last < 0xdc00 && room > 1 ? room - 1 : room;
}
