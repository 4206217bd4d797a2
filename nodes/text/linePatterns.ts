/** Most characters of a line that a pattern is tried on. */
export const MAX_LINE_CHARACTERS = 1000;

/**
 * The same for a pattern that may go through the line for each place of others, by how many: two places, three. Each
 * takes some million steps at most.
 */
const CHARACTERS_BY_PLACES = [MAX_LINE_CHARACTERS, MAX_LINE_CHARACTERS, MAX_LINE_CHARACTERS, 200, 80];

/** Longest pattern. */
const MAX_PATTERN_CHARACTERS = 1000;

/** A repeat, and one that may be done in several ways. */
const REPEAT = /[*+?]|\{\d+(?:,\d*)?\}/y;
const OPEN_REPEAT = /[*+?]|\{(\d+),(\d*)\}/y;

/** Open repeats in one pattern: each may go through the whole line for each place of those before it. */
const MAX_REPEATS = 3;

/** So few ways count as a quarter of an open repeat: `?` has two. */
const FEW_WAYS = 4;

/** The parts of a pattern that take time. */
interface Cost {
	/** A repeated group has a repeat or a choice in it. */
	isNested: boolean;
	/** Open repeats; those with few ways count as a quarter. */
	repeats: number;
}

/**
 * Reads a regular expression of JavaScript, upper and lower case alike, or says why it cannot be used: "is no
 * regular expression". The watched site chooses the lines that it runs on: what may take for ever on one of them is
 * refused, a repeated group with repeats or choices in it, such as (a+)+ or (a|b)*, and many repeats in a row.
 */
export function readLinePattern(source: string): RegExp | { problem: string } {
	if (source.length > MAX_PATTERN_CHARACTERS) {
		return { problem: `is longer than ${MAX_PATTERN_CHARACTERS} characters` };
	}
	const needed = withoutNeedless(source);
	const { isNested, repeats } = costOf(needed);
	if (repeats > MAX_REPEATS) {
		return {
			problem: `has more than ${MAX_REPEATS} of * and +, where four of ? count as one, which may never end`,
		};
	}
	if (isNested) {
		return {
			problem: 'repeats a group with repeats or choices in it, such as (a+)+ or (a|b)*, which may never end',
		};
	}
	try {
		// The one that was written may be none, where the shorter one is.
		new RegExp(source, 'iu');
		return new RegExp(needed, 'iu');
	} catch {
		return { problem: 'is no regular expression' };
	}
}

/** Whether one of the patterns is found in the first characters of a line: fewer where a pattern may take long. */
export function matchesOne(line: string, patterns: readonly RegExp[]): boolean {
	return patterns.some((pattern) => pattern.test(line.slice(0, charactersFor(pattern))));
}

/** A line without what the patterns match in its first characters: fewer where a pattern may take long. */
export function withoutParts(line: string, patterns: readonly RegExp[]): string {
	return patterns.reduce((left, pattern) => {
		const most = charactersFor(pattern);
		return left.slice(0, most).replace(new RegExp(pattern.source, 'giu'), ' ') + left.slice(most);
	}, line);
}

/** A pattern may be found at any place of a line: any text at its ends says nothing, and takes long. */
function withoutNeedless(source: string): string {
	if (source.includes('|')) return source;
	let needed = source;
	while (/^\.[*]\??./.test(needed)) needed = needed.replace(/^\.[*]\??/, '');
	while (/[^\\]\.[*]$/.test(needed)) needed = needed.slice(0, -2);
	return needed;
}

const known = new WeakMap<RegExp, number>();

function charactersFor(pattern: RegExp): number {
	const before = known.get(pattern);
	if (before !== undefined) return before;
	// One that is not bound to the start of the line is tried at each place.
	const places = Math.ceil(costOf(pattern.source).repeats) + (/^\^(?!.*\|)/.test(pattern.source) ? 0 : 1);
	const most = CHARACTERS_BY_PLACES[places] ?? 80;
	known.set(pattern, most);
	return most;
}

function costOf(source: string): Cost {
	const groups: boolean[] = [false];
	const cost: Cost = { isNested: false, repeats: 0 };
	for (let at = 0; at < source.length; at++) {
		const sign = source[at];
		if (sign === '\\') at += 1;
		else if (sign === '[') at = endOfClass(source, at);
		else if (sign === '|') groups[groups.length - 1] = true;
		else if (sign === '(') {
			groups.push(false);
			// The sign of a group's kind is no repeat.
			if (source[at + 1] === '?') at += 1;
		} else if (sign === ')') {
			const hasRepeat = groups.pop() === true;
			if (hasRepeat && matchAt(REPEAT, source, at + 1)) cost.isNested = true;
			if (hasRepeat && groups.length > 0) groups[groups.length - 1] = true;
		} else {
			const open = matchAt(OPEN_REPEAT, source, at);
			if (!open) continue;
			groups[groups.length - 1] = true;
			cost.repeats += waysOf(open) > FEW_WAYS ? 1 : 0.25;
			at += open[0].length - 1;
			// A repeat that takes as little as it can is no further one.
			if (source[at + 1] === '?') at += 1;
		}
	}
	return cost;
}

/** In how many ways a repeat may be done. */
function waysOf([sign, least, most]: RegExpExecArray): number {
	if (sign === '?') return 2;
	if (least === undefined || most === undefined || most === '') return Infinity;
	return Number(most) - Number(least) + 1;
}

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
	pattern.lastIndex = at;
	return pattern.exec(source);
}

function endOfClass(source: string, start: number): number {
	for (let at = start + 1; at < source.length; at++) {
		if (source[at] === '\\') at += 1;
		else if (source[at] === ']') return at;
	}
	return source.length;
}

/** A text as a part of a regular expression that matches it as it stands. */
export function literally(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
