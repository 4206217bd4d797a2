import { asciiDigits, datesApart, monthsIn, withoutMonthNames } from './months';
import { isSameUnit, measureOf } from './units';

/**
 * Figures and dates of texts, and whether one text holds those of another. "One", "two" and "third" are read
 * only in the text that must hold them: they are not always figures.
 */

interface Figure {
	/** All that the figure can mean: `1.200` is 1200 here and 1.2 there. */
	readings: string[];
	/** `%`, a sign of a currency or a measure; empty: none. */
	unit: string;
}

const SCALES: Array<[RegExp, number]> = [
	[/^\s?(?:hundred|hundert)(?!\p{L})/iu, 1e2],
	[/^\s?(?:thousand|tausend|tsd|mille|mil|k)(?!\p{L})/iu, 1e3],
	[/^\s?(?:millions?|millionen|mio|mln|millones|mill[oó]n|milioni|m|mn)(?!\p{L})/iu, 1e6],
	[/^\s?(?:billions?|bn|b|milliarden?|milliards?|mrd|miliardi)(?!\p{L})/iu, 1e9],
	[/^\s?(?:trillions?|tn|billionen|bio)(?!\p{L})/iu, 1e12],
];

const PERCENT =
	/^\s?(?:%|percent|per cent|pct|prozent|pour cent|por ciento|per cento|procent)(?!\p{L})/iu;

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
const ORDINALS = 'zeroth first second third fourth fifth sixth seventh eighth ninth tenth'.split(
	' ',
);
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const SPELLED = new RegExp(
	`(?<![\\p{L}-])(?:(${[...WORDS.slice(3), ...TENS.slice(1)].join('|')})(?![\\p{L}-])|(one|two|an?)(?=\\s(?:hundred|thousand|million|billion|trillion|percent|per cent)(?!\\p{L})))`,
	'giu',
);
const WORD = new RegExp(`(?<!\\p{L})(?:${[...WORDS, ...ORDINALS].join('|')})(?!\\p{L})`, 'giu');

/** Numbers that are written as words, as figures: `five million`, `seven`. */
function withoutNumberWords(text: string): string {
	return text.replace(SPELLED, (word: string) => {
		const name = word.toLowerCase();
		if (TENS.includes(name)) return String(10 * (TENS.indexOf(name) + 2));
		return String(WORDS.includes(name) ? WORDS.indexOf(name) : 1);
	});
}

const FIGURE =
	/\d+(?:(?:[.,'\u2019]|(?<=(?<!\d)\d{1,3}(?:[ \u00a0\u202f]\d{3})*)[ \u00a0\u202f](?=\d{3}(?!\d)))\d+)*/g;

function figuresIn(text: string): Figure[] {
	const plain = withoutMonthNames(withoutNumberWords(asciiDigits(text)))
		.replace(/[\u2212\u2013]/g, '-')
		.replace(/(?<!\p{L})minus\s(?=[$€£¥]?\d)/giu, '-');
	const figures = [...plain.matchAll(FIGURE)].map((match) => {
		const [token] = match;
		const before = plain.slice(Math.max(0, match.index - 5), match.index);
		const after = plain.slice(match.index + token.length, match.index + token.length + 24);
		const scale = SCALES.find(([pattern]) => pattern.test(after));
		const behind = scale ? after.replace(scale[0], '').replace(/^\.(?=\s)/, '') : after;
		const currency = CURRENCIES.find(
			([, ahead, following]) => ahead.test(before) || following.test(behind),
		);
		const unit = PERCENT.test(after) ? '%' : (currency?.[0] ?? measureOf(behind));
		const sign = /(?:^|[\s(])-[$€£¥]?$/.test(before) ? '-' : '';
		// `80 m` is 80 million or 80 metres.
		const sizes = /^\s?[mkb](?!\p{L})/iu.test(after) ? [1, scale?.[1] ?? 1] : [scale?.[1] ?? 1];
		const readings = readingsOf(token).flatMap((one) => sizes.map((size) => scaled(one, size)));
		return {
			readings: readings.map((reading) => sign + reading),
			unit,
			size: scale?.[1] ?? 1,
			isFrom: /^\s?(?:-|to|bis|or)\s?[$€£¥]?(?=\d)/i.test(after),
		};
	});
	// In `5 to 7 million` both are millions.
	return figures.map(({ readings, unit, size, isFrom }, index) => {
		const next = figures[index + 1];
		if (!isFrom || !next || size !== 1) return { readings, unit };
		const both = readings.flatMap((reading) => [reading, scaled(reading, next.size)]);
		return { readings: both, unit: unit || next.unit };
	});
}

function scaled(reading: string, scale: number): string {
	const value = Number(reading) * scale;
	// Dotted versions, times and very long numbers are compared as they are written.
	if (Number.isNaN(value) || reading.length > 15) return reading;
	return String(Number(value.toPrecision(12)));
}

function readingsOf(token: string): string[] {
	const parts = token.split(/[^\d]/);
	if (parts.length === 1) return [token];
	const [first = '', ...rest] = parts;
	const isGrouped = first.length <= 3 && rest.every((part) => part.length === 3);
	const whole = parts.join('');
	if (rest.length === 1 && /[.,]/.test(token)) {
		const decimal = `${first}.${rest[0] ?? ''}`;
		return isGrouped ? [whole, decimal] : [decimal];
	}
	if (isGrouped) return [whole];
	const last = rest.at(-1) ?? '';
	const groups = rest.slice(0, -1);
	const decimalMark = token[token.length - last.length - 1];
	const groupMarks = token.slice(0, token.length - last.length - 1).replace(/\d/g, '');
	const isDecimal = !groupMarks.includes(decimalMark ?? '') && groups.every((g) => g.length === 3);
	return [isDecimal ? `${first}${groups.join('')}.${last}` : parts.join('.')];
}

/**
 * The figures and dates of a text that none of the other texts hold: as many as they are, in the words of
 * the text's readings. `5 million` holds `5,000,000` and not `5 billion` or `5 %`.
 */
export function missingFigures(text: string, others: readonly string[]): string[] {
	const held = new Map<string, Set<string>>();
	const hold = (reading: string, unit: string) =>
		held.set(reading, (held.get(reading) ?? new Set()).add(unit));
	for (const other of others) {
		for (const { readings, unit } of figuresIn(datesApart(other))) {
			for (const reading of readings) hold(reading, unit);
		}
		for (const [word] of other.matchAll(WORD)) {
			const name = word.toLowerCase();
			hold(String(WORDS.includes(name) ? WORDS.indexOf(name) : ORDINALS.indexOf(name)), '');
		}
	}
	const possible = new Set(others.flatMap((other) => [...monthsIn(other).possible]));
	const months = [...monthsIn(text).named].filter((month) => !possible.has(month));
	const isHeld = ({ readings, unit }: Figure) =>
		readings.some((reading) =>
			[...(held.get(reading) ?? [])].some((other) => isSameUnit(unit, other)),
		);
	return [
		...months.map((month) => `month ${month}`),
		...figuresIn(datesApart(text))
			.filter((figure) => !isHeld(figure))
			.map(({ readings, unit }) => `${unit}${readings[0] ?? ''}`),
	];
}
