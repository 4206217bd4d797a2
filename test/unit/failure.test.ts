import { mistakeIn, reasonOf, refusedInput } from '../../nodes/service/http/failure';

it('refused input is known not to have been sent, and says so', () => {
	const { kind, mayHaveExecuted, message } = refusedInput('"URL" must be an address.');
	expect({ kind, mayHaveExecuted, message }).toStrictEqual({
		kind: 'badInput',
		mayHaveExecuted: false,
		message: '"URL" must be an address. Nothing was sent.',
	});
});

describe('a mistake in the code', () => {
	const mistake = new TypeError('x is undefined');

	it.each([
		['is told by its name', mistake],
		['is found behind what it was thrown for', new Error('wrapped', { cause: mistake })],
		['is found in an object of another realm', { name: 'TypeError', message: 'x is undefined' }],
	])('%s', (_what, error) => {
		expect(mistakeIn(error)?.message).toBe('x is undefined');
		expect(reasonOf(error)).toBe('TypeError: x is undefined.');
	});

	it('is nothing else that may be thrown', () => {
		const circular: Error = new Error('Gone');
		circular.cause = circular;
		for (const thrown of [new Error('Gone'), circular, refusedInput('Gone.'), 'Gone', null, 5]) {
			expect(mistakeIn(thrown)).toBeUndefined();
		}
	});
});

it('a reason is a sentence, in the words of what was thrown', () => {
	expect(reasonOf(refusedInput('No.'))).toBe('No. Nothing was sent.');
	expect(reasonOf(new Error('The disk is full'))).toBe('The disk is full.');
	expect([reasonOf('text'), reasonOf(undefined)]).toEqual(['text.', 'undefined.']);
});
