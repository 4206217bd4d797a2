/** Most characters of a line that a pattern is tried on. */
export const MAX_LINE_CHARACTERS = 1000;

/** Longest pattern. */
const MAX_PATTERN_CHARACTERS = 1000;

/** A repeat, and one that may be done in several ways. */
const REPEAT = /[*+?]|\{\d+(?:,\d*)?\}/y;
const OPEN_REPEAT = /[*+?]|\{\d+,\d*\}/y;

/** Repeats without an end in one pattern: each may go through the whole line for each place of those before it. */
const MOST_REPEATS = 3;

/**
 * Reads a regular expression of JavaScript, upper and lower case alike, or says why it cannot be used: "is no
 * regular expression". The watched site chooses the lines that it runs on: what may take for ever on one of them is
 * refused, a repeated group with repeats or choices in it, such as (a+)+ or (a|b)*, and many repeats in a row.
 */
export function readLinePattern(source: string): RegExp | { problem: string } {
	if (source.length > MAX_PATTERN_CHARACTERS) {
		return { problem: `is longer than ${MAX_PATTERN_CHARACTERS} characters` };
	}
	const repeats = source.replace(/\\.|\[(?:\\.|[^\]\\])*\]/gsu, 'x').match(/[*+]|\{\d+,\}/g) ?? [];
	if (repeats.length > MOST_REPEATS) {
		return { problem: `has more than ${MOST_REPEATS} of * and +, which may never end` };
	}
	if (hasNestedRepeat(source)) {
		return {
			problem: 'repeats a group with repeats or choices in it, such as (a+)+ or (a|b)*, which may never end',
		};
	}
	try {
		return new RegExp(source, 'iu');
	} catch {
		return { problem: 'is no regular expression' };
	}
}

/** Whether one of the patterns is found in the first MAX_LINE_CHARACTERS characters of a line. */
export function matchesOne(line: string, patterns: readonly RegExp[]): boolean {
	const start = line.slice(0, MAX_LINE_CHARACTERS);
	return patterns.some((pattern) => pattern.test(start));
}

/** Whether a group that has a repeat or a choice in it is repeated itself. */
function hasNestedRepeat(source: string): boolean {
	const groups: boolean[] = [false];
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
			if (hasRepeat && standsAt(REPEAT, source, at + 1)) return true;
			if (hasRepeat && groups.length > 0) groups[groups.length - 1] = true;
		} else if (standsAt(OPEN_REPEAT, source, at)) groups[groups.length - 1] = true;
	}
	return false;
}

function standsAt(pattern: RegExp, source: string, at: number): boolean {
	pattern.lastIndex = at;
	return pattern.test(source);
}

function endOfClass(source: string, start: number): number {
	for (let at = start + 1; at < source.length; at++) {
		if (source[at] === '\\') at += 1;
		else if (source[at] === ']') return at;
	}
	return source.length;
}
