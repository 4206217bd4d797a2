import fc from 'fast-check';

import { firstSentence, shorten } from '../../nodes/service/http/failure';
import { isOneLine } from './caught.ts';

it('leaves a text alone that is short enough, but for the blanks around it', () => {
	expect(shorten(' one two ', 7)).toBe('one two');
});

it('cuts at the last blank, and leaves none before the dots', () => {
	expect(shorten('one  two three', 5)).toBe('one…');
	expect(shorten('one two three', 10)).toBe('one two…');
});

it('cuts behind a sentence where that leaves half of what there is room for', () => {
	expect(shorten('It broke. It is old. Buy another one.', 30)).toBe('It broke. It is old. …');
	expect(shorten('Oh. It broke and it is very old by now.', 30)).toBe('Oh. It broke and it is very…');
	expect(shorten('It broke at 1.5 of 2.5 and then it did more.', 30)).toBe('It broke at 1.5 of 2.5 and…');
});

it('cuts in a word when the last blank is 60 letters away, and not when it is 59', () => {
	const word = (letters: number) => 'x'.repeat(letters);
	expect(shorten(`${word(40)} ${word(200)}`, 100)).toBe(`${word(40)} ${word(59)}…`);
	expect(shorten(`${word(41)} ${word(200)}`, 100)).toBe(`${word(41)}…`);
});

it('cuts no character in two', () => {
	expect(shorten('abc😀def', 4)).toBe('abc…');
	expect(shorten('abc😀def', 5)).toBe('abc😀…');
});

it('makes one line of anything, no longer than it may be', () => {
	const anything = fc.oneof(fc.string({ unit: 'binary' }), fc.lorem({ maxCount: 60 }));
	fc.assert(
		fc.property(anything, fc.integer({ min: 1, max: 200 }), (text, most) => {
			const short = shorten(text, most);
			expect(isOneLine(short)).toBe(true);
			expect(short.length).toBeLessThanOrEqual(most + 1);
			expect(short).toBe(short.trim());
		}),
	);
});

it.each([
	['It broke. Try again.', 'It broke'],
	[' It broke! Try again.', 'It broke'],
	['Is it broken? Try again.', 'Is it broken?'],
	['It broke', 'It broke'],
	['It broke...  ', 'It broke'],
	['Version 1.5 is old. Yes', 'Version 1.5 is old'],
	['It broke.\nLine two. Line three.', 'It broke'],
	['Line one\nline two. Line three', 'Line one line two'],
	['', ''],
])('takes of %j the first sentence', (text, sentence) => {
	expect(firstSentence(text, 80)).toBe(sentence);
});

it('shortens a first sentence that is long', () => {
	expect(firstSentence('One two three four. Five.', 9)).toBe('One two…');
});
