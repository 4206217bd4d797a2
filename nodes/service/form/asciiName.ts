const LONGEST_STEM = 100;

/** Letters that no decomposition turns into plain ones. */
const PLAIN: Readonly<Record<string, string>> = {
	æ: 'ae',
	Æ: 'AE',
	ð: 'd',
	Đ: 'D',
	đ: 'd',
	ı: 'i',
	ł: 'l',
	Ł: 'L',
	ø: 'o',
	Ø: 'O',
	œ: 'oe',
	Œ: 'OE',
	ß: 'ss',
	þ: 'th',
};

/**
 * The name of a file as it can stand in a form: ASCII letters, digits, spaces and `._-()`, since the
 * service reads names byte by byte and others come back garbled (recording parse-36). `extension` is
 * without a dot, and is added where the name does not end in it. Never empty, never more than about 110
 * characters.
 */
export function asciiName(name: string, extension: string): string {
	const bare = name.replace(/^.*[/\\]/s, '');
	const ending = `.${extension}`;
	const hasEnding = bare.toLowerCase().endsWith(ending.toLowerCase());
	const stem = hasEnding ? bare.slice(0, -ending.length) : bare;
	const plain = stem
		.replace(/[^\0-\x7f]/g, (letter) => PLAIN[letter] ?? letter)
		.normalize('NFKD')
		.replace(/\p{Mark}/gu, '')
		.replace(/[^A-Za-z0-9 ._()-]+/gu, '_')
		.slice(0, LONGEST_STEM)
		.replace(/^[ .]+|[ .]+$/g, '');
	return `${/[A-Za-z0-9]/.test(plain) ? plain : 'file'}${ending.toLowerCase()}`;
}
