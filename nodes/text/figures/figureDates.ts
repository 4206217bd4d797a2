import { monthsNamed } from './figureNames';

/** A date of a text, as far as it names a month. */
interface DatedMonth {
	text: string;
	/** Months that it may name: 3/5/2024 is in March or in May. */
	months: readonly number[];
	/** The day and the year that stand beside it. */
	beside: readonly string[];
}

/** The dates of a text, which is plain (numberWords.ts). */
export interface DatedText {
	dates: DatedMonth[];
	/** Without the months that it has in digits: another text may have them in words. */
	rest: string;
	/** With spaces between the parts of dates in digits. */
	spaced: string;
	/** Its words, for months that stand alone. */
	words: readonly string[];
}

const MONTH = '(0?[1-9]|1[0-2])';
const DAY = '(0?[1-9]|[12]\\d|3[01])';

const YEAR_FIRST = new RegExp(`(?<![\\d.,])(\\d{4})([-./])${MONTH}\\2${DAY}(?![\\d-])`, 'g');
const YEAR_AND_MONTH = /(?<![\d.,-])(\d{4})-(0[1-9]|1[0-2])(?![\d-])/g;
const EIGHT_DIGITS = /(?<![\d.,])((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?![\d.,])/g;
const YEAR_LAST = /(?<![\d.,/-])(\d{1,2})([-./])(\d{1,2})\2 ?(\d{4}|\d\d)(?![\d/]|[.-]\d)/g;
const MONTH_AND_YEAR = new RegExp(`(?<![\\d./,-])${MONTH}/(\\d{4})(?![\\d/])`, 'g');
const EAST_ASIAN = /(?:(\d{4}|'?\d\d)\s?[年년]\s?)?(?<!\d)(1[0-2]|0?[1-9])\s?[月월](?:\s?(\d{1,2})\s?[日일号號])?/gu;
const VIETNAMESE = /(?:(?<!\d)(\d{1,2})\s)?tháng\s(1[0-2]|0?[1-9])(?!\d)(?:[,\s]{1,2}(?:năm\s)?(\d{4}))?/giu;

/** The time of a date in ISO 8601; midnight stands for none. */
const ISO_TIME = /(?<=\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::00)?(?:\.0{1,9})?(?:Z|[+-]\d\d:?\d\d)?/g;

/** Between a figure and the name of a month: st, th, º, a full stop, and "de". */
const FIGURE_BEFORE = /(?<![\d.,])(\d{1,4})(?:st|nd|rd|th|er|\u00ba|\u00aa|o)?[.,]?(?:\s?(?:de|of|di|d')\s?|[\s/-])$/iu;
const FIGURE_BEHIND = /^\.?(?:\s(?:de|del|of)\s|[\s,/-]\s?)(?:'|\u2019)?(\d{1,4})(?![\d.,]\d|\d)/iu;

/** Months in Chinese characters have no spaces around them. */
const HAN_MONTH = /(?:十[一二]?|[一二三四五六七八九])月/gu;

/** The dates of a text. */
export function datesIn(text: string): DatedText {
	const dates: DatedMonth[] = [];
	let [rest, spaced] = [text.replace(ISO_TIME, (_time, hours: string) => (hours === '00:00' ? '' : ` ${hours}`)), text];
	const take = (pattern: RegExp, read: (parts: string[]) => ReadDate | undefined) => {
		rest = rest.replace(pattern, (whole: string, ...parts: string[]) => {
			const date = read(parts);
			if (!date) return whole;
			const months = date.months.map(Number);
			dates.push({ text: whole, months, beside: date.kept.map(plainNumber) });
			return ` ${date.kept.join(' / ')} `;
		});
		spaced = spaced.replace(pattern, (whole: string, ...parts: string[]) => {
			const date = read(parts);
			return date ? ` ${[...date.kept, ...date.months].join(' / ')} ` : whole;
		});
	};
	take(YEAR_FIRST, ([year = '', , month = '', day = '']) => ({ kept: [year, day], months: [month] }));
	take(YEAR_LAST, ([one = '', sign = '', other = '', year = '']) => readYearLast(one, sign, other, year));
	take(EIGHT_DIGITS, ([year = '', month = '', day = '']) => ({ kept: [year, day], months: [month] }));
	take(YEAR_AND_MONTH, ([year = '', month = '']) => ({ kept: [year], months: [month] }));
	take(MONTH_AND_YEAR, ([month = '', year = '']) => ({ kept: [year], months: [month] }));
	const isKept = (part: string | undefined): part is string => part !== undefined && part !== '';
	take(EAST_ASIAN, ([year, month = '', day]) => ({ kept: [year, day].filter(isKept), months: [month] }));
	take(VIETNAMESE, ([day, month = '', year]) => ({ kept: [day, year].filter(isKept), months: [month] }));
	const words = [...text.matchAll(/[\p{L}\p{M}][\p{L}\p{M}.]+/gu)];
	const named = words.map((match, at) => {
		const [word] = match;
		const pair = `${word} ${words[at + 1]?.[0] ?? '.'}`;
		const isPair = text.startsWith(pair, match.index) && monthsNamed(pair).length > 0;
		return { word: isPair ? pair : word, index: match.index };
	});
	for (const { word, index } of named) {
		const months = monthsNamed(word);
		if (months.length === 0) continue;
		const behind = text.slice(index + word.length - (word.endsWith('.') ? 1 : 0), index + word.length + 14);
		const [ahead = '', before] = FIGURE_BEFORE.exec(text.slice(Math.max(0, index - 12), index)) ?? [];
		const [following = '', after] = FIGURE_BEHIND.exec(behind) ?? [];
		const beside = [before, after].filter(isKept).map(plainNumber);
		if (beside.length > 0) dates.push({ text: `${ahead}${word}${following}`.trim(), months, beside });
	}
	return { dates, rest, spaced, words: [...named.map(({ word }) => word), ...(text.match(HAN_MONTH) ?? [])] };
}

/** `kept`: the figures of a date that another text has, too. `months`: those of which one is its month. */
interface ReadDate {
	kept: string[];
	months: string[];
}

/** With a year of two digits, 24.10.12 is a date and 1.10.12 may be a version. */
function readYearLast(one: string, sign: string, other: string, year: string): ReadDate | undefined {
	const [first, second] = [Number(one), Number(other)];
	const isValid = first > 0 && second > 0 && Math.max(first, second) <= 31 && Math.min(first, second) <= 12;
	const isOpen = first <= 12 && second <= 12;
	const isShort = year.length === 2;
	if (!isValid || (isShort && sign !== '/' && isOpen)) return undefined;
	const shown = isShort ? `'${year}` : year;
	if (isOpen && sign === '.') return { kept: [one, shown], months: [other] };
	if (isOpen) return { kept: [shown], months: [one, other] };
	return first > 12 ? { kept: [one, shown], months: [other] } : { kept: [other, shown], months: [one] };
}

function plainNumber(part: string): string {
	return String(Number(part.replace(/\D/g, '')));
}

/** What is left open of the months of a statement beside its passage. */
export function compareMonths(
	statement: DatedText,
	passage: readonly DatedText[],
	context: readonly DatedText[],
): { different: string[]; unclear: string[] } {
	const inPassage = passage.flatMap(({ dates }) => dates);
	const different: string[] = [];
	const unclear: string[] = [];
	for (const { text, months, beside } of statement.dates) {
		if (isMonthNamed(months, passage)) continue;
		const isSaidOtherwise = inPassage.some((other) => other.beside.some((figure) => beside.includes(figure)));
		if (isSaidOtherwise) different.push(text.trim());
		else if (inPassage.length > 0 || !isMonthNamed(months, context)) unclear.push(text.trim());
	}
	return { different, unclear };
}

/** The shortest name that a longer word may hold, with the ending of a case. */
const SHORTEST_STEM = 4;

/** Whether texts name one of these months: in a date, alone, or in a case that is not known here. */
function isMonthNamed(months: readonly number[], texts: readonly DatedText[]): boolean {
	const isWanted = (found: readonly number[]) => found.some((month) => months.includes(month));
	if (texts.some(({ dates }) => dates.some((date) => isWanted(date.months)))) return true;
	return texts.some(({ words }) =>
		words.some((word) => {
			if (isWanted(monthsNamed(word))) return true;
			for (let length = word.length - 1; length >= SHORTEST_STEM; length -= 1) {
				if (isWanted(monthsNamed(word.slice(0, length)))) return true;
			}
			return false;
		}),
	);
}
