/**
 * Figures and dates of texts, and whether one text holds those of another. Spelled-out numbers are read
 * only in the text that must hold them: "one" and "two" are not always figures.
 */

interface Figure {
	/** All that the figure can mean: `1.200` is 1200 here and 1.2 there. */
	readings: string[];
	/** `%` or a sign of a currency; empty: none. */
	unit: string;
}

const MONTHS = [
	'jan(?:uary|uar)?|janv(?:ier)?|ene(?:ro)?|gennaio|januari',
	'feb(?:ruary|ruar)?|f[ée]vr(?:ier)?|febrero|febbraio|februari',
	'mar(?:ch)?|m(?:ä|ae)rz|mars|marzo|maart',
	'apr(?:il)?|avr(?:il)?|abril|aprile',
	'may|mai|mayo|maggio|mei',
	'june?|juni|juin|junio|giugno',
	'july?|juli|juil(?:let)?|julio|luglio',
	'aug(?:ust)?|ao[uû]t|agosto|augustus',
	'sept?(?:ember)?|septembre|se[p]?tiembre|settembre',
	'oct(?:ober)?|okt(?:ober)?|octobre|octubre|ottobre',
	'nov(?:ember)?|novembre|noviembre',
	'dec(?:ember)?|dez(?:ember)?|d[ée]c(?:embre)?|diciembre|dicembre',
].map((names) => `(?:${names})`);

const MONTH = new RegExp(
	`(?<![\\p{L}\\p{M}])(?:${MONTHS.map((names) => `(${names})`).join('|')})(?![\\p{L}\\p{M}])\\.?`,
	'giu',
);

const SCALES: Array<[RegExp, number]> = [
	[/^\s?(?:hundred|hundert)(?!\p{L})/iu, 1e2],
	[/^\s?(?:thousand|tausend|tsd|mille|mil|k)(?!\p{L})/iu, 1e3],
	[/^\s?(?:millions?|millionen|mio|mln|millones|mill[oó]n|milioni|m|mn)(?!\p{L})/iu, 1e6],
	[/^\s?(?:billions?|bn|b|milliarden?|milliards?|mrd|miliardi)(?!\p{L})/iu, 1e9],
	[/^\s?(?:trillions?|tn|billionen|bio)(?!\p{L})/iu, 1e12],
];

const PERCENT =
	/^\s?(?:%|percent|per cent|pct|prozent|pour cent|por ciento|per cento|procent)(?!\p{L})/iu;

const CURRENCIES: Array<[string, RegExp, RegExp]> = [
	['$', /(?:\$|\bUSD?)\s?$/i, /^\s?(?:\$|USD?\b|dollars?\b)/i],
	['€', /(?:€|\bEUR)\s?$/i, /^\s?(?:€|EUR\b|euros?\b)/i],
	['£', /(?:£|\bGBP)\s?$/i, /^\s?(?:£|GBP\b|pounds?\b)/i],
	['¥', /(?:¥|\bJPY)\s?$/i, /^\s?(?:¥|JPY\b|yen\b)/i],
];

const WORDS =
	'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
		' ',
	);
const ORDINALS = 'zeroth first second third fourth fifth sixth seventh eighth ninth tenth'.split(
	' ',
);
const WORD = new RegExp(`(?<!\\p{L})(?:${[...WORDS, ...ORDINALS].join('|')})(?!\\p{L})`, 'giu');

/** Digits of all scripts as 0 to 9. */
function asciiDigits(text: string): string {
	return text.normalize('NFKC').replace(/\p{Nd}/gu, (digit) => {
		if (digit <= '9') return digit;
		const code = digit.codePointAt(0) ?? 0;
		let zero = code;
		while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
		return String(code - zero);
	});
}

/** Names of months beside figures are figures. */
function withoutMonthNames(text: string): string {
	return text.replace(MONTH, (name: string, ...rest: unknown[]) => {
		const [at, whole] = rest.slice(MONTHS.length, MONTHS.length + 2) as [number, string];
		const isBeside =
			/\d(?:st|nd|rd|th|er|\.)?,?\s(?:(?:of|de)\s)?$/i.test(whole.slice(Math.max(0, at - 9), at)) ||
			/^,?\s(?:(?:of|de)\s)?\d/i.test(whole.slice(at + name.length, at + name.length + 6));
		if (!isBeside) return name;
		const month = rest.slice(0, MONTHS.length).findIndex((one) => one !== undefined) + 1;
		return `${month}${name.endsWith('.') ? ' ' : ''}`;
	});
}

const FIGURE =
	/\d+(?:(?:[.,'\u2019]|(?<=(?<!\d)\d{1,3}(?:[ \u00a0\u202f]\d{3})*)[ \u00a0\u202f](?=\d{3}(?!\d)))\d+)*/g;

function figuresIn(text: string): Figure[] {
	const plain = withoutMonthNames(asciiDigits(text)).replace(/[\u2212\u2013]/g, '-');
	return [...plain.matchAll(FIGURE)].map((match) => {
		const [token] = match;
		const before = plain.slice(Math.max(0, match.index - 5), match.index);
		const after = plain.slice(match.index + token.length, match.index + token.length + 24);
		const scale = SCALES.find(([pattern]) => pattern.test(after));
		const behind = scale ? after.replace(scale[0], '') : after;
		const currency = CURRENCIES.find(
			([, ahead, following]) => ahead.test(before) || following.test(behind),
		);
		const unit = PERCENT.test(after) ? '%' : (currency?.[0] ?? '');
		const sign = /(?:^|[\s(])-[$€£¥]?$/.test(before) ? '-' : '';
		const readings = readingsOf(token).map((reading) => scaled(reading, scale?.[1] ?? 1));
		return { readings: readings.map((reading) => sign + reading), unit };
	});
}

function scaled(reading: string, scale: number): string {
	const value = Number(reading) * scale;
	// Dotted versions, times and very long numbers are compared as they are written.
	if (Number.isNaN(value) || reading.length > 15) return reading;
	return String(Number(value.toPrecision(12)));
}

function readingsOf(token: string): string[] {
	const parts = token.split(/[^\d]/);
	if (parts.length === 1) return [token];
	const [first = '', ...rest] = parts;
	const isGrouped = first.length <= 3 && rest.every((part) => part.length === 3);
	const whole = parts.join('');
	if (rest.length === 1 && /[.,]/.test(token)) {
		const decimal = `${first}.${rest[0] ?? ''}`;
		return isGrouped ? [whole, decimal] : [decimal];
	}
	if (isGrouped) return [whole];
	const last = rest.at(-1) ?? '';
	const groups = rest.slice(0, -1);
	const decimalMark = token[token.length - last.length - 1];
	const groupMarks = token.slice(0, token.length - last.length - 1).replace(/\d/g, '');
	const isDecimal = !groupMarks.includes(decimalMark ?? '') && groups.every((g) => g.length === 3);
	return [isDecimal ? `${first}${groups.join('')}.${last}` : parts.join('.')];
}

/** Days, months and years of dates that are written with dots. */
function datesApart(text: string): string {
	return text.replace(/(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?![\d.])/g, '$1 / $2 / $3');
}

/**
 * The figures and dates of a text that none of the other texts hold: as many as they are, in the words of
 * the text's readings. `5 million` holds `5,000,000` and not `5 billion` or `5 %`.
 */
export function missingFigures(text: string, others: readonly string[]): string[] {
	const held = new Set<string>();
	for (const other of others) {
		for (const { readings, unit } of figuresIn(datesApart(other))) {
			for (const reading of readings) held.add(reading).add(`${unit}${reading}`);
		}
		for (const [word] of other.matchAll(WORD)) {
			const name = word.toLowerCase();
			held.add(String(WORDS.includes(name) ? WORDS.indexOf(name) : ORDINALS.indexOf(name)));
		}
	}
	return figuresIn(datesApart(text)).flatMap(({ readings, unit }) =>
		readings.some((reading) => held.has(`${unit}${reading}`))
			? []
			: [`${unit}${readings[0] ?? ''}`],
	);
}
