import { parsePattern } from './patternSyntax';
import type { Edge, PatternNode } from './patternSyntax';

/** Most characters of a line that a pattern is tried on. */
export const MAX_LINE_CHARACTERS = 1000;

/** Most steps for one line: more than a hundred times what usual patterns take. */
const MAX_LINE_STEPS = 50_000;

/** Most steps for one text: some seconds in all. */
const MAX_TEXT_STEPS = 10_000_000;

/** Steps after which others in the process have their turn: some milliseconds. */
const STEPS_BETWEEN_PAUSES = 10_000;

/** Lets others in the process have their turn. */
export type Pause = () => Promise<void>;

/** A pattern that a user has written: however it is written, it cannot keep the process busy. */
export interface LinePattern {
	readonly source: string;
	readonly root: PatternNode;
}

/**
 * Reads a regular expression of JavaScript, upper and lower case alike, or says why it cannot be used:
 * "is no regular expression".
 */
export function readLinePattern(source: string): LinePattern | { problem: string } {
	const read = parsePattern(source);
	return 'problem' in read ? read : { source, root: read.root };
}

/**
 * Which of the lines have a match of one of the patterns in their first MAX_LINE_CHARACTERS characters. Steps
 * are counted, and after some of them `pause` is called; undefined where the patterns would take longer on the
 * lines than they may.
 */
export async function matchingLines(
	lines: readonly string[],
	patterns: readonly LinePattern[],
	pause: Pause,
): Promise<boolean[] | undefined> {
	if (patterns.length === 0) return lines.map(() => false);
	const matched: boolean[] = [];
	let steps = 0;
	let stepsAtPause = 0;
	for (const line of lines) {
		const search = new LineSearch(line);
		matched.push(patterns.some(({ root }) => search.finds(root)));
		steps += search.steps;
		if (search.isGivenUp || steps > MAX_TEXT_STEPS) return undefined;
		if (steps - stepsAtPause < STEPS_BETWEEN_PAUSES) continue;
		stepsAtPause = steps;
		await pause();
	}
	return matched;
}

/**
 * Looks for patterns in one line. A pattern is followed along all its ways at once, with a bit for each place
 * between two characters that it may have come to, so that no line can send it back and forth.
 */
class LineSearch {
	steps = 0;

	private readonly characters: string[];

	private readonly isWhole: boolean;

	/** A bit for each place: before each character, and after the last. */
	private readonly everywhere: bigint;

	private readonly masks = new Map<PatternNode | Edge, bigint>();

	constructor(line: string) {
		// A character of two halves counts once, and is not to be cut.
		const characters = Array.from(line.slice(0, 2 * MAX_LINE_CHARACTERS));
		this.characters = characters.slice(0, MAX_LINE_CHARACTERS);
		this.isWhole =
			line.length <= 2 * MAX_LINE_CHARACTERS && characters.length <= MAX_LINE_CHARACTERS;
		this.everywhere = (2n << BigInt(this.characters.length)) - 1n;
	}

	finds(root: PatternNode): boolean {
		return this.follow(root, this.everywhere, true) !== 0n;
	}

	/** True when a pattern took too long: then what it leads to was not followed to its end. */
	get isGivenUp(): boolean {
		return this.steps > MAX_LINE_STEPS;
	}

	/** The places that a part of a pattern leads to from these, to the right or to the left. */
	private follow(node: PatternNode, from: bigint, isForward: boolean): bigint {
		this.steps += 1;
		if (this.isGivenUp) return 0n;
		switch (node.kind) {
			case 'character': {
				const mask = this.maskOf(node, () => this.placesBefore(node.matches));
				return isForward ? (from & mask) << 1n : (from >> 1n) & mask;
			}
			case 'sequence': {
				const along = (places: bigint, part: PatternNode): bigint =>
					places === 0n ? places : this.follow(part, places, isForward);
				return isForward ? node.parts.reduce(along, from) : node.parts.reduceRight(along, from);
			}
			case 'choice':
				return node.options.reduce(
					(places, option) => places | this.follow(option, from, isForward),
					0n,
				);
			case 'repeat':
				return this.repeat(node, from, isForward);
			case 'edge':
				return from & this.maskOf(node.edge, () => this.edges(node.edge));
			case 'look': {
				const { part, isAhead, isNegated } = node;
				const seen = this.maskOf(node, () => this.follow(part, this.everywhere, !isAhead));
				return isNegated ? from & ~seen : from & seen;
			}
		}
	}

	private repeat(
		{ part, least, most }: Extract<PatternNode, { kind: 'repeat' }>,
		from: bigint,
		isForward: boolean,
	): bigint {
		let places = from;
		for (let count = 0; count < least && places !== 0n; count += 1) {
			const next = this.follow(part, places, isForward);
			// The same places again lead nowhere else.
			if (next === places) break;
			places = next;
		}
		let fresh = places;
		for (let count = least; count < most && fresh !== 0n; count += 1) {
			fresh = this.follow(part, fresh, isForward) & ~places;
			places |= fresh;
		}
		return places;
	}

	private placesBefore(matches: (character: string) => boolean): bigint {
		return this.places((_previous, next) => next !== undefined && matches(next));
	}

	private edges(edge: Edge): bigint {
		return this.places((previous, next) => {
			if (edge === 'start') return previous === undefined;
			// Where the line was cut is not its end.
			if (edge === 'end') return next === undefined && this.isWhole;
			return (isWord(previous) !== isWord(next)) === (edge === 'word');
		});
	}

	private places(isOne: (previous?: string, next?: string) => boolean): bigint {
		const { characters } = this;
		this.steps += characters.length / 10;
		let bits = '';
		for (let place = characters.length; place >= 0; place -= 1) {
			bits += isOne(characters[place - 1], characters[place]) ? '1' : '0';
		}
		return BigInt(`0b${bits}`);
	}

	private maskOf(key: PatternNode | Edge, make: () => bigint): bigint {
		const known = this.masks.get(key);
		if (known !== undefined) return known;
		const mask = make();
		this.masks.set(key, mask);
		return mask;
	}
}

function isWord(character: string | undefined): boolean {
	return character !== undefined && /^\w$/iu.test(character);
}
