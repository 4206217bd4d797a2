import { isJsonObject } from '../../service/http/answer';
import { readJobId } from '../../service/jobs/jobKinds';
import { trimEnd, trimEnds } from '../../text/ends';

/** The separator of the entries of a list; `numbers` and `codes` are lists too. */
export type ListKind = 'list' | 'lines' | 'urls' | 'numbers' | 'codes' | 'tokens';

/**
 * A list of texts from an array, from JSON text of one, or from text with separators between the
 * entries (see fields/basic.ts). Entries are trimmed, empty ones dropped. Undefined for anything else.
 */
export function readList(value: unknown, separators: ListKind): string[] | undefined {
	const entries = Array.isArray(value) ? value : splitText(value, separators);
	if (!entries?.every((entry) => typeof entry === 'string' || typeof entry === 'number')) {
		return undefined;
	}
	return entries.map((entry) => String(entry).trim()).filter((entry) => entry !== '');
}

function splitText(value: unknown, separators: ListKind): unknown[] | undefined {
	if (typeof value === 'number') return [value];
	if (typeof value !== 'string') return undefined;
	const parsed = value.trimStart().startsWith('[') ? parseArray(value) : undefined;
	if (parsed) return parsed;
	if (separators === 'urls') return splitAddresses(value);
	const lines = value.split(/\r?\n/);
	if (separators === 'lines') return lines;
	return lines.flatMap(splitAtCommas);
}

/** An attribute selector such as [href] starts like an array and is none. */
function parseArray(text: string): unknown[] | undefined {
	try {
		const parsed: unknown = JSON.parse(text);
		return Array.isArray(parsed) ? parsed : undefined;
	} catch {
		return undefined;
	}
}

/** Splits at the commas that stand outside brackets and quotes. */
export function splitAtCommas(text: string): string[] {
	const parts = [''];
	let depth = 0;
	let quote = '';
	for (const character of text) {
		if (quote !== '') {
			if (character === quote) quote = '';
		} else if (character === '"' || character === "'") quote = character;
		else if ('([{'.includes(character)) depth += 1;
		else if (')]}'.includes(character)) depth = Math.max(0, depth - 1);
		if (character === ',' && depth === 0 && quote === '') parts.push('');
		else parts[parts.length - 1] += character;
	}
	// Something was left open, so it was no bracket or quote: an apostrophe, as in O'Neill.
	return depth > 0 || quote !== '' ? text.split(',') : parts;
}

export function readCountryCode(value: unknown): string | undefined {
	const code = typeof value === 'string' ? value.trim().toUpperCase() : '';
	return /^[A-Z]{2}$/.test(code) ? code : undefined;
}

/** The day of a date text, a Date or a Luxon date, which is what n8n's own expressions give. */
export function readDay(value: unknown): string | undefined {
	const text = typeof value === 'string' ? value.trim() : dateText(value);
	const day = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/.exec(text)?.[0];
	return day !== undefined && !Number.isNaN(Date.parse(day)) ? day : undefined;
}

/** Two days as the search takes them, `cdr:1,cd_min:1/31/2026,cd_max:2/28/2026`; undefined without any. */
export function timeSpanText({ from, to }: Record<string, unknown>): string | undefined {
	const parts = [from, to].map((day, index) => {
		const [year, month, date] = typeof day === 'string' ? day.split('-').map(Number) : [];
		return year === undefined ? [] : [`${index === 0 ? 'cd_min' : 'cd_max'}:${month}/${date}/${year}`];
	});
	const days = parts.flat();
	return days.length === 0 ? undefined : ['cdr:1', ...days].join(',');
}

function dateText(value: unknown): string {
	if (typeof value !== 'object' || value === null || !('toJSON' in value)) return '';
	return typeof value.toJSON === 'function' ? String(value.toJSON()) : '';
}

export function readId(value: unknown): string | undefined {
	return readJobId(value);
}

/** An id that somebody else has made, as one line of letters, digits and . _ : - */
export function readToken(value: unknown): string | undefined {
	const text = typeof value === 'string' ? value.trim() : '';
	return /^[\w.:-]{1,128}$/.test(text) ? text : undefined;
}

/** Values that are numbers or booleans become text; anything else is no header or label. */
export function readStringMap(value: unknown): Record<string, string> | undefined {
	if (!isJsonObject(value)) return undefined;
	const entries = Object.entries(value);
	const isText = entries.every(([, one]) => ['string', 'number', 'boolean'].includes(typeof one));
	return isText ? Object.fromEntries(entries.map(([name, one]) => [name, String(one)])) : undefined;
}

/** A whole number from 1, from a number or its text. */
export function readPositiveNumber(text: string): number | undefined {
	return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

/** A short name as the service takes it for issues and tags (operation feedback.submitFeedback). */
export function readCode(text: string): string | undefined {
	return /^[a-z0-9][a-z0-9_-]{0,79}$/.test(text) ? text : undefined;
}

/** Characters that stand in a text unseen, as they come from a word processor or a web page. */
const UNSEEN = '\u00a0\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff';
const UNSEEN_AT_END = new RegExp(`[\\s${UNSEEN}]`, 'u');
const UNSEEN_INSIDE = new RegExp(`[\\p{Cc}${UNSEEN}]`, 'u');
/** Marks that end a sentence or an entry of a list, and that nobody types at the end of an address. */
const END_MARK = new RegExp(`[\\s${UNSEEN}，；、،؛。．！？؟｡]`, 'u');
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Signs around an address that were copied along are no part of it. */
function withoutSurroundings(text: string): string {
	return withoutOpenEnd(trimEnd(trimEnds(text, UNSEEN_AT_END), END_MARK));
}

const CLOSING: ReadonlyMap<string, string> = new Map([
	[')', '('],
	[']', '['],
	['}', '{'],
	['>', '<'],
]);

/** Without a bracket at the end that was opened before the address, and the marks around it: `https://a.example/b).` */
function withoutOpenEnd(text: string): string {
	let left = text;
	for (;;) {
		const bare = trimEnd(left, /[.,;:!?'"\u2019\u201d\u00bb]/u);
		const last = bare.at(-1) ?? '';
		const opening = CLOSING.get(last);
		const isOpen = opening !== undefined && bare.split(opening).length < bare.split(last).length;
		if (!isOpen) return left === text ? text : bare;
		left = bare.slice(0, -1);
	}
}

/**
 * An http or https address, as typed, spaces in its path encoded as a browser does. A bare domain gets
 * https: older servers complete it themselves, but the API reference of 2026 asks for a complete address.
 * Undefined for anything else, as the service itself refuses words without a dot and other schemes
 * (recordings scrape-21 and 22).
 */
export function readWebAddress(value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	const text = withoutSurroundings(value);
	const hasScheme = SCHEME.test(text);
	const address = hasScheme ? text : `https://${text}`;
	if (!URL.canParse(address) || isTwoHosts(address)) return undefined;
	const { protocol, hostname, username } = new URL(address);
	if (protocol !== 'http:' && protocol !== 'https:') return undefined;
	// A number is an address to URL, which makes 0.0.0.7 of 7 and of 7.: all of an address must have been typed.
	const [host = ''] = text.replace(SCHEME, '').split(/[/?#:]/, 1);
	if (/^[\d.]+$/.test(host) && !/^\d{1,3}(?:\.\d{1,3}){3}$/.test(host)) return undefined;
	const hasDot = text.split(/[/?#]/, 1)[0]?.includes('.') === true;
	const isBareDomain = hasDot && /^[a-z0-9-]+(\.[a-z0-9-]+)+\.?$/i.test(hostname) && username === '';
	return hasScheme || isBareDomain ? address.replace(/ /g, '%20') : undefined;
}

/**
 * An address that was typed into another one: `https://https://a.example`, `https://a.examplehttps://b.example`,
 * `https://a.examplea.example`. Other hosts that look like two may be one.
 */
function isTwoHosts(address: string): boolean {
	const host = address.replace(SCHEME, '').split(/[/?#]/, 1)[0] ?? '';
	const half = host.slice(host.length / 2);
	return /https?:$/i.test(host) || (half.includes('.') && host === half + half);
}

/** The fault of a value that was meant to be one address, where more can be said than that it is none. */
export function addressFault(value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	const expression = expressionFault(value);
	if (expression !== undefined) return expression;
	const text = withoutSurroundings(value);
	if (isTwoHosts(text)) return 'holds one address inside another: delete what is too much';
	const unseen = UNSEEN_INSIDE.exec(text);
	if (!unseen) return undefined;
	const code = unseen[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
	return `contains an invisible character (U+${code}) after "${text.slice(0, unseen.index)}": delete it`;
}

/** Is it a list of addresses, where one was asked for? */
export function isSeveralAddresses(value: unknown): boolean {
	if (typeof value !== 'string' || expressionFault(value) !== undefined) return false;
	const text = withoutSurroundings(value);
	if (/[\r\n]/.test(text) || SEVERAL.test(text)) return true;
	const parts = splitAddresses(text);
	return (
		readWebAddress(text) === undefined && parts.length > 1 && parts.every((part) => readWebAddress(part) !== undefined)
	);
}

/** Says that a text is an expression that was not switched on: n8n sends `{{ $json.url }}` as it stands. */
export function expressionFault(value: unknown): string | undefined {
	const from = typeof value === 'string' ? value.indexOf('{{') : -1;
	return typeof value === 'string' && from >= 0 && value.includes('}}', from + 2)
		? 'holds an expression as text: switch the field from Fixed to Expression'
		: undefined;
}

/** Marks that separate the entries of a list, in the scripts of the world. */
const SEPARATORS = ',;，；、،؛|｜・／';
const SEPARATOR = new RegExp(`[${SEPARATORS}]`);
const BEFORE_SCHEME = new RegExp(`[${SEPARATORS}](?=https?://)`, 'i');
const BREAK = /\s|<br\s?\/?>|\\[nrt](?=https?:\/\/|\\|$)/i;
const SEVERAL = new RegExp(`(?:[\\s${SEPARATORS}]|<br\\s?/?>|\\\\[nrt])https?://`, 'i');

/** Stands before the entries of a list. */
const LIST_MARK = /^(?:\(?\d{1,4}[.)]|[-*+\u2022\u2013\u2014\u00b7])$/u;

/**
 * The addresses in a text: on lines of their own, or separated by spaces, commas, semicolons or bars of any script,
 * `<br>`, or a line break that is written as `\n`.
 * Such a mark may be part of an address that has a path, so there it separates only with a space or before a scheme.
 */
function splitAddresses(text: string): string[] {
	const parts = text
		.split(BREAK)
		.flatMap((part) => part.split(BEFORE_SCHEME))
		.flatMap((part) => (part.includes('/') ? [part] : part.split(SEPARATOR)))
		.map((part) => trimEnd(part, SEPARATOR))
		.filter((part) => part !== '');
	// The marks and numbers of a list are no addresses, where there are any.
	const entries = parts.filter((part) => !LIST_MARK.test(part));
	return entries.length > 0 ? entries : parts;
}

/** `*`, numbers and ranges, with steps: the service knows neither names nor macros (docs/reference/service-notes.md#schedules-of-monitors). */
const CRON_PART = String.raw`(?:\*|\d{1,2}(?:-\d{1,2})?)(?:\/\d{1,2})?`;
const CRON_FIELD = new RegExp(`^${CRON_PART}(?:,${CRON_PART})*$`);

/**
 * The reason why a cron expression is no schedule for a monitor, as a rule that it breaks; undefined when it may be
 * one.
 */
export function cronFault(text: string): string | undefined {
	const fields = text.trim().split(/\s+/);
	if (fields.length !== 5 || !fields.every((field) => CRON_FIELD.test(field))) {
		return 'must be a cron expression of five fields with numbers only, such as 0 9 * * 1-5';
	}
	return fields[3] === '*' ? undefined : 'must have * for the month: the service stands still over a yearly schedule';
}

const DIVIDES_HOUR = [5, 6, 10, 12, 15, 20, 30];
const DIVIDES_DAY = [1, 2, 3, 4, 6, 8, 12];

/**
 * The reason why a schedule in words is none that the service knows; undefined when it is
 * (docs/reference/service-notes.md#schedules-of-monitors).
 */
export function scheduleTextFault(text: string): string | undefined {
	const words = text.trim().toLowerCase().replace(/\.$/, '').replace(/\s+/g, ' ');
	const [, minutes] = /^every (\d{1,2}) ?(?:minutes?|mins?)(?: starting at [0-5]?\d)?$/.exec(words) ?? [];
	if (minutes !== undefined && DIVIDES_HOUR.includes(Number(minutes))) return undefined;
	const [, hours] = /^every (\d{1,2}) ?(?:hours?|hrs?)$/.exec(words) ?? [];
	if (hours !== undefined && DIVIDES_DAY.includes(Number(hours))) return undefined;
	const isKnown =
		/^(hourly|every hour)( at :?[0-5]?\d)?$/.test(words) ||
		/^(daily|every day)( at ([01]?\d|2[0-3])(:[0-5]\d)?)?$/.test(words) ||
		/^(daily|every day) at (0?[1-9]|1[0-2])(:[0-5]\d)? ?(am|pm)$/.test(words) ||
		/^(weekly|every week)$/.test(words);
	return isKnown
		? undefined
		: 'must be like every 30 minutes, every 6 hours, hourly, daily at 9:00 or weekly; minutes must divide an hour, hours a day';
}

/** The reason why a text is no IANA time zone; undefined when it is one. */
export function timeZoneFault(text: string): string | undefined {
	try {
		new Intl.DateTimeFormat('en', { timeZone: text.trim() });
		return undefined;
	} catch {
		return 'must be a time zone such as Europe/Oslo or UTC';
	}
}
