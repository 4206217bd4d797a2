/** Numbers that are not written in digits alone: English words, Chinese characters, amounts of several scales, powers. */

const ONES =
	'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
		' ',
	);
const TENS = 'zero ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const ORDINALS = 'zeroth first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');

const VALUES: ReadonlyMap<string, number> = new Map([
	...ONES.map((word, value): [string, number] => [word, value]),
	...TENS.slice(2).map((word, at): [string, number] => [word, (at + 2) * 10]),
	...ORDINALS.map((word, value): [string, number] => [word, value]),
]);
const POWERS: ReadonlyMap<string, number> = new Map([
	['hundred', 100],
	['thousand', 1e3],
	['million', 1e6],
	['billion', 1e9],
	['trillion', 1e12],
]);

const ALL_VALUES = [...VALUES.keys()].join('|');
const ALL_POWERS = [...POWERS.keys()].join('|');

/** Words that belong to one number, as far as spaces, hyphens and "and" join them. A million alone may be any number of them. */
const WORDS_OF_NUMBER = new RegExp(
	`(?<![\\p{L}\\d]|\\d )(?:${ALL_VALUES}|half an?(?= (?:${ALL_POWERS}|dozen))|an?(?= (?:${ALL_POWERS}))|dozen)(?:(?:[ -]| and )(?:${ALL_VALUES}|${ALL_POWERS}|a half|dozen))*(?!\\p{L})`,
	'giu',
);

/** The numbers that a text has in English words: two, twenty-five, three hundred and ten, half a million, two dozen. */
export function englishNumbers(text: string): number[] {
	return [...text.matchAll(WORDS_OF_NUMBER)].flatMap(([match]) => {
		const words = match.toLowerCase().split(/[ -]/);
		const numbers: number[] = [];
		let [whole, part, last] = [0, 0, 0];
		let [isOpen, above] = [false, Infinity];
		const end = () => {
			if (isOpen) numbers.push(whole + part);
			[whole, part, last, isOpen, above] = [0, 0, 0, false, Infinity];
		};
		words.forEach((word, at) => {
			const [value, power] = [VALUES.get(word), POWERS.get(word)];
			if (word === 'half') {
				// "a million and a half" is half a million more.
				if (part === 0 && last >= 1000) whole += 0.5 * last;
				else part += 0.5;
				isOpen = true;
			} else if (word === 'dozen') {
				part = Math.max(1, part) * 12;
				isOpen = true;
			} else if (power === 100) {
				part = Math.max(1, part) * power;
				last = power;
				isOpen = true;
			} else if (power !== undefined) {
				// "three million and five million" are two.
				if (power >= above) {
					numbers.push(whole);
					whole = 0;
				}
				above = power;
				whole += Math.max(0.5, part === 0 ? 1 : part) * power;
				[part, last, isOpen] = [0, power, true];
			} else if (value !== undefined) {
				// "two three" and "ten five" are two numbers, "one hundred five" is one.
				const isNext = last === 0 ? part === 0 : last >= 100 || (last >= 20 && value < 10 && value > 0);
				const isJoined = words[at - 1] !== 'and' || last >= 100;
				if (isOpen && !(isNext && isJoined)) end();
				part += value;
				[last, isOpen] = [value < 20 ? 1 : value, true];
			}
		});
		end();
		return numbers;
	});
}

const HAN_DIGITS = '〇一二三四五六七八九';
const HAN_POWERS: Record<string, number> = { 十: 10, 百: 100, 千: 1000, 万: 1e4, 萬: 1e4, 亿: 1e8, 億: 1e8 };
/** Behind digits they are a scale: 3十億. */
const HAN_NUMBER = /(?<!\d)[〇零一二三四五六七八九十百千万萬亿億两兩]+/g;

/**
 * Numbers in Chinese characters: digits in a row, as in 一九五二, or with their powers, as in 四百一十二. Where they are
 * asked for (`isSaid`), only what is certainly one: a single character may be a part of a word, two digits mean about.
 */
export function hanNumbers(text: string, isSaid: boolean): number[] {
	return [...text.matchAll(HAN_NUMBER)].flatMap(([match]) => {
		const plain = match.replaceAll('零', '〇').replace(/[两兩]/g, '二');
		const isRow = [...plain].every((sign) => HAN_DIGITS.includes(sign));
		if (isRow) {
			if (isSaid && plain.length < 3) return [];
			return [Number([...plain].map((sign) => HAN_DIGITS.indexOf(sign)).join(''))];
		}
		const isNumber = HAN_DIGITS.includes(plain.charAt(0)) || plain.startsWith('十');
		return !isNumber || (isSaid && plain.length < 2) ? [] : [hanValue(plain)];
	});
}

function hanValue(text: string): number {
	let [whole, part, digit, above] = [0, 0, 0, Infinity];
	for (const sign of text) {
		const power = HAN_POWERS[sign];
		if (power === undefined) digit = HAN_DIGITS.indexOf(sign);
		else if (power < 1e4) {
			part += Math.max(1, digit) * power;
			digit = 0;
		} else {
			// 一億兩千三百萬 is a sum, 十萬億 a product.
			const own = part + digit;
			whole = power < above ? whole + own * power : (whole + own) * power;
			[part, digit, above] = [0, 0, power];
		}
	}
	return whole + part + digit;
}

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

const FRACTIONS: ReadonlyMap<string, string> = new Map([
	['½', '.5'],
	['¼', '.25'],
	['¾', '.75'],
	['⅕', '.2'],
	['⅖', '.4'],
	['⅗', '.6'],
	['⅘', '.8'],
	['⅛', '.125'],
	['⅜', '.375'],
	['⅝', '.625'],
	['⅞', '.875'],
]);
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const POWER_OF_TEN = new RegExp(
	`(?<![\\d.,])(?:(\\d{1,4}(?:[.,]\\d{1,6})?)\\s?[×x·*]\\s?)?10(?:\\^(\\d{1,2})|([${RAISED}]{1,2}))(?!\\d)`,
	'gu',
);
const RAISED_BEHIND = new RegExp(`(?<=[\\p{L}\\p{N}])[${RAISED}]+`, 'gu');

/**
 * A text whose figures are plain: digits of all scripts as 0 to 9, `1½` as 1.5, `3×10⁸` and 16萬8千 by their value. Other
 * raised digits go: they are notes, or those of km².
 */
export function plainFigures(text: string): string {
	const powers = text.replace(POWER_OF_TEN, (_whole, factor = '1', plain = '', raised = '') => {
		const power = Number(plain === '' ? [...(raised as string)].map((sign) => RAISED.indexOf(sign)).join('') : plain);
		const value = Number((factor as string).replace(',', '.')) * 10 ** power;
		return power > 15 ? `${String(factor)} 10 ${String(power)}` : String(Number(value.toPrecision(12)));
	});
	const fractions = powers.replace(/(?<!\d)(\d{0,6})\s?([½¼¾⅕⅖⅗⅘⅛⅜⅝⅞])/gu, (_whole, digits: string, sign: string) => {
		return `${digits === '' ? '0' : digits}${FRACTIONS.get(sign) ?? ''}`;
	});
	return asciiDigits(fractions.replace(RAISED_BEHIND, '')).replace(COMPOUND, compoundValue);
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
