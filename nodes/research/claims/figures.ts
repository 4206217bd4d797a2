import { trimEnd, trimEnds } from '../../text/ends';
import { compareMonths, datesIn } from '../../text/figures/figureDates';
import type { DatedText } from '../../text/figures/figureDates';
import { formsIn } from '../../text/figures/figureForms';
import type { FormedFigure, FormedText } from '../../text/figures/figureForms';
import { namesScale } from '../../text/figures/figureNames';
import { figuresIn, scaled, wordFigure } from '../../text/figures/figureReading';
import type { Figure } from '../../text/figures/figureReading';
import { englishNumbers, hanNumbers, plainFigures } from '../../text/figures/numberWords';

/** Numbers up to here are often written as words, in languages that are not known here. */
const LARGEST_WORD = 100;

/** The factors of words for scales, in any language: thousands, and 万, lakh, crore, 亿. */
const POWERS = [1, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e12];

/** What is left open of the figures of a statement beside its passage. */
export interface FigureComparison {
	/** Figures that the passage says otherwise, or does not say. */
	different: string[];
	/** Figures of which code cannot tell whether the passage says them: it may do so in words. */
	unclear: string[];
}

/** Texts that may hold the figures of a statement, as they were read. */
interface Holder {
	texts: string[];
	dates: DatedText[];
	forms: FormedFigure[];
	/** Figures in digits, and numbers in words. */
	figures: Figure[];
	/** Of these, what is certainly a number: "one" and "second" are not always. */
	certain: Figure[];
}

/**
 * The figures of a statement beside its passage, as a reader would write them; `context` may hold them, too. "1,400",
 * "1.400" and "1400" are one, so are "€" and "EUR", 1.2万 and 12,000, 15:00 and 3 pm, '70s and 1970s, 2024-05-03 and
 * 3 May 2024. Months, units and scales are known by the names that Intl has. Different is what both say in a way that is
 * known: what the passage may say in words, or in a scale of another language, is unclear. A small number may be a word in
 * the passage, unless a figure of the passage is left that the statement does not have.
 */
export function compareFigures(
	statement: string,
	passage: readonly string[],
	context: readonly string[] = [],
): FigureComparison {
	const ownDates = datesIn(plainFigures(statement));
	const own = formsIn(ownDates.rest);
	const said = [...figuresIn(own.rest), ...hanNumbers(own.rest, true).map(wordFigure)];
	const [inPassage, inContext] = [holderOf(passage), holderOf(context)];
	const forms = [...inPassage.forms, ...inContext.forms];
	const named = forms.filter((form) => isNamedIn(own.rest, form)).flatMap(({ digits }) => figuresIn(digits));
	const inOwn = [...inPassage.figures, ...named];
	const held = [...inOwn, ...inContext.figures];
	const isLeft = (one: Figure) => !said.some((figure) => isHeld(figure, [one]));
	const isWordFree = !inPassage.certain.some(isLeft);
	const missing = said.filter((figure) => !isHeld(figure, held));
	const saidWords = new Set(statement.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []);
	const mayBeSaid = (figure: Figure) => {
		// Digits that the passage has in another form, such as a name, may be meant all the same.
		if (forms.some(({ digits }) => isHeld(figure, figuresIn(digits)))) return true;
		if (isWordFree && mayBeWord(figure)) return true;
		return held.some((one) => {
			if (areUnitsDifferent(figure, one)) return false;
			// One of the two may have its sign in words.
			if (isSameAmount(figure, one)) return figure.sign === '' || one.sign === '';
			return mayBeSame(figure, one, saidWords, inPassage.texts) || isRounded(figure, one);
		});
	};
	// The question may name a figure that its page does not confirm: it asks for 500 users, and the page says 450 users.
	const isOnlyAsked = (figure: Figure) =>
		isHeld(figure, held) && !isHeld(figure, inOwn) && inOwn.some((other) => isOfOneUnit(figure, other));
	const shown = ({ readings, unit }: Figure) => `${readings[0] ?? ''}${unit === '%' ? ' %' : unit}`;
	const open = own.forms.filter((form) => !isFormHeld(form, forms, held));
	const isSaidOtherwise = ({ subject }: FormedFigure) => forms.some((other) => other.subject === subject);
	const months = compareMonths(ownDates, inPassage.dates, inContext.dates);
	return {
		different: [
			...open.filter(isSaidOtherwise).map(({ text }) => text.trim()),
			...missing.filter((figure) => !mayBeSaid(figure)).map(shown),
			...months.different,
		],
		unclear: [
			...open.filter((form) => !isSaidOtherwise(form)).map(({ text }) => text.trim()),
			...missing.filter(mayBeSaid).map(shown),
			...said.filter(isOnlyAsked).map(shown),
			...months.unclear,
		],
	};
}

/** The figures that are different. */
export function missingFigures(
	statement: string,
	passage: readonly string[],
	context: readonly string[] = [],
): string[] {
	return compareFigures(statement, passage, context).different;
}

function holderOf(texts: readonly string[]): Holder {
	const plain = texts.map(plainFigures);
	const dates = plain.map(datesIn);
	const formed: FormedText[] = dates.map(({ spaced }) => formsIn(spaced));
	const inDigits = formed.flatMap(({ rest }) => figuresIn(rest));
	const inWords = formed.flatMap(({ rest }) => englishNumbers(rest));
	const ofHan = (isSaid: boolean) => formed.flatMap(({ rest }) => hanNumbers(rest, isSaid)).map(wordFigure);
	return {
		texts: plain,
		dates,
		forms: formed.flatMap(({ forms }) => forms),
		figures: [...inDigits, ...inWords.map(wordFigure), ...ofHan(false)],
		certain: [...inDigits, ...inWords.filter((value) => value > 2).map(wordFigure), ...ofHan(true)],
	};
}

/** Whether two figures are of one unit, as far as signs and the words behind them show it. */
function isOfOneUnit(one: Figure, other: Figure): boolean {
	if (one.unit !== '' || other.unit !== '') return one.unit === other.unit;
	if (one.units.length > 0) return one.units.some((unit) => other.units.includes(unit));
	return one.word.length > 2 && one.word === other.word;
}

/** Whether both show a unit, and not the same. If only one does, the figure alone decides, and the model the rest. */
function areUnitsDifferent(one: Figure, other: Figure): boolean {
	if (one.unit !== '' && other.unit !== '') return one.unit !== other.unit;
	if (one.units.length === 0 || other.units.length === 0) return false;
	return !one.units.some((unit) => other.units.includes(unit));
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

function isHeld(said: Figure, held: readonly Figure[]): boolean {
	if (held.some((one) => said.sign === one.sign && !areUnitsDifferent(said, one) && isSameAmount(said, one)))
		return true;
	if (said.parts.length === 0) return false;
	// Each number of the passage stands for one: `266 266` is not held by `266 267`.
	const left = held.flatMap(({ readings, parts }) => [...readings, ...parts]);
	return said.parts.every((part) => {
		const at = left.indexOf(part);
		if (at !== -1) left.splice(at, 1);
		return at !== -1;
	});
}

function isSameAmount(said: Figure, held: Figure): boolean {
	if (said.values.some((one) => held.values.includes(one))) return true;
	// `1,000` may be 1: that is no part of `1 001`.
	return said.scale === 1 && said.readings.length === 1 && said.readings.some((one) => held.parts.includes(one));
}

/** Whether a figure may be written as a word, in a language that is not known here: 7, 1.5, 200, 3 million. */
function mayBeWord({ readings: [value = ''] }: Figure): boolean {
	const number = Number(value);
	return (number <= LARGEST_WORD && Number.isInteger(number * 2)) || /^[1-9]0+$/.test(value);
}

/** With one digit alone, such as that of a date, most thousands would be some other number's. */
const LEAST_DIGITS = 2;

/** Whether one of two figures may be the other by a scale that is not certain: a letter, a word that is not known. */
function mayBeSame(said: Figure, held: Figure, saidWords: ReadonlySet<string>, passage: readonly string[]): boolean {
	const [all, others] = [said, held].map(({ values, otherValues }) => [...values, ...otherValues]);
	if (all?.some((value) => others?.includes(value))) return true;
	const isUnknown = (one: Figure) => one.isUnknown && one.scale === 1;
	const isScaled = (small: Figure, large: Figure) => {
		const digits = trimEnds(small.readings[0]?.replace(/\D/g, '') ?? '', /0/).length;
		const isNear = large.scale > 1 && small.readings.some((one) => large.readings.includes(one));
		if (digits < LEAST_DIGITS && !isNear) return false;
		return small.values.some((from) => POWERS.some((power) => large.values.includes(scaled(from, power))));
	};
	// A word that both texts have is that of a thing.
	if (isUnknown(held) && !saidWords.has(held.word) && isScaled(held, said)) return true;
	if (isUnknown(said) && said.word !== held.word && isScaled(said, held)) return true;
	// A table has its scale in its head.
	const isBare = held.scale === 1 && said.scale > 1 && said.readings.some((one) => held.readings.includes(one));
	return isBare && passage.some((text) => namesScale(text, said.scale));
}

/** How far a figure may be from the one that it rounds. */
const ROUNDED_BY = 0.1;

/** Figures that end with two zeros count as round. */
const LEAST_ROUND = 100;

/** Whether a figure may be another one, rounded: "more than 10,000" for 10,412. Years are not rounded. */
function isRounded({ values: [shown = ''], unit }: Figure, { values: [exact = ''], unit: otherUnit }: Figure): boolean {
	const [round, value] = [Number(shown), Number(exact)];
	if (unit !== otherUnit || !(value > 0) || /^(?:1[5-9]|20)\d\d$/.test(exact)) return false;
	const step = 10 ** (shown.length - trimEnd(shown, /0/).length);
	if (shown.includes('.') || step < LEAST_ROUND || value % step === 0) return false;
	return Math.abs(round - value) < step && Math.abs(round - value) <= ROUNDED_BY * value;
}
