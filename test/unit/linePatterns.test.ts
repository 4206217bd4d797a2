import { expectLinear } from '../helpers/growth';
import { matchesOne, MAX_LINE_CHARACTERS, readLinePattern } from '../../nodes/text/linePatterns';

const patternOf = (source: string): RegExp => {
	const read = readLinePattern(source);
	if (!(read instanceof RegExp)) throw new Error(read.problem);
	return read;
};

it.each([
	['\\d+ (views|comments)', '1,234 Views', true],
	['^updated', 'Updated today', true],
	['^updated', 'It was updated', false],
	['(?:foo)+x', 'foofoox', true],
	['\\d{1,3}(,\\d{3})* likes', '1,234,567 likes', true],
	['\\d{1,2}\\.\\d{1,2}\\.\\d{2,4} \\d{1,2}:\\d{1,2}', 'on 1.12.2026 8:30', true],
	['(a)\\1', 'aa', true],
	['(ab){2}|c', 'abab', true],
	['[(a+)+]', '+', true],
	// What stands in a class is no repeat, behind an escaped bracket either.
	['(?:[\\]+*])+x', '+]*x', true],
	['\\(a+\\)+', '(aa)', true],
])('%s is found in %j: %s', (source, line, isFound) => {
	expect(matchesOne(line, [patternOf(source)])).toBe(isFound);
});

it.each([
	['(', 'is no regular expression'],
	['a{2,1}', 'is no regular expression'],
	['(a+)+', 'repeats a group with repeats or choices'],
	['((a|b)*c)*', 'repeats a group with repeats or choices'],
	['(?:x{2,})*$', 'repeats a group with repeats or choices'],
	['(\\w|\\d)*x', 'repeats a group with repeats or choices'],
	['(\\d?){30}\\d{30}x', 'repeats a group with repeats or choices'],
	['\\d.*\\d.*\\d.*\\d.*x', 'has more than 3 of * and +'],
	[`${'a?'.repeat(13)}b`, 'where four of ? count as one'],
	['x'.repeat(1001), 'is longer than 1000 characters'],
])('%s cannot be used', (source, problem) => {
	expect(readLinePattern(source)).toMatchObject({
		problem: expect.stringContaining(problem) as string,
	});
});

it.each(['.*\\d+.*ago', 'a*a*a*b', '^a*a*a*b', `${'a?'.repeat(12)}b`, '.*x{1,50}.*y{0,9}z'])(
	'%s takes no longer on a line that is longer',
	async (source) => {
		for (const sign of '1axy') {
			await expectLinear(250, (size) => matchesOne(sign.repeat(size), [patternOf(source)]));
		}
	},
);

it.each([
	['.*\\d+.*ago', 'posted 3 hours ago by somebody', true],
	['.*\\d+.*ago', `${'x'.repeat(200)} 3 hours ago`, false],
	['.*ago', `${'x'.repeat(900)} ago`, true],
	['\\d+ views.*', `${'x'.repeat(900)} 3 views of it`, true],
	['.*', 'anything', true],
	['.*|x', '', true],
])('%s on a line of its length: %#', (source, line, isFound) => {
	expect(matchesOne(line, [patternOf(source)])).toBe(isFound);
});

it('looks at the first characters of a line only', () => {
	const line = `${'x'.repeat(MAX_LINE_CHARACTERS)}views`;
	expect(matchesOne(line, [patternOf('views')])).toBe(false);
});
