import fc from 'fast-check';

import { matchingLines, MAX_LINE_CHARACTERS, readLinePattern } from '../../nodes/text/linePatterns';
import type { LinePattern } from '../../nodes/text/linePatterns';

const noPause = async (): Promise<void> => await Promise.resolve();
const patternOf = (source: string): LinePattern => {
	const read = readLinePattern(source);
	if ('problem' in read) throw new Error(read.problem);
	return read;
};
const matches = async (source: string, line: string): Promise<boolean> =>
	(await matchingLines([line], [patternOf(source)], noPause))?.[0] === true;

/** What a catastrophic pattern is made of, and what usual ones are. */
const atom = fc.constantFrom(
	...[
		'a',
		'b',
		'ß',
		'.',
		'\\d',
		'\\w',
		'[ab]',
		'[^a]',
		'[a-c\\d]',
		'\\u{1F600}',
		'\\p{L}',
		'\\x41',
	],
);
const edge = fc.constantFrom('^', '$', '\\b', '\\B');
const quantifier = fc.constantFrom(
	'*',
	'+',
	'?',
	'*?',
	'+?',
	'??',
	'{2}',
	'{0,2}',
	'{1,}',
	'{2,3}?',
);
const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
	pattern: fc.oneof(
		{ depthSize: 'small', withCrossShrink: true },
		atom,
		edge,
		fc.tuple(atom, quantifier).map(([one, times]) => one + times),
		fc.tuple(tie('pattern'), quantifier).map(([one, times]) => `(?:${one})${times}`),
		fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('')),
		fc.tuple(tie('pattern'), tie('pattern')).map((parts) => `(${parts.join('|')})`),
		fc
			.tuple(fc.constantFrom('?=', '?!', '?<=', '?<!'), tie('pattern'))
			.map(([look, one]) => `(${look}${one})`),
		tie('pattern').map((one) => `(?<name>${one})`),
	),
}));
const line = fc
	.array(fc.constantFrom('a', 'b', 'A', 'c', '1', ' ', 'ß', 'ẞ', '\u{1F600}', '\ud83d', '\u017f'), {
		maxLength: 12,
	})
	.map((characters) => characters.join(''));

/** Whether JavaScript finds a match that begins between two characters: V8 also looks between halves of one. */
function native(source: string, text: string): boolean | undefined {
	try {
		const pattern = new RegExp(source, 'iuy');
		const characters = Array.from(text);
		return [...characters.keys(), characters.length].some((at) => {
			pattern.lastIndex = characters.slice(0, at).join('').length;
			return pattern.test(text);
		});
	} catch {
		return undefined;
	}
}

describe('patterns of a user', () => {
	it('match what JavaScript matches', async () => {
		await fc.assert(
			fc.asyncProperty(pattern, line, async (source, text) => {
				const expected = native(source, text);
				fc.pre(expected !== undefined);
				expect(await matches(source, text)).toBe(expected);
			}),
			{ numRuns: 3000 },
		);
	});

	it.each([
		['\\d+ (views|comments)', '12 Views', true],
		['^Updated: \\d{4}-\\d\\d-\\d\\d$', 'updated: 2026-11-20', true],
		['^Updated: \\d{4}-\\d\\d-\\d\\d$', 'Not updated: 2026-11-20', false],
		['^(?!.*price).*$', 'Seen 5 times', true],
		['^(?!.*price).*$', 'The price is 5', false],
		['\\d{1,3}(,\\d{3})* likes', '1,234,567 likes', true],
		['\\bago\\b', 'an hour ago.', true],
		['\\bago\\b', 'Chicago', false],
		['\\uD83D\\uDE00', 'a \u{1F600}', true],
		['(?<=\\$)\\d', 'for $5', true],
	])('%s on "%s"', async (source, text, expected) => {
		expect(await matches(source, text)).toBe(expected);
	});

	it.each([
		['an open group', '(', 'is no regular expression'],
		['a back reference', '(a)\\1', 'refers back to a group'],
		['a named one', '(?<x>a)\\k<x>', 'refers back to a group'],
		['very much', 'a'.repeat(1001), 'is longer than 1000 characters'],
	])('%s is refused with the reason', (_name, source, problem) => {
		expect(readLinePattern(source)).toEqual({ problem });
	});

	it.each([
		'\\d+ (views|comments)',
		'(\\d+)+$',
		'(\\d|\\w)*x',
		'\\d*\\d*\\d*\\d*\\d*x',
		'(.*)(.*)(.*)(.*)[^\\d]',
		'(?:(?:\\d*)*)*x',
		'^(\\d?){300}\\d{300}x$',
		'(?=(\\d+)+x)',
		'(?<=x(\\d+)+)',
	])('%s takes no longer on a line of digits, however long', async (source) => {
		const lines = Array.from({ length: 20 }, () => '7'.repeat(200_000));
		// One that is tried at every digit anew would not end.
		expect(await matchingLines(lines, [patternOf(source)], noPause)).toBeDefined();
	});

	it('see so many characters of a line, and where it was cut is not its end', async () => {
		const long = 'x'.repeat(MAX_LINE_CHARACTERS);
		expect(await matches('x$', long)).toBe(true);
		expect(await matches('y$', `${long}y`)).toBe(false);
		expect(await matches('x$', `${long}y`)).toBe(false);
		expect(await matches('\u{1F600}$', '\u{1F600}'.repeat(MAX_LINE_CHARACTERS))).toBe(true);
	});

	it('others have their turn while a long text is searched', async () => {
		let pauses = 0;
		const lines = Array.from({ length: 20_000 }, (_, at) => `Line ${at} of a long page`);
		const found = await matchingLines(
			lines,
			[patternOf('^line \\d*7 of'), patternOf('\\d+ (views|comments)')],
			async () => {
				pauses += 1;
			},
		);
		expect(found?.filter(Boolean)).toHaveLength(2000);
		expect(pauses).toBeGreaterThan(20);
	});

	it('give up on a text that would take too long', async () => {
		const lines = Array.from({ length: 20_000 }, () => 'ab'.repeat(500));
		const pattern = patternOf('^((ab)*(ba)?)*c');
		expect(await matchingLines(lines, [pattern], noPause)).toBeUndefined();
	}, 60_000);
});
