import { evenName } from './amounts';

/** Names by what they mean: months by number, units as ECMA-402 calls them, scales by what they multiply by. */
export interface IntlNames {
	months: Record<string, string[]>;
	/** Those of them that are words of other languages, too: they are months between a day and a year only. */
	monthsBesideDays: Record<string, string[]>;
	units: Record<string, string[]>;
	scales: Record<string, string[]>;
	/** Words that say "ago" or "in" beside a length of time. */
	beside: string[];
}

/** The languages whose names are known. */
const LOCALES =
	'en en-IN ar ar-SY ar-DZ ar-MA bg bn ca cs da de de-AT el es et fa fi fr he hi hr hu id it ja ko lt lv nb nl pl pt ro ru sk sl sv th tr uk vi zh zh-TW'.split(
		' ',
	);

/** Counts whose names show each plural form that one of the languages has. */
const COUNTS = [1, 2, 3, 5, 11, 20, 100, 1.5];

const TIME_UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const;

/** A name of few letters counts where so many languages have it: else it may be any word of another one. */
const FEWEST_LOCALES = 4;

/** By name, what it means, and in which languages. */
type Meanings = Map<string, Map<string, Set<string>>>;

interface IntlPart {
	type: string;
	value: string;
}

/**
 * The names of months, units and scales in 40 languages and variants, as Intl has them, in small letters. The build writes
 * them into a file, since they differ by the ICU of the Node.js that n8n runs on, and take time. Left out: names of one
 * letter, names with digits in them, and what a language also says beside figures, such as "in" for inches.
 */
export function readIntlNames(): IntlNames {
	const months: Meanings = new Map();
	const units: Meanings = new Map();
	const scales: Meanings = new Map();
	const beside = new Set<string>();
	const besideTimes = new Set<string>();
	const fullMonths = new Set<string>();
	for (const locale of LOCALES) {
		addMonths(months, fullMonths, locale);
		addUnits(units, locale);
		addScales(scales, locale);
		const { ofTimes, ofLists } = wordsBeside(units, locale);
		for (const word of ofTimes) besideTimes.add(word);
		for (const word of [...ofTimes, ...ofLists]) beside.add(word);
	}
	const isShort = (name: string) => /^[a-z]{2}$/.test(name);
	const isShortMonth = (name: string) => /^[a-z]{2,3}$/.test(name) && !fullMonths.has(name);
	return {
		months: byMeaning(months, beside, isShortMonth),
		monthsBesideDays: byMeaning(months, new Set(), () => false),
		units: byMeaning(units, beside, isShort),
		scales: byMeaning(scales, beside, isShort),
		beside: [...besideTimes],
	};
}

function addMonths(months: Meanings, full: Set<string>, locale: string): void {
	for (const month of ['long', 'short'] as const) {
		for (const more of [{}, { day: 'numeric' }] as const) {
			const options = { ...more, month, timeZone: 'UTC', calendar: 'gregory', numberingSystem: 'latn' } as const;
			const format = new Intl.DateTimeFormat(locale, options);
			for (let index = 0; index < 12; index += 1) {
				const name = partOf(format.formatToParts(Date.UTC(2024, index, 5)), 'month');
				addName(months, locale, name, String(index + 1));
				if (month === 'long') full.add(evenName(name));
			}
		}
	}
}

function addUnits(units: Meanings, locale: string): void {
	for (const unit of Intl.supportedValuesOf('unit')) {
		for (const unitDisplay of ['long', 'short'] as const) {
			const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay, numberingSystem: 'latn' });
			for (const count of COUNTS) addName(units, locale, partOf(format.formatToParts(count), 'unit'), unit);
		}
	}
}

function addScales(scales: Meanings, locale: string): void {
	for (const compactDisplay of ['long', 'short'] as const) {
		const options = { notation: 'compact', compactDisplay, numberingSystem: 'latn', maximumFractionDigits: 3 } as const;
		const format = new Intl.NumberFormat(locale, options);
		for (let power = 3; power <= 14; power += 1) {
			for (const count of COUNTS) {
				const parts = format.formatToParts(count * 10 ** power);
				const shown = parts.map(({ type, value }) => (type === 'decimal' ? '.' : value.replace(/\D/g, ''))).join('');
				const scale = (count * 10 ** power) / Number(shown);
				const isScale = shown !== '' && Number.isFinite(scale);
				if (isScale) addName(scales, locale, partOf(parts, 'compact'), String(Number(scale.toPrecision(6))));
			}
		}
	}
}

/** The words around figures that say "ago" and "and" in a language; of times, it adds the cases of their units. */
function wordsBeside(units: Meanings, locale: string): { ofTimes: string[]; ofLists: string[] } {
	const times = new Intl.RelativeTimeFormat(locale, { numeric: 'always' });
	const saidOf = (unit: (typeof TIME_UNITS)[number]) =>
		COUNTS.flatMap((count) => [-count, count]).flatMap((count) => literalWords(times.formatToParts(count, unit)));
	const ofUnits = TIME_UNITS.map((unit) => ({ unit, words: new Set(saidOf(unit)) }));
	const isOfAll = (word: string) => ofUnits.every(({ words }) => words.has(word));
	for (const { unit, words } of ofUnits) {
		for (const word of words) {
			const isOwn = ofUnits.filter((other) => other.words.has(word)).length === 1;
			if (isOwn && word.length > 2) addName(units, locale, word, unit);
		}
	}
	const lists = (['conjunction', 'disjunction'] as const).flatMap((type) =>
		literalWords(new Intl.ListFormat(locale, { type }).formatToParts(['1', '2'])),
	);
	return { ofTimes: [...(ofUnits[0]?.words ?? [])].filter(isOfAll), ofLists: lists };
}

function literalWords(parts: readonly IntlPart[]): string[] {
	return parts.flatMap(({ type, value }) => (type === 'literal' ? evenName(value).split(/[^\p{L}\p{M}]+/u) : []));
}

function partOf(parts: readonly IntlPart[], wanted: string): string {
	const values = parts.filter(({ type }) => type === wanted).map(({ value }) => value);
	return values.join(' ');
}

function addName(meanings: Meanings, locale: string, name: string, meaning: string): void {
	const even = evenName(name);
	const known = meanings.get(even) ?? new Map<string, Set<string>>();
	meanings.set(even, known.set(meaning, (known.get(meaning) ?? new Set()).add(locale)));
}

function byMeaning(meanings: Meanings, beside: ReadonlySet<string>, isShort: (name: string) => boolean) {
	const names: Record<string, string[]> = {};
	for (const [name, known] of meanings) {
		const isWord =
			/^[\p{L}\p{M}.'\u2019 "\u05f4-]{2,}$/u.test(name) || /^(?:\p{Script=Han}|\p{Script=Hangul}|%)$/u.test(name);
		if (!isWord || beside.has(name)) continue;
		for (const [meaning, locales] of known) {
			if (!isShort(name) || locales.size >= FEWEST_LOCALES) (names[meaning] ??= []).push(name);
		}
	}
	return names;
}
