/** A number in a text, as far as digits say it. */
interface Figure {
	/** All that it can mean: `1.200` is 1200 here and 1.2 there; `12 345` is one number or two. */
	readings: string[];
	/** Two numbers that it may be instead. */
	parts: string[];
	/** `%` or the sign of a currency; empty: none that is known. */
	unit: string;
	/** By what a word behind it multiplies it; 1 where no known word does. */
	scale: number;
}

const SCALES: Array<[RegExp, number]> = [
	[/^\s?(?:hundred|hundert)(?!\p{L})/iu, 1e2],
	[/^\s?(?:thousand|tausend|tsd|mille|mil|k)(?!\p{L})/iu, 1e3],
	[/^\s?(?:millions?|millionen|mio|mln|millones|mill[oó]n|milioni|m|mn)(?!\p{L})/iu, 1e6],
	[/^\s?(?:billions?|bn|b|milliarden?|milliards?|mrd|miliardi)(?!\p{L})/iu, 1e9],
	[/^\s?(?:trillions?|tn|billionen|bio)(?!\p{L})/iu, 1e12],
];

const PERCENT = /^\s?(?:%|percent|per cent|pct|prozent|pour cent|por ciento|per cento|procent)(?!\p{L})/iu;

const CURRENCIES: Array<[string, RegExp, RegExp]> = [
	['$', /(?:\$|\bUSD?)\s?$/i, /^\s?(?:\$|USD?\b|dollars?\b)/i],
	['€', /(?:€|\bEUR)\s?$/i, /^\s?(?:€|EUR\b|euros?\b)/i],
	['£', /(?:£|\bGBP)\s?$/i, /^\s?(?:£|GBP\b|pounds?\b)/i],
	['¥', /(?:¥|\bJPY)\s?$/i, /^\s?(?:¥|JPY\b|yen\b)/i],
];

const WORDS =
	'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
		' ',
	);

const ORDINALS = 'zeroth first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');

const FIGURE =
	/\d+(?:(?:[.,'\u2019]|(?<=(?<![\d.,])\d{1,3}(?:[ \u00a0\u202f]\d{3})*)[ \u00a0\u202f](?=\d{3}(?!\d)))\d+)*/g;

/** A date in digits, whose parts are figures of their own. */
const DATE = /\b(\d{1,2})([./])(\d{1,2})\2 ?(\d{4})\b/g;

/** Numbers up to here are often written as words, in languages that are not known here. */
const LARGEST_WORD = 20;

/**
 * The figures of a statement that its passage does not hold, as a reader would write them. What digits do not say
 * is no judgement of this: months, words for numbers and scales of other languages are left to the model that
 * judges. "1,400", "1.400" and "1400" are one, so are "€" and "EUR", "%" and "percent".
 */
export function missingFigures(statement: string, passage: readonly string[]): string[] {
	const held = passage.flatMap((text) => [...figuresIn(text), ...wordsIn(text)]);
	const hasDigits = passage.some((text) => /\p{Nd}/u.test(text));
	return figuresIn(withoutMonths(statement))
		.filter((figure) => !isHeld(figure, held))
		.filter(({ readings: [value = ''], unit, scale }) => {
			const mayBeWord = unit === '' && scale === 1 && Number(value) <= LARGEST_WORD;
			return hasDigits || !mayBeWord;
		})
		.map(({ readings, unit }) => `${readings[0] ?? ''}${unit === '%' ? ' %' : unit}`);
}

function isHeld(said: Figure, held: readonly Figure[]): boolean {
	if (held.some((one) => isSame(said, one))) return true;
	if (said.parts.length === 0) return false;
	// Each number of the passage stands for one: `266 266` is not held by `266 267`.
	const left = held.flatMap(({ readings, parts }) => [...readings, ...parts]);
	return said.parts.every((part) => {
		const at = left.indexOf(part);
		if (at !== -1) left.splice(at, 1);
		return at !== -1;
	});
}

function isSame(said: Figure, held: Figure): boolean {
	// Where only one of them shows a unit, the figure alone decides, and the model the rest.
	if (said.unit !== '' && held.unit !== '' && said.unit !== held.unit) return false;
	const values = (figure: Figure) => figure.readings.map((one) => scaled(one, figure.scale));
	if (values(said).some((one) => values(held).includes(one))) return true;
	// A scale in words that are not known shows on one side only.
	const isHalf = (said.scale === 1) !== (held.scale === 1);
	// `1,000` may be 1: that is no part of `1 001`.
	const plain = said.readings.length === 1 ? [...held.readings, ...held.parts] : held.readings;
	const isPlain = said.readings.some((one) => plain.includes(one));
	return isPlain && (said.scale === held.scale || (isHalf && held.scale === 1));
}

function figuresIn(text: string): Figure[] {
	const plain = asciiDigits(text).replace(DATE, '$1 / $3 / $4');
	return [...plain.matchAll(FIGURE)].map((match) => {
		const [token] = match;
		const before = plain.slice(Math.max(0, match.index - 5), match.index);
		const after = plain.slice(match.index + token.length, match.index + token.length + 24);
		const scale = SCALES.find(([pattern]) => pattern.test(after));
		const behind = scale ? after.replace(scale[0], '').replace(/^\.(?=\s)/, '') : after;
		const currency = CURRENCIES.find(([, ahead, following]) => ahead.test(before) || following.test(behind));
		// `80 m` is 80 million or 80 metres: what a letter means is left open.
		const isLetter = /^\s?[mkb](?!\p{L})/iu.test(after);
		return {
			readings: readingsOf(token),
			parts: /\d\s[1-9]/.test(token) ? token.split(/\s/).map((part) => scaled(part, 1)) : [],
			unit: PERCENT.test(after) ? '%' : (currency?.[0] ?? ''),
			scale: isLetter && !currency ? 1 : (scale?.[1] ?? 1),
		};
	});
}

/** English words for small numbers, which hold the figure of a statement. */
function wordsIn(text: string): Figure[] {
	return (text.toLowerCase().match(/[a-z]+/g) ?? []).flatMap((word) => {
		const value = Math.max(WORDS.indexOf(word), ORDINALS.indexOf(word));
		return value === -1 ? [] : [{ readings: [String(value)], parts: [], unit: '', scale: 1 }];
	});
}

/** The month of a date in digits may be a word in the passage: what is left of the date is compared. */
function withoutMonths(text: string): string {
	return asciiDigits(text)
		.replace(/\b(\d{4})-\d{1,2}-(\d{1,2})\b/g, '$1 / $2')
		.replace(/\b(\d{4})-(?:0[1-9]|1[0-2])\b/g, '$1')
		.replace(DATE, (_date, one: string, _sign, other: string, year: string) =>
			[one, other, year].filter((part) => Number(part) > 12).join(' / '),
		);
}

function scaled(reading: string, scale: number): string {
	const value = Number(reading) * scale;
	// Dotted versions, times and very long numbers are compared as they are written.
	if (Number.isNaN(value) || reading.length > 15) return reading;
	return String(Number(value.toPrecision(12)));
}

function readingsOf(token: string): string[] {
	const parts = token.split(/[^\d]/);
	if (parts.length === 1) return [scaled(token, 1)];
	const [first = '', ...rest] = parts;
	const isGrouped = first.length <= 3 && rest.every((part) => part.length === 3);
	const whole = parts.join('');
	if (rest.length === 1 && /[.,]/.test(token)) {
		const decimal = scaled(`${first}.${rest[0] ?? ''}`, 1);
		return isGrouped ? [scaled(whole, 1), decimal] : [decimal];
	}
	if (isGrouped) return [scaled(whole, 1)];
	const last = rest.at(-1) ?? '';
	const groups = rest.slice(0, -1);
	const decimalMark = token[token.length - last.length - 1];
	const groupMarks = token.slice(0, token.length - last.length - 1).replace(/\d/g, '');
	const isDecimal = !groupMarks.includes(decimalMark ?? '') && groups.every((g) => g.length === 3);
	return [isDecimal ? scaled(`${first}${groups.join('')}.${last}`, 1) : parts.join('.')];
}

/** Digits of all scripts as 0 to 9. */
function asciiDigits(text: string): string {
	return text.normalize('NFKC').replace(/\p{Nd}/gu, (digit) => {
		if (digit <= '9') return digit;
		const code = digit.codePointAt(0) ?? 0;
		let zero = code;
		while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
		return String(code - zero);
	});
}
