import fc from 'fast-check';

import { Secrets } from '../../nodes/service/secrets/secrets';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const urlSafe = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_');

it('hides a key whole that is written as an address, in either case of its letters', () => {
	const secrets = new Secrets('key/with+signs=');
	expect(secrets.inText('x key%2Fwith%2Bsigns%3D y')).toBe('x *** y');
	expect(secrets.inText('x key%2fwith%2bsigns%3d y')).toBe('x *** y');
});

it('leaves nothing of one spelling behind because another is a part of it', () => {
	expect(new Secrets('abcdefgh%').inText('x abcdefgh% abcdefgh%25 y')).toBe('x *** *** y');
	expect(new Secrets('abcdefgh"').inText('x abcdefgh\\" y')).toBe('x *** y');
});

it('hides a key with half a character as every address has it', () => {
	const secrets = new Secrets('abc\ud800defgh');
	expect(secrets.inText(`x ${encodeURIComponent('abc\ufffddefgh')} y`)).toBe('x *** y');
});

it('hides a key as JSON within JSON has it, without the marks around it', () => {
	expect(new Secrets('abc"def\\gh').inText('{"a":"Bearer abc\\"def\\\\gh"}')).toBe(
		'{"a":"Bearer ***"}',
	);
});

it('hides a key within a longer text in base64, wherever it begins, in both alphabets', () => {
	const key = fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 40 });
	const around = fc.string({ maxLength: 6 });
	fc.assert(
		fc.property(key, around, around, (typed, before, after) => {
			fc.pre(typed.trim().length >= 8);
			const text = base64(`${before}${typed.trim()}${after}`);
			const secrets = new Secrets(typed);
			expect(secrets.inText(text)).toContain('***');
			expect(secrets.inText(urlSafe(text))).toContain('***');
		}),
	);
	// Letters that differ between the alphabets.
	const secrets = new Secrets('>>>???>>>???');
	expect(secrets.inText(base64('>>>???>>>???'))).toBe('***');
	expect(secrets.inText(urlSafe(base64('>>>???>>>???')))).toBe('***');
});

it('hides a key that was typed with blanks around it', () => {
	expect(new Secrets(' abc\n').inMessage('No key "abc".')).toBe('No key "***".');
	expect(new Secrets(' fc-0123456789 ').inText('fc-0123456789')).toBe('***');
});

describe('an answer need not be checked text by text', () => {
	it('when the key is not in it and needs no escapes, or there is none', () => {
		expect(new Secrets('fc-0123456789').mayBeIn('{"a":"fc-012"}')).toBe(false);
		expect(new Secrets('').mayBeIn('{"a":"b"}')).toBe(false);
	});

	it('but when the key may be in it, written in whatever way', () => {
		const secrets = new Secrets('fc-0123456789');
		expect(secrets.mayBeIn('{"a":"fc-0123456789"}')).toBe(true);
		expect(secrets.mayBeIn('{"a":"\\u0066c-0123456789"}')).toBe(true);
		expect(new Secrets('fc-"0123456789').mayBeIn('{}')).toBe(true);
		expect(new Secrets('fc-/0123456789').mayBeIn('{}')).toBe(true);
	});
});
