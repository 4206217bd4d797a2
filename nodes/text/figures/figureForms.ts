/**
 * Figures that are no amounts: the digits of names (COVID-19), decades ('70s), times of day (15:00, 3 pm). Each form is
 * taken out of a text, so that its digits hold nothing else, and is compared with its own kind.
 */

/** A figure of one of these forms, as it stands in the text. */
export interface FormedFigure {
	text: string;
	/** What it says: figures of one kind with a key in common say the same. */
	keys: string[];
	/** What it is about: of a name, its letters. Figures with the same subject and no key in common are different. */
	subject: string;
	/** For what a text of another form may hold, the digits. */
	digits: string;
}

/** The forms of a text, and the rest of it. */
export interface FormedText {
	forms: FormedFigure[];
	rest: string;
}

/** Letters of Latin, Greek or Cyrillic directly before digits, with or without a hyphen, as a word of its own. */
const NAME =
	/(?<![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}])([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]{1,12})([-\u2010\u2011]?)(\d{1,4}(?:\.\d{1,3}){0,2})(?![\p{N}%]|[.,:]\d)/gu;

/** The signs of currencies in letters, "ca" and the v of versions stand directly before amounts; so do codes. */
const BEFORE_AMOUNTS = new Set([
	...Intl.supportedValuesOf('currency'),
	'US',
	'FY',
	'Rs',
	'kr',
	'Fr',
	'ca',
	'circa',
	'v',
]);

/** Also of digits that are none of a decade: `77er` is not `70er`. */
const DECADES = [
	/(?<![\p{L}\d.,]|\p{L}-)['\u2019]?((?:1\d|20)?\d\d)['\u2019]?s(?!\p{L})/gu,
	/(?<![\p{L}\d.,])((?:1\d|20)?\d\d)er[ns]?(?!\p{L})(?:[ -]?Jahren?)?/gu,
	/(?<![\d.,])((?:1\d|20)?\d\d)\s?\u5e74\u4ee3/gu,
];

/** 20世紀70年代 are the 1970s. */
const IN_CENTURY = /(?<!\d)(\d\d)\s?\u4e16[\u7d00\u7eaa]\s?(\d0)(?=\s?\u5e74\u4ee3)/gu;

function decadeKeys(digits: string): string[] {
	return digits.length === 4 ? [digits, digits.slice(2)] : [digits];
}

const TIME =
	/(?<![\d.,:])(\d{1,2})(?:[:.](\d{2}))?(?::\d{2})?\s?(a\.?m\b\.?|p\.?m\b\.?|Uhr\b)|(?<![\d.,:])([01]?\d|2[0-3])(?::([0-5]\d)(?![\d:])|\.([0-5]\d)(?=\s?[-\u2013]\s?\d{1,2}(?:[:.]\d{2})?\s?(?:[ap]\.?m\b|Uhr\b)))/giu;
const TIME_IN_EAST_ASIA =
	/(?<![\d.,])(\d{1,2})\s?(?:[\u6642\u65f6](?![\u9593\u95f4])|[\u70b9\u9ede](?=\s?\d{1,2}\u5206))(?:\s?(\d{1,2})\u5206|(\u534a))?/gu;

/** Minutes of the day; of a time without half of the day, both that it may be. */
function timeKeys(hours: number, minutes: number, half: string): string[] {
	if (hours > 24 || minutes > 59) return [];
	const isAfter = /^p/i.test(half);
	if (/^[ap]/i.test(half)) return [String(((hours % 12) + (isAfter ? 12 : 0)) * 60 + minutes)];
	const own = hours * 60 + minutes;
	return hours > 0 && hours <= 12 && half === ''
		? [String(own), String((hours % 12) * 60 + minutes + 720)]
		: [String(own)];
}

/** The forms in a text whose digits are 0 to 9. */
export function formsIn(text: string): FormedText {
	const forms: FormedFigure[] = [];
	let rest = text.replace(IN_CENTURY, (_whole, century: string, decade: string) => `${Number(century) - 1}${decade}`);
	const take = (form: FormedFigure): string => {
		forms.push(form);
		return ' ';
	};
	for (const pattern of DECADES) {
		rest = rest.replace(pattern, (whole: string, digits: string) =>
			take({ text: whole, keys: decadeKeys(digits).map((key) => `decade ${key}`), subject: 'decade', digits }),
		);
	}
	rest = rest.replace(TIME, (whole: string, ...parts: Array<string | undefined>) => {
		const [hours, minutes, half, plainHours, withColon, withDot] = parts;
		const [hour, minute] = [hours ?? plainHours ?? '', minutes ?? withColon ?? withDot ?? ''];
		const keys = timeKeys(Number(hour), Number(minute), half ?? '');
		if (keys.length === 0) return whole;
		const digits = minute === '' ? '' : `${hour}.${minute}`;
		return take({ text: whole, keys: keys.map((key) => `time ${key}`), subject: 'time', digits });
	});
	rest = rest.replace(TIME_IN_EAST_ASIA, (whole: string, hours: string, minutes = '0', half?: string) => {
		const keys = timeKeys(Number(hours), half === undefined ? Number(minutes) : 30, '');
		return keys.length === 0
			? whole
			: take({ text: whole, keys: keys.map((key) => `time ${key}`), subject: 'time', digits: '' });
	});
	rest = rest.replace(NAME, (whole: string, letters: string, hyphen: string, digits: string) => {
		const isYear = hyphen !== '' && digits.length === 4;
		if (isYear || BEFORE_AMOUNTS.has(letters)) return whole;
		const name = letters.toLowerCase();
		return take({ text: whole, keys: [`name ${name}${digits}`], subject: `name ${name}`, digits });
	});
	return { forms, rest };
}
