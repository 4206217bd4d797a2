import { isJsonObject } from '../../service/http/answer';
import type { Pause } from '../../service/http/time';
import type { JsonObject } from '../../service/http/transport';
import { packHashes, shortHashes, unpackHashes } from './hashes';

/** Most lines of a page that are compared; n8n stores 8 bytes of each with the workflow. */
export const MAX_LINES = 20_000;

/** Most characters of them that are kept to show what was removed. */
export const MAX_KEPT = 50_000;

/** The lines of a page. */
export interface PageLines {
	/** A hash of each, in their order. */
	hashes: string[];
	/** The lines themselves, or the first of them. */
	texts: string[];
	/** True where the page has more lines than these. */
	isCut: boolean;
}

/** The difference between a page and its earlier state. */
export interface LineDifference {
	added: string[];
	removed: string[];
	/** Lines that are there as before, in another place. */
	moved: string[];
	/** The number of lines that were removed whose text was not kept. */
	removedWithoutText: number;
}

/** Lines of a page, ready to be compared. */
export async function asPageLines(
	{ texts, isCut }: Pick<PageLines, 'texts' | 'isCut'>,
	pause: Pause,
): Promise<PageLines> {
	return { hashes: await shortHashes(texts, pause), texts, isCut };
}

/** The stored form of a page. */
export function linesMark({ hashes, texts, isCut }: PageLines): JsonObject {
	return { hashes: packHashes(hashes), texts: keptTexts(texts), isCut };
}

/** Reads what linesMark has stored; undefined when it is something else. */
export function readLinesMark(mark: JsonObject | undefined): PageLines | undefined {
	if (!isJsonObject(mark)) return undefined;
	const { hashes, texts, isCut } = mark;
	if (typeof hashes !== 'string' || !Array.isArray(texts)) return undefined;
	return { hashes: unpackHashes(hashes), texts: texts.map(String), isCut: isCut === true };
}

/** The first lines that together have at most MAX_KEPT characters, the last of them cut. */
export function keptTexts(texts: readonly string[]): string[] {
	let left = MAX_KEPT;
	const kept: string[] = [];
	for (const text of texts) {
		if (left <= 0) break;
		kept.push(text.slice(0, left));
		left -= text.length;
	}
	return kept;
}

/**
 * The lines that came, went, and changed their places, each as often as it did. Of a page that has more lines than are
 * compared, what follows the last line that both have is left out: a line that was added may have pushed it over the
 * end.
 */
export function differenceOf(before: PageLines, now: PageLines): LineDifference {
	const common = commonLines(before.hashes, now.hashes);
	const [lastBefore, lastNow] = common.at(-1) ?? [Infinity, Infinity];
	const gone = linesWithout(
		before,
		now.isCut ? lastBefore : Infinity,
		common.map(([at]) => at),
	);
	const come = linesWithout(
		now,
		before.isCut ? lastNow : Infinity,
		common.map(([, at]) => at),
	);
	const added = without(come, gone);
	const removed = without(gone, come);
	const known = removed.flatMap(({ text }) => text ?? []);
	return {
		added: added.flatMap(({ text }) => text ?? []),
		removed: known,
		moved: without(come, added).flatMap(({ text }) => text ?? []),
		removedWithoutText: removed.length - known.length,
	};
}

interface PageLine {
	hash: string;
	text: string | undefined;
}

/** The lines of a page up to a position, but for those at some positions. */
function linesWithout({ hashes, texts }: PageLines, end: number, places: number[]): PageLine[] {
	const others = new Set(places);
	return hashes.map((hash, at) => ({ hash, text: texts[at] })).filter((_line, at) => at < end && !others.has(at));
}

/** The lines that the others do not have, counted. */
function without(lines: readonly PageLine[], others: readonly PageLine[]): PageLine[] {
	const left = new Map<string, number>();
	for (const { hash } of others) left.set(hash, (left.get(hash) ?? 0) + 1);
	return lines.filter(({ hash }) => {
		const count = left.get(hash) ?? 0;
		if (count > 0) left.set(hash, count - 1);
		return count === 0;
	});
}

/** A line of two texts: its positions in the one and in the other. */
type CommonLine = readonly [before: number, now: number];

/** Parts of two texts that are compared: from a position up to another. */
interface Gap {
	before: readonly [from: number, to: number];
	now: readonly [from: number, to: number];
}

/**
 * Lines that two texts have in the same order, as many as can be found in a time in proportion to the lines:
 * those that each text has once, then what fits between these. Texts that differ always have a line that is
 * not among them.
 */
export function commonLines(before: readonly string[], now: readonly string[]): CommonLine[] {
	const whole: Gap = { before: [0, before.length], now: [0, now.length] };
	const anchors = inBothOrders(uniqueLines(before, now, whole));
	const between = gapsBetween(whole, anchors).flatMap((gap) => commonInGap(before, now, gap));
	return [...anchors, ...between].sort(([left], [right]) => left - right);
}

/** The lines that begin and end both parts, and what stands between them. */
function withoutEnds(
	before: readonly string[],
	now: readonly string[],
	{ before: [beforeFrom, beforeTo], now: [nowFrom, nowTo] }: Gap,
): { first: CommonLine[]; gap: Gap; last: CommonLine[] } {
	const most = Math.min(beforeTo - beforeFrom, nowTo - nowFrom);
	let begin = 0;
	while (begin < most && before[beforeFrom + begin] === now[nowFrom + begin]) begin += 1;
	let end = 0;
	while (end < most - begin && before[beforeTo - end - 1] === now[nowTo - end - 1]) end += 1;
	return {
		first: Array.from({ length: begin }, (_, at) => [beforeFrom + at, nowFrom + at]),
		gap: { before: [beforeFrom + begin, beforeTo - end], now: [nowFrom + begin, nowTo - end] },
		last: Array.from({ length: end }, (_, at) => [beforeTo - end + at, nowTo - end + at]),
	};
}

/** Lines that stand once in each of the parts, in the order of the first. */
function uniqueLines(before: readonly string[], now: readonly string[], gap: Gap): CommonLine[] {
	const placesNow = placesOf(now, gap.now);
	return [...placesOf(before, gap.before)].flatMap(([line, [place = 0, ...others]]) => {
		const [placeNow, ...othersNow] = placesNow.get(line) ?? [];
		const isUnique = placeNow !== undefined && others.length === 0 && othersNow.length === 0;
		return isUnique ? [[place, placeNow] as const] : [];
	});
}

function placesOf(lines: readonly string[], [from, to]: readonly [number, number]): Map<string, number[]> {
	const places = new Map<string, number[]>();
	for (let place = from; place < to; place += 1) {
		const line = lines[place] ?? '';
		const known = places.get(line);
		if (known) known.push(place);
		else places.set(line, [place]);
	}
	return places;
}

/** The longest part of them that is in order in the second text as well (patience sorting). */
function inBothOrders(lines: readonly CommonLine[]): CommonLine[] {
	/** By the length of a row of lines less one: where the row with the earliest end ends. */
	const ends: number[] = [];
	const previous: Array<number | undefined> = [];
	lines.forEach(([, place], at) => {
		let [low, high] = [0, ends.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			const end = lines[ends[middle] ?? 0]?.[1] ?? 0;
			if (end < place) low = middle + 1;
			else high = middle;
		}
		previous.push(ends[low - 1]);
		ends[low] = at;
	});
	const row: CommonLine[] = [];
	for (let at = ends.at(-1); at !== undefined; at = previous[at]) {
		const line = lines[at];
		if (line) row.push(line);
	}
	return row.reverse();
}

function gapsBetween({ before, now }: Gap, anchors: readonly CommonLine[]): Gap[] {
	const ends: CommonLine[] = [...anchors, [before[1], now[1]]];
	let [beforeFrom, nowFrom] = [before[0], now[0]];
	return ends.map(([beforeTo, nowTo]) => {
		const gap: Gap = { before: [beforeFrom, beforeTo], now: [nowFrom, nowTo] };
		[beforeFrom, nowFrom] = [beforeTo + 1, nowTo + 1];
		return gap;
	});
}

/** Both ends, and between them each line with the next one like it. */
function commonInGap(before: readonly string[], now: readonly string[], part: Gap): CommonLine[] {
	const { first, gap, last } = withoutEnds(before, now, part);
	// The last place first, so that the next one can be taken from the end.
	const places = new Map([...placesOf(before, gap.before)].map(([line, at]) => [line, at.reverse()]));
	const between: CommonLine[] = [];
	let after = -1;
	for (let place = gap.now[0]; place < gap.now[1]; place += 1) {
		const like = places.get(now[place] ?? '') ?? [];
		let found = like.pop();
		while (found !== undefined && found <= after) found = like.pop();
		if (found === undefined) continue;
		between.push([found, place]);
		after = found;
	}
	return [...first, ...between, ...last];
}
