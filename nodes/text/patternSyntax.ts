/** A regular expression as a tree of what it asks for. */
export type PatternNode =
	| { kind: 'character'; matches(character: string): boolean }
	| { kind: 'sequence'; parts: PatternNode[] }
	| { kind: 'choice'; options: PatternNode[] }
	| { kind: 'repeat'; part: PatternNode; least: number; most: number }
	| { kind: 'edge'; edge: Edge }
	| { kind: 'look'; part: PatternNode; isAhead: boolean; isNegated: boolean };

/** A place between two characters. */
export type Edge = 'start' | 'end' | 'word' | 'notWord';

/** What a token of the text begins or is. */
const TOKEN = new RegExp(
	[
		'(?<quantifier>[*+?]\\??|\\{\\d+(?:,\\d*)?\\}\\??)',
		'(?<look>\\(\\?<?[=!])',
		'(?<group>\\((?:\\?:|\\?<[^>]*>)?(?!\\?))',
		'(?<flags>\\(\\?)',
		'(?<end>\\))',
		'(?<or>\\|)',
		'(?<edge>\\^|\\$|\\\\[bB])',
		'(?<backReference>\\\\[1-9k])',
		// One character, or a list of them: two escapes may be the halves of one.
		'(?<character>\\\\u[dD][89abAB][\\da-fA-F]{2}\\\\u[dD][c-fC-F][\\da-fA-F]{2}|\\\\u\\{[\\da-fA-F]+\\}|\\\\u[\\da-fA-F]{4}|\\\\x[\\da-fA-F]{2}|\\\\c[a-zA-Z]|\\\\[pP]\\{[^}]*\\}|\\\\.|\\[(?:\\\\.|[^\\]\\\\])*\\]|.)',
	].join('|'),
	'suy',
);

const EDGES: Record<string, Edge> = { '^': 'start', $: 'end', '\\b': 'word', '\\B': 'notWord' };

/** How the characters of a pattern are compared: by code points, upper and lower case alike. */
export const PATTERN_FLAGS = 'iu';

/** Groups may stand in groups, and each takes its place on the stack. */
const MAX_PATTERN_CHARACTERS = 1000;

/** What a text holds: a pattern, or why it is none that can be used. */
export type ReadPattern = { root: PatternNode } | { problem: string };

/**
 * Reads a regular expression of JavaScript (flags `iu`). A problem is given for a text that is none, and for
 * a back reference or flags inside a group, which need another way of matching; it goes on after "the pattern".
 */
export function parsePattern(text: string): ReadPattern {
	if (text.length > MAX_PATTERN_CHARACTERS) {
		return { problem: `is longer than ${MAX_PATTERN_CHARACTERS} characters` };
	}
	if (!isRegularExpression(text)) return { problem: 'is no regular expression' };
	const parser = new PatternParser(text);
	const root = parser.read();
	return parser.problem === undefined ? { root } : { problem: parser.problem };
}

function isRegularExpression(text: string): boolean {
	try {
		return new RegExp(text, PATTERN_FLAGS).flags !== '';
	} catch {
		return false;
	}
}

/** Reads a text that is known to be a regular expression, from left to right. */
class PatternParser {
	/** What it holds that cannot be followed. */
	problem: string | undefined;

	private at = 0;

	constructor(private readonly text: string) {}

	/** Up to the end of the group that is open, or of the text. */
	read(): PatternNode {
		const options: PatternNode[][] = [[]];
		for (let token = this.next(); token && token.end === undefined; token = this.next()) {
			const parts = options.at(-1) ?? [];
			const { or, quantifier } = token;
			if (or !== undefined) options.push([]);
			else if (quantifier !== undefined) repeatLast(parts, quantifier);
			else parts.push(this.nodeOf(token));
		}
		const sequences = options.map((parts): PatternNode => ({ kind: 'sequence', parts }));
		return sequences.length === 1 && sequences[0]
			? sequences[0]
			: { kind: 'choice', options: sequences };
	}

	private next(): Record<string, string | undefined> | undefined {
		TOKEN.lastIndex = this.at;
		const match = TOKEN.exec(this.text);
		this.at += match?.[0].length ?? 0;
		return match?.groups;
	}

	private nodeOf({ look, group, flags, edge, backReference, character = '' }: Token): PatternNode {
		if (look !== undefined) {
			const part = this.read();
			return { kind: 'look', part, isAhead: !look.includes('<'), isNegated: look.endsWith('!') };
		}
		if (group !== undefined) return this.read();
		if (flags !== undefined) return this.unusable('has flags inside a group');
		if (backReference !== undefined) return this.unusable('refers back to a group');
		if (edge !== undefined) return { kind: 'edge', edge: EDGES[edge] ?? 'start' };
		return { kind: 'character', matches: characterTest(character) };
	}

	private unusable(problem: string): PatternNode {
		this.problem ??= problem;
		return { kind: 'sequence', parts: [] };
	}
}

type Token = Record<string, string | undefined>;

function repeatLast(parts: PatternNode[], quantifier: string): void {
	const part = parts.pop();
	if (!part) return;
	parts.push({ kind: 'repeat', part, ...boundsOf(quantifier.replace(/(?<=.)\?$/, '')) });
}

function boundsOf(quantifier: string): { least: number; most: number } {
	if (quantifier === '*') return { least: 0, most: Infinity };
	if (quantifier === '+') return { least: 1, most: Infinity };
	if (quantifier === '?') return { least: 0, most: 1 };
	const [least = '', most] = quantifier.slice(1, -1).split(',');
	if (most === undefined) return { least: Number(least), most: Number(least) };
	return { least: Number(least), most: most === '' ? Infinity : Number(most) };
}

/** Whether one character is meant, as JavaScript itself says: classes, escapes and letter case are its own. */
function characterTest(source: string): (character: string) => boolean {
	const pattern = new RegExp(`^(?:${source})$`, PATTERN_FLAGS);
	const known = new Map<string, boolean>();
	return (character) => {
		const before = known.get(character);
		if (before !== undefined) return before;
		const matches = pattern.test(character);
		if (known.size < MAX_REMEMBERED) known.set(character, matches);
		return matches;
	};
}

/** Most characters whose answer is remembered for each part of a pattern. */
const MAX_REMEMBERED = 2000;
