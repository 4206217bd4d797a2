import { datesIn } from '../text/figures/figureDates';
import { formsIn } from '../text/figures/figureForms';
import { monthsBesideDay, monthsNamed } from '../text/figures/figureNames';
import { figuresIn, scaled } from '../text/figures/figureReading';
import type { Figure } from '../text/figures/figureReading';
import { englishNumbers, hanNumbers, plainFigures } from '../text/figures/numberWords';
import type { PagePart, ProofPage, Span } from './proofPage';

/** The figures of a text in digits. */
export function figuresOf(text: string): Figure[] {
	return figuresIn(withoutForms(text));
}

/** A text without digits that count nothing, such as those of times and names; the parts of dates stand apart. */
const withoutForms = (text: string) => formsIn(datesIn(plainFigures(text)).spaced).rest;

/** The figures of a part, and its numbers in words. */
interface ReadPart {
	/** The part as figures stand in it. */
	text: string;
	figures: Figure[];
	words: number[];
}

/** Reads a part once where it is a whole line. */
function onceFor<T>(known: WeakMap<object, T>, { at, end, line, text }: PagePart, read: (text: string) => T): T {
	if (at !== line.at || end !== line.end) return read(text);
	const own = known.get(line) ?? read(text);
	known.set(line, own);
	return own;
}

const readLines = new WeakMap<object, ReadPart>();

export function readPart(part: PagePart): ReadPart {
	return onceFor(readLines, part, (whole) => {
		const text = withoutForms(whole);
		const hasFigure = /[\p{Nd}\p{L}]/u.test(text);
		const words = hasFigure ? [...englishNumbers(text), ...hanNumbers(text, false)] : [];
		return { text, figures: figuresIn(text), words };
	});
}

interface WrittenDate {
	text: string;
	months: readonly number[];
	numbers: number[];
}

/** A date of a line, and where in the line it stands, if it stands there as it was read. */
interface PlacedDate extends WrittenDate {
	place: Span | undefined;
}

/** The dates of a text, with the figures that stand beside their months: `May 3, 2024` has its year behind the day. */
export function writtenDates(text: string): WrittenDate[] {
	const plain = plainFigures(text);
	const short = [...plain.matchAll(SHORT_MONTH)].flatMap(({ 0: date, 1: day, 2: word = '', 3: year }) => {
		const months = monthsNamed(word).length > 0 ? [] : monthsBesideDay(word);
		return months.length === 0 ? [] : [{ text: date, months, numbers: [Number(day), Number(year)] }];
	});
	const named = datesIn(plain).dates.map(({ text: date, months, beside }) => {
		const behind = plain.slice(plain.indexOf(date) + date.length);
		const [more = '', year] = /^(?:st|nd|rd|th)?,?\s{0,2}(\d{4})(?!\d)/.exec(behind) ?? [];
		return { text: date + more, months, numbers: [...beside, ...(year === undefined ? [] : [year])].map(Number) };
	});
	return [...named, ...short];
}

const readDates = new WeakMap<object, PlacedDate[]>();

export function datesOf(part: PagePart): PlacedDate[] {
	return onceFor(readDates, part, (line) => {
		let from = 0;
		return writtenDates(line).map((date) => {
			const text = date.text.trim();
			const next = line.indexOf(text, from);
			// Those of one kind stand in their order.
			const at = next === -1 ? line.indexOf(text) : next;
			if (at !== -1) from = at + text.length;
			return { ...date, text, place: at === -1 ? undefined : { at, end: at + text.length } };
		});
	});
}

/** Between a day and a year, a word of few letters is a month: `12 lut 2026`. */
const SHORT_MONTH = /(?<![\d.,])(\d{1,2})\.?\s(?:de\s)?(\p{L}{2,5})\.?,?\s(?:de\s)?(\d{4})(?!\d)/giu;

/** Times that count from today. */
export const AGO =
	/\b(?:\d+|an?|one)\s+(?:minute|hour|day|week|month|year)s?\s+ago\b|\b(?:yesterday|today|just now|gestern|heute|hier|aujourd'hui|ayer|hoy|ieri|oggi|ontem|hoje)\b|\bvor\s+(?:\d+|einem|einer)\s|\b(?:hace|il y a|há|fa)\s+\d|\d\s?(?:分|時間|小时|小時|日|天|週間|周|か月|个月|年)前|вчера|сегодня|назад/iu;

/** As addresses are written that programs shall not find. */
export const OBFUSCATED = /[([{\s](?:at|arroba)[)\]}\s]|[([{\s](?:dot|punkt|punto)[)\]}\s]|\(a\)|\[ät\]/iu;

/** Units that a value may have been computed from: thousands, millions, a percentage as a share. */
export const FACTORS = [100, 1e3, 1e6, 1e9];

/** The lines of a page that have something, and by what they are found: looked through once for all values. */
interface PageIndex {
	/** By the values and readings of their figures. */
	figures: Map<string, PagePart[]>;
	dates: PagePart[];
	links: PagePart[];
	/** With an @ or the words for one, or with so many digits that they may be a telephone number. */
	contacts: PagePart[];
}

const indexes = new WeakMap<ProofPage, PageIndex>();

function indexOf(page: ProofPage): PageIndex {
	const known = indexes.get(page);
	if (known) return known;
	const parts = page.partsIn([page.whole]);
	const figures = new Map<string, PagePart[]>();
	for (const part of parts) {
		const read = readPart(part);
		const all = read.figures.flatMap((one) => [...one.values, ...one.otherValues, ...one.readings, ...one.parts]);
		for (const key of new Set([...all, ...read.words.map(String)])) {
			const others = figures.get(key);
			if (others) others.push(part);
			else figures.set(key, [part]);
		}
	}
	const index = {
		figures,
		dates: parts.filter((part) => AGO.test(part.text) || datesOf(part).length > 0),
		links: parts.filter(({ line }) => line.links.length > 0),
		contacts: parts.filter(({ text, line }) => {
			return /@|\d(?:\D{0,3}\d){5}/.test(text) || OBFUSCATED.test(text) || line.links.length > 0;
		}),
	};
	indexes.set(page, index);
	return index;
}

/** Whether a whole page is asked for: then its index is, and not each line. */
export const isWholePage = (page: ProofPage, [first, ...more]: readonly Span[]) =>
	more.length === 0 && first?.at === 0 && first.end === page.text.length;

/** The parts that may have one of these figures, as it is or in another unit. */
export function partsWithFigure(page: ProofPage, spans: readonly Span[], keys: readonly string[]): readonly PagePart[] {
	if (!isWholePage(page, spans)) return page.partsIn(spans);
	const { figures } = indexOf(page);
	const all = keys.flatMap((key) => [
		key,
		...FACTORS.flatMap((factor) => [scaled(key, factor), scaled(key, 1 / factor)]),
	]);
	const found = new Set(all.flatMap((key) => figures.get(key) ?? []));
	return [...found].sort((one, other) => one.at - other.at);
}

/** The parts that have something; of a few lines, all of them. */
export function partsWith(
	page: ProofPage,
	spans: readonly Span[],
	what: 'dates' | 'links' | 'contacts',
): readonly PagePart[] {
	return isWholePage(page, spans) ? indexOf(page)[what] : page.partsIn(spans);
}
