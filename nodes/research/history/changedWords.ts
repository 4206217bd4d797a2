import { escaped } from '../report/cleanReport';

/** Words of a statement beyond which it is not compared word by word. */
const MAX_WORDS = 200;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

const piecesOf = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment);

/**
 * A statement as Markdown in which the words are bold that the statement before it does not have at their place. Without
 * any bold words where the two are long, or have hardly a word in common.
 */
export function withChangedWords(before: string, now: string): string {
	const [old, fresh] = [piecesOf(before), piecesOf(now)];
	if (old.length > MAX_WORDS || fresh.length > MAX_WORDS) return escaped(now);
	const kept = keptPieces(old, fresh);
	const isWord = (piece: string) => /[\p{L}\p{N}]/u.test(piece);
	const words = fresh.flatMap((piece, at) => (isWord(piece) ? [at] : []));
	const changed = words.filter((at) => !kept.has(at));
	if (changed.length === 0 || changed.length * 2 > words.length) return escaped(now);
	const runs: string[] = [];
	let plain = '';
	for (let at = 0; at < fresh.length;) {
		const end = endOfRun(fresh, kept, at, isWord);
		if (end === at) {
			plain += fresh[at] ?? '';
			at += 1;
			continue;
		}
		runs.push(escaped(plain), `**${escaped(fresh.slice(at, end).join(''))}**`);
		plain = '';
		at = end;
	}
	return [...runs, escaped(plain)].join('');
}

/** Where a run of new words ends that begins here: the signs between them are of it. The same place where none begins. */
function endOfRun(
	pieces: readonly string[],
	kept: ReadonlySet<number>,
	from: number,
	isWord: (piece: string) => boolean,
): number {
	let end = from;
	for (let at = from; at < pieces.length && !(kept.has(at) && isWord(pieces[at] ?? '')); at++) {
		if (isWord(pieces[at] ?? '')) end = at + 1;
		else if (end === from) return from;
	}
	return end;
}

/** The places in the second list of a longest common run of pieces, in order. */
function keptPieces(old: readonly string[], fresh: readonly string[]): Set<number> {
	const lengths = Array.from({ length: old.length + 1 }, () => new Array<number>(fresh.length + 1).fill(0));
	const at = (row: number, column: number) => lengths[row]?.[column] ?? 0;
	for (let row = old.length - 1; row >= 0; row--) {
		for (let column = fresh.length - 1; column >= 0; column--) {
			const longest =
				old[row] === fresh[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
			lengths[row]?.splice(column, 1, longest);
		}
	}
	const kept = new Set<number>();
	let [row, column] = [0, 0];
	while (row < old.length && column < fresh.length) {
		if (old[row] === fresh[column]) {
			kept.add(column);
			row += 1;
			column += 1;
		} else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
		else column += 1;
	}
	return kept;
}
