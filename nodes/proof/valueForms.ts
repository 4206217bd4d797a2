import { scaled } from '../text/figures/figureReading';
import type { Figure } from '../text/figures/figureReading';
import { literally } from '../text/linePatterns';
import { plainFigures } from '../text/figures/numberWords';
import { boundOf } from './bounds';
import type { Bound } from './bounds';
import { currenciesBeside, currenciesIn, currencyCode } from './currencies';
import { SEARCHED_AT_ONCE, absolute, evenWords, isWithin } from './proofPage';
import type { PagePart, ProofPage, Span } from './proofPage';
import {
	AGO,
	FACTORS,
	OBFUSCATED,
	datesOf,
	figuresOf,
	partsWith,
	partsWithFigure,
	readPart,
	writtenDates,
} from './readParts';

/** Why a value is not found, or cannot be told. */
export type Reason =
	/** It stands nowhere on the page. */
	| 'notFound'
	/** It stands elsewhere on the page only, beside another thing. */
	| 'otherPlace'
	/** The page gives the amount in another currency. */
	| 'otherUnit'
	/** The page gives an end of a range, or a bound, and no number. */
	| 'isRange'
	/** The page leaves open which date is meant. */
	| 'notExact'
	/** Only a reader can tell: yes or no, one of a list, a long text, another script, what follows by computing. */
	| 'yesNo'
	| 'choice'
	| 'longText'
	| 'otherScript'
	| 'computed'
	/** The page has no text, or is longer than what of it is read. */
	| 'notRead';

/** What a look-up gives. `words` and `at`: what the page says, and where. */
export interface Finding {
	state: 'found' | 'absent' | 'unchecked';
	reason?: Reason;
	words?: string;
	at?: number;
	/** All places where it stands, the first one at `at`. */
	places?: readonly Span[];
	/** The currencies beside an amount, by their codes. */
	currencies?: readonly string[];
	/** Of a figure that is a bound or an end of a range, which one. */
	bound?: Bound;
}

const ABSENT: Finding = { state: 'absent', reason: 'notFound' };

/** What a value is, by itself: code looks it up by that. */
export type ValueKind = 'number' | 'amount' | 'currency' | 'date' | 'address' | 'email' | 'phone' | 'text' | 'longText';

/** A longer text is a sentence: only a reader can tell whether the page says it. */
const MOST_WORDS = 10;

const EMAIL = /^[\w.+'-]{1,64}@[\w-]+(?:\.[\w-]+)+$/;
const PHONE = /^\+?[\d\s().\-/]{7,25}(?:\s?(?:ext|x|Durchwahl)\.?\s?\d{1,5})?$/i;

/** A date, a version or an amount is none. */
function isPhone(text: string): boolean {
	if (!PHONE.test(text) || text.replace(/\D/g, '').length < 7 || /\d{4}-\d\d-\d\d/.test(text)) return false;
	return /^[+(0]/.test(text) || /^\d{2,4}[-\s/]\d{2,4}/.test(text);
}

/** The kinds of the last short texts: each is asked for many times in a row of look-ups. They take a megabyte at most. */
const kinds = new Map<string, ValueKind>();
const MOST_KINDS = 5000;
const LONGEST_KEPT = 100;

/** The kind of a text or a number. */
export function kindOf(value: string | number): ValueKind {
	if (typeof value === 'number') return 'number';
	if (value.length > LONGEST_KEPT) return kindOfText(value.trim());
	const known = kinds.get(value);
	if (known !== undefined) return known;
	if (kinds.size >= MOST_KINDS) kinds.clear();
	const kind = kindOfText(value.trim());
	kinds.set(value, kind);
	return kind;
}

function kindOfText(text: string): ValueKind {
	if (/^(?:https?:\/\/|www\.)\S+$/i.test(text) || /^\/[\w-]\S*$/.test(text)) return 'address';
	if (EMAIL.test(text.replace(/^mailto:/i, ''))) return 'email';
	if (currencyCode(text) !== undefined) return 'currency';
	if (dateOf(text)) return 'date';
	if (isPhone(text)) return 'phone';
	if (/^[-+]?\d+(?:[.,]\d+)*$/.test(text)) return 'number';
	const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
	const length = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(text)
		? text.length / 3
		: words.length;
	if (length > MOST_WORDS) return 'longText';
	return words.length <= 5 && figuresOf(text).length === 1 && isAmount(text) ? 'amount' : 'text';
}

/** One figure with the sign or name of a currency, or a percentage: `€39`, `39 USD`, `12 %`. */
function isAmount(text: string): boolean {
	return /%/.test(text) || currenciesIn(text, []).length > 0;
}

/** Looks a value up in these parts of a page. */
export function lookUp(value: string | number, kind: ValueKind, page: ProofPage, spans: readonly Span[]): Finding {
	const own = withoutHeadings(page, spans);
	const finding = lookUpAs(value, kind, page, own);
	if (finding.state === 'found' || own.length === spans.length || typeof value === 'number') return finding;
	// A heading above several objects is what they have in common, where it says nothing else.
	const headings = spans.filter((span) => !own.includes(span));
	const above = headings.find((heading) => {
		const { words = '', state } = lookUpAs(value, kind, page, [heading]);
		return state === 'found' && words.length >= WHOLE_HEADING * (heading.end - heading.at);
	});
	return above ? lookUpAs(value, kind, page, [above]) : finding;
}

const WHOLE_HEADING = 0.6;

function lookUpAs(value: string | number, kind: ValueKind, page: ProofPage, spans: readonly Span[]): Finding {
	const text = String(value);
	switch (kind) {
		case 'number':
			return firstFound(lookUpCode(text, page, spans), () => lookUpNumber(value, page, spans));
		case 'amount':
			return firstFound(lookUpText(text, page, spans), () => lookUpAmount(text, page, spans));
		case 'currency':
			return lookUpCurrency(text, page, spans);
		case 'date':
			return withPlacesOf(lookUpText(text, page, spans), lookUpDate(text, page, spans));
		case 'address':
			return lookUpAddress(text, page, spans);
		case 'email':
			return lookUpEmail(text, page, spans);
		case 'phone':
			return lookUpPhone(text, page, spans);
		case 'text':
			return lookUpText(text, page, spans);
		case 'longText':
			return firstFound(lookUpText(text, page, spans), () => ({ state: 'unchecked', reason: 'longText' }));
	}
}

function firstFound(finding: Finding, otherwise: () => Finding): Finding {
	return finding.state === 'found' ? finding : otherwise();
}

/** What is found in either form: a date may stand in one cell in figures, and in another one in words. */
function withPlacesOf(one: Finding, other: Finding): Finding {
	if (one.state !== 'found') return other;
	const places = [...(one.places ?? []), ...(other.places ?? [])];
	// The same place is none of its own.
	return { ...one, places: places.filter(({ at }, index) => places.findIndex((place) => place.at === at) === index) };
}

/** Headings stand above many things: their figures are of none of them. */
export function withoutHeadings(page: ProofPage, spans: readonly Span[]): readonly Span[] {
	if (spans.length < 2) return spans;
	const isHeading = ({ at, end }: Span) => {
		const line = page.lineAt(at);
		return line?.kind === 'heading' && line.at === at && line.end === end;
	};
	return spans.filter((span, index) => index === 0 || !isHeading(span));
}

function foundAt(page: ProofPage, { at, end }: Span): Finding {
	return { state: 'found', at, words: page.text.slice(at, end) };
}

/** Most lines that the parts of one text, such as of a postal address, may be spread over. */
const MOST_LINES = 6;

function lookUpText(text: string, page: ProofPage, spans: readonly Span[]): Finding {
	const all = page.placesOf(text).filter((place) => isWithin(place, spans));
	if (all[0]) return { ...foundAt(page, all[0]), places: all };
	const parts = text
		.split(/[,;|\n]/)
		.map((part) => part.trim())
		.filter((part) => part !== '');
	if (parts.length > 1) {
		for (const first of page.placesOf(parts[0] ?? '')) {
			if (!isWithin(first, spans)) continue;
			let last = first;
			const isThere = parts.slice(1).every((part) => {
				const next = page.placesOf(part).find(({ at }) => at >= last.end);
				if (next) last = next;
				return next !== undefined;
			});
			const span = { at: first.at, end: last.end };
			if (isThere && isWithin(span, spans) && page.partsIn([span]).length <= MOST_LINES) return foundAt(page, span);
		}
	}
	const code = lookUpCode(text, page, spans);
	if (code.state === 'found') return code;
	return isOfOtherScript(text, page) ? { state: 'unchecked', reason: 'otherScript' } : ABSENT;
}

/** So many digits has a code: an IBAN, an ISBN, a tax number. */
const LEAST_DIGITS = 6;

/** A code, whose groups may be written with spaces, hyphens and dots between them, or in one. */
function lookUpCode(text: string, page: ProofPage, spans: readonly Span[]): Finding {
	const signs = text.toUpperCase().replace(/[\s.\-/]/g, '');
	const isCode = /^[A-Z\d]{9,34}$/.test(signs);
	if (!isCode || signs.replace(/\D/g, '').length < LEAST_DIGITS) return ABSENT;
	const grouped = new RegExp(`(?<![\\p{L}\\p{N}])${[...signs].join('[\\s.\\-/]?')}(?![\\p{L}\\p{N}])`, 'giu');
	const all = [...page.text.matchAll(grouped)].map(({ index, 0: found }) => ({ at: index, end: index + found.length }));
	const places = all.filter((place) => isWithin(place, spans));
	return places[0] ? { ...foundAt(page, places[0]), places } : ABSENT;
}

const SCRIPTS = [
	'Latin',
	'Cyrillic',
	'Greek',
	'Arabic',
	'Hebrew',
	'Han',
	'Hiragana',
	'Katakana',
	'Hangul',
	'Thai',
	'Devanagari',
].map((script) => new RegExp(`\\p{Script=${script}}`, 'u'));

/** Whether the page has no letter of the text's script: it may say the same in another one. */
function isOfOtherScript(text: string, page: ProofPage): boolean {
	const own = SCRIPTS.filter((script) => script.test(text));
	return own.length > 0 && own.every((script) => !script.test(page.text));
}

function lookUpNumber(value: string | number, page: ProofPage, spans: readonly Span[]): Finding {
	const keys = typeof value === 'number' ? [scaled(String(Math.abs(value)), 1)] : (figuresOf(value)[0]?.readings ?? []);
	const isNegative = typeof value === 'number' ? value < 0 : value.trim().startsWith('-');
	let range: Finding | undefined;
	let found: Finding | undefined;
	const places: Span[] = [];
	let computed = false;
	for (const part of partsWithFigure(page, spans, keys)) {
		const { text, figures, words } = readPart(part);
		if (!page.spend(5 * figures.length + 1)) break;
		const seen = new Set<string>();
		for (const figure of figures) {
			const readings = [...figure.values, ...figure.otherValues, ...figure.parts];
			const isSame = keys.some((key) => readings.includes(key));
			if (isSame && (!isNegative || figure.sign === '-') && !isNoNumber(figure, text, value)) {
				const bound = boundOf(text, figure);
				if (bound) {
					range ??= { state: 'absent', reason: 'isRange', bound, at: part.at, words: text.trim().slice(0, 80) };
					continue;
				}
				// Two numbers with a space between them may be one.
				const token = keys.find((key) => figure.parts.includes(key)) ?? figure.token;
				if (seen.has(figure.token) || !page.spend(part.text.length / SEARCHED_AT_ONCE)) continue;
				seen.add(figure.token);
				const inToken = Math.max(0, figure.token.indexOf(token));
				const all = placesOf(figure.token, part.text).map((index) => index + inToken);
				const own = all.filter((at) => !isDayAt(part, at, token)).map((at) => part.at + at);
				if (all.length > 0 && own.length === 0) continue;
				places.push(...own.map((at) => ({ at, end: at + token.length })));
				if (found) continue;
				const read = { ...figure, at: figure.at + inToken, token };
				const currencies = currenciesOf(page, part, text, read);
				found = { state: 'found', at: own[0] ?? part.at, words: token, currencies };
			} else computed ||= isComputed(keys, figure);
		}
		if (!isNegative && words.some((word) => keys.includes(String(word)))) {
			places.push({ at: part.at, end: part.end });
			found ??= { state: 'found', at: part.at, words: text.trim().slice(0, 80) };
		}
	}
	if (found) return { ...found, places };
	if (range) return range;
	return computed ? { state: 'unchecked', reason: 'computed' } : ABSENT;
}

/** Whether a short figure is a part of a date: its day counts nothing. */
function isDayAt(part: PagePart, at: number, token: string): boolean {
	const isIn = (date: Span | undefined) => date !== undefined && date.at <= at && at + token.length <= date.end;
	return token.length <= 2 && datesOf(part).some(({ place }) => isIn(place));
}

/** Digits that count nothing: `0221` of a telephone, the 2 of m². */
function isNoNumber({ token, at }: Figure, text: string, value: string | number): boolean {
	if (/^0\d/.test(token) && !(typeof value === 'string' && value.startsWith('0'))) return true;
	return /^[23]$/.test(token) && /(?<!\p{L})(?:[kcdm]?m|ft|in|yd)\s$/u.test(text.slice(Math.max(0, at - 4), at));
}

/** Where the digits of a figure stand in a text: those of dates and names were taken out of what it was read from. */
function placesOf(token: string, text: string): number[] {
	const digits = literally(token).replace(/\s/g, '\\s');
	return [...text.matchAll(new RegExp(`(?<!\\d)${digits}(?!\\d)`, 'g'))].map(({ index }) => index);
}

/** Whether a number may be a figure of the page in another unit: in millions, as a share of one. */
function isComputed(keys: readonly string[], figure: Figure): boolean {
	if (figure.scale !== 1 && keys.some((key) => figure.readings.includes(key))) return true;
	if (figure.unit === '%') return keys.some((key) => figure.readings.includes(scaled(key, 100)));
	if (figure.scale === 1 && figure.units.length === 0) return false;
	return keys.some((key) =>
		FACTORS.some((factor) => {
			const times = scaled(key, factor);
			return [...figure.readings, ...figure.values].some((one) => one === times || scaled(one, factor) === key);
		}),
	);
}

/** The currencies of an amount: beside it, in the head of its column, in the headings above it. */
function currenciesOf(page: ProofPage, { line, at }: PagePart, text: string, figure: Figure): readonly string[] {
	const beside = currenciesBeside(text, figure.at, figure.token.length, page.dollars);
	if (beside.length > 0) return beside;
	const column = line.cells.findIndex((cell) => cell.at <= at + figure.at && at + figure.at <= cell.end);
	const inHead = currenciesIn(line.heads[column] ?? line.heads.join(' '), page.dollars);
	return inHead.length > 0 ? inHead : currenciesIn(line.path, page.dollars);
}

function lookUpAmount(value: string, page: ProofPage, spans: readonly Span[]): Finding {
	const [own] = figuresOf(value);
	if (!own) return ABSENT;
	const wanted = currenciesIn(value, page.dollars);
	let other: Finding | undefined;
	for (const part of partsWithFigure(page, spans, own.values)) {
		const { text, figures } = readPart(part);
		if (!page.spend(figures.length + 1)) break;
		for (const figure of figures) {
			if (!own.values.some((one) => figure.values.includes(one))) continue;
			const found = { at: part.at, words: text.trim().slice(0, 80) };
			const bound = boundOf(text, figure);
			if (bound && !boundOf(value, { ...own, at: value.indexOf(own.token) })) {
				other ??= { state: 'absent', reason: 'isRange', bound, ...found };
				continue;
			}
			const isPercent = own.unit === '%' || figure.unit === '%';
			const currencies = currenciesOf(page, part, text, figure);
			const isOfUnit = isPercent ? own.unit === figure.unit : wanted.some((one) => currencies.includes(one));
			if (isOfUnit) return { state: 'found', ...found, currencies };
			other ??= { state: 'absent', reason: 'otherUnit', ...found };
		}
	}
	return other ?? ABSENT;
}

function lookUpCurrency(value: string, page: ProofPage, spans: readonly Span[]): Finding {
	const code = currencyCode(value.trim()) ?? '';
	for (const { line, at, text } of page.partsIn(spans)) {
		const around = [text, ...line.heads, line.path];
		const isThere = around.some((one) => currenciesIn(one, page.dollars).includes(code));
		if (isThere) return { state: 'found', at, words: text.slice(0, 80) };
	}
	return page.currencies.length === 1 && page.currencies.includes(code) ? { state: 'found' } : ABSENT;
}

interface DateParts {
	year?: number;
	month: number;
	day?: number;
}

/** A date of a value: `2024-05-03`, with or without a time, `2024-03`, or in words. Undefined for any other text. */
function dateOf(text: string): DateParts | undefined {
	const iso = /^(\d{4})-(\d\d)(?:-(\d\d))?(?:[T ][\d:.+\-Z ]*)?$/.exec(text);
	if (iso) {
		const [, year, month, day] = iso;
		return { year: Number(year), month: Number(month), ...(day !== undefined && { day: Number(day) }) };
	}
	if (text.length > 40) return undefined;
	const [date, more] = writtenDates(text);
	const [month] = date?.months ?? [];
	if (!date || more || month === undefined || date.months.length > 1) return undefined;
	// Words and figures beside the date are a text.
	const rest = plainFigures(text).replace(date.text, '');
	if (/\d/.test(rest) || rest.replace(/[\s.,/\-:()]/g, '').length > 12) return undefined;
	// A date of three short figures, or a version: the last one is the year.
	const [, short] = /^\d{1,2}([./-])\d{1,2}\1(\d\d)$/.exec(text)?.slice(1) ?? [];
	const year = date.numbers.find((one) => one > 31) ?? (short === undefined ? undefined : 2000 + Number(short));
	const day = date.numbers.find((one) => one >= 1 && one <= 31);
	return { ...(year !== undefined && { year }), month, ...(day !== undefined && { day }) };
}

/** A year of two digits is one where the date has no other, and another figure, which is the day. */
function hasYear(numbers: readonly number[], year: number, day: number | undefined): boolean {
	if (numbers.some((one) => one > 999)) return numbers.includes(year);
	const others = numbers.filter((one, index) => one !== day || index !== numbers.indexOf(one));
	return numbers.length > 1 && others.includes(year % 100) && Math.abs(year - 2000) < 100;
}

/** Two figures with a sign between them, and a year: which is the day is open where both may be months. */
const OPEN_DATE = /(?<!\d)(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d\d)(?!\d)/g;

function lookUpDate(value: string, page: ProofPage, spans: readonly Span[]): Finding {
	const wanted = dateOf(value.trim());
	if (!wanted) return ABSENT;
	const { year, month, day } = wanted;
	let isOpen = false;
	let first: Finding | undefined;
	const places: Span[] = [];
	for (const part of partsWith(page, spans, 'dates')) {
		const dates = datesOf(part);
		if (!page.spend(dates.length + 1)) break;
		for (const { text, months, numbers, place } of dates) {
			if (!months.includes(month)) continue;
			if (year !== undefined && !hasYear(numbers, year, day)) continue;
			const isLeftOpen = months.length > 1;
			if (day !== undefined && !(isLeftOpen ? months.includes(day) : numbers.includes(day))) continue;
			const found = { at: part.at, words: text };
			if (!isLeftOpen) {
				first ??= { state: 'found', ...found };
				if (place) places.push({ at: part.at + place.at, end: part.at + place.end });
				continue;
			}
			const [, left = '', sign = ''] = new RegExp(OPEN_DATE.source).exec(text) ?? [];
			const order = orderOf(page, sign);
			if (order && Number(left) === (order === 'dayFirst' ? day : month)) first ??= { state: 'found', ...found };
			if (!order) isOpen = true;
		}
	}
	if (first) return { ...first, ...(places.length > 0 && { places }) };
	if (isOpen) return { state: 'absent', reason: 'notExact' };
	// Beside a date, "3 days ago" says nothing of its own.
	const isRelative = partsWith(page, spans, 'dates').some((part) => datesOf(part).length === 0 && AGO.test(part.text));
	return isRelative ? { state: 'unchecked', reason: 'computed' } : ABSENT;
}

/** The order of dates on the page, where one of the same form shows it. */
function orderOf(page: ProofPage, wanted: string): 'dayFirst' | 'monthFirst' | undefined {
	for (const [, first, sign, second] of page.text.matchAll(OPEN_DATE)) {
		if (sign !== wanted) continue;
		if (Number(first) > 12) return 'dayFirst';
		if (Number(second) > 12) return 'monthFirst';
	}
	return undefined;
}

const linksOf = ({ line, at, end }: PagePart) => line.links.filter((link) => at <= link.at && link.at <= end);

function lookUpAddress(value: string, page: ProofPage, spans: readonly Span[]): Finding {
	const { url } = page.source;
	const wanted = absolute(/^www\./i.test(value) ? `https://${value}` : value.trim(), url);
	const same = (one: string) => one === wanted || one.replace(/\/$/, '') === wanted.replace(/\/$/, '');
	if (same(absolute(url, url)) || page.told.has(evenWords(value))) return { state: 'found', words: url };
	for (const part of partsWith(page, spans, 'links')) {
		const link = linksOf(part).find(({ target }) => same(target));
		if (link) return { state: 'found', at: link.at, words: link.target, places: [{ at: link.at, end: link.at }] };
	}
	return lookUpText(value.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, ''), page, spans);
}

function lookUpEmail(value: string, page: ProofPage, spans: readonly Span[]): Finding {
	const wanted = value
		.trim()
		.replace(/^mailto:/i, '')
		.toLowerCase();
	for (const part of partsWith(page, spans, 'contacts')) {
		const index = part.text.toLowerCase().indexOf(wanted);
		const place = { at: part.at + index, end: part.at + index + wanted.length };
		if (index !== -1) return { state: 'found', at: place.at, words: wanted, places: [place] };
		const link = linksOf(part).find(({ target }) => target.replace(/^mailto:/, '').split('?')[0] === wanted);
		if (link) return { state: 'found', at: link.at, words: wanted, places: [{ at: link.at, end: link.at }] };
	}
	const [name = ''] = wanted.split('@');
	const isHidden = partsWith(page, spans, 'contacts').some(
		({ text }) => OBFUSCATED.test(text) && text.toLowerCase().includes(name),
	);
	return isHidden ? { state: 'unchecked', reason: 'computed' } : ABSENT;
}

const TELEPHONE = /\+?\(?\d[\d\s().\-/]{4,24}\d/g;
const LAST_DIGITS = 8;

function lookUpPhone(value: string, page: ProofPage, spans: readonly Span[]): Finding {
	for (const part of partsWith(page, spans, 'contacts')) {
		const numbers = [...part.text.matchAll(TELEPHONE)].map(({ index, 0: text }) => ({ at: part.at + index, text }));
		const links = linksOf(part).filter(({ target }) => target.startsWith('tel:'));
		const all = [...numbers, ...links.map(({ at, target }) => ({ at, text: target.slice(4) }))];
		const found = all.find(({ text }) => isSameNumber(text, value));
		if (found) {
			const { at, text } = found;
			return { state: 'found', at, words: text.trim(), places: [{ at, end: at + text.length }] };
		}
	}
	return lookUpText(value, page, spans);
}

/** Two numbers with the code of a country are the same as a whole, others by their last digits: `030` is `+49 (0)30`. */
function isSameNumber(one: string, other: string): boolean {
	const [left, right] = [one, other].map((text) => text.replace('(0)', '').replace(/^\s*00/, '+'));
	const [digits = '', others = ''] = [left, right].map((text) => text?.replace(/\D/g, ''));
	const isWhole = (left?.startsWith('+') && right?.startsWith('+')) || digits.length === others.length;
	return isWhole ? digits === others : digits.slice(-LAST_DIGITS) === others.slice(-LAST_DIGITS);
}
