import { trimEnds } from '../../text/ends';
import { formsIn } from './figureForms';
import type { FormedFigure, FormedText } from './figureForms';

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
	/** Directly before it: less or more than, or a minus; empty for none. */
	sign: string;
	/** The word behind it, which may be a scale in a language that is not known here. */
	word: string;
}

/** Words and signs that are certain: what they say is computed. Others are left to the model that judges. */
const SCALES: Array<[RegExp, number]> = [
	[/^\s?(?:[万萬][亿億]|[兆조])/u, 1e12],
	[/^\s?(?:lakh crores?)(?!\p{L})/iu, 1e12],
	[/^\s?(?:thousand|mil|tausend|mille)\s(?:millions?|millones|milh[oõ]es|milioni|millionen)(?!\p{L})/iu, 1e9],
	[/^\s?百[万萬]/u, 1e6],
	[/^\s?千[万萬]/u, 1e7],
	[/^\s?[万萬만]/u, 1e4],
	[/^\s?[亿億억]/u, 1e8],
	[/^\s?[千천]/u, 1e3],
	[/^\s?(?:lakhs?|lacs?|लाख)(?!\p{L})/iu, 1e5],
	[/^\s?(?:crores?|करोड़)(?!\p{L})/iu, 1e7],
	[/^\s?(?:tys|тыс|тисяч|ألف|آلاف|אלף)\.?(?!\p{L})/iu, 1e3],
	[/^\s?(?:млн|миллион(?:а|ов)?|мільйон(?:а|ів)?|مليون|מיליון)\.?(?!\p{L})/iu, 1e6],
	[/^\s?(?:mld|млрд|миллиард(?:а|ов)?|مليار|מיליארד)\.?(?!\p{L})/iu, 1e9],
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

const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

const ORDINALS = 'zeroth first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');

const FIGURE =
	/\d+(?:(?:[.,'\u2019]|(?<=(?<![\d.,])\d{1,3}(?:[ \u00a0\u202f]\d{3})*)[ \u00a0\u202f](?=\d{3}(?!\d)))\d+)*/g;

/** A date in digits, whose parts are figures of their own. */
const DATE = /\b(\d{1,2})([./])(\d{1,2})\2 ?(\d{4})\b/g;

/** Numbers up to here are often written as words, in languages that are not known here. */
const LARGEST_WORD = 100;

/** The factors of words for scales, in any language: thousands, and 万, lakh, crore, 亿. */
const POWERS = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e12];

/** What is left open of the figures of a statement beside its passage. */
export interface FigureComparison {
	/** Figures that the passage says otherwise, or does not say. */
	different: string[];
	/** Figures of which code cannot tell whether the passage says them: it may do so in words. */
	unclear: string[];
}

/**
 * The figures of a statement beside its passage, as a reader would write them; `context` may hold them, too. What digits
 * do not say is no judgement of this: months, words for numbers and scales of other languages are left to the model that
 * judges. "1,400", "1.400" and "1400" are one, so are "€" and "EUR", "%" and "percent", 1.2万 and 12,000, 15:00 and 3 pm,
 * '70s and 1970s. A small number may be a word in the passage, unless a figure of the passage is left that the statement
 * does not have. The digits of names hold nothing else.
 */
export function compareFigures(
	statement: string,
	passage: readonly string[],
	context: readonly string[] = [],
): FigureComparison {
	const own = formsIn(withoutMonths(statement));
	const [inPassage, inContext] = [passage, context].map((texts) => texts.map((text) => formsIn(asciiDigits(text))));
	const plainOf = (texts: readonly FormedText[] = []) => texts.map(({ rest }) => rest);
	const formsOf = (texts: readonly FormedText[] = []) => texts.flatMap(({ forms }) => forms);
	const heldIn = (texts: readonly string[]) =>
		texts.flatMap((text) => [...figuresIn(text), ...wordsIn(text), ...hanNumbersIn(text, false)]);
	const forms = [...formsOf(inPassage), ...formsOf(inContext)];
	const named = forms.filter((form) => isNamedIn(own.rest, form)).flatMap(({ digits }) => figuresIn(digits));
	const inOwn = [...heldIn(plainOf(inPassage)), ...named];
	const held = [...inOwn, ...heldIn(plainOf(inContext))];
	const said = [...figuresIn(own.rest), ...hanNumbersIn(own.rest, true)];
	// Of the words of a passage, "one" and "second" are not always numbers.
	const certain = (text: string) => [
		...figuresIn(text),
		...hanNumbersIn(text, true),
		...wordsIn(text).filter(({ readings: [value] }) => Number(value) > 2),
	];
	const isLeft = (one: Figure) => !said.some((figure) => isHeld(figure, [one]));
	const isWordFree = !plainOf(inPassage).flatMap(certain).some(isLeft);
	const missing = said.filter((figure) => !isHeld(figure, held));
	const mayBeSaid = (figure: Figure) => {
		const {
			readings: [value = ''],
			unit,
			scale,
		} = figure;
		const mayBeWord = unit === '' && scale === 1 && /^\d+$/.test(value) && Number(value) <= LARGEST_WORD;
		// Digits that the passage has in another form, such as a name, may be meant all the same.
		const isFormed = forms.some(({ digits }) => isHeld(figure, figuresIn(digits)));
		// One of the two may have its sign in words.
		const isSigned = held.some((one) => (one.sign === '') !== (figure.sign === '') && isSameAmount(figure, one));
		return isFormed || isSigned || (isWordFree && mayBeWord) || held.some((one) => mayBeScaled(figure, one));
	};
	// The question may name a figure that its page does not confirm: it asks for 500 users, and the page says 450 users.
	const isOnlyAsked = (figure: Figure) =>
		isHeld(figure, held) && !isHeld(figure, inOwn) && inOwn.some((other) => isOfOneUnit(figure, other));
	const shown = ({ readings, unit }: Figure) => `${readings[0] ?? ''}${unit === '%' ? ' %' : unit}`;
	const open = own.forms.filter((form) => !isFormHeld(form, forms, held));
	const isSaidOtherwise = ({ subject }: FormedFigure) => forms.some((other) => other.subject === subject);
	return {
		different: [
			...open.filter(isSaidOtherwise).map(({ text }) => text.trim()),
			...missing.filter((figure) => !mayBeSaid(figure)).map(shown),
		],
		unclear: [
			...open.filter((form) => !isSaidOtherwise(form)).map(({ text }) => text.trim()),
			...missing.filter(mayBeSaid).map(shown),
			...said.filter(isOnlyAsked).map(shown),
		],
	};
}

/** Whether two figures are of one unit, as far as signs and the word behind them show it. */
function isOfOneUnit(one: Figure, other: Figure): boolean {
	if (one.unit !== '' || other.unit !== '') return one.unit === other.unit;
	return one.word.length > 2 && one.word === other.word;
}

/** The figures that are different. */
export function missingFigures(
	statement: string,
	passage: readonly string[],
	context: readonly string[] = [],
): string[] {
	return compareFigures(statement, passage, context).different;
}

/** Whether a text holds a figure of a form: as such, or where nothing of its kind says otherwise, in plain digits. */
function isFormHeld(form: FormedFigure, others: readonly FormedFigure[], held: readonly Figure[]): boolean {
	if (others.some(({ keys }) => keys.some((key) => form.keys.includes(key)))) return true;
	if (form.digits === '' || others.some(({ subject }) => subject === form.subject)) return false;
	return figuresIn(form.digits).every((figure) => isHeld(figure, held));
}

/** Whether the digits of a form may stand in a text without it: a name with a space in it, a time as 23.45. */
function isNamedIn(text: string, { subject, digits }: FormedFigure): boolean {
	if (digits === '' || subject === 'decade') return false;
	const [, letters] = /^name (.+)$/u.exec(subject) ?? [];
	return letters === undefined || text.toLowerCase().includes(`${letters} ${digits}`);
}

/** With one digit alone, such as that of a date, most thousands would be some other number's. */
const LEAST_DIGITS = 2;

/** Whether one of two figures may be the other by a scale in a word that is not known here. */
function mayBeScaled(one: Figure, other: Figure): boolean {
	const digits = trimEnds(one.readings[0]?.replace(/\D/g, '') ?? '', /0/);
	if (digits.length < LEAST_DIGITS) return false;
	if (one.unit !== '' && other.unit !== '' && one.unit !== other.unit) return false;
	if (one.word === other.word) return false;
	const values = (figure: Figure) => figure.readings.map((reading) => Number(scaled(reading, figure.scale)));
	const isScaled = (small: Figure, large: Figure) =>
		small.word !== '' &&
		small.scale === 1 &&
		values(small).some((from) =>
			values(large).some((to) => POWERS.some((power) => scaled(String(from), power) === String(to))),
		);
	return isScaled(one, other) || isScaled(other, one);
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
	return said.sign === held.sign && isSameAmount(said, held);
}

function isSameAmount(said: Figure, held: Figure): boolean {
	// If only one of them shows a unit, the figure alone decides, and the model the rest.
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
	const plain = asciiDigits(text).replace(COMPOUND, compoundValue).replace(DATE, '$1 / $3 / $4');
	return [...plain.matchAll(FIGURE)].map((match) => {
		const [token] = match;
		const before = plain.slice(Math.max(0, match.index - 5), match.index);
		const after = plain.slice(match.index + token.length, match.index + token.length + 24);
		const scale = SCALES.find(([pattern]) => pattern.test(after));
		const behind = scale ? after.replace(scale[0], '').replace(/^\.(?=\s)/, '') : after;
		const currency = CURRENCIES.find(([, ahead, following]) => ahead.test(before) || following.test(behind));
		// `80 m` is 80 million or 80 metres: what a letter means is left open.
		const isLetter = /^\s?[mkb](?!\p{L})/iu.test(after);
		const [, word = ''] = /^\s?([\p{L}\p{M}]+)/u.exec(behind) ?? [];
		return {
			readings: readingsOf(token),
			sign: signBefore(before),
			word: word.toLowerCase(),
			parts: /\d\s[1-9]/.test(token) ? token.split(/\s/).map((part) => scaled(part, 1)) : [],
			unit: PERCENT.test(after) ? '%' : (currency?.[0] ?? ''),
			scale: isLetter && !currency ? 1 : (scale?.[1] ?? 1),
		};
	});
}

/** More than 5 is not 5. A hyphen is a minus where nothing stands before it. */
function signBefore(before: string): string {
	const [, bound] = /([<>\u2264\u2265])\s?$/.exec(before) ?? [];
	if (bound !== undefined) return bound === '<' || bound === '\u2264' ? '<' : '>';
	return /(?:^|[\s(])[-\u2212]$/.test(before) ? '-' : '';
}

function plainFigure(value: number): Figure {
	return { readings: [String(value)], sign: '', parts: [], unit: '', scale: 1, word: '' };
}

/** English words for small numbers, half a million and dozens, which hold the figure of a statement. */
function wordsIn(text: string): Figure[] {
	const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
	return words.flatMap((word, index) => {
		if (word === 'dozen') {
			const count = WORDS.indexOf(words[index - 1] ?? '');
			return [plainFigure(12 * Math.max(1, count))];
		}
		const isHalf = words[index - 2] === 'half' && words[index - 1] === 'a';
		if (isHalf && (word === 'million' || word === 'billion')) return [plainFigure(word === 'million' ? 5e5 : 5e8)];
		const value = Math.max(WORDS.indexOf(word), ORDINALS.indexOf(word));
		const tens = (TENS.indexOf(words[index - 1] ?? '') + 2) * 10;
		const own = TENS.includes(word) ? (TENS.indexOf(word) + 2) * 10 : value;
		if (own === -1) return [];
		return [plainFigure(own), ...(tens > 10 && value > 0 && value < 10 ? [plainFigure(tens + value)] : [])];
	});
}

const HAN_DIGITS = '〇一二三四五六七八九';
const HAN_POWERS: Record<string, number> = { 十: 10, 百: 100, 千: 1000, 万: 1e4, 萬: 1e4, 亿: 1e8, 億: 1e8 };
const HAN_NUMBER = /[〇零一二三四五六七八九十百千万萬亿億两兩]+/g;

const COMPOUND_SCALES: Record<string, number> = { ...HAN_POWERS, 천: 1e3, 만: 1e4, 억: 1e8, 兆: 1e12, 조: 1e12 };
const COMPOUND_PART = /(\d[\d,]{0,9}(?:\.\d{1,6})?)\s?([千천万萬만亿億억兆조]{1,2})/gu;

/** Amounts of several scales, as East Asia writes them: 16萬8千, 3兆2000億, 5조 6천억. */
const COMPOUND = /(?:\d[\d,]{0,9}(?:\.\d{1,6})?\s?[千천万萬만亿億억兆조]{1,2}\s?){2,6}/gu;

/** The value of such an amount, where its scales get smaller; else as it is. */
function compoundValue(whole: string): string {
	let [sum, above] = [0, Infinity];
	for (const [, digits = '', signs = ''] of whole.matchAll(COMPOUND_PART)) {
		const scale = [...signs].reduce((product, sign) => product * (COMPOUND_SCALES[sign] ?? 1), 1);
		if (scale >= above) return whole;
		above = scale;
		sum += Number(digits.replaceAll(',', '')) * scale;
	}
	return `${String(Number(sum.toPrecision(12)))} `;
}

/**
 * Numbers in Chinese characters: digits in a row, as in 一九五二, or with their powers, as in 四百一十二. Where they are
 * asked for (`isSaid`), only what is certainly one: a single character may be a part of a word, two digits mean about.
 */
function hanNumbersIn(text: string, isSaid: boolean): Figure[] {
	return [...text.matchAll(HAN_NUMBER)].flatMap(([match]) => {
		const plain = match.replaceAll('零', '〇').replace(/[两兩]/g, '二');
		const isRow = [...plain].every((sign) => HAN_DIGITS.includes(sign));
		if (isRow) {
			if (isSaid && plain.length < 3) return [];
			return [plainFigure(Number([...plain].map((sign) => HAN_DIGITS.indexOf(sign)).join('')))];
		}
		const isNumber = HAN_DIGITS.includes(plain.charAt(0)) || plain.startsWith('十');
		return !isNumber || (isSaid && plain.length < 2) ? [] : [plainFigure(hanValue(plain))];
	});
}

function hanValue(text: string): number {
	let [whole, part, digit] = [0, 0, 0];
	for (const sign of text) {
		const power = HAN_POWERS[sign];
		if (power === undefined) digit = HAN_DIGITS.indexOf(sign);
		else if (power < 1e4) {
			part += Math.max(1, digit) * power;
			digit = 0;
		} else {
			whole = (whole + part + digit) * power;
			[part, digit] = [0, 0];
		}
	}
	return whole + part + digit;
}

/** The month of a date in digits may be a word in the passage: what is left of the date is compared. */
function withoutMonths(text: string): string {
	return asciiDigits(text)
		.replace(/(?<=\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::00)?(?:\.0{1,9})?(?:Z|[+-]\d\d:?\d\d)?/g, (_time, hours: string) =>
			hours === '00:00' ? '' : ` ${hours}`,
		)
		.replace(/\b(\d{4})([-./])(?:0?[1-9]|1[0-2])\2(0?[1-9]|[12]\d|3[01])\b/g, '$1 / $3')
		.replace(/\b((?:19|20)\d\d)(?:0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])\b/g, '$1 / $2')
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
export function asciiDigits(text: string): string {
	return text.normalize('NFKC').replace(/\p{Nd}/gu, (digit) => {
		if (digit <= '9') return digit;
		const code = digit.codePointAt(0) ?? 0;
		let zero = code;
		while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
		return String(code - zero);
	});
}
