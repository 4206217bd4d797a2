import { wordsBehind } from './figureNames';
import type { WordsBehind } from './figureNames';

/** A number in a text, as far as digits and the words beside it say it. */
export interface Figure extends Omit<WordsBehind, 'rest' | 'otherScales'> {
	/** Where it stands in the text, and its digits; -1 for words. */
	at: number;
	token: string;
	/** All that it can mean: `1.200` is 1200 here and 1.2 there; `12 345` is one number or two. */
	readings: string[];
	/** Two numbers that it may be instead. */
	parts: string[];
	/** Its readings, multiplied by its scale. */
	values: string[];
	/** The same with scales that it may have instead: that of a letter, or of the other end of a range. */
	otherValues: string[];
	/** `%` or the sign of a currency; empty: none that is known. */
	unit: string;
	/** Directly before it: less or more than, or a minus; empty for none. */
	sign: string;
}

const PERCENT = /^\s?(?:%|per cent|pct|procent|bps)(?!\p{L})/iu;

const CURRENCIES: Array<[string, RegExp, RegExp]> = [
	['$', /(?:\$|\bUSD?)\s?$/i, /^\s?(?:\$|USD?\b|dollars?\b)/i],
	['€', /(?:€|\bEUR)\s?$/i, /^\s?(?:€|EUR\b|euros?\b)/i],
	['£', /(?:£|\bGBP)\s?$/i, /^\s?(?:£|GBP\b|pounds?\b)/i],
	['¥', /(?:¥|\bJPY)\s?$/i, /^\s?(?:¥|JPY\b|yen\b)/i],
];

const FIGURE =
	/\d+(?:(?:[.,'\u2019]|(?<=(?<![\d.,])\d{1,3}(?:[ \u00a0\u202f]\d{3})*)[ \u00a0\u202f](?=\d{3}(?!\d)))\d+)*/g;

/** Between the ends of a range, and in a list whose last figure has the scale. */
const TO_NEXT = /^(?:\s?[-\u2013\u2014~\uff5e\u301c,/]\s?|\s?\p{L}{0,4}\s?)$/u;

/** The figures of a text that is plain (numberWords.ts). */
export function figuresIn(text: string): Figure[] {
	const matches = [...text.matchAll(FIGURE)];
	const figures = matches.map((match) => {
		const [token] = match;
		const before = text.slice(Math.max(0, match.index - 7), match.index);
		const after = text.slice(match.index + token.length, match.index + token.length + 40);
		const money = CURRENCIES.find(([, ahead]) => ahead.test(before));
		const { rest, otherScales, ...words } = wordsBehind(after, money !== undefined);
		const [unit = ''] = money ?? CURRENCIES.find(([, , following]) => following.test(rest)) ?? [];
		const isPercent = PERCENT.test(rest) || words.units.includes('percent');
		const readings = readingsOf(token, before);
		return {
			...words,
			at: match.index,
			token,
			readings,
			otherScales,
			parts: /\d\s[1-9]/.test(token) ? token.split(/\s/).map((part) => scaled(part, 1)) : [],
			unit: isPercent ? '%' : unit,
			units: isPercent || unit !== '' ? [] : words.units,
			sign: signBefore(before),
		};
	});
	return figures.map((figure, at) => {
		const [match, next] = [matches[at], matches[at + 1]];
		const end = (match?.index ?? 0) + (match?.[0].length ?? 0);
		const following = figures[at + 1];
		const sharesScale = figure.scale === 1 && following && TO_NEXT.test(text.slice(end, next?.index));
		const { otherScales, ...rest } = figure;
		const others = sharesScale ? [...otherScales, following.scale, ...following.otherScales] : otherScales;
		const times = (scale: number) => figure.readings.map((reading) => scaled(reading, scale));
		return { ...rest, values: times(figure.scale), otherValues: others.flatMap(times) };
	});
}

/** A number that is written in words. */
export function wordFigure(value: number): Figure {
	const values = [scaled(String(value), 1)];
	const none = {
		at: -1,
		token: '',
		units: [],
		word: '',
		isUnknown: false,
		scale: 1,
		parts: [],
		otherValues: [],
		unit: '',
		sign: '',
	};
	return { ...none, readings: values, values };
}

/** More than 5 is not 5. A hyphen is a minus where nothing stands before it. */
function signBefore(before: string): string {
	const [, bound] = /([<>\u2264\u2265])\s?$/.exec(before) ?? [];
	if (bound !== undefined) return bound === '<' || bound === '\u2264' ? '<' : '>';
	return /(?:^|[\s(])[-\u2212]$/.test(before) ? '-' : '';
}

/** A figure times a scale. Versions and very long numbers are compared as they are written. */
export function scaled(reading: string, scale: number): string {
	const value = Number(reading) * scale;
	if (Number.isNaN(value) || reading.length > 15) return reading;
	return String(Number(value.toPrecision(12)));
}

function readingsOf(token: string, before: string): string[] {
	const parts = token.split(/[^\d]/);
	if (parts.length === 1) return [scaled(token, 1), ...yearsOf(token, before)];
	const [first = '', ...rest] = parts;
	const isGrouped = first.length <= 3 && rest.every((part) => part.length === 3);
	const whole = parts.join('');
	if (rest.length === 1 && /[.,]/.test(token)) {
		const decimal = scaled(`${first}.${rest[0] ?? ''}`, 1);
		return isGrouped ? [scaled(whole, 1), decimal] : [decimal];
	}
	if (isGrouped || isIndianGrouped(token)) return [scaled(whole, 1)];
	const last = rest.at(-1) ?? '';
	const groups = rest.slice(0, -1);
	const decimalMark = token[token.length - last.length - 1];
	const groupMarks = token.slice(0, token.length - last.length - 1).replace(/\d/g, '');
	const isDecimal = !groupMarks.includes(decimalMark ?? '') && groups.every((group) => group.length === 3);
	return [isDecimal ? scaled(`${first}${groups.join('')}.${last}`, 1) : parts.join('.')];
}

/** As 12,34,567 is written in India. */
function isIndianGrouped(token: string): boolean {
	return /^\d{1,2}(?:,\d\d)+,\d{3}$/.test(token);
}

/** The years that two digits may be: '24, FY25, 2018–19. */
function yearsOf(token: string, before: string): string[] {
	if (token.length !== 2) return [];
	if (/(?:['\u2019]|\bFY\s?)$/.test(before)) return [`20${token}`, `19${token}`];
	const [, century, from] = /(?<!\d)(\d\d)(\d\d)\s?[-\u2013\u2014/]\s?$/.exec(before) ?? [];
	return century !== undefined && Number(token) > Number(from) ? [`${century}${token}`] : [];
}
