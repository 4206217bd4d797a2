import { evenName } from '../amounts';
import { readIntlNames } from '../intlNames';

/** What names beside figures mean, by name. */
interface NameTables {
	months: ReadonlyMap<string, readonly number[]>;
	monthsBesideDays: ReadonlyMap<string, readonly number[]>;
	units: ReadonlyMap<string, readonly string[]>;
	scales: ReadonlyMap<string, readonly number[]>;
	beside: ReadonlySet<string>;
}

let tables: NameTables | undefined;

/** Read when the first figure with a word beside it comes. */
function nameTables(): NameTables {
	if (tables === undefined) {
		const { months, monthsBesideDays, units, scales, beside } = readIntlNames();
		tables = {
			months: byName(months, Number),
			monthsBesideDays: byName(monthsBesideDays, Number),
			units: byName(units, String),
			scales: new Map([...byName(scales, Number), ...byName(MORE_SCALES, Number)]),
			beside: new Set(beside),
		};
	}
	return tables;
}

/** What Intl does not have of the languages of which it has the rest. */
const MORE_SCALES = {
	100: ['hundred', 'hundert', '百'],
	1000: ['thousands', 'tsd', '千', '천'],
	10_000: ['만'],
	100_000: ['lakhs', 'lac', 'lacs'],
	1_000_000: ['mn'],
	10_000_000: ['crores'],
	100_000_000: ['억'],
	1_000_000_000: ['billions', 'bn', 'milliardi'],
	1_000_000_000_000: ['trillions', 'tn', '조'],
};

function byName<T>(names: Record<string, readonly string[]>, read: (meaning: string) => T): Map<string, T[]> {
	const found = new Map<string, T[]>();
	for (const [meaning, all] of Object.entries(names)) {
		for (const name of all) found.set(name, [...(found.get(name) ?? []), read(meaning)]);
	}
	return found;
}

/** What words behind a figure say. */
export interface WordsBehind {
	/** By what they multiply it; 1 where they do not. */
	scale: number;
	/** By what they may multiply it as well: a letter, a name that means two things. */
	otherScales: number[];
	/** Units as ECMA-402 calls them, of which it is one; empty: none that is known. */
	units: readonly string[];
	/** The first word behind the scale, in small letters. */
	word: string;
	/** Whether that word may be a scale in a language that is not known here. */
	isUnknown: boolean;
	/** What stands behind the scale. */
	rest: string;
}

/** Most words of one name, as "miler de milions" has. */
const LONGEST_NAME = 3;

/** Short names are often words of another language: "30 bin" is 30,000 in one, and ich bin 30 in another. */
const SHORT = 3;

/** Scales of scripts that have no spaces stand directly before the next word. Kilowatts and megahertz are no thousands. */
const TIGHT_SCALES =
	/^\s?((?![千兆][瓦卡赫伏帕焦])[十百千십백천万萬만亿億억兆조]{1,3}|ล้านล้าน|(?:พัน|หมื่น|แสน)?ล้าน|พัน|หมื่น|แสน)/u;
const TIGHT_POWERS: ReadonlyMap<string, number> = new Map([
	...[...'十십'].map((sign): [string, number] => [sign, 10]),
	...[...'百백'].map((sign): [string, number] => [sign, 100]),
	...[...'千천'].map((sign): [string, number] => [sign, 1e3]),
	...[...'万萬만'].map((sign): [string, number] => [sign, 1e4]),
	...[...'亿億억'].map((sign): [string, number] => [sign, 1e8]),
	...[...'兆조'].map((sign): [string, number] => [sign, 1e12]),
]);

/** Scales of one letter, in any language. */
const LETTER_SCALES = [1e3, 1e6, 1e9, 1e12];
const SCALES_OF_LETTERS: ReadonlyMap<string, number> = new Map([
	['k', 1e3],
	['m', 1e6],
	['b', 1e9],
]);

/** Scripts that have no spaces behind a name, and whose scales are all known. */
const TIGHT_SCRIPT = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** The longest name of a unit in such a script has so many signs. */
const LONGEST_TIGHT = 8;

/** Reads what stands behind a figure: scales, then a unit. `isMoney`: the sign of a currency stands before it. */
export function wordsBehind(behind: string, isMoney: boolean): WordsBehind {
	let [scale, rest] = [1, behind];
	const otherScales: number[] = [];
	const isTightUnit = TIGHT_SCALES.test(rest) && firstName(rest, nameTables().units) !== undefined;
	const [tight, signs = ''] = (isTightUnit ? undefined : TIGHT_SCALES.exec(rest)) ?? [];
	if (tight !== undefined) {
		const known = nameTables().scales.get(signs);
		scale = known?.[0] ?? [...signs].reduce((product, sign) => product * (TIGHT_POWERS.get(sign) ?? 1), 1);
		rest = rest.slice(tight.length);
	} else {
		for (;;) {
			const name = TIGHT_SCRIPT.test(rest.trimStart()) ? undefined : firstName(rest, nameTables().scales);
			if (name === undefined) break;
			const [main = 1, ...others] = name.meanings;
			const isAlsoUnit = nameTables().units.has(name.text);
			otherScales.push(...others.map((other) => scale * other));
			if (isAlsoUnit || name.text.length <= SHORT) otherScales.push(scale);
			scale *= main;
			rest = name.rest;
		}
		const [letter, sign = ''] =
			scale === 1 ? (/^\s?(\p{Script=Latin}|\p{Script=Cyrillic})(?![\p{L}\p{M}\d])/u.exec(rest) ?? []) : [];
		if (letter !== undefined) {
			const known = SCALES_OF_LETTERS.get(sign.toLowerCase());
			if (isMoney && known !== undefined) scale = known;
			else otherScales.push(...LETTER_SCALES);
			rest = rest.slice(letter.length);
		}
	}
	const unit = firstName(rest.replace(/^-(?=\p{L})/u, ' '), nameTables().units);
	const [, word = ''] = /^[\s-]?([\p{L}\p{M}]+)/u.exec(rest) ?? [];
	const isUnknown = word !== '' && unit === undefined && scale === 1 && !TIGHT_SCRIPT.test(word);
	return { scale, otherScales, units: unit?.meanings ?? [], word: word.toLowerCase(), isUnknown, rest };
}

const NAME_AT_START = /^\s?(?:d[e']\s)?((?:[\p{L}\p{M}]+['"\u05f4\u2019]?[\p{L}\p{M}]*[\s-]?){1,3}|%)/u;

/** The longest name at the start of a text that a table has. */
function firstName<T>(
	text: string,
	table: ReadonlyMap<string, readonly T[]>,
): { text: string; meanings: readonly T[]; rest: string } | undefined {
	const [, found] = NAME_AT_START.exec(text) ?? [];
	if (found === undefined) return undefined;
	const start = text.indexOf(found);
	if (TIGHT_SCRIPT.test(found)) {
		for (let length = Math.min(LONGEST_TIGHT, found.length); length > 0; length -= 1) {
			const meanings = table.get(found.slice(0, length));
			if (meanings) return { text: found.slice(0, length), meanings, rest: text.slice(start + length) };
		}
		return undefined;
	}
	const ends = [...found.matchAll(/[\p{L}\p{M}%'"\u05f4\u2019]+/gu)].map((word) => word.index + word[0].length);
	for (const end of ends.slice(0, LONGEST_NAME).reverse()) {
		const name = evenName(found.slice(0, end));
		const meanings = table.get(name);
		if (meanings) return { text: name, meanings, rest: text.slice(start + end).replace(/^\.(?=\s|$)/, '') };
	}
	return undefined;
}

/** Whether a text names a scale: a table in millions has it in its head. */
export function namesScale(text: string, scale: number): boolean {
	const words = text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
	return words.some((word) => nameTables().scales.get(word)?.includes(scale));
}

/** The month that a word names in one of the languages; empty for other words. */
export function monthsNamed(word: string): readonly number[] {
	return nameTables().months.get(evenName(word)) ?? [];
}

/** The same, of a word between a day and a year: there it may be one that is another word elsewhere. */
export function monthsBesideDay(word: string): readonly number[] {
	return nameTables().monthsBesideDays.get(evenName(word)) ?? [];
}

const TIME_UNITS = new Set(['second', 'minute', 'hour', 'day', 'week', 'month', 'year']);

/** As "ago" and "in" stand behind a unit in scripts without spaces. */
const TIGHT_AGO = /(?:[前後后전후]|ที่ผ่านมา)$/u;

/** Most words that say "ago" or "in" on one side of a length of time, as "il y a" does. */
const MOST_BESIDE = 3;

/**
 * A text without lengths of time that count from today, such as "9 months ago" and "vor 3 Wochen", where it also names a
 * year: beside a date they say nothing of their own, and change with each day. In their place stand as many spaces.
 */
export function withoutAges(text: string): string {
	if (!/(?<!\p{Nd})\p{Nd}{4}(?!\p{Nd})/u.test(text)) return text;
	let shown = text;
	for (const match of text.matchAll(/(?<![\p{Nd}.,])\p{Nd}{1,3}(?![\p{Nd}.,])/gu)) {
		const end = match.index + match[0].length;
		const unit = firstName(text.slice(end, end + 40), nameTables().units);
		if (!unit?.meanings.some((one) => TIME_UNITS.has(one))) continue;
		const [behind = ''] = /^(?:[\p{L}\p{M}]+(?:\s|$|(?=\P{L}))){0,3}/u.exec(unit.rest.trimStart()) ?? [];
		const before = text.slice(Math.max(0, match.index - 30), match.index);
		const wordsBefore = /\s$/u.test(before) ? before.trim().split(/\s+/).reverse() : [];
		const after = wordsThat(behind.split(/\s/));
		const ahead = wordsThat(wordsBefore);
		if (after.length + ahead.length === 0 && !TIGHT_AGO.test(unit.text)) continue;
		const from = match.index - lengthOf(ahead, before);
		const gap = unit.rest.length - unit.rest.trimStart().length;
		const to = text.length - Math.max(0, text.length - end - 40) - unit.rest.length + gap + lengthOf(after, behind);
		shown = shown.slice(0, from) + ' '.repeat(to - from) + shown.slice(to);
	}
	return shown;
}

/** The first words of a list that say "ago" or "in". */
function wordsThat(words: readonly string[]): string[] {
	const count = words.findIndex((word) => word === '' || !nameTables().beside.has(word.toLowerCase()));
	return words.slice(0, Math.min(MOST_BESIDE, count === -1 ? words.length : count));
}

/** So many characters of a text as these of its words take, with the spaces between them. */
function lengthOf(words: readonly string[], within: string): number {
	const length = words.reduce((sum, word) => sum + word.length, 0);
	return words.length === 0 ? 0 : Math.min(within.length, length + words.length);
}
