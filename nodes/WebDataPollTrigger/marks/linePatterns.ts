import { refusedInput } from '../../service/http/failure';
import type { ServiceFailure } from '../../service/http/failure';

/**
 * One regular expression a line. Throws a ServiceFailure of kind badInput that names one that is none, or one
 * that could keep n8n busy for ever: nothing can stop a regular expression that is at work.
 */
export function readPatterns(text: string): RegExp[] {
	return text
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '')
		.map((line) => {
			const pattern = asPattern(line);
			if (!pattern) throw wrong(`holds no regular expression: ${line}`);
			if (repeatsWhatVaries(line)) {
				throw wrong(
					`repeats a group that itself repeats or chooses, which can take for ever: ${line}. Repeat one character or a list like [ab] instead`,
				);
			}
			return pattern;
		});
}

function wrong(message: string): ServiceFailure {
	return refusedInput(`"Ignore Lines Matching" ${message}.`);
}

function asPattern(text: string): RegExp | undefined {
	try {
		return new RegExp(text, 'iu');
	} catch {
		return undefined;
	}
}

/** An escaped character, a list, a group's beginning or end, a choice, or how often: `{3}` and `{1,3}`, too. */
const PARTS = /\\.|\[(?:\\.|[^\]\\])*\]|\(\?<?[=!:]|\(\?<\w+>|\(|\)|\||[*+?]|\{(\d+)(,?)(\d*)\}/gu;

/**
 * Whether a group is repeated in which something is repeated or chosen: a text can be matched by such a
 * pattern in so many ways that trying them all takes years.
 */
function repeatsWhatVaries(pattern: string): boolean {
	const parts = [...pattern.matchAll(PARTS)];
	/** Of the pattern and of each group that is open: whether something varies in it. */
	const open: boolean[] = [false];
	const vary = (): void => {
		open[open.length - 1] = true;
	};
	for (const [index, [part]] of parts.entries()) {
		if (part.startsWith('(')) open.push(false);
		else if (part === ')') {
			const varies = open.pop() === true;
			const next = parts[index + 1];
			const follows = next !== undefined && next.index === (parts[index]?.index ?? 0) + 1;
			if (varies && follows && isRepetition(next[0])) return true;
			if (varies) vary();
		} else if (part === '|' || isRepetition(part) || part === '?') {
			if (!/^\{\d+\}$/u.test(part)) vary();
		}
	}
	return false;
}

/** Whether it lets something stand more than once. */
function isRepetition(part: string): boolean {
	return (
		part === '*' || part === '+' || (part.startsWith('{') && !/^\{[01](,[01])?\}$/u.test(part))
	);
}
