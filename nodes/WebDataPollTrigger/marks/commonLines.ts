/** A line of two texts: its positions in the one and in the other. */
export type CommonLine = readonly [before: number, now: number];

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

function placesOf(
	lines: readonly string[],
	[from, to]: readonly [number, number],
): Map<string, number[]> {
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
	const places = new Map(
		[...placesOf(before, gap.before)].map(([line, at]) => [line, at.reverse()]),
	);
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
