import { shortKeyCounts, shortKeyOf } from '../../text/addresses';
import { cutAt } from '../../text/ends';

/** The lines of a page as they are remembered, to say later what has changed. */
export interface MarkedLines {
	/** A digest of each, SHORT_KEY_LENGTH characters long. */
	digests: string;
	/** The number of runs since the page has changed. */
	age: number;
}

/** A page with more lines is told as changed without them. */
const MOST_LINES = 2_000;

/** Lines that an item shows, and how much of each. */
const MOST_SHOWN = 20;
const LONGEST_SHOWN = 500;

/** The age of a page whose lines were not remembered when it changed. */
const UNKNOWN_AGE = 1_000;

/** The lines of a page, where it has not too many; `isSame`: it is as it was when `before` was remembered. */
export function markedLines(lines: readonly string[], before: MarkedLines | undefined, isSame: boolean) {
	if (lines.length > MOST_LINES) return undefined;
	const age = isSame ? Math.min(UNKNOWN_AGE, (before?.age ?? UNKNOWN_AGE) + 1) : 0;
	return { digests: lines.map(shortKeyOf).join(''), age };
}

/** The difference between the lines that are remembered of a page and those that it has now. */
export function lineDifference(
	{ digests }: MarkedLines,
	lines: readonly string[],
): { added: string[]; removedLines: number } {
	const left = shortKeyCounts(digests);
	const added = lines.filter((line) => {
		const digest = shortKeyOf(line);
		const count = left.get(digest) ?? 0;
		if (count > 0) left.set(digest, count - 1);
		return count === 0;
	});
	const removedLines = [...left.values()].reduce((sum, count) => sum + count, 0);
	return { added: added.slice(0, MOST_SHOWN).map((line) => cutAt(line, LONGEST_SHOWN)), removedLines };
}

/** The same pages with the lines of as many as there is room for, in characters: of those first that have changed last. */
export function withLinesInRoom<T extends { lines?: MarkedLines }>(
	pages: ReadonlyMap<string, T>,
	room: number,
): { pages: ReadonlyMap<string, T>; left: number } {
	const byAge = [...pages].flatMap(([key, { lines }]) => (lines ? [{ key, lines }] : []));
	byAge.sort((one, other) => one.lines.age - other.lines.age);
	const kept = new Set<string>();
	let left = room;
	for (const { key, lines } of byAge) {
		const size = packedLines(lines).length;
		if (size > left) continue;
		left -= size;
		kept.add(key);
	}
	return { pages: new Map([...pages].map(([key, page]) => [key, kept.has(key) ? page : withoutLines(page)])), left };
}

/** A page without what is remembered of its lines. */
export function withoutLines<T extends { lines?: MarkedLines }>(page: T): T {
	const bare = { ...page };
	delete bare.lines;
	return bare;
}

/** As they are stored behind the hash of a page. */
export function packedLines(lines: MarkedLines | undefined): string {
	return lines ? `:${lines.age.toString(36)}.${lines.digests}` : '';
}

/** Reads what packedLines made; undefined for anything else. */
export function unpackedLines(text: string | undefined): MarkedLines | undefined {
	const [, age, digests = ''] = /^([\da-z]{1,4})\.([\w-]*)$/.exec(text ?? '') ?? [];
	return age === undefined ? undefined : { age: Number.parseInt(age, 36), digests };
}
